"""Check that a traced function does not change the lists, dicts and objects among its arguments.

concrete_function.py calls it after each trace.  The function works on copies of its arguments, and
runs of the trace execute no Python, so the caller would not see changes that plain Python makes.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any

from runtime.types.composite import may_be_written
from runtime.types.node_types import NODE_TYPES


def check_unchanged(
    function: str, names: Iterable[str], given: Iterable[Any], left: Iterable[Any],
    python: Callable[..., Any],
) -> None:  # fmt: skip
    """Raise ValueError if a trace changed a collection among its arguments.

    ``given`` holds the arguments as they were before the trace of ``function``, ``left`` as they
    are after it, ``names`` their names.  The error names the first collection that differs,
    and its note the line of ``python``, the Python function.
    """
    for name, before, after in zip(names, given, left, strict=True):
        changed = _changed(name, before, after)
        if changed is None:
            continue
        path, value = changed
        error = ValueError(
            f"{function}() should not modify its Python input arguments, but it changes {path!r}: "
            f"a call works on a copy, so the caller would not see the change. Let {function}() "
            f"change {_copy(path, value)} instead, and return that."
        )
        code = getattr(inspect.unwrap(python), "__code__", None)
        if code is not None:
            error.add_note(f"in {function}, {code.co_filename}:{code.co_firstlineno}")
        raise error


def _changed(name: str, before: Any, after: Any) -> tuple[str, Any] | None:
    """Return the label and former value of the first collection that was changed, or None."""
    todo = [(name, before, after)]
    while todo:
        path, was, now = todo.pop()
        kind = NODE_TYPES[type(was)]
        if was is now or kind is None or kind.opaque or may_be_written(was):
            continue
        (items, data, others), (left, its_data, its_others) = kind.flatten(was), kind.flatten(now)
        keys = list(kind.keys(data, len(items)))
        if keys != list(kind.keys(its_data, len(left))) or not all(map(_is_as_before, items, left)):
            return path, was
        if not kind.composite and not _same_attributes(others, its_others):
            return path, was
        todo += reversed([
            (path + kind.step(key), item, other) for key, item, other in zip(keys, items, left)
        ])
    return None


def _is_as_before(item: Any, other: Any) -> bool:
    """Whether an entry is unchanged; collections are copies, so their entries are compared later.
    """
    return item is other or type(item) is type(other) and NODE_TYPES[type(item)] is not None


def _same_attributes(others: Any, its: Any) -> bool:
    """Whether the attributes of a dataclass instance other than its fields are unchanged."""
    if not (isinstance(others, dict) or isinstance(its, dict)):
        return True
    one, other = others or {}, its or {}
    return one.keys() == other.keys() and all(one[name] is other[name] for name in one)


def _copy(path: str, value: Any) -> str:
    """Return an expression that copies a collection."""
    if type(value) in (list, dict):
        return f"`{type(value).__name__}({path})`"
    return f"`copy.copy({path})`"
