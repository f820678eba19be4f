"""The names and collections of a graph: unique names, name scopes, lookup by name.

A part of Graph that stands on its own: it knows nothing of how operations are recorded.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import Any

_VALID_NAME = re.compile(r"[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*\Z")
_VALID_SCOPE = re.compile(r"[A-Za-z0-9_.\\/>-]*\Z")


class Names:
    """Gives operations unique names, as TensorFlow does: ``add``, ``add_1``, ``scope/add``."""

    def __init__(self) -> None:
        self.operations: dict[str, Any] = {}
        self.current = ""
        self._used: dict[str, int] = {}

    def unique(self, name: str, mark_as_used: bool = True) -> str:
        """A name nobody has yet, within the current scope; one ending in ``/`` is taken as is."""
        if name.endswith("/"):
            return name[:-1]
        full = f"{self.current}/{name}" if self.current else name
        key = full.lower()  # file systems and TensorBoard do not tell capitals apart
        used = self._used.get(key, 0)
        if not used:
            if not _VALID_NAME.match(full):
                raise ValueError(
                    f"{name!r} is not a valid name of an operation or scope: use letters, digits, "
                    "'.', '_', '-', '/' and start with a letter, digit or '.'"
                )
            if mark_as_used:
                self._used[key] = 1
            return full
        candidate = f"{full}_{used}"
        while candidate.lower() in self._used:
            used += 1
            candidate = f"{full}_{used}"
        if mark_as_used:
            self._used[key] = used + 1
            self._used[candidate.lower()] = 1
        return candidate

    @contextlib.contextmanager
    def scope(self, name: str | None) -> Iterator[str]:
        """Within the block, names start with the scope's; yields it with a trailing ``/``."""
        if name and not _VALID_SCOPE.match(name):
            raise ValueError(f"{name!r} is not a valid scope name")
        before = self.current
        if not name:
            self.current = ""
        else:
            self.current = name[:-1] if name.endswith("/") else self.unique(name)
        try:
            yield f"{self.current}/" if self.current else ""
        finally:
            self.current = before

    def operation(self, name: str) -> Any:
        """The operation of that name; ValueError for a tensor's name, KeyError for none."""
        if not isinstance(name, str):
            raise TypeError(f"Operation names are strings (or similar), not {type(name)}.")
        if ":" in name:
            raise ValueError(f"Name {name!r} looks like a tensor name, not an operation name.")
        if name not in self.operations:
            raise KeyError(
                f"The name {name!r} refers to an Operation not in the graph."
                + _suggest(name, self.operations)
            )
        return self.operations[name]

    def tensor(self, name: str) -> Any:
        """The tensor of a name such as ``add:0``; ValueError for other forms, KeyError for none."""
        if not isinstance(name, str):
            raise TypeError(f"Tensor names are strings (or similar), not {type(name)}.")
        operation_name, colon, number = name.rpartition(":")
        if not colon or not number.isdigit():
            raise ValueError(
                f"The name {name!r} is not a valid tensor name: expected '<op_name>:<output_index>'"
                f", such as '{name}:0'."
            )
        operation = self.operations.get(operation_name)
        if operation is None:
            raise KeyError(
                f"The name {name!r} refers to a Tensor which does not exist: there is no operation "
                f"{operation_name!r} in the graph." + _suggest(operation_name, self.operations)
            )
        if int(number) >= len(operation.outputs):
            raise KeyError(
                f"The name {name!r} refers to a Tensor which does not exist: operation "
                f"{operation_name!r} has {len(operation.outputs)} outputs."
            )
        return operation.outputs[int(number)]


def _suggest(name: str, known: dict[str, Any]) -> str:
    import difflib  # only for messages

    close = difflib.get_close_matches(name, known, 3)
    return f" Did you mean {' or '.join(map(repr, close))}?" if close else ""


class Collections:
    """Named lists that a graph carries along, as TensorFlow 1 does."""

    def __init__(self) -> None:
        self._collections: dict[Any, list[Any]] = {}

    @property
    def collections(self) -> list[Any]:
        """The names of the collections."""
        return list(self._collections)

    def get_all_collection_keys(self) -> list[str]:
        """The names of the collections that are strings."""
        return [key for key in self._collections if isinstance(key, str)]

    def add_to_collection(self, name: Any, value: Any) -> None:
        """Append a value to a collection."""
        self._collections.setdefault(name, []).append(value)

    def add_to_collections(self, names: Any, value: Any) -> None:
        """Append a value to several collections."""
        for name in (names,) if isinstance(names, str) else dict.fromkeys(names):
            self.add_to_collection(name, value)

    def get_collection_ref(self, name: Any) -> list[Any]:
        """The collection itself: changing the list changes it."""
        return self._collections.setdefault(name, [])

    def get_collection(self, name: Any, scope: str | None = None) -> list[Any]:
        """A copy of a collection; with ``scope``, the items whose names match it."""
        items = self._collections.get(name, [])
        if scope is None:
            return list(items)
        pattern = re.compile(scope)
        return [item for item in items if hasattr(item, "name") and pattern.match(item.name)]

    def clear_collection(self, name: Any) -> None:
        """Empty a collection."""
        self._collections.pop(name, None)
