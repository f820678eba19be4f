"""Displays: makes lists, dicts and sets that can become staged while a backend is tracing.

    l = [x]              =>  l = ag__.list_([x])
    l = [*a, x]          =>  l = ag__.list_of([*ag__.spread(a), x])
    t = (*a, x)          =>  t = ag__.tuple_of((*ag__.spread(a), x))
    d = {"a": x}         =>  d = ag__.dict_({"a": x})
    d = {k: x}           =>  d = ag__.dict_of((k, x))
    d = {**e, k: x}      =>  d = ag__.dict_with(ag__.dict_with((e,)), (k, x))
    s = {x, y}           =>  s = ag__.set_of(x, y)
    s = {*a, x}          =>  s = ag__.set_with(*ag__.spread(a), x)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gast

from autograph.converters.expression_rewriter import ExpressionContext
from autograph.syntax.templates import ag_call, is_operator


def _display(node: Any, context: ExpressionContext) -> gast.AST:
    if isinstance(getattr(node, "ctx", None), (gast.Store, gast.Del)):
        return node
    starred = spread(node.elts)
    if isinstance(node, gast.Tuple):
        return ag_call("tuple_of", node, node) if starred else node
    return ag_call("list_of" if starred else "list_", node, node)


def _dict(node: Any, context: ExpressionContext) -> gast.AST:
    if all(isinstance(key, gast.Constant) for key in node.keys):
        return ag_call("dict_", node, node)
    pairs = [
        gast.copy_location(gast.Tuple(elts=[*filter(None, pair)], ctx=gast.Load()), pair[1])
        for pair in zip(node.keys, node.values, strict=True)
    ]
    if None not in node.keys:
        return ag_call("dict_of", node, *pairs)
    pairs_so_far: list[gast.AST] = []
    for pair in pairs:  # Python unpacks a dict before it evaluates what follows
        pairs_so_far = [ag_call("dict_with", node, *pairs_so_far, pair)]
    return pairs_so_far[0]


def _set(node: Any, context: ExpressionContext) -> gast.AST:
    starred = spread(node.elts)
    return ag_call("set_with" if starred else "set_of", node, *node.elts)


def spread(items: Iterable[gast.expr]) -> bool:
    """Convert what is unpacked among items or arguments; return whether any is."""
    starred = [item for item in items if isinstance(item, gast.Starred)]
    for item in starred:
        item.value = ag_call("spread", item.value, item.value)
    return bool(starred)


def looked_at(node: gast.expr) -> gast.expr:
    """Return a display as the user wrote it, where the list is only read."""
    is_list = isinstance(node, gast.Call) and is_operator(node.func) and node.func.attr == "list_"
    return node.args[0] if is_list else node


RULES = {gast.List: _display, gast.Tuple: _display, gast.Dict: _dict, gast.Set: _set}
