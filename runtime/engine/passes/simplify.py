"""Simplify: algebra that holds for every bit of every value.

    a = add(x, zero) : int32[]              (x)        x + 0, x - 0.0, x * 1, x ** 1, x and True ...
    b = negative(negative(x))               (x)        also not not, ~~
    c = abs(abs(x))                         abs(x)     also maximum(x, x)
    d = identity(x)                         (x)        also a cast to the dtype that it has
    e = reshape(reshape(x, [6]), [2, 3])    reshape(x, [2, 3])

Left alone is what only looks alike: ``x * 0`` (NaN), ``x + 0.0`` (-0.0), another order of a sum.
Shape and dtype stay as well: ``x + zeros([2])`` of a scalar ``x`` is no ``x``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.engine import python_scalar_kernels
from runtime.engine.passes.queries import constant_value, stands_for
from runtime.engine.passes.rewrite import OptimizedGraph, Renames
from runtime.graph.operation import Operation, SymbolicTensor
from runtime.ops.array.constants import constant_op
from runtime.ops.op import CAST, FORWARD, IDEMPOTENT, INVOLUTION, RESHAPES, OpDef
from runtime.types.dtypes import DType, int64, uint64

_RULES = frozenset((CAST, IDEMPOTENT, INVOLUTION, FORWARD, RESHAPES))

SMALL = 64
"""Constants of more elements are not looked at."""


def simplify(graph: OptimizedGraph) -> bool:
    """Let simpler tensors stand for what is more work; prune takes away what is left over."""
    renames = Renames()
    has_rule: dict[OpDef, bool] = {}
    for node in graph.operations:
        if renames:
            renames.apply(node)
        op_def = node.op_def
        concerned = has_rule.get(op_def)
        if concerned is None:
            concerned = has_rule[op_def] = bool(op_def.identity or op_def.traits & _RULES)
        if not concerned or len(node.outputs) != 1:
            continue
        simpler, output = _simpler(node), node.outputs[0]
        if simpler is not None and simpler is not output and stands_for(simpler, output):
            renames.put(output, simpler)
    if renames:
        renames.finish(graph)
    return False


def _simpler(node: Operation) -> SymbolicTensor | None:
    """Return a tensor that has the same value as the output; None if there is none."""
    traits = node.op_def.traits
    x = node.inputs[0]
    out = node.outputs[0]
    if node.op_def.identity and any(t.op.op_def is constant_op for t in node.inputs):
        for index, number in enumerate(_neutral_elements(node)):
            if number is not None and _is_all(node.inputs[index], number):
                operand = node.inputs[1 - index]
                if _same_type(operand, out) and _keeps_shape(operand, node.inputs[index], out):
                    return operand
    if FORWARD in traits or (CAST in traits and x.dtype is out.dtype):
        return x
    if IDEMPOTENT in traits and len(node.inputs) == 2 and node.inputs[1] is x:
        return x if _same_type(x, out) else None
    return _simpler_chain(node, x, out)


def _simpler_chain(
    node: Operation, x: SymbolicTensor, out: SymbolicTensor
) -> SymbolicTensor | None:
    """Simplify an operation on the result of another of its kind; None if nothing is simpler."""
    traits = node.op_def.traits
    inner = x.op
    if RESHAPES in traits:
        return _simpler_reshape(node, x, out)
    if len(node.inputs) != 1 or not inner.inputs or len(inner.outputs) != 1:
        return None
    if inner.op_def is node.op_def:
        if IDEMPOTENT in traits and _same_type(x, out):
            return x
        first = inner.inputs[0]
        python = python_scalar_kernels.is_pythons(inner)
        exact = not python or python_scalar_kernels.never_raises(inner)
        if INVOLUTION in traits and exact and _same_type(first, out):
            return first
    if CAST in traits and CAST in inner.op_def.traits:
        first = inner.inputs[0]
        if first.dtype is out.dtype and _holds(x.dtype, first.dtype):
            return first
    return None


def _simpler_reshape(
    node: Operation, x: SymbolicTensor, out: SymbolicTensor
) -> SymbolicTensor | None:
    """Return what a reshape leaves as it is; let one of a reshape read that one's source."""
    if not out.shape.is_fully_defined():
        return None
    source = x
    while RESHAPES in source.op.op_def.traits:
        source = source.op.inputs[0]
        if source.shape.dims == out.shape.dims:
            return source
    if x.shape.dims == out.shape.dims:
        return x
    sizes = node.inputs[1] if len(node.inputs) == 2 else None
    if source is not x and sizes is not None and constant_value(sizes) is not None:
        if source.shape.is_fully_defined():
            node.inputs = (source, sizes)
    return None


def _neutral_elements(node: Operation) -> tuple[Any, Any]:
    """Return the neutral elements on the left and on the right, for the dtype at hand."""
    kind = np.dtype(node.inputs[0].dtype.as_numpy_dtype).kind
    for kinds, elements in node.op_def.identity.items():
        if kind in kinds:
            return elements
    return None, None


def _is_all(tensor: SymbolicTensor, number: Any) -> bool:
    """Whether every element of a tensor is this number, down to the sign of zero."""
    value = constant_value(tensor)
    if value is None or not 0 < value.size <= SMALL:
        return False
    array = np.asarray(value)
    filled = np.full(array.shape, np.array(number).astype(array.dtype), array.dtype)
    return array.tobytes() == filled.tobytes()


def _same_type(x: SymbolicTensor, y: SymbolicTensor) -> bool:
    return x.dtype is y.dtype and x.weak == y.weak


def _keeps_shape(x: SymbolicTensor, constant: SymbolicTensor, out: SymbolicTensor) -> bool:
    """Whether broadcasting with the constant leaves the shape of ``x`` as it is."""
    if constant.shape.dims == ():
        return True
    return x.shape.is_fully_defined() and x.shape.dims == out.shape.dims


def _holds(wide: DType, narrow: DType) -> bool:
    """Whether every value of one dtype is one of the other, and comes back as it was."""
    if wide is narrow:
        return True
    if narrow in (int64, uint64):  # NumPy calls float64 safe for them: it is not
        return False
    return bool(np.can_cast(narrow.as_numpy_dtype, wide.as_numpy_dtype, "safe"))
