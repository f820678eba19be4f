"""Liveness analysis: the variables whose value may still be read after a statement.

Uses ``scopes`` and ``cfg``.  It determines the variables that a branch or loop must return.
"""

from __future__ import annotations

from collections.abc import Iterable

import gast

from autograph.analysis.cfg import EXIT, ControlFlowGraph
from autograph.analysis.effects_record import Part
from autograph.analysis.scopes import FunctionScope

FRAME_READERS = ("locals", "vars", "dir", "eval", "exec", "breakpoint")
"""Builtins that may read every variable of the function that calls them."""


class Liveness:
    """Variables are live as names; paths such as ``self.x`` are always live, for what they
    lead to is visible elsewhere, and so are ``global`` and ``nonlocal`` variables.

    A variable that an inner function refers to is live from the making of that function on.
    """

    needs = (FunctionScope, ControlFlowGraph)

    def __init__(
        self, function_node: gast.AST, scopes: FunctionScope, cfg: ControlFlowGraph
    ) -> None:
        self._scopes, self._cfg = scopes, cfg
        self._always = scopes.declared_mask | scopes.symbols.paths
        part_effects = scopes.walk.parts
        nothing = Part()
        steps = [nothing if section is None else part_effects[section] for section in cfg.parts]
        self._live = self._flow_back(steps)
        if scopes.captured:
            self._add_captured(steps)

    def live_in(self, statement: gast.stmt) -> frozenset[str]:
        """Return the symbols that are live before a statement; a loop's iterable comes after that.
        """
        return self._scopes.symbols.names(self._mask(self._cfg.entries_of(statement)))

    def live_out(self, statement: gast.stmt) -> frozenset[str]:
        """Return the symbols that are live after a statement, on any path that leaves it."""
        return self._scopes.symbols.names(self.mask_out(statement))

    def live_at_head(self, loop: gast.stmt) -> frozenset[str]:
        """Return the symbols that are live at the start of each iteration of a loop."""
        return self._scopes.symbols.names(self.mask_at_head(loop))

    def mask_out(self, statement: gast.stmt) -> int:
        """Return ``live_out`` as a bit mask."""
        self._cfg.entries_of(statement)
        return self._mask(self._cfg.followers[statement])

    def mask_at_head(self, loop: gast.stmt) -> int:
        """Return ``live_at_head`` as a bit mask."""
        self._cfg.entries_of(loop)
        return self._mask(self._cfg.heads[loop])

    def _mask(self, nodes: Iterable[int]) -> int:
        mask = self._always
        for node in nodes:
            mask |= self._live[node]
        return mask

    def _flow_back(self, steps: list[Part]) -> list[int]:
        """Return the live variables before each node."""
        cfg, own_mask = self._cfg, self._scopes.bound_mask
        readers = self._scopes.symbols.mask(FRAME_READERS) & ~own_mask
        needed = [
            own_mask if step.called & readers else (step.exposed | step.captures) & own_mask
            for step in steps
        ]
        unassigned = [~(step.assigned | step.deletes) for step in steps]
        live = [0] * len(steps)
        changed = True
        while changed:  # the graph was built from its end: without loops, one pass is enough
            changed = False
            for node, successors in enumerate(cfg.successors):
                after = 0
                for successor in successors:
                    after |= live[successor]
                caught = live[cfg.handlers[node]]
                before = needed[node] | ((after | caught) & unassigned[node]) | caught
                if before != live[node]:
                    live[node] = before
                    changed = True
            changed = changed and bool(cfg.heads)
        return live

    def _add_captured(self, steps: list[Part]) -> None:
        """Make variables of inner functions that may exist by then live, whatever follows."""
        cfg, own_mask = self._cfg, self._scopes.bound_mask
        captured = [0] * len(steps)
        waiting = [node for node, step in enumerate(steps) if step.captures & own_mask]
        while waiting:
            node = waiting.pop()
            after = captured[node] | (steps[node].captures & own_mask)
            for successor in (*cfg.successors[node], cfg.handlers[node]):
                if after & ~captured[successor]:
                    captured[successor] |= after
                    waiting.append(successor)
        captured[EXIT] = 0
        self._live = [
            live | captured_live for live, captured_live in zip(self._live, captured, strict=True)
        ]
