"""Pipeline of passes: their order, with reasons, and their application to run requests.

``trace -> passes -> engine``: engine/executable.py asks ``prepare`` before it compiles, once for
each sub-graph, and once for each set of fetches and feeds of a session.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph.named_tuples import NamedTuple
from runtime.engine.optimizer_options import switched_off
from runtime.engine.passes.cse import share
from runtime.engine.passes.fold import fold
from runtime.engine.passes.fold_branches import decide
from runtime.engine.passes.hoist import hoist
from runtime.engine.passes.inline import inline
from runtime.engine.passes.invariant_state import freeze
from runtime.engine.passes.propagate import propagate
from runtime.engine.passes.prune import prune
from runtime.engine.passes.reuse_buffers import reuse
from runtime.engine.passes.rewrite import OptimizedGraph, copy_graph
from runtime.engine.passes.simplify import simplify
from runtime.graph.func_graph import FuncGraph
from runtime.graph.operation import Operation, SymbolicTensor, subgraphs
from runtime.graph.run_request import RunRequest, request_for
from runtime.graph.side_table import SideTable
from runtime.ops.array.constants import placeholder_op
from runtime.ops.op import CALL, HIGHER_ORDER, LOOP, Trait
from runtime.types import nest
from runtime.types.flags import OPTIMIZE
from runtime.types.settings import SETTINGS


class Pass(NamedTuple):
    """Pass: ``run`` changes a copied graph; True asks for another round of all passes."""

    run: Callable[[OptimizedGraph], bool]
    option: str
    """Option of ``config.optimizer`` that switches it (optimizer_options.py)."""
    reason: str
    needs: Trait | None = None
    """Trait of the operations that it rewrites; None: any operation."""

    def concerns(self, graph: OptimizedGraph) -> bool:
        """Return whether a graph holds operations that the pass may rewrite."""
        needs = self.needs
        return needs is None or any(needs in node.op_def.traits for node in graph.operations)

    @property
    def name(self) -> str:
        """Name of the pass."""
        return self.run.__name__


PASSES = (
    Pass(inline, "function_optimization",
         "first: what is called is optimised for its arguments then", CALL),
    Pass(fold, "constant_folding",
         "what is known before the run decides most of what follows"),
    Pass(simplify, "arithmetic_optimization",
         "constants have been folded, so neutral elements are to be seen"),
    Pass(share, "arithmetic_optimization",
         "what was simplified to the same is the same"),
    Pass(decide, "constant_folding",
         "choices by constants, before work is done on branches that are not taken",
         HIGHER_ORDER),
    Pass(propagate, "shape_optimization",
         "what is known by now is known in branches and loops; all passes run there",
         HIGHER_ORDER),
    Pass(freeze, "loop_optimization",
         "a loop's state that stands still shows once its body is simplified", LOOP),
    Pass(hoist, "loop_optimization",
         "a state that stands still is an invariant; loops inside have given theirs", LOOP),
    Pass(prune, "disable_model_pruning",
         "takes away what the others left unused"),
)  # fmt: skip
"""Passes in order; another round follows as long as one asks for it."""

LAST = (
    Pass(reuse, "remapping",
         "which results die where is certain only when nothing moves any more"),
)  # fmt: skip
"""Passes that run once on every graph, after the others."""

ROUNDS = 4
"""Largest number of rounds."""


class Optimizer:
    """Optimiser: applies passes to graphs and to the graphs that they hold."""

    def __init__(
        self, passes: Sequence[Pass] = PASSES, final_passes: Sequence[Pass] = LAST
    ) -> None:
        self.passes = passes
        self.final_passes = final_passes

    def run(self, request: RunRequest) -> OptimizedGraph:
        """Copy and optimise the graph of a request."""
        return self.finish(self.improve(copy_graph(request)))

    def finish(self, graph: OptimizedGraph) -> OptimizedGraph:
        """Run the last passes on a graph and all graphs that it holds."""
        with graph.lock:  # several threads may be about to run it
            if graph.frozen:
                return graph
            for final_pass in self.final_passes:
                final_pass.run(graph)
            for node in graph.operations:
                if HIGHER_ORDER in node.op_def.traits:
                    for inner in subgraphs(node):
                        if isinstance(inner, OptimizedGraph):
                            self.finish(inner)
            graph.freeze(graph.outputs)
        return graph

    def improve(self, graph: OptimizedGraph) -> OptimizedGraph:
        """Run the passes on a copied graph."""
        graph.optimizer = self
        for _ in range(ROUNDS):
            again = [p.run(graph) for p in self.passes if p.concerns(graph)]
            graph.seal()
            if not any(again):
                break
        return graph

    def shared_copy(self, graph: Any, request: RunRequest | None = None) -> OptimizedGraph | None:
        """Return the shared optimised copy of a traced graph; None while it is being made.

        ``request`` is the one for the graph's whole body, where it is at hand.
        """
        if isinstance(graph, OptimizedGraph):
            return graph
        key = SETTINGS.generation
        entry = _SHARED.get(graph)
        if entry is None or entry[0] != key:
            _SHARED.put(graph, (key, None))
            try:
                body_request = request_for(graph) if request is None else request
                entry = _SHARED.put(graph, (key, self.improve(copy_graph(body_request))))
            except BaseException:
                _SHARED.drop(graph)
                raise
        return entry[1]


_SHARED: SideTable[tuple[int, OptimizedGraph | None]] = SideTable()
"""Optimised copies of graphs, each with the generation of the settings."""


def enabled_optimizer() -> Optimizer | None:
    """Return the optimiser with the passes that are switched on; None without any."""
    off = switched_off()
    if not OPTIMIZE.value or "disable_meta_optimizer" in off:
        return None
    if not off:
        return Optimizer()
    groups = [[p for p in group if p.option not in off] for group in (PASSES, LAST)]
    return Optimizer(*groups)


def prepare(request: RunRequest) -> RunRequest:
    """Optimise a run request before an engine compiles it.

    A request that feeds tensors other than placeholders stays as it is: what inference knows of
    the values that they have in the graph does not hold then.
    """
    optimizer = None if isinstance(request.graph, OptimizedGraph) else enabled_optimizer()
    if optimizer is None or any(t.op.op_def is not placeholder_op for t in request.feeds):
        return request
    if request.is_body:
        shared = optimizer.shared_copy(request.graph, request)
        if shared is not None:
            return request_for(optimizer.finish(shared))
    return request_for(optimizer.run(request))


def optimized_graph(graph: Any, fetches: Any = None, feeds: Any = None) -> Any:
    """Return the graph that runs in place of another; see ``Graph.optimized``."""
    if isinstance(graph, OptimizedGraph):
        return graph
    if isinstance(graph, FuncGraph) and fetches is None and feeds is None:
        return prepare(request_for(graph)).graph
    if fetches is None:
        consumed = {id(t) for o in graph.get_operations() for t in o.inputs}
        sinks = [t for o in graph.get_operations() for t in o.outputs if id(t) not in consumed]
        fetches = [*sinks, *[o for o in graph.get_operations() if not o.outputs]]
    if feeds is None:
        feeds = [o.outputs[0] for o in graph.get_operations() if o.op_def is placeholder_op]
    elements = [graph.as_graph_element(item) for item in nest.flatten(fetches)]
    request = RunRequest(
        graph, [e for e in elements if isinstance(e, SymbolicTensor)],
        [graph.as_graph_element(item) for item in nest.flatten(feeds)],
        [e for e in elements if isinstance(e, Operation) and e.op_def is not placeholder_op],
    )  # fmt: skip
    return prepare(request).graph
