"""Staged values that a trace would leave in objects that outlive it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph import staging
from autograph.staging import StagedText, StagedUnion, StagedValue
from autograph.tracing import load_announced
from runtime.graph.operation import SymbolicTensor
from runtime.types import treedef
from runtime.types.node_types import NODE_TYPES


def is_staged(value: Any) -> bool:
    """Whether a value, or a part of a composite, is known only when a graph runs."""
    if isinstance(value, SymbolicTensor | StagedValue | StagedUnion | StagedText):
        return True
    kind = NODE_TYPES[type(value)]
    if kind is None or not kind.opaque:
        return False
    leaves, _ = treedef.flatten(value, expand_composites=True)
    return any(isinstance(leaf, SymbolicTensor) for leaf in leaves)


def call_without_writes(call: Callable[..., Any], arguments: Sequence[Any], caller: str) -> Any:
    """What a function gives; EffectError when it leaves staged values in what outlives it.

    ``caller`` is what the function is passed to, in messages.
    """
    load_announced()  # the function may be the first one that is converted
    backend = staging.tracing_backend()
    assert backend is not None
    heap = staging.TraceHeap(call, {}, backend, is_staged)
    try:
        result = call(*arguments)
        for slot in heap.staged_changes():
            raise heap.refusal(slot.label, f"which the function of {caller} writes")
        return result
    finally:
        heap.put_back()
