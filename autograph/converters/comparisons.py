"""Comparisons: equality of values that may hold staged ones, and chains.

    a == b               =>  ag__.eq(a, b)
    a < b < c            =>  ag__.compare(a, '<', b, '<', lambda: c)
    a is None            =>  ag__.is_(a, None)
    a in b               =>  ag__.in_(a, b)
    (a, b) < c           =>  ag__.order((a, b), '<', c)
    h[i] < h[j]          =>  ag__.order(h[i], '<', h[j])
    p = (a, b); p < q    =>  p = (a, b); ag__.order(p, '<', q)
    KNOWN & s            =>  ag__.of_sets(KNOWN, '&', s)         where KNOWN means a frozenset
    x <= {a, b}          =>  ag__.of_sets(x, '<=', {a, b})
    o.x & y              =>  ag__.of_sets(o.x, '&', y)           which may be a frozenset and a set
    x |= {a, b}          =>  x = ag__.of_sets(x, '|=', {a, b})

Equality with a number or text is left alone: a staged value answers for itself.
"""

from __future__ import annotations

import copy

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
_SETS = frozenset(("set_of", "set_with", "set_comp"))
_SHARED = frozenset(("-", "<", "<=", ">", ">="))
"""The operators of sets that numbers have, too."""
SET_NAMES = frozenset(
    ("set", "frozenset", *(name for name in dir(set) if not name.startswith("_")))
) - {"clear", "copy", "pop", "remove", "update"}
"""The classes of sets, and the methods that sets have, and lists and dicts have not."""
SET_NODES = frozenset((gast.Set, gast.SetComp))
_DISPLAYS = (gast.Tuple, gast.List)


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
    left, right, kind = node.left, node.comparators[0], type(node.ops[0])
    if kind in _ORDERS and _concerns_sets(left, SIGNS[kind], right, context):
        return ag_call("of_sets", node, left, at(constant(SIGNS[kind]), right), right)
    if kind in _OPERATORS and not is_identity_of_ellipsis(node):
        return ag_call(_OPERATORS[kind], node, left, right)
    if kind in _ORDERS and (
        any(_is_sequence(side, context) for side in (left, right))
        or all(map(_is_item, (left, right)))
    ):  # fmt: skip
        return ag_call("order", node, left, at(constant(SIGNS[kind]), right), right)
    return node


def _combine(node: gast.BinOp, context: ExpressionContext) -> gast.AST:
    sign = _COMBINING.get(type(node.op))
    if sign is None:
        return node
    if not _concerns_sets(node.left, sign, node.right, context):
        return node
    return ag_call("of_sets", node, node.left, at(constant(sign), node.right), node.right)


def _change(node: gast.AugAssign, context: ExpressionContext) -> gast.AST:
    sign, target = _COMBINING.get(type(node.op)), node.target
    if sign is None or not _reads_alike(target):
        return node
    now = copy.deepcopy(target)
    now.ctx = gast.Load()
    if not _concerns_sets(now, sign, node.value, context):
        return node
    changed = ag_call("of_sets", node, now, at(constant(f"{sign}="), node.value), node.value)
    return at(gast.Assign(targets=[target], value=changed, type_comment=None), node)


def _concerns_sets(
    left: gast.expr, sign: str, right: gast.expr, context: ExpressionContext
) -> bool:
    """Whether an operator is one of sets, as far as the text says, or may be.

    ``-`` and ``<`` are most often those of numbers: they are asked about sets where the text has
    sets, and an attribute, an item or a call on the left, which may give a frozenset.
    """
    if _is_frozenset(left, context) or _is_set(right, context):
        return True
    if sign in _SHARED and (
        not context.has_sets or isinstance(left, gast.Name) or _calls_builtin(left, context)
    ):
        return False
    return _may_be_set(left) and _may_be_set(right)


def _reads_alike(target: gast.expr) -> bool:
    """Whether a target is a variable, or an attribute of one, which may be read twice."""
    while isinstance(target, gast.Attribute):
        target = target.value
    return isinstance(target, gast.Name)


def _may_be_set(node: gast.expr) -> bool:
    """Whether an expression is a variable, an attribute, an item or a call: it may be a set."""
    if isinstance(node, gast.Call):
        return _is_item(node) or not is_operator(node.func)
    return isinstance(node, gast.Name | gast.Attribute | gast.Subscript)


def _is_frozenset(node: gast.expr, context: ExpressionContext) -> bool:
    """Whether an expression makes a frozenset, whose operators are in C, or is a name of one."""
    if isinstance(node, gast.Name):
        if node.id in context.local:
            return node.id in context.made_frozensets
        return node.id in context.frozensets
    return _calls(node, "frozenset", context)


def _is_set(node: gast.expr, context: ExpressionContext) -> bool:
    """Whether an expression makes a set, or is a variable of one: one on its left may be in C."""
    if isinstance(node, gast.Name):
        return node.id in context.made_sets
    is_display = isinstance(node, gast.Call) and is_operator(node.func)
    return is_display and node.func.attr in _SETS or _calls(node, "set", context)


def _calls(node: gast.expr, name: str, context: ExpressionContext) -> bool:
    """Whether an expression calls one of Python's classes."""
    return _callee(node) == name and context.means_builtin(name)


def _calls_builtin(node: gast.expr, context: ExpressionContext) -> bool:
    """Whether an expression calls a builtin, such as ``len``."""
    name = _callee(node)
    return name is not None and context.means_builtin(name)


def _callee(node: gast.expr) -> str | None:
    """Return the name of the function that an expression calls."""
    callee = node.func if isinstance(node, gast.Call) else None
    if isinstance(callee, gast.Call) and is_operator(callee.func):
        callee = callee.args[0]
    return callee.id if isinstance(callee, gast.Name) else None


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
        if _is_frozenset(value, context):
            context.made_frozensets.add(target.id)
        elif _is_set(value, context):
            context.made_sets.add(target.id)
    elif isinstance(target, _DISPLAYS) and isinstance(value, _DISPLAYS):
        for one, part in zip(target.elts, value.elts, strict=False):
            _note(one, part, context)


def _is_item(node: gast.expr) -> bool:
    """Whether an expression reads an item: it may be a tuple."""
    if isinstance(node, gast.Call) and is_operator(node.func):
        return node.func.attr in ("getitem", "item_at_key", "item_of")
    return isinstance(node, gast.Subscript)


def _equality(node: gast.AST, context: ExpressionContext) -> gast.AST:
    if not isinstance(node, gast.Compare) or len(node.ops) > 1:
        return node
    name = {gast.Eq: "eq", gast.NotEq: "not_eq"}.get(type(node.ops[0]))
    left, right = node.left, node.comparators[0]
    if name is None or isinstance(left, gast.Constant) or isinstance(right, gast.Constant):
        return node
    return ag_call(name, node, left, right)


RULES = {
    gast.Compare: _compare, gast.Assign: _assign, gast.BinOp: _combine, gast.AugAssign: _change,
}  # fmt: skip
EQUALITY_RULES = {gast.Compare: _equality}
