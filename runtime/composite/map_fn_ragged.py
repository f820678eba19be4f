"""Rows of different lengths, one for each element, put together as a RaggedTensor.

What ``map_fn`` (map_fn.py) does where it is asked for a ``RaggedTensorSpec``: registered there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.composite.ragged_tensor import RaggedTensor
from runtime.composite.ragged_tensor_spec import RaggedTensorSpec
from runtime.composite.tensor_array import TensorArray
from runtime.control_flow.map_fn import register_row_stacker
from runtime.control_flow.while_loop import while_loop
from runtime.eager.tensor import Tensor
from runtime.ops.array.constants import convert_to_tensor
from runtime.ops.array.shape import shape
from runtime.types.dtypes import int64
from runtime.types.shapes import TensorShape


def gathered_rows(
    row_of: Callable[[Any], Any], count: Any, spec: RaggedTensorSpec, name: str | None
) -> RaggedTensor:
    """The RaggedTensor whose rows are ``row_of(k)`` for k from 0 to ``count``, an int64 scalar.

    ``spec`` is the type of a row: a tensor, or a RaggedTensor where its ragged rank is not 0.
    TypeError for a row of another kind, ValueError for one of another dtype or shape.
    """
    inner = spec.shape[spec.ragged_rank :]
    arrays_before = [
        TensorArray(spec.dtype, count, infer_shape=False, element_shape=inner),
        *[TensorArray(int64, count, infer_shape=False, element_shape=[None])
          for _ in range(spec.ragged_rank)],
        TensorArray(int64, count, element_shape=[]),
    ]  # fmt: skip

    def iteration(k: Any, *arrays: TensorArray) -> tuple[Any, ...]:
        row_parts = _parts(row_of(k), spec)
        return k + 1, *[
            array.write(k, row_part) for array, row_part in zip(arrays, row_parts, strict=True)
        ]

    start = convert_to_tensor(0, int64)
    _, values, *lengths, outer = while_loop(
        lambda k, *_: k < count, iteration, (start, *arrays_before), name=name
    )
    rows: Any = values.concat()
    for level in lengths:
        rows = RaggedTensor.from_row_lengths(rows, level.concat(), validate=False)
    return RaggedTensor.from_row_lengths(rows, outer.stack(), validate=False)


def _parts(row: Any, spec: RaggedTensorSpec) -> list[Any]:
    """A row's flat values, the lengths of the rows inside of it, innermost first, and its own."""
    ragged = row.ragged_rank if isinstance(row, RaggedTensor) else 0
    if ragged != spec.ragged_rank:
        raise TypeError(
            f"map_fn: fn_output_signature asks for rows of ragged rank {spec.ragged_rank}, but fn "
            f"returned a {type(row).__name__} of ragged rank {ragged}"
        )
    lengths: list[Any] = []
    row_count = row.nrows() if ragged else None
    while isinstance(row, RaggedTensor):
        lengths.insert(0, row.row_lengths())
        row = row.values
    flat = convert_to_tensor(row, spec.dtype)
    if not flat.shape.is_compatible_with(spec.shape[spec.ragged_rank :]) or flat.shape.rank == 0:
        row_shape = TensorShape(spec.shape[spec.ragged_rank :])
        raise ValueError(
            f"map_fn: fn_output_signature asks for rows of shape {row_shape}, got {flat.shape}"
        )
    return [flat, *lengths, shape(flat, int64)[0] if row_count is None else row_count]


def _row_spec(elems: RaggedTensor, result: Any) -> RaggedTensorSpec | None:
    """The type of the results of the rows of a RaggedTensor, if they have axes themselves."""
    if isinstance(result, RaggedTensor):
        inner = result.flat_values.shape[1:]
        shape_ = [None] * (result.ragged_rank + 1) + inner.as_list()
        return RaggedTensorSpec(shape_, result.dtype, result.ragged_rank)
    if not isinstance(result, Tensor) or not result.shape.rank:
        return None
    return RaggedTensorSpec([None, *result.shape.as_list()[1:]], result.dtype, 0)


register_row_stacker(RaggedTensorSpec, gathered_rows, _row_spec, RaggedTensor)
