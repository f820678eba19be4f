"""Keys of staged dicts and sets: numbers, texts, and tuples of them.

For ``map_ops``, and for modules that ask whether a key is staged.
"""

from __future__ import annotations

from typing import Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError, EffectError
from autograph.staging.protocol import Backend
from autograph.staging.registry import staging_backend, tracing_backend
from autograph.staging.staged_list import Prefix, kind_of
from autograph.staging.staged_string import StagedText


def key_backend(key: Any) -> Backend | None:
    """The backend of a key, or of a part of one; None for a key of Python's own."""
    if type(key) is StagedText:
        return tracing_backend()
    if kind_of(key) is tuple:
        return next(filter(None, map(key_backend, key)), None)
    return staging_backend(key)


_KINDS = (bool, int, float, complex, str)


def kind_of_key(key: Any) -> Any:
    """The class of a key, or those of the parts of a tuple; None for what no backend holds."""
    if type(key) is StagedText:
        return str
    if kind_of(key) is tuple:
        kinds = tuple(map(kind_of_key, key))
        return None if None in kinds else kinds
    if type(key) in _KINDS:
        return type(key)
    backend = staging_backend(key)
    return None if backend is None else backend.python_type(key) or _class_of_scalar(key, backend)


def _class_of_scalar(key: Any, backend: Backend) -> type | None:
    """The class of an array's item, such as ``numpy.float64``; None for arrays."""
    scalar = backend.array_type(key)
    return scalar if scalar is not None and scalar.__hash__ is not None else None


def compared_kind(kind: Any) -> Any:
    """A class, numbers all alike: those that are equal are one key."""
    if isinstance(kind, tuple):
        return tuple(map(compared_kind, kind))
    return str if kind is str else int


def is_key(key: Any) -> bool:
    """Whether a staged map can hold a key: a number, a text, or a tuple of keys."""
    return kind_of_key(key) is not None


def refuse_key(key: Any, prefix: Prefix | None, *further: Any) -> None:
    """Refuse to put a key into a staged map that cannot hold it beside others."""
    kind = kind_of_key(key)
    if kind is None:
        hash(key)  # which may be what is wrong
        raise ConcreteValueError(
            f"a dict or set of staged keys cannot hold a key of the class {kind_of(key).__name__}",
            where=user_line(),
            help="use numbers, texts, or tuples of them",
        )
    for held_key in further if prefix is None else prefix.examples[:1]:
        if kind_of_key(held_key) != kind:
            raise ConcreteValueError(
                "a dict or set of staged keys cannot hold keys of several classes, here "
                f"{_name(kind_of_key(held_key))} and {_name(kind)}",
                where=user_line(),
                help="convert all keys to one class",
            )


def _name(kind: Any) -> str:
    if isinstance(kind, tuple):
        return f"({', '.join(map(_name, kind))})"
    name: str = kind.__name__
    return name


def change_of(holder: Any) -> EffectError:
    """Return the error for a change of a dict or set from outside by a staged key.

    What traces functions for later calls can carry such a dict or set, which ``holder`` tells.
    """
    kind = kind_of(holder).__name__
    plain = "set" if isinstance(holder, set) else "dict"
    return EffectError(
        f"a staged value is written to a {kind} that was made outside of the staged function, or "
        "by code that is not staged",
        where=user_line(),
        help=f"change a {plain} that is made in the function, {plain}(x), and return it",
    ).of(holder)
