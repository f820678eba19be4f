"""Traces one path of a converted statement: sets the variables, runs the body, reads them again.

It also records, per thread, whether a staged path is being traced: only then are ``raise`` and
``set_loop_options`` staged.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

from autograph.diagnostics.internal_faults import as_fault, is_internal
from autograph.diagnostics.traceback import shorten
from autograph.diagnostics.user_frame import user_line
from autograph.errors import AutoGraphError, NeverReturnsError
from autograph.operators.control.locate_errors import add_location
from autograph.operators.control.raises import is_raised_by_user, stage_raise
from autograph.operators.control.streams import Consumer
from autograph.operators.joins.aliases import check_parts
from autograph.operators.joins.may_alias import enter_path, leave_path, mark_stale, note_contents
from autograph.operators.state.closure_cells import Raised, State, Symbols
from autograph.operators.state.heap import Heap
from autograph.operators.state.outcome import Outcome
from autograph.operators.state.sentinels import NEVER
from autograph.staging.protocol import Backend
from autograph.staging.staged_union import StagedOptional


class _Staged(threading.local):
    """Stack of the backends whose staged paths are being traced now, innermost last."""

    def __init__(self) -> None:
        self.backends: list[Backend] = []
        self.heaps: list[Heap] = []
        self.consumers: list[Consumer] = []
        self.loops: list[dict[str, Any]] = []


_staged = _Staged()


def staged_path() -> Backend | None:
    """Return the backend whose staged branch or loop body is being traced, or None."""
    return _staged.backends[-1] if _staged.backends else None


def staged_depth() -> int:
    """How many staged branches and loop bodies the current code lies in."""
    return len(_staged.backends)


def note_taking(iterator: Any) -> None:
    """Refuse to take an item of an older iterator of unknown position on a staged path."""
    for heap in _staged.heaps:
        heap.check_taking(iterator)


def open_paths() -> tuple[Heap, ...]:
    """Return what the staged paths that are being traced know of objects, outermost first."""
    return tuple(_staged.heaps)


def note_call(function: Any, owner: Any = None) -> None:
    """Let the staged paths that are being traced know what a function may change."""
    for heap in _staged.heaps:
        heap.note_call(function, owner)


def loop_options() -> dict[str, Any] | None:
    """Return the options of the innermost loop that is being traced, or None."""
    return _staged.loops[-1] if _staged.loops else None


@contextlib.contextmanager
def consuming(consumer: Consumer | None) -> Iterator[None]:
    """Run code that passes items to a consumer; with None, the consumer's own code."""
    before = _staged.consumers
    _staged.consumers = before[:-1] if consumer is None else [*before, consumer]
    try:
        yield
    finally:
        _staged.consumers = before


def unrolling() -> bool:
    """Whether items are passed to a consumer that wants each by itself."""
    return bool(_staged.consumers) and _staged.consumers[-1].unroll


class Paths:
    """Paths through one staged statement.

    Its variables are those in the closures of the functions among ``owners``.  Objects that
    functions in a tuple there reach count as well, but the variables of those functions do not.
    """

    def __init__(self, backend: Backend, names: Symbols, owners: tuple[Any, ...]) -> None:
        self.backend = backend
        self.state = State(names, owners)
        # passing on items changes the consumer's variables; no owners: nothing is changed
        for consumer in _staged.consumers if owners else ():
            self.state.add(State(consumer.names, consumer.owners))
            owners = (*owners, *consumer.owners)
        self.variables = self.state.variables()
        self.heap = Heap(owners, self.state.cells, backend)
        self.before = self.state.read()
        self._stale: list[Any] = []
        """Objects that may be others which a path changed, with the time."""

    def trace(
        self,
        body: Callable[..., Any] | None,
        start: Outcome | None = None,
        args: tuple[Any, ...] = (),
        options: dict[str, Any] | None = None,
        guard: tuple[Any, bool] | None = None,
        is_fault: Callable[[BaseException], bool] | None = None,
    ) -> Any:
        """Return the outcome of a body that starts where ``start`` ended, or before the statement.

        ``guard`` is a staged test and the outcome for which control takes this path; ``is_fault``
        says which exceptions are raised now, instead of at run time.
        """
        if start is not None:
            self.apply(start)
        if guard is not None:
            self.state.restore(narrow(self.variables, *guard))
        _staged.backends.append(self.backend)
        _staged.heaps.append(self.heap)
        if options is not None:
            _staged.loops.append(options)
        aliases = enter_path()
        try:
            result = body(*args) if body is not None else None
            return self.outcome(result)
        except Raised:
            self.heap.check_iterators()
            return NEVER
        except BaseException as error:
            if is_fault(error) if is_fault else not is_raised_by_user(error, self.backend):
                raise
            self.heap.check_iterators()
            stage_raise(self.backend, error)
            return NEVER
        finally:
            self._stale += leave_path(aliases, self.heap.knows)
            self.reset()  # what is recorded between two paths must not see this one's state
            _staged.backends.pop()
            _staged.heaps.pop()
            if options is not None:
                _staged.loops.pop()

    def outcome(self, result: Any = None) -> Outcome:
        """Return what the variables and objects are now, on a path."""
        outcome = Outcome(self.state.read(), self.heap.changes(), result)
        check_parts((*outcome.values, *outcome.effects.values(), result), self.heap)
        return outcome

    def reset(self) -> None:
        """Set variables and objects back to what they were before the statement."""
        self.state.restore(self.variables)
        self.state.write(self.before)
        self.heap.restore()

    def changed(self) -> bool:
        """Whether variables or objects differ from what they were before the statement."""
        pairs = zip(self.state.read(), self.before, strict=True)
        return any(now is not before for now, before in pairs) or bool(self.heap.changes())

    def apply(self, outcome: Outcome) -> None:
        """Set variables and objects to an outcome."""
        self.state.write(outcome.values)
        for slot, value in outcome.effects.items():
            slot.write(value)
        note_contents()

    def fail(self, error: BaseException) -> None:
        """Restore everything, and add the user's lines to the error, when staging failed.

        A mistake of our own is told by its traceback, which is shortened here: statements around
        would take it for an exception of the program's.
        """
        self.reset()
        if is_internal(error):
            raise as_fault(error, "the statement") from error
        shorten(error)
        if isinstance(error, AutoGraphError):
            add_location(error)

    def finish(self, outcome: Any) -> Any:
        """Set variables and objects to the joined outcome; return the joined result."""
        if outcome is NEVER or outcome.result is NEVER:
            raise _never_returns()
        self.reset()  # what is not part of the outcome is dead: nothing reads it later
        mark_stale(self._stale)
        self.apply(outcome)
        return outcome.result


def _never_returns() -> BaseException:
    """End a path on which an exception is raised at run time in any case."""
    if _staged.backends:
        return Raised()
    return NeverReturnsError(
        "every path raises an exception here, so there is no value to return",
        where=user_line(),
        help="return a value on some path, or decorate it with runtime.function, whose calls raise",
    )


def narrow(variables: dict[Any, Any], test: Any, outcome: bool) -> dict[Any, Any]:
    """Narrow variables, within the block, by what a test's outcome says of them being None."""
    narrower = {}
    for name, value in variables.items():
        if type(value) is StagedOptional:
            present = value.ag__known(test, outcome)
            if present is not None:
                narrower[name] = value.ag__value if present else None
    return narrower
