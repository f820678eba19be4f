"""Entries of ``runtime.jit``'s functions: what a call runs first, as fast as Python can be.

An entry is a static ``__call__`` of a class that one function has for itself, which costs less than
a method: a call that runs as plain Python shall not be slower than without ``jit``.
"""

from __future__ import annotations

import inspect
import keyword
import time
import types
from collections.abc import Callable, Mapping
from typing import Any

from runtime.ops import dispatch
from runtime.ops.dispatch import ACTIVE
from runtime.types.python_source import MISS, PythonSource

Entry = Callable[..., Any]

clock = time.perf_counter


def is_recorded() -> bool:
    """Return whether a graph or a tape records what this thread does."""
    from runtime.graph.graph import Graph

    return isinstance(dispatch.current(), Graph) or bool(dispatch.THREAD.listeners)


def plain_entry(python: Entry, choose: Entry, note: Callable[[float], int]) -> Entry:
    """Return the entry of a function whose calls run as plain Python for now.

    ``choose`` makes calls while somebody records; ``note`` is told the time of a call and says how
    many may follow without being timed.
    """
    untimed = 0

    def call(*args: Any, **kwargs: Any) -> Any:
        nonlocal untimed
        if ACTIVE:
            return choose(*args, **kwargs)
        if untimed:
            untimed -= 1
            return python(*args, **kwargs)
        start = clock()
        result = python(*args, **kwargs)
        untimed = note(clock() - start)
        return result

    return call


def written_entry(python: Entry, choose: Entry, note: Callable[[float], int]) -> Entry:
    """As ``plain_entry``, written out for the parameters of a function: it packs no arguments."""
    parameters = _positional(python) or ["*jit__args", "**jit__kwargs"]
    passed = ", ".join(parameters)
    source = PythonSource(
        jit__active=ACTIVE, jit__choose=choose, jit__python=python, jit__note=note,
        jit__clock=clock, jit__untimed=0,
    )  # fmt: skip
    for text in (
        "global jit__untimed",
        "if jit__active:",
        f"    return jit__choose({passed})",
        "if jit__untimed:",
        "    jit__untimed -= 1",
        f"    return jit__python({passed})",
        "jit__start = jit__clock()",
        f"jit__result = jit__python({passed})",
        "jit__untimed = jit__note(jit__clock() - jit__start)",
        "return jit__result",
    ):
        source.line(text)
    entry = source.compile("call", parameters)
    entry.__name__, entry.__qualname__ = python.__name__, python.__qualname__
    return entry


def _positional(python: Any) -> list[str] | None:
    """Return the parameters of a function that has no other ones than positional, no defaults."""
    if not isinstance(python, types.FunctionType):
        return None
    code = python.__code__
    flags = code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS)
    if flags or python.__defaults__ or code.co_kwonlyargcount or code.co_posonlyargcount:
        return None
    names = [*code.co_varnames[: code.co_argcount]]
    fits = all(name.isidentifier() and not keyword.iskeyword(name) for name in names)
    return names if names and fits and not any(n.startswith("jit__") for n in names) else None


def recursive_entry(cls: Any, python: Entry, choose: Entry, note: Callable[[float], int]) -> Entry:
    """As ``plain_entry``, of a function that may call itself by the object of class ``cls``.

    Calls inside of a call run the Python function alone: they are not timed, and add no frame.
    """
    inside: Any = staticmethod(python)

    def call(*args: Any, **kwargs: Any) -> Any:
        if ACTIVE:
            return choose(*args, **kwargs)
        cls.__call__ = inside
        try:
            start = clock()
            result = python(*args, **kwargs)
        finally:
            cls.__call__ = staticmethod(cls.entry)
        note(clock() - start)
        return result

    return call


def native_entry(direct_calls: Mapping[Any, Entry], choose: Entry) -> Entry:
    """Return the entry of a function whose calls run machine code, where it takes the arguments."""

    def call(*args: Any, **kwargs: Any) -> Any:
        if not ACTIVE:
            direct = direct_calls.get((len(args), *kwargs) if kwargs else len(args))
            if direct is not None:
                try:
                    result = direct(*args, *kwargs.values()) if kwargs else direct(*args)
                except Exception:  # Python gives a value, or raises its own error
                    return choose(*args, **kwargs)
                if result is not MISS:
                    return result
        return choose(*args, **kwargs)

    return call
