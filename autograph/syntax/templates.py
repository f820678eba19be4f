"""Builders of gast nodes for generated code, used by the converters.

Every builder takes its position in the user's file from an ``origin`` node, so that generated code
carries the user's line numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import gast

from autograph.syntax.code_markers import AG

_PLACE = ("lineno", "col_offset", "end_lineno", "end_col_offset")


def at(node: gast.AST, origin: gast.AST) -> gast.AST:
    """Give ``node`` the position of ``origin`` in the user's file, and return it."""
    place, known = node.__dict__, origin.__dict__
    for field in _PLACE:
        if field in known:
            place[field] = known[field]
    return node


def load(name: str) -> gast.Name:
    """Return the expression ``name``."""
    return gast.Name(name, gast.Load(), None, None)


def store(name: str) -> gast.Name:
    """Return ``name`` as the target of an assignment."""
    return gast.Name(name, gast.Store(), None, None)


def constant(value: object) -> gast.Constant:
    """A literal."""
    return gast.Constant(value, None)


def strings(values: Iterable[str]) -> gast.Tuple:
    """A tuple display of string literals."""
    return gast.Tuple([constant(value) for value in values], gast.Load())


def operator(name: str) -> gast.Attribute:
    """Return the expression ``ag__.name``."""
    return gast.Attribute(load(AG), name, gast.Load())


def call(function: gast.expr, *args: gast.expr) -> gast.Call:
    """Return the expression ``function(*args)``."""
    return gast.Call(function, list(args), [])


def ag_call(name: str, origin: gast.AST, *args: gast.expr) -> gast.Call:
    """Return the expression ``ag__.name(*args)``, at the position of ``origin``."""
    function = at(operator(name), origin)
    if hasattr(origin, "lineno"):
        # the compiler gives a call the line where its function ends: it must be the first one
        function.end_lineno, function.end_col_offset = function.lineno, function.col_offset
    result = at(call(function, *args), origin)
    assert isinstance(result, gast.Call)
    return result


def is_operator(node: gast.AST) -> bool:
    """Whether ``node`` is ``ag__.something``."""
    return (
        isinstance(node, gast.Attribute)
        and isinstance(node.value, gast.Name)
        and node.value.id == AG
    )


def no_arguments() -> gast.arguments:
    """Return an empty parameter list."""
    return gast.arguments([], [], None, [], [], None, [])


def parameter(name: str) -> gast.Name:
    """A positional parameter."""
    return gast.Name(name, gast.Param(), None, None)


def thunk(value: gast.expr) -> gast.Lambda:
    """Return ``lambda: value``."""
    result = at(gast.Lambda(no_arguments(), value), value)
    assert isinstance(result, gast.Lambda)
    result.added = True  # and not the user's
    return result


def assign(name: str, value: gast.expr, origin: gast.AST) -> gast.stmt:
    """Return ``name = value``."""
    return at(gast.Assign([store(name)], value, None), origin)


def define(
    name: str, parameters: Sequence[str], body: list[gast.stmt], origin: gast.AST
) -> gast.FunctionDef:
    """Return a local function; an empty body becomes ``pass``."""
    arguments = gast.arguments([parameter(p) for p in parameters], [], None, [], [], None, [])
    body = body or [at(gast.Pass(), origin)]
    node = gast.FunctionDef(name, arguments, body, [], None, None, [])
    result = at(node, origin)
    assert isinstance(result, gast.FunctionDef)
    return result
