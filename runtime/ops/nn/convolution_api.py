"""Convolutions with TensorFlow's names and arguments: ranks, layouts and paddings by name.

They apply the op definitions of convolution.py, which know one layout, channels last.  Pooling is
in pooling_api.py.
"""

from __future__ import annotations

from typing import Any

from runtime.ops import dispatch
from runtime.ops.array.concat_split import concat
from runtime.ops.array.shape import known_rank, of_rank, reshape, transpose
from runtime.ops.nn import convolution as ops
from runtime.ops.nn import convolution_backprop as adjoints
from runtime.ops.rules.static_arguments import static_ints, whole_numbers
from runtime.types.aliases import ShapeLike, TensorLike

__all__ = [
    "atrous_conv2d", "atrous_conv2d_transpose", "conv1d", "conv1d_transpose", "conv2d",
    "conv2d_transpose", "conv3d", "conv3d_transpose", "conv_transpose", "convolution",
    "depthwise_conv2d", "depthwise_conv2d_backprop_filter", "depthwise_conv2d_backprop_input",
    "separable_conv2d",
]  # fmt: skip


def channels_first(data_format: str | None, count: int) -> bool:
    """Whether channels come before the ``count`` axes; ValueError for formats of other ranks."""
    letters = {1: "W", 2: "HW", 3: "DHW"}.get(count)
    if data_format is None:
        return False
    if letters is None or data_format not in (f"N{letters}C", f"NC{letters}"):
        expectation = "" if letters is None else f"; expected 'N{letters}C' or 'NC{letters}'"
        raise ValueError(f"data_format {data_format!r} does not fit {count} axes{expectation}")
    return data_format == f"NC{letters}"


def one_an_axis(value: Any, count: int, first: bool, role: str, default: int | None = 1) -> Any:
    """One number an axis, from one number, one an axis, or one for each dimension."""
    if value is None:
        return (default,) * count
    numbers = static_ints(value, role)
    if len(numbers) == 1:
        return numbers * count
    if len(numbers) == count + 2:
        batch, channels = numbers[0], numbers[1] if first else numbers[-1]
        if (batch, channels) != (1, 1):
            raise ValueError(
                f"{role} along batch and channels must be 1, got {list(numbers)}; windows move "
                "over "
                "the axes between them"
            )
        return numbers[2:] if first else numbers[1:-1]
    if len(numbers) != count:
        raise ValueError(f"{role} must have 1, {count} or {count + 2} entries, got {list(numbers)}")
    return numbers


def checked_padding(padding: Any, count: int, first: bool) -> Any:
    """'SAME', 'VALID' or pairs, one for each axis between batch and channels."""
    if isinstance(padding, str):
        if padding.upper() not in ("SAME", "VALID"):
            raise ValueError(f"padding must be 'SAME', 'VALID' or a list, got {padding!r}")
        return padding.upper()
    pairs = [static_ints(pair, "padding") for pair in padding]
    if len(pairs) != count + 2 or any(len(p) != 2 for p in pairs):
        raise ValueError(
            f"explicit padding must hold {count + 2} pairs, one a dimension, got {padding!r}"
        )
    outside = (pairs[0], pairs[1 if first else -1])
    if any(map(any, outside)):
        raise ValueError(f"batch and channels cannot be padded, got {padding!r}")
    return tuple(pairs[2:] if first else pairs[1:-1])


def channels_to_last(x: Any, first: bool, count: int) -> Any:
    return transpose(x, [0, *range(2, count + 2), 1]) if first else x


def channels_from_last(x: Any, first: bool, count: int, name: str | None) -> Any:
    if not first:
        return x
    return transpose(x, [0, count + 1, *range(1, count + 1)], name=name or "transpose")


