"""Golden numbers of Keras 3, and what computes them: cases that run with either library.

``python -m tests.runtime.keras.golden``, where TensorFlow and Keras are installed (the extra
``bench``), writes golden.json; test_golden.py compares this runtime with it, every way.
"""

from __future__ import annotations

import importlib
import inspect
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

PAGE = Path(__file__).with_name("golden.json")
SIGNATURES = Path(__file__).with_name("signatures.json")
MODULES = (
    "activations", "constraints", "initializers", "losses", "metrics", "optimizers", "regularizers",
)  # fmt: skip
TOPICS = ("activation_cases", "loss_cases", "optimizer_cases", "metric_cases")


class Case(NamedTuple):
    """A function of tensors, made of both modules, and the arrays that it is called with."""

    make: Callable[[Any, Any], Callable[..., Any]]
    arrays: tuple[Any, ...]
    gradient: bool = True


def values(*shape: int, low: float = -2.0, high: float = 2.0, turn: int = 7) -> Any:
    """Floats between two bounds, in no order, of which no two are equal."""
    count = int(np.prod(shape))
    order = (np.arange(count) * turn * 13 + turn) % max(count, 1)
    even = np.linspace(low, high, count)
    return even[np.argsort(order, kind="stable")].reshape(shape).astype("float32")


def cases() -> dict[str, Case]:
    """All cases by name."""
    found: dict[str, Case] = {}
    for topic in TOPICS:
        found |= importlib.import_module(f"tests.runtime.keras.{topic}").CASES
    return found


def computed(tf: Any, keras: Any, case: Case, way: Callable[[Any], Any] = lambda f: f) -> Any:
    """What a case gives: the values, and the gradients for the floats that it is called with."""
    function = case.make(tf, keras)

    def run(*tensors: Any) -> Any:
        floats = [t for t in tensors if t.dtype.is_floating] if case.gradient else []
        with tf.GradientTape() as tape:
            for tensor in floats:
                tape.watch(tensor)
            result = function(*tensors)
            weighted = result
            if floats and result.shape.rank:
                places = tf.cast(tf.range(tf.size(result)), result.dtype)
                weighted = result * tf.reshape(tf.cos(places), tf.shape(result))
        return [result, *(tape.gradient(weighted, floats) if floats else [])]

    results = way(run)(*[tf.constant(a) for a in case.arrays])
    return [None if r is None else np.asarray(r) for r in results]


def as_json(arrays: list[Any]) -> Any:
    """Arrays as lists of numbers with the digits of float32."""
    return [
        None if a is None
        else [float(f"{x:.9g}") for x in np.asarray(a, "float64").reshape(-1).tolist()]
        for a in arrays
    ]  # fmt: skip


def signatures(keras: Any) -> dict[str, Any]:
    """The parameters of public classes and functions, with their defaults."""
    found = {}
    for module in MODULES:
        for name in dir(getattr(keras, module)):
            value = getattr(getattr(keras, module), name)
            public = name[0] != "_" and name not in ("deserialize", "get", "serialize", "legacy")
            if public and callable(value):
                parameters = inspect.signature(value).parameters.values()
                named = [p for p in parameters if p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)]
                found[f"{module}.{name}"] = ", ".join(
                    p.name if p.default is p.empty else f"{p.name}={p.default!r}" for p in named
                )
    return found


def reference() -> dict[str, Any]:
    """What Keras gives for each case, computed now."""
    tf = importlib.import_module("tensorflow")
    keras = importlib.import_module("keras")
    return {name: as_json(computed(tf, keras, case)) for name, case in cases().items()}


if __name__ == "__main__":
    lines = [f"{json.dumps(name)}: {json.dumps(found)}" for name, found in reference().items()]
    names = signatures(importlib.import_module("keras"))
    SIGNATURES.write_text(json.dumps(names, indent=0) + "\n", encoding="utf-8")
    PAGE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
