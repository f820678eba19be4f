"""Streams: the results of staged generator expressions, ``filter`` and generator functions.

The number of items is known only at run time, so a stream is not read item by item.  Instead a
consumer, such as the body of a loop, is passed to the stream, which runs it for each item inside
its own staged loops and conditions.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterator
from typing import Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError, RelatedLine
from autograph.operators.state.closure_cells import Symbols
from autograph.syntax.data_classes import dataclass


@dataclass(frozen=True)
class Consumer:
    """Consumer of a stream: ``body(item)`` runs for each item and may return BREAK, as in ``for``.

    ``names`` are the variables that it changes, in the closures of ``owners``.  With ``unroll`` the
    loop is unrolled where the number of items is known.
    """

    body: Callable[[Any], Any]
    names: Symbols
    owners: tuple[Any, ...]
    unroll: bool = False


class StagedStream:
    """Stream of items: ``run(consumer)`` passes them on; ``pull()`` iterates in Python if possible.

    ``once``: the items are staged, so a second loop cannot continue after the first one.
    """

    __stateful__ = True
    resumable = False
    """Whether ``next`` asks plain Python for an item, so that another one can follow."""

    def __init__(
        self,
        what: str,
        run: Callable[[Consumer], None],
        pull: Callable[[], Iterator[Any] | None] | None = None,
        once: bool = True,
    ) -> None:
        self.what = what
        self.run = run
        self.pull = pull
        self.once = once
        self.take: Callable[[], Any] | None = None
        """Gives the next item; UNDEFINED, or perhaps undefined, where there is none."""
        self.used: Any = False
        self.iterator: Iterator[Any] | None = None

    def drive(self, consumer: Consumer) -> None:
        """Call the consumer for each item."""
        if self.once:
            self.use()
        self.run(consumer)

    def use(self) -> None:
        """Refuse to continue where an earlier loop has stopped: the position is staged."""
        if self.used is not False:
            raise ConcreteValueError(
                f"{self.what} of staged values was looped over before, and which items are left is "
                "not known",
                where=user_line(),
                help="create it again for the second loop",
            )
        self.used = True

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        if self.iterator is None:
            if self.once:
                self.use()
            self.iterator = None if self.pull is None else self.pull()
            if self.iterator is None:
                raise self.unknown("iterated over in plain Python")
        try:
            return next(self.iterator)
        except ConcreteValueError as error:
            raise self._advanced(error) from None

    def _advanced(self, error: ConcreteValueError) -> ConcreteValueError:
        """Tell an error that the code of the generator runs as plain Python, and from where."""
        where = user_line()
        if where is not None and not error.related_lines:
            role, text = "which takes the next item", linecache.getline(*where).strip()
            error.related_lines = (RelatedLine(*where, role, text),)
            error.help = (
                f"loop over {self.what} with `for`, which stages its code: next() runs it as plain "
                "Python"
            )
        return error

    def __getattr__(self, name: str) -> Any:
        """Return what else a generator has."""
        if name in ("send", "throw", "close", "gi_frame", "gi_running", "gi_code"):
            pull = self.__dict__.get("pull")
            if pull is not None and not self.once:
                self.iterator = self.iterator or pull()
                return getattr(self.iterator, name)
            raise ConcreteValueError(
                f"{self.what} of staged values cannot be asked for its {name!r}: its code is "
                "staged by the loop over it",
                where=user_line(),
                help=f"loop over {self.what} with 'for'",
            )
        raise AttributeError(f"'generator' object has no attribute {name!r}")

    def unknown(self, what: str) -> Exception:
        """Return the error for an operation that needs the number of items."""
        return ConcreteValueError(
            f"{self.what} of staged values cannot be {what}: its number of items is known only at "
            "run time",
            where=user_line(),
            help="loop over it with 'for' in a converted function, or take its sum(), max(), "
            "any(), all() or next()",
        )

    def __repr__(self) -> str:
        return f"<{self.what} of staged values>"