def _batched(x: Any, count: int) -> tuple[Any, Any]:
    """``x`` with its leading dimensions made one, and the shape that they had (None: one)."""
    x = of_rank(x, count + 2)
    rank = len(x.shape)
    extra = rank - count - 2
    if extra <= 0:
        return x, None
    lead = x.shape[: extra + 1]
    if not lead.is_fully_defined():
        raise ValueError(f"several batch dimensions must be known, got shape {x.shape}")
    return reshape(x, [-1, *x.shape.as_list()[extra + 1 :]]), lead.as_list()


def convolution(input: TensorLike, filters: TensorLike, strides: Any = None, padding: Any = "VALID",
                data_format: str | None = None, dilations: Any = None,
                name: str | None = None) -> Any:  # fmt: skip
    """Compute the convolution of a batch: sums of products of its windows with filters.

    The number of axes N is the filters' rank less 2. Fewer channels in the filters than in the
    input make groups.

    Args:
        input: tensor of shape (batch, sizes ..., in) and of a floating dtype; further axes at the
            front count as batch.
        filters: tensor of shape (sizes ..., in / groups, out) and of the same dtype.
        strides: distance of the windows, 1 number or N; 1 by default.
        padding: 'SAME', 'VALID', or pairs of numbers of zeros for each axis.
        data_format: 'NWC', 'NHWC' or 'NDHWC' for channels last, the default; 'NCW', 'NCHW' or
            'NCDHW'.
        dilations: distance of the filters' elements, 1 number or N; 1 by default.
    Returns:
        Tensor of shape (batch, out sizes ..., out) in the same format, as in ``conv2d``.
    Raises:
        ValueError: an argument or a shape does not fit (shapes: also an InvalidArgumentError).
        InvalidArgumentError: the dtypes differ or are not floating (also a TypeError).
    """
    x, f = dispatch.convert(input), dispatch.convert(filters)
    count = known_rank(f, "convolution") - 2
    first = channels_first(data_format, count)
    x, lead = _batched(x, count)
    attrs = {
        "strides": one_an_axis(strides, count, first, "strides"),
        "dilations": one_an_axis(dilations, count, first, "dilations"),
        "padding": checked_padding(padding, count, first),
    }
    y = ops.conv(channels_to_last(x, first, count), f, name=None if first else name, **attrs)
    y = channels_from_last(y, first, count, name)
    return y if lead is None else reshape(y, [*lead, *y.shape.as_list()[1:]])


def conv1d(input: TensorLike, filters: TensorLike, stride: Any, padding: Any,
           data_format: str = "NWC", dilations: Any = None,
           name: str | None = None) -> Any:  # fmt: skip
    """Compute the 1-D convolution of a batch of sequences, as ``conv2d`` does with one axis.

    Args:
        input: tensor of shape (batch, width, in) and of a floating dtype.
        filters: tensor of shape (width, in / groups, out) and of the same dtype.
        stride: distance of the windows.
        padding: 'SAME', 'VALID', or pairs of numbers of zeros for each axis.
        data_format: 'NWC' or 'NCW'.
        dilations: distance of the filters' elements; 1 by default.
    Returns:
        Tensor of shape (batch, out width, out) and of the inputs' dtype.
    Raises:
        ValueError: an argument or a shape does not fit (shapes: also an InvalidArgumentError).
        InvalidArgumentError: the dtypes differ or are not floating (also a TypeError).
    """
    f = of_rank(filters, 3)
    return convolution(input, f, stride, padding, data_format, dilations, name)


