"""Checks that a code object was compiled from a tree, that is, that found source is current.

The file of a function may have been edited since it was imported.  ``source`` therefore has the
tree compiled again at the function's position, and the two code objects are compared.
"""

from __future__ import annotations
import __future__

import ast
import dis
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from autograph.syntax.parse import parse

Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = Function | ast.Lambda

_FUTURES = 0
for _name in __future__.all_feature_names:
    _FUTURES |= getattr(__future__, _name).compiler_flag

_NESTED = 0x10  # CO_NESTED: the function stands inside another one
_KIND = 0x2AC  # CO_VARARGS, CO_VARKEYWORDS, CO_GENERATOR, CO_COROUTINE, CO_ASYNC_GENERATOR

# Methods of names that the module imports are called by other instructions than those of others,
# and instructions of another size can lead to other jumps.
_CALLS = ("LOAD_ATTR", "LOAD_METHOD", "PUSH_NULL", "PRECALL", "CALL", "CACHE", "EXTENDED_ARG")
_CALLING = {dis.opmap[name] for name in _CALLS if name in dis.opmap} | {*dis.hasjrel}
_LOAD_GLOBAL = dis.opmap["LOAD_GLOBAL"]
# Instructions that stand where their name or operator stands in the text.
_PLACED = {*dis.haslocal, *dis.hasfree, *dis.hascompare, _LOAD_GLOBAL}
_PLACED.add(dis.opmap["BINARY_OP"])


def fitting_nodes(code: types.CodeType, nodes: Sequence[Definition]) -> list[Definition]:
    """Return the ``nodes`` that ``code`` may have been compiled from, by the strictest test met."""
    tests: tuple[Callable[[types.CodeType, Definition], bool], ...]
    tests = (_same, _alike, _optimized, _instrumented)
    for test in tests:
        if fitting := [node for node in nodes if test(code, node)]:
            return fitting
    return []


def class_of(code: types.CodeType) -> str | None:
    """Return the class whose body holds ``code``, directly or through functions; else None."""
    names = code.co_qualname.split(".")
    place = len(names) - 1
    while place > 0:
        if names[place - 1][0] != "<":
            return names[place - 1]
        place -= 2 if names[place - 1] == "<locals>" else 1  # a comprehension has no locals part
    return None


def _same(code: types.CodeType, node: Definition) -> bool:
    """Whether ``node`` compiles to ``code``."""
    return code in _compiled(code, node)


def _alike(code: types.CodeType, node: Definition) -> bool:
    """Whether ``node`` compiles to ``code``, except for what depends on the rest of the module."""
    # A module with `super` outside of methods calls it as any other name.
    return any(
        _essence(code) == _essence(candidate)
        for before in ("", "super\n")
        for candidate in _compiled(code, node, before=before)
    )


def _optimized(code: types.CodeType, node: Definition) -> bool:
    """Whether ``node`` compiles to ``code`` at another level of optimisation than ours."""
    return any(code in _compiled(code, node, optimize=level) for level in (0, 1, 2))


def _instrumented(code: types.CodeType, node: Definition) -> bool:
    """Whether ``code`` is ``node`` with instrumentation added, as pytest does with asserts.

    The added code has names that no user can write, and the positions of the user's text; the
    user's names and constants are all there.
    """
    if all(name.isidentifier() for name in code.co_names + code.co_varnames):
        return False
    places = {
        place
        for inner in ast.walk(node)
        if isinstance(inner, (ast.expr, ast.stmt))
        for place in ((inner.lineno, inner.col_offset), (inner.end_lineno, inner.end_col_offset))
    }
    count = code.co_argcount + code.co_kwonlyargcount + (code.co_flags >> 2 & 3)
    return any(
        candidate.co_varnames[:count] == code.co_varnames[:count]
        and candidate.co_flags & _KIND == code.co_flags & _KIND
        and _facts(candidate) <= _facts(code)
        and _places(code) <= places | _places(candidate)
        for candidate in _compiled(code, node)
    )


def _essence(code: types.CodeType) -> list[object]:
    """Return names, constants and placed instructions of ``code``, without jumps and calls' forms.
    """
    instructions = {
        (op, argument >> 1 if op == _LOAD_GLOBAL else argument, place if op in _PLACED else None)
        for op, argument, place in zip(
            code.co_code[::2], code.co_code[1::2], code.co_positions(), strict=True
        )
        if op not in _CALLING
    }
    consts = [
        _essence(const) if isinstance(const, types.CodeType) else _facts(const)
        for const in code.co_consts
    ]
    names = code.co_name, code.co_names, code.co_varnames, code.co_freevars
    return [names, instructions, consts]


def _facts(const: object) -> set[object]:
    """Return names and constants of a code object and of all inner ones."""
    if isinstance(const, types.CodeType):
        names: set[object] = {*const.co_names, *const.co_varnames, *const.co_freevars}
        return names.union(*map(_facts, const.co_consts))
    if isinstance(const, (tuple, frozenset)):
        return set().union(*map(_facts, const))
    if isinstance(const, str) and "<locals>" in const:
        return set()  # the qualified name of an inner class depends on the surroundings
    return {repr(const) if isinstance(const, (float, complex)) else (type(const), const)}


def _places(code: types.CodeType) -> set[tuple[int | None, int | None]]:
    places: set[tuple[int | None, int | None]] = set()
    for line, end_line, column, end_column in code.co_positions():
        if end_column:
            places |= {(line, column), (end_line, end_column)}
    return places


def _compiled(
    code: types.CodeType, node: Definition, *, optimize: int = -1, before: str = ""
) -> Iterator[types.CodeType]:
    """Compile ``node`` in the surroundings of ``code``: same class, same enclosing variables."""
    tree = parse(before + _surroundings(code))
    holder: Any = tree
    while not isinstance(holder.body[-1], ast.Pass):
        holder = holder.body[-1]
    body = ast.copy_location(ast.Expr(node), node) if isinstance(node, ast.Lambda) else node
    holder.body[-1] = body
    try:
        module = compile(
            tree,
            code.co_filename,
            "exec",
            flags=code.co_flags & _FUTURES,
            dont_inherit=True,
            optimize=optimize,
        )
    except (SyntaxError, ValueError):
        return
    stack = [module]
    while stack:
        inner = stack.pop()
        if inner.co_name == code.co_name and inner.co_firstlineno == code.co_firstlineno:
            yield inner
        stack.extend(const for const in inner.co_consts if isinstance(const, types.CodeType))


def _surroundings(code: types.CodeType) -> str:
    """Return a class and a function with ``pass`` where the function of ``code`` would be."""
    owner = class_of(code)
    lines = [] if owner is None else [f"class {owner}:"]
    if code.co_flags & _NESTED:
        names = [name for name in code.co_freevars if name.isidentifier() and name != "__class__"]
        # An async function, because a default or decorator may await or yield.
        around = [f"async def _({', '.join(names)}):"]
        method = owner is not None and code.co_qualname.endswith(f"{owner}.{code.co_name}")
        inner = owner if method else code.co_name
        if inner in code.co_names and inner not in code.co_freevars:
            around.append(f"global {inner}")  # the name does not refer to this definition
        lines = [*around, *lines] if method else [*lines, *around]
    depth, text = 0, ""
    for line in [*lines, "pass"]:
        text += " " * depth + line + "\n"
        depth += line[-1] == ":"
    return text
