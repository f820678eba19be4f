"""The inference graphs of the examples: as ONNX they give what they give here, or name a reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.types.errors import UnimplementedError
from tests.examples.test_examples import NAMES, load
from tests.support import onnx_models
from tests.support.nightly import always

exporting = pytest.importorskip("runtime.export.onnx_models.exporting")

REFUSED = {
    "newton_root": "it raises an exception",
    "maml": "ONNX has no lists of lists",
}
"""Example -> what its refusal says."""


def waves(*shape: int) -> np.ndarray:
    return np.cos(np.arange(np.prod(shape)) * 0.7).reshape(shape).astype("float32")


def of_file(name: str) -> tuple[Any, list[Any]]:
    module = load(name)
    return getattr(module, name), list(module.inputs())


def classifiers() -> tuple[Any, list[Any]]:
    from examples.digits.classifiers import two_layers

    _, model = two_layers()
    return model, [tf.constant(waves(3, 64))]


def sequences() -> tuple[Any, list[Any]]:
    from examples.digits.sequences import read, start

    cell, answer = start()
    rows = tf.constant(waves(8, 3, 8))
    return lambda rows: tf.argmax(tf.matmul(read(rows, cell), answer), 1), [rows]


def autoencoder() -> tuple[Any, list[Any]]:
    from examples.digits.autoencoder import autoencoder, start

    return autoencoder, [tf.constant(waves(3, 64)), tf.constant(start())]


def actor_critic() -> tuple[Any, list[Any]]:
    from examples.training.actor_critic import Agent

    return Agent().balance, [tf.constant([0.01, -0.02, 0.03, 0.04])]


def characters() -> tuple[Any, list[Any]]:
    from examples.training.characters import network

    return network(), [tf.constant([[1, 2, 3, 0], [2, 0, 1, 4]])]


def convolution() -> tuple[Any, list[Any]]:
    from examples.training.convolution import network

    return network(), [tf.constant(waves(2, 8, 8, 1))]


def logistic() -> tuple[Any, list[Any]]:
    from examples.training.logistic import Regression

    model = Regression()
    model.weights.assign(waves(650).astype("float64"))
    return model.__call__, [tf.constant(waves(3, 64).astype("float64"))]


def lstm_network() -> tuple[Any, list[Any]]:
    from examples.training.lstm import network

    return network(), [tf.constant(waves(2, 8, 8))]


def variational() -> tuple[Any, list[Any]]:
    from examples.training.variational import network

    return network().get_layer("decoder"), [tf.constant(waves(3, 2))]


NETWORKS = (
    classifiers, sequences, autoencoder, actor_critic, characters, convolution, logistic,
    lstm_network, variational,
)  # fmt: skip
GRAPHS: dict[str, Callable[[], tuple[Any, list[Any]]]] = {
    **{name: lambda name=name: of_file(name) for name in NAMES},
    **{make.__name__: make for make in NETWORKS},
}


LONG = ("kfac_matmul", "kfac_mlp", "lbfgs")
"""Examples that train within the graph: their graphs have up to 600 nodes."""


@pytest.mark.parametrize("name", always([n for n in GRAPHS if n not in LONG], GRAPHS))
def test_gives_what_it_gives_here(name):
    function, arguments = GRAPHS[name]()
    if name in REFUSED:
        with pytest.raises(UnimplementedError, match=REFUSED[name]):
            exporting.onnx_model(tf.function(function), *arguments)
        return
    wanted = onnx_models.arrays_of(function(*arguments))
    declared = getattr(function, "input_signature", None) is not None
    staged = function if declared else tf.function(function)
    model = exporting.onnx_model(staged, *([] if declared else arguments))
    arrays = [a.numpy() for a in arguments if isinstance(a, tf.Tensor)]
    onnx_models.assert_same(model, arrays, wanted)


def test_share(capsys):
    """At least 24 of 26 inference graphs: the list of refusals may only shrink."""
    with capsys.disabled():
        print(f"ONNX: {len(GRAPHS) - len(REFUSED)} of {len(GRAPHS)} inference graphs exported")
    assert len(GRAPHS) >= 26
    assert len(REFUSED) <= 2