def conv2d(input: TensorLike, filters: TensorLike, strides: Any, padding: Any,
           data_format: str = "NHWC", dilations: Any = None,
           name: str | None = None) -> Any:  # fmt: skip
    """Compute the 2-D convolution of a batch of images.

    The kernel multiplies a strided view of all windows by the filters as one matrix: Chellapilla,
    Puri, Simard: High Performance Convolutional Neural Networks for Document Processing (2006).

    Args:
        input: tensor of shape (batch, height, width, in) and of a floating dtype.
        filters: tensor of shape (height, width, in / groups, out) and of the same dtype.
        strides: distance of the windows, 1 number, 2 or 4.
        padding: 'SAME', 'VALID', or pairs of numbers of zeros for each axis.
        data_format: 'NHWC', or 'NCHW' for channels before height and width, in the result, too.
        dilations: distance of the filters' elements, 1 number, 2 or 4; 1 by default.
    Returns:
        Tensor of shape (batch, out height, out width, out) and of the inputs' dtype; the sizes are
        ceil(size / stride) for 'SAME', ceil((size - span + 1) / stride) for 'VALID', where span is
        (filter size - 1) * dilation + 1.
    Raises:
        ValueError: an argument or a shape does not fit (shapes: also an InvalidArgumentError).
        InvalidArgumentError: the dtypes differ or are not floating (also a TypeError).
    """
    f = of_rank(filters, 4)
    return convolution(input, f, strides, padding, data_format, dilations, name)


def conv3d(input: TensorLike, filters: TensorLike, strides: Any, padding: Any,
           data_format: str = "NDHWC", dilations: Any = None,
           name: str | None = None) -> Any:  # fmt: skip
    """Compute the 3-D convolution of a batch of volumes, as ``conv2d`` does with three axes.

    Args:
        input: tensor of shape (batch, depth, height, width, in) and of a floating dtype.
        filters: tensor of shape (depth, height, width, in / groups, out) and of the same dtype.
        strides: distance of the windows, 1 number, 3 or 5.
        padding: 'SAME', 'VALID', or pairs of numbers of zeros for each axis.
        data_format: 'NDHWC' or 'NCDHW'.
        dilations: distance of the filters' elements, 1 number, 3 or 5; 1 by default.
    Returns:
        Tensor of shape (batch, out depth, out height, out width, out) and of the inputs' dtype.
    Raises:
        ValueError: an argument or a shape does not fit (shapes: also an InvalidArgumentError).
        InvalidArgumentError: the dtypes differ or are not floating (also a TypeError).
    """
    f = of_rank(filters, 5)
    return convolution(input, f, strides, padding, data_format, dilations, name)


def atrous_conv2d(value: TensorLike, filters: TensorLike, rate: int, padding: Any,
                  name: str | None = None) -> Any:  # fmt: skip
    """Compute the 2-D convolution of a batch of images with dilated filters.

    Args:
        value: tensor of shape (batch, height, width, in) and of a floating dtype.
        filters: tensor of shape (height, width, in / groups, out) and of the same dtype.
        rate: distance of the filters' elements.
        padding: 'SAME', 'VALID', or pairs of numbers of zeros for each axis.
    Returns:
        Tensor of shape (batch, out height, out width, out), as ``conv2d`` with ``dilations=rate``.
    Raises:
        ValueError: an argument or a shape does not fit (shapes: also an InvalidArgumentError).
    """
    return convolution(value, filters, 1, padding, None, rate, name)


