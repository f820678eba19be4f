"""f-strings and ``%``: a field may hold a staged value.

    f'{x} of {n:.2f}'    =>   ag__.fstring((x, '', ''), ' of ', (n, '', '.2f'))
    '%s of %d' % (x, n)  =>   ag__.percent('%s of %d', (x, n))

Whatever may be a text on the left of ``%`` is taken for one.
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
    if not isinstance(node.op, gast.Mod) or isinstance(node.right, gast.Constant):
        return node
    if _is_no_text(node.left, context):
        return node
    return ag_call("percent", node, node.left, node.right)


_NUMBERS = ("abs", "divmod", "float", "hash", "id", "int", "len", "ord", "round")
_OF_TEXTS = (gast.Add, gast.Mult, gast.Mod)


def _is_no_text(node: gast.AST, context: ExpressionContext) -> bool:
    """Whether an expression shows that its value is no text."""
    if isinstance(node, gast.Constant):
        return not isinstance(node.value, str | bytes)
    if isinstance(node, gast.BinOp):
        sides = [_is_no_text(side, context) for side in (node.left, node.right)]
        if isinstance(node.op, gast.Add):
            return any(sides)
        return all(sides) or not isinstance(node.op, _OF_TEXTS)
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Name):
        return node.func.id in _NUMBERS and context.means_builtin(node.func.id)
    return isinstance(node, gast.UnaryOp | gast.Compare)


RULES = {gast.JoinedStr: _fstring, gast.BinOp: _percent}
