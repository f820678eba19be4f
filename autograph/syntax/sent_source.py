"""Source that is sent with functions to processes that do not have their files.

The file of a function that is pickled by value may not be there, or be another one.
``source_to_send`` collects the texts here, ``keep_texts`` lets source.py find them there.
"""

from __future__ import annotations

import dis
import hashlib
import linecache
import sys
import types
from collections.abc import Container, Iterable, Iterator
from typing import Any

from autograph.named_tuples import NamedTuple
from autograph.syntax.exec_source import lines_of

_OF_CLOUDPICKLE = "<dynamic-code>"
"""Name that ``cloudpickle`` gives the file of all code."""

_KEPT: list[tuple[str, list[str]]] = []

_FIXED = (int, float, complex, bool, str, bytes, type(None), type(Ellipsis))
_MANY = 1000
"""Items of a list or dict that are rather data than functions."""
_WRITES = ("STORE_GLOBAL", "DELETE_GLOBAL")
_WRITES_CELLS = ("STORE_DEREF", "DELETE_DEREF")


class SentSource(NamedTuple):
    """What goes with a function: texts by file, and the digest of all that it is made of.

    The digest is None where some of that may change: objects, lists, names that it writes.
    """

    texts: dict[str, str]
    digest: str | None


def source_to_send(function: Any) -> SentSource:
    """Return the source of a function or class, or several in a list, and of what that leads to.

    Files of modules that are imported by name are left out: whoever gets a function of such a
    module by its name has the file.
    """
    texts: dict[str, str] = {}
    digest, may_change = hashlib.sha256(), False
    todo: list[Any] = [function]
    seen: set[int] = set()
    while todo:
        value = todo.pop()
        digest.update(f"{type(value).__qualname__} ".encode())
        if "_python_function" in getattr(value, "__dict__", ()):  # it is traced
            digest.update(repr(value._options).encode())
            value = value._python_function
        if hasattr(type(value), "__func__"):  # a method, or what makes one
            may_change |= hasattr(type(value), "__self__")
            todo.append(getattr(value, "__self__", None))
            value = value.__func__
            value = getattr(value, "_python_function", value)
        if isinstance(value, tuple):
            todo += value
        elif isinstance(value, _FIXED):
            digest.update(repr(value).encode())
        elif isinstance(value, types.ModuleType):
            digest.update(value.__name__.encode())
        elif not isinstance(value, type | types.FunctionType | types.BuiltinFunctionType):
            may_change = True
            if id(value) not in seen:
                seen.add(id(value))
                todo += _inside(value)
        elif isinstance(value, types.BuiltinFunctionType) or _is_importable(value):
            digest.update(f"{value.__module__}.{value.__qualname__}".encode())
        elif id(value) in seen:
            may_change |= value is function  # one that leads to itself arrives in several steps
        else:
            seen.add(id(value))
            if isinstance(value, type):
                may_change = True
                todo += vars(value).values()
                continue
            texts.update(_texts_of(value, texts))
            may_change |= bool(vars(value)) or _writes_outside(value)
            digest.update(repr([_content(value.__code__), value.__qualname__]).encode())
            todo += _referents(value)
    return SentSource(texts, None if may_change else digest.hexdigest())


def _texts_of(function: types.FunctionType, met: Container[str]) -> Iterator[tuple[str, str]]:
    """Yield the texts, with their files, that a function may come from, besides those met."""
    code = function.__code__
    file, line = code.co_filename, code.co_firstlineno
    if file == _OF_CLOUDPICKLE:  # it was sent here; Dask's scheduler sends it on
        word = "lambda" if code.co_name == "<lambda>" else code.co_name
        for name, lines in kept_texts(file):
            if any(word in text for text in lines[line - 1 : line + 20]):
                yield name, "".join(lines)
    elif file not in met and (lines := lines_of(file, function.__globals__)):
        yield file, "".join(lines)


def _inside(value: Any) -> Iterable[Any]:
    """Return what may hold functions in an object of Python's: its items, or its class."""
    if type(value) in (list, set, frozenset, dict):
        items = value.values() if isinstance(value, dict) else value
        return items if len(items) < _MANY else ()
    return [type(value)]


def _is_importable(value: Any) -> bool:
    """Return whether a process that imports the module of a class or function has it."""
    module = sys.modules.get(value.__module__ or "")
    return value.__module__ != "__main__" and getattr(module, value.__name__, None) is value


def _codes_of(function: types.FunctionType) -> Iterator[types.CodeType]:
    """Yield the code of a function, and what is defined inside of it."""
    codes = [function.__code__]
    while codes:
        code = codes.pop()
        codes += [const for const in code.co_consts if isinstance(const, types.CodeType)]
        yield code


def _writes_outside(function: types.FunctionType) -> bool:
    """Return whether a function writes globals, or variables of those around it."""
    return any(
        step.opname in _WRITES
        or (step.opname in _WRITES_CELLS and step.argval in function.__code__.co_freevars)
        for code in _codes_of(function)
        for step in dis.get_instructions(code)
    )


def _content(code: types.CodeType) -> list[Any]:
    """Return what tells code from other code."""
    consts = [_content(c) if isinstance(c, types.CodeType) else c for c in code.co_consts]
    return [
        code.co_code, consts, code.co_names, code.co_varnames, code.co_freevars, code.co_flags,
        code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_firstlineno,
    ]  # fmt: skip


def _referents(function: types.FunctionType) -> Iterator[Any]:
    """Yield what a function refers to: names, each with its value, where it has one."""
    yield function.__defaults__
    yield tuple((function.__kwdefaults__ or {}).items())
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            yield name, cell.cell_contents
        except ValueError:  # it is empty yet
            continue
    for code in _codes_of(function):
        for name in code.co_names:
            if name in function.__globals__:
                yield name, function.__globals__[name]


def keep_texts(texts: dict[str, str]) -> None:
    """Let the source of functions be found that come from other processes' files."""
    for file, text in texts.items():
        entry = file, text.splitlines(True)
        if entry not in _KEPT:
            _KEPT.append(entry)
        if not linecache.getlines(file):  # for tracebacks
            linecache.cache[file] = (len(text), None, entry[1], file)


def kept_texts(file: str) -> list[tuple[str, list[str]]]:
    """Return the texts, each with its file, that code of a file may come from, the latest first."""
    return [entry for entry in reversed(_KEPT) if file in (entry[0], _OF_CLOUDPICKLE)]
