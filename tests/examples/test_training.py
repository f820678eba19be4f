"""Training examples: they learn as far as their pages say; pictures are well-formed."""

from __future__ import annotations

import importlib
from xml.etree import ElementTree

import numpy as np
import pytest

from examples.training import actor_critic, characters, pictures
from tests.support.nightly import NIGHTLY

ACCURACY = {"convolution": 0.985, "lstm": 0.96, "logistic": 0.94, "characters": 0.9}
"""By name, the share of the test data, or of what is written, that has to be right."""


def test_pictures_are_well_formed(tmp_path):
    pictures.curves(tmp_path / "c.svg", "A < B", {"a & b": [3.0, 1.0, 0.5]}, "epoch", "nats")
    pictures.images(tmp_path / "i.svg", "Rows", {"one": [np.eye(8)], "two": [np.zeros((8, 8))]})
    for name in ("c.svg", "i.svg"):
        assert ElementTree.parse(tmp_path / name).getroot().tag.endswith("svg")


@pytest.mark.parametrize("name", [pytest.param(name, marks=NIGHTLY) for name in ACCURACY])
def test_accuracy(name):
    pytest.importorskip("sklearn")
    pytest.importorskip("llvmlite")
    found = importlib.import_module(f"examples.training.{name}").main()
    assert (found[0] if isinstance(found, tuple) else found) >= ACCURACY[name]


@pytest.mark.nightly
def test_digits_are_decoded():
    pytest.importorskip("sklearn")
    pytest.importorskip("llvmlite")
    assert importlib.import_module("examples.training.variational").main() < 25.5


@pytest.mark.nightly
def test_the_pole_is_balanced():
    pytest.importorskip("llvmlite")
    assert actor_critic.main(most=600) < 600


def test_an_episode_and_its_gradient_are_those_of_plain_python():
    plain, staged = (actor_critic.Agent(jit_compile=False) for _ in range(2))
    assert plain.learn() == int(staged.train())
    for one, other in zip(plain.optimizer.variables, staged.optimizer.variables, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-6)
    state = np.array([0.0, 0.0, 0.02, 0.0], np.float32)
    assert staged.balance.python_function(state) == int(staged.balance(state))


def test_letters_are_the_same_in_plain_python_and_in_a_graph():
    model = characters.Writer(units=8)
    for seed in range(3):
        given = characters.numbers("This"), 1.0, 12, seed
        expected = model.write.python_function(*given)
        np.testing.assert_array_equal(model.write(*given), expected)


def test_the_convolutional_network_learns():
    pytest.importorskip("sklearn")
    convolution = importlib.import_module("examples.training.convolution")
    x, y, *_ = convolution.data()
    model = convolution.network(jit_compile=False)
    losses = model.fit(x[:320], y[:320], epochs=3, verbose=0).history["loss"]
    assert losses[-1] < 0.8 * losses[0]
