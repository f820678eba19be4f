"""Builders of gast nodes for generated code, used by the converters.

Every builder takes its position in the user's file from an ``origin`` node, so that generated code
carries the user's line numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import gast

from autograph.syntax.code_markers import AG

_PLACE = ("lineno", "col_offset", "end_lineno", "end_col_offset")
_LOAD, _STORE, _PARAM = gast.Load(), gast.Store(), gast.Param()


def new(kind: Any, /, **fields: Any) -> Any:
    """Return a node with these fields: what ``kind(**fields)`` gives, in a third of the time."""
    node = kind.__new__(kind)
    node.__dict__ = fields
    return node


def at(node: gast.AST, origin: gast.AST) -> gast.AST:
    """Give ``node`` the position of ``origin`` in the user's file, and return it."""
    place, place_of_origin = node.__dict__, origin.__dict__
    try:
        place["lineno"] = place_of_origin["lineno"]
        place["col_offset"] = place_of_origin["col_offset"]
        place["end_lineno"] = place_of_origin["end_lineno"]
        place["end_col_offset"] = place_of_origin["end_col_offset"]
    except KeyError:
        place.update(
            (field, place_of_origin[field]) for field in _PLACE if field in place_of_origin
        )
    return node


def load(name: str) -> gast.Name:
    """Return the expression ``name``."""
    return new(gast.Name, id=name, ctx=_LOAD, annotation=None, type_comment=None)


def store(name: str) -> gast.Name:
    """Return ``name`` as the target of an assignment."""
    return new(gast.Name, id=name, ctx=_STORE, annotation=None, type_comment=None)


def constant(value: object) -> gast.Constant:
    """A literal."""
    return new(gast.Constant, value=value, kind=None)


def strings(values: Iterable[str]) -> gast.Tuple:
    """A tuple display of string literals."""
    return new(gast.Tuple, elts=[constant(value) for value in values], ctx=_LOAD)


def operator(name: str) -> gast.Attribute:
    """Return the expression ``ag__.name``."""
    return new(gast.Attribute, value=load(AG), attr=name, ctx=_LOAD)


def call(function: gast.expr, *args: gast.expr) -> gast.Call:
    """Return the expression ``function(*args)``."""
    return new(gast.Call, func=function, args=list(args), keywords=[])


def ag_call(name: str, origin: gast.AST, *args: gast.expr) -> gast.Call:
    """Return the expression ``ag__.name(*args)``, at the position of ``origin``."""
    function = at(operator(name), origin)
    if hasattr(origin, "lineno"):
        # the compiler gives a call the line where its function ends: it must be the first one
        function.end_lineno, function.end_col_offset = function.lineno, function.col_offset
    return at(call(function, *args), origin)


def is_operator(node: gast.AST) -> bool:
    """Whether ``node`` is ``ag__.something``."""
    return (
        isinstance(node, gast.Attribute)
        and isinstance(node.value, gast.Name)
        and node.value.id == AG
    )


def no_arguments() -> gast.arguments:
    """Return an empty parameter list."""
    return _arguments([])


def parameter(name: str) -> gast.Name:
    """A positional parameter."""
    return new(gast.Name, id=name, ctx=_PARAM, annotation=None, type_comment=None)


def _arguments(parameters: list[gast.Name]) -> gast.arguments:
    return new(
        gast.arguments, args=parameters, posonlyargs=[], vararg=None, kwonlyargs=[],
        kw_defaults=[], kwarg=None, defaults=[],
    )  # fmt: skip


def thunk(value: gast.expr) -> gast.Lambda:
    """Return ``lambda: value``."""
    result = new(gast.Lambda, args=no_arguments(), body=value, added=True)  # not the user's
    return at(result, value)


def assign(name: str, value: gast.expr, origin: gast.AST) -> gast.stmt:
    """Return ``name = value``."""
    return at(new(gast.Assign, targets=[store(name)], value=value, type_comment=None), origin)


def define(
    name: str, parameters: Sequence[str], body: list[gast.stmt], origin: gast.AST
) -> gast.FunctionDef:
    """Return a local function; an empty body becomes ``pass``."""
    node = new(
        gast.FunctionDef, name=name, args=_arguments([parameter(p) for p in parameters]),
        body=body or [at(gast.Pass(), origin)], decorator_list=[], returns=None,
        type_comment=None, type_params=[],
    )  # fmt: skip
    return at(node, origin)
