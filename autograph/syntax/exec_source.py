"""Executes source given as text so that conversion can find the source of its functions."""

from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Iterator
from typing import Any


def exec_source(
    source: str, namespace: dict[str, Any] | None = None, filename: str | None = None
) -> dict[str, Any]:
    """Execute Python source given as text, so that its functions can be converted.

    As ``exec(source, namespace)``, and the text is kept where tracebacks and ``to_graph`` look.

    Args:
        source: the text of a module.
        namespace: its globals; None makes new ones.
        filename: what tracebacks call it; None makes a name of the text.

    Returns:
        The namespace, with what the text defines.

    Raises:
        SyntaxError: when the text is not Python, and whatever running it raises.
    """
    if filename is None:
        import hashlib

        filename = f"<text {hashlib.sha256(source.encode()).hexdigest()[:12]}>"
    if namespace is None:
        namespace = {"__name__": "__text__"}
    code = compile(source, filename, "exec", dont_inherit=True)
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    exec(code, namespace)
    return namespace


def lines_of(filename: str, namespace: dict[str, Any]) -> list[str]:
    """Return the lines of the file of code whose globals are ``namespace``; none if unavailable.

    A module's loader is asked for the module's own file alone: ``linecache`` would keep the text of
    the module under any other name, too.
    """
    is_own_file = namespace.get("__file__") == filename
    lines = linecache.getlines(filename, namespace if is_own_file else None)
    if not lines and filename == "<string>" and namespace is vars(sys.modules["__main__"]):
        return command_text(sys.orig_argv).splitlines(True)
    return lines


_WITH_ARGUMENT = ("W", "X")


def command_text(command_line: list[str]) -> str:
    """Return the program on Python's command line, as ``python -c TEXT``; else an empty text.

    Python 3.13 keeps it in ``linecache``, older ones nowhere else.
    """
    later_words = iter(command_line[1:])
    for word in later_words:
        if word == "--check-hash-based-pycs":
            next(later_words, None)
        if word.startswith("--"):
            continue
        if not word.startswith("-") or word == "-":
            return ""  # a script
        for position, letter in enumerate(word[1:], 2):
            if letter == "c":
                return word[position:] or next(later_words, "")
            if letter == "m":
                return ""
            if letter in _WITH_ARGUMENT:
                if not word[position:]:
                    next(later_words, None)
                break
    return ""


def timed_cells(filename: str, namespace: dict[str, Any]) -> Iterator[list[str]]:
    """Yield the lines of the notebook's cells that begin with ``%%time``, the latest first.

    IPython compiles these under one name, and keeps the text in its history alone.
    """
    history = namespace.get("_ih") if filename == "<timed exec>" else None
    for cell in reversed(history) if isinstance(history, list) else ():
        try:
            call = ast.parse(cell, mode="eval").body
            magic, _, text = [ast.literal_eval(argument) for argument in call.args]
        except (SyntaxError, ValueError, AttributeError, TypeError):
            continue
        if magic == "time" and isinstance(text, str):
            yield text.splitlines(True)
