"""``while_loop`` as in TensorFlow 1: a loop of one variable gives its value, not a list of one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.control_flow.while_loop import while_loop as loop_of_nest
from runtime.graph.operation import SymbolicTensor
from runtime.types import nest


def while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    shape_invariants: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
    maximum_iterations: Any = None,
    return_same_structure: bool = False,
) -> Any:
    """Repeat ``loop_vars = body(*loop_vars)`` as long as ``cond(*loop_vars)`` is true.

    Args:
        cond: as in ``runtime.while_loop``.
        body: as in ``runtime.while_loop``.
        loop_vars: as in ``runtime.while_loop``.
        shape_invariants: as in ``runtime.while_loop``.
        parallel_iterations: as in ``runtime.while_loop``.
        back_prop: as in ``runtime.while_loop``.
        swap_memory: as in ``runtime.while_loop``.
        name: as in ``runtime.while_loop``.
        maximum_iterations: as in ``runtime.while_loop``.
        return_same_structure: whether the value of a single variable stays in its list.

    Returns:
        The final values in the structure of ``loop_vars``; unless ``return_same_structure``, the
        value itself where there is one: under eager execution only if ``body`` returns no list.

    Raises:
        TypeError: as for ``runtime.while_loop``.
        ValueError: as for ``runtime.while_loop``.
    """
    gave_list: list[bool] = []

    def watched(*values: Any) -> Any:
        result = body(*values)
        gave_list[:] = [isinstance(result, list | tuple)]
        return result

    result = loop_of_nest(
        cond, watched if callable(body) else body, loop_vars, shape_invariants,
        parallel_iterations, back_prop, swap_memory, maximum_iterations, name,
    )  # fmt: skip
    leaves = nest.flatten(result)
    if return_same_structure or len(leaves) != 1:
        return result
    if isinstance(leaves[0], SymbolicTensor):
        return leaves[0]
    return leaves[0] if gave_list == [False] else result
