"""Recursion of functions that run as plain Python: they call themselves, not the ``jit`` object.

The function of ``@jit def fib(n): return fib(n - 1) + ...`` looks its name up among the globals and
gets the object that ``jit`` returned, whose call takes as long again as a short function.  A copy
of the function has itself in that place, as a constant of its code.
"""

from __future__ import annotations

import dis
import sys
import types
from typing import Any

_LOAD_GLOBAL, _LOAD_CONST = dis.opmap["LOAD_GLOBAL"], dis.opmap["LOAD_CONST"]
_NOP, _PUSH_NULL = dis.opmap["NOP"], dis.opmap["PUSH_NULL"]
_CACHE, _EXTENDED_ARG = dis.opmap["CACHE"], dis.opmap["EXTENDED_ARG"]


def calling_itself(function: types.FunctionType, name: str) -> types.FunctionType | None:
    """Return a copy of a function in which the global ``name`` is the copy; None if it cannot be.

    It cannot where the function assigns that name, or where its code is too long for one byte.
    """
    copy = _copy(function, function.__closure__)
    code = _with_constant(function.__code__, name, copy)
    if code is None or code is function.__code__:
        return None
    copy.__code__ = code
    return copy


def calling_itself_by_cell(function: types.FunctionType, value: Any) -> types.FunctionType | None:
    """As ``calling_itself``, where a variable of the function around refers to ``value``, which the
    function only calls.
    """
    cells = function.__closure__ or ()
    copy_cell = types.CellType()
    for number, cell in enumerate(cells):
        name = function.__code__.co_freevars[number]
        if _holds(cell, value) and _only_calls(function.__code__, name):
            copy = _copy(function, (*cells[:number], copy_cell, *cells[number + 1 :]))
            copy_cell.cell_contents = copy
            return copy
    return None


def _holds(cell: types.CellType, value: Any) -> bool:
    try:
        return cell.cell_contents is value
    except ValueError:  # it is not defined yet
        return False


def _only_calls(code: types.CodeType, name: str) -> bool:
    """Whether a function does nothing else with a variable of the function around but call it."""
    instructions = [*dis.get_instructions(code)]
    for number, instruction in enumerate(instructions):
        if instruction.argval != name or instruction.opname == "LOAD_FAST":
            continue
        beside = instructions[number + (1 if sys.version_info >= (3, 13) else -1)]
        if instruction.opname != "LOAD_DEREF" or beside.opname != "PUSH_NULL":
            return False
    return True


def _copy(function: types.FunctionType, closure: Any) -> types.FunctionType:
    copy = types.FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, closure
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__dict__.update(function.__dict__)
    copy.__qualname__, copy.__module__ = function.__qualname__, function.__module__
    return copy


def _with_constant(code: types.CodeType, name: str, value: Any) -> types.CodeType | None:
    """Return code that has a constant where it loads a global; the same code where it does not."""
    inner = [
        _with_constant(const, name, value) if isinstance(const, types.CodeType) else const
        for const in code.co_consts
    ]
    if any(new is None and isinstance(old, types.CodeType)
           for new, old in zip(inner, code.co_consts, strict=True)):  # fmt: skip
        return None
    changed = any(new is not old for new, old in zip(inner, code.co_consts, strict=True))
    if name not in code.co_names:
        return code.replace(co_consts=tuple(inner)) if changed else code
    index, place = code.co_names.index(name), len(inner)
    units = bytearray(code.co_code)
    if place > 255 or index > 127:
        return None
    for at in range(0, len(units), 2):
        operation, argument = units[at], units[at + 1]
        if operation == _CACHE or not _uses_name(operation, argument, index):
            continue
        if operation != _LOAD_GLOBAL or (at and units[at - 2] == _EXTENDED_ARG):
            return None
        if not argument & 1:  # it is no call: `fib.count += 1` means the object
            continue
        end = at + 2
        while end < len(units) and units[end] == _CACHE:
            end += 2
        if end - at < 4:
            return None
        _load_constant(units, at, end, place)
    return code.replace(co_code=bytes(units), co_consts=(*inner, value))


def _uses_name(operation: int, argument: int, index: int) -> bool:
    """Whether an instruction is about the name with an index, other than as an attribute."""
    if operation == _LOAD_GLOBAL:
        return argument >> 1 == index
    return dis.opname[operation] in _ABOUT_GLOBALS and argument == index


_ABOUT_GLOBALS = {"STORE_GLOBAL", "DELETE_GLOBAL", "LOAD_NAME", "STORE_NAME", "DELETE_NAME"}


def _load_constant(units: bytearray, start: int, end: int, place: int) -> None:
    """Write the load of a constant to call over that of a global, whose caches leave room for it.
    """
    load, null = (_LOAD_CONST, place), (_PUSH_NULL, 0)
    first, second = (load, null) if sys.version_info >= (3, 13) else (null, load)
    units[start : start + 4] = bytes((*first, *second))
    for at in range(start + 4, end, 2):
        units[at : at + 2] = bytes((_NOP, 0))
