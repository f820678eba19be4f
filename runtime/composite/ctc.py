"""Losses of sequences without an alignment: connectionist temporal classification."""

from __future__ import annotations

from typing import Any

from runtime.control_flow.scan import foldl
from runtime.ops.array.concat_split import concat, stack
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.creation import fill, zeros_like
from runtime.ops.array.creation import range as range_op
from runtime.ops.array.gather_scatter import gather
from runtime.ops.array.shape import expand_dims, of_rank, reshape, sizes_of, transpose
from runtime.ops.array.where import sequence_mask, where
from runtime.ops.math.comparison import equal, less, not_equal
from runtime.ops.math.reduction import reduce_logsumexp
from runtime.ops.nn.activations_losses import log_softmax
from runtime.ops.rules.static_arguments import static_int
from runtime.types.aliases import TensorLike
from runtime.types.dtypes import int64

__all__ = ["ctc_loss"]

NEVER = -1e30
"""The logarithm of the probability of what cannot be; finite, so that differences of two are."""
UNFINISHED = -706.8936
"""TensorFlow's logarithm of the probability of an end before the last label."""


def ctc_loss(labels: TensorLike, logits: TensorLike, label_length: TensorLike,
             logit_length: TensorLike, logits_time_major: bool = True, unique: Any = None,
             blank_index: int | None = None, name: str | None = None) -> Any:  # fmt: skip
    """Compute losses of connectionist temporal classification.

    The probability of labels is the sum of those of all sequences of classes, one for each frame,
    that become the labels where repeated classes are merged, then blanks dropped.  Graves et al.:
    Connectionist Temporal Classification (2006).

    Args:
        labels: integer tensor of shape ``[batch, labels]``.
        logits: floating tensor of shape ``[frames, batch, classes]``.
        label_length: how many labels of each row count.
        logit_length: how many frames of each sequence count.
        logits_time_major: whether frames come before the batch, else after it.
        unique: without effect.
        blank_index: class of the blank, 0 by default; negative numbers count from the end.
    Returns:
        Tensor of shape ``[batch]``: minus the logarithms of the probabilities.  Where there are too
        few frames for the labels it is about 707, as in TensorFlow.
    Raises:
        InvalidArgumentError: a label that counts is not a class (also an IndexError).
        TypeError: the dtype of labels is not an integer one, or that of logits not a floating one.
        ValueError: there is no such blank, or logits are not of rank 3, or labels not of rank 2.
    """
    scores = _of_rank(convert_to_tensor(logits), 3, "logits")
    classes = _of_rank(convert_to_tensor(labels), 2, "labels")
    if not classes.dtype.is_integer or not scores.dtype.is_floating:
        raise TypeError(
            "ctc_loss: labels must be of an integer dtype and logits of a floating one, got "
            f"{classes.dtype.name} and {scores.dtype.name}"
        )
    dtype = scores.dtype
    if dtype.size < 4:
        scores = cast(scores, "float32")
    if logits_time_major:
        scores = transpose(scores, [1, 0, 2])
    scores, classes = _blank_first(scores, cast(classes, int64), blank_index or 0)
    lengths, frames = (cast(length, int64) for length in (label_length, logit_length))
    classes = where(sequence_mask(lengths, sizes_of(classes)[1]), classes, zeros_like(classes))
    emitted = _emitted(log_softmax(scores), classes)
    counted = sequence_mask(frames, sizes_of(scores)[1])
    reached = _reached(emitted, counted, _skips(classes, scores.dtype))
    states = range_op(sizes_of(reached)[1], dtype=int64)
    # the last label and the blank after it; without labels the start and the blank after it
    ends = where(equal(states // 2, expand_dims(lengths, 1)), 0.0, UNFINISHED)
    return cast(-reduce_logsumexp(reached + cast(ends, scores.dtype), 1), dtype, name=name)


def _of_rank(x: Any, rank: int, role: str) -> Any:
    if x.shape.rank not in (None, rank):
        raise ValueError(f"ctc_loss: {role} must have rank {rank}, got the shape {x.shape}")
    return of_rank(x, rank)


def _blank_first(scores: Any, classes: Any, blank: int) -> tuple[Any, Any]:
    """Make the blank class 0."""
    place, count = static_int(blank, "blank_index"), scores.shape[2]
    if place and count is None:
        raise ValueError("ctc_loss: another blank_index than 0 needs a known number of classes")
    if place and not -count <= place < count:
        raise ValueError(f"ctc_loss: blank_index must be one of {count} classes, got {blank}")
    place = place % count if place else 0
    if not place:
        return scores, classes
    columns = [scores[:, :, place : place + 1], scores[:, :, :place], scores[:, :, place + 1 :]]
    return concat(columns, 2), where(less(classes, place), classes + 1, classes)


def _emitted(log_probabilities: Any, classes: Any) -> Any:
    """The logarithms of the probabilities of frames in states: ``[batch, frames, states]``.

    The states are the start, in which no frame is, a blank, then a label and a blank in turn.
    """
    batch, frames, _ = sizes_of(log_probabilities)
    labels = gather(log_probabilities, classes, axis=2, batch_dims=1)
    blank = log_probabilities[:, :, :1]
    pairs = stack([labels, blank + zeros_like(labels)], 3)
    pairs = reshape(pairs, [batch, frames, 2 * sizes_of(classes)[1]])
    return concat([zeros_like(blank) + NEVER, blank, pairs], 2)


def _skips(classes: Any, dtype: Any) -> Any:
    """What is added for a step over a state: it leads to a label after another one only."""
    batch, count = sizes_of(classes)
    before = concat([classes[:, :1] - 1, classes[:, :-1]], 1)
    over = cast(where(not_equal(classes, before), 0.0, NEVER), dtype)
    pairs = reshape(stack([over, zeros_like(over) + NEVER], 2), [batch, 2 * count])
    return concat([cast(fill([batch, 2], NEVER), dtype), pairs], 1)


def _reached(emitted: Any, counted: Any, skips: Any) -> Any:
    """The logarithms of the probabilities to be in a state after the frames that count."""

    def step(before: Any, frame: Any) -> Any:
        now, counts = frame
        never = zeros_like(before[:, :2]) + NEVER
        once = concat([never[:, :1], before[:, :-1]], 1)
        twice = concat([never, before[:, :-2]], 1) + skips
        after = reduce_logsumexp(stack([before, once, twice]), 0) + now
        return where(expand_dims(counts, 1), after, before)

    start = concat([zeros_like(skips[:, :1]), zeros_like(skips[:, 1:]) + NEVER], 1)
    return foldl(step, (transpose(emitted, [1, 0, 2]), transpose(counted)), start)
