"""What Python checks of the keywords of a call, as converted code does it for staged ones."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any


def check_known(
    found: Mapping[Any, Any], known: Collection[str] | None, given: Collection[str], name: str
) -> None:
    """Raise TypeError for keywords that are no parameters, unless None, or ``given`` by place."""
    for keyword in found:
        if keyword in given:
            raise TypeError(f"{name}() got multiple values for argument '{keyword}'")
        if known is not None and keyword not in known:
            raise TypeError(f"{name}() got an unexpected keyword argument '{keyword}'")


def check_empty(found: Mapping[Any, Any]) -> None:
    """Raise TypeError for keywords that are no texts, where there are any."""
    if len(found) > 0:
        raise TypeError("keywords must be strings")


def check_once(found: Mapping[Any, Any], others: Collection[str], name: str) -> None:
    """Raise TypeError for keywords that are among those beside ``**found``."""
    for keyword in others:
        if keyword in found:
            raise TypeError(f"{name}() got multiple values for keyword argument '{keyword}'")


def check_complete(
    found: Mapping[Any, Any], required: Collection[str], kind: str, name: str
) -> None:
    """Raise TypeError where a required parameter is not among the keywords."""
    missing = [f"'{keyword}'" for keyword in required if keyword not in found]
    count = len(missing)
    if count == 1:
        raise TypeError(f"{name}() missing 1 required {kind} argument: {missing[0]}")
    if count == 2:
        words = f"{missing[0]} and {missing[1]}"
        raise TypeError(f"{name}() missing 2 required {kind} arguments: {words}")
    if count > 2:
        words = ", ".join(missing[:-1]) + f", and {missing[-1]}"
        raise TypeError(f"{name}() missing {count} required {kind} arguments: {words}")
