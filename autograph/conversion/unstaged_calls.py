"""Calls in the unstaged version of a function: look up the callee through an inline cache.

    f(x)          =>  (cache.found if f is cache.known else ag__.call_at(cache, f))(x)
    t.append(x)   =>  t.append(x) if type(t) is cache.known else ag__.method_at(cache, t.append)(x)
    f(x).g(y)     =>  ag__.call(<f(x)>.g)(y)

The first two forms evaluate an expression twice, which is a name or a module attribute.  ``cache``
and ``ag__`` are constants.  Builtins, and local functions of the unstaged version, are called
directly.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from autograph.syntax.inline_cache import InlineCache
from autograph.syntax.load import OPERATORS, TYPE

_SIMPLE = (ast.Name, ast.Constant, ast.Attribute, ast.Subscript, ast.Slice, ast.Tuple, ast.BinOp,
           ast.UnaryOp, ast.Compare, ast.Call, ast.IfExp, ast.expr_context, ast.operator,
           ast.unaryop, ast.cmpop)  # fmt: skip
_MOST = 24
"""A call whose arguments have more nodes is not written twice, nor one that holds functions."""


def operator(name: str, node: Any) -> ast.Attribute:
    """Return the expression ``ag__.name`` at the start of ``node``."""
    return _attribute(OPERATORS, name, node)


def call_of(name: str, node: Any, args: list[Any]) -> ast.Call:
    """Return the call of an operator, at the position of ``node``."""
    return ast.copy_location(ast.Call(operator(name, node), args, []), node)


class InlineCaches:
    """The inline caches of one unstaged version, by their placeholders."""

    def __init__(self) -> None:
        self.made: dict[str, InlineCache] = {}

    def new(self) -> str:
        """Return the placeholder of a new inline cache."""
        name = f"\0cache {len(self.made)}"
        self.made[name] = InlineCache()
        return name


class CallRewriter:
    """Rewriter of the calls of one unstaged version."""

    def __init__(
        self,
        caches: InlineCaches,
        is_direct: Callable[[str], bool],
        is_module: Callable[[str], bool],
    ) -> None:
        self.caches = caches
        self.is_direct = is_direct
        """Whether what a name stands for is called as it is."""
        self.is_module = is_module
        """Whether a name stands for a module."""

    def rewritten(self, node: ast.Call) -> ast.expr:
        """Return a call that looks up its callee."""
        function = node.func
        if isinstance(function, ast.Name):
            if not self.is_direct(function.id):
                node.func = self._value(function)
            return node
        if isinstance(function, ast.Attribute):
            owner = function.value
            if isinstance(owner, (ast.Constant, ast.JoinedStr)):
                return node  # a method of a number or text
            if isinstance(owner, ast.Name):
                if self.is_module(owner.id):
                    node.func = self._value(function)
                    return node
                return self._method(node, function, owner)
        node.func = call_of("call", function, [function])
        return node

    def _value(self, function: ast.expr) -> ast.expr:
        cache = self.caches.new()
        known = ast.Compare(function, [ast.Is()], [_attribute(cache, "known", function)])
        found = _attribute(cache, "found", function)
        lookup = call_of("call_at", function, [constant(cache, function), function])
        return choice(known, found, lookup, function)

    def _method(self, node: ast.Call, function: ast.Attribute, owner: ast.Name) -> ast.expr:
        cache = self.caches.new()
        known = kind_is(owner, cache)
        lookup = call_of("method_at", function, [constant(cache, function), function])
        if node.keywords or not is_small(node.args):
            node.func = choice(known, function, lookup, function)
            return node
        looked_up = ast.copy_location(ast.Call(lookup, node.args, []), node)
        return choice(known, node, looked_up, node)


def kind_is(value: ast.Name, cache: str) -> ast.expr:
    """Return the test ``type(value) is cache.known``."""
    kind = ast.copy_location(ast.Call(constant(TYPE, value), [value], []), value)
    return ast.Compare(kind, [ast.Is()], [_attribute(cache, "known", value)])


def is_small(args: Sequence[ast.expr]) -> bool:
    """Whether expressions may be written twice."""
    waiting: list[ast.AST] = list(args)
    count = 0
    while waiting:
        node = waiting.pop()
        count += 1
        if count > _MOST or not isinstance(node, _SIMPLE):
            return False
        waiting.extend(ast.iter_child_nodes(node))
    return True


def choice(test: ast.expr, body: ast.expr, orelse: ast.expr, node: ast.expr) -> ast.expr:
    """Return ``body if test else orelse``, at the position of ``node``."""
    ast.copy_location(test, node)
    return ast.copy_location(ast.IfExp(test, body, orelse), node)


def constant(text: str, node: Any) -> ast.Constant:
    """Return a constant of the unstaged version, by the text that stands for it."""
    return ast.Constant(text, None, **_start(node))


def _attribute(text: str, name: str, node: Any) -> ast.Attribute:
    where = _start(node)
    return ast.Attribute(ast.Constant(text, None, **where), name, ast.Load(), **where)


def _start(node: Any) -> Mapping[str, Any]:
    # of no width: the compiler gives a call the line where its function ends
    return {"lineno": node.lineno, "col_offset": node.col_offset,
            "end_lineno": node.lineno, "end_col_offset": node.col_offset}  # fmt: skip
