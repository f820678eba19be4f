"""Intersection over union of labels and predictions, from a confusion matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.keras.config import epsilon, floatx
from runtime.keras.metrics.metric import Metric
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.creation import ones_like
from runtime.ops.array.gather_scatter import gather
from runtime.ops.array.shape import reshape
from runtime.ops.array.where import where
from runtime.ops.linalg.matrices import diag_part_op
from runtime.ops.math.elementwise import divide_no_nan
from runtime.ops.math.logical import logical_and
from runtime.ops.math.reduction import argmax, reduce_sum
from runtime.ops.math.scans import unsorted_segment_sum
from runtime.types.aliases import DTypeLike, TensorLike
from runtime.types.dtypes import int64


class IoU(Metric):
    """Metric: intersection over union, the mean of those of some classes.

    Labels are indices of classes, or with ``sparse_y_true=False`` scores along ``axis``; so are
    predictions.  Labels ``ignore_class`` do not count.  ValueError for classes that are not there.
    """

    def __init__(
        self, num_classes: int, target_class_ids: Sequence[int], name: str | None = None,
        dtype: DTypeLike | None = None, ignore_class: int | None = None,
        sparse_y_true: bool = True, sparse_y_pred: bool = True, axis: int = -1,
    ) -> None:
        super().__init__("int64" if dtype is None else dtype, name)
        if num_classes < 1:
            raise ValueError(f"`num_classes` must be positive. Received: num_classes={num_classes}")
        self.num_classes, self.target_class_ids = num_classes, list(target_class_ids)
        self.ignore_class, self.axis = ignore_class, axis
        self.sparse_y_true, self.sparse_y_pred = sparse_y_true, sparse_y_pred
        for target in self.target_class_ids:
            if not 0 <= target < num_classes:
                raise ValueError(
                    f"Target class id {target} is out of range, which is [0, {num_classes})."
                )
        size = (num_classes, num_classes)
        label = "total_confusion_matrix"
        self.total_confusion_matrix = self.add_variable(size, "zeros", name=label)

    @property
    def total_cm(self) -> Any:
        """Variable with the confusion matrix."""
        return self.total_confusion_matrix

    def update_state(
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> None:
        """Take more labels and predictions, and their weights."""
        labels = convert_to_tensor(y_true)
        predicted = convert_to_tensor(y_pred)
        labels = labels if self.sparse_y_true else argmax(labels, axis=self.axis)
        predicted = predicted if self.sparse_y_pred else argmax(predicted, axis=self.axis)
        labels, predicted = (reshape(cast(x, int64), [-1]) for x in (labels, predicted))
        weight = 1.0 if sample_weight is None else reshape(cast(sample_weight, floatx()), [-1])
        counted = weight * ones_like(labels, dtype=floatx())
        if self.ignore_class is not None:
            valid = labels != self.ignore_class
            counted = where(valid, counted, 0.0)
            labels, predicted = where(valid, labels, 0), where(valid, predicted, 0)
        inside = logical_and(self._are_classes(labels), self._are_classes(predicted))
        counted = where(inside, counted, 0.0)  # others do not count
        labels, predicted = where(inside, labels, 0), where(inside, predicted, 0)
        # as Keras does, weights are converted to the dtype of the matrix before they are added up
        places = labels * self.num_classes + predicted
        sums = unsorted_segment_sum(cast(counted, self._dtype), places, self.num_classes**2)
        self.total_confusion_matrix.assign_add(reshape(sums, [self.num_classes] * 2))

    def _are_classes(self, places: Any) -> Any:
        return logical_and(places >= 0, places < self.num_classes)

    def result(self) -> Any:
        """Return the mean over the target classes that occur, a scalar."""
        matrix = cast(self.total_confusion_matrix, floatx())
        right = diag_part_op(matrix, k=0)
        union = reduce_sum(matrix, axis=0) + reduce_sum(matrix, axis=1) - right
        right, union = (gather(x, self.target_class_ids) for x in (right, union))
        present = reduce_sum(cast(union != 0, floatx()))
        return divide_no_nan(reduce_sum(divide_no_nan(right, union + epsilon())), present)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {**super().get_config(), **{key: getattr(self, key) for key in self._ARGUMENTS}}

    _ARGUMENTS: tuple[str, ...] = (
        "num_classes", "target_class_ids", "ignore_class", "sparse_y_true", "sparse_y_pred", "axis",
    )  # fmt: skip


class BinaryIoU(IoU):
    """Metric: intersection over union of labels 0 and 1, and predictions cut at a threshold."""

    _ARGUMENTS = ("target_class_ids", "threshold")

    def __init__(
        self, target_class_ids: Sequence[int] = (0, 1), threshold: float = 0.5,
        name: str | None = None, dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(2, target_class_ids, name, dtype)
        self.threshold = threshold

    def update_state(
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> None:
        """Take more labels and predictions, and their weights."""
        above = convert_to_tensor(y_pred) >= self.threshold
        super().update_state(y_true, cast(above, int64), sample_weight)


class MeanIoU(IoU):
    """Metric: the mean of the intersections over unions of all classes."""

    _ARGUMENTS: tuple[str, ...] = (
        "num_classes", "ignore_class", "sparse_y_true", "sparse_y_pred", "axis",
    )  # fmt: skip

    def __init__(
        self, num_classes: int, name: str | None = None, dtype: DTypeLike | None = None,
        ignore_class: int | None = None, sparse_y_true: bool = True, sparse_y_pred: bool = True,
        axis: int = -1,
    ) -> None:
        super().__init__(
            num_classes, range(num_classes), name, dtype, ignore_class, sparse_y_true,
            sparse_y_pred, axis,
        )  # fmt: skip


class OneHotIoU(IoU):
    """Metric: intersection over union of labels that are one-hot vectors."""

    _ARGUMENTS = ("num_classes", "target_class_ids", "ignore_class", "sparse_y_pred", "axis")

    def __init__(
        self, num_classes: int, target_class_ids: Sequence[int], name: str | None = None,
        dtype: DTypeLike | None = None, ignore_class: int | None = None,
        sparse_y_pred: bool = False, axis: int = -1,
    ) -> None:
        super().__init__(
            num_classes, target_class_ids, name, dtype, ignore_class, False, sparse_y_pred, axis
        )


class OneHotMeanIoU(MeanIoU):
    """Metric: the mean of all intersections over unions, of labels that are one-hot vectors."""

    _ARGUMENTS = ("num_classes", "ignore_class", "sparse_y_pred", "axis")

    def __init__(
        self, num_classes: int, name: str | None = None, dtype: DTypeLike | None = None,
        ignore_class: int | None = None, sparse_y_pred: bool = False, axis: int = -1,
    ) -> None:
        super().__init__(num_classes, name, dtype, ignore_class, False, sparse_y_pred, axis)
