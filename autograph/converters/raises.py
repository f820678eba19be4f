"""``raise``: in a staged branch or loop the exception is raised at run time.

    raise ValueError(x)   =>   raise ag__.raise_stmt(ValueError(x))
"""

from __future__ import annotations

import gast

from autograph.converters.expression_rewriter import ExpressionContext
from autograph.syntax.templates import ag_call


def _raise(node: gast.Raise, context: ExpressionContext) -> gast.AST:
    if node.exc is not None:
        node.exc = ag_call("raise_stmt", node.exc, node.exc)
    return node


RULES = {gast.Raise: _raise}
