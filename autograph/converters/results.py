"""``return`` from a function with effects: what is returned stands behind them.

    print(x)                  ag__.call(print)(x)
    return x             =>   return ag__.returned(x)

A graph runs only what is fetched; the operator makes the fetched value one of this program, so
that fetching it runs the program's prints, assertions and writes as well.
"""

from __future__ import annotations

import gast

from autograph.converters.rewriting import Place
from autograph.syntax.templates import ag_call


def has_effects(function: gast.AST) -> bool:
    """Whether a statement of a function is there for its effect alone."""
    stack: list[gast.AST] = list(getattr(function, "body", ()) if not isinstance(
        function, gast.Lambda) else ())
    while stack:
        node = stack.pop()
        if isinstance(node, (gast.Assert, gast.Raise)):
            return True
        if isinstance(node, gast.Expr):
            if isinstance(node.value, gast.Call):
                return True
        elif isinstance(node, gast.stmt | gast.ExceptHandler | gast.match_case):
            if not isinstance(node, gast.ClassDef):
                stack.extend(gast.iter_child_nodes(node))
    return False


def _return(node: gast.Return, place: Place) -> gast.AST:
    if place.effects and node.value is not None and not isinstance(node.value, gast.Constant):
        node.value = ag_call("returned", node.value, node.value)
    return node


RULES = {gast.Return: _return}
