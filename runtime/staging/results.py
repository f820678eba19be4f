"""Results of staged functions, which are recorded again behind the effects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.staging import StagedOptional, kind_of
from runtime.graph.graph import Graph
from runtime.graph.operation import SymbolicTensor
from runtime.graph.trace import identity_of
from runtime.ops.array.constants import convert_to_tensor
from runtime.staging.values import optional_nest

_NUMBERS = (bool, int, float)


def recorded_result(
    graph: Graph, value: Any, outermost: bool, in_try: Callable[[], Any]
) -> Any:
    """Record the tensors of a result again, so that a session runs the effects before them.

    A Python number that a session is given becomes a tensor if there were effects.
    """
    if graph.temporary:
        return value
    # the effects of a ``finally`` around the return are still to come
    numbers = outermost and (graph.had_effects() or in_try() is not None)

    def behind(leaf: Any) -> Any:
        if isinstance(leaf, SymbolicTensor):
            return identity_of(leaf)
        return convert_to_tensor(leaf) if numbers and type(leaf) in _NUMBERS else leaf

    if not outermost and isinstance(value, list | dict):
        return value  # the very object: others may refer to it
    if isinstance(value, SymbolicTensor | StagedOptional) or type(value) in _NUMBERS:
        return optional_nest.map_inside(behind, value)
    if kind_of(value) in (tuple, list, dict) or hasattr(type(value), "_make"):
        return optional_nest.map_inside(behind, value)
    return value
