"""Cases of TensorFlow 1's metrics, for either library's ``tf``: two batches each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

TRUE = np.array([[1, 0, 1, 1], [0, 0, 1, 0]], "float32")
CHANCES = np.array([[0.5, 0.2, 0.1, 0.3], [0.7, 0.4, 0.9, 0.05]], "float32")
WEIGHTS = np.array([[0.5, 1.0, 2.0, 0.0], [1.0, 3.0, 0.25, 1.0]], "float32")
CLASSES = np.array([[0, 1, 2, 1], [2, 2, 0, 1]])
GUESSES = np.array([[0, 1, 1, 1], [2, 0, 0, 0]])

CASES: dict[str, Callable[[Any, Any, Any], Any]] = {
    "accuracy": lambda m, b, w: m.accuracy(b(CLASSES), b(GUESSES), w),
    "auc": lambda m, b, w: m.auc(b(TRUE), b(CHANCES), w),
    "auc_minoring": lambda m, b, w: m.auc(b(TRUE), b(CHANCES), w, summation_method="minoring"),
    "auc_pr": lambda m, b, w: m.auc(
        b(TRUE), b(CHANCES), w, curve="PR", summation_method="careful_interpolation"
    ),
    "auc_pr_majoring": lambda m, b, w: m.auc(
        b(TRUE), b(CHANCES), w, curve="PR", summation_method="majoring", thresholds=[0.6, 0.15]
    ),
    "false_negatives": lambda m, b, w: m.false_negatives(b(TRUE), b(CHANCES) > 0.35, w),
    "false_negatives_at": lambda m, b, w: m.false_negatives_at_thresholds(
        b(TRUE), b(CHANCES), [0.15, 0.4], w
    ),
    "false_positives": lambda m, b, w: m.false_positives(b(TRUE), b(CHANCES) > 0.35, w),
    "mean": lambda m, b, w: m.mean(b(CHANCES), w),
    "mean_absolute_error": lambda m, b, w: m.mean_absolute_error(b(TRUE), b(CHANCES), w),
    "mean_cosine_distance": lambda m, b, w: m.mean_cosine_distance(b(TRUE), b(CHANCES), 0),
    "mean_iou": lambda m, b, w: m.mean_iou(b(CLASSES), b(GUESSES), 3, w),
    "mean_per_class_accuracy": lambda m, b, w: m.mean_per_class_accuracy(
        b(CLASSES), b(GUESSES), 3, w
    ),
    "mean_relative_error": lambda m, b, w: m.mean_relative_error(
        b(TRUE), b(CHANCES), b(TRUE) * 2, w
    ),
    "mean_squared_error": lambda m, b, w: m.mean_squared_error(b(TRUE), b(CHANCES), w),
    "mean_tensor": lambda m, b, w: m.mean_tensor(b(CHANCES), w),
    "percentage_below": lambda m, b, w: m.percentage_below(b(CHANCES), 0.3, w),
    "precision": lambda m, b, w: m.precision(b(TRUE), b(CHANCES) > 0.35, w),
    "precision_at": lambda m, b, w: m.precision_at_thresholds(b(TRUE), b(CHANCES), [0.15, 0.4], w),
    "recall": lambda m, b, w: m.recall(b(TRUE), b(CHANCES) > 0.35, w),
    "recall_at": lambda m, b, w: m.recall_at_thresholds(b(TRUE), b(CHANCES), [0.15, 0.4], w),
    "root_mean_squared_error": lambda m, b, w: m.root_mean_squared_error(b(TRUE), b(CHANCES), w),
    "sensitivity": lambda m, b, w: m.sensitivity_at_specificity(b(TRUE), b(CHANCES), 0.5, w),
    "specificity": lambda m, b, w: m.specificity_at_sensitivity(b(TRUE), b(CHANCES), 0.5, w),
    "true_negatives": lambda m, b, w: m.true_negatives(b(TRUE), b(CHANCES) > 0.35, w),
    "true_positives": lambda m, b, w: m.true_positives(b(TRUE), b(CHANCES) > 0.35, w),
}


def measured(tf: Any, name: str, weighted: bool) -> dict[str, Any]:
    """Names of the variables; the updates of two batches, and the value before and after."""
    with tf.Graph().as_default(), tf.Session() as session:
        row = tf.placeholder(tf.int32, [])

        def batch(values: Any) -> Any:
            return tf.constant(values)[row]

        weights = batch(WEIGHTS) if weighted else None
        value, update = CASES[name](tf.metrics, batch, weights)
        session.run(tf.local_variables_initializer())
        first = session.run(value)
        updates = [session.run(update, {row: number}) for number in range(2)]
        values = [first, *updates, session.run(value)]
        return {
            "variables": [variable.name for variable in tf.local_variables()],
            "values": [np.asarray(v, "float64").round(7).tolist() for v in values],
        }


def metrics(tf: Any) -> dict[str, Any]:
    """All cases by name, without weights and with them."""
    return {name: [measured(tf, name, weighted) for weighted in (False, True)] for name in CASES}
