"""Where the pixels of images go: turned, cut, padded, resized."""

from __future__ import annotations

from typing import Any

from runtime.composite.images.batches import in_batches, size_of, tensor_of_images
from runtime.composite.images.sampling import resized
from runtime.graph.operation import SymbolicTensor
from runtime.ops import dispatch
from runtime.ops.array.concat_split import pad
from runtime.ops.array.constants import cast, constant
from runtime.ops.array.gather_scatter import gather
from runtime.ops.array.shape import ensure_shape, expand_dims, reverse
from runtime.ops.array.shape import transpose as transpose_of
from runtime.ops.array.where import where
from runtime.ops.math.elementwise import floor, maximum, minimum
from runtime.ops.math.elementwise import round as round_of
from runtime.ops.rules.static_arguments import known_value, static_ints
from runtime.types.aliases import TensorLike
from runtime.types.dtypes import float32, int32

__all__ = [
    "ResizeMethod", "central_crop", "crop_and_resize", "crop_to_bounding_box", "flip_left_right",
    "flip_up_down", "pad_to_bounding_box", "resize", "resize_with_crop_or_pad", "resize_with_pad",
    "rot90", "transpose",
]  # fmt: skip


class ResizeMethod:
    """Names of the ways to resize."""

    AREA = "area"
    BICUBIC = "bicubic"
    BILINEAR = "bilinear"
    GAUSSIAN = "gaussian"
    LANCZOS3 = "lanczos3"
    LANCZOS5 = "lanczos5"
    MITCHELLCUBIC = "mitchellcubic"
    NEAREST_NEIGHBOR = "nearest"


METHODS = tuple(value for name, value in vars(ResizeMethod).items() if name.isupper())


def resize(images: TensorLike, size: Any, method: str = "bilinear",
           preserve_aspect_ratio: bool = False, antialias: bool = False,
           name: str | None = None) -> Any:  # fmt: skip
    """Return images of another size.

    Args:
        images: tensor of shape (batch, height, width, channels) or (height, width, channels),
            whose height and width are known, unless it is ``nearest`` or ``bilinear``.
        size: the new height and width, two ints; for these methods also a tensor.
        method: one of ``ResizeMethod``.
        preserve_aspect_ratio: whether the size is an upper bound, and the ratio of width and
            height stays.
        antialias: whether a pixel of a smaller image is a mean of all pixels that it covers.
    Returns:
        Tensor of float32; with ``nearest`` of the dtype of ``images``.
    Raises:
        ValueError: the rank, the size or the method is another one, or a size is not known.
    """
    if method not in METHODS:
        raise ValueError(f"resize: method must be one of {', '.join(METHODS)}, got {method!r}")
    x = tensor_of_images(images, "resize")
    height, width = _target_size(size)
    rows, columns = x.shape[-3], x.shape[-2]
    is_plain = method == "nearest" or method == "bilinear" and not antialias
    if not is_plain and not all(isinstance(n, int) for n in (rows, columns, height, width)):
        raise ValueError(
            f"resize: with method={method!r} and antialias={antialias} the sizes must be known, "
            f"got images of shape {x.shape}; tf.ensure_shape(images, [...]) states them"
        )
    if preserve_aspect_ratio and not all(isinstance(n, int) for n in (rows, columns)):
        height, width = _within(size_of(x, -3), size_of(x, -2), height, width)
    elif preserve_aspect_ratio:
        scale = min(height / rows, width / columns)
        height, width = round(scale * rows), round(scale * columns)
    x = x if method == "nearest" else cast(x, float32)
    return in_batches(x, "resize", lambda x: resized(x, height, width, method, antialias))


def _target_size(size: Any) -> tuple[Any, Any]:
    """Return the new height and width: ints, or where only a run knows them scalars."""
    if isinstance(size, SymbolicTensor) and known_value(size) is None:
        if not size.shape.is_compatible_with([2]):
            raise ValueError(f"resize: size must be two ints, got the shape {size.shape}")
        return size[0], size[1]
    height, width = (int(n) for n in _pair(size, "resize: size"))
    return height, width


