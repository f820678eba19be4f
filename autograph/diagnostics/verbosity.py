"""Logs conversions (``set_verbosity``, the flags) and prints values during tracing (``trace``)."""

from __future__ import annotations

import os
import re
import sys
import types

from autograph import flags
from autograph.syntax.fork_safe_lock import fork_safe_lock

_WITH_SOURCE = 3  # generated source is shown from this verbosity on
_also_to_stdout = False


def set_verbosity(level: int, alsologtostdout: bool = False) -> None:
    """Set how much is written about conversions: the flag AUTOGRAPH_VERBOSITY, for all threads.

    Args:
        level: 0 for nothing; 1 for the functions that are converted or not, and why; 3 also for the
            generated source.
        alsologtostdout: whether to write to stdout as well as to stderr.
    Returns:
        None.
    Raises:
        ValueError: the level is no integer of 0 or more.
    """
    global _also_to_stdout
    if not isinstance(level, int) or level < 0:
        raise ValueError(f"the level must be a number of 0 or more, got {level!r}")
    flags.VERBOSITY.value = int(level)
    _also_to_stdout = bool(alsologtostdout)


def trace(*args: object) -> None:
    """Print arguments while a function is traced, symbolic tensors included.

    Under eager execution it prints on each call, staged once for each trace.

    Args:
        args: values.
    Returns:
        None.
    """
    print(*args)


def note(function: types.FunctionType, what: str) -> None:
    """Log what happens to a function, when a flag requests it."""
    if flags.DEBUG.value or flags.VERBOSITY.value:
        code = function.__code__
        where = f"{code.co_filename}:{code.co_firstlineno}"
        _tell(f"autograph: {function.__qualname__} ({where}): {what}")


def shows_source() -> bool:
    """Whether the verbosity includes generated source."""
    return flags.VERBOSITY.value >= _WITH_SOURCE


def note_source(function: types.FunctionType, text: str) -> None:
    """Log the generated source of a function."""
    note(function, f"its source is\n\n{text}")


def _tell(text: str) -> None:
    print(text, file=sys.stderr)
    if _also_to_stdout:
        print(text)


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
            f"AUTOGRAPH_DUMP names {directory!r}, which cannot be written to: {error}"
        ) from None
    return path


def _write(path: str, text: str) -> None:
    """Write a file atomically: a concurrent reader sees the old text or the new one."""
    import tempfile  # these imports cost 4 ms, and nothing else in the package needs them

    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(path), suffix=".part")
    try:
        with open(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


_names: dict[str, list[tuple[str, int, int]]] = {}
_lock = fork_safe_lock()


def _name(function: types.FunctionType) -> str:
    """Return ``module.qualname.py``; equal names are numbered in the order of conversion."""
    code = function.__code__
    stem = f"{function.__module__ or 'unknown'}.{function.__qualname__}".replace("<locals>.", "")
    stem = re.sub(r"[^\w.-]", "_", stem)[:150]
    location = code.co_filename, code.co_firstlineno, hash(code)
    with _lock:
        places = _names.setdefault(stem, [])
        if location not in places:
            places.append(location)
        number = places.index(location)
    return f"{stem}.{number + 1}.py" if number else f"{stem}.py"
