"""Pooling with TensorFlow's names and arguments: ranks, layouts and paddings by name.

It applies the op definitions of convolution.py, which know one layout, channels last.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph.named_tuples import NamedTuple
from runtime.ops import dispatch
from runtime.ops.array.constants import cast
from runtime.ops.array.shape import known_rank, of_rank, sizes_of
from runtime.ops.nn import convolution as ops
from runtime.ops.nn import convolution_backprop as adjoints
from runtime.ops.nn.convolution_api import (
    channels_first,
    channels_from_last,
    channels_to_last,
    checked_padding,
    one_an_axis,
)
from runtime.ops.op import OpDef
from runtime.ops.rules.static_arguments import static_ints
from runtime.types.aliases import DTypeLike, TensorLike
from runtime.types.dtypes import int64

__all__ = [
    "avg_pool", "avg_pool1d", "avg_pool2d", "avg_pool3d", "max_pool", "max_pool1d", "max_pool2d",
    "max_pool3d", "max_pool_with_argmax", "pool",
]  # fmt: skip


def _pooled(op: OpDef, x: Any, window: Any, strides: Any, padding: Any, data_format: str | None,
            dilations: Any, count: int, name: str | None) -> Any:  # fmt: skip
    first = channels_first(data_format, count)
    sizes = one_an_axis(window, count, first, "ksize")
    attrs = {
        "window": sizes,
        "strides": one_an_axis(sizes if strides is None else strides, count, first, "strides"),
        "dilations": one_an_axis(dilations, count, first, "dilations"),
        "padding": checked_padding(padding, count, first),
    }
    y = op(channels_to_last(x, first, count), name=None if first else name, **attrs)
    return channels_from_last(y, first, count, name)


def _any_rank(op: OpDef, input: Any, ksize: Any, strides: Any, padding: Any, data_format: Any,
              name: Any) -> Any:  # fmt: skip
    x = dispatch.convert(input)
    count = known_rank(x, op.name) - 2
    if not 1 <= count <= 3:
        raise ValueError(f"{op.name} takes inputs of rank 3, 4 or 5, got shape {x.shape}")
    return _pooled(op, x, ksize, strides, padding, data_format, None, count, name)


def max_pool(input: TensorLike, ksize: Any, strides: Any, padding: Any,
             data_format: str | None = None, name: str | None = None) -> Any:  # fmt: skip
    """Compute the maximum of each window over one to three axes.

    Args:
        input: tensor of shape (batch, sizes ..., channels), of rank 3, 4 or 5, and of an integer or
            floating dtype.
        ksize: size of the windows, 1 number or one for each axis.
        strides: distance of the windows, 1 number or one for each axis.
        padding: 'SAME', 'VALID', or pairs of numbers for each axis.
        data_format: channels last, the default, or second: 'NHWC' or 'NCHW' for two axes.
    Returns:
        Tensor of the rank and dtype of ``input``; its sizes follow as in ``conv2d``.
    Raises:
        ValueError: an argument or the rank does not fit (rank: also an InvalidArgumentError).
        InvalidArgumentError: the dtype is another one (also a TypeError).
    """
    return _any_rank(ops.max_pool, input, ksize, strides, padding, data_format, name)


def avg_pool(input: TensorLike, ksize: Any, strides: Any, padding: Any,
             data_format: str | None = None, name: str | None = None) -> Any:  # fmt: skip
    """Compute the mean of each window over one to three axes; padding does not count.

    Args:
        input: tensor of shape (batch, sizes ..., channels), of rank 3, 4 or 5, and of a floating
            dtype.
        ksize: size of the windows, 1 number or one for each axis.
        strides: distance of the windows, 1 number or one for each axis.
        padding: 'SAME', 'VALID', or pairs of numbers for each axis.
        data_format: channels last, the default, or second: 'NHWC' or 'NCHW' for two axes.
    Returns:
        Tensor of the rank and dtype of ``input``; its sizes follow as in ``conv2d``.
    Raises:
        ValueError: an argument or the rank does not fit (rank: also an InvalidArgumentError).
        InvalidArgumentError: the dtype is another one (also a TypeError).
    """
    return _any_rank(ops.avg_pool, input, ksize, strides, padding, data_format, name)


def max_pool1d(input: TensorLike, ksize: Any, strides: Any, padding: Any, data_format: str = "NWC",
               name: str | None = None) -> Any:  # fmt: skip
    """Compute the maximum of each window over one axis.

    Args:
        input: tensor of shape (batch, width, channels), and of an integer or floating dtype.
        ksize: size of the windows, 1 number, or 3.
        strides: distance of the windows, 1 number, or 3.
        padding: 'SAME', 'VALID', or pairs of numbers for each axis.
        data_format: 'NWC' or 'NCW'.
    Returns:
        Tensor of the rank and dtype of ``input``; its sizes follow as in ``conv2d``.
    Raises:
        ValueError: an argument or the rank does not fit (rank: also an InvalidArgumentError).
        InvalidArgumentError: the dtype is another one (also a TypeError).
    """
    return _pooled(ops.max_pool, input, ksize, strides, padding, data_format, None, 1, name)


def max_pool2d(input: TensorLike, ksize: Any, strides: Any, padding: Any, data_format: str = "NHWC",
               name: str | None = None) -> Any:  # fmt: skip
    """Compute the maximum of each window over two axes.

    Args:
        input: tensor of shape (batch, height, width, channels), and of an integer or floating
            dtype.
        ksize: size of the windows, 1 number, 2 or 4.
        strides: distance of the windows, 1 number, 2 or 4.
        padding: 'SAME', 'VALID', or pairs of numbers for each axis.
        data_format: 'NHWC' or 'NCHW'.
    Returns:
        Tensor of the rank and dtype of ``input``; its sizes follow as in ``conv2d``.
    Raises:
        ValueError: an argument or the rank does not fit (rank: also an InvalidArgumentError).
        InvalidArgumentError: the dtype is another one (also a TypeError).
    """
    return _pooled(ops.max_pool, input, ksize, strides, padding, data_format, None, 2, name)


def max_pool3d(input: TensorLike, ksize: Any, strides: Any, padding: Any,
               data_format: str = "NDHWC", name: str | None = None) -> Any:  # fmt: skip
    """Compute the maximum of each window over three axes.

    Args:
        input: tensor of shape (batch, depth, height, width, channels), and of an integer or
            floating dtype.
        ksize: size of the windows, 1 number, 3 or 5.
        strides: distance of the windows, 1 number, 3 or 5.
        padding: 'SAME', 'VALID', or pairs of numbers for each axis.
        data_format: 'NDHWC' or 'NCDHW'.
    Returns:
        Tensor of the rank and dtype of ``input``; its sizes follow as in ``conv2d``.
    Raises:
        ValueError: an argument or the rank does not fit (rank: also an InvalidArgumentError).
        InvalidArgumentError: the dtype is another one (also a TypeError).
    """
    return _pooled(ops.max_pool, input, ksize, strides, padding, data_format, None, 3, name)


def avg_pool1d(input: TensorLike, ksize: Any, strides: Any, padding: Any, data_format: str = "NWC",
               name: str | None = None) -> Any:  # fmt: skip
    """Compute the mean of each window over one axis; padding does not count.

    Args:
        input: tensor of shape (batch, width, channels), and of a floating dtype.
        ksize: size of the windows, 1 number, or 3.
        strides: distance of the windows, 1 number, or 3.
        padding: 'SAME', 'VALID', or pairs of numbers for each axis.
        data_format: 'NWC' or 'NCW'.
    Returns:
        Tensor of the rank and dtype of ``input``; its sizes follow as in ``conv2d``.
    Raises:
        ValueError: an argument or the rank does not fit (rank: also an InvalidArgumentError).
        InvalidArgumentError: the dtype is another one (also a TypeError).
    """
    return _pooled(ops.avg_pool, input, ksize, strides, padding, data_format, None, 1, name)


def avg_pool2d(input: TensorLike, ksize: Any, strides: Any, padding: Any, data_format: str = "NHWC",
               name: str | None = None) -> Any:  # fmt: skip
    """Compute the mean of each window over two axes; padding does not count.

    Args:
        input: tensor of shape (batch, height, width, channels), and of a floating dtype.
        ksize: size of the windows, 1 number, 2 or 4.
        strides: distance of the windows, 1 number, 2 or 4.
        padding: 'SAME', 'VALID', or pairs of numbers for each axis.
        data_format: 'NHWC' or 'NCHW'.
    Returns:
        Tensor of the rank and dtype of ``input``; its sizes follow as in ``conv2d``.
    Raises:
        ValueError: an argument or the rank does not fit (rank: also an InvalidArgumentError).
        InvalidArgumentError: the dtype is another one (also a TypeError).
    """
    return _pooled(ops.avg_pool, input, ksize, strides, padding, data_format, None, 2, name)


def avg_pool3d(input: TensorLike, ksize: Any, strides: Any, padding: Any,
               data_format: str = "NDHWC", name: str | None = None) -> Any:  # fmt: skip
    """Compute the mean of each window over three axes; padding does not count.

    Args:
        input: tensor of shape (batch, depth, height, width, channels), and of a floating dtype.
        ksize: size of the windows, 1 number, 3 or 5.
        strides: distance of the windows, 1 number, 3 or 5.
        padding: 'SAME', 'VALID', or pairs of numbers for each axis.
        data_format: 'NDHWC' or 'NCDHW'.
    Returns:
        Tensor of the rank and dtype of ``input``; its sizes follow as in ``conv2d``.
    Raises:
        ValueError: an argument or the rank does not fit (rank: also an InvalidArgumentError).
        InvalidArgumentError: the dtype is another one (also a TypeError).
    """
    return _pooled(ops.avg_pool, input, ksize, strides, padding, data_format, None, 3, name)


class MaxPoolWithArgmax(NamedTuple):
    """What ``max_pool_with_argmax`` gives."""

    output: Any
    argmax: Any


def max_pool_with_argmax(
    input: TensorLike, ksize: Any, strides: Any, padding: Any, data_format: str = "NHWC",
    output_dtype: DTypeLike = int64, include_batch_in_index: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """Compute the maximum of each window over two axes, and its index.

    Args:
        input: tensor of shape (batch, height, width, channels) and of an integer or floating dtype.
        ksize: size of the windows, 1 number, 2 or 4.
        strides: distance of the windows, 1 number, 2 or 4.
        padding: 'SAME', 'VALID', or pairs of numbers for each axis.
        data_format: 'NHWC'.
        output_dtype: dtype of the indices.
        include_batch_in_index: whether to count through the batch, rather than each image.
    Returns:
        (output, argmax): the maxima, and indices ``(y * width + x) * channels + channel`` of their
        shape.
    Raises:
        ValueError: ``data_format`` is another one, or an argument or the rank does not fit.
        InvalidArgumentError: the dtype is another one (also a TypeError).
    """
    if data_format != "NHWC":
        raise ValueError(f"max_pool_with_argmax takes data_format 'NHWC', got {data_format!r}")
    x = of_rank(input, 4)
    greatest = max_pool2d(x, ksize, strides, padding, name=name)
    places = _pooled(adjoints.max_pool_places, x, ksize, strides, padding, None, None, 2, None)
    if not include_batch_in_index:
        _, height, width, channels = sizes_of(x)
        places = places % cast(height * width * channels, int64)
    return MaxPoolWithArgmax(greatest, cast(places, output_dtype))


def pool(input: TensorLike, window_shape: Sequence[int], pooling_type: str, strides: Any = None,
         padding: Any = "VALID", data_format: str | None = None, dilations: Any = None,
         name: str | None = None) -> Any:  # fmt: skip
    """Compute the maximum or the mean of each window.

    Args:
        input: tensor of shape (batch, sizes ..., channels); an integer dtype is for 'MAX' only.
        window_shape: sizes of the windows, one for each axis between batch and channels.
        pooling_type: 'AVG' or 'MAX'.
        strides: distance of the windows, 1 number or one for each axis; 1 by default.
        padding: 'SAME', 'VALID', or pairs of numbers for each axis.
        data_format: channels last, the default, or second: 'NHWC' or 'NCHW' for two axes.
        dilations: distance of the windows' elements, 1 number or one for each axis; 1 by default.
    Returns:
        Tensor of the rank and dtype of ``input``; its sizes follow as in ``conv2d``.
    Raises:
        ValueError: an argument or the rank does not fit (rank: also an InvalidArgumentError).
        InvalidArgumentError: the dtype is another one (also a TypeError).
    """
    definitions = {"AVG": ops.avg_pool, "MAX": ops.max_pool}
    if pooling_type not in definitions:
        raise ValueError(f"pooling_type must be 'AVG' or 'MAX', got {pooling_type!r}")
    window = static_ints(window_shape, "window_shape")
    strides = 1 if strides is None else strides
    return _pooled(definitions[pooling_type], dispatch.convert(input), window, strides, padding,
                   data_format, dilations, len(window), name)  # fmt: skip
