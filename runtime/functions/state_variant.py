"""Variants of a function's state: the slots that calls carry, for one set of objects.

Used by ``carrying_function``, which keeps the variants of each call.
"""

from __future__ import annotations

from typing import Any

from autograph import staging
from runtime.functions.cache_key import equal_by_value
from runtime.functions.carried_state import CarriedSlot, SlotInput
from runtime.functions.signature import BoundCall


class StateVariant:
    """Slots that calls carry while the same references lead to the objects that hold them.

    number   tells variants of one call apart in the keys of traces
    """

    def __init__(self, number: int, slots: list[CarriedSlot], staged: bool = False) -> None:
        self.number = number
        self.slots = slots
        self.links: list[Any] = []
        self.arguments: list[staging.ObjectAttributes] = []
        """The arguments that the key of the call compares by their own ``__eq__``."""
        self.staged = staged
        """Whether slots were added that are only read, as numbers that change."""

    @property
    def depends(self) -> bool:
        """Whether calls depend on anything besides their arguments."""
        return bool(self.slots or self.links)

    @property
    def is_gone(self) -> bool:
        """Whether an object with one of the slots does not exist any more."""
        return any(state.slot.is_gone for state in self.slots)

    def holds(self, call: BoundCall) -> bool:
        """Whether a call would reach the same objects."""
        return self.takes(call) and not self.broken_links() and not self.is_gone

    def takes(self, call: BoundCall) -> bool:
        """Whether the arguments of a call are the same, not only equal."""
        if not self.arguments:
            return True
        identity, arguments = bool(self.slots), equal_by_value(call.leaves)
        return all(
            mine.same(its, identity) for mine, its in zip(self.arguments, arguments, strict=True)
        )

    def note_arguments(self, call: BoundCall) -> None:
        """Note the arguments of the call that the variant is for."""
        self.arguments = equal_by_value(call.leaves)

    def broken_links(self) -> list[Any]:
        """The links that refer to other objects by now."""
        return [link for link in self.links if not link.holds]

    def read(self) -> list[SlotInput]:
        """What the slots hold now."""
        return [state.read() for state in self.slots]
