"""References to tensors and variables, which cannot be keys: ``x == y`` is a tensor."""

from __future__ import annotations

from typing import Any


class Reference:
    """Hashable reference to a tensor, for use as a key; equal for the same tensor only."""

    __slots__ = ("_tensor",)

    def __init__(self, tensor: Any) -> None:
        self._tensor = tensor

    def deref(self) -> Any:
        """Return the tensor."""
        return self._tensor

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reference) and other._tensor is self._tensor

    def __hash__(self) -> int:
        return id(self._tensor)
