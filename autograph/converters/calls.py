"""Calls: what is called is looked up first, so that its own code is converted, too.

    f(x)                 =>  ag__.call(f)(x)
    f(*x, **y)           =>  ag__.starred(f)(*ag__.spread(x), **ag__.keywords(y))
    super().f(x)         =>  ag__.call(super(__class__, self).f)(x)
    locals()             =>  ag__.own_locals(locals())
    vars(x), x.__dict__  =>  vars(ag__.certain(x)), ag__.certain(x).__dict__
    x.__class__          =>  ag__.class_of(x)

The call itself stays in the user's frame, with the user's arguments.  Builtins that never see a
staged value, and those that look at their caller's frame, are left alone.
"""

from __future__ import annotations

import gast

from autograph.converters.expression_rewriter import ExpressionContext
from autograph.converters.keep_as_python import FRAME_BUILTINS
from autograph.converters.lists import spread
from autograph.syntax.templates import ag_call, at, is_operator, load

UNTOUCHED = FRAME_BUILTINS | frozenset((
    "super", "globals",
    "classmethod", "staticmethod", "property",
    "object", "slice", "memoryview", "help", "compile", "__import__",
))


def _call(node: gast.Call, context: ExpressionContext) -> gast.AST:
    function = node.func
    if is_operator(function) or _is_chosen(function):
        return node
    if isinstance(function, gast.Name) and function.id in UNTOUCHED:
        if context.means_builtin(function.id):
            if function.id in ("vars", "dir"):
                node.args = [ag_call("certain", arg, arg) for arg in node.args]
            if function.id == "locals" and not context.in_class:
                return ag_call("own_locals", node, node)
            return _super(node, context) if function.id == "super" else node
    starred = spread(node.args)
    for keyword in node.keywords:
        if keyword.arg is None:
            keyword.value = ag_call("keywords", keyword.value, keyword.value)
            starred = True
    node.func = ag_call("starred" if starred else "call", function, function)
    return node


def _is_chosen(function: gast.expr) -> bool:
    """Whether ``function`` is the call of an operator that chooses what to call."""
    return isinstance(function, gast.Call) and is_operator(function.func)


def _super(node: gast.Call, context: ExpressionContext) -> gast.Call:
    if not node.args and not node.keywords and context.first_parameter is not None:
        node.args = [at(load("__class__"), node), at(load(context.first_parameter), node)]
    return node


def _attribute(node: gast.Attribute, context: ExpressionContext) -> gast.AST:
    if node.attr == "__dict__":
        node.value = ag_call("certain", node.value, node.value)
    elif node.attr == "__class__" and isinstance(node.ctx, gast.Load):
        return ag_call("class_of", node, node.value)
    return node


RULES = {gast.Call: _call, gast.Attribute: _attribute}
