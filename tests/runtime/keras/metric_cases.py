"""Cases of metrics: the results after each of three batches, with and without weights."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.runtime.keras.golden import Case, values

BATCHES, ROWS, COLUMNS = 3, 4, 3
NUMBERS = values(BATCHES, ROWS, COLUMNS)
LABELS = values(BATCHES, ROWS, COLUMNS, low=-1.0, high=3.0, turn=5)
BETWEEN = values(BATCHES, ROWS, COLUMNS, low=0.05, high=0.95)
BITS = (values(BATCHES, ROWS, COLUMNS, turn=11) > 0.2).astype("float32")
CLASSES = np.array([[2, 0, 1, 1], [0, 0, 2, 1], [1, 1, 1, 2]], "float32")
GUESSES = np.array([[2, 1, 1, 0], [0, 0, 1, 1], [1, 2, 1, 2]], "float32")
ONE_HOT = np.eye(3, dtype="float32")[CLASSES.astype(int)]
POSITIVE = values(BATCHES, ROWS, COLUMNS, low=0.1, high=3.0, turn=3)
WEIGHTS = np.array([0.5, 2.0, 0.0, 1.0], "float32")
WHOLE = np.array([1.0, 2.0, 0.0, 3.0], "float32")

Given = dict[str, Any]
METRICS: list[tuple[str, Any, Any, list[Given]]] = [
    ("Accuracy", CLASSES, GUESSES, [{}]),
    ("BinaryAccuracy", BITS, BETWEEN, [{}, {"threshold": 0.7}]),
    ("CategoricalAccuracy", ONE_HOT, BETWEEN, [{}]),
    ("SparseCategoricalAccuracy", CLASSES, BETWEEN, [{}]),
    ("TopKCategoricalAccuracy", ONE_HOT, BETWEEN, [{"k": 2}, {}]),
    ("SparseTopKCategoricalAccuracy", CLASSES, BETWEEN, [{"k": 2}]),
    ("BinaryCrossentropy", BITS, BETWEEN, [{}, {"label_smoothing": 0.2}]),
    ("BinaryCrossentropy", BITS, NUMBERS, [{"from_logits": True}]),
    ("CategoricalCrossentropy", ONE_HOT, BETWEEN, [{}, {"label_smoothing": 0.2}]),
    ("CategoricalCrossentropy", ONE_HOT, NUMBERS, [{"from_logits": True}]),
    ("SparseCategoricalCrossentropy", CLASSES, BETWEEN, [{}, {"ignore_class": 1}]),
    ("SparseCategoricalCrossentropy", CLASSES, NUMBERS, [{"from_logits": True}]),
    ("CategoricalHinge", ONE_HOT, NUMBERS, [{}]), ("Hinge", BITS, NUMBERS, [{}]),
    ("SquaredHinge", BITS * 2 - 1, NUMBERS, [{}]), ("CosineSimilarity", LABELS, NUMBERS, [{}]),
    ("ConcordanceCorrelation", LABELS, NUMBERS, [{}]),
    ("PearsonCorrelation", LABELS, NUMBERS, [{}]),
    ("KLDivergence", BITS * 0.6 + 0.2, BETWEEN, [{}]), ("Poisson", BITS, POSITIVE, [{}]),
    ("LogCoshError", LABELS, NUMBERS, [{}]), ("MeanAbsoluteError", LABELS, NUMBERS, [{}]),
    ("MeanAbsolutePercentageError", LABELS, NUMBERS, [{}]),
    ("MeanSquaredError", LABELS, NUMBERS, [{}]), ("RootMeanSquaredError", LABELS, NUMBERS, [{}]),
    ("MeanSquaredLogarithmicError", POSITIVE, NUMBERS, [{}]),
    ("TruePositives", BITS, BETWEEN, [{}, {"thresholds": [0.2, 0.6]}]),
    ("FalsePositives", BITS, BETWEEN, [{}]), ("TrueNegatives", BITS, BETWEEN, [{}]),
    ("FalseNegatives", BITS, BETWEEN, [{"thresholds": 0.3}]),
    ("Precision", BITS, BETWEEN, [{}, {"thresholds": [0.2, 0.6]}, {"top_k": 2}, {"class_id": 1},
                                  {"top_k": 1, "class_id": 2}]),
    ("Recall", BITS, BETWEEN, [{}, {"thresholds": [0.2, 0.6]}, {"top_k": 2}, {"class_id": 1}]),
    ("AUC", BITS, BETWEEN, [
        {}, {"curve": "PR"}, {"curve": "PRGAIN", "num_thresholds": 7},
        {"summation_method": "minoring"}, {"summation_method": "majoring", "curve": "PR"},
        {"num_thresholds": 5}, {"thresholds": [0.3, 0.6]}, {"multi_label": True, "num_labels": 3},
        {"multi_label": True, "label_weights": [0.2, 0.5, 0.3]}, {"label_weights": [0.2, 0.5, 0.3]},
        {"multi_label": True, "curve": "PR"},
    ]),
    ("AUC", BITS, NUMBERS, [{"from_logits": True}]),
    ("SensitivityAtSpecificity", BITS, BETWEEN, [{"specificity": 0.4}]),
    ("SpecificityAtSensitivity", BITS, BETWEEN, [{"sensitivity": 0.4, "num_thresholds": 5}]),
    ("PrecisionAtRecall", BITS, BETWEEN, [{"recall": 0.4}, {"recall": 0.4, "class_id": 1},
                                          {"recall": 0.4, "num_thresholds": 1}]),
    ("RecallAtPrecision", BITS, BETWEEN, [{"precision": 0.4}, {"precision": 1.0}]),
    ("IoU", CLASSES, GUESSES, [{"num_classes": 3, "target_class_ids": [0, 2]},
                               {"num_classes": 3, "target_class_ids": [0, 2], "ignore_class": 1}]),
    ("IoU", CLASSES, BETWEEN, [
        {"num_classes": 3, "target_class_ids": [1], "sparse_y_pred": False},
    ]),
    ("MeanIoU", CLASSES, GUESSES, [{"num_classes": 3}, {"num_classes": 4}]),
    ("BinaryIoU", BITS, BETWEEN, [{}, {"target_class_ids": [1], "threshold": 0.3}]),
    ("OneHotIoU", ONE_HOT, BETWEEN, [{"num_classes": 3, "target_class_ids": [1]}]),
    ("OneHotMeanIoU", ONE_HOT, BETWEEN, [{"num_classes": 3}]),
    ("F1Score", ONE_HOT, BETWEEN, [{}, {"average": "macro"}, {"average": "micro"},
                                   {"average": "weighted"}, {"threshold": 0.5}]),
    ("FBetaScore", ONE_HOT, BETWEEN, [{"beta": 2.0}, {"beta": 0.5, "average": "weighted"}]),
    ("R2Score", LABELS, NUMBERS, [{}, {"class_aggregation": None}, {"num_regressors": 2},
                                  {"class_aggregation": "variance_weighted_average"}]),
]  # fmt: skip


def metric(name: str, labels: Any, predictions: Any, weights: Any = None, **given: Any) -> Case:
    """The results after each batch; after the last one the metric starts anew with the first."""

    def make(tf: Any, keras: Any) -> Any:
        made = getattr(keras.metrics, name)(**given)

        def run(y_true: Any, y_pred: Any) -> Any:
            results = []
            for i in range(BATCHES):
                made.update_state(y_true[i], y_pred[i], sample_weight=weights)
                results.append(tf.reshape(made.result(), [-1]))
            made.reset_state()
            results.append(tf.reshape(made(y_true[0], y_pred[0]), [-1]))
            return tf.concat(results, 0)

        return run

    return Case(make, (labels, predictions), gradient=False)


def of_values(name: str, array: Any, weights: Any = None) -> Case:
    """The result after two batches of values."""

    def make(tf: Any, keras: Any) -> Any:
        made = getattr(keras.metrics, name)()

        def run(x: Any) -> Any:
            made.update_state(x, sample_weight=weights)
            return made(x * 2.0 + 1.0, sample_weight=weights)

        return run

    return Case(make, (array,), gradient=False)


CASES: dict[str, Case] = {}
for NAME, FIRST, SECOND, ALL in METRICS:
    for GIVEN in ALL:
        CASES[f"metrics.{NAME}({GIVEN})"] = metric(NAME, FIRST, SECOND, **GIVEN)
    WEIGHT = WHOLE if "IoU" in NAME and NAME != "BinaryIoU" else WEIGHTS
    if NAME in ("Recall", "BinaryIoU"):
        WEIGHT = np.tile(WHOLE[:, None], (1, COLUMNS))
    if NAME not in ("FalsePositives", "TrueNegatives", "FalseNegatives"):
        CASES[f"metrics.{NAME}({ALL[0]}) weighted"] = metric(NAME, FIRST, SECOND, WEIGHT, **ALL[0])
for NAME in ("Mean", "Sum"):
    for ARRAY in (values(4), values(4, 3), values(2, 3, 2), np.float32(2.5)):
        CASES[f"metrics.{NAME} of {np.shape(ARRAY)}"] = of_values(NAME, ARRAY)
    for ARRAY, WEIGHT in ((values(4), WEIGHTS), (values(4, 3), WEIGHTS), (values(4, 3), BITS[0])):
        CASES[f"metrics.{NAME} of {ARRAY.shape} {WEIGHT.shape}"] = of_values(NAME, ARRAY, WEIGHT)
