"""What traces of one function found out of its long loops, by the calls that they are for.

Used by ``carrying_function``, which traces again where loops have to be unrolled.
"""

from __future__ import annotations

from collections.abc import Hashable

from autograph import staging
from runtime.engine.python_scalar_kernels import NumberKindError
from runtime.functions.signature import BoundCall

MOST_CALLS = 100
"""For so many kinds of calls at most, it is known which loops were unrolled."""


class LoopsByCall:
    """Long loops of a function, by the own keys of its calls."""

    def __init__(self, stages: bool) -> None:
        self._stages = stages
        """Whether loops over numbers are staged."""
        self._known: dict[Hashable, staging.LongLoops] = {}

    def of(self, call: BoundCall) -> staging.LongLoops:
        """Return the loops in traces for such calls."""
        loops = self._known.get(call.own_key)
        if loops is None:
            loops = staging.LongLoops(warns=not self._stages)
            if len(self._known) == MOST_CALLS:
                self._known.clear()
            self._known[call.own_key] = loops
        return loops

    def unroll_more(self, call: BoundCall, error: Exception | None) -> bool:
        """Whether the next trace unrolls more: the last one failed so, or may be inexact."""
        loops = self.of(call)
        if not loops.any or (not loops.doubtful if error is None else staging.is_deliberate(error)):
            return False
        return loops.unroll_more(error)

    def join_powers(self, call: BoundCall, error: Exception) -> bool:
        """Let ints to negative powers be floats in traces for such calls; whether they were not."""
        loops = self.of(call)
        changed = isinstance(error, NumberKindError) and not loops.joins_powers
        loops.joins_powers = loops.joins_powers or changed
        return changed

    def unroll_all(self, call: BoundCall, error: Exception) -> bool:
        """Unroll all loops in traces for such calls; whether any was staged."""
        loops = self.of(call)
        return loops.any and loops.unroll_all(error)
