"""``raise``, and exceptions of Python's own, on a path that depends on a staged value.

During tracing an exception propagates through the user's frames as in Python, past the handlers on
the path itself.  Where it leaves the path, ``path_tracing`` stages it: it is raised at run time if
control reaches that point.
"""

from __future__ import annotations

import os
import sys
import threading
from typing import Any

from autograph.diagnostics.internal_faults import is_internal
from autograph.diagnostics.runtime_exceptions import is_stand_in
from autograph.diagnostics.user_frame import PACKAGE_FOLDER, raised_at, user_line
from autograph.errors import AutoGraphError, EffectError, RunTimeLimit
from autograph.operators.control.faults import blames
from autograph.operators.control.long_loops import note_exception
from autograph.operators.control.protected_lines import inside_try
from autograph.operators.control.with_statements import refuse_in_with
from autograph.operators.state.closure_cells import Raised
from autograph.operators.state.unroll_limits import staged_raises
from autograph.staging.protocol import Backend
from autograph.staging.staged_union import StagedUnion


def raise_stmt(exception: Any) -> Any:
    """Return the exception to raise now, noted as one that the program itself raises."""
    if isinstance(exception, StagedUnion):
        exception.ag__apply_to_each(_throw)
    if isinstance(exception, type) and issubclass(exception, BaseException):
        exception = exception()
    if isinstance(exception, BaseException) and not isinstance(exception, Exception):
        _own.exception = exception
    return exception


class _Own(threading.local):
    """Last exception, not an Exception, that a ``raise`` of the program raised."""

    exception: BaseException | None = None


_own = _Own()


def _throw(exception: Any) -> None:
    raise raise_stmt(exception)


def pass_on() -> None:
    """Raise again a staging error that a jump out of a ``finally`` would discard."""
    error = sys.exc_info()[1]
    if isinstance(error, AutoGraphError):
        raise error


def stage_raise(backend: Backend, exception: BaseException) -> None:
    """Record that the current path raises ``exception``; its traceback gives the line."""
    statement, where = f"raise {type(exception).__name__}", raised_at(exception)
    refuse_in_try(statement, where)
    refuse_in_with(statement, (type(exception),), where)
    note_exception(exception)
    staged_raises.count += 1
    backend.raise_(exception)


def stages(error: BaseException, backend: Backend) -> bool:
    """Stage an exception that the program itself raises; return False for any other."""
    if isinstance(error, Raised):
        return True  # it is staged already
    if not is_raised_by_user(error, backend):
        return False
    stage_raise(backend, error)
    return True


def is_raised_by_user(error: BaseException, backend: Backend) -> bool:
    """Whether the program itself raises an error, on Python values, when control gets there.

    Other errors are faults of staging and are raised at once: errors of autograph, errors of the
    backend about types and shapes, and errors of Python about a value that is only staged.
    """
    if isinstance(error, RunTimeLimit):
        return True
    if isinstance(error, (AutoGraphError, RecursionError, MemoryError)):
        return False
    if is_stand_in(error) or isinstance(error, IndexError):
        return True  # staging does not decide whether a known index is in range
    if is_internal(error):
        return False
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    file = "" if traceback is None else traceback.tb_frame.f_code.co_filename
    if file.startswith(_MACHINERY) or backend.folder is not None and file.startswith(
        backend.folder
    ):
        return False
    if isinstance(error, (TypeError, AttributeError, ValueError)) and blames(error, backend):
        return False
    return isinstance(error, (Exception, SystemExit)) or error is _own.exception


_MACHINERY = tuple(
    os.path.join(PACKAGE_FOLDER, "operators", *name.split("/")) + ".py"
    for name in (
        "calls/recursion", "control/locate_errors", "control/path_tracing", "control/staged_try",
        "control/try_statements", "state/closure_cells", "state/heap", "state/holders",
    )
)
"""Files in which Python's exceptions are about the stage they carry out, and not about values."""


def refuse_in_try(statement: str, where: tuple[str, int] | None = None) -> None:
    """Refuse to stage an exception inside a Python ``try`` that could catch it.

    Handlers of a ``try`` that is not converted run while tracing; a staged exception is raised
    later.
    """
    place = inside_try()
    if place is not None:
        raise EffectError(
            f"'{statement}' depends on a staged value inside the 'try' of line {place[1]}, whose "
            "handlers cannot run in a graph",
            where=where or user_line(),
            help="move it out of the 'try', or return a flag and test the flag",
        )
