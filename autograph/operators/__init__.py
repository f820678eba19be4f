"""The operators that converted code calls as ``ag__``: one function for each Python construct.

They are imported on first use (namespaces.py): who needs one of the rooms below loads no other.
"""

from __future__ import annotations

from importlib import import_module

from autograph.conversion import convert_hook


def _load() -> None:
    """Bring the operators for all features."""
    namespaces = import_module("autograph.operators.namespaces")
    names = ("call", "converter", "namespace", "starred")
    values = {name: getattr(namespaces, name) for name in names}
    globals().update(namespaces.OPERATORS, **values)


convert_hook.use_later(_load)


def __getattr__(name: str) -> object:
    if not name.startswith("__"):
        _load()
        if name in globals():
            return globals()[name]
    raise AttributeError(f"module 'autograph.operators' has no attribute {name!r}")


def __dir__() -> list[str]:
    _load()
    return sorted(globals())
