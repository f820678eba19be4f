"""Scope analysis: the scope of each name, and what each piece of code does to variables.

The first analysis: it needs the tree only (walked by ``statement_effects``); the flow analyses use
it.  It describes the tree at the time of the analysis; a node that was added later is analysed when
it is queried.
"""

from __future__ import annotations

from collections.abc import Iterable

import gast

from autograph.analysis import inner_scopes
from autograph.analysis.effects_record import Effects
from autograph.analysis.inner_scopes import NestedScopes, Scope
from autograph.analysis.statement_effects import Walk
from autograph.analysis.symbols import Symbols
from autograph.named_tuples import NamedTuple


class Activity(NamedTuple):
    """Activity of a statement or expression, with all that is inside it.

    Symbols are names and paths: ``x``, ``self.x``, ``d['k'].y``, ``l[i]``.  Variables that a
    function, class or generator made here takes from outside count as reads.
    """

    reads: frozenset[str]
    writes: frozenset[str]
    deletes: frozenset[str]
    calls: bool


class FunctionScope:
    """The variables of one function: ``bound``, ``globals``, ``nonlocals``, ``free`` are disjoint.

    ``function_node``: a gast FunctionDef, AsyncFunctionDef or Lambda.
    """

    needs: tuple[type, ...] = ()

    def __init__(
        self, function_node: gast.AST, nested: type[NestedScopes] = NestedScopes
    ) -> None:
        self.symbols = symbols = Symbols()
        self.walk = walk = Walk(symbols, nested(symbols))
        arguments = inner_scopes.parameters(function_node.args)
        for parameter in arguments:
            walk.bound |= symbols[parameter.id]
        self.params: tuple[str, ...] = tuple(parameter.id for parameter in arguments)
        self.parameter_mask = walk.bound
        if isinstance(function_node, gast.Lambda):
            walk.part(function_node.body)
        else:
            walk.block(function_node.body, Effects())
        self._settle(walk)

    def _settle(self, walk: Walk) -> None:
        """Resolve the scope of each name, now that all are known."""
        names = self.symbols.names
        declared = walk.globals | walk.nonlocals
        own_mask = walk.bound & ~declared & ~self.symbols.paths
        outside = walk.seen & ~own_mask & ~declared & ~self.symbols.paths
        written_outside = walk.wrote_global & ~own_mask & ~walk.nonlocals
        self.bound_mask = own_mask
        self.declared_mask = declared
        self.fragile_mask = walk.removed & own_mask
        """Variables that an inner function may delete whenever it is called."""
        self.bound: frozenset[str] = names(own_mask)
        """Variables of the function itself, parameters included."""
        self.globals: frozenset[str] = names(walk.globals)
        self.nonlocals: frozenset[str] = names(walk.nonlocals)
        self.free: frozenset[str] = names(outside)
        """Names used here or in inner scopes and bound further out; not the declared ones."""
        self.captured: frozenset[str] = names(walk.captured & own_mask)
        """Variables that inner functions, classes and generator expressions refer to."""
        self.comprehended: frozenset[str] = names(walk.comprehended)
        """Names that comprehensions have for variables of their own."""
        self.captured_writes_mask = (walk.wrote & ~walk.globals) | written_outside
        self.captured_writes: frozenset[str] = names(self.captured_writes_mask)
        """Variables that inner functions assign, so that any call may change them."""

    def changes_mask(self, node: gast.AST) -> int:
        """Return the variables that a node may change, itself or by the local functions it calls.

        Not the global ones that only functions defined inside assign: those declare them.
        """
        effects = self.effects(node)
        changed = effects.writes | effects.deletes
        if effects.calls:
            changed |= self.captured_writes_mask
        return changed & (self.bound_mask | self.declared_mask)

    def effects(self, node: gast.AST) -> Effects:
        """Return the effects of ``node``, as bit masks over ``symbols``."""
        effects = self.walk.effects.get(node)
        if effects is None:
            self.walk.hidden = 0
            is_statement = isinstance(node, gast.stmt)
            effects = self.walk.statement(node) if is_statement else self.walk.part(node)
        return effects

    def activity(self, node: gast.AST) -> Activity:
        """Return what a statement or expression may read, write, delete, and whether it calls."""
        effects, names = self.effects(node), self.symbols.names
        return Activity(
            names(effects.reads), names(effects.writes), names(effects.deletes), effects.calls
        )

    def suspends(self, node: gast.AST) -> bool:
        """Return whether ``node`` yields or awaits, apart from inner functions."""
        return self.effects(node).suspends

    def has_call_to(self, node: gast.AST, names: Iterable[str]) -> bool:
        """Whether ``node`` calls one of ``names`` by its plain name, not in inner functions."""
        return bool(self.effects(node).called & self.symbols.mask(names))


def bound_names(function_node: gast.AST) -> frozenset[str]:
    """Return what ``FunctionScope(function_node).bound`` is, without walks of inner functions.

    Whatever they contain, they bind no variable of the function around.
    """
    return FunctionScope(function_node, _Headers).bound


class _Headers(NestedScopes):
    """Summaries that leave out the bodies of functions, but not those of classes."""

    def body_of(self, node: gast.AST) -> Scope:
        if isinstance(node, gast.ClassDef):
            return NestedScopes(self.symbols).body_of(node)
        return Scope()
