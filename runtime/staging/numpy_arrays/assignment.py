"""Assignment of items of symbolic arrays: ``array[key] = value``, with NumPy's casts.

staging/builtins.py installs it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.staging import JoinedNumber
from runtime.graph.operation import read
from runtime.ops.array import indexing
from runtime.ops.array.constants import cast_op
from runtime.staging.numpy_arrays.calls import call_numpy
from runtime.staging.numpy_arrays.keys import check_key
from runtime.staging.numpy_arrays.operators import dtype_of, python_kind
from runtime.staging.numpy_arrays.symbolic_array import ASSIGN, SymbolicArray
from runtime.types.dtypes import as_dtype
from runtime.types.errors import OpError
from runtime.types.shapes import TensorSpec
from runtime.types.value import Value

__all__ = ["assigned", "install"]


def assigned(content: Any, key: Any, value: Any) -> Any:
    """The contents of an array after ``array[key] = value``, which casts as NumPy does."""
    if isinstance(value, JoinedNumber):
        return value.ag__apply_to_each(lambda number: assigned(content, key, number))
    check_key(key)
    dtype, kind = dtype_of(content), python_kind(value)
    if kind is not None and (kind == dtype.kind if kind in "bc" else _is_exact(kind, dtype)):
        return indexing.setitem(content, key, value)
    if isinstance(value, list | tuple):
        value = call_numpy("numpy.array", value) if _holds_staged(value) else np.asarray(value)
    if not isinstance(value, Value):
        return indexing.setitem(content, key, _constant(dtype, value))
    if kind is not None:
        form = indexing.NUMBER
    else:
        is_scalar = type(value) is SymbolicArray and value.storage is None
        form = indexing.SCALAR if is_scalar else indexing.ARRAY
    value = read(value)
    template, tensors = indexing.split_key(key)
    if kind is None and dtype.kind == "f" and dtype_of(value).kind in "biuf":
        value = cast_op(value, dtype=as_dtype(dtype))
    if kind is None and dtype_of(value) == dtype:
        rank, item_rank = value.shape.rank, _item_rank(content, tensors, template)
        if rank is not None and item_rank is not None and rank <= item_rank:
            return indexing.setitem_op(content, value, *tensors, key=template)
    return indexing.assign_items_op(content, value, *tensors, key=template, form=form)


def _item_rank(content: Any, tensors: Any, key: Any) -> int | None:
    """The rank of ``content[key]``, without a read of it, which would run; None if not known."""
    specs = [TensorSpec(value.shape, as_dtype(value.dtype)) for value in (content, *tensors)]
    try:
        return indexing.getitem_op.infer(*specs, key=key).shape.rank
    except OpError:  # the assignment raises it
        return None


def _is_exact(kind: str, dtype: Any) -> bool:
    """Whether a Python int or float becomes an item of such arrays as it is, or rounded."""
    return dtype.kind in "fc" if kind == "f" else dtype.kind in "fc" or dtype == np.int64


def _holds_staged(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(map(_holds_staged, value))
    return isinstance(value, Value | JoinedNumber)


def _constant(dtype: Any, value: Any) -> Any:
    """What a value that tracing knows is in an array of a dtype; NumPy's error if it is nothing."""
    if isinstance(value, np.ndarray):
        return value.astype(dtype)
    array = np.empty((), dtype)
    array[()] = value
    return array


def install() -> None:
    """Give symbolic arrays their item assignment."""
    ASSIGN.items = assigned  # type: ignore[method-assign]
