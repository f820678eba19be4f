"""List displays: makes lists that can become staged while a backend is tracing.

    l = [x]              =>  l = ag__.list_([x])
    l = [*a, x]          =>  l = ag__.list_of([*ag__.spread(a), x])
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.converters.expression_rewriter import ExpressionContext
from autograph.syntax.templates import ag_call, is_operator


def _display(node: Any, context: ExpressionContext) -> gast.AST:
    if isinstance(getattr(node, "ctx", None), (gast.Store, gast.Del)):
        return node
    for position, item in enumerate(node.elts):
        if isinstance(item, gast.Starred):
            item.value = ag_call("spread", item.value, item.value)
            node.elts[position] = item
    starred = any(isinstance(item, gast.Starred) for item in node.elts)
    return ag_call("list_of" if starred else "list_", node, node)


def looked_at(node: gast.expr) -> gast.expr:
    """A display as the user wrote it, where the list is only looked at."""
    is_list = isinstance(node, gast.Call) and is_operator(node.func) and node.func.attr == "list_"
    return node.args[0] if is_list else node


RULES = {gast.List: _display}