def conv_transpose(input: TensorLike, filters: TensorLike, output_shape: ShapeLike, strides: Any,
                   padding: Any = "SAME", data_format: str | None = None, dilations: Any = None,
                   name: str | None = None) -> Any:  # fmt: skip
    """Compute the transposed convolution: the gradient of ``convolution`` with respect to its
    input.

    Also called deconvolution, after Zeiler, Krishnan, Taylor, Fergus: Deconvolutional Networks
    (2010).

    Args:
        input: tensor of shape (batch, sizes ..., in) and of a floating dtype.
        filters: tensor of shape (sizes ..., out, in) and of the same dtype; its rank less 2 is N.
        output_shape: shape of the result, all dimensions; it may be a tensor.
        strides: strides of the convolution, 1 number or N.
        padding: padding of the convolution: 'SAME', 'VALID', or pairs for each axis.
        data_format: 'NWC', 'NHWC' or 'NDHWC' for channels last, the default; 'NCW', 'NCHW' or
            'NCDHW'.
        dilations: dilations of the convolution, 1 number or N; 1 by default.
    Returns:
        Tensor of shape ``output_shape`` and of the inputs' dtype.
    Raises:
        ValueError: an argument or a shape does not fit (shapes: also an InvalidArgumentError).
        InvalidArgumentError: the dtypes differ or are not floating (also a TypeError).
    """
    x, f = dispatch.convert(input), dispatch.convert(filters)
    count = known_rank(f, "conv_transpose") - 2
    first = channels_first(data_format, count)
    sizes = whole_numbers(output_shape, "output_shape")
    if first:
        sizes = dispatch.convert(sizes)
        sizes = concat([sizes[:1], sizes[2:], sizes[1:2]], 0)
    attrs = {
        "strides": one_an_axis(strides, count, first, "strides"),
        "dilations": one_an_axis(dilations, count, first, "dilations"),
        "padding": checked_padding(padding, count, first),
    }
    y = ops.conv_transpose(channels_to_last(x, first, count), f, sizes,
                            name=None if first else name, **attrs)  # fmt: skip
    return channels_from_last(y, first, count, name)


def conv1d_transpose(input: TensorLike, filters: TensorLike, output_shape: ShapeLike, strides: Any,
                     padding: Any = "SAME", data_format: str = "NWC", dilations: Any = None,
                     name: str | None = None) -> Any:  # fmt: skip
    """Compute the transposed 1-D convolution, as ``conv_transpose`` does with one axis.

    Args:
        input: tensor of shape (batch, width, in) and of a floating dtype.
        filters: tensor of shape (width, out, in) and of the same dtype.
        output_shape: shape of the result, all dimensions; it may be a tensor.
        strides: stride of the convolution.
        padding: padding of the convolution: 'SAME', 'VALID', or pairs for each axis.
        data_format: 'NWC' or 'NCW'.
        dilations: dilation of the convolution; 1 by default.
    Returns:
        Tensor of shape ``output_shape`` and of the inputs' dtype.
    Raises:
        ValueError: an argument or a shape does not fit (shapes: also an InvalidArgumentError).
    """
    return conv_transpose(
        input, filters, output_shape, strides, padding, data_format, dilations, name
    )


def conv2d_transpose(input: TensorLike, filters: TensorLike, output_shape: ShapeLike, strides: Any,
                     padding: Any = "SAME", data_format: str = "NHWC", dilations: Any = None,
                     name: str | None = None) -> Any:  # fmt: skip
    """Compute the transposed 2-D convolution, as ``conv_transpose`` does with two axes.

    Args:
        input: tensor of shape (batch, height, width, in) and of a floating dtype.
        filters: tensor of shape (height, width, out, in) and of the same dtype.
        output_shape: shape of the result, all dimensions; it may be a tensor.
        strides: strides of the convolution, 1 number, 2 or 4.
        padding: padding of the convolution: 'SAME', 'VALID', or pairs for each axis.
        data_format: 'NHWC' or 'NCHW'.
        dilations: dilations of the convolution, 1 number, 2 or 4; 1 by default.
    Returns:
        Tensor of shape ``output_shape`` and of the inputs' dtype.
    Raises:
        ValueError: an argument or a shape does not fit (shapes: also an InvalidArgumentError).
    """
    return conv_transpose(
        input, filters, output_shape, strides, padding, data_format, dilations, name
    )


