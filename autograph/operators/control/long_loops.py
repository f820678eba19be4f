"""Loops that Python can run while tracing, but that would record many operations if it did.

    for i in range(1000):        # 'i' is known, so the loop could be unrolled
        total += a[i]

Python runs the first turn. If it records operations and many turns are left, the others become one
staged loop. Met again, in another turn of the loop around it and with all variables assigned, it is
staged at once: else each loop of a nest would double what is inside. What is staged computes as
Python does only for whoever stages Python's own numbers, so that is who asks for it, with
``staging_long_loops``. What a loop cannot give exactly as Python does, it must not give: then the
function is traced again, and the loop is unrolled. ``loops`` asks here what to do; ``path_tracing``
and the joins report what may be inexact.
"""

from __future__ import annotations

import dis
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from inspect import GEN_CREATED, getgeneratorstate
from types import CodeType, GeneratorType
from typing import Any
from weakref import WeakKeyDictionary

from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError, NeverReturnsError, UnrollingWarning
from autograph.operators.control.streams import Consumer, StagedStream
from autograph.operators.joins.exact_joins import joining_exactly
from autograph.operators.state.closure_cells import UNDEFINED, Raised, State, Symbols
from autograph.operators.state.heap import Heap
from autograph.operators.state.outcome import Outcome
from autograph.operators.state.unroll_limits import RANGES, numbers_left
from autograph.staging.protocol import Backend
from autograph.staging.registry import tracing_backend
from autograph.syntax.code_markers import is_added, is_converted
from autograph.syntax.thread_setting import ThreadSetting

MANY = 100
"""So many operations take as long to trace as a staged loop does."""

MOST = 100_000
"""So many operations take minutes: a loop that might need more is not unrolled to its end."""

ENOUGH = 20_000
"""Such a loop may record so many operations before Python leaves it."""

VERY_MANY = 1_000
"""After so many turns that record operations a warning is issued where all loops are unrolled."""

ROUNDS = 8
"""So many loops are unrolled one by one, each after a trace that failed; then all are."""


class LongLoops:
    """Loops of a function that a trace stages, and those that it must unroll.

    With ``warns`` it unrolls all, and issues a warning where that is very much.
    """

    def __init__(self, warns: bool = False) -> None:
        self.warns = warns
        self._unrolled: dict[CodeType, tuple[CodeType, ...]] = {}
        """The bodies of loops that were not staged, with the staged loops around them."""
        self.unrolls_all = warns
        self._errors: dict[CodeType, Exception] = {}
        """Why loops were not staged that it may take too long to unroll."""
        self._reasons: dict[CodeType, str] = {}
        self._begun: set[CodeType] = set()
        """The bodies of loops whose first turns Python has to run wherever they are met."""
        self._rounds = 0
        self.joins_powers = False
        """Whether an int to a staged power may be a float: a run has met a negative power."""
        self.begin()

    def begin(self) -> None:
        """Start another trace."""
        self._around: tuple[CodeType, ...] = ()
        self._turns = 1
        self._failed: tuple[CodeType, tuple[CodeType, ...]] | None = None
        self._staged: dict[CodeType, int] = {}
        """The bodies of staged loops, and how many operations they would record unrolled."""
        self._work: dict[CodeType, int] = {}
        """The bodies of loops, and how many operations a turn of Python's recorded."""
        self._whole: set[CodeType] = set()
        """The bodies of loops that were staged at once."""
        self.gives_numbers = False
        """Whether code behind a staged loop meets staged values where Python has known ones."""
        self.doubtful = False
        """Whether an exception was staged that plain numbers might not have raised."""

    @property
    def any(self) -> bool:
        """Whether the trace has staged any loop that it could have unrolled."""
        return bool(self._staged)

    @property
    def stages_numbers(self) -> bool:
        """Whether a number may be staged here just because a loop is."""
        return self.gives_numbers or bool(self._around)

    def stages(self, code: CodeType) -> bool:
        """Whether the loop with such a body may be staged."""
        return not (self.unrolls_all or code in self._unrolled)

    def note_whole(self, code: CodeType) -> None:
        """Note that a loop with such a body is staged at once."""
        self._whole.add(code)

    def note_work(self, code: CodeType, work: int) -> None:
        """Note how many operations a turn records."""
        self._work[code] = work

    def work_of(self, code: CodeType) -> int:
        """How many operations a turn records, if the loop may be staged at once; 0 if not."""
        return 0 if code in self._begun else self._work.get(code, 0)

    def refusal(self, code: CodeType) -> Exception | None:
        """The error to raise where a loop that is unrolled takes too long."""
        return self._errors.get(code)

    @contextmanager
    def staging(self, code: CodeType, turns: int, work: int) -> Iterator[None]:
        """Stage a loop in the block, instead of ``turns`` that record so many operations."""
        around, before = self._around, self._turns
        self._around, self._turns = (*around, code), before * turns
        self._staged[code] = self._staged.get(code, 0) + self._turns * work
        try:
            with joining_exactly(True):
                yield
        except (Raised, NeverReturnsError):
            raise
        except BaseException:
            self._failed = self._failed or (code, around)
            raise
        finally:
            self._around, self._turns = around, before

    def unroll_more(self, error: Exception | None) -> bool:
        """Unroll, from now on, the loop that the last trace staged in vain; whether that may help.

        Where it is not known which, it is the shortest.  ``error`` says why it was in vain.
        """
        if error is not None and error in self._errors.values():
            return False
        if self._begin_more():
            return True
        if self._rounds == ROUNDS:
            return self.unroll_all(error)
        self._rounds += 1
        shortest = min(self._staged, key=self._staged.__getitem__)
        code, around = self._failed or (shortest, ())
        if not self._may_unroll(code, error):
            return False
        inside = [loop_code for loop_code, its in self._unrolled.items() if code in its]
        for loop_code in inside:  # it may be staged in a loop that is unrolled
            del self._unrolled[loop_code]
        self._unrolled[code] = around
        self._reasons[code] = _reason(error)
        return True

    def _begin_more(self) -> bool:
        """Let Python run first turns where the last trace did without, which may be why it failed.
        """
        code = self._failed[0] if self._failed else None
        codes = {code} & self._whole if code in self._whole else self._whole
        self._begun |= codes
        return bool(codes)

    def report(self) -> list[str]:
        """Return a line for each loop that had to be unrolled: where it is, and why."""
        shown = self._reasons.items()
        return [f"the loop at {c.co_filename}:{c.co_firstlineno}: {why}" for c, why in shown]

    def unroll_all(self, error: Exception | None) -> bool:
        """Stage no such loop from now on; whether the last trace staged any."""
        if self._begin_more():
            return True
        several = [self._may_unroll(code, error) for code in self._staged]
        self.unrolls_all = bool(several) and all(several)
        if self.unrolls_all:
            self._reasons.update(dict.fromkeys(self._staged, _reason(error)))
        return self.unrolls_all

    def _may_unroll(self, code: CodeType, error: Exception | None) -> bool:
        if self._staged[code] <= MOST:
            return True
        if error is None:
            return False
        if not hasattr(error, "__notes__"):
            error.add_note(f"note: unrolled, the loop records more than {ENOUGH:,} operations")
        self._errors[code] = error
        return True


