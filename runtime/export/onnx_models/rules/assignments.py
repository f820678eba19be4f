"""Formulas of writing at indices: the elements are found by their numbers in the flat array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.export.onnx_models.graph_writer import formula
from runtime.export.onnx_models.rules.formulas import number
from runtime.ops.array.constants import cast, constant
from runtime.ops.array.creation import fill_op, range_op
from runtime.ops.array.gather_scatter import add_op, update_op
from runtime.ops.array.indexing import KeyInput, filled_key, getitem_op
from runtime.ops.array.shape import broadcast_to_op, reshape_op, shape_op, size_op
from runtime.ops.array.where import where_op
from runtime.types.dtypes import bool_, int64, string


def _places(x: Any, shape: Any, tensors: Sequence[Any], key: Any) -> Any:
    """Return the numbers, in the flat array, of the elements that a key selects."""
    values = tuple(t.spec.value for t in tensors)
    dims = x.shape.dims
    if dims is not None and None not in dims and all(value is not None for value in values):
        numbers = np.arange(int(np.prod(dims)), dtype=np.int64).reshape(dims)
        return constant(np.asarray(numbers[filled_key(key, values)]))
    if dims is not None and None not in dims:
        numbers_of = constant(np.arange(int(np.prod(dims)), dtype=np.int64).reshape(dims))
    else:
        count = size_op(x, out_type=int64)
        numbers_of = reshape_op(range_op(np.int64(0), count, np.int64(1)), shape)
    return getitem_op(numbers_of, *tensors, key=key)


def _written(x: Any, value: Any, tensors: Sequence[Any], key: Any, adds: bool = False) -> Any:
    if x.dtype is string:  # onnxruntime 1.32 writes other texts than it is given
        return None
    shape = shape_op(x, out_type=int64)
    at = _places(x, shape, tensors, key)
    items = broadcast_to_op(value, shape_op(at, out_type=int64))
    flat = reshape_op(x, np.array([-1]))
    write = add_op if adds else update_op
    result = write(flat, reshape_op(items, np.array([-1])), reshape_op(at, np.array([-1, 1])))
    return reshape_op(result, shape)


@formula("setitem")
def _setitem(x: Any, value: Any, *tensors: Any, key: Any) -> Any:
    if len(key) == 1 and isinstance(key[0], KeyInput):
        mask = tensors[key[0].index]
        if mask.dtype is bool_ and mask.shape.rank == x.shape.rank and not value.shape.rank:
            return where_op(mask, value, x)
    return _written(x, value, tensors, key)


@formula("assign_items")
def _assign_items(x: Any, value: Any, *tensors: Any, key: Any, form: str) -> Any:
    if value.dtype is not x.dtype:
        if not x.dtype.is_floating or not (value.dtype.is_floating or value.dtype.is_integer):
            return None
        value = cast(value, x.dtype)
    return _setitem(x, value, *tensors, key=key)


@formula("scatter_item")
def _scatter_item(value: Any, shape: Any, *tensors: Any, key: Any) -> Any:
    adds = any(
        isinstance(item, np.ndarray) or (isinstance(item, KeyInput)
                                         and tensors[item.index].dtype is not bool_
                                         and tensors[item.index].shape.rank)
        for item in key
    )  # fmt: skip
    return _written(fill_op(shape, number(0, value)), value, tensors, key, bool(adds))
