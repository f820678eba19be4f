"""What a row of LIMITATIONS.md is: its title, a function, and an example input."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class Row(NamedTuple):
    """One line of the table; `argument` is a Python number or list, staged as a tensor."""

    title: str
    function: Callable[..., Any]
    argument: Any


ROWS: dict[str, Row] = {}


def row(title: str, argument: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: enters a function under its title in the table."""

    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        assert title not in ROWS, title
        ROWS[title] = Row(title, function, argument)
        return function

    return enter
