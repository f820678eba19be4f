"""Common subexpression elimination: equal operations are computed once.

    a = exp(x) : float32[]                  a = exp(x) : float32[]
    b = exp(x) : float32[]
    c = add(a, b) : float32[]               c = add(a, a) : float32[]

Effects are never shared.  What reads state is shared with what read it before, up to the next
effect that is more than a reading.
"""

from __future__ import annotations

from typing import Any

from runtime.engine.passes.rewrite import OptimizedGraph, Renames
from runtime.graph.operation import Operation
from runtime.ops.array.constants import placeholder_op
from runtime.ops.op import COMMUTATIVE, HIGHER_ORDER, READS, STATEFUL
from runtime.types.conversion import literal_key
from runtime.types.dtypes import resource, variant
from runtime.types.shapes import TensorSpec

_SPECIAL = frozenset((HIGHER_ORDER, STATEFUL))


def share(graph: OptimizedGraph) -> bool:
    """Replace operations by the first equal one."""
    first_of_key: dict[Any, Operation] = {}
    renames = Renames()
    distinct: list[Operation] = []
    epoch = 0
    for node in graph.operations:
        if renames:
            renames.apply(node)
        op_def = node.op_def
        since = 0
        if not op_def.traits.isdisjoint(_SPECIAL) and node.stateful:
            if not _only_reads(node):
                # what changes state begins an epoch: later reads are not shared with earlier ones
                epoch += READS not in op_def.traits
                distinct.append(node)
                continue
            since = epoch + 1
        outputs, inputs = node.outputs, node.inputs
        if op_def is placeholder_op or not outputs or _is_empty_list(node):
            distinct.append(node)
            continue
        weak: Any = outputs[0].weak if len(outputs) == 1 else tuple([t.weak for t in outputs])
        ids: Any = id(inputs[0]) if len(inputs) == 1 else tuple([id(t) for t in inputs])
        if len(inputs) == 2 and COMMUTATIVE in op_def.traits and ids[0] > ids[1]:
            if inputs[0].dtype.as_numpy_dtype is not object:  # texts are joined in order
                ids = (ids[1], ids[0])
        key: Any = (op_def, since, ids, weak)
        if node.attrs:
            key += tuple(map(_key, node.attrs.items()))
        first = first_of_key.setdefault(key, node)
        if first is node:
            distinct.append(node)
            continue
        for old, new in zip(node.outputs, first.outputs, strict=True):
            renames.put(old, new)
            if old.spec.shape.dims != new.spec.shape.dims:
                _join(new, old.spec)
    if renames:
        graph.operations = distinct
        renames.finish(graph)
    return False


def _is_empty_list(node: Operation) -> bool:
    """Return whether it makes an empty list.  Two of them are the start of different lists, which
    native code may change in place and which may have entries of different types.
    """
    return not node.inputs and node.outputs[0].dtype is variant


def _only_reads(node: Operation) -> bool:
    """Return whether an effect only reads state; iterators, which advance, do not."""
    traits = node.op_def.traits
    return READS in traits and HIGHER_ORDER not in traits and not any(
        t.dtype is variant or t.dtype is resource for t in (*node.inputs, *node.outputs)
    )


def _join(tensor: Any, spec: TensorSpec) -> None:
    """Refine the type of a tensor by that of an equal one."""
    if tensor.spec.shape.is_compatible_with(spec.shape):
        merged = tensor.spec.shape.merge_with(spec.shape)
        tensor.spec = TensorSpec(merged, spec.dtype, None, tensor.spec.value)


def _key(item: tuple[str, Any]) -> Any:
    """Return the hashable key of an attribute."""
    name, value = item
    key = literal_key(value)
    return name, id(value) if key is None else key
