"""Each class of ``runtime.keras`` gives Keras' numbers: values and gradients, every way."""

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
from tests.runtime.keras.golden import PAGE, SIGNATURES, cases, computed, signatures
from tests.support import ROOT
from tests.support.nightly import NIGHTLY, selected

CASES = cases()
GOLDEN = json.loads(PAGE.read_text(encoding="utf-8"))
WAYS = {
    "function": lambda f: tf.function(f, jit_compile=False),
    "engine": lambda f: tf.function(f, jit_compile=True),
}


def agree(found, wanted, name):
    assert len(found) == len(wanted), name
    for mine, theirs in zip(found, wanted):
        if theirs is None:  # Keras' gradients of what is constant are None
            assert mine is None or not np.any(mine), name
            continue
        mine = np.zeros(len(theirs)) if mine is None else np.asarray(mine, "float64").reshape(-1)
        np.testing.assert_allclose(mine, theirs, rtol=3e-5, atol=2e-6, err_msg=name)


def one_in(number):
    """The cases; all but one in so many have the mark."""
    cases = [pytest.param(n, marks=NIGHTLY if i % number else ()) for i, n in enumerate(CASES)]
    return selected(cases)


@pytest.mark.parametrize("name", CASES)
def test_eager_numbers_are_those_of_keras(name):
    agree(computed(tf, keras, CASES[name]), GOLDEN[name], name)


@pytest.mark.parametrize("name", one_in(9))
def test_native_numbers_are_those_of_keras(name):
    agree(computed(tf, keras, CASES[name], WAYS["engine"]), GOLDEN[name], name)


@pytest.mark.parametrize("name", one_in(12))
def test_numbers_of_the_reference_are_those_of_keras(name):
    agree(computed(tf, keras, CASES[name], WAYS["function"]), GOLDEN[name], name)


MISSING = """
    optimizers.MultiOptimizer optimizers.Muon
    optimizers.OptimizerMap optimizers.ScheduleFreeAdamW initializers.STFT initializers.stft
    initializers.STFTInitializer
""".split()
ALIASES = "KLD MAE MAPE MSE MSLE kld kullback_leibler_divergence logcosh mae mape mse msle".split()
LEGACY = [f"{module}.{alias}" for module in ("losses", "metrics") for alias in ALIASES]
"""Names that Keras has as ``tf.keras`` alone."""
OTHERS = ["optimizers.Optimizer"]  # Keras' takes anything


def test_names_parameters_and_defaults_are_those_of_keras():
    found = signatures(keras)
    wanted = json.loads(SIGNATURES.read_text(encoding="utf-8"))
    assert sorted(set(wanted) - set(found)) == sorted(MISSING)
    assert sorted(set(found) - set(wanted)) == sorted(LEGACY)
    common = set(found) - {*OTHERS, *LEGACY}
    assert {n: found[n] for n in common} == {n: wanted[n] for n in common}


def test_every_golden_number_belongs_to_a_case():
    assert set(GOLDEN) == set(CASES)


@pytest.mark.skipif(
    not all(importlib.util.find_spec(name) for name in ("tensorflow", "keras")),
    reason="the extra 'bench' is not installed",
)
def test_golden_numbers_are_those_of_the_keras_installed():
    code = "import json, tests.runtime.keras.golden as g; print('\\n' + json.dumps(g.reference()))"
    surroundings = {**os.environ, "KERAS_BACKEND": "tensorflow", "TF_CPP_MIN_LOG_LEVEL": "3"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=surroundings, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]
    now = json.loads(done.stdout.splitlines()[-1])
    for name, wanted in now.items():
        found = [None if part is None else np.array(part) for part in GOLDEN[name]]
        agree(found, wanted, name)
