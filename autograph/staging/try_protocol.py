"""Staging of ``try``: what a ``try`` statement offers to a backend, and what a backend implements.

An optional part of the staging protocol; ``operators.control.staged_try`` implements ``StagedTry``.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from autograph.staging.state_spec import Spec, StateSpec

Raises = BaseException | tuple[type[BaseException], ...]
"""The exception of a ``raise`` statement, or the classes that an operation may raise."""


class StagedTry(Protocol):
    """``try`` statement that a backend stages.

    While the body is traced, the backend calls ``state_before`` for each operation that may raise
    (in the body or in paths inside it) and saves the values.  After the body runs one of several
    paths: path 0 is the ``else`` clause, paths 1, 2 ... are the handlers.
    """

    def trace_body(self) -> None:
        """Trace the body.  The backend calls this in a new trace."""

    def state_before(self, raises: Raises) -> list[Any] | None:
        """Return the values to save before an operation that may raise; None if no handler catches
        it.

        ``saved_specs`` describes the values.  Called in the trace that records the operation.
        """

    def is_resolved(self) -> bool:
        """Return whether all saved values fit ``saved_specs``; if not, trace the body again."""

    @property
    def saved_specs(self) -> Sequence[Spec]:
        """Return the specs of the saved values."""

    @property
    def handler_specs(self) -> Sequence[Sequence[Spec]]:
        """Return, for each handler, the specs of the values it takes from its exception."""

    def body_outputs(self) -> tuple[StateSpec, list[Any]]:
        """Return the inputs of the ``else`` clause.  Called in the trace of the body."""

    def trace_else(self, values: Sequence[Any]) -> None:
        """Trace the ``else`` clause, which runs when nothing was raised."""

    def trace_handler(self, number: int, values: Sequence[Any]) -> None:
        """Trace handler ``number``, from 0, for the saved values and the exception's values."""

    def join(self) -> StateSpec:
        """Return the joined layout of the outcomes of all paths, which have been traced."""

    def outputs(self, path: int) -> list[Any]:
        """Return the outcome of a path, laid out as :meth:`join` says.  Called in the path's trace.
        """

    # -- at run time ------------------------------------------------------------------------------

    def find_handler(self, error: BaseException) -> tuple[int, list[Any]] | None:
        """Return the handler that catches an exception and the exception's values, or None."""

    def handling(self, error: BaseException) -> AbstractContextManager[Any]:
        """Run a handler in this block; a bare ``raise`` in it raises the exception again."""


class StagesTries:
    """What a backend implements for ``try``; without it, exceptions in one are an error."""

    staged_types: tuple[str, ...] = ()
    """The names of the classes of staged values.

    A TypeError of Python's that names one of them is a fault of staging, not of the program.
    """

    stages_tries = False
    """Whether the backend implements the methods below."""

    notes_failures = False
    """Whether it implements ``mark``, ``failures`` and ``declared_failures``, but no more: a staged
    exception that a handler would catch is then refused."""

    def mark(self) -> Any:
        """Return a checkpoint of the current trace; from now on, operations that may raise are
        listed.
        """
        raise NotImplementedError

    def failures(self, mark: Any) -> tuple[type[BaseException], ...]:
        """Return the exception classes of operations recorded since ``mark``; ends the listing."""
        raise NotImplementedError

    def declared_failures(self, mark: Any) -> dict[type[BaseException], None]:
        """Return the exception classes that operations recorded since ``mark`` are known to raise:
        keys of a dict, which grows, and from which may be deleted what is caught.
        """
        raise NotImplementedError

    def recorded(self, mark: Any) -> bool:
        """Return whether anything was recorded since ``mark``."""
        raise NotImplementedError

    def rollback(self, mark: Any) -> None:
        """Remove the operations recorded since ``mark``."""
        raise NotImplementedError

    def try_(self, statement: StagedTry) -> Any:
        """Stage a ``try`` statement and return the values of the joined outcome.

        The body is traced until ``is_resolved()``; each other path is traced once.  At run time the
        body runs; its operations that may raise run in program order, whether or not their values
        are needed.  Then the ``else`` clause runs with the body's outputs; after an exception, the
        handler that ``find_handler`` returns runs with the values that were saved last.
        """
        raise NotImplementedError
