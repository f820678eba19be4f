"""Measured choice: whether calls with one kind of arguments run as plain Python or staged.

``JitFunction`` asks it before each call, and tells it the times and what went wrong.  The rule is
that of renting or buying skis: calls run as plain Python until they have taken as long as staging
is expected to, so staging never costs more than as much again.  Then both ways take turns, no call
runs twice, and the faster way stays.
"""

from __future__ import annotations

import math

PLAIN, STAGE, NATIVE = "plain", "stage", "native"
"""The ways of a call: as plain Python; staged first, then as machine code; as machine code."""

TRIALS = 3
"""Calls by each way before the faster one is chosen."""

CLEARLY = 2.0
"""Two calls are enough where machine code is so many times faster."""

LONG = 0.05
"""Seconds of a plain call that shows enough to need no other."""

ENTRY = 5e-7
"""Seconds that the entry of machine code takes before it calls the code."""

GROWTH = 4.0
"""A call that takes so many times as long as any before is one with larger arguments."""

SHORTEST_GROWN = 1e-4
"""Seconds of a call for which it pays to think again."""

MOST_FAILURES = 2
"""Calls of machine code that end in an error where Python gives a value."""


class MeasuredChoice:
    """Choice for the calls with one kind of arguments.

    plain    seconds of the latest call as plain Python, of the fastest one in a trial; infinite:
             there was none
    native   seconds of the fastest call as machine code
    reason   why calls run as plain Python; empty as long as that may change
    """

    def __init__(self, due: float) -> None:
        """Begin as plain Python; ``due`` is the time in seconds that staging is expected to take.
        """
        self.plain = self.native = math.inf
        self.reason = ""
        self.due = due
        """Seconds of plain calls after which calls are staged."""
        self.owed = 0.0
        """Seconds of plain calls since the last attempt to stage."""
        self.longest = 0.0
        """Seconds of the longest call as plain Python."""
        self.plain_calls = self.native_calls = 0
        """Calls of both ways during the trial."""
        self.on_trial = False
        self.is_native = False
        """Whether machine code was chosen."""
        self._is_warm = False
        """Whether machine code has run before."""
        self._failures = 0

    @property
    def is_settled(self) -> bool:
        """Whether calls run as plain Python until their arguments grow."""
        return bool(self.reason) and not self.is_native

    def way(self) -> str:
        """Return the way of the next call."""
        if self.is_native:
            return NATIVE
        if self.on_trial:
            return NATIVE if self.native_calls <= self.plain_calls else PLAIN
        return STAGE if not self.reason and self.owed >= self.due else PLAIN

    def begin_trial(self) -> None:
        """Let both ways take turns: there is machine code now.

        A long plain call before counts; a short one may have been the first of its code.
        """
        self.on_trial, self.is_native = True, False
        self.native, self.native_calls, self._is_warm = math.inf, 0, False
        self.plain_calls = int(LONG <= self.plain < math.inf)

    def postpone(self, seconds: float) -> None:
        """Wait until plain calls have taken ``seconds``, since staging takes so long."""
        self.due = max(self.due, seconds)

    def restage(self) -> None:
        """Stage once more: there is no machine code for the arguments, which differ in size.

        Each time costs plain calls that take twice as long.
        """
        self.due = max(2 * self.due, 0.1)
        self.owed = 0.0
        self.on_trial = self.is_native = False

    def note_plain(self, seconds: float) -> None:
        """Note the time of a call as plain Python."""
        self.owed += seconds
        self.longest = max(self.longest, seconds)
        if not self.on_trial:
            self.plain = seconds
            return
        self.plain = min(self.plain, seconds) if self.plain_calls else seconds
        self.plain_calls += 1
        self._decide()

    def note_native(self, seconds: float) -> None:
        """Note the time of a call as machine code; the first one has more to do than others."""
        if not self.on_trial:
            return
        if not self._is_warm:
            self._is_warm = True
            return
        self.native = min(self.native, seconds)
        self.native_calls += 1
        self._decide()

    def _decide(self) -> None:
        """End the trial once it shows which way is faster."""
        calls = min(self.plain_calls, self.native_calls)
        native = self.native + ENTRY
        is_clear = native * CLEARLY < self.plain
        if calls >= TRIALS or (calls and self.native_calls > 1 and is_clear):
            self.on_trial = False
            self.is_native = native < self.plain
            if not self.is_native:
                self.reason = (
                    f"machine code took {format_seconds(self.native)} a call, and Python "
                    f"{format_seconds(self.plain)}"
                )

    def refuse(self, reason: str) -> None:
        """Run as plain Python from now on, for a reason that sizes do not change."""
        self.reason, self.on_trial, self.is_native = reason, False, False

    def note_failure(self, reason: str) -> None:
        """Note that machine code raised an error where Python gives a value."""
        self._failures += 1
        if self._failures >= MOST_FAILURES:
            self.refuse(reason)

    @property
    def growth(self) -> float:
        """Seconds of a plain call that is longer than any before, so that the choice is old."""
        return max(GROWTH * self.longest, SHORTEST_GROWN)

    def look_again(self) -> None:
        """Try machine code again, since arguments have grown: the latest call took long."""
        if self.is_settled and math.isfinite(self.native):
            self.reason = ""
            self.begin_trial()


    def description(self) -> str:
        """Return the way of calls, the reason and the times of both ways, as text."""
        executed_as = "machine code" if self.is_native else "plain Python"
        if self.on_trial:
            executed_as = "plain Python and machine code in turns, to measure them"
        times = [
            f"{name} {format_seconds(seconds)} a call"
            for name, seconds in (("Python", self.plain), ("machine code", self.native))
            if math.isfinite(seconds)
        ]
        reason = f": {self.reason}" if self.reason else ""
        return f"{executed_as} ({', '.join(times) or 'not timed yet'}){reason}"


def format_seconds(seconds: float) -> str:
    """Return a time as text, with its unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.0f} ns"
