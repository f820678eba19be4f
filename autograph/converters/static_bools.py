"""Static bools: expressions that evaluate to a Python bool whatever their operands are.

A statement whose test is one needs no staging and is kept as the user wrote it.
"""

from __future__ import annotations

import gast


def is_certain(node: gast.AST) -> bool:
    """Whether an expression certainly evaluates to True or False, not to a staged value.

    ``isinstance(x, int)`` is staged where ``x`` is an int on one path and a float on another.
    """
    if isinstance(node, gast.Constant):
        return isinstance(node.value, bool)
    if isinstance(node, gast.Compare):
        return is_identity_of_ellipsis(node)
    if isinstance(node, gast.UnaryOp):
        return isinstance(node.op, gast.Not) and is_certain(node.operand)
    if isinstance(node, gast.BoolOp):
        return all(map(is_certain, node.values))
    return False


def is_identity_of_ellipsis(node: gast.Compare) -> bool:
    """Whether a comparison is ``x is ...``, which no staged value changes.

    Comparisons with None, another variable, a bool or a number may be staged.
    """
    return len(node.ops) == 1 and isinstance(node.ops[0], (gast.Is, gast.IsNot)) and any(
        isinstance(side, gast.Constant) and side.value is Ellipsis
        for side in (node.left, node.comparators[0])
    )
