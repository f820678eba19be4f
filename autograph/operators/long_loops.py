"""Loops that Python can run while tracing, but that would record many operations if it did.

    for i in range(1000):        # 'i' is known, so the loop could be unrolled
        total += a[i]

Python runs the first turn.  If it records operations and many turns are left, the others become one
staged loop.  What is staged computes as Python does only for whoever stages Python's own numbers,
so that is who asks for it, with ``staging_long_loops``.  What a loop cannot give exactly as Python
does, it must not give: then the function is traced again, and the loop is unrolled.  ``loops`` asks
here what to do; ``path_tracing`` and the joins report what may be inexact.
"""

from __future__ import annotations

import dis
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType
from typing import Any

from autograph.errors import NeverReturnsError
from autograph.operators.joins.exact_joins import joining_exactly
from autograph.operators.state.closure_cells import Raised
from autograph.operators.unroll_limits import numbers_left
from autograph.staging.protocol import Backend
from autograph.staging.registry import tracing_backend
from autograph.syntax.code_markers import is_added, is_converted
from autograph.syntax.thread_setting import ThreadSetting

MANY = 100
"""So many operations take as long to trace as a staged loop does."""

MOST = 100_000
"""So many operations take minutes: what would need more is not unrolled but refused."""

_TOO_LONG = f"unrolled, the loop would record more than {MOST:,} operations: its numbers are staged"

ROUNDS = 8
"""So many loops are unrolled one by one, each after a trace that failed; then all are."""


class LongLoops:
    """Loops of a function that a trace stages, and those that it must unroll."""

    def __init__(self) -> None:
        self._unrolled: dict[CodeType, tuple[CodeType, ...]] = {}
        """The bodies of loops that were not staged, with the staged loops around them."""
        self._unrolls_all = False
        self._rounds = 0
        self.begin()

    def begin(self) -> None:
        """Start another trace."""
        self._around: tuple[CodeType, ...] = ()
        self._turns = 1
        self._failed: tuple[CodeType, tuple[CodeType, ...]] | None = None
        self._saved = 0
        self.any = False
        """Whether the trace has staged any loop that it could have unrolled."""
        self.doubtful = False
        """Whether an exception was staged that plain numbers might not have raised."""

    @property
    def is_inside(self) -> bool:
        """Whether the body of such a loop is being traced."""
        return bool(self._around)

    def stages(self, code: CodeType) -> bool:
        """Whether the loop with such a body may be staged."""
        return not (self._unrolls_all or code in self._unrolled)

    @contextmanager
    def staging(self, code: CodeType, turns: int, work: int) -> Iterator[None]:
        """Stage a loop in the block, instead of ``turns`` that record so many operations."""
        around, before = self._around, self._turns
        self._around, self._turns = (*around, code), before * turns
        self._saved += self._turns * work
        self.any = True
        try:
            with joining_exactly(True):
                yield
        except (Raised, NeverReturnsError):
            raise
        except BaseException as error:
            if self._failed is None and self._saved > MOST:
                error.add_note(f"note: {_TOO_LONG}")
            self._failed = self._failed or (code, around)
            raise
        finally:
            self._around, self._turns = around, before

    def unroll_more(self) -> bool:
        """Unroll, from now on, what the last trace staged in vain; whether that may help."""
        if self._failed is None or self._rounds == ROUNDS:
            return self.unroll_all()
        if self._saved > MOST:
            return False
        self._rounds += 1
        code, around = self._failed
        inside = [one for one, its in self._unrolled.items() if code in its]
        for one in inside:  # it may be staged in a loop that is unrolled
            del self._unrolled[one]
        self._unrolled[code] = around
        return True


    def unroll_all(self) -> bool:
        """Stage no such loop from now on; whether the last trace staged any, and few enough."""
        if not self.any or self._saved > MOST:
            return False
        self._unrolls_all = True
        return True


staging_long_loops = ThreadSetting[LongLoops | None](None)
"""``with staging_long_loops(loops)``: stage loops of many turns within the block."""


class Turns:
    """Turns of one loop that Python has run while tracing, and what they recorded."""

    def __init__(self, loops: LongLoops, code: CodeType, backend: Backend) -> None:
        self.loops = loops
        self.backend = backend
        self._code = code
        self._start = backend.recorded_operations()
        self._count = 0
        self._work = 0

    def rest(self, items: Iterator[Any]) -> range | None:
        """Return the numbers that are left after one more turn, if they are to be staged."""
        self._note()
        left = numbers_left(items) if self._work else None
        if left is None or len(left) < 2 or len(left) * self._work <= MANY * self._count:
            return None
        return left

    def are_many(self) -> bool:
        """Whether the loop has recorded so much, after one more turn, that the rest is staged."""
        self._note()
        return self._work > MANY and self._count > 1

    def _note(self) -> None:
        self._count += 1
        self._work = self.backend.recorded_operations() - self._start

    def staging(self, turns: int = 1) -> Any:
        """Stage the other turns within the block."""
        return self.loops.staging(self._code, turns, self._work // self._count)


def turns_of(body: Any) -> Turns | None:
    """Return the turns of a loop of the user's that may be staged, with this body."""
    loops = staging_long_loops.value
    if loops is None or not is_added(body.__code__) or not loops.stages(body.__code__):
        return None
    backend = tracing_backend()
    return None if backend is None else Turns(loops, body.__code__, backend)


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


def is_decided_by_numbers(test: Any, backend: Backend) -> bool:
    """Whether a test, which numbers of Python's decide, may be staged only because a loop is."""
    loops = staging_long_loops.value
    return loops is not None and loops.is_inside and backend.python_type(test) is not None
