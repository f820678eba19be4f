"""Inference rules: specs of the inputs -> spec of the result, with unknowns allowed.

Op definitions say ``infer=same`` or ``infer=broadcast``; a contradiction that is already visible
raises the same error class that the kernel's failure would.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.ops.docstrings import WRONG_SHAPES, gives, like
from runtime.types.dtypes import DType
from runtime.types.errors import (
    IncompatibleShapesError,
    InvalidArgumentError,
    OpError,
    RefusedArgumentError,
)
from runtime.types.shapes import UNKNOWN_SHAPE, TensorShape, TensorSpec


def narrowed(old: TensorSpec, spec: TensorSpec) -> TensorSpec | None:
    """What both say of one tensor; None where ``spec`` says nothing that ``old`` does not."""
    valued = spec.value is None or old.value is not None
    if old.shape.dims == spec.shape.dims and valued:
        return None
    if spec.dtype is not old.dtype or not old.shape.is_compatible_with(spec.shape):
        return None
    merged = old.shape.merge_with(spec.shape)
    if merged.dims == old.shape.dims and valued:
        return None
    spec_of_both = TensorSpec(
        merged, old.dtype, None, spec.value if old.value is None else old.value
    )
    spec_of_both.sizes = old.sizes or spec.sizes
    return spec_of_both


@gives("Tensor of the shape and dtype of ``{x}``.")
def same(x: TensorSpec, *_: TensorSpec, **attrs: Any) -> TensorSpec:
    """The result is as the first input."""
    return x if x.value is None else TensorSpec(x.shape, x.dtype)


def broadcast_shapes(first: TensorShape, second: TensorShape) -> TensorShape:
    """The shape of ``left op right`` by NumPy's rules; IncompatibleShapesError when there is none.

    An unknown dimension gives way to one that is known and not 1.
    """
    a, b = first.dims, second.dims
    if a == b:
        return first
    if a is None or b is None:
        return UNKNOWN_SHAPE
    rank = max(len(a), len(b))
    a, b = (1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b
    return TensorShape([_broadcast_dim(m, n, first, second) for m, n in zip(a, b, strict=True)])


def _broadcast_dim(m: int | None, n: int | None, first: TensorShape, second: TensorShape) -> Any:
    if m == n or n == 1:
        return m
    if m == 1:
        return n
    if m is None or n is None:
        return n if m is None else m
    raise IncompatibleShapesError(
        f"Incompatible shapes: {_brackets(first)} vs. {_brackets(second)}. Dimensions must be "
        "equal, "
        f"or one of them 1, but are {m} and {n}."
    )


def _brackets(shape: TensorShape) -> str:
    return "[" + ",".join("?" if d is None else str(d) for d in shape) + "]"


@gives("Tensor of the inputs' dtype and their broadcast shape.", WRONG_SHAPES)
def broadcast(*specs: TensorSpec, **attrs: Any) -> TensorSpec:
    """All inputs broadcast together; the dtype is the first one's."""
    shape = specs[0].shape
    for spec in specs[1:]:
        shape = broadcast_shapes(shape, spec.shape)
    first = specs[0]
    if shape is first.shape and first.value is None and first.name is None and not first.sizes:
        return first
    return TensorSpec(shape, first.dtype)


def broadcast_as(dtype: DType) -> Callable[..., TensorSpec]:
    """All inputs broadcast together; the result has ``dtype``."""

    @gives(f"Tensor of dtype {dtype.name} and of the inputs' broadcast shape.", WRONG_SHAPES)
    def infer(*specs: TensorSpec, **attrs: Any) -> TensorSpec:
        return TensorSpec(broadcast(*specs).shape, dtype)

    return infer


def same_as(dtype: DType) -> Callable[..., TensorSpec]:
    """The result has the first input's shape and ``dtype``."""

    @gives(f"Tensor of dtype {dtype.name} and of the shape of ``{{x}}``.")
    def infer(x: TensorSpec, *_: TensorSpec, **attrs: Any) -> TensorSpec:
        return TensorSpec(x.shape, dtype)

    return infer


def normal_axis(axis: int, rank: int, role: str = "axis") -> int:
    """``axis`` counted from the front; RefusedArgumentError when it is out of range."""
    if not -rank <= axis < rank:
        raise RefusedArgumentError(
            f"{role} {axis} is out of range for a tensor of rank {rank}; "
            f"expected {-rank} to {rank - 1}"
        )
    return axis % rank


