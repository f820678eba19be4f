"""Door of the engine: run request -> passes -> the first engine that takes it -> executable.

Sessions, functions, tapes, initial values and the graphs that operations hold all come through
here.  The executable of a function's body, branch or loop body is cached with its graph, for one
generation of the settings; callers cache all others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.engine.deep_executable import DeepExecutable
from runtime.engine.llvm.engine import LLVMEngine, Promotion, choose_level
from runtime.engine.passes import pipeline
from runtime.engine.profiling.span_recorder import SpanRecorder, current_recorder
from runtime.engine.protocol import Engine, Executable, Refusal
from runtime.engine.python_engine import PythonEngine
from runtime.engine.reference import ReferenceEngine
from runtime.engine.xla.engine import XLAEngine
from runtime.graph.nesting import deeply, is_nested_deeply
from runtime.graph.run_request import RunRequest, request_for
from runtime.graph.side_table import SideTable
from runtime.ops import dispatch
from runtime.types.errors import InternalError
from runtime.types.settings import SETTINGS
from runtime.types.source_location import UNKNOWN_LOCATION

_BODIES: SideTable[tuple[int, Executable]] = SideTable()
"""Cache of executables, each with the generation of the settings that it was compiled in."""


def executable(request: RunRequest, jit: str = "") -> Executable:
    """Compile a request: passes first, then the first engine that takes it.

    Returns an ``Executable``, called with the arrays of the feeds.  The body of a FuncGraph is
    compiled once and cached.  ``jit`` is ``always`` or ``never`` where a session's options say when
    its graph becomes machine code.
    """
    return executable_of(request.graph) if request.is_body else _compiled(request, jit)


def executable_of(graph: Any) -> Executable:
    """Compile the graph of a function, branch or loop body, or return its cached executable."""
    executable = _BODIES.get(graph)
    generation = SETTINGS.generation
    if executable is not None and executable[0] == generation:
        return executable[1]
    compiled = _compiled(request_for(graph))
    if graph.frozen:
        _BODIES.put(graph, (generation, compiled))
    return compiled


def _compiled(request: RunRequest, jit: str = "") -> Executable:
    """Compile a request with the first engine that takes it."""
    compiled = deeply(request.graph, lambda: _compile(request, jit))
    return DeepExecutable(compiled) if is_nested_deeply(request.graph) else compiled


def _compile(request: RunRequest, jit: str) -> Executable:
    recorder = current_recorder()
    if recorder is not None:
        return _recorded(request, recorder)
    prepared = pipeline.prepare(request)
    if jit and prepared.graph is not request.graph:  # which other sessions run, too
        choose_level(prepared.graph, jit)
    refusals: list[Refusal] = []
    for engine in (_XLA, *ENGINES) if _XLA.is_demanded(prepared) else ENGINES:
        executable = engine.compile(prepared, tuple(refusals))
        if not isinstance(executable, Refusal):
            return executable
        refusals.append(executable)
    raise InternalError(f"no engine takes a request: {refusals}")


def _recorded(request: RunRequest, recorder: SpanRecorder) -> Executable:
    """Compile a request for a profile."""
    from runtime.engine.profiling.recording_engine import RecordingEngine

    entered = recorder.enter()
    try:
        prepared = pipeline.prepare(request)
        return RecordingEngine(executable_of, run_graph).compile(prepared)
    finally:
        name = getattr(request.graph, "name", "graph")
        recorder.leave(entered, "compile", f"compile {name}", "", UNKNOWN_LOCATION, ())


_PLANS: SideTable[tuple[int, Any]] = SideTable()
"""Cache of the plans of bodies, with the generation of the settings."""


def plan_of(graph: Any) -> Any:
    """Return the execution plan of the graph of a function, branch or loop body."""
    plan = _PLANS.get(graph)
    if plan is not None and plan[0] == SETTINGS.generation:
        return plan[1]
    prepared = pipeline.prepare(request_for(graph))
    found: Any = _PYTHON.compile(prepared)
    if isinstance(found, Refusal):
        found = _REFERENCE.compile(prepared)
    if graph.frozen:
        _PLANS.put(graph, (SETTINGS.generation, found.plan))
    return found.plan


def run_graph(graph: Any, arrays: Sequence[Any]) -> list[Any]:
    """Run a graph that an operation holds, on arrays for its inputs (arguments, then captures).

    The caller has turned NumPy's warnings off.
    """
    if len(arrays) != len(graph.inputs):
        raise InternalError(
            f"{graph.title} takes {len(graph.inputs)} inputs, got {len(arrays)}"
        )
    return executable_of(graph)(arrays)


_PYTHON = PythonEngine(executable_of, run_graph, Promotion())
_REFERENCE = ReferenceEngine(executable_of, run_graph)

_XLA = XLAEngine(plan_of, (_PYTHON, _REFERENCE))

ENGINES: tuple[Engine, ...] = (
    LLVMEngine(plan_of, (_PYTHON, _REFERENCE)),
    _PYTHON,
    _REFERENCE,
)
"""The engines, the fastest first.  The last one takes every request."""


class _Engine:
    """Implementation of ``dispatch.GraphEngine`` for the layers below."""

    run_graph = staticmethod(run_graph)
    optimized = staticmethod(pipeline.optimized_graph)


dispatch.install_engine(_Engine())
