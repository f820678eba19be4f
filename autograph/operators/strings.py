"""Texts made of values: f-strings, ``str``, ``repr`` and ``format``.

A text with a staged value in it is a ``StagedText``: it can be printed, raised, asserted and put
into other texts; its characters are known when the graph runs.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

from autograph.staging import StagedText, staging_backend


def fstring(*parts: Any) -> Any:
    """An f-string: its literal texts, and ``(value, conversion, format)`` for each field."""
    for part in parts:
        if type(part) is tuple and (is_staged(part[0]) or is_staged(part[2])):
            return StagedText(parts)
    text = StagedText(parts)
    return text.filled(text.values())


def is_staged(value: Any) -> bool:
    """Whether the text of a value is known only at run time."""
    return type(value) is StagedText or staging_backend(value) is not None


def str_(*args: Any, **kwargs: Any) -> Any:
    """``str``."""
    if len(args) == 1 and not kwargs and is_staged(args[0]):
        return StagedText(((args[0], "s", ""),))
    return str(*args, **kwargs)


def repr_(value: Any, /) -> Any:
    """``repr``."""
    return StagedText(((value, "r", ""),)) if is_staged(value) else repr(value)


def format_(value: Any, spec: Any = "", /) -> Any:
    """``format``."""
    if is_staged(value) or is_staged(spec):
        return StagedText(((value, "", spec),))
    return builtins.format(value, spec)


STAND_INS: dict[Any, Callable[..., Any]] = {str: str_, repr: repr_, builtins.format: format_}
