"""Variables that an object holds, by the attributes that lead to them: ``model/layers/0/bias``."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

from runtime.state.module import Module
from runtime.state.variable import Variable


def children(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield what an object holds, each with its name.

    Objects with ``_checkpoint_children()`` say it themselves; of modules it is the attributes, and
    of what has ``variables``, such as a metric, these by number.
    """
    own = getattr(value, "_checkpoint_children", None)
    if own is not None:
        yield from own()
    elif isinstance(value, dict):
        yield from ((str(key), part) for key, part in value.items())
    elif isinstance(value, list | tuple):
        yield from ((str(number), part) for number, part in enumerate(value))
    elif isinstance(value, Module):
        names = sorted(vars(value), key=lambda name: (name.startswith("_"), name))
        yield from ((name, vars(value)[name]) for name in names)
    elif isinstance(getattr(value, "variables", None), list | tuple):
        yield from ((f"variables/{number}", v) for number, v in enumerate(value.variables))


def _quoted(name: str) -> str:
    return name.replace("%", "%25").replace("/", "%2F")


def variables_of(root: Any) -> tuple[dict[str, Variable], dict[str, str]]:
    """Return the variables that an object holds by path, and other paths to them.

    The path of a variable is the shortest one, and the first of those.
    """
    found: dict[str, Variable] = {}
    paths: dict[int, str] = {}
    others: dict[str, str] = {}
    seen: dict[int, Any] = {id(root): root}  # kept: an object made later has another id then
    todo: deque[tuple[str, Any]] = deque([("", root)])
    while todo:
        path, value = todo.popleft()
        for name, part in children(value):
            if not isinstance(part, Variable | Module | dict | list | tuple) and not (
                hasattr(part, "_checkpoint_children") or hasattr(part, "variables")
            ):
                continue
            inner = f"{path}/{_quoted(name)}" if path else _quoted(name)
            if isinstance(part, Variable):
                if id(part) in paths:
                    others[inner] = paths[id(part)]
                else:
                    paths[id(part)] = inner
                    found[inner] = part
            elif id(part) not in seen:
                seen[id(part)] = part
                todo.append((inner, part))
    return found, others
