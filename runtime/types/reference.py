"""References to tensors and variables, which are no keys themselves: ``x == y`` is a tensor."""

from __future__ import annotations

from typing import Any


class Reference:
    """A hashable reference to a tensor, for use as a key: equal when it is the same tensor."""

    __slots__ = ("_tensor",)

    def __init__(self, tensor: Any) -> None:
        self._tensor = tensor

    def deref(self) -> Any:
        """The tensor."""
        return self._tensor

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reference) and other._tensor is self._tensor

    def __hash__(self) -> int:
        return id(self._tensor)
