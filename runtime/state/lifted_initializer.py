"""Initial values of variables that are created while a function is traced.

Such a variable belongs to the graph around the function and is created once: its initial value is
computed during the trace, from the arguments of the first call if it depends on them.  Below
variable.py.
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
from runtime.ops import dispatch
from runtime.ops.array.constants import convert_to_tensor, placeholder_op
from runtime.ops.op import HIGHER_ORDER, READS, SEEDS
from runtime.types.dtypes import as_dtype


def initial_tensor(variable: Any, value: Any, dtype: Any) -> Any:
    """Convert the initial value of a variable to a tensor.

    ValueError for a tensor of a function, branch or loop body that cannot be computed in the trace.
    """
    if isinstance(value, SymbolicTensor) and value.graph.temporary:
        value = wrap(_Lift(graph_of(value), variable._graph).value(value))
    tensor = convert_to_tensor(value, None if dtype is None else as_dtype(dtype))
    shared = dispatch.THREAD.initial_value
    return tensor if shared is None else shared(variable, tensor)


_ARGUMENTS: SideTable[dict[int, Any]] = SideTable()
"""Arguments of the call being traced, by the ids of the graph's inputs."""

_WORKED_OUT: SideTable[set[Operation]] = SideTable()
"""Operations with effects that ran already, for initial values."""

_CREATED: SideTable[list[Any]] = SideTable()
"""Variables created in the trace of a graph, also in graphs inside."""


@contextlib.contextmanager
def known_arguments(
    graph: FuncGraph, inputs: Sequence[SymbolicTensor], values: Sequence[Any]
) -> Iterator[None]:
    """Let initial values within the block use the values of the call's arguments."""
    _ARGUMENTS.put(graph, dict(zip(map(id, inputs), values, strict=True)))
    try:
        yield
    finally:
        _ARGUMENTS.drop(graph)


def created_variables(graph: FuncGraph) -> Sequence[Any]:
    """Return the variables created in the trace of a graph, also in graphs inside."""
    return _CREATED.get(graph) or ()


class _Lift:
    """Evaluator of tensors of a function that is being traced."""

    def __init__(self, graph: Graph, home: Graph | None) -> None:
        self._graph = graph
        self._home = home

    def value(self, tensor: SymbolicTensor) -> Any:
        """Compute the array; ValueError if it depends on the run."""
        graph: Any = tensor.graph
        nodes = topological_order(graph, [tensor.op], frozenset())
        inputs = [node.outputs[0] for node in nodes if node.op_def is placeholder_op]
        arrays = [self._input_value(graph, placeholder, tensor) for placeholder in inputs]
        effects = [node for node in nodes if node.stateful]
        if effects:
            self._check_effects(tensor, effects)
        run = executable(RunRequest(graph, [tensor], inputs))
        return call_kernel(run, arrays)[0]

    def _input_value(
        self, graph: FuncGraph, placeholder: SymbolicTensor, tensor: SymbolicTensor
    ) -> Any:
        """Return the argument for an input of a function; ValueError when it is not known."""
        value = (_ARGUMENTS.get(graph) or {}).get(id(placeholder))
        for outer, inner in graph.captures:
            value = outer if inner is placeholder else value
        if graph.kind == "function" and isinstance(value, SymbolicTensor):
            if value.graph.temporary:
                return self.value(value)
        elif graph.kind == "function" and isinstance(value, Tensor) and self._home is None:
            return value._array
        raise ValueError(
            "Tensor-typed variable initializers must either be wrapped in an init_scope or "
            f"callable, but {tensor!r} depends on arguments of {graph.title}, whose values are not "
            "known while tracing. Use Variable(lambda: ...) with a value that does not."
        )

    def _check_effects(self, tensor: SymbolicTensor, effects: list[Operation]) -> None:
        """Raise ValueError when reads and draws would give other values in a run."""
        graph: Any = tensor.graph
        storages = {id(n.attrs["storage"]) for n in effects if "storage" in n.attrs}
        early = [n for n in _recorded(graph) if n not in effects and _changes(n, storages)]
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
    """Yield the operations recorded so far, here and in outer graphs, that did not run yet."""
    while isinstance(graph, FuncGraph):
        done = _WORKED_OUT.get(graph) or ()
        yield from (node for node in graph.operations if node not in done)
        graph = graph.outer


def _changes(node: Operation, storages: set[int]) -> bool:
    """Return whether an operation or its graphs write to these storages, or set the seed."""
    if not node.stateful:
        return False
    if HIGHER_ORDER in node.op_def.traits:
        return any(_changes(n, storages) for g in subgraphs(node) for n in g.operations)
    writes = READS not in node.op_def.traits and id(node.attrs.get("storage")) in storages
    return writes or SEEDS in node.op_def.traits


def note_creation(variable: Any, tracing: Any) -> None:
    """Note the creation of a variable for the traces around, which function.py reads."""
    inner = tracing
    while isinstance(inner, FuncGraph) and inner is not variable.graph:
        _CREATED.setdefault(inner, []).append(variable)
        inner = inner.outer


def check_spent(first: FuncGraph, second: FuncGraph) -> None:
    """Raise ValueError when a random draw of an initial value is repeated in the second trace.

    Such a draw would happen once for the variable and again in every call; eagerly, only once.
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
