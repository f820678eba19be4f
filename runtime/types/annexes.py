"""Annexes: rooms that the core does not need, and that may be absent with their public names.

The core is types, ops, eager, graph, engine, control_flow, autodiff, functions, staging and state;
it knows the classes of annexes by protocol and registration only.  Lists of public names import
those of an annex inside ``optional_annex()``, and explain names that are TensorFlow's alone.
"""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Callable, Iterator
from typing import Any

ANNEXES = (
    "array_api",
    "compat",
    "composite",
    "containers",
    "data",
    "distribute",
    "experimental",
    "export",
    "keras",
    "summaries",
    "testing",
    "train",
)


def is_missing_annex(error: ModuleNotFoundError) -> bool:
    """Return whether an import failed because an annex is not installed."""
    return error.name in [f"runtime.{annex}" for annex in ANNEXES]


@contextlib.contextmanager
def optional_annex() -> Iterator[None]:
    """Skip the rest of a block of imports if an annex is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        if not is_missing_annex(error):
            raise


_ADDED: dict[str, str] = {}


def add_names(module: str, source: str) -> None:
    """Let a public module have the public names of another one, of a room that it does not know."""
    _ADDED[module] = source


def added_names(module: str) -> dict[str, Any]:
    """Return what ``add_names`` gave a module; nothing if that annex is not installed."""
    with optional_annex():
        source = importlib.import_module(_ADDED[module])
        return {name: getattr(source, name) for name in source.__all__}
    return {}


def explained(module: str, lookup: Callable[[str], Any] | None = None) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a public module: it says what to use instead of TensorFlow's
    names that the module has not.  ``lookup`` finds names that are made by need.
    """

    def attribute(name: str) -> Any:
        try:
            if lookup is not None:
                return lookup(name)
            raise AttributeError(f"module {module!r} has no attribute {name!r}", name=name)
        except AttributeError as error:
            from runtime.types.absent_names import absence

            text = absence(module, name)
            if not text:
                raise
            raise AttributeError(f"{error}: {text}", name=name) from None

    return attribute
