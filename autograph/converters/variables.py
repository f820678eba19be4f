"""Reads of variables that may be undefined.

    y                    =>  ag__.read(lambda: y, 'y')

Only where the flow of control leaves it open whether ``y`` is defined.  The operator raises the
UnboundLocalError that Python raises; for a staged variable it does so at run time.  In a function
inside, which may be called whenever, it is ``ag__.free(lambda: y, 'y')`` for each variable that
some statement left open.
"""

from __future__ import annotations

from collections.abc import Iterator

import gast

from autograph.converters.context import Context
from autograph.converters.expression_rewriter import ExpressionContext
from autograph.converters.jump_queries import blocks
from autograph.syntax.templates import ag_call, assign, at, constant, load, thunk


def note_undefined(context: Context) -> None:
    """Record the reads of variables that may be undefined, before statements move."""
    reaching = context.analyses.reaching
    context.undefined = frozenset(map(id, reaching.undefined_reads(staged=True)))
    names_left_open = map(reaching.left_open, _functional(context, context.function.body))
    context.left_open = frozenset[str]().union(*names_left_open)
    captured = context.analyses.scopes.captured & context.bound
    context.left_open_inside = context.left_open & captured


def _functional(context: Context, block: list[gast.stmt]) -> Iterator[gast.stmt]:
    waiting = [block]
    while waiting:
        for statement in waiting.pop():
            inside = blocks(statement)
            if inside and context.is_functional(statement):
                yield statement
            waiting += inside


def checked_first(context: Context, node: gast.AugAssign, inside: bool) -> list[gast.stmt]:
    """Return ``y += 1`` after a check of ``y``, where ``y`` may be undefined.

    ``inside``: it moves into a local function, where Python's error would have another text.
    """
    target = node.target
    if not isinstance(target, gast.Name):
        return [node]
    name = target.id
    if name in context.open_around:
        return [assign(name, at(load(name), node), node), node]
    if not inside and name not in context.left_open:
        return [node]
    if not context.analyses.reaching.may_be_undefined(node, name):
        return [node]
    value = at(load(name), node)
    context.undefined |= {id(value)}
    return [assign(name, value, node), node]


def _checked(node: gast.Name, operator: str = "read") -> gast.expr:
    value = thunk(at(load(node.id), node))
    return ag_call(operator, node, value, at(constant(node.id), node))


def _read(node: gast.Name, context: ExpressionContext) -> gast.AST:
    if context.in_class:
        return node
    if id(node) in context.undefined:
        return _checked(node)
    if node.id in context.left_open and isinstance(node.ctx, gast.Load):
        return _checked(node, "free")
    return node


RULES = {gast.Name: _read}
