"""Items in the unstaged version of a function: eager tensors as keys, and item assignment.

An eager tensor has no hash and is immutable: Python raises TypeError for it as a dict key and for
its item assignment.  Converted code finds the key, and assigns a changed copy to the variable.

    a[i]         =>  a[i] if type(i) is cache.known else ag__.item_at_key(cache, a, i)
    a[i + 1]     =>  a[i + 1] if type(a) is cache.known else ag__.item_of(cache, a, i + 1)
    t[i] = v     =>  if ag__.EAGER:                     # a backend has eager values
                         t = ag__.setitem(v, t, i)
                     else:
                         t[i] = v

``cache`` knows one of Python's own types, of which nothing is refused.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import gast

from autograph.conversion.unstaged_calls import (
    InlineCaches,
    call_of,
    choice,
    constant,
    is_small,
    kind_is,
    operator,
)
from autograph.converters.slices import Assignments, has_item
from autograph.syntax import templates
from autograph.syntax.names import FreshNames
from autograph.syntax.tree_translation import to_ast, to_gast

_SIGNS = {ast.Add: "+=", ast.Sub: "-=", ast.Mult: "*=", ast.Div: "/=", ast.FloorDiv: "//=",
          ast.Mod: "%=", ast.Pow: "**=", ast.MatMult: "@=", ast.BitAnd: "&=", ast.BitOr: "|=",
          ast.BitXor: "^=", ast.LShift: "<<=", ast.RShift: ">>="}  # fmt: skip
_WITH_CODE = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_NEVER_REFUSED = (ast.Constant, ast.Slice, ast.Tuple, ast.UnaryOp, ast.JoinedStr)
"""Keys that are no single tensor."""
_EFFECTS = (ast.Call, ast.NamedExpr, *_WITH_CODE)


def read(node: ast.Subscript, caches: InlineCaches) -> ast.expr:
    """Return ``a[i]`` with an inline cache; its parts are rewritten already."""
    key, holder = node.slice, node.value
    if not isinstance(node.ctx, ast.Load) or isinstance(key, _NEVER_REFUSED):
        return node
    if isinstance(key, ast.Name) and is_small([holder]):
        return _read(node, key, "item_at_key", caches)
    if isinstance(holder, ast.Name) and is_small([key]):
        return _read(node, holder, "item_of", caches)
    return node


def _read(node: ast.Subscript, checked: ast.Name, name: str, caches: InlineCaches) -> ast.expr:
    cache = caches.new()
    lookup = call_of(name, node, [constant(cache, node), node.value, node.slice])
    return choice(kind_is(checked, cache), node, lookup, node)


def assigned(node: ast.stmt, bound: frozenset[str], names: FreshNames) -> list[ast.stmt] | None:
    """Return the assignment to an item where eager values exist; None for other assignments.

    ``bound`` are the variables of the function.
    """
    if not isinstance(node, (ast.Assign, ast.AugAssign)):
        return None
    targets = [node.target] if isinstance(node, ast.AugAssign) else node.targets
    inside = (inner for target in targets for inner in ast.walk(target))
    if not any(isinstance(inner, ast.Subscript) for inner in inside):
        return None
    statement: Any = to_gast(node)
    assignments = Assignments(names, bound)
    if isinstance(node, ast.AugAssign):
        if not has_item(statement.target):
            return None
        statements = _augmented(node, statement, assignments)
    elif any(map(has_item, statement.targets)):
        statements = list(assignments.statement(statement))
    else:
        return None
    return statements and [to_ast(statement) for statement in statements]


def _augmented(
    node: ast.AugAssign, statement: gast.AugAssign, assignments: Assignments
) -> list[gast.stmt] | None:
    """Return ``t[i] += v`` without a function for ``v``, whose code the original would not have.

    Returns None where the item would be read after ``v``, or anything with effects twice.
    """
    sign = templates.at(templates.constant(_SIGNS[type(node.op)]), statement)
    target: Any = node.target
    value = statement.value
    if isinstance(target.value, ast.Name) and isinstance(target.slice, (ast.Name, ast.Constant)):
        item: Any = to_gast(target)
        item.ctx = gast.Load()
        changed = templates.ag_call("inplace", statement, sign, item, value)
        return [assignments.store(statement.target, changed, statement)]
    if any(isinstance(inner, _EFFECTS) for inner in ast.walk(node.value)):
        return None
    if not isinstance(node.value, ast.Constant):
        value = templates.ag_call("just", statement, value)
    change = assignments.change(
        statement.target, statement, lambda where: ("update_item", [*where, sign, value])
    )
    return [change]


def guarded(node: ast.stmt, instead: list[ast.stmt]) -> list[ast.stmt]:
    """Return both forms of an assignment; only the new one where code would have to occur twice."""
    if any(isinstance(inner, _WITH_CODE) for inner in ast.walk(node)):
        return instead
    test = operator("EAGER", node)
    return [ast.copy_location(ast.If(test, instead, [node]), node)]


def bound_in(function: ast.AST, nodes: Iterator[ast.AST]) -> frozenset[str]:
    """Return the variables of a function, ``nodes`` being the nodes that run in its frame."""
    arguments: Any = function.args  # type: ignore[attr-defined]
    bound = {p.arg for p in ast.walk(arguments) if isinstance(p, ast.arg)}
    hidden: set[int] = set()
    for node in nodes:
        if isinstance(node, ast.comprehension):
            hidden.update(id(inner) for inner in ast.walk(node.target))
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            if id(node) not in hidden:
                bound.add(node.id)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            bound.update(node.names)
    return frozenset(bound)
