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
    own_children = getattr(value, "_checkpoint_children", None)
    if own_children is not None:
        yield from own_children()
    elif isinstance(value, dict):
        yield from ((str(key), child) for key, child in value.items())
    elif isinstance(value, list | tuple):
        yield from ((str(number), child) for number, child in enumerate(value))
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
    variables: dict[str, Variable] = {}
    paths: dict[int, str] = {}
    aliases: dict[str, str] = {}
    seen: dict[int, Any] = {id(root): root}  # kept: an object made later has another id then
    todo: deque[tuple[str, Any]] = deque([("", root)])
    while todo:
        path, value = todo.popleft()
        for name, child in children(value):
            if not isinstance(child, Variable | Module | dict | list | tuple) and not (
                hasattr(child, "_checkpoint_children") or hasattr(child, "variables")
            ):
                continue
            inner = f"{path}/{_quoted(name)}" if path else _quoted(name)
            if isinstance(child, Variable):
                if id(child) in paths:
                    aliases[inner] = paths[id(child)]
                else:
                    paths[id(child)] = inner
                    variables[inner] = child
            elif id(child) not in seen:
                seen[id(child)] = child
                todo.append((inner, child))
    return variables, aliases
