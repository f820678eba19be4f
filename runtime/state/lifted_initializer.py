"""What a variable starts with, where it is made while a function is traced.

A variable made in a function lives outside of it, and is made once: its initial value is worked out
while tracing, from the arguments of the first call if it needs them.  variables.py asks.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

from runtime.eager.tensor import Tensor, call_kernel, wrap
from runtime.engine.executable import executable
from runtime.graph.func_graph import FuncGraph
from runtime.graph.graph import Graph, graph_of
from runtime.graph.operation import Operation, SymbolicTensor, subgraphs
from runtime.graph.order import topological_order
from runtime.graph.run_request import RunRequest
from runtime.graph.side_table import SideTable
from runtime.ops.array.constants import convert_to_tensor, placeholder_op
from runtime.ops.op import HIGHER_ORDER, READS, SEEDS
from runtime.types.dtypes import as_dtype


def initial_tensor(value: Any, dtype: Any, home: Graph | None) -> Any:
    """The tensor that a variable of the graph ``home`` starts with; None stands for eager ones.

    ValueError for a tensor of a function, branch or body whose value is not known while tracing.
    """
    if isinstance(value, SymbolicTensor) and value.graph.temporary:
        value = wrap(_Lift(graph_of(value), home).value(value))
    return convert_to_tensor(value, None if dtype is None else as_dtype(dtype))


_ARGUMENTS: SideTable[dict[int, Any]] = SideTable()
"""While a call is traced: by id of an input of its graph, the tensor that is passed for it."""

_WORKED_OUT: SideTable[set[Operation]] = SideTable()
"""Operations with effects that are worked out already, for initial values."""

_CREATED: SideTable[list[Any]] = SideTable()
"""Variables that tracing a graph made, also in graphs inside."""


@contextlib.contextmanager
def known_arguments(
    graph: FuncGraph, inputs: Sequence[SymbolicTensor], values: Sequence[Any]
) -> Iterator[None]:
    """While a graph is traced for the values of a call, which initial values may need."""
    _ARGUMENTS.put(graph, dict(zip(map(id, inputs), values, strict=True)))
    try:
        yield
    finally:
        _ARGUMENTS.drop(graph)


def created_variables(graph: FuncGraph) -> Sequence[Any]:
    """Variables that tracing a graph made, also in graphs inside."""
    return _CREATED.get(graph) or ()


class _Lift:
    """Works out what tensors of functions that are being traced are worth before they run."""

    def __init__(self, graph: Graph, home: Graph | None) -> None:
        self._graph = graph
        self._home = home

    def value(self, tensor: SymbolicTensor) -> Any:
        """The array; ValueError where it is not known, or would not be what the run gives."""
        graph: Any = tensor.graph
        nodes = topological_order(graph, [tensor.op], frozenset())
        inputs = [node.outputs[0] for node in nodes if node.op_def is placeholder_op]
        arrays = [self._given(graph, one, tensor) for one in inputs]
        effects = [node for node in nodes if node.stateful]
        if effects:
            self._check_effects(tensor, effects)
        run = executable(RunRequest(graph, [tensor], inputs))
        return call_kernel(run, arrays)[0]

    def _given(self, graph: FuncGraph, one: SymbolicTensor, tensor: SymbolicTensor) -> Any:
        """What is passed for an input of a function; ValueError when that is not known."""
        found = (_ARGUMENTS.get(graph) or {}).get(id(one))
        for outer, inner in graph.captures:
            found = outer if inner is one else found
        if graph.kind == "function" and isinstance(found, SymbolicTensor):
            if found.graph.temporary:
                return self.value(found)
        elif graph.kind == "function" and isinstance(found, Tensor) and self._home is None:
            return found._array
        raise ValueError(
            "Tensor-typed variable initializers must either be wrapped in an init_scope or "
            f"callable, but {tensor!r} depends on arguments of {graph.title}, whose values are not "
            "known while tracing. Use Variable(lambda: ...) with a value that does not."
        )

    def _check_effects(self, tensor: SymbolicTensor, effects: list[Operation]) -> None:
        """ValueError when reads and draws now would not give what they give in a run."""
        graph: Any = tensor.graph
        places = {id(n.attrs["place"]) for n in effects if "place" in n.attrs}
        early = [n for n in _recorded(graph) if n not in effects and _changes(n, places)]
        early += [n for n in effects if READS not in n.op_def.traits and not self._is_drawn_here(n)]
        if not early and self._home is None:
            _WORKED_OUT.setdefault(graph, set()).update(effects)
            return
        why = "each session works it out anew"
        if early:
            file, line, *_ = early[0].location
            why = f"{early[0].name!r} of {file}:{line} has its effect when the function runs"
        raise ValueError(
            f"The initial value {tensor!r} of a variable reads variables or draws random numbers "
            f"in {graph.title}, and is needed while tracing, but {why}. Make the variable before "
            "the call, or use Variable(lambda: ...)."
        )

    def _is_drawn_here(self, node: Operation) -> bool:
        return "stream" in node.attrs and node.graph is self._graph


def _recorded(graph: Any) -> Iterator[Operation]:
    """What was recorded so far, in the graphs around too, and is not worked out already."""
    while isinstance(graph, FuncGraph):
        done = _WORKED_OUT.get(graph) or ()
        yield from (node for node in graph.operations if node not in done)
        graph = graph.outer


def _changes(node: Operation, places: set[int]) -> bool:
    """Whether an operation, or one in its graphs, writes to these places, or sets the seed."""
    if not node.stateful:
        return False
    if HIGHER_ORDER in node.op_def.traits:
        return any(_changes(n, places) for g in subgraphs(node) for n in g.operations)
    writes = READS not in node.op_def.traits and id(node.attrs.get("place")) in places
    return writes or SEEDS in node.op_def.traits


def note_creation(variable: Any, tracing: Any) -> None:
    """Let function.py know which variables a trace made, also within its branches and bodies."""
    inner = tracing
    while isinstance(inner, FuncGraph) and inner is not variable.graph:
        _CREATED.setdefault(inner, []).append(variable)
        inner = inner.outer


def check_spent(first: FuncGraph, second: FuncGraph) -> None:
    """ValueError when what initial values were made of, in a first trace, is there in the next.

    Then it happens in every call, and once more for the variable: eagerly it would happen once.
    """
    draws = [[n for n in g.operations if "stream" in n.attrs] for g in (first, second)]
    done = _WORKED_OUT.get(first) or ()
    again = len(draws[1]) - len(draws[0]) + sum("stream" in n.attrs for n in done)
    if again > 0:
        raise ValueError(
            f"{first.title}: the initial value of a variable is made of random numbers that are "
            "drawn again in each call, so it would not be what the call uses. Draw them where the "
            "variable is made, or use Variable(lambda: ...)."
        )
