"""Variables that may be read before they are assigned.

    y                    =>  ag__.read(lambda: y, 'y')

Only where the flow of control leaves it open whether ``y`` is defined.  The operator raises the
UnboundLocalError that Python raises; for a staged variable it does so at run time.
"""

from __future__ import annotations

import gast

from autograph.converters.context import Context
from autograph.converters.rewriting import Place
from autograph.syntax.templates import ag_call, assign, at, constant, load, thunk


def note_undefined(context: Context) -> None:
    """Remember the reads that may come too early, before statements take their final place."""
    reads = context.analyses.reaching.undefined_reads()
    context.undefined = frozenset(map(id, reads))


def checked_first(context: Context, node: gast.AugAssign) -> list[gast.stmt]:
    """``y += 1`` with a check of ``y`` in front, where ``y`` may be undefined."""
    target = node.target
    if not isinstance(target, gast.Name):
        return [node]
    if not context.analyses.reaching.may_be_undefined(node, target.id):
        return [node]
    return [assign(target.id, _checked(target), node), node]


def _checked(node: gast.Name) -> gast.expr:
    value = thunk(at(load(node.id), node))
    return ag_call("read", node, value, at(constant(node.id), node))


def _read(node: gast.Name, place: Place) -> gast.AST:
    if id(node) not in place.undefined or place.in_class:
        return node
    return _checked(node)


RULES = {gast.Name: _read}
