"""Assignments to a starred name: the value may have a staged number of items.

    a, *b = l            =>  a, b = ag__.unpacked(l, 'a, *b')
    (a, *b), c = l       =>  (a, b), c = ag__.unpacked(l, '(a, *b), c')

Python would make a list of its own for the name.  Without a star an assignment stays as it is.
"""

from __future__ import annotations

import gast

from autograph.converters.expression_rewriter import ExpressionContext
from autograph.syntax.templates import ag_call, at, constant


def _assign(node: gast.Assign, context: ExpressionContext) -> gast.AST:
    (target, *later_targets) = node.targets
    if not later_targets and has_star(target):
        form = at(constant(_form(target).removeprefix("(").removesuffix(")")), node.value)
        node.value = ag_call("unpacked", node.value, node.value, form)
        node.targets = [_without_stars(target)]
    return node


def has_star(target: gast.AST) -> bool:
    """Whether a target unpacks a value, and the rest of it to one name."""
    if not isinstance(target, (gast.Tuple, gast.List)):
        return False
    return any(isinstance(element, gast.Starred) or has_star(element) for element in target.elts)


def _form(target: gast.AST) -> str:
    """Return the form of a target as text."""
    if isinstance(target, gast.Starred):
        return f"*{_form(target.value)}"
    if isinstance(target, (gast.Tuple, gast.List)):
        elements = ", ".join(map(_form, target.elts))
        return f"({elements},)" if len(target.elts) == 1 else f"({elements})"
    return target.id if isinstance(target, gast.Name) else "_"


def _without_stars(target: gast.expr) -> gast.expr:
    if isinstance(target, gast.Starred):
        return _without_stars(target.value)
    if isinstance(target, (gast.Tuple, gast.List)):
        target.elts = [_without_stars(element) for element in target.elts]
    return target


RULES = {gast.Assign: _assign}
