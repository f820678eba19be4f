"""Tracing of Python functions to graphs, and recording of the higher-order ops that run them.

One level above func_graph.py: cond.py, while_loop.py, function.py and staging/backend.py trace
with :func:`trace` and record with ``record_cond``, ``record_while`` ...
"""

from __future__ import annotations

import contextlib
import sys
import types
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from autograph.syntax.code_markers import MARK
from autograph.syntax.recursion_limit import deep
from runtime.graph.func_graph import FuncGraph
from runtime.graph.graph import Graph, graph_of
from runtime.graph.nesting import SHALLOW
from runtime.graph.operation import Operation, SymbolicTensor
from runtime.graph.python_values import weak_constant
from runtime.graph.staging_hooks import STAGING
from runtime.ops import dispatch
from runtime.ops.array.constants import identity
from runtime.ops.control_flow.cond_while import (
    call_op,
    case_op,
    cond_op,
    no_op,
    scan_op,
    while_op,
)
from runtime.ops.control_flow.print_assert import assert_op
from runtime.ops.control_flow.try_except import Saved, try_op
from runtime.ops.op import OpDef
from runtime.ops.python.call_python import NumberSizeError
from runtime.types import nest
from runtime.types.shapes import TensorSpec
from runtime.types.source_location import KnownCallers, is_machinery

Input = tuple[TensorSpec, bool]
"""Type of an input, and whether it stands for a Python number."""


def trace(
    kind: str, name: str, body: Callable[..., Any], inputs: Sequence[Input] = ()
) -> tuple[FuncGraph, Any]:
    """Trace ``body``, called with one symbolic tensor for each of ``inputs``.

    Returns the graph, whose outputs are still to be set, and the result of ``body``.
    RecursionError when the body calls itself without end, or is nested too deeply.
    """
    graph = FuncGraph(name, kind)
    tensors = [graph.add_input(spec, weak) for spec, weak in inputs]
    check_arrays = STAGING.watch_arrays()
    try:
        with KnownCallers(), dispatch.as_current(graph):  # the call around restores the latter, too
            deeper = graph.level == SHALLOW and not _repeats_converted_code()
            result = deep(lambda: body(*tensors)) if deeper else body(*tensors)
        check_arrays(graph)
        return graph, result
    except RecursionError as error:
        if error.args in (_ENDLESS, _DEEP):
            raise
        raise RecursionError(*(_ENDLESS if _calls_itself() else _DEEP)) from None


_ENDLESS = (
    "a function calls itself in a branch that depends on a staged value: every branch is traced, "
    "so the calls never end. Write a loop, or let a Python value end the recursion.",
)
_DEEP = (
    "the staged branches and loops are nested too deeply to be traced. Split the function, choose "
    "with runtime.switch_case, or allow more with sys.setrecursionlimit.",
)


def _calls_itself() -> bool:
    """Return whether a user function is on the stack more than ten times."""
    return _most_calls(lambda code: not is_machinery(code)) > 10


def _repeats_converted_code() -> bool:
    """Return whether a converted function is on the stack more than twice."""
    return _most_calls(lambda code: code.co_consts[-1:] == (MARK,)) > 2


def _most_calls(counts: Callable[[types.CodeType], bool]) -> int:
    """Return how often the most frequent one of some code objects is on the stack."""
    seen: Counter[types.CodeType] = Counter()
    frame: types.FrameType | None = sys._getframe()
    while frame is not None:
        if counts(frame.f_code):
            seen[frame.f_code] += 1
        frame = frame.f_back
    return max(seen.values(), default=0)


def check_outside_control_flow(tracing: Graph | None, home: Graph | None) -> None:
    """Raise ValueError when a variable of the graph ``home`` is made in a branch or loop body.

    All iterations would share it.  For functions another rule holds: they are traced twice.
    """
    graph: Any = tracing
    while isinstance(home, Graph) and graph is not home:
        if graph is None or graph.kind == "function":
            return
        graph = graph.outer
    if tracing is not home and home is not None:
        raise ValueError(
            "A variable is created inside a branch or loop of a graph, where all iterations would "
            "share it. Create it before; or, to share one variable on purpose, pass a function as "
            "its initial value: Variable(lambda: ...)."
        )


def set_outputs(graph: FuncGraph, values: Sequence[Any], names: Sequence[str] = ()) -> None:
    """Freeze a graph with these outputs; weak tensors stay Python numbers.

    ``names`` are what the user's program calls the outputs.
    """
    graph.result_names = names
    graph.freeze([graph.as_local(value) for value in values])


def captured(graph: FuncGraph, count: int) -> list[SymbolicTensor]:
    """Return the outer tensors to pass for the captures of a graph with ``count`` arguments."""
    assert len(graph.inputs) == count + len(graph.captures)
    return graph.captured_tensors()


def _outputs(recorded: Any, weak: Sequence[bool]) -> list[SymbolicTensor]:
    """Return the outputs of an operation, those marked that stand for Python numbers."""
    if isinstance(recorded, Operation):
        return []
    for tensor, is_weak in zip(recorded, weak, strict=True):
        tensor.weak = is_weak
    return list(recorded)


def record_branches(op: OpDef, chooser: Any, graphs: Sequence[FuncGraph], attrs: dict[str, Any],
                    name: str | None) -> list[SymbolicTensor]:  # fmt: skip
    """Record a cond or case over traced branches, whose outputs agree in number and dtype."""
    captures = [captured(graph, 0) for graph in graphs]
    inputs = [chooser, *(tensor for group in captures for tensor in group)]
    attrs = {**attrs, "splits": tuple(map(len, captures))}
    weak = [all(t.weak for t in row) for row in zip(*[g.outputs for g in graphs], strict=True)]
    return _outputs(dispatch.apply(op, inputs, attrs, name), weak)


