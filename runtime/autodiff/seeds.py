"""Targets, sources and seeds of gradients: nests of tensors, and initial gradients."""

from __future__ import annotations

import enum
import logging
from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.autodiff.backprop import Key, as_gradient
from runtime.eager.tensor import Tensor, wrap
from runtime.graph.operation import read
from runtime.ops.array.constants import convert_to_tensor
from runtime.ops.array.creation import ones_like, zeros_like
from runtime.state.variable import Variable
from runtime.types import nest
from runtime.types.dtypes import SMOOTH
from runtime.types.value import Value

_log = logging.getLogger("runtime")


class UnconnectedGradients(enum.Enum):
    """Gradient of a source that the target does not depend on: None, or zeros."""

    NONE = "none"
    ZERO = "zero"


def key_of(target: Any) -> Key:
    """Key of a target: the storage of a variable, or the id of a tensor."""
    if type(target) is Tensor:
        return id(target)
    return target._storage if isinstance(target, Variable) else id(target)


def total(gradients: Sequence[Any]) -> Any:
    """Sum of the gradients of one source, or None."""
    if not gradients:
        return None
    result = gradients[0]
    for gradient in gradients[1:]:
        result = result + gradient
    return result


def leaves_of(value: Any) -> list[Any]:
    """Return the tensors and variables of a nest; Python numbers become tensors."""
    if type(value) is Tensor:
        return [value]
    if isinstance(value, Tensor):
        return [read(value)]
    leaves = nest.flatten(value) if nest.is_nested(value) else [value]
    return [read(v) if isinstance(v, Value | Variable) else convert_to_tensor(v) for v in leaves]


def check_targets(value: Any) -> None:
    """Raise TypeError for targets that are NumPy's or Python's numbers, which no tape records."""
    for leaf in nest.flatten(value) if nest.is_nested(value) else [value]:
        if isinstance(leaf, np.ndarray | np.generic | float | complex):
            raise TypeError(
                f"the target of a gradient is a {type(leaf).__name__}: no tape records it. Help: "
                "call the function with tensors, f(runtime.constant(x)), since runtime.jit gives "
                "NumPy arrays for arrays and Python numbers for numbers"
            )


def as_tensor(value: Any) -> Any:
    """Convert a tensor, a variable or a value to a tensor."""
    return value.read_value() if isinstance(value, Variable) else convert_to_tensor(value)


def initial_gradients_of(target: Any, gradients: Any) -> list[Any]:
    """Return the initial gradients of the targets; None stands for ones."""
    if gradients is None and isinstance(target, Tensor):
        return [None]
    count = len(nest.flatten(target)) if nest.is_nested(target) else 1
    if gradients is None:
        return [None] * count
    initial = nest.flatten(gradients) if nest.is_nested(gradients) else [gradients]
    if not nest.is_nested(target) and len(initial) > 1:
        initial = [convert_to_tensor(gradients)]
    if len(initial) != count:
        raise ValueError(
            f"output_gradients must have the structure of the target: {count} tensors, "
            f"got {len(initial)}"
        )
    return initial


def seed_of(target: Any, gradient: Any) -> Any:
    """Return the initial gradient of a target: the given one (ValueError if unfit), or ones."""
    if gradient is None and type(target) is Tensor:
        array = target._array
        return wrap(np.ones(array.shape, array.dtype))
    tensor = target.read_value() if isinstance(target, Variable) else target
    if gradient is None:
        return ones_like(tensor)
    seed: Any = gradient
    if not isinstance(gradient, Value):
        seed = convert_to_tensor(gradient, tensor.dtype)
    if not seed.shape.is_compatible_with(tensor.shape):
        raise ValueError(
            f"output_gradients: the target has shape {tensor.shape}, but the gradient given for it "
            f"has shape {seed.shape}"
        )
    return as_gradient(seed, tensor)


def is_differentiable(tensor: Any, role: str) -> bool:
    """Return whether a target or source has gradients; log a warning if its dtype has none."""
    if type(tensor) is Tensor and tensor._array.dtype.kind in SMOOTH:
        return True
    if tensor.dtype.is_floating or tensor.dtype.is_complex:
        return True
    _log.warning(
        "The dtype of the %s tensor must be floating (e.g. tf.float32) when calling "
        "GradientTape.gradient, got %r", role, tensor.dtype,
    )  # fmt: skip
    return False


def fill_unconnected(
    by_source: Sequence[Any], sources: Sequence[Any], unconnected: Any
) -> list[Any]:
    """Replace None by zeros if ``unconnected`` is ZERO; ValueError if it is neither NONE nor ZERO.
    """
    try:
        unconnected = UnconnectedGradients(unconnected)
    except ValueError:
        raise ValueError(
            f"Unknown value for unconnected_gradients: {unconnected!r}"
        ) from None
    if unconnected is UnconnectedGradients.NONE:
        return list(by_source)
    return [
        zeros_like(convert_to_tensor(s)) if g is None else g
        for g, s in zip(by_source, sources, strict=True)
    ]
