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

FRAME_BUILTINS = frozenset(("locals", "vars", "dir", "eval", "exec", "breakpoint"))
"""Builtins whose result depends on the frame that calls them."""

_ALL = frozenset(JUMPS)


def convert(context: Context) -> None:
    """Mark the statements that stay as they are."""
    found: set[int] = set()
    scopes = context.analyses.scopes
    returns_stay = any(is_tied(scopes, statement) for statement in context.function.body)
    staying = frozenset((gast.Return,)) if returns_stay else frozenset()
    _mark(context, context.function.body, staying, found)
    context.plain = frozenset(found)


def _mark(
    context: Context, block: list[gast.stmt], staying: frozenset[type], found: set[int]
) -> None:
    """``staying``: the jumps that must stay where they are.

    All, inside a loop that stays; ``return``, where something that cannot move
    may follow it.
    """
    scopes = context.analyses.scopes
    for statement in block:
        inside = staying
        if isinstance(statement, (gast.If, *LOOPS)):
            if (
                is_tied(scopes, statement)
                or escapes(statement, staying)
                or (isinstance(statement, gast.If) and is_certain(statement.test))
            ):
                found.add(id(statement))
                inside = _ALL if isinstance(statement, LOOPS) else staying
            elif isinstance(statement, LOOPS):
                inside = frozenset()
        elif isinstance(statement, gast.Try) and (
            is_tied(scopes, statement)
            or escapes(statement, staying)
            or _is_pythons(context, statement)
        ):
            found.add(id(statement))
        for inner in blocks(statement):
            _mark(context, inner, inside, found)


def _is_pythons(context: Context, statement: gast.Try) -> bool:
    """Whether a ``try`` never meets staged values, or binds a name that outlives its handlers."""
    if all(isinstance(inner, _IMPORTS) for inner in statement.body):
        return True
    bound = [handler.name.id for handler in statement.handlers if handler.name is not None]
    return any(_outlives(context, name) for name in bound)


def _outlives(context: Context, name: str) -> bool:
    """Whether a name that a handler binds is bound or used anywhere but in such handlers."""
    stack: list[gast.AST] = [context.function]
    while stack:
        node = stack.pop()
        if isinstance(node, gast.Name) and node.id == name:
            return True
        if isinstance(node, (gast.Global, gast.Nonlocal)) and name in node.names:
            return True
        if isinstance(node, gast.ExceptHandler) and node.name is not None:
            if node.name.id == name:
                continue
        stack.extend(gast.iter_child_nodes(node))
    return False


_IMPORTS = (gast.Import, gast.ImportFrom, gast.Pass)


def is_tied(scopes: FunctionScope, statement: gast.stmt) -> bool:
    """Whether a statement contains something that must run in the user's own frame."""
    if isinstance(statement, gast.AsyncFor):
        return True
    effects = scopes.effects(statement)
    return effects.suspends or bool(effects.called & scopes.symbols.mask(FRAME_BUILTINS))
