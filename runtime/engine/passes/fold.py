"""Constant folding: kernels compute operations on constants before the run.

    Const = constant(value=2.0) : float32[]
    Const_1 = constant(value=3.0) : float32[]
    mul = multiply(Const, Const_1) : float32[]      mul = constant(value=6.0) : float32[]

So does what is known although the inputs are not, such as the shape of ``x : float32[2, 3]``.
A kernel that raises is left for the run, which raises in its place; large results are left, too.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.engine import python_scalar_kernels
from runtime.engine.passes.queries import constant_value
from runtime.engine.passes.rewrite import OptimizedGraph, Renames
from runtime.engine.purity import total
from runtime.graph.operation import Operation
from runtime.ops.array.constants import constant_op, placeholder_op
from runtime.ops.op import HIGHER_ORDER, STATEFUL
from runtime.types.conversion import as_object_scalar
from runtime.types.dtypes import resource, variant

LARGE = 1 << 16
"""Results of more bytes are computed in the run, unless the inputs are as large."""

_OUT = frozenset((HIGHER_ORDER, STATEFUL))


def fold(graph: OptimizedGraph) -> bool:
    """Replace operations whose results are known before the run by constants."""
    renames = Renames()
    operations: list[Operation] = []
    for node in graph.operations:
        if renames:
            renames.apply(node)
        outputs = node.outputs
        if outputs and node.op_def is not constant_op and node.op_def.traits.isdisjoint(_OUT):
            values = _values(node)
            if values is not None:
                for tensor, value in zip(outputs, values, strict=True):
                    name = node.name if tensor.value_index == 0 else f"{node.name}_output"
                    graph.used_names.discard(node.name)
                    constant = graph.constant_like(value, tensor, name)
                    renames.put(tensor, constant.outputs[0])
                    operations.append(constant)
                continue
        operations.append(node)
    graph.operations = operations
    if renames:
        renames.finish(graph)
    return False


def _values(node: Operation) -> list[Any] | None:
    """Return the outputs if they are certain, else None."""
    inputs = node.inputs
    if not inputs or constant_value(inputs[0]) is None:
        return _static(node)
    arrays = [constant_value(t) for t in inputs]
    if any(a is None for a in arrays):
        return _static(node)
    if not _plain(node) or _too_large(node, arrays):
        return None
    if not python_scalar_kernels.is_quick(node, arrays):
        return None
    try:
        with np.errstate(all="ignore"):
            result = python_scalar_kernels.kernel_of(node)(*arrays, **node.attrs)
    except Exception:  # whatever it is, the run raises it when it gets there
        return None
    results = result if type(result) is tuple else (result,)
    outputs = [as_object_scalar(r) if type(r) is bytes else r for r in results]
    fits = len(outputs) == len(node.outputs) and all(
        isinstance(r, np.ndarray | np.generic) and r.dtype == t.dtype.as_numpy_dtype
        for r, t in zip(outputs, node.outputs)
    )
    return outputs if fits else None


def _static(node: Operation) -> list[Any] | None:
    """Return the value that inference knows, of an operation that never raises."""
    if len(node.outputs) != 1 or node.op_def is placeholder_op:
        return None
    value = node.outputs[0].spec.value
    if value is None or python_scalar_kernels.is_pythons(node) or not total(node):
        return None
    fits = isinstance(value, np.ndarray | np.generic)
    return [value] if fits and value.dtype == node.outputs[0].dtype.as_numpy_dtype else None


def _plain(node: Operation) -> bool:
    """Return whether attributes and outputs are plain data: no functions, no lists."""
    if any(t.dtype is variant or t.dtype is resource for t in (*node.inputs, *node.outputs)):
        return False
    return not any(callable(value) for value in node.attrs.values())


def _too_large(node: Operation, arrays: list[Any]) -> bool:
    """Return whether the results are, or may be, large, and the inputs are not."""
    input_bytes = sum(a.nbytes for a in arrays)
    sizes = [(t.shape.num_elements(), t.dtype.size or 1) for t in node.outputs]
    if any(count is None for count, _ in sizes):
        return True
    return sum((count or 0) * size for count, size in sizes) > max(LARGE, input_bytes)
