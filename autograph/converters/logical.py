"""``and``, ``or``, ``not``, ``a if c else b``: the parts that may not run become lambdas.

    a and b              =>  ag__.and_(a, lambda: b)
    while a and b:       =>  ag__.all_true(a, lambda: b)
    not a                =>  ag__.not_(a)
    x if c else y        =>  ag__.if_exp(c, lambda: x, lambda: y)()

Where only its truth counts, an ``and`` need not give one of its sides.  Where what decides is
certainly a Python bool, the expression stays.
"""

from __future__ import annotations

import gast

from autograph.converters.expression_rewriter import ExpressionContext, moves
from autograph.converters.static_bools import is_certain
from autograph.syntax.templates import ag_call, at, call, thunk


def _bool_op(node: gast.BoolOp, context: ExpressionContext) -> gast.AST:
    first, *later_values = node.values
    if context.in_class or not moves(*later_values):
        return node
    if all(map(is_certain, node.values[:-1])):
        return node
    pair = ("and_", "all_true") if isinstance(node.op, gast.And) else ("or_", "any_true")
    name = pair[getattr(node, "is_test", False)]
    return ag_call(name, node, first, *map(thunk, later_values))


def _not(node: gast.UnaryOp, context: ExpressionContext) -> gast.AST:
    if not isinstance(node.op, gast.Not) or is_certain(node.operand):
        return node
    return ag_call("not_", node, node.operand)


def _if_exp(node: gast.IfExp, context: ExpressionContext) -> gast.AST:
    if context.in_class or not moves(node.body, node.orelse):
        return node
    if is_certain(node.test):
        return node
    chosen = ag_call("if_exp", node, node.test, thunk(node.body), thunk(node.orelse))
    return at(call(chosen), node)


RULES = {gast.BoolOp: _bool_op, gast.UnaryOp: _not, gast.IfExp: _if_exp}
