"""Circle loss: of the distances between embeddings, by their labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.creation import eye
from runtime.ops.array.shape import reshape, shape
from runtime.ops.array.where import where
from runtime.ops.docstrings import documented
from runtime.ops.linalg.products import matmul
from runtime.ops.math.elementary import softplus
from runtime.ops.math.elementwise import maximum
from runtime.ops.math.logical import logical_and, logical_not
from runtime.ops.math.reduction import reduce_any, reduce_logsumexp
from runtime.types.aliases import TensorLike
from runtime.types.dtypes import int64

if TYPE_CHECKING:
    from runtime.eager.tensor import Tensor


@documented(
    "Vector of the losses of the samples, 0 of samples without another one of their label",
    y_true="labels, a vector of ints",
    y_pred="embeddings, a matrix whose rows have the length 1",
    ref_labels="labels to compare with; by default ``y_true``",
    ref_embeddings="embeddings to compare with; by default ``y_pred``",
    remove_diagonal="whether to leave out each sample itself",
    gamma="scale, which large distances weigh more with",
    margin="how far apart labels shall be",
)
def circle(
    y_true: TensorLike, y_pred: TensorLike, ref_labels: TensorLike | None = None,
    ref_embeddings: TensorLike | None = None, remove_diagonal: bool = True, gamma: float = 80,
    margin: float = 0.4,
) -> Tensor:
    """Compute losses of embeddings: those of one label shall be near, others far away."""
    # Sun et al.: Circle Loss: A Unified Perspective of Pair Similarity Optimization (2020).
    y_pred = convert_to_tensor(y_pred)
    references = y_pred if ref_embeddings is None else cast(ref_embeddings, y_pred.dtype)
    same, different = _pairs(y_true, ref_labels, remove_diagonal)
    distance = maximum(1.0 - matmul(y_pred, references, transpose_b=True), 0.0)
    pull = gamma * (distance + margin) * (distance - margin)
    push = gamma * maximum(1.0 + margin - distance, 0.0) * (1.0 - margin - distance)
    return softplus(_logsumexp(pull, same) + _logsumexp(push, different))


def has_positives(labels: TensorLike, remove_diagonal: bool) -> Any:
    """Return which samples have one of their label to compare with."""
    return reduce_any(_pairs(labels, None, remove_diagonal)[0], axis=1)


def _pairs(y_true: TensorLike, ref_labels: Any, remove_diagonal: bool) -> tuple[Any, Any]:
    """Return which pairs have one label, and which have different ones."""
    labels = reshape(cast(y_true, int64), [-1, 1])
    reference_labels = labels if ref_labels is None else reshape(cast(ref_labels, int64), [-1, 1])
    same = labels == reshape(reference_labels, [1, -1])
    different = logical_not(same)
    if remove_diagonal:
        size = shape(same)
        same = logical_and(same, logical_not(eye(size[0], size[1]) != 0))
    return same, different


def _logsumexp(values: Any, counted: Any) -> Any:
    """Return the logarithm of the sum of exponentials of what counts in each row."""
    least = cast(values.dtype.min, values.dtype)
    return reduce_logsumexp(where(counted, values, least), axis=1)
