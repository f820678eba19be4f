"""``with``: wraps the manager, so that its methods are converted while a backend is tracing.

    with lock:           =>   with ag__.manager(lock):
"""

from __future__ import annotations

import gast

from autograph.converters.expression_rewriter import ExpressionContext
from autograph.syntax.templates import ag_call


def _with(node: gast.With, context: ExpressionContext) -> gast.AST:
    for item in node.items:
        item.context_expr = ag_call("manager", item.context_expr, item.context_expr)
    return node


RULES = {gast.With: _with}
