"""Decides which compound statements are kept as Python.

A statement becomes a call of local functions unless that would change its meaning: a ``yield``
or ``await`` cannot move into another function, nor can a builtin that looks at its caller's
variables, nor a jump out of a loop that itself stays.  An ``if`` whose test is certainly a Python
bool chooses no staged path, and stays, too.
"""

from __future__ import annotations

import gast

from autograph.analysis.scopes import FunctionScope
from autograph.converters.context import Context
from autograph.converters.jump_queries import JUMPS, LOOPS, blocks, escapes
from autograph.converters.static_bools import is_certain
from autograph.syntax.node_fields import child_nodes

FRAME_BUILTINS = frozenset(("locals", "vars", "dir", "eval", "exec", "breakpoint"))
"""Builtins whose result depends on the frame that calls them."""

_ALL = frozenset(JUMPS)


def convert(context: Context) -> None:
    """Mark the statements that stay as they are."""
    plain: set[gast.AST] = set()
    scopes = context.analyses.scopes if _may_be_tied(context) else None
    returns_stay = any(_is_tied(scopes, statement) for statement in context.function.body)
    staying = frozenset((gast.Return,)) if returns_stay else frozenset()
    has_handlers = gast.ExceptHandler in context.kinds
    outliving = _outliving(context.function) if has_handlers else frozenset()
    _mark(scopes, context.function.body, staying, plain, outliving)
    context.plain = frozenset(plain)


def _mark(
    scopes: FunctionScope | None, block: list[gast.stmt], staying: frozenset[type],
    plain: set[gast.AST], outliving: frozenset[str],
) -> None:
    """``staying``: the jumps that must stay where they are.

    All, inside a loop that stays; ``return``, where something that cannot move
    may follow it.  ``outliving``: the names used anywhere but in handlers that bind them.
    """
    for statement in block:
        inside = staying
        if isinstance(statement, (gast.If, *LOOPS)):
            if (
                _is_tied(scopes, statement)
                or escapes(statement, staying)
                or (isinstance(statement, gast.If) and is_certain(statement.test))
            ):
                plain.add(statement)
                inside = _ALL if isinstance(statement, LOOPS) else staying
            elif isinstance(statement, LOOPS):
                inside = frozenset()
        elif isinstance(statement, gast.Try) and (
            _is_tied(scopes, statement)
            or escapes(statement, staying)
            or _is_pythons(statement, outliving)
        ):
            plain.add(statement)
        for inner in blocks(statement):
            _mark(scopes, inner, inside, plain, outliving)


def _is_pythons(statement: gast.Try, outliving: frozenset[str]) -> bool:
    """Whether a ``try`` never meets staged values, or binds a name that outlives its handlers."""
    if all(isinstance(inner, _IMPORTS) for inner in statement.body):
        return True
    bound = (handler.name.id for handler in statement.handlers if handler.name is not None)
    return not outliving.isdisjoint(bound)


def _outliving(function: gast.AST) -> frozenset[str]:
    """Return the names that are bound or used anywhere but in except handlers that bind them."""
    names: set[str] = set()
    waiting: list[tuple[gast.AST, frozenset[str]]] = [(function, frozenset())]
    while waiting:
        node, caught = waiting.pop()
        kind = node.__class__
        if kind is gast.Name:
            if node.id not in caught:
                names.add(node.id)
            if node.annotation is None:
                continue
        elif kind is gast.Global or kind is gast.Nonlocal:
            names.update(name for name in node.names if name not in caught)
        elif kind is gast.ExceptHandler and node.name is not None:
            caught = caught | {node.name.id}
        waiting += [(child, caught) for child in child_nodes(node)]
    return frozenset(names)


_IMPORTS = (gast.Import, gast.ImportFrom, gast.Pass)


_TYING = frozenset((
    gast.Yield, gast.YieldFrom, gast.Await, gast.AsyncFor, gast.AsyncWith,
))  # fmt: skip


def _may_be_tied(context: Context) -> bool:
    """Whether ``is_tied`` may hold of any statement: most functions have nothing of the kind."""
    return (
        isinstance(context.function, gast.AsyncFunctionDef)  # may have async comprehensions
        or not context.kinds.isdisjoint(_TYING)
        or context.names.has_any(FRAME_BUILTINS)
    )


def _is_tied(scopes: FunctionScope | None, statement: gast.stmt) -> bool:
    return scopes is not None and is_tied(scopes, statement)


def is_tied(scopes: FunctionScope, statement: gast.stmt) -> bool:
    """Whether a statement contains something that must run in the user's own frame."""
    if isinstance(statement, gast.AsyncFor):
        return True
    effects = scopes.effects(statement)
    return effects.suspends or bool(effects.called & scopes.symbols.mask(FRAME_BUILTINS))
