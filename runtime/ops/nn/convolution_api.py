"""Convolution and pooling as TensorFlow spells them: ranks, layouts and paddings by name.

Everything ends in a row of convolution.py, which knows one layout, channels last.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from runtime.ops import dispatch
from runtime.ops.array.concat_split import concat
from runtime.ops.array.constants import cast
from runtime.ops.array.shape import known_rank, of_rank, reshape, sizes_of, transpose
from runtime.ops.nn import convolution as rows
from runtime.ops.nn import convolution_backprop as adjoints
from runtime.ops.op import OpDef
from runtime.ops.rules.static_arguments import static_ints, whole_numbers
from runtime.types.aliases import DTypeLike, ShapeLike, TensorLike
from runtime.types.dtypes import int64

__all__ = [
    "atrous_conv2d", "atrous_conv2d_transpose", "avg_pool", "avg_pool1d", "avg_pool2d",
    "avg_pool3d", "conv1d", "conv1d_transpose", "conv2d", "conv2d_transpose", "conv3d",
    "conv3d_transpose", "conv_transpose", "convolution", "depthwise_conv2d",
    "depthwise_conv2d_backprop_filter", "depthwise_conv2d_backprop_input", "max_pool", "max_pool1d",
    "max_pool2d", "max_pool3d", "max_pool_with_argmax", "pool", "separable_conv2d",
]  # fmt: skip


def _first(data_format: str | None, count: int) -> bool:
    """Whether channels come before the ``count`` axes; ValueError for formats of other ranks."""
    letters = {1: "W", 2: "HW", 3: "DHW"}.get(count)
    if data_format is None:
        return False
    if letters is None or data_format not in (f"N{letters}C", f"NC{letters}"):
        known = "" if letters is None else f"; expected 'N{letters}C' or 'NC{letters}'"
        raise ValueError(f"data_format {data_format!r} does not fit {count} axes{known}")
    return data_format == f"NC{letters}"


def _numbers(value: Any, count: int, first: bool, what: str, default: int | None = 1) -> Any:
    """One number an axis, from one number, one an axis, or one for each dimension."""
    if value is None:
        return (default,) * count
    given = static_ints(value, what)
    if len(given) == 1:
        return given * count
    if len(given) == count + 2:
        batch, channels = given[0], given[1] if first else given[-1]
        if (batch, channels) != (1, 1):
            raise ValueError(
                f"{what} along batch and channels must be 1, got {list(given)}; windows move over "
                "the axes between them"
            )
        return given[2:] if first else given[1:-1]
    if len(given) != count:
        raise ValueError(f"{what} must have 1, {count} or {count + 2} entries, got {list(given)}")
    return given


def _padding(padding: Any, count: int, first: bool) -> Any:
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


def _to_last(x: Any, first: bool, count: int) -> Any:
    return transpose(x, [0, *range(2, count + 2), 1]) if first else x


def _from_last(x: Any, first: bool, count: int, name: str | None) -> Any:
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
    """Sums of products of windows of ``input`` with ``filters`` (sizes ..., in, out).

    The number of axes is that of ``filters`` less 2.  ``data_format`` says where the channels
    are: last ('NHWC', the default) or second ('NCHW').
    ValueError (and InvalidArgumentError) when the shapes do not fit.
    """
    x, f = dispatch.convert(input), dispatch.convert(filters)
    count = known_rank(f, "convolution") - 2
    first = _first(data_format, count)
    x, lead = _batched(x, count)
    attrs = {
        "strides": _numbers(strides, count, first, "strides"),
        "dilations": _numbers(dilations, count, first, "dilations"),
        "padding": _padding(padding, count, first),
    }
    y = rows.conv(_to_last(x, first, count), f, name=None if first else name, **attrs)
    y = _from_last(y, first, count, name)
    return y if lead is None else reshape(y, [*lead, *y.shape.as_list()[1:]])


def conv1d(input: TensorLike, filters: TensorLike, stride: Any, padding: Any,
           data_format: str = "NWC", dilations: Any = None,
           name: str | None = None) -> Any:  # fmt: skip
    """Compute a 1-D convolution; ``filters`` has shape (width, in, out)."""
    f = of_rank(filters, 3)
    return convolution(input, f, stride, padding, data_format, dilations, name)


def conv2d(input: TensorLike, filters: TensorLike, strides: Any, padding: Any,
           data_format: str = "NHWC", dilations: Any = None,
           name: str | None = None) -> Any:  # fmt: skip
    """Compute the 2-D convolution of a batch of images.

    ``input`` has shape (batch, height, width, in), ``filters`` (height, width, in / groups, out),
    both of one floating dtype, which the result has too.  The result has shape (batch, out height,
    out width, out): ceil(size / stride) for padding 'SAME', ceil((size - span + 1) / stride) for
    'VALID', where span = (filter size - 1) * dilation + 1.  The kernel multiplies a strided view of
    the windows by the filters as one matrix (im2col; Chellapilla, Puri and Simard, 2006).
    ValueError (and InvalidArgumentError) when the shapes do not fit.
    """
    f = of_rank(filters, 4)
    return convolution(input, f, strides, padding, data_format, dilations, name)


def conv3d(input: TensorLike, filters: TensorLike, strides: Any, padding: Any,
           data_format: str = "NDHWC", dilations: Any = None,
           name: str | None = None) -> Any:  # fmt: skip
    """Compute a 3-D convolution; ``filters`` has shape (depth, height, width, in, out)."""
    f = of_rank(filters, 5)
    return convolution(input, f, strides, padding, data_format, dilations, name)


def atrous_conv2d(value: TensorLike, filters: TensorLike, rate: int, padding: Any,
                  name: str | None = None) -> Any:  # fmt: skip
    """Compute a 2-D convolution with filters dilated by ``rate``."""
    return convolution(value, filters, 1, padding, None, rate, name)


def conv_transpose(input: TensorLike, filters: TensorLike, output_shape: ShapeLike, strides: Any,
                   padding: Any = "SAME", data_format: str | None = None, dilations: Any = None,
                   name: str | None = None) -> Any:  # fmt: skip
    """What a convolution sends back to its input: ``filters`` (sizes ..., out, in).

    ``output_shape`` is the shape of the result, all dimensions; it may be a tensor.
    """
    x, f = dispatch.convert(input), dispatch.convert(filters)
    count = known_rank(f, "conv_transpose") - 2
    first = _first(data_format, count)
    sizes = whole_numbers(output_shape, "output_shape")
    if first:
        sizes = dispatch.convert(sizes)
        sizes = concat([sizes[:1], sizes[2:], sizes[1:2]], 0)
    attrs = {
        "strides": _numbers(strides, count, first, "strides"),
        "dilations": _numbers(dilations, count, first, "dilations"),
        "padding": _padding(padding, count, first),
    }
    y = rows.conv_transpose(_to_last(x, first, count), f, sizes,
                            name=None if first else name, **attrs)  # fmt: skip
    return _from_last(y, first, count, name)


def conv1d_transpose(input: TensorLike, filters: TensorLike, output_shape: ShapeLike, strides: Any,
                     padding: Any = "SAME", data_format: str = "NWC", dilations: Any = None,
                     name: str | None = None) -> Any:  # fmt: skip
    """``conv_transpose`` over one axis."""
    return conv_transpose(
        input, filters, output_shape, strides, padding, data_format, dilations, name
    )


def conv2d_transpose(input: TensorLike, filters: TensorLike, output_shape: ShapeLike, strides: Any,
                     padding: Any = "SAME", data_format: str = "NHWC", dilations: Any = None,
                     name: str | None = None) -> Any:  # fmt: skip
    """``conv_transpose`` over two axes."""
    return conv_transpose(
        input, filters, output_shape, strides, padding, data_format, dilations, name
    )


def conv3d_transpose(input: TensorLike, filters: TensorLike, output_shape: ShapeLike, strides: Any,
                     padding: Any = "SAME", data_format: str = "NDHWC", dilations: Any = None,
                     name: str | None = None) -> Any:  # fmt: skip
    """``conv_transpose`` over three axes."""
    return conv_transpose(
        input, filters, output_shape, strides, padding, data_format, dilations, name
    )


def depthwise_conv2d(input: TensorLike, filter: TensorLike, strides: Any, padding: Any,
                     data_format: str | None = None, dilations: Any = None,
                     name: str | None = None) -> Any:  # fmt: skip
    """Convolve each channel alone; ``filter`` is (height, width, channels, multiplier)."""
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
    """What ``atrous_conv2d`` sends back to its input: ``filters`` (height, width, out, in)."""
    return conv_transpose(value, of_rank(filters, 4), output_shape, 1, padding, None, rate, name)


def depthwise_conv2d_backprop_input(
    input_sizes: Any, filter: TensorLike, out_backprop: TensorLike, strides: Any, padding: Any,
    data_format: str = "NHWC", dilations: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """The gradient of the input of ``depthwise_conv2d``, whose shape is ``input_sizes``."""
    f, first = dispatch.convert(filter), _first(data_format, 2)
    height, width, channels, multiplier = f.shape.as_list()
    if None in (height, width, channels, multiplier):
        raise ValueError(f"depthwise_conv2d needs filters of known size, got {f.shape}")
    sizes = dispatch.convert(whole_numbers(input_sizes, "input_sizes"))
    sizes = concat([sizes[:1], sizes[2:], sizes[1:2]], 0) if first else sizes
    attrs = _window_attrs(strides, padding, dilations, first)
    dy = _to_last(of_rank(out_backprop, 4), first, 2)
    f = reshape(f, [height, width, 1, channels * multiplier])
    return _from_last(adjoints.conv_to_input(dy, f, sizes, **attrs), first, 2, name)


def depthwise_conv2d_backprop_filter(
    input: TensorLike, filter_sizes: Any, out_backprop: TensorLike, strides: Any, padding: Any,
    data_format: str = "NHWC", dilations: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """The gradient of the filter of ``depthwise_conv2d``, whose shape is ``filter_sizes``."""
    first = _first(data_format, 2)
    height, width, channels, multiplier = static_ints(filter_sizes, "filter_sizes")
    attrs = _window_attrs(strides, padding, dilations, first)
    x, dy = (_to_last(of_rank(t, 4), first, 2) for t in (input, out_backprop))
    wide = [height, width, 1, channels * multiplier]
    gradient = adjoints.conv_to_filters(x, dy, wide, **attrs)
    return reshape(gradient, [height, width, channels, multiplier], name=name)


def _window_attrs(strides: Any, padding: Any, dilations: Any, first: bool) -> dict[str, Any]:
    return {
        "strides": _numbers(strides, 2, first, "strides"),
        "dilations": _numbers(dilations, 2, first, "dilations"),
        "padding": _padding(padding, 2, first),
    }


def separable_conv2d(input: TensorLike, depthwise_filter: Any, pointwise_filter: Any, strides: Any,
                     padding: Any, data_format: str | None = None, dilations: Any = None,
                     name: str | None = None) -> Any:  # fmt: skip
    """``depthwise_conv2d``, then a convolution of one place that mixes the channels."""
    apart = depthwise_conv2d(input, depthwise_filter, strides, padding, data_format, dilations)
    return convolution(apart, pointwise_filter, 1, "VALID", data_format, None, name)


def _pooled(op: OpDef, x: Any, window: Any, strides: Any, padding: Any, data_format: str | None,
            dilations: Any, count: int, name: str | None) -> Any:  # fmt: skip
    first = _first(data_format, count)
    sizes = _numbers(window, count, first, "ksize")
    attrs = {
        "window": sizes,
        "strides": _numbers(sizes if strides is None else strides, count, first, "strides"),
        "dilations": _numbers(dilations, count, first, "dilations"),
        "padding": _padding(padding, count, first),
    }
    y = op(_to_last(x, first, count), name=None if first else name, **attrs)
    return _from_last(y, first, count, name)


def _any_rank(op: OpDef, input: Any, ksize: Any, strides: Any, padding: Any, data_format: Any,
              name: Any) -> Any:  # fmt: skip
    x = dispatch.convert(input)
    count = known_rank(x, op.name) - 2
    if not 1 <= count <= 3:
        raise ValueError(f"{op.name} takes inputs of rank 3, 4 or 5, got shape {x.shape}")
    return _pooled(op, x, ksize, strides, padding, data_format, None, count, name)


def max_pool(input: TensorLike, ksize: Any, strides: Any, padding: Any,
             data_format: str | None = None, name: str | None = None) -> Any:  # fmt: skip
    """Compute the maximum of each window, over one to three axes."""
    return _any_rank(rows.max_pool, input, ksize, strides, padding, data_format, name)


def avg_pool(input: TensorLike, ksize: Any, strides: Any, padding: Any,
             data_format: str | None = None, name: str | None = None) -> Any:  # fmt: skip
    """Compute the mean of each window, over one to three axes, without the padding."""
    return _any_rank(rows.avg_pool, input, ksize, strides, padding, data_format, name)


def max_pool1d(input: TensorLike, ksize: Any, strides: Any, padding: Any, data_format: str = "NWC",
               name: str | None = None) -> Any:  # fmt: skip
    """The greatest of each window over one axis."""
    return _pooled(rows.max_pool, input, ksize, strides, padding, data_format, None, 1, name)


def max_pool2d(input: TensorLike, ksize: Any, strides: Any, padding: Any, data_format: str = "NHWC",
               name: str | None = None) -> Any:  # fmt: skip
    """The greatest of each window over two axes."""
    return _pooled(rows.max_pool, input, ksize, strides, padding, data_format, None, 2, name)


def max_pool3d(input: TensorLike, ksize: Any, strides: Any, padding: Any,
               data_format: str = "NDHWC", name: str | None = None) -> Any:  # fmt: skip
    """The greatest of each window over three axes."""
    return _pooled(rows.max_pool, input, ksize, strides, padding, data_format, None, 3, name)


def avg_pool1d(input: TensorLike, ksize: Any, strides: Any, padding: Any, data_format: str = "NWC",
               name: str | None = None) -> Any:  # fmt: skip
    """The mean of each window over one axis."""
    return _pooled(rows.avg_pool, input, ksize, strides, padding, data_format, None, 1, name)


def avg_pool2d(input: TensorLike, ksize: Any, strides: Any, padding: Any, data_format: str = "NHWC",
               name: str | None = None) -> Any:  # fmt: skip
    """The mean of each window over two axes."""
    return _pooled(rows.avg_pool, input, ksize, strides, padding, data_format, None, 2, name)


def avg_pool3d(input: TensorLike, ksize: Any, strides: Any, padding: Any,
               data_format: str = "NDHWC", name: str | None = None) -> Any:  # fmt: skip
    """The mean of each window over three axes."""
    return _pooled(rows.avg_pool, input, ksize, strides, padding, data_format, None, 3, name)


class MaxPoolWithArgmax(NamedTuple):
    """What ``max_pool_with_argmax`` gives."""

    output: Any
    argmax: Any


def max_pool_with_argmax(
    input: TensorLike, ksize: Any, strides: Any, padding: Any, data_format: str = "NHWC",
    output_dtype: DTypeLike = int64, include_batch_in_index: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """``(output, argmax)``: the greatest of each window, and where each stands, counted flat.

    Counted in the image, ``(y * width + x) * channels + channel``; in the whole batch when asked.
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
    """Pooling over as many axes as ``window_shape`` has; ``pooling_type`` is 'AVG' or 'MAX'."""
    ops = {"AVG": rows.avg_pool, "MAX": rows.max_pool}
    if pooling_type not in ops:
        raise ValueError(f"pooling_type must be 'AVG' or 'MAX', got {pooling_type!r}")
    window = static_ints(window_shape, "window_shape")
    strides = 1 if strides is None else strides
    return _pooled(ops[pooling_type], dispatch.convert(input), window, strides, padding,
                   data_format, dilations, len(window), name)  # fmt: skip
