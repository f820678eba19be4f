"""Finds the variables that are numbers by what a function does with them.

    for i in range(n): ...        # i, n
    total = total * 2             # total
    if x > 0: ...                 # x

Comparisons of others may be those of tuples, which are compared item by item.  What is missed here
costs a call where the function is traced; a name that is taken for a number is compared as Python
compares it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import gast

from autograph.syntax.node_fields import child_nodes

_ARITHMETIC = (
    gast.Sub, gast.Mult, gast.Div, gast.FloorDiv, gast.Mod, gast.Pow, gast.LShift, gast.RShift,
)  # fmt: skip
_ORDERS = (gast.Lt, gast.LtE, gast.Gt, gast.GtE)
_NUMBERS = frozenset(("abs", "float", "int", "len", "round", "ord", "range"))
"""Builtins that return numbers, and range, which takes and gives them."""


def number_names(function: gast.AST) -> frozenset[str]:
    """Return the names that are numbers wherever a function and those inside it use them.

    Where nothing is compared by order they are not asked for, and there are none.
    """
    users: list[gast.AST] = []
    waiting, orders = [function], False
    while waiting:
        node = waiting.pop()
        if node.__class__ in _USERS:
            users.append(node)
            orders = orders or (isinstance(node, gast.Compare) and type(node.ops[0]) in _ORDERS)
        waiting += child_nodes(node)
    if not orders:
        return frozenset()
    numbers = (number for node in users for number in _USERS[node.__class__](node))
    return frozenset([number.id for number in numbers if number.__class__ is gast.Name])


def _of_operator(node: gast.BinOp) -> Iterable[gast.AST]:
    return (node.left, node.right) if isinstance(node.op, _ARITHMETIC) else ()


def _of_update(node: gast.AugAssign) -> Iterable[gast.AST]:
    return (node.target,) if isinstance(node.op, _ARITHMETIC) or is_number(node.value) else ()


def _of_comparison(node: gast.Compare) -> Iterable[gast.AST]:
    sides = (node.left, *node.comparators)
    return sides if any(map(is_number, sides)) else ()


def _of_assignment(node: gast.Assign) -> Iterable[gast.AST]:
    return node.targets if is_number(node.value) else ()


def _of_loop(node: gast.For) -> Iterable[gast.AST]:
    return (node.target,) if _is_call(node.iter) else ()


def _of_call(node: gast.Call) -> Iterable[gast.AST]:
    return node.args if _is_call(node) and node.func.id == "range" else ()


_USERS: dict[type, Callable[[Any], Iterable[gast.AST]]] = {
    gast.BinOp: _of_operator,
    gast.AugAssign: _of_update,
    gast.Compare: _of_comparison,
    gast.Assign: _of_assignment,
    gast.For: _of_loop,
    gast.Subscript: lambda node: (node.slice,),
    gast.Call: _of_call,
}
"""By class of a node: which expressions in it are numbers."""


def is_number(node: gast.AST) -> bool:
    """Whether an expression is a number by its form."""
    if isinstance(node, gast.Constant):
        return isinstance(node.value, int | float | complex)
    if isinstance(node, gast.UnaryOp):
        return not isinstance(node.op, gast.Not)
    if isinstance(node, gast.BinOp):
        return isinstance(node.op, _ARITHMETIC) or is_number(node.left) or is_number(node.right)
    return _is_call(node)


def _is_call(node: gast.AST) -> bool:
    """Whether a node calls one of the builtins that return numbers."""
    is_call = isinstance(node, gast.Call) and isinstance(node.func, gast.Name)
    return is_call and node.func.id in _NUMBERS
