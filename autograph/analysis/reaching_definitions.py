"""Reaching definitions: the assignments that reach a statement, and reads of undefined variables.

Uses ``scopes`` and ``cfg``.  Converters guard the reads that it reports; error messages name the
assignments that it finds.
"""

from __future__ import annotations

from collections.abc import Sequence

import gast

from autograph.analysis.cfg import EXIT, ControlFlowGraph
from autograph.analysis.effects_record import Part
from autograph.analysis.scopes import FunctionScope


class Reaching:
    """Facts about the variables of the function itself, not about paths or inner functions."""

    needs = (FunctionScope, ControlFlowGraph)

    def __init__(
        self, function_node: gast.AST, scopes: FunctionScope, cfg: ControlFlowGraph
    ) -> None:
        self._function, self._scopes, self._cfg = function_node, scopes, cfg
        part_effects = scopes.walk.parts
        nothing = Part()
        self._steps = [
            nothing if section is None else part_effects[section] for section in cfg.parts
        ]
        self._undefined = self._flow(())
        self._unknown = self._flow(cfg.early_ends) if cfg.early_ends else self._undefined
        self._part_of: dict[gast.Name, gast.AST] | None = None
        self._predecessors: list[list[int]] | None = None

    def may_be_undefined(self, node: gast.AST, name: str) -> bool:
        """Whether some path leads to ``node`` - a statement, or a name that is read - on which
        ``name`` is not assigned, or is deleted.

        A staged loop that only a ``break`` ends counts as one that may end anywhere: its variables
        are defined on some of its paths.  Unreachable code finds everything defined.  Raises
        LookupError for a node that the analysis has not seen, or that belongs to an inner function.
        """
        bit = self._scopes.symbols.get(name, 0) & self._scopes.bound_mask
        if isinstance(node, gast.Name):
            return node not in self._scopes.walk.local_reads and bool(self._at_read(node) & bit)
        return any(self._unknown[entry] & bit for entry in self._cfg.entries_of(node))

    def left_open(self, statement: gast.stmt) -> frozenset[str]:
        """Return the variables that a compound statement assigns on some of its paths, but not on
        all.
        """
        written = self._scopes.effects(statement).writes & self._scopes.bound_mask
        after = 0
        for node in self._cfg.followers.get(statement, ()):
            after |= self._unknown[node] if node != EXIT else 0
        return self._scopes.symbols.names(written & after)

    def undefined_reads(self, staged: bool = False) -> list[gast.Name]:
        """Return reads of variables that may be undefined by then, in the order of the source.

        Reads in list, set and dict comprehensions count; those in inner functions, classes and
        generator expressions, which run elsewhere, do not, nor does ``x`` in ``x += 1``.
        ``staged`` adds those for which a loop has to be looked at, as ``may_be_undefined`` says.
        """
        symbols, own_mask = self._scopes.symbols, self._scopes.bound_mask
        early: dict[gast.AST, int] = {}
        for section, step, undefined in zip(
            self._cfg.parts, self._steps, self._unknown if staged else self._undefined, strict=True
        ):
            mask = step.exposed & undefined & own_mask
            if section is not None and mask:
                early[section] = early.get(section, 0) | mask
        if not early:
            return []
        return [
            load
            for section, step in self._scopes.walk.parts.items()
            if section in early
            for load in step.loads
            if symbols[load.id] & early[section]
        ]

    def definitions(self, statement: gast.stmt, name: str) -> frozenset[gast.AST]:
        """Return the nodes that may have given ``name`` its value before ``statement``.

        They are statements or except handlers; the function's node stands for the initial value of
        a parameter.
        """
        bit = self._scopes.symbols.get(name, 0)
        definitions: set[gast.AST] = set()
        waiting = list(self._cfg.entries_of(statement))
        seen = set(waiting)
        while waiting:
            node = waiting.pop()
            if node == self._cfg.entry and bit & self._scopes.parameter_mask:
                definitions.add(self._function)
            for previous in self._before()[node]:
                step = self._steps[previous]
                if step.writes & bit:
                    definitions.add(self._cfg.owners[previous])
                caught = self._cfg.handlers[previous] == node
                if caught or not (step.assigned | step.deletes) & bit:
                    if previous not in seen:
                        seen.add(previous)
                        waiting.append(previous)
        return frozenset(definitions)

    def _flow(self, extra_edges: Sequence[tuple[int, int]]) -> list[int]:
        """Variables that may be undefined before each node; ``extra_edges`` are more edges."""
        cfg, scopes = self._cfg, self._scopes
        reached = 1 << len(scopes.symbols)
        keep = [~(step.assigned & ~scopes.fragile_mask) for step in self._steps]
        state = [0] * len(self._steps)
        state[cfg.entry] = reached | (scopes.bound_mask & ~scopes.parameter_mask)
        state[cfg.entry] |= scopes.fragile_mask
        ends: dict[int, tuple[int, ...]] = {}
        for head, after in extra_edges:
            ends[head] = (*ends.get(head, ()), after)
        edges = [(*after, *ends.get(node, ())) for node, after in enumerate(cfg.successors)]
        deletes, handlers = [step.deletes for step in self._steps], cfg.handlers
        changed = True
        while changed:  # the graph was built from its end: without loops, one pass is enough
            changed = False
            for node in range(len(state) - 1, -1, -1):
                before = state[node]
                if not before:
                    continue
                after = (before & keep[node]) | deletes[node]
                for successor in edges[node]:
                    if after & ~state[successor]:
                        state[successor] |= after
                        changed = True
                caught = handlers[node]
                state[caught] |= before | after  # a handler's number is lower than its body's
            changed = changed and bool(cfg.heads)
        return state

    def _at_read(self, node: gast.Name) -> int:
        """Return the variables that may be undefined where a name is read."""
        if self._part_of is None:
            self._part_of = {
                load: section
                for section, step in self._scopes.walk.parts.items()
                for load in step.loads
            }
        section = self._part_of.get(node)
        if section is None:
            raise LookupError(
                f"the name {node.id!r} (line {getattr(node, 'lineno', '?')}) is not read by the "
                "function itself, or came into the tree after the analysis: query reads "
                "outside inner functions, and call Analyses.changed() after changing the tree"
            )
        mask = 0
        for other_section, undefined in zip(self._cfg.parts, self._unknown, strict=True):
            if other_section is section:
                mask |= undefined
        return mask

    def _before(self) -> list[list[int]]:
        """Return the predecessors of each node."""
        if self._predecessors is None:
            self._predecessors = [[] for _ in self._steps]
            for node, successors in enumerate(self._cfg.successors):
                for successor in {*successors, self._cfg.handlers[node]}:
                    self._predecessors[successor].append(node)
        return self._predecessors
