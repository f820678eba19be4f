"""Loops that a backend stages: their state, their body and their test, for ``loops``."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Sequence
from typing import Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError, JoinError
from autograph.operators.control.conditionals import Owners, call_truth_method, staged_if, test_of
from autograph.operators.control.long_loops import note_final_state
from autograph.operators.control.path_tracing import Paths
from autograph.operators.joins.exact_joins import joining_exactly
from autograph.operators.joins.plan import alike_but_results, lift, lower, spec_of_loop, widen
from autograph.operators.joins.variant_nodes import becomes_scalar
from autograph.operators.state.closure_cells import Symbols, contents
from autograph.operators.state.outcome import Outcome
from autograph.operators.state.sentinels import NEVER, MaybeValue
from autograph.staging.control_protocol import NO_ITEM, StagedLoop
from autograph.staging.copies import staging_loop
from autograph.staging.protocol import Backend
from autograph.syntax.code_markers import is_added

ROUNDS = 8
"""So often the types of a loop may grow that could be unrolled as well."""
MOST_ROUNDS = 24
"""The same of other loops: objects that each trace makes anew may never come to an end."""


class FirstTurnDiffers(BaseException):
    """Raised when the first turn of a staged loop makes a NumPy scalar of a number of Python's."""


class ChangingTest(BaseException):
    """Raised when the test of a staged loop changes variables or objects."""


def _codes_of(owners: Owners) -> list[types.CodeType]:
    """Return the code of the bodies of a loop, and of the loops and branches in them."""
    todo = [owner for owner in owners if isinstance(owner, types.FunctionType)]
    for function in todo:
        for cell in function.__closure__ or ():
            value = contents(cell)
            is_body = isinstance(value, types.FunctionType) and is_added(value.__code__)
            if is_body and value not in todo:
                todo.append(value)
    return [function.__code__ for function in todo]


class TracedLoop:
    """Loop that a backend stages: implements ``StagedLoop``.

    Its state is the variables, and whether ``break`` has left the loop.
    """

    def __init__(
        self,
        backend: Backend,
        names: Symbols,
        owners: Owners,
        stopped: MaybeValue | None,
        iteration: Callable[..., Any],
        test: Callable[[], Any] | None = None,
        source: tuple[Any, ...] = (),
        may_differ: bool = True,
    ) -> None:
        self.backend = backend
        self.paths = Paths(backend, names, owners)
        self._codes = _codes_of(owners)
        self.options: dict[str, Any] = {}
        self._iteration = iteration
        self._test = test
        self._start = Outcome(self.paths.before, {}, stopped)
        self.before = (*self.paths.before, *source)
        self._must_end = joining_exactly.value and not source
        self._rounds = 0
        self._may_differ = may_differ

    def run(self, stage: Callable[[StagedLoop], Sequence[Any]]) -> Any:
        """Stage the loop and set the variables to its final state; return whether it was left."""
        paths = self.paths
        try:
            self.spec = spec_of_loop(paths.heap, paths.state.names, self._start, self._codes)
            with staging_loop():
                values = stage(self)  # this widens the spec
            outcome = lift(self.spec, values, self.backend)
            note_final_state(self._start, outcome, paths.heap)
        except BaseException as error:
            paths.fail(error)
            raise
        return paths.finish(outcome)

    def start(self) -> list[Any]:
        """Return the state before the first iteration."""
        return lower(self.spec, self._start, self.paths.heap)

    def test(self, values: Sequence[Any]) -> Any:
        """Return whether there is another iteration: not left by ``break``, and the test holds."""
        state = lift(self.spec, values, self.backend)
        stopped = state.result
        if stopped is None:
            holds = self._holds(state)
            if holds is True and self._must_end:
                raise _endless()
            return holds
        if not isinstance(stopped, MaybeValue):
            return False
        if self._test is None:
            return self.backend.logical_not(stopped.ag__present)
        test_of_rest = functools.partial(self._holds, state)
        return staged_if(self.backend, stopped.ag__present, lambda: False, test_of_rest, owners=())

    def _holds(self, state: Outcome) -> Any:
        test = self._test
        if test is None:
            return True
        with joining_exactly(False):
            outcome = self.paths.trace(lambda: test_of(call_truth_method(test())), state)
        if outcome is NEVER:
            return False
        _check_unchanged(state, outcome)
        return outcome.result

    def body(self, values: Sequence[Any], item: Any = NO_ITEM) -> list[Any] | None:
        """Return the state after one more iteration; None when the spec was too narrow for it."""
        args = () if item is NO_ITEM else (item,)
        state = lift(self.spec, values, self.backend)
        with joining_exactly(False):
            after = self.paths.trace(self._iteration, state, args, self.options)
        if joining_exactly.value:  # Python, which could run the loop, ignores them
            for name in ("maximum_iterations", "shape_invariants"):
                self.options.pop(name, None)
        if not self._may_differ and not self.options and self._becomes_scalar(after):
            raise FirstTurnDiffers
        before, spec = self.spec, widen(self.spec, after, self.paths.heap)
        if spec == before:
            return lower(spec, after, self.paths.heap)
        self._rounds += 1
        if joining_exactly.value and self._rounds == ROUNDS:
            raise _changing()
        self.spec = spec
        if self.backend.judges_traces and alike_but_results(before, spec):
            return lower(spec, after, self.paths.heap)
        return None

    def _becomes_scalar(self, after: Any) -> bool:
        """Whether the turn makes scalars of numbers that enter the loop."""
        self._may_differ = True
        if after is NEVER or not self.backend.joins_kinds():
            return False
        pairs = zip(self.spec.layout.nodes, after.values, strict=False)
        return any(becomes_scalar(node, value, self.backend) for node, value in pairs)


def _check_unchanged(before: Outcome, after: Outcome) -> None:
    """Refuse a test that changes something: the iteration would start from the state before it."""
    pairs = zip(before.values, after.values, strict=True)
    effects = ((before.effects.get(slot), value) for slot, value in after.effects.items())
    if any(old is not new for old, new in (*pairs, *effects)):
        raise ChangingTest


def _changing() -> JoinError:
    return JoinError(
        f"the types of the loop's variables still changed after {ROUNDS} traces of its body",
        where=user_line(),
        help="give each variable a value of its later type in front of the loop",
    )


def _endless() -> ConcreteValueError:
    return ConcreteValueError(
        "nothing that is staged ends this loop, which Python would end",
        where=user_line(),
        help="let its test depend on a variable that the loop changes",
    )
