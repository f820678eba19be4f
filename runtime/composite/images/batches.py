"""Images by themselves, (height, width, channels), and in batches: functions of one take both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.ops import dispatch
from runtime.ops.array.constants import cast
from runtime.ops.array.shape import expand_dims, squeeze
from runtime.ops.array.shape import shape as shape_of
from runtime.ops.math.clipping import saturate_cast
from runtime.types.aliases import DTypeLike, TensorLike
from runtime.types.dtypes import as_dtype, float32


def tensor_of_images(images: TensorLike, caller: str) -> Any:
    """Return images as a tensor of rank 3 or 4; ValueError for another rank."""
    x = dispatch.convert(images)
    if x.shape.rank not in (3, 4):
        raise ValueError(
            f"{caller}: images must have shape (height, width, channels) or (batch, height, width, "
            f"channels), got shape {x.shape}"
        )
    return x


def in_batches(images: TensorLike, caller: str, function: Callable[[Any], Any]) -> Any:
    """Apply a function of batches to a batch, or to one image."""
    x = tensor_of_images(images, caller)
    return squeeze(function(expand_dims(x, 0)), [0]) if x.shape.rank == 3 else function(x)


def size_of(x: Any, axis: int) -> Any:
    """Return a size: an int where it is known, else a tensor."""
    static = x.shape[axis]
    return shape_of(x)[axis] if static is None else static


def convert_image_dtype(
    image: TensorLike, dtype: DTypeLike, saturate: bool = False, name: str | None = None
) -> Any:
    """Convert images to another dtype and its range: 0 to 1 of floats, 0 to the greatest int.

    Args:
        image: tensor of any shape, and of a floating or integer dtype.
        dtype: floating or integer dtype.
        saturate: whether values beyond the range of an int become its ends.
    Returns:
        Tensor of the shape of ``image``.
    Raises:
        AttributeError: the dtype is neither floating nor an integer.
    """
    x, to = dispatch.convert(image), as_dtype(dtype)
    if not to.is_floating and not to.is_integer:
        raise AttributeError("dtype must be either floating point or integer")
    if x.dtype is to:
        return x
    if x.dtype.is_integer and to.is_integer:
        greatest, greatest_of_result = x.dtype.max, to.max
        if greatest > greatest_of_result:
            return cast(x // ((greatest + 1) // (greatest_of_result + 1)), to, name)
        scale = (greatest_of_result + 1) // (greatest + 1)
        return (saturate_cast(x, to) if saturate else cast(x, to)) * scale
    if x.dtype.is_floating and to.is_floating:
        return cast(x, to, name)
    if x.dtype.is_integer:
        return cast(x, to) * (1.0 / x.dtype.max)
    scaled = x * (to.max + 0.5)
    return saturate_cast(scaled, to, name) if saturate else cast(scaled, to, name)


def in_floats(image: TensorLike, function: Callable[[Any], Any]) -> Any:
    """Apply a function of floats to images of any dtype; the result has their dtype."""
    x = dispatch.convert(image)
    floats = x if x.dtype.is_floating else convert_image_dtype(x, float32)
    return convert_image_dtype(function(floats), x.dtype, saturate=True)
