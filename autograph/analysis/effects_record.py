"""Effects of pieces of code on variables, as bit masks over the symbols of a function.

A *part* is what one node of the control-flow graph executes: a simple statement, a test, the
target of an assignment.  ``expression_effects`` and ``statement_effects`` fill these
records in; ``scopes``, ``liveness`` and ``reaching_definitions`` read them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import gast


@dataclass(slots=True, eq=False)
class Effects:
    """Effects of a statement or expression, with all that is inside it; sets are bit masks."""

    reads: int = 0
    writes: int = 0
    deletes: int = 0
    called: int = 0
    """The plain names that are called."""
    calls: bool = False
    suspends: bool = False

    def add(self, added: Effects) -> None:
        """Add the effects of another one."""
        self.reads |= added.reads
        self.writes |= added.writes
        self.deletes |= added.deletes
        self.called |= added.called
        self.calls |= added.calls
        self.suspends |= added.suspends


@dataclass(slots=True, eq=False)
class Part(Effects):
    """Effects of a node of the control-flow graph, from its start to its end."""

    exposed: int = 0
    """Plain names whose value from before the part matters to it."""
    assigned: int = 0
    """Plain names that certainly have a new value when the part is done."""
    captures: int = 0
    """Plain names that functions made here keep hold of."""
    loads: list[gast.Name] = field(default_factory=list)
    """The nodes that read ``exposed`` names, but for targets."""
