"""Golden facts of Keras 3 about layers: numbers, weights, shapes, keys of configurations.

``python -m tests.runtime.keras.layer_golden``, where TensorFlow and Keras are installed (the extra
``bench``), writes layer_golden.json; test_layer_golden.py compares this runtime with it.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tests.runtime.keras.golden import as_json, values
from tests.runtime.keras.layer_cases import CASES, LayerCase

PAGE = Path(__file__).with_name("layer_golden.json")
ELSEWHERE = {"quantization_config", "seed"}
"""Keys of configurations that are not compared: Keras forgets the seed of SimpleRNN."""


def arrays_of(inputs: Any) -> Any:
    """The arrays for the shapes in a case."""
    if isinstance(inputs, list):
        return [values(*shape, turn=7 + n) for n, shape in enumerate(inputs)]
    return inputs if isinstance(inputs, np.ndarray) else values(*inputs)


def made(keras: Any, case: LayerCase) -> tuple[Any, Any]:
    """The layer of a case, with weights of known values, and the inputs."""
    layer = getattr(keras.layers, case.kind)(**case.arguments)
    arrays = arrays_of(case.inputs)
    layer(arrays, **case.call)
    weights = [values(*array.shape, low=0.2, high=1.4, turn=3) for array in layer.get_weights()]
    layer.set_weights(weights)
    return layer, arrays


def computed(
    tf: Any, keras: Any, case: LayerCase, way: Callable[[Any], Any] = lambda f: f
) -> list[Any]:
    """Outputs, gradients for the inputs and the weights, and weights that are not trained."""
    layer, arrays = made(keras, case)
    flat = arrays if isinstance(arrays, list) else [arrays]
    # variables of Keras hold those of TensorFlow
    sources = [getattr(v, "_value", v) for v in layer.trainable_variables]

    def run(*tensors: Any) -> Any:
        floats = [t for t in tensors if t.dtype.is_floating]
        with tf.GradientTape() as tape:
            for tensor in floats:
                tape.watch(tensor)
            given = list(tensors) if isinstance(arrays, list) else tensors[0]
            results = layer(given, **case.call)
            results = list(results) if isinstance(results, list | tuple) else [results]
            total = 0.0
            for result in results:
                places = tf.cast(tf.range(tf.size(result)), result.dtype)
                total += tf.reduce_sum(result * tf.reshape(tf.cos(places), tf.shape(result)))
        return [*results, *tape.gradient(total, [*floats, *sources])]

    found = way(run)(*[tf.constant(array) for array in flat])
    found = [None if r is None else np.asarray(tf.convert_to_tensor(r)) for r in found]
    return [*found, *[np.asarray(v) for v in layer.non_trainable_variables if "seed" not in v.name]]


def facts(keras: Any, case: LayerCase) -> dict[str, Any]:
    """Weights, output shapes and configuration keys."""
    layer, arrays = made(keras, case)
    shapes = [a.shape for a in arrays] if isinstance(arrays, list) else arrays.shape
    free = [(None, *s[1:]) for s in shapes] if isinstance(arrays, list) else (None, *shapes[1:])
    weights = [v for v in layer.weights if "seed" not in v.name]
    return {
        "weights": [[plain_name(v), list(v.shape)] for v in weights],
        "trained": len(layer.trainable_weights),
        "shape": layer.compute_output_shape(shapes),
        "free shape": layer.compute_output_shape(free),
        "config": sorted(set(layer.get_config()) - ELSEWHERE),
    }


def plain_name(variable: Any) -> str:
    """The last part of a variable's name."""
    return str(variable.name).rpartition("/")[2].removesuffix(":0")


def reference() -> dict[str, Any]:
    """What Keras says of each case, computed now."""
    tf = importlib.import_module("tensorflow")
    keras = importlib.import_module("keras")
    return {
        name: {**facts(keras, case), "numbers": as_json(computed(tf, keras, case))}
        for name, case in CASES.items()
    }


if __name__ == "__main__":
    lines = [f"{json.dumps(name)}: {json.dumps(found)}" for name, found in reference().items()]
    PAGE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
