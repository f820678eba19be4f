"""Source that is sent with functions to processes that do not have their files.

The file of a function that is pickled by value may not be there, or be another one.  ``texts_of``
collects the texts here, ``keep_texts`` lets source.py find them there.
"""

from __future__ import annotations

import linecache
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

from autograph.syntax.exec_source import lines_of

_OF_CLOUDPICKLE = "<dynamic-code>"
"""Name that ``cloudpickle`` gives the file of all code."""

_KEPT: list[tuple[str, list[str]]] = []


def texts_of(function: Callable[..., Any]) -> dict[str, str]:
    """Return the texts, by file, of a function and of those that it leads to.

    Files of modules that are imported by name are left out: whoever gets a function of such a
    module by its name has the file.
    """
    texts: dict[str, str] = {}
    todo: list[Any] = [function]
    seen: set[int] = set()
    while todo:
        value = todo.pop()
        value = getattr(value, "_python_function", getattr(value, "__func__", value))
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, type) and not _is_importable(value):
            todo += vars(value).values()
        elif isinstance(value, types.FunctionType) and not _is_importable(value):
            file = value.__code__.co_filename
            if file not in texts and (lines := lines_of(file, value.__globals__)):
                texts[file] = "".join(lines)
            todo += _referents(value)
    return texts


def _is_importable(value: Any) -> bool:
    """Return whether a process that imports the module of a class or function has it."""
    module = sys.modules.get(value.__module__ or "")
    return value.__module__ != "__main__" and getattr(module, value.__name__, None) is value


def _referents(function: types.FunctionType) -> Iterator[Any]:
    """Yield what the code of a function refers to."""
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # it is empty yet
            continue
    codes = [function.__code__]
    while codes:
        code = codes.pop()
        codes += [const for const in code.co_consts if isinstance(const, types.CodeType)]
        for name in code.co_names:
            yield function.__globals__.get(name)


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
