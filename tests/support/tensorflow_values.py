"""Calls whose values TensorFlow gave, stored as JSON: what a value is there, how it is compared.

A file of calls has a line for each, evaluated with its names and ``tf``.  Where TensorFlow is
installed, running that file writes the values; tests compare this runtime's, eagerly and in
functions, with them.
"""

from __future__ import annotations

import importlib
import json
import math
from pathlib import Path
from typing import Any

import numpy as np


class StoredCalls:
    """Calls, a line each, the names in them, and the file of their values."""

    def __init__(self, file: str, text: str, names: Any) -> None:
        self.values = Path(file).with_suffix(".json")
        self.calls = [line for line in text.strip().splitlines() if line]
        self._names = names

    def run(self, tf: Any, call: str, way: Any = None) -> Any:
        """What a call gives, as JSON has it; for an error, that it is one."""
        names = {"np": np, "tf": tf, **self._names(tf)}
        code = compile(call, "<call>", "eval")
        try:
            value = eval(code, names) if way is None else way(lambda: eval(code, names))()
        except (TypeError, ValueError, tf.errors.OpError, LookupError):
            return "error"
        return described(tf, value)

    def stored(self) -> dict[str, Any]:
        """TensorFlow's values."""
        return json.loads(self.values.read_text(encoding="utf-8"))

    def write(self) -> None:
        """Write TensorFlow's values."""
        tf = importlib.import_module("tensorflow")
        lines = [f"{json.dumps(c)}: {json.dumps(self.run(tf, c))}" for c in self.calls]
        self.values.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def described(tf: Any, value: Any) -> Any:
    """A value as JSON: the kind, the static shape, and the numbers."""
    if isinstance(value, dict):
        return {str(key): described(tf, value[key]) for key in sorted(value)}
    if isinstance(value, tf.SparseTensor):
        parts = (value.indices, value.values, value.dense_shape)
        return ["sparse", *[described(tf, part) for part in parts]]
    if isinstance(value, tf.RaggedTensor):
        return ["ragged", value.dtype.name, plain(value.to_list())]
    if isinstance(value, tuple | list):
        return [described(tf, item) for item in value]
    if hasattr(value, "numpy"):
        return [value.dtype.name, plain(np.asarray(value.numpy()).tolist())]
    return plain(value)


def plain(value: Any) -> Any:
    """Lists of numbers and texts, without bytes and what JSON has not."""
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, bytes):
        return value.decode("latin-1")
    if isinstance(value, complex):
        return [plain(value.real), plain(value.imag)]
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    return value if isinstance(value, int | str | bool | None) else str(value)


def assert_agree(ours: Any, theirs: Any, rtol: float = 2e-5, atol: float = 2e-6) -> None:
    """Compare two descriptions, floats within tolerances."""
    if isinstance(theirs, dict):
        assert isinstance(ours, dict) and ours.keys() == theirs.keys(), (ours, theirs)
        for key in theirs:
            assert_agree(ours[key], theirs[key], rtol, atol)
    elif isinstance(theirs, list):
        assert isinstance(ours, list) and len(ours) == len(theirs), (ours, theirs)
        for mine, other in zip(ours, theirs, strict=True):
            assert_agree(mine, other, rtol, atol)
    elif isinstance(theirs, float) and isinstance(ours, float):
        assert math.isclose(ours, theirs, rel_tol=rtol, abs_tol=atol), (ours, theirs)
    else:
        assert type(ours) is type(theirs) and ours == theirs, (ours, theirs)
