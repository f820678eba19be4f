"""From what the user wrote to what an op can take: variables read, lists of tensors stacked.

Both interpreters call :func:`resolve` on inputs that are not tensors yet; numbers and arrays stay
as they are, because their dtype depends on what they meet (promotion.py).
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
)
from runtime.types.promotion import is_weak
from runtime.types.shapes import TensorSpec
from runtime.types.value import Value

_PLAIN = (bool, int, float, complex, str, bytes, np.ndarray, np.generic)


def resolve(value: Any, dtype: DType | None = None) -> Any:
    """A tensor, a number, an array or a list of those, for anything that can become a tensor."""
    if isinstance(value, Value) or type(value) in _PLAIN:
        return value
    conversion = dispatch.conversion_for(value)
    if conversion is not None:
        result = conversion(value, dtype=dtype, name=None, as_ref=False)
        if result is not NotImplemented:
            return result
    if isinstance(value, list | tuple) and _holds_tensors(value):
        items = [resolve(item, dtype) for item in value]
        made = lookup("stack")(*items, axis=0)
        return made if dtype is None else _cast_list(made, dtype)
    return value


def resolve_all(op: OpDef, inputs: Sequence[Any]) -> list[Any]:
    """The inputs of an op, resolved; a list of tensors takes the dtype of a tensor beside it."""
    values = [v if isinstance(v, Value) else resolve(v) for v in inputs]
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
    """A tensor that was a list, with a dtype that takes all its numbers, as in TensorFlow."""
    found = tensor.dtype
    fits = found.is_integer or (found.is_floating and not dtype.is_integer)
    if found is dtype or is_weak(tensor) or not fits or dtype.is_bool or dtype is string:
        return tensor
    return lookup("cast")(tensor, dtype=dtype)


def _holds_tensors(value: Sequence[Any]) -> bool:
    return any(
        isinstance(item, Value)
        or (isinstance(item, list | tuple) and _holds_tensors(item))
        or (type(item) not in _PLAIN and dispatch.conversion_for(item) is not None)
        for item in value
    )


def check_kind(op: OpDef, dtype: DType) -> None:
    """MismatchedTypesError when the op does not take this dtype."""
    if op.dtype_kinds and dtype.kind not in op.dtype_kinds:
        allowed = [d.name for d in DTYPE_OF_NUMPY.values() if d.kind in op.dtype_kinds]
        raise MismatchedTypesError(
            f"{op.name} does not take dtype {dtype.name}; it takes {', '.join(allowed)}. "
            "Use runtime.cast to convert."
        )


def check_dtype(value: Any, dtype: DType, name: str | None) -> None:
    """ValueError when a tensor is asked for with another dtype than it has."""
    if value.dtype is not dtype:
        raise ValueError(
            f"Tensor conversion requested dtype {dtype.name} for Tensor with dtype "
            f"{value.dtype.name}: {value!r}. Use {conversion_call('...', value.dtype, dtype)}."
        )


def refusal(op: OpDef, error: OpError) -> OpError:
    """What ``op.infer`` raised, naming the op: a ValueError too, as in TensorFlow's graphs."""
    message = f"{error.message} [Op:{op.name}]"
    if type(error) is InvalidArgumentError:
        return RefusedArgumentError(message)
    error.message = message
    return error


def kernel_error(
    op: OpDef, error: Exception, arrays: Sequence[Any], attrs: dict[str, Any], types: bool = True
) -> OpError:
    """The error class of the runtime for what a kernel raised, with the inputs' types if asked.

    The static rules word a mistake better than NumPy does, so they are asked first.  What the
    kernel itself refused keeps its class, unless the static rules refuse it, too.
    """
    if isinstance(error, OpError) and type(error) is not InvalidArgumentError:
        return error
    if all(isinstance(array, np.ndarray | np.generic) for array in arrays):
        specs = [TensorSpec(a.shape, a.dtype, None, np.asarray(a)) for a in arrays]
        try:
            op.infer(*specs, **attrs)
        except OpError as static:
            return refusal(op, static)
    if isinstance(error, OpError):
        return error
    text = f"{error} [Op:{op.name}]"
    if types:
        text += f" inputs: {', '.join(describe(array) for array in arrays) or 'none'}"
    if isinstance(error, TypeError):
        return MismatchedTypesError(text)
    if isinstance(error, IndexError):
        return IndexOutOfBoundsError(text)
    if isinstance(error, ValueError):
        return IncompatibleShapesError(text)
    return InvalidArgumentError(text)


def describe(array: Any) -> str:
    """An array's dtype and shape: ``float32[2, 3]``."""
    if not isinstance(array, np.ndarray | np.generic):
        return type(array).__name__
    dtype = DTYPE_OF_NUMPY.get(array.dtype)
    return f"{dtype.name if dtype else array.dtype}{list(array.shape)}"


