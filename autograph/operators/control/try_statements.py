"""``try``: runs in Python unless a recorded operation may raise what a handler catches.

    try:                          def try_body():
        y = 1 // x                    nonlocal y
    except ZeroDivisionError:         y = 1 // x
        y = 0               =>    def except_body():
                                      nonlocal y
                                      y = 0
                                  handlers = ((lambda: ZeroDivisionError, except_body),)
                                  ag__.try_stmt(try_body, handlers, None, None, ('y',))

While a backend is tracing, the body first runs in place.  If an operation in it may raise at run
time what a handler catches, the recorded operations are removed and the whole statement is staged.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from autograph.diagnostics.runtime_exceptions import is_stand_in
from autograph.diagnostics.user_frame import raised_at, user_line
from autograph.errors import AutoGraphError, EffectError, NeverReturnsError
from autograph.operators.control.faults import is_fault
from autograph.operators.control.path_tracing import Paths
from autograph.operators.control.staged_try import (
    Body,
    Handler,
    TracedTry,
    call_handler,
    caught_by,
    first_match,
    is_in_staged_try,
    may_catch,
)
from autograph.operators.control.with_statements import catching
from autograph.operators.state.closure_cells import Raised
from autograph.staging.protocol import Backend
from autograph.staging.registry import tracing_backend


def try_stmt(
    body: Body,
    handlers: Sequence[Handler] = (),
    else_body: Body | None = None,
    finally_body: Body | None = None,
    names: tuple[str, ...] = (),
    inner: tuple[str, ...] = (),
) -> None:
    """Run ``body`` with handlers for what it raises.

    ``names`` are the variables that the statement changes and that matter afterwards, ``inner``
    the others that matter in its handlers.
    """
    backend = tracing_backend()
    if backend is None or not backend.stages_tries:
        notes = backend is not None and backend.notes_failures
        run: Body = body
        if notes:
            assert backend is not None
            run = functools.partial(_refusing, backend, body, handlers, finally_body)
        _in_python(run, handlers, else_body, finally_body)
        return
    bodies = (body, *(run for _, run in handlers), else_body, finally_body)
    owners = tuple(a_body for a_body in bodies if a_body is not None)
    statement = _Try(backend, names, inner, owners)
    if finally_body is None:
        statement.run(body, handlers, else_body)
        return

    def inside() -> None:
        statement.run(body, handlers, else_body)

    _Try(backend, names, inner, owners).run_with_final(
        inside if handlers or else_body else body, finally_body
    )


def _refusing(
    backend: Backend, body: Body, handlers: Sequence[Handler], finally_body: Body | None
) -> None:
    """Run a body; refuse what is raised at run time if that would bring handlers into play."""
    mark = backend.mark()
    try:
        body()
    finally:
        raises = backend.failures(mark)
        if raises and (finally_body is not None or may_catch(handlers, raises)):
            clause = "finally" if finally_body is not None else "except"
            raise EffectError(
                f"'raise {raises[0].__name__}' depends on a staged value in a 'try', whose "
                f"'{clause}' runs while tracing: {backend.name} stages no 'try'",
                where=user_line(),
                help="test for the case with 'if', or return a flag and test the flag",
            )


def _in_python(
    body: Body, handlers: Sequence[Handler], else_body: Body | None, finally_body: Body | None
) -> None:
    if finally_body is not None:
        try:
            _in_python(body, handlers, else_body, None)
        finally:
            finally_body()
        return
    try:
        body()
    except (AutoGraphError, Raised):
        raise
    except BaseException as error:
        position = first_match(error, handlers)
        if position is None:
            raise
        call_handler(handlers[position][1], error)
        return
    if else_body is not None:
        else_body()


class _Try:
    """``try`` while a backend records: without ``finally``, or with nothing else."""

    def __init__(
        self, backend: Backend, names: tuple[str, ...], inner: tuple[str, ...],
        owners: tuple[Any, ...],
    ) -> None:
        self.backend = backend
        self.names = names
        self.every = (*names, *inner)
        self.owners = owners

    def run(
        self, body: Body, handlers: Sequence[Handler], else_body: Body | None
    ) -> None:
        """Run in place; then, if a handler may have to run at run time, once more, staged.

        Most bodies raise nothing at run time that a handler catches: those are traced once.
        """
        backend = self.backend
        paths = Paths(backend, self.every, self.owners)
        mark = backend.mark()
        raises: tuple[type[BaseException], ...] = ()
        try:
            try:
                with catching(caught_by(handlers)):
                    body()
            finally:
                raises = backend.failures(mark)
        # Not one function for here and ``run_with_final``: a handler runs inside the ``except``,
        # where a bare ``raise`` and ``sys.exc_info()`` of the program find the exception.
        except (Raised, NeverReturnsError):
            if not may_catch(handlers, raises):
                raise
        except BaseException as error:
            if is_fault(error, backend):
                raise
            if not may_catch(handlers, raises):
                position = first_match(error, handlers)
                if position is None:
                    raise
                call_handler(handlers[position][1], error)
                return
        else:
            if not may_catch(handlers, raises):
                if else_body is not None:
                    else_body()
                return
        self.stage(paths, mark, body, handlers, else_body)

    def stage(
        self, paths: Paths, mark: Any, body: Body, handlers: Sequence[Handler],
        else_body: Body | None,
    ) -> None:
        """Roll back what was recorded in place, and stage the statement."""
        self.backend.rollback(mark)
        try:
            paths.heap.check_iterators()
            paths.reset()
            statement = TracedTry(paths, len(self.names), body, handlers, else_body)
            outcome = statement.outcome(self.backend.try_(statement))
        except BaseException as error:
            paths.fail(error)
            raise
        paths.finish(outcome)

    def run_with_final(self, body: Body, final: Body) -> None:
        """Run ``body``, then ``final``, on every way out.

        A ``final`` that changes only Python state runs once, in place.
        """
        backend = self.backend
        paths = Paths(backend, self.every, self.owners)
        mark = backend.mark()
        raises: tuple[type[BaseException], ...] = ()
        try:
            try:
                with catching(()):
                    body()
            finally:
                raises = backend.failures(mark)
        except BaseException as error:
            if not self.has_effects(final) or not raises or is_fault(error, backend):
                raise
        else:
            if not self.has_effects(final) or not raises:
                return

        def again() -> None:
            try:
                final()
            except BaseException as error:
                if is_stand_in(error) or isinstance(error, (AutoGraphError, Raised)):
                    raise
                raise EffectError(
                    f"staged values decide how the 'try' ends, so its 'finally' is traced once "
                    f"for each possible end; tracing raised {error!r}",
                    where=raised_at(error) or user_line(),
                    help="keep Python's own effects, such as a lock, in a 'finally' of their own",
                ) from error

        def cleanup(error: BaseException) -> None:
            again()
            raise error

        self.stage(paths, mark, body, ((None, cleanup),), again)

    def has_effects(self, final: Body) -> bool:
        """Run ``final`` in place; return whether its effects have to happen at run time."""
        paths = Paths(self.backend, self.every, self.owners)
        mark = self.backend.mark()
        try:
            final()
        finally:
            self.backend.failures(mark)
        return self.backend.recorded(mark) or (is_in_staged_try() and paths.changed())
