"""Static bools: expressions that evaluate to a Python bool whatever their operands are.

A statement whose test is one needs no staging and is kept as the user wrote it.
"""

from __future__ import annotations

from collections.abc import Callable

import gast

from autograph.syntax.templates import is_operator

_PREDICATES = frozenset(("isinstance", "issubclass", "callable"))


def is_certain(node: gast.AST, is_builtin: Callable[[str], bool]) -> bool:
    """Whether an expression certainly evaluates to True or False, not to a staged value.

    ``is_builtin`` says whether a name means Python's builtin of that name here.
    """
    if isinstance(node, gast.Constant):
        return isinstance(node.value, bool)
    if isinstance(node, gast.Compare):
        return is_identity_of_ellipsis(node)
    if isinstance(node, gast.UnaryOp):
        return isinstance(node.op, gast.Not) and is_certain(node.operand, is_builtin)
    if isinstance(node, gast.BoolOp):
        return all(is_certain(value, is_builtin) for value in node.values)
    if isinstance(node, gast.Call):
        function = node.func
        if isinstance(function, gast.Call) and is_operator(function.func) and function.args:
            function = function.args[0]  # ag__.call(isinstance)(...)
        if isinstance(function, gast.Name):
            return function.id in _PREDICATES and is_builtin(function.id)
    return False


def is_identity_of_ellipsis(node: gast.Compare) -> bool:
    """Whether a comparison is ``x is ...``, which no staged value changes.

    Comparisons with None, another variable, a bool or a number may be staged.
    """
    return len(node.ops) == 1 and isinstance(node.ops[0], (gast.Is, gast.IsNot)) and any(
        isinstance(side, gast.Constant) and side.value is Ellipsis
        for side in (node.left, node.comparators[0])
    )
