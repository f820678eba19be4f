"""Reuse of buffers: large results overwrite inputs that are not needed any more.

    a = exp(x) : float32[1000000]           a = exp(x) : float32[1000000]
    b = add(a, y) : float32[1000000]        b = add(a, y, into=0) : float32[1000000]

``into=0`` says that the kernel may write its result over its first input.  It is said only where
that input is a new array of an operation of the same graph, which this operation alone takes: never
where it is fed, fetched, captured, kept, or another's view.  NumPy's own functions know how.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from runtime.engine import python_scalar_kernels
from runtime.engine.passes.rewrite import OptimizedGraph
from runtime.graph.operation import Operation, SymbolicTensor
from runtime.ops.op import OpDef

LARGE = 1 << 16
"""Smallest result, in bytes; for smaller ones a new array is faster."""

_in_place: dict[OpDef, OpDef] = {}


def reuse(graph: OptimizedGraph) -> bool:
    """Mark operations whose results may overwrite inputs."""
    uses: Counter[int] | None = None
    for node in graph.operations:
        if not node.outputs or not _is_large(node.outputs[0]) or not _is_numpys(node):
            continue
        if uses is None:
            uses = Counter(id(t) for consumer in graph.operations for t in consumer.inputs)
            uses.update(id(t) for t in graph.outputs)
        for index, tensor in enumerate(node.inputs):
            if uses[id(tensor)] == 1 and _may_hold(tensor, node.outputs[0]):
                node.op_def = in_place(node.op_def)
                node.attrs = {**node.attrs, "into": index}
                break
    return False


def _is_numpys(node: Operation) -> bool:
    """Return whether the kernel is an element-wise function of NumPy, which makes a new array."""
    return (
        isinstance(getattr(node.op_def, "over", node.op_def.kernel), np.ufunc)
        and len(node.outputs) == 1
        and node.outputs[0].dtype.as_numpy_dtype is not object
        and not python_scalar_kernels.is_pythons(node)
    )


def _is_large(tensor: SymbolicTensor) -> bool:
    spec = tensor.spec
    if spec.shape.dims == () and LARGE:
        return False
    count = spec.shape.num_elements()
    return count is not None and count * spec.dtype.size >= LARGE


def _may_hold(tensor: SymbolicTensor, result: SymbolicTensor) -> bool:
    """Return whether a tensor is a new array of the type of the result."""
    return (
        tensor.dtype is result.dtype
        and tensor.shape.dims == result.shape.dims
        and _is_numpys(tensor.op)
        and tensor.op.inputs != ()
    )


def forget(node: Operation) -> None:
    """Remove the mark from a copied operation, which has other neighbours."""
    base = getattr(node.op_def, "base", None)
    if base is not None:
        node.op_def = base
        node.attrs = {k: v for k, v in node.attrs.items() if k != "into"}


def in_place(op_def: OpDef) -> OpDef:
    """Return the op definition with the attribute ``into``, which is in no table."""
    if hasattr(op_def, "over"):
        return op_def
    variant = _in_place.get(op_def)
    if variant is None:
        function: Any = op_def.kernel
        infer = op_def.infer

        def kernel(*arrays: Any, into: int, **attrs: Any) -> Any:
            target = arrays[into]
            if type(target) is np.ndarray and target.flags.writeable:
                return function(*arrays, out=target)
            return function(*arrays)

        names = [slot for slot in OpDef.__annotations__ if hasattr(op_def, slot)]
        fields = {name: getattr(op_def, name) for name in names}
        fields |= {
            "kernel": kernel,
            "infer": lambda *specs, into, **attrs: infer(*specs, **attrs),
            "over": function,
            "base": op_def,
            "python_operator": None,  # an operator would not write in place
            "__doc__": op_def.__doc__,
        }
        variant = _in_place[op_def] = OpDef(fields)
    return variant
