"""TensorFlow 1's optimizers, learning rates and losses give TensorFlow's numbers and names."""

from __future__ import annotations

import json

import numpy as np
import pytest

import runtime
import runtime.compat.v1 as tf
from tests.runtime.compat import v1_cases
from tests.runtime.compat.v1_golden import PAGE

GOLDEN = json.loads(PAGE.read_text(encoding="utf-8"))


def agree(found, wanted):
    if isinstance(wanted, dict):
        assert found.keys() == wanted.keys()
        for key in wanted:
            agree(found[key], wanted[key])
    elif wanted and isinstance(wanted[0], str):
        assert found == wanted
    else:
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=2e-6)


@pytest.mark.parametrize("name", v1_cases.OPTIMIZERS)
def test_optimizers_in_a_session(name):
    agree(v1_cases.trained(tf, name), GOLDEN[name]["trained"])


@pytest.mark.parametrize("name", v1_cases.OPTIMIZERS)
def test_optimizers_change_rows(name):
    agree(v1_cases.changed_rows(tf, name), GOLDEN[name]["rows"])


@pytest.mark.parametrize("name", v1_cases.OPTIMIZERS)
def test_optimizers_eagerly_and_in_a_function(name):
    for way in (lambda f: f), runtime.function:
        w, b = v1_cases.variables(tf)
        optimizer, step = v1_cases.OPTIMIZERS[name](tf.train), tf.Variable(0, trainable=False)
        change = way(
            lambda: optimizer.minimize(
                lambda: v1_cases.loss_of(tf, w, b), global_step=step, var_list=[w, b]
            )
        )
        for _ in range(5):
            change()
        agree({"w": v1_cases.numbers(w), "b": v1_cases.numbers(b)},
              {key: GOLDEN[name]["trained"][key] for key in "wb"})  # fmt: skip
        assert step.numpy() == 5


def test_learning_rates_are_functions_eagerly_and_tensors_in_graphs():
    found = [rate().numpy() for rate in v1_cases.rates(tf.train, tf.constant(17))]
    agree(found, GOLDEN["rates"])
    with tf.Graph().as_default(), tf.Session() as session:
        agree(session.run(v1_cases.rates(tf.train, tf.constant(17))), GOLDEN["rates"])
    step, weight = tf.Variable(0, trainable=False), tf.Variable(1.0)
    falling = tf.train.GradientDescentOptimizer(tf.train.exponential_decay(0.5, step, 1, 0.5))
    for _ in range(2):
        falling.apply_gradients([(1.0, weight)], global_step=step)
    assert weight.numpy() == 0.25


@pytest.mark.parametrize("name", v1_cases.LOSSES)
def test_losses(name):
    wanted = iter(GOLDEN[name])
    for weights in v1_cases.WEIGHTS:
        for reduction in v1_cases.REDUCTIONS:
            with tf.Graph().as_default(), tf.Session() as session:
                loss = v1_cases.LOSSES[name](tf.losses, weights, reduction)
                assert tf.losses.get_losses() == [loss]
                agree(v1_cases.numbers(session.run(loss)), next(wanted))
