"""Metrics: in functions, loops and sessions, what `get` finds, configs, errors."""

import json

import numpy as np
import pytest

import runtime as tf
from runtime import keras
from runtime.keras.layers.base.masks import set_mask

metrics = keras.metrics
ARGUMENTS = {
    "IoU": {"num_classes": 3, "target_class_ids": [0, 2]}, "MeanIoU": {"num_classes": 3},
    "OneHotIoU": {"num_classes": 3, "target_class_ids": [1]}, "OneHotMeanIoU": {"num_classes": 3},
    "PrecisionAtRecall": {"recall": 0.5}, "RecallAtPrecision": {"precision": 0.5},
    "SensitivityAtSpecificity": {"specificity": 0.5}, "FBetaScore": {"beta": 2.0},
    "SpecificityAtSensitivity": {"sensitivity": 0.5}, "AUC": {"thresholds": [0.2, 0.5]},
    "MeanMetricWrapper": {"fn": keras.losses.mean_squared_error},
}  # fmt: skip
NAMES = [n for n in metrics.__all__ if isinstance(getattr(metrics, n), type) and n != "Metric"]


@pytest.mark.parametrize("name", NAMES)
def test_metrics_go_through_json_and_back(name):
    given = getattr(metrics, name)(name="mine", dtype="float64", **ARGUMENTS.get(name, {}))
    config = json.loads(json.dumps(metrics.serialize(given)))
    assert config["module"] == "keras.metrics" and config["class_name"] == name
    again = metrics.deserialize(config)
    assert type(again) is type(given) and again.get_config() == given.get_config()
    assert (again.name, again.dtype) == ("mine", "float64")
    assert [v.shape for v in again.variables] == [v.shape for v in given.variables]


def test_get_takes_names_dicts_classes_and_functions():
    assert isinstance(metrics.get("mse"), metrics.MeanSquaredError)
    assert isinstance(metrics.get("accuracy"), metrics.Accuracy)
    assert isinstance(metrics.get("f1_score"), metrics.F1Score)
    assert isinstance(metrics.get(metrics.AUC), metrics.AUC)
    assert metrics.get(keras.losses.hinge) is keras.losses.hinge
    assert metrics.get(None) is None
    with pytest.raises(ValueError, match=r"metric identifier: acuracy. Did you mean 'accuracy'"):
        metrics.get("acuracy")


def test_state_is_made_in_the_first_call_of_a_function_and_stays():
    y, p = tf.one_hot([0, 1, 1], 2), tf.constant([[0.9, 0.1], [0.4, 0.6], [0.8, 0.2]])
    for jit in (False, True):
        score = metrics.F1Score(average="macro")
        plain = metrics.F1Score(average="macro")
        update = tf.function(lambda: score(y, p), jit_compile=jit)
        for _ in range(3):
            assert update().numpy() == pytest.approx(plain(y, p).numpy())
        first = score.variables[0]
        assert (first.name, first.path) == ("true_positives", "f1_score/true_positives")


def test_loops_of_functions_carry_the_state():
    mean = metrics.Mean()

    @tf.function
    def total(values):
        mean.reset_state()
        for x in values:
            if x > 0:
                mean.update_state(x)
        return mean.result()

    assert total(tf.constant([1.0, -5.0, 3.0])).numpy() == 2.0
    assert total(tf.constant([-1.0])).numpy() == 0.0


def test_a_session_keeps_the_state():
    with tf.Graph().as_default(), tf.Session() as session:
        y, p = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32, [None])
        precision = metrics.Precision()
        result = precision(y, p)
        session.run(tf.global_variables_initializer())
        first = session.run(result, {y: [1.0, 0.0], p: [0.9, 0.8]})
        second = session.run(result, {y: [1.0, 1.0], p: [0.9, 0.8]})
    assert (first, second) == (0.5, 0.75)