def _within(rows: Any, columns: Any, height: Any, width: Any) -> tuple[Any, Any]:
    """Return the largest size with the ratio of an image within bounds; scalars."""
    sizes = [cast(n, float32) for n in (rows, columns)]
    bounds = [cast(n, float32) for n in (height, width)]
    scale = minimum(bounds[0] / sizes[0], bounds[1] / sizes[1])
    return tuple([cast(round_of(scale * n), int32) for n in sizes])


def _pair(values: Any, what: str) -> list[Any]:
    pair = list(static_ints(values, what))
    if len(pair) != 2:
        raise ValueError(f"{what} must be two ints, got {values!r}")
    return pair


def flip_left_right(image: TensorLike) -> Any:
    """Exchange left and right of images.

    Args:
        image: tensor of shape (..., height, width, channels) and of a floating or integer
            dtype.
    Returns:
        Tensor of the shape and dtype of ``image``.
    """
    return reverse(tensor_of_images(image, "flip_left_right"), [-2])


def flip_up_down(image: TensorLike) -> Any:
    """Exchange top and bottom of images.

    Args:
        image: tensor of shape (..., height, width, channels) and of a floating or integer
            dtype.
    Returns:
        Tensor of the shape and dtype of ``image``.
    """
    return reverse(tensor_of_images(image, "flip_up_down"), [-3])


def transpose(image: TensorLike, name: str | None = None) -> Any:
    """Exchange rows and columns of images.

    Args:
        image: tensor of shape (..., height, width, channels) and of a floating or integer
            dtype.
    Returns:
        Tensor of the new size and of the dtype of ``image``.
    """
    x = tensor_of_images(image, "transpose")
    return transpose_of(x, [1, 0, 2] if x.shape.rank == 3 else [0, 2, 1, 3])


def rot90(image: TensorLike, k: int = 1, name: str | None = None) -> Any:
    """Turn images against the clock by so many times 90 degrees, an int.

    Args:
        image: tensor of shape (..., height, width, channels) and of a floating or integer
            dtype.
        k: number of turns, an int.
    Returns:
        Tensor of the new size and of the dtype of ``image``.
    """
    x = tensor_of_images(image, "rot90")
    turns = int(k) % 4
    if turns == 2:
        return reverse(x, [-3, -2])
    if turns:
        return reverse(transpose(x), [-3 if turns == 1 else -2])
    return x


def crop_to_bounding_box(image: TensorLike, offset_height: int, offset_width: int,
                         target_height: int, target_width: int) -> Any:  # fmt: skip
    """Cut a box out of images.

    Args:
        image: tensor of shape (batch, height, width, channels) or (height, width, channels).
        offset_height: first row; ``offset_width`` is the first column.
        offset_width: first column, an int.
        target_height: number of rows; ``target_width`` is that of columns.
        target_width: number of columns, an int.
    Returns:
        Tensor of the new size and of the dtype of ``image``.
    Raises:
        ValueError: the box is not inside of the images.
    """
    x = tensor_of_images(image, "crop_to_bounding_box")
    _check_box("crop_to_bounding_box", (offset_height, offset_width), (target_height, target_width),
               (x.shape[-3], x.shape[-2]))  # fmt: skip
    rows = slice(offset_height, offset_height + target_height)
    columns = slice(offset_width, offset_width + target_width)
    return x[..., rows, columns, :]


def _check_box(caller: str, offsets: Any, box: Any, sizes: Any) -> None:
    """Check that a box is inside of what has the sizes, as far as numbers are known."""
    names = ("height", "width")
    for name, offset, size, whole in zip(names, offsets, box, sizes, strict=True):
        if not isinstance(offset, int) or not isinstance(size, int):
            continue
        if offset < 0 or size <= 0:
            raise ValueError(
                f"{caller}: offset_{name} must be 0 or more and target_{name} positive, "
                f"got {offset} and {size}"
            )
        if isinstance(whole, int) and offset + size > whole:
            raise ValueError(
                f"{caller}: {name} must be at least offset_{name} + target_{name} = "
                f"{offset + size}, got {whole}"
            )


