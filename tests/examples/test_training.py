"""Training examples: they learn as far as their pages say; pictures are well-formed."""

from __future__ import annotations

import importlib
from xml.etree import ElementTree

import numpy as np
import pytest

from examples.training import pictures
from tests.support.nightly import NIGHTLY

ACCURACY = {"convolution": 0.985, "lstm": 0.96, "logistic": 0.94}


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


def test_the_convolutional_network_learns():
    pytest.importorskip("sklearn")
    convolution = importlib.import_module("examples.training.convolution")
    x, y, *_ = convolution.data()
    model = convolution.network(jit_compile=False)
    losses = model.fit(x[:320], y[:320], epochs=3, verbose=0).history["loss"]
    assert losses[-1] < 0.8 * losses[0]
