"""Decides which compound statements stay Python.

A statement becomes a call of local functions unless that would change its meaning: a ``yield``
or ``await`` cannot move into another function, nor can a builtin that looks at its caller's
variables, nor a jump out of a loop that itself stays.
"""

from __future__ import annotations

import gast

from autograph.converters.context import Context
from autograph.converters.jumps import LOOPS, blocks, escaping

FRAME_BUILTINS = frozenset(("locals", "vars", "dir", "eval", "exec", "breakpoint"))
"""Builtins whose result depends on the frame that calls them."""


def convert(context: Context) -> None:
    """Note the statements that stay as they are."""
    found: set[int] = set()
    _mark(context, context.function.body, False, False, found)
    context.plain = frozenset(found)


def _mark(
    context: Context, block: list[gast.stmt], in_loop: bool, in_finally: bool, found: set[int]
) -> None:
    """``in_loop``: inside a loop that stays plain; ``in_finally``: inside a ``finally``."""
    for statement in block:
        inside = in_loop
        if isinstance(statement, (gast.If, *LOOPS)):
            if _stays(context, statement, in_loop or in_finally):
                found.add(id(statement))
                inside = in_loop or isinstance(statement, LOOPS)
        for inner in blocks(statement):
            final = isinstance(statement, (gast.Try, gast.TryStar)) and (
                inner is statement.finalbody and bool(inner)
            )
            _mark(context, inner, inside, in_finally or final, found)


def _stays(context: Context, statement: gast.stmt, jumps_must_stay: bool) -> bool:
    scopes = context.analyses.scopes
    return (
        isinstance(statement, gast.AsyncFor)
        or scopes.suspends(statement)
        or scopes.has_call_to(statement, FRAME_BUILTINS)
        or (jumps_must_stay and bool(escaping(statement)))
    )
