"""Functions of neural networks composed of ops: normalisation, moments, losses."""

from __future__ import annotations

import functools
import operator
from typing import Any

import numpy as np

from runtime.ops import dispatch
from runtime.ops.array.concat_split import concat, pad
from runtime.ops.array.constants import cast
from runtime.ops.array.gather_scatter import gather
from runtime.ops.array.shape import known_rank, of_rank, reshape, sizes_of, transpose
from runtime.ops.array.where import where
from runtime.ops.math import elementwise, reduction
from runtime.ops.math.clipping import clip_by_norm
from runtime.ops.math.elementary import exp, log, log1p
from runtime.ops.nn.activations_losses import relu
from runtime.ops.rules.inference import normal_axis
from runtime.ops.rules.static_arguments import static_axis, static_int, static_ints
from runtime.types.aliases import AxisLike, TensorLike
from runtime.types.value import Value

__all__ = [
    "batch_norm_with_global_normalization", "batch_normalization", "batch_to_space",
    "compute_average_loss", "crelu", "depth_to_space", "embedding_lookup", "log_poisson_loss",
    "normalize_moments", "scale_regularization_loss", "space_to_batch", "space_to_depth",
    "sufficient_statistics", "weighted_cross_entropy_with_logits", "weighted_moments",
]  # fmt: skip


def batch_normalization(x: TensorLike, mean: TensorLike, variance: TensorLike, offset: TensorLike,
                        scale: TensorLike, variance_epsilon: float,
                        name: str | None = None) -> Any:  # fmt: skip
    """Normalise a batch: ``(x - mean) / sqrt(variance + variance_epsilon) * scale + offset``.

    Ioffe and Szegedy: Batch Normalization (2015).

    Args:
        x: tensor of a floating dtype.
        mean: tensor of that dtype that broadcasts, as the next three.
        variance: variance of ``x``.
        offset: what is added, or None.
        scale: what it is multiplied by, or None.
        variance_epsilon: Python number that keeps the divisor from 0.
    Returns:
        Tensor of the broadcast shape and of the dtype of ``x``.
    Raises:
        InvalidArgumentError: the dtypes differ (also a TypeError), or the shapes do not broadcast
            (also a ValueError).
    """
    factor = elementwise.rsqrt(dispatch.convert(variance) + variance_epsilon)
    factor = factor if scale is None else factor * scale
    shift = -(mean * factor) if offset is None else offset - mean * factor
    return elementwise.add(dispatch.convert(x) * factor, shift, name=name)


def batch_norm_with_global_normalization(input: TensorLike, mean: TensorLike, variance: TensorLike,
                                         beta: TensorLike, gamma: TensorLike,
                                         variance_epsilon: float, scale_after_normalization: bool,
                                         name: str | None = None) -> Any:  # fmt: skip
    """Normalise a batch as ``batch_normalization`` does, with TensorFlow 1's arguments.

    Args:
        input: tensor of a floating dtype.
        mean: tensor of that dtype that broadcasts, as the next three.
        variance: variance of ``input``.
        beta: offset.
        gamma: scale.
        variance_epsilon: Python number that keeps the divisor from 0.
        scale_after_normalization: whether ``gamma`` is used.
    Returns:
        Tensor of the broadcast shape and of the dtype of ``input``.
    Raises:
        InvalidArgumentError: the dtypes differ (also a TypeError), or the shapes do not broadcast
            (also a ValueError).
    """
    scale = gamma if scale_after_normalization else None
    return batch_normalization(input, mean, variance, beta, scale, variance_epsilon, name)


def crelu(features: TensorLike, axis: int = -1, name: str | None = None) -> Any:
    """Concatenate ``relu(features)`` and ``relu(-features)``.

    Shang, Sohn, Almeida, Lee: Understanding and Improving Convolutional Neural Networks via
    Concatenated Rectified Linear Units (2016).

    Args:
        features: tensor of an integer or floating dtype.
        axis: axis along which to concatenate.
    Returns:
        Tensor of the dtype of ``features``, twice as large along the axis.
    Raises:
        InvalidArgumentError: the axis is out of range (also a ValueError), or the dtype is another
            one (also a TypeError).
    """
    x = dispatch.convert(features)
    return relu(concat([x, -x], axis), name=name)


