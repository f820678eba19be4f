"""Formulas of inverses and systems of equations: elimination in a loop, with exchange of rows.

Source: Golub and Van Loan, Matrix Computations, 4th edition, section 3.4 (Gauss-Jordan elimination
with partial pivoting).  A pivot of 0 makes the run fail, as the runtime raises for it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.control_flow.while_loop import while_loop
from runtime.export.onnx_models.graph_writer import formula
from runtime.export.onnx_models.rules.formulas import number, places
from runtime.ops.array.backprop import take_along
from runtime.ops.array.concat_split import concat_op
from runtime.ops.array.constants import cast, constant
from runtime.ops.array.indexing import KeyInput, getitem_op
from runtime.ops.array.shape import broadcast_to_op, expand_dims_op, shape_op
from runtime.ops.array.where import where_op
from runtime.ops.math.comparison import equal, greater_equal, less, not_equal
from runtime.ops.math.elementwise import abs as absolute
from runtime.ops.math.logical import logical_and
from runtime.ops.math.reduction import all_op, argmax_op, sum_op
from runtime.ops.rules.lowering import Guarded
from runtime.types.dtypes import int64


def _eliminated(rows: Any, count: Any) -> tuple[Any, Any]:
    """Turn the first ``count`` columns of rows into the identity; return whether that is possible.
    """
    numbers = places(rows, -2)
    width = len(rows.shape.dims)

    def turn(k: Any, rows: Any, regular: Any) -> tuple[Any, Any, Any]:
        column = getitem_op(rows, k, key=(Ellipsis, KeyInput(0)))
        sizes = where_op(greater_equal(numbers, k), absolute(column), number(-1, rows))
        pivot = expand_dims_op(argmax_op(sizes, axis=-1, output_type=int64), axis=-1)
        order = where_op(equal(numbers, k), pivot, where_op(equal(numbers, pivot), k, numbers))
        order = broadcast_to_op(expand_dims_op(order, axis=-1), shape_op(rows, out_type=int64))
        exchanged = take_along(rows, order, axis=width - 2)
        is_pivot = expand_dims_op(equal(numbers, k), axis=-1)
        zero = number(0, rows)
        row = sum_op(where_op(is_pivot, exchanged, zero), axis=(-2,), keepdims=True)
        column = getitem_op(exchanged, k, key=(Ellipsis, KeyInput(0), None))
        size = getitem_op(row, k, key=(Ellipsis, KeyInput(0), None))
        unit = row / where_op(equal(size, zero), number(1, rows), size)
        reduced = exchanged - column * unit
        clear = all_op(not_equal(size, zero), axis=None, keepdims=False)
        return k + 1, where_op(is_pivot, unit, reduced), logical_and(regular, clear)

    state = constant(np.int64(0)), rows, constant(np.True_)
    _, result, regular = while_loop(lambda k, *_: less(k, count), turn, state)
    return result, regular


def _size(matrix: Any) -> Any:
    return getitem_op(shape_op(matrix, out_type=int64), key=(-1,))


@formula("solve")
def _solve(matrix: Any, rhs: Any) -> Any:
    if matrix.shape.rank is None or matrix.shape.rank != rhs.shape.rank or rhs.dtype.is_complex:
        return None
    if matrix.shape.dims[:-2] != rhs.shape.dims[:-2]:
        return None
    count = _size(matrix)
    rows, regular = _eliminated(concat_op(matrix, rhs, axis=-1), count)
    return Guarded(regular, getitem_op(rows, count, key=(Ellipsis, slice(KeyInput(0), None))))


@formula("inv")
def _inv(x: Any) -> Any:
    if x.shape.rank is None or x.dtype.is_complex:
        return None
    identity = cast(equal(expand_dims_op(places(x, -2), axis=-1), places(x, -1)), x.dtype)
    identity = broadcast_to_op(identity, shape_op(x, out_type=int64))
    count = _size(x)
    rows, regular = _eliminated(concat_op(x, identity, axis=-1), count)
    return Guarded(regular, getitem_op(rows, count, key=(Ellipsis, slice(KeyInput(0), None))))
