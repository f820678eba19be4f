"""``keras.name_scope``: the names that paths of weights begin with, ``sequential/dense/kernel``.

They are apart from TensorFlow's name scopes, which name operations and a session's variables.
"""

from __future__ import annotations

import threading
from typing import Any, Self

__all__ = ["current_path", "name_scope"]


class _EnteredScopes(threading.local):
    def __init__(self) -> None:
        self.entered: list[name_scope] = []


_scopes = _EnteredScopes()


class name_scope:
    """Context manager that puts a name before those of weights which are made within.

    Args:
        name: the name, without "/".
        caller: object that the scope is of: entered again right within, it adds no name.
        deduplicate: whether that is so.
        override_parent: path that takes the place of the scopes around.

    Raises:
        ValueError: for another name.
    """

    def __init__(
        self, name: str, caller: Any = None, deduplicate: bool = True,
        override_parent: str | None = None,
    ) -> None:  # fmt: skip
        if not isinstance(name, str) or "/" in name:
            raise ValueError(
                "Argument `name` must be a string and cannot contain character `/`. "
                f"Received: name={name}"
            )
        self.name = name
        self.caller = caller
        self.deduplicate = deduplicate
        self.override_parent = override_parent
        self._is_entered = False

    def __enter__(self) -> Self:
        around = _scopes.entered[-1] if _scopes.entered else None
        again = (
            self.deduplicate and around is not None and self.caller is not None
            and self.caller is around.caller and self.name == around.name
        )  # fmt: skip
        if not again:
            _scopes.entered.append(self)
            self._is_entered = True
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_entered:
            self._is_entered = False
            _scopes.entered.pop()


def current_path() -> str:
    """Return the names of the scopes around, joined by "/"."""
    names: list[str] = []
    for scope in _scopes.entered:
        if scope.override_parent is not None:
            names = [name for name in scope.override_parent.split("/") if name]
        names.append(scope.name)
    return "/".join(names)