def reduced_shape(shape: TensorShape, axis: Any, keepdims: bool) -> TensorShape:
    """The shape after combining along ``axis`` (None: all axes, an int, or several)."""
    dims = shape.dims
    if dims is None:
        return TensorShape(()) if axis is None and not keepdims else UNKNOWN_SHAPE
    axes = range(len(dims)) if axis is None else (axis,) if isinstance(axis, int) else axis
    gone = {normal_axis(a, len(dims), "reduction axis") for a in axes}
    if keepdims:
        return TensorShape([1 if i in gone else d for i, d in enumerate(dims)])
    return TensorShape([d for i, d in enumerate(dims) if i not in gone])


def reduction(x: TensorSpec, *, axis: Any, keepdims: bool) -> TensorSpec:
    """Combines along ``axis`` and keeps the dtype."""
    return TensorSpec(reduced_shape(x.shape, axis, keepdims), x.dtype)


def reduction_as(dtype: DType) -> Callable[..., TensorSpec]:
    """Combines along ``axis``; the result has ``dtype``."""

    def infer(x: TensorSpec, *, axis: Any, keepdims: bool) -> TensorSpec:
        return TensorSpec(reduced_shape(x.shape, axis, keepdims), dtype)

    return infer


def broadcast_last(*specs: TensorSpec, **attrs: Any) -> TensorSpec:
    """All inputs broadcast together; the dtype is the last one's."""
    return TensorSpec(broadcast(*specs).shape, specs[-1].dtype)


def known_sizes(spec: TensorSpec) -> tuple[int | None, ...] | None:
    """The numbers in a vector (or scalar) of sizes, as far as known; None when not even how many.

    They may be negative.
    """
    if spec.value is not None:
        return tuple(np.asarray(spec.value).reshape(-1).tolist())
    if spec.sizes is not None:
        return spec.sizes
    dims = spec.shape.dims
    if dims == ():
        return (None,)
    return None if dims is None or len(dims) != 1 or dims[0] is None else (None,) * dims[0]


def with_sizes(spec: TensorSpec, sizes: Sequence[int | None] | None) -> TensorSpec:
    """The spec of a vector, which also knows the numbers in it as far as they are known."""
    if sizes is not None and any(s is not None for s in sizes):
        spec.sizes = tuple(sizes)
    return spec


def shape_from(sizes: TensorSpec) -> TensorShape:
    """The shape that an input of sizes asks for, as far as it is known."""
    dims = known_sizes(sizes)
    if any(d is not None and d < 0 for d in dims or ()):
        raise InvalidArgumentError(f"A shape must not be negative, got {list(dims or ())}")
    return TensorShape(dims)


def scalar_value(spec: TensorSpec, role: str) -> int | None:
    """The value of an input that is one whole number, None when it is not known yet.

    IncompatibleShapesError when it is no scalar.
    """
    if spec.shape.dims:
        raise IncompatibleShapesError(f"{role} must be a scalar, got shape {spec.shape}")
    return None if spec.value is None else int(spec.value)


def merged(first: TensorShape, second: Any, role: str) -> TensorShape:
    """What both shapes know; IncompatibleShapesError, naming ``role``, when they contradict."""
    if not first.is_compatible_with(second):
        raise IncompatibleShapesError(f"{role}: got {first} and {TensorShape(second)}")
    return first.merge_with(second)


def folding(kernel: Callable[..., Any], infer: Callable[..., TensorSpec]) -> Callable[..., Any]:
    """``infer``, and the value too where the inputs are known and small.

    For the ops that compute sizes: it lets ``reshape(x, [shape(x)[0], -1])`` know its shape.
    """

    @like(infer)
    def with_value(*specs: TensorSpec, **attrs: Any) -> TensorSpec:
        spec = infer(*specs, **attrs)
        values = [s.value for s in specs]
        if values and all(v is not None and np.size(v) <= 64 for v in values):
            try:
                with np.errstate(all="ignore"):
                    value = kernel(*values, **attrs)
            except (OpError, ValueError, TypeError, IndexError):
                return spec  # an error of the values is raised when the op runs, if it does
            if type(value) is not bytes:
                return TensorSpec(spec.shape, spec.dtype, None, value)
        return spec

    return with_value


def nothing(*_: TensorSpec, **attrs: Any) -> tuple[TensorSpec, ...]:
    """The op has no outputs."""
    return ()
