"""The passes in their order, a reason per line; and how a run comes to use them.

``trace -> passes -> executor``: the executor asks ``prepare`` before it makes a plan, once for each
sub-graph, and once for each set of fetches and feeds of a session.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from runtime import execute
from runtime.execute import Wanted
from runtime.flags import OPTIMIZE
from runtime.ops.constants import placeholder_op
from runtime.passes.copies import OptimizedGraph, copied
from runtime.passes.decide import decide
from runtime.passes.fold import fold
from runtime.passes.freeze import freeze
from runtime.passes.hoist import hoist
from runtime.passes.inline import inline
from runtime.passes.propagate import propagate
from runtime.passes.prune import prune
from runtime.passes.share import share
from runtime.passes.simplify import simplify


class Pass(NamedTuple):
    """One pass: ``run`` changes a copied graph, and says whether earlier passes find more now."""

    run: Callable[[OptimizedGraph], bool]
    reason: str

    @property
    def name(self) -> str:
        """What tests and switches call it."""
        return self.run.__name__


PASSES = (
    Pass(inline, "first: what is called is optimised for its arguments then"),
    Pass(fold, "what is known before the run decides most of what follows"),
    Pass(simplify, "constants have been folded, so neutral elements are to be seen"),
    Pass(share, "what was simplified to the same is the same"),
    Pass(decide, "choices by constants, before work is done on branches that are not taken"),
    Pass(propagate, "what is known by now is known in branches and loops; all passes run there"),
    Pass(freeze, "a loop's state that stands still shows once its body is simplified"),
    Pass(hoist, "a state that stands still is an invariant; loops inside have given theirs"),
    Pass(prune, "takes away what the others left unused"),
)
"""In this order; and again from the first one, as long as one of them asks for it."""

ROUNDS = 4
"""So often at most."""


class Optimizer:
    """Runs passes on graphs and on the graphs that they hold."""

    def __init__(self, passes: Sequence[Pass] = PASSES) -> None:
        self.passes = passes

    def improve(self, graph: OptimizedGraph) -> OptimizedGraph:
        """Run the passes on a copied graph."""
        graph.optimizer = self
        for _ in range(ROUNDS):
            again = [one.run(graph) for one in self.passes]
            graph.sealed()
            if not any(again):
                break
        return graph

    def shared(self, graph: Any) -> OptimizedGraph | None:
        """A traced graph optimised for all who run it; None while that is being done."""
        if isinstance(graph, OptimizedGraph):
            return graph
        key = (len(graph.operations), settings())
        known = graph.optimized
        if known is None or known[0] != key:
            graph.optimized = (key, None)
            try:
                known = key, self.improve(copied(execute.whole(graph)))
            finally:
                graph.optimized = known
        found: OptimizedGraph | None = known[1]
        return found


def settings() -> Any:
    """What the plan for what is wanted depends on besides."""
    return OPTIMIZE.value


def prepare(wanted: Wanted) -> Wanted:
    """What to run for what is wanted: the same, optimised; what the executor asks before a plan.

    Where other tensors than placeholders are fed nothing is done: what was inferred from the values
    that they have in the graph does not hold.
    """
    if not OPTIMIZE.value or wanted.graph.prepared:
        return wanted
    if any(t.op.row is not placeholder_op for t in wanted.feeds):
        return wanted
    return Optimizer().improve(copied(wanted)).wanted()


execute.install_preparation(prepare, settings)