def conv3d_transpose(input: TensorLike, filters: TensorLike, output_shape: ShapeLike, strides: Any,
                     padding: Any = "SAME", data_format: str = "NDHWC", dilations: Any = None,
                     name: str | None = None) -> Any:  # fmt: skip
    """Compute the transposed 3-D convolution, as ``conv_transpose`` does with three axes.

    Args:
        input: tensor of shape (batch, depth, height, width, in) and of a floating dtype.
        filters: tensor of shape (depth, height, width, out, in) and of the same dtype.
        output_shape: shape of the result, all dimensions; it may be a tensor.
        strides: strides of the convolution, 1 number, 3 or 5.
        padding: padding of the convolution: 'SAME', 'VALID', or pairs for each axis.
        data_format: 'NDHWC' or 'NCDHW'.
        dilations: dilations of the convolution, 1 number, 3 or 5; 1 by default.
    Returns:
        Tensor of shape ``output_shape`` and of the inputs' dtype.
    Raises:
        ValueError: an argument or a shape does not fit (shapes: also an InvalidArgumentError).
    """
    return conv_transpose(
        input, filters, output_shape, strides, padding, data_format, dilations, name
    )


def depthwise_conv2d(input: TensorLike, filter: TensorLike, strides: Any, padding: Any,
                     data_format: str | None = None, dilations: Any = None,
                     name: str | None = None) -> Any:  # fmt: skip
    """Compute the 2-D convolution of each channel with filters of its own.

    Args:
        input: tensor of shape (batch, height, width, channels) and of a floating dtype.
        filter: tensor of shape (height, width, channels, multiplier) and of the same dtype.
        strides: distance of the windows, 1 number, 2 or 4.
        padding: 'SAME', 'VALID', or pairs of numbers of zeros for each axis.
        data_format: 'NHWC', the default, or 'NCHW'.
        dilations: distance of the filters' elements, 1 number, 2 or 4; 1 by default.
    Returns:
        Tensor of shape (batch, out height, out width, channels * multiplier), as of ``conv2d``.
    Raises:
        ValueError: an argument or a shape does not fit, or the filter's last two sizes are not
            known.
        InvalidArgumentError: the dtypes differ or are not floating (also a TypeError).
    """
    f = dispatch.convert(filter)
    known_rank(f, "depthwise_conv2d")
    height, width, channels, multiplier = f.shape.as_list()
    if channels is None or multiplier is None:
        raise ValueError(f"depthwise_conv2d needs filters of known size, got {f.shape}")
    sizes = [-1 if n is None else n for n in (height, width)]
    f = reshape(f, [*sizes, 1, channels * multiplier])
    return convolution(input, f, strides, padding, data_format, dilations, name)


def atrous_conv2d_transpose(value: TensorLike, filters: TensorLike, output_shape: ShapeLike,
                            rate: int, padding: Any, name: str | None = None) -> Any:  # fmt: skip
    """Compute the gradient of ``atrous_conv2d`` with respect to its input.

    Args:
        value: tensor of shape (batch, height, width, in) and of a floating dtype.
        filters: tensor of shape (height, width, out, in) and of the same dtype.
        output_shape: shape of the result, all dimensions; it may be a tensor.
        rate: distance of the filters' elements.
        padding: padding of the convolution: 'SAME', 'VALID', or pairs for each axis.
    Returns:
        Tensor of shape ``output_shape`` and of the inputs' dtype.
    Raises:
        ValueError: an argument or a shape does not fit (shapes: also an InvalidArgumentError).
    """
    return conv_transpose(value, of_rank(filters, 4), output_shape, 1, padding, None, rate, name)


