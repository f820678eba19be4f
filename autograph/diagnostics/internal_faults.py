"""Tells exceptions that our own code raises by mistake from those of what the user's code does.

Operators do what the user's code asks for, and let its exceptions through.  A mistake of our own is
an ``InternalFaultError``, which names the user's line; no handler of the user's may catch it.
"""

from __future__ import annotations

import contextlib
import linecache
import opcode
import sys
from collections.abc import Iterator
from pathlib import PurePath
from types import TracebackType

from autograph.diagnostics.user_frame import is_own, raised_at
from autograph.errors import InternalFaultError

_INSTRUCTIONS = ("BINARY_SUBSCR", "UNPACK_SEQUENCE", "UNPACK_EX", "FOR_ITER")
_INSIDE = frozenset((
    "analysis", "autodiff", "control_flow", "conversion", "converters", "engine", "functions",
    "graph", "joins", "state",
))  # fmt: skip
"""Rooms whose code takes apart no value of the user's as the user's code asks."""


def is_internal(error: BaseException) -> bool:
    """Whether an exception is a mistake of our own: what the user's code does cannot raise it."""
    innermost = error.__traceback__
    while innermost is not None and innermost.tb_next is not None:
        if innermost.tb_next.tb_frame.f_code.co_name == "__getattr__":
            break  # which raises what its caller gets
        innermost = innermost.tb_next
    if innermost is None or not is_own(innermost.tb_frame.f_code.co_filename):
        return False
    if isinstance(error, AssertionError):
        code = innermost.tb_frame.f_code
        return linecache.getline(code.co_filename, innermost.tb_lineno).strip().startswith("assert")
    instruction = _instruction(innermost)
    if isinstance(error, AttributeError):
        reads = instruction.startswith(("LOAD_ATTR", "LOAD_METHOD"))
        return reads and (_is_inside(innermost) or _is_ours(type(error.obj)))
    if isinstance(error, UnboundLocalError):
        return instruction.startswith("LOAD_FAST")
    if isinstance(error, (IndexError, KeyError, TypeError, ValueError)):
        return instruction in _INSTRUCTIONS and _is_inside(innermost)
    return False


@contextlib.contextmanager
def internal_errors(name: str) -> Iterator[None]:
    """Turn mistakes of our own in this block, which traces the function ``name``, into
    InternalFaultErrors.
    """
    try:
        yield
    except Exception as error:
        if not is_internal(error):
            raise
        raise InternalFaultError(
            f"{name} could not be staged: {type(error).__name__}: {error}",
            where=raised_at(error),
            help="this is a fault of autograph or runtime, and not of the function: please report "
            "it with the function. Until it is mended, write the line in another way, or call the "
            "function as plain Python",
        ) from error


def _instruction(innermost: TracebackType) -> str:
    return opcode.opname[innermost.tb_frame.f_code.co_code[innermost.tb_lasti]]


def _is_inside(innermost: TracebackType) -> bool:
    return not _INSIDE.isdisjoint(PurePath(innermost.tb_frame.f_code.co_filename).parts)


def _is_ours(kind: type) -> bool:
    return is_own(getattr(sys.modules.get(kind.__module__), "__file__", None) or "")
