"""Effects of pieces of code on variables, as bit masks over the symbols of a function.

A *part* is what one node of the control-flow graph executes: a simple statement, a test, the
target of an assignment.  ``expression_effects`` and ``statement_effects`` fill these
records in; ``scopes``, ``liveness`` and ``reaching_definitions`` read them.
"""

from __future__ import annotations

import gast


class Effects:
    """What a statement or expression may do, with all that is inside it; sets are bit masks."""

    __slots__ = ("reads", "writes", "deletes", "called", "calls", "suspends")

    def __init__(self) -> None:
        self.reads = self.writes = self.deletes = 0
        self.called = 0
        """The plain names that are called."""
        self.calls = False
        self.suspends = False

    def add(self, other: Effects) -> None:
        """Do what ``other`` does, too."""
        self.reads |= other.reads
        self.writes |= other.writes
        self.deletes |= other.deletes
        self.called |= other.called
        self.calls |= other.calls
        self.suspends |= other.suspends


class Part(Effects):
    """What a node of the control-flow graph does, from its start to its end."""

    __slots__ = ("exposed", "assigned", "captures", "loads")

    def __init__(self) -> None:
        super().__init__()
        self.exposed = 0
        """Plain names whose value from before the part matters to it."""
        self.assigned = 0
        """Plain names that certainly have a new value when the part is done."""
        self.captures = 0
        """Plain names that functions made here keep hold of."""
        self.loads: list[gast.Name] = []
        """The nodes that read ``exposed`` names, but for targets."""
