"""``return`` from a function with effects: the returned value depends on the effects.

    print(x)                  ag__.call(print)(x)
    return x             =>   return ag__.returned(x)

A graph runs only what is fetched; the operator makes the fetched value one of this program, so
that fetching it runs the program's prints, assertions and writes as well.
"""

from __future__ import annotations

import gast

from autograph.converters.expression_rewriter import ExpressionContext
from autograph.syntax.templates import ag_call


def _return(node: gast.Return, context: ExpressionContext) -> gast.AST:
    nothing = node.value is None or getattr(node.value, "value", ...) is None
    if context.effects and not nothing:
        node.value = ag_call("returned", node.value, node.value)
    return node


RULES = {gast.Return: _return}
