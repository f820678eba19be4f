"""Cases of losses: each class with its options, each function, weights, masks and reductions."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.runtime.keras.golden import Case, values

ROWS, COLUMNS = 4, 3
NUMBERS = values(ROWS, COLUMNS)
LABELS = values(ROWS, COLUMNS, low=-1.0, high=3.0, turn=5)
BETWEEN = values(ROWS, COLUMNS, low=0.05, high=0.95)  # probabilities
BITS = np.array([[1, 0, 1], [0, 0, 1], [1, 1, 0], [0, 1, 0]], "float32")
ONE_HOT = np.eye(3, dtype="float32")[[2, 0, 1, 1]]
INDICES = np.array([2, 0, 1, 1])
UNIT = NUMBERS / np.linalg.norm(NUMBERS, axis=1, keepdims=True)
POSITIVE = values(ROWS, COLUMNS, low=0.1, high=3.0, turn=3)
WEIGHTS = np.array([0.5, 2.0, 0.0, 1.0], "float32")

SEQUENCES = np.array([[1, 2, 1], [1, 1, 0], [0, 0, 0], [2, 2, 2]])
FRAMES = values(ROWS, 6, COLUMNS)
INPUTS: dict[str, tuple[Any, Any]] = {
    "BinaryCrossentropy": (BITS, BETWEEN), "BinaryFocalCrossentropy": (BITS, BETWEEN),
    "CategoricalCrossentropy": (ONE_HOT, BETWEEN),
    "CategoricalFocalCrossentropy": (ONE_HOT, BETWEEN),
    "CategoricalGeneralizedCrossEntropy": (INDICES, BETWEEN),
    "CTC": (SEQUENCES, FRAMES), "CategoricalHinge": (ONE_HOT, NUMBERS),
    "Circle": (np.array([0, 1, 0, 2]), UNIT), "CosineSimilarity": (LABELS, NUMBERS),
    "Dice": (BITS, BETWEEN), "Hinge": (BITS, NUMBERS), "Huber": (LABELS, NUMBERS),
    "KLDivergence": (BITS * 0.6 + 0.2, BETWEEN), "LogCosh": (LABELS, NUMBERS),
    "MeanAbsoluteError": (LABELS, NUMBERS), "MeanAbsolutePercentageError": (LABELS, NUMBERS),
    "MeanSquaredError": (LABELS, NUMBERS), "MeanSquaredLogarithmicError": (POSITIVE, NUMBERS),
    "Poisson": (BITS, POSITIVE), "SparseCategoricalCrossentropy": (INDICES, BETWEEN),
    "SquaredHinge": (BITS * 2 - 1, NUMBERS), "Tversky": (BITS, BETWEEN),
}  # fmt: skip
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "BinaryCrossentropy": [{"label_smoothing": 0.2}, {"axis": 0}, {"axis": [0, 1]}],
    "BinaryFocalCrossentropy": [
        {"apply_class_balancing": True, "alpha": 0.3}, {"gamma": 1.0, "label_smoothing": 0.1},
    ],
    "CategoricalCrossentropy": [{"label_smoothing": 0.2}, {"axis": 0}],
    "CategoricalFocalCrossentropy": [{"alpha": 0.5, "gamma": 1.5}, {"label_smoothing": 0.1}],
    "CategoricalGeneralizedCrossEntropy": [{"q": 0.8}],
    "Circle": [{"gamma": 2.0, "margin": 0.1}, {"gamma": 2.0, "remove_diagonal": False}],
    "CosineSimilarity": [{"axis": 0}], "Dice": [{"axis": 1}], "Huber": [{"delta": 0.4}],
    "SparseCategoricalCrossentropy": [{"ignore_class": 1}, {"ignore_class": -1}],
    "Tversky": [{"alpha": 0.2, "beta": 0.7}, {"axis": [1]}],
}  # fmt: skip
LOGITS: list[tuple[str, dict[str, Any]]] = [
    ("BinaryCrossentropy", {}), ("BinaryCrossentropy", {"label_smoothing": 0.1}),
    ("BinaryFocalCrossentropy", {}), ("CategoricalCrossentropy", {}),
    ("CategoricalCrossentropy", {"label_smoothing": 0.1}),
    ("CategoricalFocalCrossentropy", {}), ("SparseCategoricalCrossentropy", {}),
    ("SparseCategoricalCrossentropy", {"ignore_class": 1}),
]  # fmt: skip
REDUCTIONS = ("sum", "mean", "none", "mean_with_sample_weight", None)
FUNCTIONS = {
    "binary_crossentropy": "BinaryCrossentropy", "huber": "Huber", "dice": "Dice",
    "binary_focal_crossentropy": "BinaryFocalCrossentropy", "tversky": "Tversky",
    "categorical_crossentropy": "CategoricalCrossentropy", "circle": "Circle", "hinge": "Hinge",
    "categorical_focal_crossentropy": "CategoricalFocalCrossentropy", "poisson": "Poisson",
    "categorical_hinge": "CategoricalHinge", "cosine_similarity": "CosineSimilarity",
    "kl_divergence": "KLDivergence", "log_cosh": "LogCosh", "mse": "MeanSquaredError",
    "mean_absolute_error": "MeanAbsoluteError", "mape": "MeanAbsolutePercentageError",
    "mean_squared_logarithmic_error": "MeanSquaredLogarithmicError",
    "sparse_categorical_crossentropy": "SparseCategoricalCrossentropy",
    "squared_hinge": "SquaredHinge", "ctc": "CTC",
}  # fmt: skip


def loss(
    name: str, labels: Any, predictions: Any, weights: Any = None,
    **arguments: Any,
) -> Case:
    def make(tf: Any, keras: Any) -> Any:
        made = getattr(keras.losses, name)(**arguments)
        return lambda y_pred: made(tf.constant(labels), y_pred, weights)

    return Case(make, (predictions,))


def of_function(name: str, labels: Any, predictions: Any) -> Case:
    def make(tf: Any, keras: Any) -> Any:
        return lambda y_pred: keras.losses.get(name)(tf.constant(labels), y_pred)

    return Case(make, (predictions,))


CASES: dict[str, Case] = {}
for NAME, PAIR in INPUTS.items():
    for GIVEN in ({}, *OPTIONS.get(NAME, ())):
        CASES[f"losses.{NAME}({GIVEN})"] = loss(NAME, *PAIR, **GIVEN)
    if NAME not in ("Dice", "Tversky"):
        CASES[f"losses.{NAME} weighted"] = loss(NAME, *PAIR, weights=WEIGHTS)
for NAME, GIVEN in LOGITS:
    given = {"from_logits": True, **GIVEN}
    CASES[f"losses.{NAME}({given})"] = loss(NAME, INPUTS[NAME][0], NUMBERS, **given)
# TensorFlow's gradient takes for granted that the labels of a sample sum to 1.
CASES["losses.CategoricalCrossentropy(axis=0) of logits"] = loss(
    "CategoricalCrossentropy", ONE_HOT / ONE_HOT.sum(0), NUMBERS, from_logits=True, axis=0
)
for REDUCTION in REDUCTIONS:
    CASES[f"losses.MeanSquaredError({REDUCTION})"] = loss(
        "MeanSquaredError", LABELS, NUMBERS, reduction=REDUCTION
    )
    CASES[f"losses.MeanSquaredError({REDUCTION}) weighted"] = loss(
        "MeanSquaredError", LABELS, NUMBERS, WEIGHTS[:, None], reduction=REDUCTION
    )
    CASES[f"losses.SparseCategoricalCrossentropy({REDUCTION}) ignoring"] = loss(
        "SparseCategoricalCrossentropy", INDICES, BETWEEN, WEIGHTS, reduction=REDUCTION,
        ignore_class=0,
    )  # fmt: skip
for NAME, KIND in FUNCTIONS.items():
    CASES[f"losses.{NAME}"] = of_function(NAME, *INPUTS[KIND])
SHAPES: list[tuple[tuple[int, ...], tuple[int, ...]]] = [
    ((4,), (4, 1)), ((4, 1), (4,)), ((2, 3, 1), (2, 3)), ((2, 3), (2, 3, 1)), ((5,), (5,)),
]  # fmt: skip
for FIRST, SECOND in SHAPES:
    CASES[f"losses.MeanSquaredError {FIRST} {SECOND}"] = loss(
        "MeanSquaredError", values(*FIRST, turn=3), values(*SECOND), reduction="none"
    )


def of_sequences(frames: list[int], labels: list[int]) -> Case:
    def make(tf: Any, keras: Any) -> Any:
        return lambda logits: keras.ops.ctc_loss(
            tf.constant(SEQUENCES), logits, tf.constant(labels), tf.constant(frames)
        )

    # where frames are too few, rounding of losses of 707 leaves gradients few digits
    return Case(make, (FRAMES,), gradient=frames == [6, 3, 4, 5])


def decoded(frames: list[int], **arguments: Any) -> Case:
    def make(tf: Any, keras: Any) -> Any:
        def run(logits: Any) -> Any:
            classes, scores = keras.ops.ctc_decode(logits, tf.constant(frames), **arguments)
            return tf.concat([tf.cast(classes[0], "float32"), scores], 1)

        return run

    return Case(make, (FRAMES,), gradient=False)


for SIZES in ([6, 3, 4, 5], [6, 2, 0, 4], [0, 1, 6, 6]):  # of some the frames are too few
    CASES[f"ops.ctc_loss {SIZES}"] = of_sequences(SIZES, [3, 2, 0, 3])
    CASES[f"ops.ctc_loss {SIZES} of one label"] = of_sequences(SIZES, [1, 1, 0, 1])
    for GIVEN in ({}, {"merge_repeated": False}, {"mask_index": 1}, {"mask_index": None}):
        CASES[f"ops.ctc_decode {SIZES} {GIVEN}"] = decoded(SIZES, **GIVEN)
