"""What Python checks of the arguments of a call, as converted code does it for staged ones."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any


def check_least(size: Any, texts: Sequence[tuple[int, str]]) -> None:
    """Raise TypeError for a number of arguments that is too small; each such has its text."""
    if size <= texts[-1][0]:
        for number, text in texts[:-1]:
            if size == number:
                raise TypeError(text)
        raise TypeError(texts[-1][1])


def check_most(size: Any, most: int, one_more: str, more: tuple[str, str, int] | str) -> None:
    """Raise TypeError for more than so many arguments.

    ``more`` is the text for two more at least, or what it says before and behind their number, and
    how many count besides.
    """
    if size > most:
        if size == most + 1:
            raise TypeError(one_more)  # which may speak of one argument
        if isinstance(more, str):
            raise TypeError(more)
        before, behind, plural = more
        raise TypeError(f"{before}{size + plural}{behind}")


def check_known(
    spread: Mapping[Any, Any], names: Collection[str] | None, by_place: Collection[str], name: str
) -> None:
    """Raise TypeError for keywords not among ``names``, unless that is None, or given by place."""
    for keyword in spread:
        if keyword in by_place:
            raise TypeError(f"{name}() got multiple values for argument '{keyword}'")
        if names is not None and keyword not in names:
            raise TypeError(f"{name}() got an unexpected keyword argument '{keyword}'")


def check_empty(spread: Mapping[Any, Any]) -> None:
    """Raise TypeError for keywords that are no texts, where there are any."""
    if len(spread) > 0:
        raise TypeError("keywords must be strings")


def check_once(spread: Mapping[Any, Any], names: Collection[str], name: str) -> None:
    """Raise TypeError for keywords that are among those beside ``**found``."""
    for keyword in names:
        if keyword in spread:
            raise TypeError(f"{name}() got multiple values for keyword argument '{keyword}'")


def check_complete(
    spread: Mapping[Any, Any], required: Collection[str], kind: str, name: str
) -> None:
    """Raise TypeError where a required parameter is not among the keywords."""
    missing = [f"'{keyword}'" for keyword in required if keyword not in spread]
    count = len(missing)
    if count == 1:
        raise TypeError(f"{name}() missing 1 required {kind} argument: {missing[0]}")
    if count == 2:
        words = f"{missing[0]} and {missing[1]}"
        raise TypeError(f"{name}() missing 2 required {kind} arguments: {words}")
    if count > 2:
        words = ", ".join(missing[:-1]) + f", and {missing[-1]}"
        raise TypeError(f"{name}() missing {count} required {kind} arguments: {words}")