def embedding_lookup(params: TensorLike, ids: TensorLike, max_norm: float | None = None,
                     name: str | None = None) -> Any:  # fmt: skip
    """Look up the rows of an embedding matrix.

    Args:
        params: tensor of any dtype, or a list of tensors that are concatenated.
        ids: tensor of an integer dtype.
        max_norm: greatest Euclidean norm of a row, to which it is scaled down; None for any.
    Returns:
        Tensor of shape ``ids.shape + params.shape[1:]`` and of the dtype of ``params``.
    Raises:
        InvalidArgumentError: an id is out of bounds (also an IndexError).
    """
    if isinstance(params, list | tuple):
        params = concat(params, 0) if len(params) > 1 else params[0]
    embeddings = gather(params, ids, name=name)
    if max_norm is None:
        return embeddings
    axes = list(
        range(known_rank(ids, "embedding_lookup"), known_rank(embeddings, "embedding_lookup"))
    )
    return clip_by_norm(embeddings, max_norm, axes=axes, name=name)


def weighted_cross_entropy_with_logits(
    labels: TensorLike, logits: TensorLike, pos_weight: TensorLike, name: str | None = None
) -> Any:
    """Compute the cross entropy of independent binary labels, positive ones weighted.

    Args:
        labels: tensor of a floating dtype, probabilities from 0 to 1.
        logits: tensor of the shape and dtype of ``labels``.
        pos_weight: weight of positive labels.
    Returns:
        Tensor of the shape and dtype of ``logits``.
    Raises:
        ValueError: the shapes differ.
        InvalidArgumentError: the dtypes differ (also a TypeError).
    """
    z, x = dispatch.convert(labels), dispatch.convert(logits)
    if not z.shape.is_compatible_with(x.shape):
        raise ValueError(
            f"`logits` and `labels` must have the same shape ({x.shape} vs {z.shape})."
        )
    weight = 1 + (pos_weight - 1) * z
    tail = log1p(exp(-elementwise.abs(x))) + relu(-x)
    return elementwise.add((1 - z) * x, weight * tail, name=name)


def log_poisson_loss(targets: TensorLike, log_input: TensorLike, compute_full_loss: bool = False,
                     name: str | None = None) -> Any:  # fmt: skip
    """Compute the Poisson loss ``exp(log_input) - log_input * targets``, element-wise.

    Args:
        targets: tensor of a floating dtype.
        log_input: tensor of the shape and dtype of ``targets``.
        compute_full_loss: whether to add Stirling's approximation of ``log(targets!)`` where it is
            above 1.
    Returns:
        Tensor of the shape and dtype of ``targets``.
    Raises:
        ValueError: the shapes differ.
        InvalidArgumentError: the dtypes differ (also a TypeError).
    """
    z, c = dispatch.convert(targets), dispatch.convert(log_input)
    if not z.shape.is_compatible_with(c.shape):
        raise ValueError(
            f"`log_input` and `targets` must have the same shape ({c.shape} vs {z.shape})."
        )
    loss = elementwise.subtract(exp(c), c * z, name=name)
    if not compute_full_loss:
        return loss
    stirling = z * log(z) - z + 0.5 * log(z * (2 * float(np.pi)))
    return loss + where((z >= 0) & (z <= 1), z - z, stirling)


def sufficient_statistics(x: TensorLike, axes: AxisLike, shift: TensorLike | None = None,
                          keepdims: bool = False,
                          name: str | None = None) -> tuple[Any, Any, Any, Any]:  # fmt: skip
    """Compute the sums from which a mean and a variance follow.

    Args:
        x: tensor of a floating dtype, of known rank.
        axes: list of axes.
        shift: tensor that is subtracted first, or None.
        keepdims: whether to keep the axes with size 1.
    Returns:
        (count, sum, sum of squares, shift): the number of elements and tensors of the dtype of
        ``x``.
    Raises:
        ValueError: the rank is not known, or an axis is out of range.
    """
    x = dispatch.convert(x)
    over = static_ints(axes, "axes")
    rank, sizes = known_rank(x, "sufficient_statistics"), sizes_of(x)
    moved = x if shift is None else x - shift
    reduced = [sizes[normal_axis(a, rank)] for a in over]
    count = cast(functools.reduce(operator.mul, reduced, 1), x.dtype)
    total = reduction.reduce_sum(moved, over, keepdims)
    squares = reduction.reduce_sum(elementwise.square(moved), over, keepdims)
    return count, total, squares, shift


def normalize_moments(counts: TensorLike, mean_ss: TensorLike, variance_ss: TensorLike,
                      shift: TensorLike, name: str | None = None) -> tuple[Any, Any]:  # fmt: skip
    """Compute the mean and the variance of sufficient statistics.

    Args:
        counts: number of elements.
        mean_ss: their sum.
        variance_ss: the sum of their squares.
        shift: what was subtracted from them, or None.
    Returns:
        (mean, variance): tensors of the dtype of the sums.
    Raises:
        InvalidArgumentError: the dtypes differ (also a TypeError).
    """
    share = elementwise.reciprocal(counts)
    moved = dispatch.convert(mean_ss) * share
    mean = moved if shift is None else moved + shift
    return mean, elementwise.subtract(variance_ss * share, elementwise.square(moved), name=name)


