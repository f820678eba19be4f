"""Methods of Python's texts that are given staged values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from autograph.operators.calls.list_methods import join as join_staged
from autograph.operators.containers.strings import as_now, format_mapping, is_staged, str_
from autograph.operators.iteration.spreads import is_unsized
from autograph.staging.registry import python_type
from autograph.staging.staged_list import kind_of
from autograph.staging.staged_map import StagedMap
from autograph.staging.staged_string import FormattedPart, StagedText
from autograph.staging.staged_union import of_each_kind
from autograph.staging.unsupported import example


def _format_of(pattern: str) -> Callable[..., Any]:
    def format(*args: Any, **kwargs: Any) -> Any:
        if not (any(map(is_staged, args)) or any(map(is_staged, kwargs.values()))):
            return pattern.format(*args, **kwargs)
        count, names = len(args), tuple(kwargs)

        def format_with(*values: Any) -> str:
            return pattern.format(*values[:count], **dict(zip(names, values[count:], strict=True)))

        return StagedText(
            (FormattedPart(format_with, tuple(map(as_now, (*args, *kwargs.values())))),)
        )

    return format


def _format_map_of(pattern: str) -> Callable[[Any], Any]:
    def format_map(mapping: Any, /) -> Any:
        if kind_of(mapping) is not dict or isinstance(mapping, StagedMap):
            return pattern.format_map(mapping)
        return format_mapping(mapping, pattern.format_map)

    return format_map


def _join_of(separator: str) -> Callable[[Iterable[Any]], Any]:
    def join(iterable: Any, /) -> Any:
        if is_unsized(iterable):
            return join_staged(separator, iterable)
        items = list(iterable) if hasattr(iterable, "__iter__") else iterable
        text = of_each_kind(join, items) if type(items) is list else NotImplemented
        if text is not NotImplemented:
            return text
        if type(items) is not list or not any(map(_is_staged_text, items)):
            return separator.join(map(example, items) if type(items) is list else items)
        text = StagedText(())
        for number, item in enumerate(items):
            if _is_staged_text(item):
                item = str_(item)
            elif not isinstance(item, str):
                return separator.join([*[""] * number, example(item)])  # Python's error
            text += separator + item if number else item
        return text

    return join


_METHODS = {"format": _format_of, "format_map": _format_map_of, "join": _join_of}


def _is_staged_text(value: Any) -> bool:
    """Whether a value stands for a Python text that is known at run time."""
    return type(value) is StagedText or python_type(value) is str


def method(bound: Any) -> Any:
    """Return what to call instead of a method of a ``str``."""
    stand_in = _METHODS.get(bound.__name__)
    return bound if stand_in is None else stand_in(bound.__self__)
