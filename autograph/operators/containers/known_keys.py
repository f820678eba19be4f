"""Keys of Python's own dicts, compared with a staged key; used by ``slices``."""

from __future__ import annotations

from typing import Any

from autograph.errors import ConcreteValueError, RunTimeLimit
from autograph.operators.containers import map_ops
from autograph.operators.control.conditionals import if_exp, staged_if
from autograph.staging.protocol import Backend
from autograph.staging.staged_string import StagedText


class NewKeyError(RunTimeLimit, ConcreteValueError):
    """Error for a staged key, assigned in a dict, that is none of its keys while tracing."""

    has_page = False

    @classmethod
    def of(cls, key: Any) -> NewKeyError:
        """Return the error for a key."""
        why = (
            " would be a new key of a dict, and the keys are fixed while tracing: "
            "give the dict all of its keys before, or use a list or a tensor"
        )
        text: Any = StagedText(((key, "r", ""), why))  # the run makes it
        return cls(text)


def position_of(backend: Backend, holder: dict[Any, Any], key: Any, missing: Exception) -> Any:
    """Return the index of the key equal to a staged one; raise, at run time, if there is none."""
    complain = map_ops.raising(missing)
    position = _place(backend, holder, key)
    if type(position) is int:  # no key can be equal
        complain()
    staged_if(backend, position < 0, complain, None, owners=())
    return position


def has_key(backend: Backend, holder: dict[Any, Any], key: Any) -> Any:
    """Whether a key is equal to a staged one."""
    copy = map_ops.searched_copy(holder, key)
    return _place(backend, holder, key) >= 0 if copy is None else map_ops.contains(copy, key)


def _place(backend: Backend, holder: dict[Any, Any], key: Any) -> Any:
    """Return the index of the key equal to a staged one, or -1; an int where none can be equal."""
    position: Any = -1
    for number, candidate in enumerate(holder):
        if _is_comparable(candidate):
            position = _select(backend.equal(key, candidate), number, position)
    return position


def _select(test: Any, place: int, before: Any) -> Any:
    return if_exp(test, lambda: place, lambda: before)()


def equal_key(holder: dict[Any, Any], key: Any) -> Any:
    """Return the key that is equal to a tensor's value."""
    for candidate in holder:
        if _is_comparable(candidate) and bool(key == candidate):
            return candidate
    raise KeyError(key)


def _is_comparable(key: Any) -> bool:
    return isinstance(key, (bool, int, float, str, bytes))