def weighted_moments(x: TensorLike, axes: AxisLike, frequency_weights: TensorLike,
                     keepdims: bool = False,
                     name: str | None = None) -> tuple[Any, Any]:  # fmt: skip
    """Compute the weighted mean and variance along axes.

    Args:
        x: tensor of a floating dtype.
        axes: axis or axes.
        frequency_weights: tensor of weights that broadcasts, cast to the dtype of ``x``.
        keepdims: whether to keep the axes with size 1.
    Returns:
        (mean, variance): tensors of the dtype of ``x``, without the axes.
    Raises:
        InvalidArgumentError: the dtype is another one (also a TypeError), or an axis is out of
            range (also a ValueError).
    """
    x = dispatch.convert(x)
    over = static_axis(axes, "axes")
    weights = cast(frequency_weights, x.dtype)
    total = reduction.reduce_sum(weights + x * 0, over, keepdims=True)
    mean = reduction.reduce_sum(weights * x, over, keepdims=True) / total
    spread = weights * elementwise.squared_difference(x, mean)
    variance = reduction.reduce_sum(spread, over, keepdims=True) / total
    if keepdims:
        return mean, variance
    return reduction.reduce_sum(mean, over), reduction.reduce_sum(variance, over, name=name)


def compute_average_loss(per_example_loss: TensorLike, sample_weight: TensorLike | None = None,
                         global_batch_size: Any = None) -> Any:  # fmt: skip
    """Compute the sum of the losses over the number of examples.

    Args:
        per_example_loss: tensor of a floating dtype; the first axis is the batch.
        sample_weight: weights that broadcast, or None.
        global_batch_size: number of examples; by default the size of the first axis.
    Returns:
        Scalar of the dtype of the losses; of integers float64.
    Raises:
        ValueError: ``per_example_loss`` is a scalar and ``global_batch_size`` is None.
    """
    losses = dispatch.convert(per_example_loss)
    if global_batch_size is None:
        losses = of_rank(losses, 1)
        if not len(losses.shape):
            raise ValueError("compute_average_loss: a scalar has no batch; give global_batch_size=")
        global_batch_size = sizes_of(losses)[0]
    losses = losses if sample_weight is None else losses * sample_weight
    return reduction.reduce_sum(losses) / cast(global_batch_size, losses.dtype)


def scale_regularization_loss(regularization_loss: Any) -> Any:
    """Compute the sum of a regularisation loss; there is one replica.

    Args:
        regularization_loss: tensor of a numeric dtype.
    Returns:
        Scalar of the same dtype.
    Raises:
        InvalidArgumentError: the dtype is another one (also a TypeError).
    """
    return reduction.reduce_sum(regularization_loss)


def _blocks(x: Any, caller: str) -> list[Any]:
    if known_rank(x, caller) != 4:
        raise ValueError(f"{caller} takes tensors of rank 4, got shape {x.shape}")
    return sizes_of(x)


def _divides(block: int, size: Any) -> bool:
    """Whether ``block`` divides a size, or may: one that is not known yet is checked later."""
    return isinstance(size, Value) or not size % block


