"""Conversion of the arguments of public functions that are axes, shapes and other numbers.

A number that must be known statically becomes an attribute; one that may be computed (a shape, a
count) becomes an input.  Names no op.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.ops import dispatch
from runtime.types.dtypes import Array, DType, as_dtype
from runtime.types.errors import InvalidArgumentError, MismatchedTypesError, UnfitArgumentError
from runtime.types.shapes import TensorShape
from runtime.types.value import Value

EMPTY = np.zeros(0, np.int32)


def known_value(value: Any) -> Any:
    """The array of a tensor whose value is known now, or None; other values as they are."""
    if not isinstance(value, Value):
        return value
    spec = getattr(value, "spec", None)
    return np.asarray(value) if spec is None else spec.value


def static_axis(axis: Any, role: str = "axis") -> int | tuple[int, ...] | None:
    """An axis argument as an int, a tuple of ints, or None.

    TypeError for anything else, also for a tensor whose value is not known yet.
    """
    if axis is None or type(axis) is int:
        return axis
    static_value = known_value(axis)
    if static_value is None:
        raise TypeError(
            f"{role} must be known when the graph is built, but {axis!r} is computed. "
            "Give a Python int or a list of them."
        )
    array = np.asarray(static_value)
    if array.size == 0:
        return ()
    if array.dtype.kind not in "iu" or array.ndim > 1:
        raise UnfitArgumentError(f"{role} must be None, an int or a list of ints, got {axis!r}")
    return int(array) if array.ndim == 0 else tuple(int(a) for a in array)


def static_int(value: Any, role: str) -> int:
    """A number that must be known when the graph is built; TypeError otherwise."""
    number = static_axis(value, role)
    if not isinstance(number, int):
        raise UnfitArgumentError(f"{role} must be an int, got {value!r}")
    return number


def static_ints(value: Any, role: str) -> tuple[int, ...]:
    """Numbers that must be known when the graph is built, one or a list; TypeError otherwise."""
    numbers = static_axis(value, role)
    if numbers is None:
        raise TypeError(f"{role} must be a list of ints, got None")
    return (numbers,) if isinstance(numbers, int) else numbers


def whole_numbers(value: Any, role: str = "shape") -> Any:
    """An input of whole numbers (a shape, sizes ...): a tensor, or an int32 or int64 array.

    MismatchedTypesError for other dtypes; ValueError for a shape with unknown dimensions.
    """
    if isinstance(value, TensorShape):
        if not value.is_fully_defined():
            raise ValueError(
                f"Cannot convert a partially known TensorShape {value} to a Tensor. "
                "Use runtime.shape(x) for sizes known only at run time."
            )
        value = value.as_list()
    if type(value) in (list, tuple) and value and {*map(type, value)} == {int}:
        try:
            return dispatch.convert(np.array(value, np.int32))
        except OverflowError:
            pass  # it takes int64
    if not isinstance(value, Value):
        if isinstance(value, list | tuple):
            if not value:
                return EMPTY
            if any(item is None for item in value):
                raise ValueError(
                    f"{role} {list(value)} has an unknown dimension. Use runtime.shape(x) for "
                    "sizes known only at run time."
                )
        value = dispatch.operand(value)
    if not value.dtype.is_integer:
        raise MismatchedTypesError(
            f"{role} must hold whole numbers, got dtype {value.dtype.name}: {value!r}"
        )
    return value


def dims_of(sizes: Array, role: str = "shape") -> tuple[int, ...]:
    """The value of a shape input as a tuple; InvalidArgumentError when negative or no vector."""
    if sizes.ndim > 1:
        raise InvalidArgumentError(f"{role} must be a vector, got shape {list(sizes.shape)}")
    dims = tuple(sizes.reshape(-1).tolist())
    if any(d < 0 for d in dims):
        raise InvalidArgumentError(f"{role} must not be negative, got {list(dims)}")
    return dims


def dtype_of(dtype: Any, default: DType) -> DType:
    """The dtype meant, or the default when None is given."""
    return default if dtype is None else as_dtype(dtype)


def listed(values: Any, role: str) -> Sequence[Any]:
    """A non-empty list of tensors; ValueError or TypeError otherwise."""
    if not isinstance(values, list | tuple):
        raise TypeError(f"{role} must be a list of tensors, got {values!r}")
    if not values:
        raise ValueError(f"{role} must hold at least one tensor, got an empty list")
    return values
