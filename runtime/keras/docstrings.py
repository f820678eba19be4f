"""Sections of docstrings that many functions of one kind share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


def documented(result: str, raises: str = "", **parameters: str) -> Callable[[Function], Function]:
    """Return a decorator that adds the arguments, the result and the errors to a docstring."""

    def with_sections(function: Function) -> Function:
        lines = [f"    {name}: {text}.\n" for name, text in parameters.items()]
        sections = f"Args:\n{''.join(lines)}Returns:\n    {result}.\n"
        if raises:
            sections += f"Raises:\n    {raises}.\n"
        function.__doc__ = f"{function.__doc__}\n\n{sections}"
        return function

    return with_sections
