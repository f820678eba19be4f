"""Golden numbers of Keras 3's attention with heads: outputs, scores, gradients, names of weights.

``python -m tests.runtime.keras.attention_golden``, where TensorFlow and Keras are installed (the
extra ``bench``), writes attention_golden.json; test_attention_golden.py compares with it.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tests.runtime.keras.golden import as_json
from tests.runtime.keras.layer_golden import plain_name

PAGE = Path(__file__).with_name("attention_golden.json")


def waves(shape: Any, speed: float) -> Any:
    """Floats from -1 to 1 in a shape."""
    places = np.arange(int(np.prod(shape)))
    return np.cos(places * speed + 0.3).reshape(shape).astype("float32")


QUERY, VALUE, KEY = waves((2, 4, 6), 1.7), waves((2, 5, 6), 0.9), waves((2, 5, 3), 2.3)
MASK = np.arange(40).reshape(2, 4, 5) % 3 > 0
VALUE_MASK = np.array([[1, 0, 1, 1, 0], [1, 1, 1, 0, 0]], bool)
TWO = {"num_heads": 2, "key_dim": 3}
GROUPS = {"head_dim": 3, "num_query_heads": 4, "num_key_value_heads": 2}

CASES: dict[str, tuple[dict[str, Any], tuple[Any, ...], dict[str, Any]]] = {
    "two heads": (TWO, (QUERY, VALUE), {}),
    "keys": (
        {"num_heads": 3, "key_dim": 2, "value_dim": 4, "output_shape": 5}, (QUERY, VALUE, KEY), {},
    ),
    "no bias": ({**TWO, "use_bias": False}, (QUERY, VALUE), {}),
    "mask": (TWO, (QUERY, VALUE), {"attention_mask": MASK}),
    "mask of values": (TWO, (QUERY, VALUE), {"value_mask": VALUE_MASK}),
    "causal": (TWO, (QUERY, QUERY), {"use_causal_mask": True}),
    "scores": (TWO, (QUERY, VALUE), {"return_attention_scores": True}),
    "axes": ({**TWO, "attention_axes": (1,)}, (QUERY, QUERY), {}),
    "groups": (GROUPS, (QUERY, VALUE), {}),
    "groups, keys": ({**GROUPS, "num_key_value_heads": 1}, (QUERY, VALUE, KEY), {}),
    "groups, mask": ({**GROUPS, "use_bias": False}, (QUERY, VALUE), {"attention_mask": MASK}),
    "groups, causal": (GROUPS, (QUERY, QUERY), {"use_causal_mask": True}),
    "groups, scores": (
        GROUPS, (QUERY, VALUE), {"return_attention_scores": True, "value_mask": VALUE_MASK},
    ),
}  # fmt: skip


def computed(
    tf: Any, keras: Any, name: str, way: Callable[[Any], Any] = lambda f: f
) -> tuple[list[str], list[Any]]:
    """Names of the weights; outputs, and the gradients for inputs and weights."""
    arguments, arrays, call = CASES[name]
    kind = "GroupQueryAttention" if "head_dim" in arguments else "MultiHeadAttention"
    layer = getattr(keras.layers, kind)(**arguments)
    layer(*arrays, **call)
    layer.set_weights([
        waves(weight.shape, 0.37 + n) * 0.5 for n, weight in enumerate(layer.get_weights())
    ])  # fmt: skip
    # variables of Keras hold those of TensorFlow
    sources = [getattr(v, "_value", v) for v in layer.trainable_variables]

    def run(*tensors: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(list(tensors))
            results = layer(*tensors, **call)
            results = list(results) if isinstance(results, list | tuple) else [results]
            total = 0.0
            for result in results:
                total += tf.reduce_sum(result * tf.constant(waves(result.shape, 1.1)))
        return [*results, *tape.gradient(total, [*tensors, *sources])]

    found = way(run)(*[tf.constant(array) for array in arrays])
    return [plain_name(v) for v in layer.weights], [np.asarray(value) for value in found]


def reference() -> dict[str, Any]:
    """What Keras computes now."""
    tf, keras = importlib.import_module("tensorflow"), importlib.import_module("keras")
    found = {}
    for name in CASES:
        names, numbers = computed(tf, keras, name)
        found[name] = {"weights": names, "numbers": as_json(numbers)}
    return found


if __name__ == "__main__":
    lines = [f"{json.dumps(name)}: {json.dumps(found)}" for name, found in reference().items()]
    PAGE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