def _reason(error: Exception | None) -> str:
    if error is None:
        return "an exception of Python's might be due to a staged number"
    return str(error).partition("\n")[0] or type(error).__name__


staging_long_loops = ThreadSetting[LongLoops | None](None)
"""``with staging_long_loops(loops)``: stage loops of many turns within the block."""


class Turns:
    """Turns of one loop that Python has run while tracing, and what they recorded."""

    def __init__(self, loops: LongLoops, body: Any, code: CodeType, backend: Backend) -> None:
        self.backend = backend
        self._loops = loops
        self._body = body
        self._code = code
        self._stages = loops.stages(code)
        self._start = backend.recorded_operations()
        self._count = 0
        self._work = 0

    def rest(self, items: Iterator[Any]) -> range | None:
        """Return the numbers that are left after one more turn, if they are to be staged."""
        is_short = not self._has_recorded() or not isinstance(items, RANGES)
        numbers = None if is_short else numbers_left(items)
        if numbers is None or len(numbers) < 2 or len(numbers) * self._work <= MANY * self._count:
            return None
        return numbers

    def whole(self, items: Iterator[Any], names: Symbols) -> range | None:
        """Return the numbers of the loop if all are to be staged, without a first turn by Python.

        It was run before, in another turn of the loop around, and all its variables are assigned.
        """
        work = self._loops.work_of(self._code) if self._stages else 0
        numbers = numbers_left(items) if work and isinstance(items, RANGES) else None
        if numbers is None or (len(numbers) - 1) * work <= MANY:
            return None
        if any(value is UNDEFINED for value in State(names, (self._body,)).read()):
            return None
        self._count, self._work = 1, work
        self._loops.note_whole(self._code)
        return numbers

    def are_many(self) -> bool:
        """Whether the loop has recorded so much, after one more turn, that the rest is staged."""
        return self._has_recorded() and self._work > MANY and self._count > 1

    def _has_recorded(self) -> bool:
        """Whether the turns have recorded anything, and may be staged."""
        self._count += 1
        self._work = self.backend.recorded_operations() - self._start
        if self._stages:
            self._loops.note_work(self._code, self._work // self._count)
            return self._work > 0
        if self._count == VERY_MANY and self._loops.warns and self._work >= VERY_MANY:
            _warn(self._work)
        if self._work > ENOUGH and (error := self._loops.refusal(self._code)) is not None:
            raise error.with_traceback(None)
        return False

    def staging(self, turns: int = 1) -> Any:
        """Stage the other turns within the block."""
        return self._loops.staging(self._code, turns, self._work // self._count)


def _warn(work: int) -> None:
    file, line = user_line() or ("<unknown>", 1)
    warnings.warn_explicit(
        f"a loop over Python values is unrolled: its first {VERY_MANY:,} turns have put {work:,} "
        "operations into the graph. Help: loop over a tensor, such as runtime.range(n), or stage "
        "numbers with runtime.jit, so that the loop becomes one of the graph.",
        UnrollingWarning, file, line,
    )


def turns_of(body: Any, element: Any = None) -> Turns | None:
    """Return the turns of a loop that may be staged: of the user's, with this body.

    Or of a comprehension, with this ``element``.
    """
    loops = staging_long_loops.value
    code: CodeType = body.__code__ if element is None else element.__code__
    if loops is None or element is None and not is_added(code):
        return None
    backend = tracing_backend()
    return None if backend is None else Turns(loops, body, code, backend)


def may_be_long(iterable: Any) -> bool:
    """Whether a loop over an iterable may become a staged one, which would be over a range."""
    loops = staging_long_loops.value
    if loops is None or loops.unrolls_all or type(iterable) is not range:
        return False
    return len(iterable) * _USUAL > MANY


_long_generators: WeakKeyDictionary[Any, Callable[[Consumer], None]] = WeakKeyDictionary()


def note_long_generator(generator: Any, run: Callable[[Consumer], None]) -> None:
    """Note that ``run`` gives a consumer all elements but the first of a generator expression."""
    _long_generators[generator] = run


def first_and_rest(iterable: Any) -> tuple[Any, Any] | None:
    """Return the first item of a long generator expression, which is read to its end, and the rest.

    The rest is a stream where the first item is staged.  None for any other iterable.
    """
    run = _long_generators.pop(iterable, None) if type(iterable) is GeneratorType else None
    if run is None or getgeneratorstate(iterable) != GEN_CREATED:
        return None
    first, backend = next(iterable), tracing_backend()
    if backend is None or not backend.is_staged(first):
        return first, iterable

    def pass_on(consumer: Consumer) -> None:
        iterable.close()
        run(consumer)

    return first, StagedStream("a generator expression", pass_on)


_USUAL = 4
"""So many operations are those of a turn, or fewer, where they are not known yet."""


def exhaust(items: Any, stopped: Any) -> None:
    """Let an iterator of the program's be where a staged loop over its numbers leaves it."""
    if stopped is not None:
        raise ConcreteValueError(
            "a staged value ends the loop over an iterator: how many items are left is not known",
            where=user_line(),
            help="loop over the range itself",
        )
    items.__setstate__(2**62)  # the end, if that is nearer


def note_exception(error: BaseException) -> None:
    """Note that an exception is staged: it may have been raised because a number is."""
    loops = staging_long_loops.value
    if loops is None or not loops.any or isinstance(error, LookupError | ArithmeticError):
        return  # about what a number is, not about its being staged
    loops.doubtful = loops.doubtful or not is_deliberate(error)


def is_deliberate(error: BaseException) -> bool:
    """Whether a ``raise`` or ``assert`` of converted code has raised an exception."""
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    if traceback is None or isinstance(error, AssertionError):
        return True
    code = traceback.tb_frame.f_code
    return is_converted(code) and code.co_code[traceback.tb_lasti] == _RAISE


_RAISE = dis.opmap["RAISE_VARARGS"]


def is_decided_by_loops(test: Any, backend: Backend) -> bool:
    """Whether a test or a count, a number of Python's, may be staged only because a loop is."""
    loops = staging_long_loops.value
    return loops is not None and loops.stages_numbers and backend.python_type(test) is not None


def note_final_state(before: Outcome, after: Outcome, heap: Heap) -> None:
    """Note whether a loop that is staged leaves staged values where Python leaves known ones."""
    loops = staging_long_loops.value
    if loops is None or not joining_exactly.value or loops.gives_numbers:
        return
    pairs = [*zip(before.values, after.values, strict=True)]
    pairs += [(heap.before(slot), value) for slot, value in after.effects.items()]
    loops.gives_numbers = any(
        new is not old and not heap.backend.is_staged(old) for old, new in pairs
    )
