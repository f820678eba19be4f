"""Comparisons: equality of values that may hold staged ones, and chains.

    a == b               =>  ag__.eq(a, b)
    a < b < c            =>  ag__.compare(a, '<', b, '<', lambda: c)
    a is None            =>  ag__.is_(a, None)
    a in b               =>  ag__.in_(a, b)
    (a, b) < c           =>  ag__.order((a, b), '<', c)
    h[i] < h[j]          =>  ag__.order(h[i], '<', h[j])
    p < q                =>  ag__.order(p, '<', q)       # unless p or q is used as a number
    d.keys() & s         =>  ag__.of_view(d.keys(), '&', s)

Equality with a number or text is left alone: a staged value answers for itself.
"""

from __future__ import annotations

import gast

from autograph.converters.expression_rewriter import ExpressionContext, moves
from autograph.converters.lists import looked_at
from autograph.converters.static_bools import is_identity_of_ellipsis
from autograph.syntax.templates import ag_call, at, constant, is_operator, thunk

SIGNS = {
    gast.Eq: "==", gast.NotEq: "!=", gast.Lt: "<", gast.LtE: "<=", gast.Gt: ">", gast.GtE: ">=",
    gast.Is: "is", gast.IsNot: "is not", gast.In: "in", gast.NotIn: "not in",
}

_MEMBERSHIP = {gast.In: "in_", gast.NotIn: "not_in"}
_OPERATORS = {gast.Is: "is_", gast.IsNot: "is_not", **_MEMBERSHIP}
_ORDERS = (gast.Lt, gast.LtE, gast.Gt, gast.GtE)
_COMBINING = {gast.BitAnd: "&", gast.BitOr: "|", gast.BitXor: "^", gast.Sub: "-"}
_DISPLAYS = (gast.Tuple, gast.List)
_MAKING = frozenset(("list", "sorted", "tuple"))


def _compare(node: gast.Compare, context: ExpressionContext) -> gast.AST:
    if len(node.ops) == 1:
        return _single(node, context)
    if context.in_class or not moves(*node.comparators[1:]):
        return node
    args: list[gast.expr] = [node.left]
    for position, (operation, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
        args.append(at(constant(SIGNS[type(operation)]), right))
        args.append(thunk(right) if position else right)
    return ag_call("compare", node, *args)


def _single(node: gast.Compare, context: ExpressionContext) -> gast.AST:
    node.left = looked_at(node.left)
    node.comparators = [looked_at(node.comparators[0])]
    first, second, kind = node.left, node.comparators[0], type(node.ops[0])
    if kind in _OPERATORS and not is_identity_of_ellipsis(node):
        return ag_call(_OPERATORS[kind], node, first, second)
    if kind in _ORDERS and (
        any(_is_sequence(side, context) for side in (first, second))
        or all(_may_be_tuple(side, context) for side in (first, second))
    ):
        return ag_call("order", node, first, at(constant(SIGNS[kind]), second), second)
    return node


def _combine(node: gast.BinOp, context: ExpressionContext) -> gast.AST:
    sign = _COMBINING.get(type(node.op))
    if sign is None or not _is_view(node.left):
        return node
    return ag_call("of_view", node, node.left, at(constant(sign), node.right), node.right)


def _is_view(node: gast.expr) -> bool:
    """Whether an expression calls a method ``keys`` or ``items``."""
    callee = node.func if isinstance(node, gast.Call) else None
    if isinstance(callee, gast.Call) and is_operator(callee.func):
        callee = callee.args[0]
    return isinstance(callee, gast.Attribute) and callee.attr in ("items", "keys")


def _is_sequence(node: gast.expr, context: ExpressionContext) -> bool:
    """Whether an expression is a tuple or list, or a variable that was one."""
    if isinstance(node, gast.Name):
        return node.id in context.sequences
    return isinstance(node, _DISPLAYS)


def _assign(node: gast.Assign, context: ExpressionContext) -> gast.AST:
    """Note the variables that are assigned tuples and lists."""
    for target in node.targets:
        _note(target, node.value, context)
    return node


def _note(target: gast.expr, value: gast.expr, context: ExpressionContext) -> None:
    if isinstance(target, gast.Name):
        is_list = isinstance(value, gast.Call) and is_operator(value.func)
        if isinstance(value, _DISPLAYS) or (is_list and value.func.attr == "list_"):
            context.sequences.add(target.id)
    elif isinstance(target, _DISPLAYS) and isinstance(value, _DISPLAYS):
        for inner_target, inner_value in zip(target.elts, value.elts, strict=False):
            _note(inner_target, inner_value, context)


def _may_be_tuple(node: gast.expr, context: ExpressionContext) -> bool:
    """Whether an expression reads an item, calls what makes lists, or is no number by its uses."""
    if isinstance(node, gast.Name):
        return node.id not in context.numbers
    if isinstance(node, gast.Call) and is_operator(node.func):
        return node.func.attr in ("getitem", "item_at_key", "item_of")
    if isinstance(node, gast.Call):
        callee = node.func.args[0] if _is_operator_call(node.func) else node.func
        return isinstance(callee, gast.Name) and callee.id in _MAKING
    return isinstance(node, gast.Subscript)


def _is_operator_call(node: gast.expr) -> bool:
    return isinstance(node, gast.Call) and is_operator(node.func) and bool(node.args)


def _equality(node: gast.AST, context: ExpressionContext) -> gast.AST:
    if not isinstance(node, gast.Compare) or len(node.ops) > 1:
        return node
    name = {gast.Eq: "eq", gast.NotEq: "not_eq"}.get(type(node.ops[0]))
    first, second = node.left, node.comparators[0]
    if name is None or isinstance(first, gast.Constant) or isinstance(second, gast.Constant):
        return node
    return ag_call(name, node, first, second)


RULES = {gast.Compare: _compare, gast.Assign: _assign, gast.BinOp: _combine}
EQUALITY_RULES = {gast.Compare: _equality}
