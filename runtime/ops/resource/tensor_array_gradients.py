"""Op definitions of the gradients of tensor arrays, to and from the rows of a tensor.

The gradient of a tensor array is that of a list whose entries hold one value (list_gradients.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.ops.array.shape import shape_op
from runtime.ops.op import Missing, OpDef, define
from runtime.ops.resource.list_gradients import GRADIENT, ListGradient
from runtime.ops.resource.tensor_array import ArrayValue
from runtime.ops.rules.inference import shape_from
from runtime.types.dtypes import Array, DType, int64
from runtime.types.shapes import TensorSpec

__all__: list[str] = []

_NO_SAMPLES = Missing("gradients of lists are no arrays")


def _definition(
    name: str, inputs: str, kernel: Callable[..., Any], infer: Any, grad: Any, doc: str
) -> OpDef:
    return define(
        name, inputs=inputs, same_dtype_inputs=None, kernel=kernel, infer=infer, grad=grad,
        samples=_NO_SAMPLES, doc=doc,
    )  # fmt: skip


def _gradient(*_: TensorSpec) -> TensorSpec:
    return GRADIENT


def _tensor(x: TensorSpec, places: TensorSpec, shape: TensorSpec, *, dtype: DType) -> TensorSpec:
    return TensorSpec(shape_from(shape), dtype)


def _of_rows(rows: Array, indices: Array) -> ListGradient:
    entries: dict[int, Any] = {}
    for index, row in zip(indices.tolist(), rows, strict=True):
        entry = entries.get(index)
        entries[index] = (row if entry is None else entry[0] + row,)
    return ListGradient(entries)


of_rows: OpDef = _definition(
    "gradient_of_rows", "rows indices", _of_rows, _gradient,
    lambda rows, indices, y, dy: (
        rows_of(dy, indices, shape_op(rows, out_type=int64), dtype=rows.dtype), None
    ),
    "The gradient of a tensor array, given that of some entries; of those given twice the sum.",
)  # fmt: skip


def _rows_of(x: ListGradient, indices: Array, shape: Array, *, dtype: DType) -> Any:
    result = np.zeros(shape.tolist(), dtype.as_numpy_dtype)
    entries = x.entries()
    for row, index in enumerate(indices.tolist()):
        if index in entries:
            result[row] = entries[index][0]
    return result


rows_of: OpDef = _definition(
    "gradient_rows", "x indices shape", _rows_of, _tensor,
    lambda x, indices, shape, y, dy, dtype: (of_rows(dy, indices), None, None),
    "The gradients of some entries of a tensor array, along a new first axis.",
)  # fmt: skip

without_rows: OpDef = _definition(
    "gradient_without_rows", "x indices",
    lambda x, indices: x.changed(dict.fromkeys(indices.tolist())), _gradient,
    lambda x, indices, y, dy: (without_rows(dy, indices), None),
    "The gradient of a tensor array, zero for some entries.",
)  # fmt: skip


def _ends(lengths: Array) -> Any:
    return np.cumsum(lengths)[:-1]


def _divided(rows: Array, lengths: Array) -> ListGradient:
    blocks = np.split(rows, _ends(lengths)) if len(lengths) else []
    return ListGradient({number: (block,) for number, block in enumerate(blocks)})


divided: OpDef = _definition(
    "gradient_divided", "rows lengths", _divided, _gradient,
    lambda rows, lengths, y, dy: (
        joined(dy, lengths, shape_op(rows, out_type=int64), dtype=rows.dtype), None
    ),
    "The gradient of a tensor array, given that of its entries one behind the other.",
)  # fmt: skip


def _joined(x: ListGradient, lengths: Array, shape: Array, *, dtype: DType) -> Any:
    result = np.zeros(shape.tolist(), dtype.as_numpy_dtype)
    blocks = np.split(result, _ends(lengths)) if len(lengths) else []
    for number, (value,) in x.entries().items():
        blocks[number][...] = value
    return result


joined: OpDef = _definition(
    "gradient_joined", "x lengths shape", _joined, _tensor,
    lambda x, lengths, shape, y, dy, dtype: (divided(dy, lengths), None, None),
    "The gradients of the entries of a tensor array, one behind the other.",
)  # fmt: skip


def _lengths(handle: ArrayValue) -> Any:
    return np.array([np.shape(item)[0] for item in handle.items()], np.int64)


array_lengths: OpDef = _definition(
    "tensor_array_lengths", "handle", _lengths, lambda handle: TensorSpec([None], int64), None,
    "The size of each entry of a tensor array along its first axis.",
)  # fmt: skip
