"""TensorFlow 1's metrics give TensorFlow's numbers, and have variables of its names."""

from __future__ import annotations

import json

import numpy as np
import pytest

import runtime
import runtime.compat.v1 as tf
from tests.runtime.compat import v1_metric_cases
from tests.runtime.compat.v1_metric_golden import PAGE

GOLDEN = json.loads(PAGE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", v1_metric_cases.CASES)
@pytest.mark.parametrize("weighted", [False, True])
def test_metrics_are_those_of_tensorflow(name, weighted):
    measured, expected = v1_metric_cases.measured(tf, name, weighted), GOLDEN[name][weighted]
    assert measured["variables"] == expected["variables"]
    for value, number in zip(measured["values"], expected["values"], strict=True):
        np.testing.assert_allclose(value, number, rtol=1e-5, atol=1e-6)


def test_state_is_local_and_results_are_collected():
    with tf.Graph().as_default() as graph:
        value, update = tf.metrics.mean(
            tf.constant([1.0, 3.0]), metrics_collections=["values"], updates_collections="updates"
        )
        second, _ = tf.metrics.mean(tf.constant([1.0]), name="score")
        assert graph.get_collection("values") == [value]
        assert graph.get_collection("updates") == [update]
        variables = tf.get_collection(tf.GraphKeys.METRIC_VARIABLES)
        assert [v.name for v in variables] == [v.name for v in tf.local_variables()]
        assert not tf.global_variables() and not tf.trainable_variables()
        assert (value.name, update.name) == ("mean/value:0", "mean/update_op:0")
        assert second.name == "score/value:0"


def test_last_dimensions_of_size_one_are_left_out():
    with tf.Graph().as_default(), tf.Session() as session:
        labels, predictions = tf.constant([1, 0, 1]), tf.constant([[1], [1], [1]])
        _, update = tf.metrics.accuracy(labels, predictions, [[1.0], [2.0], [1.0]])
        session.run(tf.local_variables_initializer())
        assert session.run(update) == 0.5


def test_what_is_wrong_is_said():
    with pytest.raises(RuntimeError, match=r"tf.metrics.mean is not supported.*keras.metrics"):
        tf.metrics.mean([1.0])
    with pytest.raises(RuntimeError, match="nor in functions"):
        runtime.function(lambda: tf.metrics.accuracy([1], [1]))()
    with tf.Graph().as_default(), tf.Session() as session:
        with pytest.raises(ValueError, match="weights can not be broadcast"):
            tf.metrics.mean(tf.constant([1.0, 2.0]), [1.0, 2.0, 3.0])
        with pytest.raises(ValueError, match="curve must be either ROC or PR"):
            tf.metrics.auc([1.0], [0.5], curve="X")
        with pytest.raises(ValueError, match="Invalid summation_method"):
            tf.metrics.auc([1.0], [0.5], summation_method="X")
        with pytest.raises(ValueError, match="incompatible"):
            tf.metrics.accuracy([1, 2], [1, 2, 3])
        _, update = tf.metrics.auc([1.0], tf.placeholder_with_default([1.5], [None]))
        session.run(tf.local_variables_initializer())
        with pytest.raises(tf.errors.InvalidArgumentError, match="must be in"):
            session.run(update)
