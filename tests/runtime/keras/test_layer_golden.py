"""Each layer agrees with Keras': numbers and gradients every way, weights, shapes, configurations.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys

import numpy as np
import pytest

import runtime as tf
from runtime import keras
from tests.runtime.keras import test_golden
from tests.runtime.keras.layer_cases import CASES
from tests.runtime.keras.layer_golden import PAGE, computed, facts, made
from tests.support import ROOT
from tests.support.nightly import NIGHTLY

GOLDEN = json.loads(PAGE.read_text(encoding="utf-8"))


def as_read(found):
    """Return facts as they look when they were written and read again."""
    return json.loads(json.dumps(found))


FIRST = {case.kind: name for name, case in reversed(CASES.items())}
"""The first case of each kind of layer."""


@pytest.mark.parametrize(
    "name, way",
    [
        pytest.param(n, way, marks=() if way == "function" or n == FIRST[case.kind] else NIGHTLY)
        for n, case in CASES.items() for way in test_golden.WAYS
    ],
)  # fmt: skip
def test_numbers_are_those_of_keras(name, way):
    # TensorFlow's derivative of a map of places is the map back, which is near the derivative only
    maps = ("RandomRotation", "RandomTranslation", "RandomZoom")
    count = 1 if CASES[name].kind in maps else None
    numbers = computed(tf, keras, CASES[name], test_golden.WAYS[way])
    test_golden.agree(numbers[:count], GOLDEN[name]["numbers"][:count], name)


@pytest.mark.parametrize("name", CASES)
def test_weights_shapes_and_configurations_are_those_of_keras(name):
    wanted = {key: value for key, value in GOLDEN[name].items() if key != "numbers"}
    found = as_read(facts(keras, CASES[name]))
    assert found == wanted


@pytest.mark.parametrize("name", CASES)
def test_configurations_make_equal_layers_that_graphs_and_models_call(name):
    case = CASES[name]
    layer, arrays = made(keras, case)
    wanted = layer(arrays, **case.call)
    config = as_read(layer.get_config())
    copy = type(layer).from_config(config)
    assert as_read(copy.get_config()) == config
    if case.call.get("training"):
        return  # what training changes is compared above
    copy(arrays, **case.call)
    copy.set_weights(layer.get_weights())
    flat = arrays if isinstance(arrays, list) else [arrays]
    inputs = [keras.Input(a.shape[1:], dtype=a.dtype.name) for a in flat]
    given = inputs if isinstance(arrays, list) else inputs[0]
    model = keras.Model(given, copy(given, **case.call))
    same(model(arrays), wanted)
    with tf.Graph().as_default(), tf.Session() as session:
        fed = [tf.placeholder(a.dtype, (None, *a.shape[1:])) for a in flat]
        output = copy(fed if isinstance(arrays, list) else fed[0], **case.call)
        same(session.run(output, dict(zip(fed, flat))), wanted)


def same(found, wanted):
    for mine, theirs in zip(tf.nest.flatten(found), tf.nest.flatten(wanted), strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-5, atol=1e-6)


def test_every_golden_fact_belongs_to_a_case():
    assert set(GOLDEN) == set(CASES)


@pytest.mark.skipif(
    not all(importlib.util.find_spec(name) for name in ("tensorflow", "keras")),
    reason="the extra 'bench' is not installed",
)
def test_golden_facts_are_those_of_the_keras_installed():
    code = (
        "import json, tests.runtime.keras.layer_golden as g; "
        "print('\\n' + json.dumps(g.reference()))"
    )
    surroundings = {**os.environ, "KERAS_BACKEND": "tensorflow", "TF_CPP_MIN_LOG_LEVEL": "3"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=surroundings, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]
    for name, wanted in json.loads(done.stdout.splitlines()[-1]).items():
        numbers = [None if p is None else np.array(p) for p in GOLDEN[name].pop("numbers")]
        test_golden.agree(numbers, wanted.pop("numbers"), name)
        assert GOLDEN[name] == wanted