def test_a_metric_of_the_users_is_staged():
    class Hits(metrics.Metric):
        def __init__(self, name="hits", **kwargs):
            super().__init__(name=name, **kwargs)
            self.hits = self.add_weight(name="hits", initializer="zeros")
            self.best = self.add_variable((), "ones", name="best")

        def update_state(self, y_true, y_pred, sample_weight=None):
            if tf.reduce_max(y_pred) > self.best:
                self.hits.assign_add(1.0)

        def result(self):
            return self.hits / self.best

    hits = Hits()
    step = tf.function(lambda p: hits(p, p))
    assert step(tf.constant([3.0])).numpy() == 1.0 and step(tf.constant([0.5])).numpy() == 1.0
    assert [v.name for v in hits.variables] == ["hits", "best"]
    hits.reset_state()
    assert hits.hits.numpy() == 0.0


def test_names_have_numbers_from_the_second_time_on():
    first, second = (metrics.AUC(num_thresholds=3).name for _ in range(2))
    assert first.partition("_")[0] == second.partition("_")[0] == "auc" and first != second


BAD = np.ones(3, "float32")
ERRORS = {
    "thresholds": (lambda: metrics.AUC(1),
                   "Argument `num_thresholds` must be an integer > 1. Received: num_thresholds=1"),
    "curve": (lambda: metrics.AUC(curve="x"),
              'Invalid AUC curve value: "x". Expected values are [\'PR\', \'ROC\', \'PRGAIN\']'),
    "range": (lambda: metrics.Precision(2.0),
              "Threshold values must be in [0, 1]. Received: [2.0]"),
    "recall": (lambda: metrics.PrecisionAtRecall(2),
               "Argument `recall` must be in the range [0, 1]. Received: recall=2"),
    "class": (lambda: metrics.IoU(2, [5]), "Target class id 5 is out of range, which is [0, 2)."),
    "average": (lambda: metrics.F1Score("all"),
                "Invalid `average` argument value. Expected one of: {None, 'micro', 'macro', "
                "'weighted'}. Received: average=all"),
    "aggregation": (lambda: metrics.R2Score("all"),
                    "Invalid value for argument `class_aggregation`. Expected one of (None, "
                    "'uniform_average', 'variance_weighted_average'). "
                    "Received: class_aggregation=all"),
    "rank": (lambda: metrics.F1Score().update_state(BAD, BAD),
             "F1Score expects 2D inputs with shape (batch_size, output_dim). Received input "
             "shapes: y_pred.shape=(3,) and y_true.shape=(3,)."),
    "shapes": (lambda: metrics.Recall().update_state(tf.ones([2, 3]), tf.ones([2, 4])),
               "`y_true` and `y_pred` must have the same shape. Received: y_true.shape=(2, 3), "
               "y_pred.shape=(2, 4)"),
    "labels": (lambda: metrics.AUC(multi_label=True).update_state(BAD, BAD),
               "`y_pred` must have rank 2, of a known number of labels, when `multi_label` is "
               "True. Found shape (3,)."),
}  # fmt: skip


@pytest.mark.parametrize("name", ERRORS)
def test_errors_say_what_is_wrong(name):
    run, text = ERRORS[name]
    with pytest.raises(ValueError) as raised:
        run()
    assert str(raised.value) == text


def test_values_with_a_mask_and_weights_and_predictions_with_a_mask_count_where_it_is_true():
    values = tf.constant([1.0, 5.0])
    set_mask(values, tf.constant([True, False]))
    assert keras.metrics.Mean()(values).numpy() == 3.0  # as in Keras, without weights
    assert keras.metrics.Mean()(values, sample_weight=[1.0, 1.0]).numpy() == 1.0
    predicted = tf.constant([[1.0], [5.0]])
    set_mask(predicted, tf.constant([True, False]))
    assert keras.metrics.MeanSquaredError()([[0.0], [0.0]], predicted).numpy() == 1.0