def depthwise_conv2d_backprop_input(
    input_sizes: Any, filter: TensorLike, out_backprop: TensorLike, strides: Any, padding: Any,
    data_format: str = "NHWC", dilations: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """Compute the gradient of ``depthwise_conv2d`` with respect to its input.

    Args:
        input_sizes: shape of the input, four integers; it may be a tensor.
        filter: tensor of shape (height, width, channels, multiplier), known.
        out_backprop: gradient of the result.
        strides: strides of the convolution.
        padding: padding of the convolution.
        data_format: 'NHWC' or 'NCHW'.
        dilations: dilations of the convolution.
    Returns:
        Tensor of shape ``input_sizes`` and of the inputs' dtype.
    Raises:
        ValueError: an argument or a shape does not fit, or the shape of ``filter`` is not known.
    """
    f, first = dispatch.convert(filter), channels_first(data_format, 2)
    height, width, channels, multiplier = f.shape.as_list()
    if None in (height, width, channels, multiplier):
        raise ValueError(f"depthwise_conv2d needs filters of known size, got {f.shape}")
    sizes = dispatch.convert(whole_numbers(input_sizes, "input_sizes"))
    sizes = concat([sizes[:1], sizes[2:], sizes[1:2]], 0) if first else sizes
    attrs = _window_attrs(strides, padding, dilations, first)
    dy = channels_to_last(of_rank(out_backprop, 4), first, 2)
    f = reshape(f, [height, width, 1, channels * multiplier])
    return channels_from_last(adjoints.conv_to_input(dy, f, sizes, **attrs), first, 2, name)


def depthwise_conv2d_backprop_filter(
    input: TensorLike, filter_sizes: Any, out_backprop: TensorLike, strides: Any, padding: Any,
    data_format: str = "NHWC", dilations: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """Compute the gradient of ``depthwise_conv2d`` with respect to its filter.

    Args:
        input: input of the convolution.
        filter_sizes: shape of the filter, four integers: height, width, channels, multiplier.
        out_backprop: gradient of the result.
        strides: strides of the convolution.
        padding: padding of the convolution.
        data_format: 'NHWC' or 'NCHW'.
        dilations: dilations of the convolution.
    Returns:
        Tensor of shape ``filter_sizes`` and of the inputs' dtype.
    Raises:
        ValueError: an argument or a shape does not fit.
    """
    first = channels_first(data_format, 2)
    height, width, channels, multiplier = static_ints(filter_sizes, "filter_sizes")
    attrs = _window_attrs(strides, padding, dilations, first)
    x, dy = (channels_to_last(of_rank(t, 4), first, 2) for t in (input, out_backprop))
    wide = [height, width, 1, channels * multiplier]
    gradient = adjoints.conv_to_filters(x, dy, wide, **attrs)
    return reshape(gradient, [height, width, channels, multiplier], name=name)


def _window_attrs(strides: Any, padding: Any, dilations: Any, first: bool) -> dict[str, Any]:
    return {
        "strides": one_an_axis(strides, 2, first, "strides"),
        "dilations": one_an_axis(dilations, 2, first, "dilations"),
        "padding": checked_padding(padding, 2, first),
    }


def separable_conv2d(input: TensorLike, depthwise_filter: Any, pointwise_filter: Any, strides: Any,
                     padding: Any, data_format: str | None = None, dilations: Any = None,
                     name: str | None = None) -> Any:  # fmt: skip
    """Compute ``depthwise_conv2d``, then a convolution with filters of one element that mixes
    channels.

    Chollet: Xception: Deep Learning with Depthwise Separable Convolutions (2017).

    Args:
        input: tensor of shape (batch, height, width, channels) and of a floating dtype.
        depthwise_filter: tensor of shape (height, width, channels, multiplier) and of the same
            dtype.
        pointwise_filter: tensor of shape (1, 1, channels * multiplier, out) and of the same dtype.
        strides: distance of the windows, 1 number, 2 or 4.
        padding: 'SAME', 'VALID', or pairs of numbers of zeros for each axis.
        data_format: 'NHWC', the default, or 'NCHW'.
        dilations: distance of the filters' elements, 1 number, 2 or 4; 1 by default.
    Returns:
        Tensor of shape (batch, out height, out width, out), as of ``conv2d``.
    Raises:
        ValueError: an argument or a shape does not fit (shapes: also an InvalidArgumentError).
        InvalidArgumentError: the dtypes differ or are not floating (also a TypeError).
    """
    apart = depthwise_conv2d(input, depthwise_filter, strides, padding, data_format, dilations)
    return convolution(apart, pointwise_filter, 1, "VALID", data_format, None, name)
