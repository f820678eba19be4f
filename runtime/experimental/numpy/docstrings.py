"""Docstrings of ``experimental.numpy``: arguments are NumPy's, so that one text serves them all."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any

SECTIONS = """

Args:
    {names}: as NumPy's; tensors, arrays, lists or numbers stand for arrays.
Returns:
    {result}.
"""
_RESULTS = {"bool": "Python's True or False", "int": "Python's int", "None": "None"}
"""By the annotation: what a function returns that returns no tensors."""


def complete(functions: Iterable[Callable[..., Any]]) -> None:
    """Add what arguments and results are to docstrings that do not say it.

    A paragraph that begins with ``ValueError:`` becomes the section of errors.
    """
    for function in functions:
        text, _, reason = (inspect.getdoc(function) or "").partition("\n\nValueError: ")
        if "Returns:" in text:
            continue
        parameters = inspect.signature(function).parameters.values()
        names = ", ".join(p.name for p in parameters)
        annotation = str(function.__annotations__.get("return", ""))
        result = _RESULTS.get(annotation, "Tensor of the dtype that NumPy gives, or several")
        sections = SECTIONS.format(names=names, result=result)
        if not names:
            sections = f"\n\nReturns:\n    {result}.\n"
        raised = f"Raises:\n    ValueError: {reason}\n" if reason else ""
        function.__doc__ = text + sections + raised
