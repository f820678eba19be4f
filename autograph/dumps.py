"""What ``AUTOGRAPH_DEBUG`` and ``AUTOGRAPH_DUMP`` show of conversions, as they happen."""

from __future__ import annotations

import os
import re
import sys
import threading
import types

from autograph import flags


def note(function: types.FunctionType, what: str) -> None:
    """Tell what becomes of a function, when AUTOGRAPH_DEBUG asks for it."""
    if flags.DEBUG.value:
        code = function.__code__
        where = f"{code.co_filename}:{code.co_firstlineno}"
        print(f"autograph: {function.__qualname__} ({where}): {what}", file=sys.stderr)


def dump(function: types.FunctionType, text: str) -> str:
    """Write the generated source of a function into the folder of AUTOGRAPH_DUMP.

    Returns the path.  Raises ValueError when the folder cannot be written to.
    """
    directory = flags.DUMP.value
    assert directory is not None
    code = function.__code__
    path = os.path.join(directory, _name(function))
    head = f"# converted from {code.co_filename}:{code.co_firstlineno}\n"
    try:
        os.makedirs(directory, exist_ok=True)
        _write(path, head + text)
    except OSError as error:
        raise ValueError(
            f"AUTOGRAPH_DUMP is {directory!r}, where nothing can be written: {error}"
        ) from None
    return path


def _write(path: str, text: str) -> None:
    """Write a file in one step: who reads it meanwhile sees the old text or the new one."""
    import tempfile  # 4 ms that no other import of the package needs

    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(path), suffix=".part")
    try:
        with open(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


_names: dict[str, list[tuple[str, int, int]]] = {}
_lock = threading.Lock()


def _name(function: types.FunctionType) -> str:
    """``module.qualname.py``; functions of one name are numbered in the order of conversion."""
    code = function.__code__
    stem = f"{function.__module__ or 'unknown'}.{function.__qualname__}".replace("<locals>.", "")
    stem = re.sub(r"[^\w.-]", "_", stem)[:150]
    place = code.co_filename, code.co_firstlineno, hash(code)
    with _lock:
        places = _names.setdefault(stem, [])
        if place not in places:
            places.append(place)
        number = places.index(place)
    return f"{stem}.{number + 1}.py" if number else f"{stem}.py"
