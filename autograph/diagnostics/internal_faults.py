"""Tells exceptions that our own code raises by mistake from those of what the user's code does.

Operators do what the user's code asks for, and let its exceptions through.  A mistake of our own is
an ``InternalFaultError``, which names the user's line; no handler of the user's may catch it.
"""

from __future__ import annotations

import contextlib
import linecache
import opcode
import re
import sys
from collections.abc import Iterator
from pathlib import PurePath
from types import TracebackType

from autograph.diagnostics.user_frame import is_own, raised_at, user_line
from autograph.errors import AutoGraphError, ConcreteValueError, InternalFaultError

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
    if "joins" in PurePath(innermost.tb_frame.f_code.co_filename).parts:
        return not isinstance(error, AutoGraphError)  # no expression of the user's joins values
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
        if speaks_of_staging(error):
            raise ConcreteValueError(
                f"{name} needs a value that is known only at run time: {_in_words(error)}",
                where=raised_at(error),
                help="write it with the operators and functions that are staged, or compute it "
                "outside of the staged function and pass the result",
            ) from error
        if not is_internal(error):
            raise
        raise as_fault(error, name) from error


def as_fault(error: BaseException, name: str) -> InternalFaultError:
    """Return the error that says that what is called ``name`` met a mistake of our own."""
    return InternalFaultError(
        f"{name} could not be staged: {type(error).__name__}: {error}",
        where=raised_at(error) or user_line(),
        help="this is a fault of autograph or runtime, and not of the function: please report "
        "it with the function. Until it is mended, write the line in another way, or call the "
        "function as plain Python",
    )


_STAGED = re.compile(
    r"\b(?:SymbolicTensor|SymbolicArray|MapView|Staged[A-Z]\w*|Traced[A-Z]\w*|_Unknown)\b"
)
"""Classes of ours that Python's own messages name: programs never see them."""


_NUMBERS = re.compile(r"\b(?:Symbolic\w+|StagedScalar)\b")
"""Classes of tensors and numbers, with operators of their own."""


def speaks_of_staging(error: BaseException) -> bool:
    """Whether Python, or C code that asked it, says of a staged value that it is of a wrong class.
    """
    if isinstance(error, AutoGraphError):
        return False
    if error.__cause__ is not None and speaks_of_staging(error.__cause__):
        return True
    if not isinstance(error, TypeError):
        return False
    text = str(error)
    if "unsupported operand" in text or "not supported between" in text:
        text = _NUMBERS.sub("", text)  # a concrete value could not be combined with that, either
    return _STAGED.search(text) is not None


def _in_words(error: BaseException) -> str:
    if error.__cause__ is not None and speaks_of_staging(error.__cause__):
        return _in_words(error.__cause__)
    return _STAGED.sub("a staged value", str(error))


def _instruction(innermost: TracebackType) -> str:
    return opcode.opname[innermost.tb_frame.f_code.co_code[innermost.tb_lasti]]


def _is_inside(innermost: TracebackType) -> bool:
    return not _INSIDE.isdisjoint(PurePath(innermost.tb_frame.f_code.co_filename).parts)


def _is_ours(kind: type) -> bool:
    return is_own(getattr(sys.modules.get(kind.__module__), "__file__", None) or "")
