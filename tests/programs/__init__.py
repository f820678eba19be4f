"""Plain functions with inputs; ``tests/test_programs.py`` runs each every way.

A module lists them as ``CASES``, pairs of a function and its tuples of arguments.  With
``ONLY = "numbers"`` it is for plain numbers, staged on the tiny backend; with ``ONLY = "tensors"``
it is for the runtime.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

import pytest


def programs(kind: str) -> list[tuple[Any, list[Any]]]:
    """Every program that is for such values, with its inputs."""
    found: dict[Any, list[Any]] = {}
    for info in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{info.name}")
        if getattr(module, "ONLY", kind) == kind:
            for function, inputs in module.CASES:
                found.setdefault(function, []).extend(inputs)
    return list(found.items())


def cases(kind: str) -> list[Any]:
    """The parameters of a test for every program, and each of its inputs."""
    return [
        pytest.param(function, args, id=f"{function.__name__}{args}")
        for function, inputs in programs(kind)
        for args in inputs
    ]
