"""Differentiable dependencies of the outputs of a graph on its inputs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable
from typing import Any

from runtime.autodiff.captured_sources import hidden_sources
from runtime.graph.extensions import newest_operations
from runtime.ops.op import HIGHER_ORDER
from runtime.ops.resource.list_gradients import differentiable

HIDDEN = -1
"""Stands for all hidden sources, among the indices of inputs."""


def dependencies(graph: Any, hidden: Collection[Hashable]) -> list[set[int]]:
    """Return for each output the indices of the inputs it depends on, and HIDDEN for ``hidden``."""
    masks: dict[int, int] = {}
    for number, tensor in enumerate(graph.inputs):
        if differentiable(tensor):
            masks[id(tensor)] = 2 << number
    for key in hidden:
        constant = graph._constants.get(key)
        if constant is not None:
            masks[id(constant[1])] = 1
    for node in newest_operations(graph):
        if node.op_def.grad is None:
            continue
        mask = int(bool(hidden) and _reads(node, hidden))
        for tensor in () if "storage" in node.attrs else node.inputs:
            mask |= masks.get(id(tensor), 0)
        if mask:
            masks.update([(id(t), mask) for t in node.outputs if differentiable(t)])
    return [_numbers(masks.get(id(t), 0)) for t in graph.outputs]


def _reads(node: Any, hidden: Collection[Hashable]) -> bool:
    storage = node.attrs.get("storage")
    if storage is not None:
        return storage in hidden
    return HIGHER_ORDER in node.op_def.traits and any(k in hidden for k in hidden_sources(node))


def _numbers(mask: int) -> set[int]:
    numbers, number = set(), HIDDEN
    while mask:
        if mask & 1:
            numbers.add(number)
        mask >>= 1
        number += 1
    return numbers


def closure(start: set[int], after: Callable[[int], set[int]]) -> set[int]:
    """Return the transitive closure of ``start`` under ``after``."""
    reached, todo = set(start), list(start)
    while todo:
        new = after(todo.pop()) - reached
        reached |= new
        todo += new
    return reached
