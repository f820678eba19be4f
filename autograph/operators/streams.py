"""Streams: what a staged generator expression, filter or generator function gives.

The items of a stream cannot be asked for one by one, because how many there are is only known at
run time.  Whoever wants them says what is to be done with each: a loop hands in its body, and the
stream runs it inside its own loops and conditions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from autograph.errors import ConcreteValueError
from autograph.operators.state import Stateful, Symbols
from autograph.places import user_place


@dataclass(frozen=True)
class Consumer:
    """What is done with each item: ``body(item)`` ends the loop by what it returns, as in ``for``.

    ``names`` are the variables that it changes, in the closures of ``owners``.
    """

    body: Callable[[Any], Any]
    names: Symbols
    owners: tuple[Any, ...]


class Stream(Stateful):
    """Items that ``run`` hands to a consumer; ``pull`` gives them to plain Python, if it can."""

    def __init__(
        self,
        what: str,
        run: Callable[[Consumer], None],
        pull: Callable[[], Iterator[Any]] | None = None,
    ) -> None:
        self.what = what
        self.run = run
        self.pull = pull
        self.take: Callable[[], Any] | None = None
        """Gives the next item; UNDEFINED, or perhaps undefined, where there is none."""
        self.used: Any = False
        self.pulled: Iterator[Any] | None = None

    def drive(self, body: Callable[[Any], Any], names: Symbols, owners: tuple[Any, ...]) -> None:
        """Run ``body`` for each item."""
        if self.pull is None:
            self.use()
        self.run(Consumer(body, names, owners))

    def use(self) -> None:
        """Refuse to go on where an earlier loop has stopped: where that was, nobody knows."""
        if self.used is not False:
            raise ConcreteValueError(
                f"{self.what} of staged values was looped over before; what is left of it is not "
                "known",
                where=user_place(),
                help="make it again for the second loop",
            )
        self.used = True

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        if self.pulled is None:
            if self.pull is None:
                raise self.unknown("iterated over in plain Python")
            self.pulled = self.pull()
        return next(self.pulled)

    def unknown(self, what: str) -> Exception:
        """The error for what needs the number of items."""
        return ConcreteValueError(
            f"{self.what} of staged values cannot be {what}: how many items it has is only known "
            "at run time",
            where=user_place(),
            help="loop over it with 'for' in a converted function, or take its sum(), max(), "
            "any(), all() or next()",
        )

    def __repr__(self) -> str:
        return f"<{self.what} of staged values>"
