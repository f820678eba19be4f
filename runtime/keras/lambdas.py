"""Lambdas in files, as Keras writes them: Python's bytecode, which is run only if asked for.

They are refused unless the block, or ``enable_unsafe_deserialization``, says otherwise.
"""

from __future__ import annotations

import builtins
import codecs
import contextlib
import marshal
import threading
import types
from collections.abc import Iterator
from typing import Any

from runtime.types.errors import DataLossError

_always = {"safe": True}


class _SafeModes(threading.local):
    safe: bool | None = None


_modes = _SafeModes()


def enable_unsafe_deserialization() -> None:
    """Let configurations and files run the code of lambdas that they hold, from now on.

    Returns:
        None.
    """
    _always["safe"] = False


@contextlib.contextmanager
def safe_mode_of(safe: bool | None) -> Iterator[None]:
    """Block in which lambdas are refused, or read; None changes nothing."""
    before = _modes.safe
    if safe is not None and before is None:
        _modes.safe = safe
    try:
        yield
    finally:
        _modes.safe = before


def is_lambda(function: Any) -> bool:
    """Return whether a function is a lambda, which has no name to be found by."""
    return isinstance(function, types.FunctionType) and function.__name__ == "<lambda>"


def dumped(function: Any) -> tuple[str, Any, Any]:
    """Return the code of a lambda as text, its defaults, and what is in its cells."""
    code = codecs.encode(marshal.dumps(function.__code__), "base64").decode("ascii")
    cells = tuple([cell.cell_contents for cell in function.__closure__ or ()]) or None
    return code, function.__defaults__, cells


def loaded(code: Any, defaults: Any = None, closure: Any = None) -> Any:
    """Return the lambda of ``dumped``; ValueError in safe mode, DataLossError for what is none.

    It sees no names of the module that it was written in.
    """
    safe = _modes.safe
    if safe is not False and _always["safe"]:
        raise ValueError(
            "Requested the deserialization of a Python lambda, of a Lambda layer for example. This "
            "is arbitrary code execution, so that it is refused by default. If you trust the file, "
            "pass `safe_mode=False` to the loading function, or call "
            "`keras.config.enable_unsafe_deserialization()`."
        )
    if isinstance(code, list | tuple):
        code, defaults, closure = code
    try:
        code_object = marshal.loads(codecs.decode(code.encode("ascii"), "base64"))
    except (ValueError, EOFError, TypeError, AttributeError):
        code_object = None
    if not isinstance(code_object, types.CodeType):
        raise DataLossError(
            "the code of a lambda is not readable: it is damaged, or was written by another "
            "version of Python"
        )
    cells = tuple([types.CellType(value) for value in closure or ()])
    return types.FunctionType(
        code_object,
        {"__builtins__": builtins},
        code_object.co_name,
        tuple(defaults or ()) or None,
        cells,
    )