def record_cond(
    pred: Any, true_graph: FuncGraph, false_graph: FuncGraph, name: str | None = None
) -> list[SymbolicTensor]:
    """Record ``true_graph`` if ``pred`` else ``false_graph``."""
    attrs = {"true_graph": true_graph, "false_graph": false_graph}
    return record_branches(cond_op, pred, (true_graph, false_graph), attrs, name)


def record_case(
    index: Any, branches: Sequence[FuncGraph], name: str | None = None
) -> list[SymbolicTensor]:
    """Record the choice of the branch number ``index``."""
    return record_branches(case_op, index, branches, {"branches": tuple(branches)}, name)


def record_try(
    body_graph: FuncGraph, else_graph: FuncGraph, handlers: Sequence[tuple[FuncGraph, int]],
    saved: Saved,
) -> list[SymbolicTensor]:
    """Record a ``try``; each handler comes with the number of its arguments."""
    graphs = (body_graph, else_graph, *(graph for graph, _ in handlers))
    counts = (0, len(body_graph.outputs), *(count for _, count in handlers))
    captures = [captured(graph, n) for graph, n in zip(graphs, counts, strict=True)]
    attrs = {
        "body_graph": body_graph,
        "else_graph": else_graph,
        "handlers": graphs[2:],
        "splits": tuple(map(len, captures)),
        "saved": saved,
    }
    outputs = zip(*[graph.outputs for graph in graphs[1:]], strict=True)
    weak = [all(t.weak for t in row) for row in outputs]
    recorded = dispatch.apply(try_op, [t for row in captures for t in row], attrs)
    return _outputs(recorded, weak)


def record_while(
    test_graph: FuncGraph, body_graph: FuncGraph, state: Sequence[Any], name: str | None = None,
    checkpoint: int = 0,
) -> list[SymbolicTensor]:
    """Record a loop; both graphs take the state and captures, the body returns the next state.

    Derivatives save the state of every ``checkpoint``-th iteration only, and compute the others
    again; 0: they save the residuals of every iteration.
    """
    count = len(state)
    captures = [captured(graph, count) for graph in (test_graph, body_graph)]
    attrs = {
        "test_graph": test_graph,
        "body_graph": body_graph,
        "splits": tuple(map(len, captures)),
    }
    if checkpoint:
        attrs["checkpoint"] = checkpoint
    weak = [t.weak for t in body_graph.inputs[:count]]
    recorded = dispatch.apply(while_op, [*state, *captures[0], *captures[1]], attrs, name)
    return _outputs(recorded, weak)


def record_scan(
    body_graph: FuncGraph, count: Any, carry: Sequence[Any], reverse: bool, name: str | None
) -> list[SymbolicTensor]:
    """Record a loop that stacks a result of each iteration; the body takes its number first."""
    captures = captured(body_graph, len(carry) + 1)
    attrs = {
        "body_graph": body_graph,
        "carried": len(carry),
        "reverse": reverse,
        "splits": (len(captures),),
    }
    recorded = dispatch.apply(scan_op, [count, *carry, *captures], attrs, name)
    return _outputs(recorded, [False] * len(body_graph.outputs))


def call_graph(graph: FuncGraph, arguments: Sequence[Any], name: str | None = None) -> list[Any]:
    """Call a graph with these tensors: compute its outputs now, or record a call operation."""
    return call_graph_with(graph, [*arguments, *captured(graph, len(arguments))], name)


def call_graph_with(graph: FuncGraph, inputs: Sequence[Any], name: str | None = None) -> list[Any]:
    """Call a graph with tensors for all its inputs, also for its captures; see ``call_graph``."""
    result = dispatch.apply(call_op, inputs, {"graph": graph}, name)
    if result is None or isinstance(result, Operation):
        return []
    return list(result)


def current_graph() -> Graph | None:
    """Return the graph that operations are recorded in now; None under eager execution."""
    current = dispatch.current()
    return current if isinstance(current, Graph) else None


@contextlib.contextmanager
def recording_graph(*values: Any) -> Iterator[Graph]:
    """Yield the graph to record in: the current one, or else that of the staged values.

    RuntimeError when there is none.
    """
    current = dispatch.current()
    if isinstance(current, Graph):
        yield current
        return
    symbolic = [v for v in nest.flatten(list(values)) if isinstance(v, SymbolicTensor)]
    if not symbolic:
        raise RuntimeError(
            "a staged value was used where operations run eagerly; use it inside the graph or "
            "function it belongs to"
        )
    home = graph_of(symbolic[0])
    home.check_reachable(symbolic[0])
    with dispatch.as_current(home):
        yield home


def grouped(operations: Sequence[Operation], name: str | None) -> Any:
    """Record an operation that runs after all of ``operations``."""
    graph = current_graph()
    assert graph is not None
    with graph.control_dependencies(operations):
        return dispatch.apply(no_op, (), {}, name)


def too_large(graph: Graph, value: int) -> SymbolicTensor:
    """Record an error at run time for a Python int of more than 64 bits, where a path gives it."""
    assert_op(graph.constant(np.array(False)), fail=lambda: NumberSizeError.of(value))
    return weak_constant(graph, 0)


def identity_of(tensor: SymbolicTensor) -> SymbolicTensor:
    """Record an identity: a new tensor with the same value."""
    copy: SymbolicTensor = dispatch.apply(identity, [tensor], {})
    copy.weak = tensor.weak
    return copy


def last_operation() -> Operation:
    """Return the operation that was recorded last in the current graph."""
    graph = current_graph()
    assert graph is not None
    return graph.operations[-1]
