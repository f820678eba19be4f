"""``compat.v1.logging``: TensorFlow 1's messages, by Python's module ``logging``.

They go to the logger ``runtime``, which ``get_logger`` returns, on standard error.
"""

from __future__ import annotations

import logging as _logging
import sys
from collections import Counter
from typing import Any

DEBUG, INFO, WARN, ERROR, FATAL = 10, 20, 30, 40, 50

__all__ = [
    "DEBUG", "ERROR", "FATAL", "INFO", "WARN", "debug", "error", "fatal", "flush", "get_logger",
    "get_verbosity", "info", "log", "log_every_n", "log_first_n", "log_if", "set_verbosity",
    "vlog", "warn", "warning",
]  # fmt: skip

_COUNTS: Counter[tuple[str, int]] = Counter()


def get_logger() -> _logging.Logger:
    """Return the logger of TensorFlow's messages.

    Returns:
        Logger of Python's, which writes to standard error unless the program handles messages.
    """
    logger = _logging.getLogger("runtime")
    if not logger.handlers and not _logging.getLogger().handlers:
        handler = _logging.StreamHandler(sys.stderr)
        handler.setFormatter(_logging.Formatter("%(levelname)s:%(name)s:%(message)s"))
        logger.addHandler(handler)
    return logger


def log(level: int, msg: str, *args: Any, **kwargs: Any) -> None:
    """Write a message of a level, ``msg % args``.

    Args:
        level: DEBUG, INFO, WARN, ERROR or FATAL.
        msg: text.
        args: what it is filled with.
        kwargs: arguments of Python's ``Logger.log``.
    Returns:
        None.
    """
    get_logger().log(level, msg, *args, **kwargs)


def debug(msg: str, *args: Any, **kwargs: Any) -> None:
    """Write a message of the level DEBUG.

    Args:
        msg: text.
        args: what it is filled with.
        kwargs: arguments of Python's ``Logger.log``.
    Returns:
        None.
    """
    log(DEBUG, msg, *args, **kwargs)


def info(msg: str, *args: Any, **kwargs: Any) -> None:
    """Write a message of the level INFO.

    Args:
        msg: text.
        args: what it is filled with.
        kwargs: arguments of Python's ``Logger.log``.
    Returns:
        None.
    """
    log(INFO, msg, *args, **kwargs)


def warn(msg: str, *args: Any, **kwargs: Any) -> None:
    """Write a message of the level WARN.

    Args:
        msg: text.
        args: what it is filled with.
        kwargs: arguments of Python's ``Logger.log``.
    Returns:
        None.
    """
    log(WARN, msg, *args, **kwargs)


def error(msg: str, *args: Any, **kwargs: Any) -> None:
    """Write a message of the level ERROR.

    Args:
        msg: text.
        args: what it is filled with.
        kwargs: arguments of Python's ``Logger.log``.
    Returns:
        None.
    """
    log(ERROR, msg, *args, **kwargs)


def fatal(msg: str, *args: Any, **kwargs: Any) -> None:
    """Write a message of the level FATAL; the program goes on.

    Args:
        msg: text.
        args: what it is filled with.
        kwargs: arguments of Python's ``Logger.log``.
    Returns:
        None.
    """
    log(FATAL, msg, *args, **kwargs)


warning = warn


def vlog(level: int, msg: str, *args: Any, **kwargs: Any) -> None:
    """Write a message of a level of Python's ``logging``.

    Args:
        level: number.
        msg: text.
        args: what it is filled with.
        kwargs: arguments of Python's ``Logger.log``.
    Returns:
        None.
    """
    log(level, msg, *args, **kwargs)


def log_if(level: int, msg: str, condition: bool, *args: Any) -> None:
    """Write a message if a condition holds.

    Args:
        level: DEBUG, INFO, WARN, ERROR or FATAL.
        msg: text.
        condition: whether to write.
        args: what the text is filled with.
    Returns:
        None.
    """
    if condition:
        log(level, msg, *args)


def _count_of_caller() -> int:
    """How often the caller's line was here before."""
    frame: Any = sys._getframe(2)
    place = frame.f_code.co_filename, frame.f_lineno
    _COUNTS[place] += 1
    return _COUNTS[place] - 1


def log_every_n(level: int, msg: str, n: int, *args: Any) -> None:
    """Write a message once in so many calls of this line.

    Args:
        level: DEBUG, INFO, WARN, ERROR or FATAL.
        msg: text.
        n: number of calls.
        args: what the text is filled with.
    Returns:
        None.
    """
    log_if(level, msg, _count_of_caller() % n == 0, *args)


def log_first_n(level: int, msg: str, n: int, *args: Any) -> None:
    """Write a message in the first calls of this line.

    Args:
        level: DEBUG, INFO, WARN, ERROR or FATAL.
        msg: text.
        n: number of calls.
        args: what the text is filled with.
    Returns:
        None.
    """
    log_if(level, msg, _count_of_caller() < n, *args)


def set_verbosity(v: int | str) -> None:
    """Set the least level of messages that are written.

    Args:
        v: DEBUG, INFO, WARN, ERROR or FATAL, or the name of a level.
    Returns:
        None.
    """
    get_logger().setLevel(v)


def get_verbosity() -> int:
    """Return the least level of messages that are written.

    Returns:
        Level.
    """
    return get_logger().getEffectiveLevel()


def flush() -> None:
    """Bring what was written to its files.

    Returns:
        None.
    """
    for handler in get_logger().handlers:
        handler.flush()
