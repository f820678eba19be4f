"""Descriptions of printed values and raised exceptions: templates (graph/text_templates.py).

For staging/print_raise.py, which falls back on a function where none describes them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from autograph.staging import FormattedPart, StagedText
from runtime.graph.operation import SymbolicTensor
from runtime.graph.text_templates import (
    PLAIN,
    DescribedException,
    NotedException,
    Template,
    exception_class,
)
from runtime.types import errors


class Undescribed(Exception):
    """A value that no template stands for."""


def described(value: Any, numbers: Iterator[int]) -> Template:
    """Return the template of a value; its tensors count from ``numbers``; else Undescribed."""
    if type(value) in PLAIN:
        return "value", value
    if isinstance(value, StagedText):
        return "text", tuple([_piece(piece, numbers) for piece in value.parts])
    if type(value) is SymbolicTensor:
        return "tensor", next(numbers), value.weak
    raise Undescribed


def _piece(piece: Any, numbers: Iterator[int]) -> Any:
    if isinstance(piece, str):
        return piece
    if isinstance(piece, FormattedPart):
        raise Undescribed
    value, conversion, form = piece
    return described(value, numbers), conversion, described(form, numbers)


def described_exception(
    exception: BaseException, arguments: Sequence[Any]
) -> DescribedException | None:
    """Return the maker of an exception whose class and arguments a text can hold; else None."""
    if exception.__cause__ is not None or exception.__suppress_context__:
        return None
    cls = type(exception)
    args: tuple[Any, ...] = exception.args
    notes = tuple(getattr(exception, "__notes__", ()))
    if isinstance(exception, errors.OpError):
        if args != (exception.message,):
            return None
    elif vars(exception).keys() - {"__notes__"}:
        return None
    numbers = iter(range(len(arguments)))
    try:
        templates = tuple([described(arg, numbers) for arg in args])
        if exception_class(cls.__name__) is not cls or next(numbers, None) is not None:
            return None
        if notes:
            return NotedException(cls.__name__, templates, notes, exception, arguments)
    except (Undescribed, ValueError, StopIteration):
        return None
    return DescribedException(cls.__name__, templates, exception, arguments)
