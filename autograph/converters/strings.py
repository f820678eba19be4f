"""f-strings and ``%``: a field may hold a staged value.

    f'{x} of {n:.2f}'    =>   ag__.fstring((x, '', ''), ' of ', (n, '', '.2f'))
    '%s of %d' % (x, n)  =>   ag__.percent('%s of %d', (x, n))
    s %= n               =>   s = ag__.percent_in_place(s, n)

Whatever may be a text on the left of ``%`` is taken for one.
"""

from __future__ import annotations

import gast

from autograph.converters.expression_rewriter import ExpressionContext
from autograph.syntax.templates import ag_call, at, constant, load

_CONVERSIONS = {-1: "", ord("s"): "s", ord("r"): "r", ord("a"): "a"}


def _fstring(node: gast.JoinedStr, context: ExpressionContext) -> gast.AST:
    if not any(_may_be_staged(field) for field in node.values):
        return node
    return ag_call("fstring", node, *(_part(field) for field in node.values))


def _may_be_staged(field: gast.AST) -> bool:
    return isinstance(field, gast.FormattedValue) and not isinstance(field.value, gast.Constant)


def _part(field: gast.AST) -> gast.expr:
    if not isinstance(field, gast.FormattedValue):
        return field
    spec = at(constant(""), field) if field.format_spec is None else _spec(field.format_spec)
    conversion = at(constant(_CONVERSIONS[field.conversion]), field)
    return at(gast.Tuple([field.value, conversion, spec], gast.Load()), field)


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


def _percent_in_place(node: gast.AugAssign, context: ExpressionContext) -> gast.AST:
    """Rewrite ``s %= n`` of a variable, an attribute or an item that reads the same twice."""
    pattern = _read_again(node.target)
    if not isinstance(node.op, gast.Mod) or pattern is None:
        return node
    if isinstance(node.value, gast.Constant):
        return node
    result = ag_call("percent_in_place", node, pattern, node.value)
    return at(gast.Assign([node.target], result, None), node)


def _read_again(target: gast.expr) -> gast.expr | None:
    """Return the expression that reads a target; None if it does more than read a variable."""
    if isinstance(target, gast.Name):
        return at(load(target.id), target)
    if not isinstance(target.value, gast.Name):
        return None
    holder = at(load(target.value.id), target)
    if isinstance(target, gast.Attribute):
        return at(gast.Attribute(holder, target.attr, gast.Load()), target)
    if isinstance(target.slice, gast.Constant):
        return at(gast.Subscript(holder, target.slice, gast.Load()), target)
    return None


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


RULES = {
    gast.JoinedStr: _fstring, gast.BinOp: _percent, gast.AugAssign: _percent_in_place,
}  # fmt: skip
