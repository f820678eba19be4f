"""Lists that converted code makes: they can become staged where a backend records.

    l = [x]              =>  l = ag__.list_([x])
"""

from __future__ import annotations

import gast

from autograph.converters.rewriting import Place
from autograph.syntax.templates import ag_call, is_operator


def _display(node: gast.AST, place: Place) -> gast.AST:
    if isinstance(getattr(node, "ctx", None), (gast.Store, gast.Del)):
        return node
    return ag_call("list_", node, node)


def looked_at(node: gast.expr) -> gast.expr:
    """A display as the user wrote it, where the list is only looked at."""
    is_list = isinstance(node, gast.Call) and is_operator(node.func) and node.func.attr == "list_"
    return node.args[0] if is_list else node


RULES = {gast.List: _display}