def pad_to_bounding_box(image: TensorLike, offset_height: int, offset_width: int,
                        target_height: int, target_width: int) -> Any:  # fmt: skip
    """Put images into a larger one of zeros, at an offset.

    Args:
        image: tensor of shape (..., height, width, channels) and of a floating or integer
            dtype.
        offset_height: first row, an int.
        offset_width: first column, an int.
        target_height: number of rows, an int.
        target_width: number of columns, an int.
    Returns:
        Tensor of the new size and of the dtype of ``image``.
    Raises:
        ValueError: the images do not fit.
    """
    x = tensor_of_images(image, "pad_to_bounding_box")
    height, width = size_of(x, -3), size_of(x, -2)
    _check_box("pad_to_bounding_box", (offset_height, offset_width), (height, width),
               (target_height, target_width))  # fmt: skip
    below, right = target_height - offset_height - height, target_width - offset_width - width
    edges = [[offset_height, below], [offset_width, right], [0, 0]]
    return pad(x, [[0, 0], *edges] if x.shape.rank == 4 else edges)


def resize_with_crop_or_pad(image: TensorLike, target_height: int, target_width: int) -> Any:
    """Cut the middle out of images, or put zeros around them, until they have a size.

    Args:
        image: tensor of shape (..., height, width, channels) and of a floating or integer
            dtype.
        target_height: number of rows, an int.
        target_width: number of columns, an int.
    Returns:
        Tensor of the new size and of the dtype of ``image``.
    """
    x = tensor_of_images(image, "resize_with_crop_or_pad")
    height, width = size_of(x, -3), size_of(x, -2)
    if isinstance(height, int) and isinstance(width, int):
        top, left = max((height - target_height) // 2, 0), max((width - target_width) // 2, 0)
        rows, columns = min(height, target_height), min(width, target_width)
        above, before = max((target_height - height) // 2, 0), max((target_width - width) // 2, 0)
    else:
        top, left = (
            maximum((size - target) // 2, 0)
            for size, target in ((height, target_height), (width, target_width))
        )
        rows, columns = minimum(height, target_height), minimum(width, target_width)
        above, before = (
            maximum((target - size) // 2, 0)
            for size, target in ((height, target_height), (width, target_width))
        )
    cut = crop_to_bounding_box(x, top, left, rows, columns)
    whole = pad_to_bounding_box(cut, above, before, target_height, target_width)
    return ensure_shape(whole, [*x.shape[:-3], target_height, target_width, x.shape[-1]])


def resize_with_pad(image: TensorLike, target_height: int, target_width: int,
                    method: str = "bilinear", antialias: bool = False) -> Any:  # fmt: skip
    """Resize images as far as they fit into a size, and put zeros around them.

    Args:
        image: tensor of shape (..., height, width, channels) and of a floating or integer
            dtype.
        target_height: number of rows, an int.
        target_width: number of columns, an int.
        method: one of ``ResizeMethod``.
        antialias: whether a pixel of a smaller image is a mean of all that it covers.
    Returns:
        Tensor of float32, with ``nearest`` of the dtype of ``image``, and of the new size.
    Raises:
        ValueError: a size is not known.
    """
    x = tensor_of_images(image, "resize_with_pad")
    height, width = x.shape[-3], x.shape[-2]
    if height is None or width is None:
        raise ValueError(f"resize_with_pad: the sizes must be known, got shape {x.shape}")
    ratio = max(height / target_height, width / target_width)
    rows, columns = height / ratio, width / ratio
    above, before = (
        max(int((target - size) // 2), 0)
        for target, size in ((target_height, rows), (target_width, columns))
    )
    smaller = resize(x, [int(rows), int(columns)], method, antialias=antialias)
    return pad_to_bounding_box(smaller, above, before, target_height, target_width)


def central_crop(image: TensorLike, central_fraction: float) -> Any:
    """Cut a part of height and width out of the middle of images, at most 1.

    Args:
        image: tensor of shape (..., height, width, channels) and of a floating or integer
            dtype.
        central_fraction: the part that stays, above 0 and at most 1.
    Returns:
        Tensor of the new size and of the dtype of ``image``.
    Raises:
        ValueError: the fraction is another one.
    """
    x = tensor_of_images(image, "central_crop")
    fraction = float(central_fraction)
    if not 0.0 < fraction <= 1.0:
        raise ValueError(f"central_crop: central_fraction must be within (0, 1], got {fraction}")
    if fraction == 1.0:
        return x
    starts, sizes = [], []
    for size in (size_of(x, -3), size_of(x, -2)):
        if isinstance(size, int):
            start = int((size - size * fraction) / 2)
        else:
            start = cast((cast(size, "float64") * (1 - fraction)) / 2, int32)
        starts.append(start)
        sizes.append(size - start * 2)
    return crop_to_bounding_box(x, *starts, *sizes)


def crop_and_resize(image: TensorLike, boxes: TensorLike, box_indices: TensorLike, crop_size: Any,
                    method: str = "bilinear", extrapolation_value: float = 0.0,
                    name: str | None = None) -> Any:  # fmt: skip
    """Cut boxes out of images and resize them.

    Args:
        image: tensor of shape (batch, height, width, channels).
        boxes: tensor of shape (count, 4): y1, x1, y2, x2, from 0 to 1; y2 < y1 turns a box
            around.
        box_indices: the image of each box, a vector of ints.
        crop_size: height and width of the results, two ints.
        method: ``bilinear`` or ``nearest``.
        extrapolation_value: what is outside of an image.
    Returns:
        Tensor of float32 and of shape (count, height, width, channels).
    Raises:
        ValueError: the method is another one.
    """
    if method not in ("bilinear", "nearest"):
        raise ValueError(f"crop_and_resize: method must be bilinear or nearest, got {method!r}")
    x = cast(dispatch.convert(image), float32)
    corners, index = cast(dispatch.convert(boxes), float32), dispatch.convert(box_indices)
    rows, columns = _pair(crop_size, "crop_and_resize: crop_size")
    down = _box_places(corners[:, 0], corners[:, 2], size_of(x, 1), rows)
    across = _box_places(corners[:, 1], corners[:, 3], size_of(x, 2), columns)
    images = gather(x, index)

    def along(values: Any, places: Any, axis: int) -> tuple[Any, Any]:
        """Return what is at places along an axis, and whether they are inside of the image."""
        size = size_of(values, axis)
        last = cast(size, float32) - 1.0
        is_inside = (places >= 0.0) & (places <= last)
        inside = minimum(maximum(places, 0.0), last)
        if method == "nearest":
            read = gather(values, cast(floor(inside + 0.5), int32), axis=axis, batch_dims=1)
            return read, is_inside
        lower = floor(inside)
        upper = minimum(lower + 1.0, last)
        share = inside - lower
        for _ in range(axis - 1):
            share = expand_dims(share, 1)
        for _ in range(3 - axis):
            share = expand_dims(share, -1)
        first = gather(values, cast(lower, int32), axis=axis, batch_dims=1)
        second = gather(values, cast(upper, int32), axis=axis, batch_dims=1)
        return first + (second - first) * share, is_inside

    lines, row_inside = along(images, down, 1)
    pixels, column_inside = along(lines, across, 2)
    is_inside = expand_dims(row_inside, 2) & expand_dims(column_inside, 1)
    return where(expand_dims(is_inside, -1), pixels, constant(extrapolation_value, float32))


def _box_places(start: Any, stop: Any, size: Any, count: int) -> Any:
    """Return the places along an axis that the pixels of each box are read at."""
    last = cast(size, float32) - 1.0
    if count == 1:
        return expand_dims(0.5 * (start + stop) * last, -1)
    steps = expand_dims((stop - start) * last / (count - 1), -1)
    return expand_dims(start * last, -1) + steps * constant([*range(count)], float32)
