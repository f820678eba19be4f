"""What the values of a state are: their specs, which the backend gives in one call for all."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from autograph.operators.state.sentinels import MaybeValue
from autograph.staging.protocol import Backend
from autograph.staging.staged_array import StagedArray
from autograph.staging.staged_list import Contents
from autograph.staging.staged_union import StagedOptional
from autograph.staging.state_spec import Spec


class _Known(threading.local):
    """Specs that are known now, by the id of the value, which the entry keeps alive."""

    def __init__(self) -> None:
        self.specs: dict[int, tuple[Any, Spec | None]] = {}


_known = _Known()


@contextmanager
def describing(backend: Backend, values: Iterable[Any]) -> Iterator[None]:
    """Within the block, cache the specs of these values and of the items of collections in them."""
    outer = _known.specs
    leaves = list(_leaves(values))
    specs = backend.specs(leaves) if leaves else []
    _known.specs = {**outer, **{id(v): (v, s) for v, s in zip(leaves, specs, strict=True)}}
    try:
        yield
    finally:
        _known.specs = outer


def spec_of(value: Any, backend: Backend) -> Spec | None:
    """Return the backend's spec of a value; None when it cannot stage it."""
    cached = _known.specs.get(id(value))
    return backend.specs((value,))[0] if cached is None else cached[1]


def _leaves(values: Iterable[Any]) -> Iterator[Any]:
    waiting = list(values)
    while waiting:
        value = waiting.pop()
        kind = type(value)
        if kind is Contents:
            waiting += value.items
        elif kind is MaybeValue or kind is StagedOptional:
            waiting.append(value.ag__value)
        elif kind is tuple:
            waiting += value
        elif issubclass(kind, list):  # no proxy of one
            waiting += list.__iter__(value)
        elif value is not None:
            yield value


def is_array(value: Any, backend: Backend) -> bool:
    """Whether a value is an array, staged or Python's, which can be changed in place."""
    return isinstance(value, (StagedArray, backend.array_types))


def keys_of(value: Any) -> tuple[Any, ...]:
    """Return the keys of a dict, or the places of a tuple's items."""
    if isinstance(value, dict):
        return tuple(value)
    return tuple(range(len(value))) if isinstance(value, tuple) else (value,)


def items_of(value: Any, keys: Sequence[Any]) -> Sequence[Any]:
    """Return the items of a tuple, or those of a dict at these keys."""
    return [*tuple.__iter__(value)] if isinstance(value, tuple) else [value[key] for key in keys]
