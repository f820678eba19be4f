"""Types of what NumPy's functions give for staged arrays, by the rules of ``result_rules``.

calls.py asks when it records a call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError
from runtime.ops.python.call_numpy import result_of
from runtime.ops.python.call_python import python_value
from runtime.staging.numpy_arrays.lists import ListInput
from runtime.staging.numpy_arrays.result_rules.operands import ArrayType, NoRuleError
from runtime.staging.numpy_arrays.result_rules.table import result_of_rule
from runtime.types.dtypes import DTYPE_OF_NUMPY, string
from runtime.types.shapes import UNKNOWN_SHAPE, TensorShape, TensorSpec


def refusal(name: str, why: str) -> ConcreteValueError:
    """The error for a call of a function that cannot be staged."""
    return ConcreteValueError(
        f"{name}() of staged values cannot be staged: {why}",
        where=user_line(),
        help="use an operation of runtime that does the same, or call it outside of the function",
    )


def result_type(
    name: str, template: tuple[Any, ...], keywords: tuple[str, ...], inputs: Sequence[Any],
    scalars: set[int],
) -> Any:  # fmt: skip
    """What a function gives: an ArrayType, or several in a tuple, as NumPy gives them.

    ``scalars`` are the inputs that are NumPy's scalars.  NumPy's error for arrays that certainly
    do not fit; ConcreteValueError where nothing tells the type before a run.
    """
    if any(tensor.dtype is string or tensor.shape.rank is None for tensor in inputs):
        raise refusal(name, "it is given texts, or a tensor of unknown rank")
    try:
        return result_of_rule(name, template, keywords, inputs, frozenset(scalars))
    except NoRuleError as error:
        why = str(error)
    _raise_as_numpy(name, template, keywords, inputs)
    raise refusal(name, why)


def spec_of(name: str, result: ArrayType) -> TensorSpec:
    """The type of a result as a tensor."""
    dtype = DTYPE_OF_NUMPY.get(result.dtype)
    if dtype is None:
        raise refusal(name, f"tensors have no dtype such as {result.dtype}")
    return TensorSpec(UNKNOWN_SHAPE if result.dims is None else TensorShape(result.dims), dtype)


def gives_array(
    name: str, template: tuple[Any, ...], keywords: tuple[str, ...], inputs: Sequence[Any],
    scalars: set[int],
) -> bool:  # fmt: skip
    """Whether a result without axes is an array, and no scalar."""
    result = result_type(name, template, keywords, inputs, scalars)
    return isinstance(result, ArrayType) and result.is_array


# -- errors ---------------------------------------------------------------------------------------


def _raise_as_numpy(
    name: str, template: tuple[Any, ...], keywords: tuple[str, ...], inputs: Sequence[Any]
) -> None:
    """Raise NumPy's error, if it raises the same one for different arrays of these sizes."""
    if any(isinstance(x, ListInput) or None in x.shape.dims for x in inputs):
        return
    errors = {}
    for fill in _FILLINGS:
        values = [_value(tensor, fill) for tensor in inputs]
        try:
            with np.errstate(all="ignore"):
                result_of(name, template, keywords, values)
        except Exception as error:  # NumPy's own, of a call that the user's program makes
            errors[str(error)] = error
        else:
            return
    if len(errors) == 1:
        raise errors.popitem()[1]


def _value(tensor: Any, fill: Callable[..., Any]) -> Any:
    """An array, or number, of the type of an input; its own value, if that is known."""
    known_value = tensor.spec.value
    dtype = np.dtype(tensor.dtype.as_numpy_dtype)
    array = fill(tensor.shape.dims).astype(dtype) if known_value is None else known_value
    return python_value(np.asarray(array)) if tensor.weak else np.asarray(array)


def _identity(dims: tuple[int, ...]) -> Any:
    """Identity matrices, which have an inverse; ones, which are indices, for fewer axes."""
    return np.broadcast_to(np.eye(dims[-2], dims[-1]) if len(dims) > 1 else 1.0, dims)


_FILLINGS: tuple[Callable[..., Any], ...] = (_identity, np.ones, np.zeros)
