"""Functions of neural networks in ``keras.ops``: convolutions, losses, encodings."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any

from runtime.composite import ctc
from runtime.keras import losses
from runtime.keras.ops.elementwise import maximum
from runtime.keras.ops.norms import norm
from runtime.keras.ops.promotion import as_float, as_wide_float
from runtime.keras.ops.shapes import expand_dims, rank_of, reshape
from runtime.ops.array.concat_split import concat
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.creation import one_hot as one_hot_op
from runtime.ops.array.creation import zeros_like
from runtime.ops.array.gather_scatter import gather
from runtime.ops.array.shape import sizes_of
from runtime.ops.array.sorting import argsort
from runtime.ops.array.sorting import in_top_k as in_top_k_op
from runtime.ops.array.sorting import top_k as top_k_op
from runtime.ops.array.where import sequence_mask, where
from runtime.ops.docstrings import documented
from runtime.ops.math import reduction
from runtime.ops.math.comparison import not_equal
from runtime.ops.math.elementary import log
from runtime.ops.math.elementwise import square
from runtime.ops.math.logical import logical_and, logical_not
from runtime.ops.math.scans import cumsum
from runtime.ops.nn import convolution_api, normalization, pooling_api
from runtime.ops.nn.activations_losses import l2_normalize
from runtime.types.annexes import explained as _explained

_CHANNELS = "'channels_last' or None"
_PADDING = "'same' or 'valid'"


@documented("Tensor with a new axis of size ``num_classes``", x="ints", num_classes="their number",
            axis="place of the new axis", dtype="dtype; None: float32",
            sparse="only False")  # fmt: skip
def one_hot(
    x: Any, num_classes: int, axis: int = -1, dtype: Any = None, sparse: bool = False
) -> Any:
    """Make vectors with a one at a position, zeros elsewhere."""
    return one_hot_op(cast(x, "int64"), num_classes, axis=axis, dtype=dtype or "float32")


@documented("Tensor of shape [..., num_classes]", inputs="ints", num_classes="their number",
            axis="axis of the ints of one vector", dtype="dtype; None: float32",
            sparse="only False")  # fmt: skip
def multi_hot(
    inputs: Any, num_classes: int, axis: int = -1, dtype: Any = None, sparse: bool = False
) -> Any:
    """Make vectors with ones at several positions, zeros elsewhere."""
    one_hots = one_hot_op(cast(inputs, "int64"), num_classes, dtype=dtype or "float32")
    return reduction.reduce_max(one_hots, axis - 1 if axis < 0 else axis)


@documented("Pair of tensors: mean and variance", x="tensor", axes="the axes",
            keepdims="whether the axes stay, with size 1", synchronized="only False")  # fmt: skip
def moments(
    x: Any, axes: Any, keepdims: bool = False, synchronized: bool = False
) -> tuple[Any, Any]:
    """Compute mean and variance along axes."""
    x = as_float(x)
    mean = reduction.reduce_mean(x, axes, keepdims)
    return mean, reduction.reduce_variance(x, axes, keepdims)


@documented("Tensor of the shape of ``x``", x="tensor", mean="means", variance="variances",
            axis="axis of the features", offset="added at the end; None: nothing",
            scale="factors; None: one", epsilon="added to variances")  # fmt: skip
def batch_normalization(
    x: Any, mean: Any, variance: Any, axis: int, offset: Any = None, scale: Any = None,
    epsilon: float = 1e-3,
) -> Any:  # fmt: skip
    """Give features the mean 0 and the variance 1."""
    x = convert_to_tensor(x)
    sizes = [1] * rank_of(x)
    sizes[axis] = -1
    mean, variance, offset, scale = (
        None if v is None else reshape(v, sizes) for v in (mean, variance, offset, scale)
    )
    return normalization.batch_normalization(x, mean, variance, offset, scale, epsilon)


@documented("Tensor of the shape of ``x``", x="tensor", axis="the axes", order="order of the norm",
            epsilon="least norm")  # fmt: skip
def normalize(x: Any, axis: Any = -1, order: int = 2, epsilon: float | None = None) -> Any:
    """Divide by norms along axes."""
    x, least = as_float(x), 1e-7 if epsilon is None else epsilon
    if order == 2:
        return l2_normalize(x, axis, epsilon=least**2)
    return x / maximum(norm(x, order, axis, keepdims=True), least)


@documented("Pair of tensors: values and positions of dtype int32", x="tensor", k="number",
            sorted="whether in descending order")  # fmt: skip
def top_k(x: Any, k: int, sorted: bool = True) -> Any:
    """Return the greatest elements along the last axis."""
    return top_k_op(convert_to_tensor(x), k, sorted)


def _pooled(kind: str, inputs: Any, size: Any, strides: Any, padding: str) -> Any:
    return pooling_api.pool(
        convert_to_tensor(inputs), _spread(size, inputs), kind, strides=_spread(
            size if strides is None else strides, inputs), padding=padding.upper(),
    )  # fmt: skip


def _spread(value: Any, inputs: Any) -> list[int]:
    """Return a number for each axis of an image."""
    count = rank_of(convert_to_tensor(inputs)) - 2
    return [value] * count if isinstance(value, int) else list(value)


@documented("Tensor", inputs="tensor of shape [batch, ..., channels]", pool_size="size of windows",
            strides="steps; None: ``pool_size``", padding=_PADDING, data_format=_CHANNELS)
def max_pool(
    inputs: Any, pool_size: Any, strides: Any = None, padding: str = "valid",
    data_format: str | None = None,
) -> Any:  # fmt: skip
    """Return the greatest elements of windows."""
    _check_channels(data_format)
    return _pooled("MAX", inputs, pool_size, strides, padding)


@documented("Tensor", inputs="tensor of shape [batch, ..., channels]", pool_size="size of windows",
            strides="steps; None: ``pool_size``", padding=_PADDING, data_format=_CHANNELS)
def average_pool(
    inputs: Any, pool_size: Any, strides: Any = None, padding: str = "valid",
    data_format: str | None = None,
) -> Any:  # fmt: skip
    """Return the means of windows."""
    _check_channels(data_format)
    return _pooled("AVG", inputs, pool_size, strides, padding)


@documented("Tensor", inputs="tensor of shape [batch, ..., channels]",
            kernel="filters of shape [..., channels, new channels]", strides="steps",
            padding=_PADDING, data_format=_CHANNELS, dilation_rate="distances in windows")
def conv(
    inputs: Any, kernel: Any, strides: Any = 1, padding: str = "valid",
    data_format: str | None = None, dilation_rate: Any = 1,
) -> Any:  # fmt: skip
    """Convolve images with filters."""
    _check_channels(data_format)
    return convolution_api.convolution(
        convert_to_tensor(inputs), convert_to_tensor(kernel), strides=_spread(strides, inputs),
        padding=padding.upper(), dilations=_spread(dilation_rate, inputs),
    )  # fmt: skip


def _check_channels(data_format: str | None) -> None:
    if data_format not in (None, "channels_last"):
        raise ValueError(f"data_format must be 'channels_last', got {data_format!r}")


_TARGET = "probabilities or classes that are wanted"
_OUTPUT = "probabilities, or logits if ``from_logits``"
_LOGITS = "whether ``output`` has logits"


@documented("Tensor of the shape of ``target``", target=_TARGET, output=_OUTPUT,
            from_logits=_LOGITS)  # fmt: skip
def binary_crossentropy(target: Any, output: Any, from_logits: bool = False) -> Any:
    """Compute the cross entropy of each element."""
    target, output = expand_dims(cast(target, "float32"), -1), expand_dims(output, -1)
    return losses.binary_crossentropy(target, output, from_logits)


@documented("Tensor without the axis", target=_TARGET, output=_OUTPUT, from_logits=_LOGITS,
            axis="axis of the classes")  # fmt: skip
def categorical_crossentropy(
    target: Any, output: Any, from_logits: bool = False, axis: int = -1
) -> Any:
    """Compute the cross entropy of distributions."""
    return losses.categorical_crossentropy(target, output, from_logits, axis=axis)


@documented("Tensor of the shape of ``target``", target=_TARGET, output=_OUTPUT,
            from_logits=_LOGITS, axis="axis of the classes")  # fmt: skip
def sparse_categorical_crossentropy(
    target: Any, output: Any, from_logits: bool = False, axis: int = -1
) -> Any:
    """Compute the cross entropy of distributions and classes."""
    return losses.sparse_categorical_crossentropy(target, output, from_logits, axis=axis)


@documented("Tensor of shape [batch]", target="ints of shape [batch, labels]",
            output="logits of shape [batch, frames, classes]",
            target_length="how many labels count", output_length="how many frames count",
            mask_index="class of the blank")  # fmt: skip
def ctc_loss(
    target: Any, output: Any, target_length: Any, output_length: Any, mask_index: int = 0
) -> Any:
    """Compute the losses of connectionist temporal classification."""
    return ctc.ctc_loss(
        cast(target, "int32"), as_wide_float(output), target_length, output_length,
        logits_time_major=False, blank_index=mask_index,
    )  # fmt: skip


@documented("Pair of tensors: classes of shape [1, batch, frames] with -1 at the end, and minus the"
            " sums of the greatest logits, of shape [batch, 1]",
            "InvalidArgumentError: a length is not from 0 to the number of frames. ValueError: the"
            " strategy is another one, or there is no such blank",
            inputs="logits of shape [batch, frames, classes]",
            sequence_lengths="how many frames count", strategy="only 'greedy'",
            beam_width="without effect", top_paths="without effect",
            merge_repeated="whether equal classes of neighbouring frames are one",
            mask_index="class of the blank; None: the last one")  # fmt: skip
def ctc_decode(
    inputs: Any, sequence_lengths: Any, strategy: str = "greedy", beam_width: int = 100,
    top_paths: int = 1, merge_repeated: bool = True, mask_index: int | None = 0,
) -> tuple[Any, Any]:  # fmt: skip
    """Return the most probable class of each frame without blanks."""
    if strategy != "greedy":
        raise ValueError(f"strategy must be 'greedy', got {strategy!r}")
    logits, lengths = as_wide_float(inputs), cast(sequence_lengths, "int32")
    _, frames, count = sizes_of(logits)
    blank = -1 if mask_index is None else mask_index
    if isinstance(count, int) and not -count <= blank < count:
        raise ValueError(f"mask_index must be one of {count} classes, got {mask_index}")
    classes = reduction.argmax(logits, -1, "int32")
    counted = sequence_mask(lengths, frames)
    is_kept = logical_and(counted, not_equal(classes, blank if blank >= 0 else blank + count))
    if merge_repeated:
        before = concat([zeros_like(classes[:, :1]) - 1, classes[:, :-1]], 1)
        is_kept = logical_and(is_kept, not_equal(classes, before))
    order = argsort(cast(logical_not(is_kept), "int32"), stable=True)
    decoded = gather(where(is_kept, classes, -1), order, batch_dims=1)
    greatest = reduction.reduce_max(logits, -1)
    sums = concat([zeros_like(greatest[:, :1]), cumsum(greatest, 1)], 1)
    return decoded[None], -gather(sums, lengths[:, None], batch_dims=1)


_IMAGES = "tensor of shape [batch, ..., channels], of one or two axes of places"


def _as_images(x: Any) -> Any:
    """Return signals as images of one row; ValueError for what is neither."""
    x = convert_to_tensor(x)
    if rank_of(x) not in (3, 4):
        raise ValueError(f"inputs must have 3 or 4 axes, got the shape {x.shape}")
    return expand_dims(x, 1) if rank_of(x) == 3 else x


@documented("Tensor", "ValueError: the inputs have other axes", inputs=_IMAGES,
            kernel="filters of shape [..., channels, multiplier]", strides="steps",
            padding=_PADDING, data_format=_CHANNELS, dilation_rate="distances in windows")
def depthwise_conv(
    inputs: Any, kernel: Any, strides: Any = 1, padding: str = "valid",
    data_format: str | None = None, dilation_rate: Any = 1,
) -> Any:  # fmt: skip
    """Convolve each channel with filters of its own."""
    _check_channels(data_format)
    images, kernel = _as_images(inputs), convert_to_tensor(kernel)
    is_signal = rank_of(kernel) == 3
    steps, distances = _spread(strides, inputs), _spread(dilation_rate, inputs)
    if is_signal:
        kernel, steps, distances = expand_dims(kernel, 0), steps * 2, [1, *distances]
    y = convolution_api.depthwise_conv2d(
        images, kernel, [1, *steps, 1], padding.upper(), dilations=distances
    )
    return y[:, 0] if is_signal else y


@documented("Tensor", "ValueError: the inputs have other axes", inputs=_IMAGES,
            depthwise_kernel="filters of shape [..., channels, multiplier]",
            pointwise_kernel="of shape [..., channels * multiplier, new channels]",
            strides="steps", padding=_PADDING, data_format=_CHANNELS,
            dilation_rate="distances in windows")  # fmt: skip
def separable_conv(
    inputs: Any, depthwise_kernel: Any, pointwise_kernel: Any, strides: Any = 1,
    padding: str = "valid", data_format: str | None = None, dilation_rate: Any = 1,
) -> Any:  # fmt: skip
    """Convolve each channel, then mix the channels of each place."""
    y = depthwise_conv(inputs, depthwise_kernel, strides, padding, data_format, dilation_rate)
    return conv(y, pointwise_kernel)


@documented("Tensor of dtype bool in the shape of ``targets``", targets="classes: ints",
            predictions="tensor of shape [batch, classes]", k="how many are looked at")  # fmt: skip
def in_top_k(targets: Any, predictions: Any, k: int) -> Any:
    """Return whether classes are among the most probable ones."""
    return in_top_k_op(cast(convert_to_tensor(targets), "int32"), as_float(predictions), k)


@documented("Scalar", "ValueError: the shapes differ", x1="tensor", x2="tensor",
            max_val="greatest value that elements may have")  # fmt: skip
def psnr(x1: Any, x2: Any, max_val: float) -> Any:
    """Compute the ratio of the greatest signal to the noise, in decibels."""
    first, second = as_float(x1), as_float(x2)
    if first.shape != second.shape:
        raise ValueError(f"Input shapes {first.shape} and {second.shape} must match for PSNR")
    error = reduction.reduce_mean(square(first - second))
    return (log(cast(max_val, error.dtype)) * 20.0 - log(error) * 10.0) / math.log(10.0)


if not _TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)