def space_to_depth(input: TensorLike, block_size: int, data_format: str = "NHWC",
                   name: str | None = None) -> Any:  # fmt: skip
    """Move blocks of pixels into the channels.

    Args:
        input: tensor of any dtype, of shape (batch, height, width, channels).
        block_size: height and width of the blocks, 2 or more.
        data_format: 'NHWC', or 'NCHW' for channels as the second axis.
    Returns:
        Tensor of shape (batch, height / size, width / size, channels * size * size).
    Raises:
        ValueError: the rank is not 4, or ``block_size`` is less than 2 or does not divide height
            and width.
    """
    x, size = of_rank(input, 4), static_int(block_size, "block_size")
    if data_format == "NCHW":
        turned = space_to_depth(transpose(x, [0, 2, 3, 1]), size)
        return transpose(turned, [0, 3, 1, 2])
    n, h, w, c = _blocks(x, "space_to_depth")
    if size < 2 or not (_divides(size, h) and _divides(size, w)):
        raise ValueError(f"space_to_depth: block_size {size} must divide {h} and {w}")
    x = reshape(x, [n, h // size, size, w // size, size, c])
    x = transpose(x, [0, 1, 3, 2, 4, 5])
    return reshape(x, [n, h // size, w // size, size * size * c], name=name)


def depth_to_space(input: TensorLike, block_size: int, data_format: str = "NHWC",
                   name: str | None = None) -> Any:  # fmt: skip
    """Move channels into blocks of pixels: the reverse of ``space_to_depth``.

    Args:
        input: tensor of any dtype, of shape (batch, height, width, channels).
        block_size: height and width of the blocks, 2 or more.
        data_format: 'NHWC', or 'NCHW' for channels as the second axis.
    Returns:
        Tensor of shape (batch, height * size, width * size, channels / (size * size)).
    Raises:
        ValueError: the rank is not 4, or the square of ``block_size`` does not divide the channels.
    """
    x, size = of_rank(input, 4), static_int(block_size, "block_size")
    if data_format == "NCHW":
        turned = depth_to_space(transpose(x, [0, 2, 3, 1]), size)
        return transpose(turned, [0, 3, 1, 2])
    n, h, w, c = _blocks(x, "depth_to_space")
    if size < 2 or not _divides(size * size, c):
        raise ValueError(f"depth_to_space: {size} * {size} must divide the {c} channels")
    x = reshape(x, [n, h, w, size, size, c // (size * size)])
    x = transpose(x, [0, 1, 3, 2, 4, 5])
    return reshape(x, [n, h * size, w * size, c // (size * size)], name=name)


def space_to_batch(
    input: TensorLike, block_shape: TensorLike, paddings: TensorLike, name: str | None = None
) -> Any:
    """Move blocks of the axes after the batch into the batch, after padding with zeros.

    Args:
        input: tensor of any dtype; the first axis is the batch.
        block_shape: sizes of the blocks along the axes after the batch.
        paddings: integers of shape (axes, 2): zeros before and after each of these axes.
    Returns:
        Tensor of the dtype of ``input``; its batch is larger by the product of ``block_shape``.
    Raises:
        ValueError: ``block_shape`` does not divide the padded sizes.
    """
    x, block = of_rank(input, 4), static_ints(block_shape, "block_shape")
    count = len(block)
    edges = [list(static_ints(p, "paddings")) for p in np.asarray(paddings).reshape(count, 2)]
    rank = known_rank(x, "space_to_batch")
    x = pad(x, [[0, 0], *edges, *[[0, 0]] * (rank - count - 1)])
    sizes = sizes_of(x)
    if not all(_divides(b, n) for n, b in zip(sizes[1:], block)):
        raise ValueError(f"space_to_batch: {list(block)} must divide {sizes[1 : count + 1]}")
    block_sizes = [n for size, b in zip(sizes[1:], block) for n in (size // b, b)]
    x = reshape(x, [sizes[0], *block_sizes, *sizes[count + 1 :]])
    order = [*range(2, 2 * count + 1, 2), 0, *range(1, 2 * count, 2)]
    x = transpose(x, [*order, *range(2 * count + 1, rank + count)])
    batch = sizes[0] * int(np.prod(block))
    inner = [n // b for n, b in zip(sizes[1:], block)]
    return reshape(x, [batch, *inner, *sizes[count + 1 :]], name=name)


space_to_batch_nd = space_to_batch


def batch_to_space(
    input: TensorLike, block_shape: TensorLike, crops: TensorLike, name: str | None = None
) -> Any:
    """Move parts of the batch into blocks of the axes after it: the reverse of ``space_to_batch``.

    Args:
        input: tensor of any dtype; the first axis is the batch.
        block_shape: sizes of the blocks along the axes after the batch.
        crops: integers of shape (axes, 2): how much to remove before and after each of these axes.
    Returns:
        Tensor of the dtype of ``input``; its batch is smaller by the product of ``block_shape``.
    Raises:
        ValueError: the product of ``block_shape`` does not divide the batch.
    """
    x, block = of_rank(input, 4), static_ints(block_shape, "block_shape")
    count = len(np.asarray(crops))
    block = block * count if len(block) == 1 else block
    rank = known_rank(x, "batch_to_space")
    sizes = sizes_of(x)
    block_count = int(np.prod(block))
    if not _divides(block_count, sizes[0]):
        raise ValueError(f"batch_to_space: the batch of {sizes[0]} is no multiple of {block_count}")
    x = reshape(x, [*block, sizes[0] // block_count, *sizes[1:]])
    pairs = [axis for i in range(count) for axis in (count + 1 + i, i)]
    x = transpose(x, [count, *pairs, *range(2 * count + 1, rank + count)])
    grown = [n * b for n, b in zip(sizes[1:], block)]
    x = reshape(x, [sizes[0] // block_count, *grown, *sizes[count + 1 :]], name=name)
    edges = [static_ints(c, "crops") for c in np.asarray(crops).reshape(count, 2)]
    key = [slice(lo, n - hi) for (lo, hi), n in zip(edges, grown)]
    return x[(slice(None), *key)]
