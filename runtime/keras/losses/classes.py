"""Losses as classes: each is one of the functions, with its arguments and a reduction."""

from __future__ import annotations

from typing import Any

from runtime.keras.losses.circle import circle, has_positives
from runtime.keras.losses.loss import LossFunctionWrapper, same_rank
from runtime.keras.losses.probabilistic import (
    binary_crossentropy,
    binary_focal_crossentropy,
    categorical_crossentropy,
    categorical_focal_crossentropy,
    categorical_generalized_cross_entropy,
    ctc,
    dice,
    kl_divergence,
    sparse_categorical_crossentropy,
    tversky,
)
from runtime.keras.losses.regression import (
    categorical_hinge,
    cosine_similarity,
    hinge,
    huber,
    log_cosh,
    mean_absolute_error,
    mean_absolute_percentage_error,
    mean_squared_error,
    mean_squared_logarithmic_error,
    poisson,
    squared_hinge,
)
from runtime.types.aliases import DTypeLike

MEAN = "sum_over_batch_size"


class MeanSquaredError(LossFunctionWrapper):
    """Loss: mean of ``(y_true - y_pred) ** 2``."""

    def __init__(
        self, reduction: str | None = MEAN, name: str | None = "mean_squared_error",
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(mean_squared_error, reduction, name, dtype)


class MeanAbsoluteError(LossFunctionWrapper):
    """Loss: mean of ``abs(y_true - y_pred)``."""

    def __init__(
        self, reduction: str | None = MEAN, name: str | None = "mean_absolute_error",
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(mean_absolute_error, reduction, name, dtype)


class MeanAbsolutePercentageError(LossFunctionWrapper):
    """Loss: mean of ``100 * abs((y_true - y_pred) / y_true)``."""

    def __init__(
        self, reduction: str | None = MEAN, name: str | None = "mean_absolute_percentage_error",
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(mean_absolute_percentage_error, reduction, name, dtype)


class MeanSquaredLogarithmicError(LossFunctionWrapper):
    """Loss: mean of ``(log(y_true + 1) - log(y_pred + 1)) ** 2``."""

    def __init__(
        self, reduction: str | None = MEAN, name: str | None = "mean_squared_logarithmic_error",
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(mean_squared_logarithmic_error, reduction, name, dtype)


class LogCosh(LossFunctionWrapper):
    """Loss: mean of ``log(cosh(y_pred - y_true))``."""

    def __init__(
        self, reduction: str | None = MEAN, name: str | None = "log_cosh",
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(log_cosh, reduction, name, dtype)


class Poisson(LossFunctionWrapper):
    """Loss: mean of ``y_pred - y_true * log(y_pred)``."""

    def __init__(
        self, reduction: str | None = MEAN, name: str | None = "poisson",
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(poisson, reduction, name, dtype)


class Hinge(LossFunctionWrapper):
    """Loss: mean of ``max(1 - y_true * y_pred, 0)``."""

    def __init__(
        self, reduction: str | None = MEAN, name: str | None = "hinge",
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(hinge, reduction, name, dtype)


class SquaredHinge(LossFunctionWrapper):
    """Loss: mean of ``max(1 - y_true * y_pred, 0) ** 2``."""

    def __init__(
        self, reduction: str | None = MEAN, name: str | None = "squared_hinge",
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(squared_hinge, reduction, name, dtype)


class CategoricalHinge(LossFunctionWrapper):
    """Loss: margin by which another class is within 1 of the label's."""

    def __init__(
        self, reduction: str | None = MEAN, name: str | None = "categorical_hinge",
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(categorical_hinge, reduction, name, dtype)


class KLDivergence(LossFunctionWrapper):
    """Loss: sum of ``y_true * log(y_true / y_pred)``."""

    def __init__(
        self, reduction: str | None = MEAN, name: str | None = "kl_divergence",
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(kl_divergence, reduction, name, dtype)


class CosineSimilarity(LossFunctionWrapper):
    """Loss: minus the cosine of the angle between vectors along ``axis``."""

    def __init__(
        self, axis: int = -1, reduction: str | None = MEAN,
        name: str | None = "cosine_similarity", dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(cosine_similarity, reduction, name, dtype, axis=axis)


class Huber(LossFunctionWrapper):
    """Loss: half the squares of errors below ``delta``, lines beyond."""

    def __init__(
        self, delta: float = 1.0, reduction: str | None = MEAN, name: str | None = "huber_loss",
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(huber, reduction, name, dtype, delta=delta)


class BinaryCrossentropy(LossFunctionWrapper):
    """Loss: cross entropy of labels between 0 and 1.

    With ``from_logits`` predictions are logits, not probabilities; ``label_smoothing`` moves labels
    towards 0.5 by that part.
    """

    def __init__(
        self, from_logits: bool = False, label_smoothing: float = 0.0, axis: int = -1,
        reduction: str | None = MEAN, name: str | None = "binary_crossentropy",
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(
            binary_crossentropy, reduction, name, dtype, from_logits=from_logits,
            label_smoothing=label_smoothing, axis=axis,
        )  # fmt: skip


class BinaryFocalCrossentropy(LossFunctionWrapper):
    """Loss: cross entropy of labels between 0 and 1, less of what is predicted well.

    ``gamma`` says how much less.  With ``apply_class_balancing`` the class 1 has the weight
    ``alpha``, the class 0 the rest.
    """

    def __init__(
        self, apply_class_balancing: bool = False, alpha: float = 0.25, gamma: float = 2.0,
        from_logits: bool = False, label_smoothing: float = 0.0, axis: int = -1,
        reduction: str | None = MEAN, name: str | None = "binary_focal_crossentropy",
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(
            binary_focal_crossentropy, reduction, name, dtype,
            apply_class_balancing=apply_class_balancing, alpha=alpha, gamma=gamma,
            from_logits=from_logits, label_smoothing=label_smoothing, axis=axis,
        )  # fmt: skip


class CategoricalCrossentropy(LossFunctionWrapper):
    """Loss: cross entropy of labels that are probabilities of classes, along ``axis``.

    With ``from_logits`` predictions are logits; ``label_smoothing`` spreads that part of each label
    over all classes.
    """

    def __init__(
        self, from_logits: bool = False, label_smoothing: float = 0.0, axis: int = -1,
        reduction: str | None = MEAN, name: str | None = "categorical_crossentropy",
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(
            categorical_crossentropy, reduction, name, dtype, from_logits=from_logits,
            label_smoothing=label_smoothing, axis=axis,
        )  # fmt: skip


class CategoricalFocalCrossentropy(LossFunctionWrapper):
    """Loss: cross entropy of probabilities of classes, less of what is predicted well.

    ``gamma`` says how much less, ``alpha`` multiplies all.
    """

    def __init__(
        self, alpha: float = 0.25, gamma: float = 2.0, from_logits: bool = False,
        label_smoothing: float = 0.0, axis: int = -1, reduction: str | None = MEAN,
        name: str | None = "categorical_focal_crossentropy", dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(
            categorical_focal_crossentropy, reduction, name, dtype, alpha=alpha, gamma=gamma,
            from_logits=from_logits, label_smoothing=label_smoothing, axis=axis,
        )  # fmt: skip


class SparseCategoricalCrossentropy(LossFunctionWrapper):
    """Loss: cross entropy of labels that are indices of classes, which lie along the last axis.

    With ``from_logits`` predictions are logits.  Samples with the label ``ignore_class`` do not
    count, nor in means.
    """

    def __init__(
        self, from_logits: bool = False, ignore_class: int | None = None,
        reduction: str | None = MEAN, axis: int = -1,
        name: str | None = "sparse_categorical_crossentropy", dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(
            sparse_categorical_crossentropy, reduction, name, dtype, from_logits=from_logits,
            ignore_class=ignore_class, axis=axis,
        )  # fmt: skip

    def mask_of_losses(self, y_true: Any, y_pred: Any) -> Any:
        """Return where the label is not the ignored class."""
        ignored = self._fn_kwargs["ignore_class"]
        if ignored is None:
            return None
        labels, _ = same_rank(y_true, y_pred[..., 0], expand_rank_1=False)
        return labels != ignored


class CategoricalGeneralizedCrossEntropy(LossFunctionWrapper):
    """Loss: ``(1 - p ** q) / q``, p the probability of the label's class.

    ValueError unless 0 < q < 1.
    """

    def __init__(
        self, q: float = 0.5, reduction: str | None = MEAN,
        name: str | None = "categorical_generalized_cross_entropy",
        dtype: DTypeLike | None = None,
    ) -> None:
        if not 0 < q < 1:
            raise ValueError(f"q must be in the interval (0, 1). Received: q={q}")
        super().__init__(categorical_generalized_cross_entropy, reduction, name, dtype, q=q)


class CTC(LossFunctionWrapper):
    """Loss of sequences without an alignment: connectionist temporal classification.

    Labels are classes, and 0, the blank, after them; predictions are logits of frames.
    """

    def __init__(
        self, reduction: str | None = MEAN, name: str | None = "ctc",
        dtype: DTypeLike | None = None,
    ) -> None:  # fmt: skip
        super().__init__(ctc, reduction, name, dtype)


class Dice(LossFunctionWrapper):
    """Loss: 1 minus twice the overlap of labels and predictions, divided by their sums."""

    def __init__(
        self, reduction: str | None = MEAN, name: str | None = "dice", axis: Any = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(dice, reduction, name, dtype, axis=axis)


class Tversky(LossFunctionWrapper):
    """Loss: 1 minus the overlap, divided by the overlap and the weighted rests."""

    def __init__(
        self, alpha: float = 0.5, beta: float = 0.5, reduction: str | None = MEAN,
        name: str | None = "tversky", axis: Any = None, dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(tversky, reduction, name, dtype, alpha=alpha, beta=beta, axis=axis)


class Circle(LossFunctionWrapper):
    """Loss of embeddings: those of one label shall be near, those of others far away.

    Labels are ints, predictions are rows of length 1.  Sun et al.: Circle Loss (2020).
    """

    def __init__(
        self, gamma: float = 80.0, margin: float = 0.4, remove_diagonal: bool = True,
        reduction: str | None = MEAN, name: str | None = "circle",
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(
            circle, reduction, name, dtype, gamma=gamma, margin=margin,
            remove_diagonal=remove_diagonal,
        )  # fmt: skip

    def mask_of_losses(self, y_true: Any, y_pred: Any) -> Any:
        """Return which samples have another one of their label."""
        return has_positives(y_true, self._fn_kwargs["remove_diagonal"])
