"""``autograph run --backend``: runs a function on a library's values, plain and traced by it.

Part of the command line, so it may import the library, which the user named.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from autograph.conversion.module_source import FileError

LIBRARIES = ("jax", "tensorflow", "torch")


class TensorLibrary(NamedTuple):
    """What a run needs of a library: its arrays, and its tracing of a function of some of them."""

    array: Callable[[Any], Any]
    kinds: tuple[type, ...]
    traced: Callable[[Callable[..., Any], list[Any]], list[Any]]


def library(name: str) -> TensorLibrary:
    """Return what a run needs of a library; FileError if it is not installed."""
    try:
        importlib.import_module(name)
    except ImportError as error:
        raise FileError(f"{name} is needed: pip install pyautograph[{name}] ({error})", name) \
            from None
    found: TensorLibrary = _LIBRARIES[name]()
    return found


def run(kind: TensorLibrary, function: Callable[..., Any], values: Any, traces: bool) -> Any:
    """Call a function with these arguments, traced or not; its result has NumPy's arrays."""
    if not traces:
        return mapped(lambda x: np.asarray(x) if isinstance(x, kind.kinds) else x,
                      values.call(function))  # fmt: skip
    arrays: list[Any] = []
    values.map(lambda value: mapped(lambda x: _note(x, kind, arrays), value))
    shape: list[Any] = []

    def whole(*traced: Any) -> list[Any]:
        rest = iter(traced)
        given = values.map(
            lambda value: mapped(lambda x: next(rest) if isinstance(x, kind.kinds) else x, value)
        )
        leaves: list[Any] = []
        result = given.call(function)
        shape[:] = [mapped(lambda x: _placed(x, kind, leaves), result)]
        return leaves

    results = [np.asarray(array) for array in kind.traced(whole, arrays)]
    return mapped(lambda x: results[x.number] if isinstance(x, _Place) else x, shape[0])


class _Place(NamedTuple):
    number: int


def _note(value: Any, kind: TensorLibrary, arrays: list[Any]) -> Any:
    if isinstance(value, kind.kinds):
        arrays.append(value)
    return value


def _placed(value: Any, kind: TensorLibrary, leaves: list[Any]) -> Any:
    if not isinstance(value, kind.kinds):
        return value
    leaves.append(value)
    return _Place(len(leaves) - 1)


def mapped(change: Callable[[Any], Any], value: Any) -> Any:
    """Return a nest of tuples, lists and dicts with each leaf changed."""
    if isinstance(value, _Place):
        return change(value)
    if isinstance(value, tuple) and hasattr(value, "_make"):
        return type(value)(*[mapped(change, item) for item in value])
    if isinstance(value, (tuple, list)):
        return type(value)(mapped(change, item) for item in value)
    if isinstance(value, dict):
        return {key: mapped(change, item) for key, item in value.items()}
    return change(value)


def _jax() -> TensorLibrary:
    jax = importlib.import_module("jax")

    def traced(function: Any, arrays: list[Any]) -> list[Any]:
        results: list[Any] = jax.block_until_ready(jax.jit(function)(*arrays))
        jax.effects_barrier()
        return results

    return TensorLibrary(jax.numpy.asarray, (jax.Array,), traced)


def _tensorflow() -> TensorLibrary:
    tf = importlib.import_module("tensorflow")

    def traced(function: Any, arrays: list[Any]) -> list[Any]:
        results: list[Any] = tf.function(function, autograph=False)(*arrays)
        return results

    return TensorLibrary(tf.constant, (tf.Tensor,), traced)


def _torch() -> TensorLibrary:
    torch = importlib.import_module("torch")

    def traced(function: Any, arrays: list[Any]) -> list[Any]:
        graph_of = importlib.import_module("autograph.backends.torch").graph_of
        return list(graph_of(function, *arrays)(*arrays))

    return TensorLibrary(torch.tensor, (torch.Tensor,), traced)


_LIBRARIES = {"jax": _jax, "tensorflow": _tensorflow, "torch": _torch}
