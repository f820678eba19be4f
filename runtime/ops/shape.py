"""Rows that rearrange elements without computing: stack, unstack."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import interpreter
from runtime.dtypes import Array
from runtime.errors import IncompatibleShapesError
from runtime.facets.infer import normal_axis
from runtime.op import define
from runtime.types import UNKNOWN_SHAPE, TensorShape, TensorSpec

__all__ = ["stack", "unstack"]


def _stack_infer(*values: TensorSpec, axis: int) -> TensorSpec:
    shape = values[0].shape
    for i, other in enumerate(values):
        if not shape.is_compatible_with(other.shape):
            raise IncompatibleShapesError(
                f"Shapes of all inputs must match: values[0].shape = {shape} != "
                f"values[{i}].shape = {other.shape}"
            )
        shape = shape.merge_with(other.shape)
    if shape.dims is None:
        return TensorSpec(UNKNOWN_SHAPE, values[0].dtype)
    at = normal_axis(axis, len(shape.dims) + 1)
    dims = (*shape.dims[:at], len(values), *shape.dims[at:])
    return TensorSpec(TensorShape(dims), values[0].dtype)


stack_op = define(
    "stack",
    inputs="*values",
    kernel=lambda *values, axis: np.stack(values, axis=axis),
    infer=_stack_infer,
)


def stack(values: Any, axis: int = 0, name: str = "stack") -> Any:
    """Tensors of rank R as one of rank R+1, along a new axis; ValueError when shapes differ."""
    if not isinstance(values, list | tuple):
        values = unstack(values)
    if not values:
        raise ValueError("stack needs one tensor or more, got an empty list")
    return stack_op(*values, axis=axis, name=name)


def _unstack(value: Array, *, num: int, axis: int) -> tuple[Any, ...]:
    if value.shape[axis] != num:
        raise ValueError(f"axis {axis} has {value.shape[axis]} entries, expected {num}")
    return tuple(np.moveaxis(value, axis, 0))


def _unstack_infer(value: TensorSpec, *, num: int, axis: int) -> tuple[TensorSpec, ...]:
    dims = value.shape.dims
    if dims is None:
        return (TensorSpec(UNKNOWN_SHAPE, value.dtype),) * num
    at = normal_axis(axis, len(dims))
    if dims[at] not in (None, num):
        raise IncompatibleShapesError(f"axis {axis} has {dims[at]} entries, expected {num}")
    return (TensorSpec(TensorShape(dims[:at] + dims[at + 1 :]), value.dtype),) * num


unstack_op = define("unstack", inputs="value", kernel=_unstack, infer=_unstack_infer)


def unstack(value: Any, num: int | None = None, axis: int = 0, name: str = "unstack") -> list[Any]:
    """The slices of a tensor along ``axis``, as a list; ValueError when ``num`` is unknown."""
    tensor = interpreter.convert(value)
    if num is None and tensor.shape.dims is not None:
        num = tensor.shape[normal_axis(axis, len(tensor.shape))]
    if num is None:
        raise ValueError(f"Cannot infer argument `num` from shape {tensor.shape}; pass num=...")
    return list(unstack_op(tensor, num=num, axis=axis, name=name))
