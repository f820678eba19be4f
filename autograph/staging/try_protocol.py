"""``try`` as backends stage it: what a staged ``try`` offers them, and what they have to do.

A part of the staging protocol; ``operators.tries`` makes the attempts.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from autograph.staging.state_spec import Spec, StateSpec

Raises = BaseException | tuple[type[BaseException], ...]
"""The exception that a ``raise`` makes, or the classes of what an operation may raise."""


class RunTimeLimit(Exception):
    """Mixed into errors of what a graph cannot do and Python can: no handler catches those."""


class Attempt(Protocol):
    """A ``try`` on its way to a backend.

    While ``body`` is traced, whatever may raise - in it, or in paths inside it - is announced to
    ``saved``, which gives the values to keep for the case that it does.  What runs afterwards -
    ``otherwise`` when nothing was raised, or else a handler - are the ways on: numbered from 0,
    ``otherwise`` first.
    """

    def body(self) -> None:
        """Trace the body, in a trace of its own."""

    def saved(self, raises: Raises) -> list[Any] | None:
        """The values, described by ``specs``, to keep before something that may raise.

        To be called in the trace where that is recorded; None when no handler would catch it.
        """

    def settled(self) -> bool:
        """Whether all that was saved has the layout of ``specs``; else trace the body again."""

    @property
    def specs(self) -> Sequence[Spec]:
        """What is saved."""

    @property
    def handlers(self) -> Sequence[Sequence[Spec]]:
        """For each handler, the values that it takes besides those saved, of its exception."""

    def ended(self) -> tuple[StateSpec, list[Any]]:
        """What the body leaves to ``otherwise``; to be called in the trace of the body."""

    def otherwise(self, values: Sequence[Any]) -> None:
        """Trace what runs when nothing was raised."""

    def handler(self, number: int, values: Sequence[Any]) -> None:
        """Trace a handler, numbered from 0, for the saved values and its own."""

    def join(self) -> StateSpec:
        """How the outcomes of all ways on, which were traced, are laid out."""

    def outputs(self, way: int) -> list[Any]:
        """The outcome of a way on as the values of :meth:`join`; to be called in its trace."""

    # -- at run time ------------------------------------------------------------------------------

    def chosen(self, error: BaseException) -> tuple[int, list[Any]] | None:
        """The handler for an exception, and what it takes of that; None when none catches it."""

    def handling(self, error: BaseException) -> AbstractContextManager[Any]:
        """While a handler runs for the exception, which it may raise again."""


class StagesTries:
    """What a backend does for ``try``; without it, exceptions inside one are refused."""

    staged_types: tuple[str, ...] = ()
    """The names of the classes of staged values.

    Where Python complains of one by name, the fault is staging's and not the program's.
    """

    stages_tries = False
    """Whether it can do so."""

    def mark(self) -> Any:
        """Remember what is recorded so far, and watch what is recorded from now on."""
        raise NotImplementedError

    def failures(self, mark: Any) -> tuple[type[BaseException], ...]:
        """The classes of what may be raised by what was recorded since ``mark``; stop watching."""
        raise NotImplementedError

    def recorded(self, mark: Any) -> bool:
        """Whether anything was recorded since ``mark``."""
        raise NotImplementedError

    def rollback(self, mark: Any) -> None:
        """Take back what was recorded since ``mark``."""
        raise NotImplementedError

    def try_(self, attempt: Attempt) -> Any:
        """Stage a ``try``; gives the values of the joined outcome.

        The body is traced, as often as ``settled`` asks for, what else there is once.  At run time
        the body runs; everything in it that may raise runs, in the program's order, whether or not
        its value is needed.  Then ``otherwise`` runs with the outcome; or, after an exception, the
        handler that is ``chosen``, with the values that were saved last.
        """
        raise NotImplementedError
