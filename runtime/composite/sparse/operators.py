"""What ops and operators mean on a SparseTensor: functions of single elements that keep 0.

An op that is given one asks it (``Op.__call__``).  Other ops refuse; they take ``values`` or
``sparse.to_dense()``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.composite.sparse.conversions import zero_of
from runtime.composite.sparse.sparse_tensor import SparseTensor
from runtime.composite.sparse.sparse_tensor import SparseTensorSpec as SparseTensorSpec
from runtime.composite.sparse.sparse_tensor import SparseTensorValue as SparseTensorValue
from runtime.ops.array.constants import convert_to_tensor
from runtime.ops.array.gather_scatter import gather_nd
from runtime.ops.array.shape import broadcast_to
from runtime.ops.math.elementwise import divide, multiply
from runtime.ops.op import CAST, ELEMENTWISE, MEASURES, OpDef
from runtime.types.dtypes import DTYPE_OF_NUMPY

__all__ = ["SparseTensor", "SparseTensorSpec", "SparseTensorValue"]


_OPERATORS = {"__mul__", "__truediv__"}
"""Operators between sparse and dense tensors whose result is 0 where the sparse one is."""


def _applied(op: OpDef, inputs: tuple[Any, ...], attrs: dict[str, Any], name: Any) -> Any:
    first = inputs[0]
    if isinstance(first, SparseTensor):
        if _OPERATORS & {*op.overloads} and not isinstance(inputs[1], SparseTensor):
            return _by_dense(op, first, inputs[1], name)
        if len(inputs) == 1 and CAST in op.traits or _keeps_zero(op, first, attrs):
            return first.with_values(op(first.values, name=name, **attrs))
        if MEASURES in op.traits:
            whole = broadcast_to(zero_of(first.dtype), first.dense_shape)
            whole.set_shape(first.shape)
            return op(whole, name=name, **attrs)
    raise TypeError(
        f"{op.name} does not take sparse tensors: use values, sparse.map_values or sparse.to_dense"
    )


def _keeps_zero(op: OpDef, sparse: SparseTensor, attrs: dict[str, Any]) -> bool:
    """Whether an op of single elements makes 0 of 0, so that it computes the values alone."""
    if ELEMENTWISE not in op.traits or op.arity != 1:
        return False
    dtype = next(d for d, own in DTYPE_OF_NUMPY.items() if own is sparse.dtype)
    if dtype.kind not in "iufc":
        return False
    with np.errstate(all="ignore"):
        return bool(np.all(op.kernel(np.zeros((), dtype), **attrs) == 0))


def _by_dense(op: OpDef, sparse: SparseTensor, dense: Any, name: Any) -> SparseTensor:
    """The product or quotient of the values and the entries of a tensor at their indices."""
    operand = convert_to_tensor(dense, sparse.dtype)
    if operand.shape.rank != 0:
        operand = gather_nd(broadcast_to(operand, sparse.dense_shape), sparse.indices)
    return sparse.with_values(op(sparse.values, operand, name=name))


def _multiply(self: SparseTensor, factor: Any) -> Any:
    return _by_dense(multiply, self, factor, None)


def _divide(self: SparseTensor, divisor: Any) -> Any:
    return _by_dense(divide, self, divisor, None)


SparseTensor._apply_op = staticmethod(_applied)
SparseTensor.__mul__ = SparseTensor.__rmul__ = _multiply
SparseTensor.__truediv__ = _divide
