"""f-strings and ``%``: a field may hold a staged value.

    f'{x} of {n:.2f}'    =>   ag__.fstring((x, '', ''), ' of ', (n, '', '.2f'))
    '%s of %d' % (x, n)  =>   ag__.percent('%s of %d', (x, n))
"""

from __future__ import annotations

import gast

from autograph.converters.expression_rewriter import ExpressionContext
from autograph.syntax.templates import ag_call, at, constant

_CONVERSIONS = {-1: "", ord("s"): "s", ord("r"): "r", ord("a"): "a"}


def _fstring(node: gast.JoinedStr, context: ExpressionContext) -> gast.AST:
    if not any(_may_be_staged(part) for part in node.values):
        return node
    return ag_call("fstring", node, *(_part(part) for part in node.values))


def _may_be_staged(part: gast.AST) -> bool:
    return isinstance(part, gast.FormattedValue) and not isinstance(part.value, gast.Constant)


def _part(part: gast.AST) -> gast.expr:
    if not isinstance(part, gast.FormattedValue):
        return part
    spec = at(constant(""), part) if part.format_spec is None else _spec(part.format_spec)
    conversion = at(constant(_CONVERSIONS[part.conversion]), part)
    return at(gast.Tuple([part.value, conversion, spec], gast.Load()), part)


def _spec(spec: gast.AST) -> gast.expr:
    """Return a format: normally one literal text."""
    values = getattr(spec, "values", None)
    if values is not None and len(values) == 1 and isinstance(values[0], gast.Constant):
        return values[0]
    return spec


def _percent(node: gast.BinOp, context: ExpressionContext) -> gast.AST:
    is_text = isinstance(node.left, gast.Constant) and isinstance(node.left.value, str)
    if not (is_text and isinstance(node.op, gast.Mod)):
        return node
    return ag_call("percent", node, node.left, node.right)


RULES = {gast.JoinedStr: _fstring, gast.BinOp: _percent}
