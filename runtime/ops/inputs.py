"""Conversion of an op's inputs: variables are read, lists of tensors stacked.

Both interpreters call :func:`convert_inputs` for inputs that are not tensors yet; numbers and
arrays stay as they are, because their dtype depends on what they meet (promotion.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.ops import dispatch
from runtime.ops.op import OpDef, lookup
from runtime.types.conversion import conversion_call
from runtime.types.dtypes import DTYPE_OF_NUMPY, DType, string
from runtime.types.errors import (
    IncompatibleShapesError,
    IndexOutOfBoundsError,
    InvalidArgumentError,
    MismatchedTypesError,
    OpError,
    RefusedArgumentError,
    UnfitNumberError,
)
from runtime.types.promotion import is_weak
from runtime.types.shapes import TensorSpec
from runtime.types.value import Value

PLAIN = (bool, int, float, complex, str, bytes, np.ndarray, np.generic)
"""Classes whose values stay as they are until their dtype is known."""


def convert_input(value: Any, dtype: DType | None = None) -> Any:
    """Convert a value to a tensor, unless it is a number, an array or a list of those."""
    if isinstance(value, Value) or type(value) in PLAIN:
        return value
    conversion = dispatch.conversion_for(value)
    if conversion is not None:
        result = conversion(value, dtype=dtype, name=None, as_ref=False)
        if result is not NotImplemented:
            return result
    if isinstance(value, list | tuple) and _holds_tensors(value):
        items = [convert_input(item, dtype) for item in value]
        tensor = lookup("stack")(*items, axis=0)
        return tensor if dtype is None else _cast_list(tensor, dtype)
    return value


def convert_inputs(op: OpDef, inputs: Sequence[Any]) -> list[Any]:
    """Convert the inputs of an op; a list of tensors takes the dtype of a tensor beside it."""
    values = [v if isinstance(v, Value) else convert_input(v) for v in inputs]
    group = op.same_dtype_inputs
    if group is not None and any(type(v) in (list, tuple) for v in inputs[group]):
        was_list = [type(v) in (list, tuple) for v in inputs[group]]
        shared: list[Any] = values[group]
        strong = (isinstance(v, Value) and not is_weak(v) for v in shared)
        deciding = [v for v, w, s in zip(shared, was_list, strong) if s and not w]
        if deciding:
            values[group] = [
                _cast_list(v, deciding[0].dtype) if w and isinstance(v, Value) else v
                for v, w in zip(shared, was_list)
            ]
    return values


def _cast_list(tensor: Any, dtype: DType) -> Any:
    """Cast a tensor that was a list, if ``dtype`` holds all its numbers, as in TensorFlow."""
    source = tensor.dtype
    fits = source.is_integer or (source.is_floating and not dtype.is_integer)
    if source is dtype or is_weak(tensor) or not fits or dtype.is_bool or dtype is string:
        return tensor
    return lookup("cast")(tensor, dtype=dtype)


def _holds_tensors(value: Sequence[Any]) -> bool:
    return any(
        isinstance(item, Value)
        or (isinstance(item, list | tuple) and _holds_tensors(item))
        or (type(item) not in PLAIN and dispatch.conversion_for(item) is not None)
        for item in value
    )


def check_dtype_kind(op: OpDef, dtype: DType) -> None:
    """Raise MismatchedTypesError when the op does not take a dtype."""
    if op.dtype_kinds and dtype.kind not in op.dtype_kinds:
        raise dtype_error(op, dtype)


def dtype_error(op: OpDef, dtype: DType) -> MismatchedTypesError:
    """Return the error for an op that does not take a dtype, with the dtypes that it takes."""
    allowed = [d.name for d in DTYPE_OF_NUMPY.values() if d.kind in op.dtype_kinds]
    return MismatchedTypesError(
        f"{op.name} does not take dtype {dtype.name}; it takes {', '.join(allowed)}. "
        "Use runtime.cast to convert."
    )


def check_dtype(value: Any, dtype: DType, name: str | None) -> None:
    """Raise ValueError when a tensor has another dtype than the requested one."""
    if value.dtype is not dtype:
        raise ValueError(
            f"Tensor conversion requested dtype {dtype.name} for Tensor with dtype "
            f"{value.dtype.name}: {value!r}. Use {conversion_call('...', value.dtype, dtype)}."
        )


def with_op_name(op: OpDef, error: OpError) -> OpError:
    """Return an error of ``op.infer`` with the op's name; a ValueError, too, as in TensorFlow."""
    message = f"{error.message} [Op:{op.name}]"
    if type(error) is InvalidArgumentError:
        return RefusedArgumentError(message)
    error.message = message
    return error


def kernel_error(
    op: OpDef, error: Exception, arrays: Sequence[Any], attrs: dict[str, Any], types: bool = True
) -> OpError:
    """Return the runtime's error for what a kernel raised, with the types of the inputs if asked.

    Inference rules word a mistake better than NumPy does, so their error is preferred.  An error
    of the runtime that the kernel raised itself keeps its class where they have none.
    """
    if isinstance(error, OpError) and type(error) is not InvalidArgumentError:
        return error
    if all(isinstance(array, np.ndarray | np.generic) for array in arrays):
        specs = [TensorSpec(a.shape, a.dtype, None, np.asarray(a)) for a in arrays]
        try:
            op.infer(*specs, **attrs)
        except OpError as static:
            return with_op_name(op, static)
    if isinstance(error, OpError):
        return error
    text = f"{error} [Op:{op.name}]"
    if types:
        text += f" inputs: {', '.join(describe(array) for array in arrays) or 'none'}"
    if isinstance(error, TypeError):
        return MismatchedTypesError(text)
    if isinstance(error, IndexError):
        return IndexOutOfBoundsError(text)
    if isinstance(error, OverflowError):
        return UnfitNumberError(text)
    if isinstance(error, ValueError):
        return IncompatibleShapesError(text)
    return InvalidArgumentError(text)


def describe(array: Any) -> str:
    """Return the text for an array's dtype and shape: ``float32[2, 3]``."""
    if not isinstance(array, np.ndarray | np.generic):
        return type(array).__name__
    dtype = DTYPE_OF_NUMPY.get(array.dtype)
    return f"{dtype.name if dtype else array.dtype}{list(array.shape)}"


