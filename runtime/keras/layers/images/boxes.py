"""Boxes around things in images: their formats, and what is left of them inside of an image.

The layers of this folder use it.  Boxes are (..., 4), their labels (...); both stand in a dict.
"""

from __future__ import annotations

from typing import Any

from runtime.ops.array.concat_split import concat, split
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.creation import ones_like
from runtime.ops.array.shape import squeeze
from runtime.ops.array.where import where
from runtime.ops.math.elementwise import maximum, minimum
from runtime.ops.math.reduction import reduce_max, reduce_min

FORMATS = (
    "xyxy", "yxyx", "xywh", "center_xywh", "center_yxhw", "rel_xyxy", "rel_yxyx", "rel_xywh",
    "rel_center_xywh",
)  # fmt: skip


def convert_format(
    boxes: Any, source: str, target: str, height: Any = None, width: Any = None,
    dtype: Any = "float32",
) -> Any:  # fmt: skip
    """Return boxes in another format.

    Args:
        boxes: (..., 4), or a dict with these as ``boxes``.
        source: format of the boxes: 'xyxy' (left, top, right, bottom), 'yxyx', 'xywh' (left, top,
            width, height), 'center_xywh', 'center_yxhw', or, as shares of the image, 'rel_xyxy',
            'rel_yxyx', 'rel_xywh', 'rel_center_xywh'.
        target: format of the result.
        height: height of the image, where one of the formats is relative.
        width: width of the image.
        dtype: dtype of the result.

    Returns:
        Boxes, or a dict with them.

    Raises:
        ValueError: for other formats, for boxes that have not four numbers, and without a size
            where it is needed.
    """
    if isinstance(boxes, dict):
        numbers = convert_format(boxes["boxes"], source, target, height, width, dtype)
        return {**boxes, "boxes": numbers}
    boxes = convert_to_tensor(boxes)
    if boxes.shape[-1] != 4:
        raise ValueError(
            "`boxes` must be a tensor with the last dimension of 4. "
            f"Received: boxes.shape={boxes.shape}"
        )
    source, target = source.lower(), target.lower()
    if source not in FORMATS or target not in FORMATS:
        raise ValueError(f"Invalid source or target format. Supported formats: {FORMATS}")
    shares = [kind.startswith("rel_") for kind in (source, target)]
    if any(shares) and (height is None or width is None):
        raise ValueError(
            "convert_format() must receive `height` and `width` between relative and absolute "
            f"formats. Received: source={source!r}, target={target!r}, height={height} and "
            f"width={width}"
        )
    boxes = cast(boxes, dtype)
    if source == target:
        return boxes
    numbers = _corners(split(boxes, 4, axis=-1), source.removeprefix("rel_"))
    if shares[0] and not shares[1]:
        right, below = (cast(size, dtype) for size in (width, height))
        numbers = [n * size for n, size in zip(numbers, [right, below] * 2, strict=True)]
    kind = target.removeprefix("rel_")
    numbers = _from_corners(numbers, kind)
    if shares[1] and not shares[0]:
        right, below = (cast(size, dtype) for size in (width, height))
        sizes = [below, right] if kind in ("yxyx", "center_yxhw") else [right, below]
        numbers = [n / size for n, size in zip(numbers, sizes * 2, strict=True)]
    return concat(numbers, -1)


def _corners(numbers: list[Any], kind: str) -> list[Any]:
    """Return left, top, right and bottom."""
    a, b, c, d = numbers
    if kind in ("yxyx", "center_yxhw"):
        a, b, c, d = b, a, d, c
    if kind == "xywh":
        return [a, b, a + c, b + d]
    if kind.startswith("center"):
        return [a - c / 2.0, b - d / 2.0, a + c / 2.0, b + d / 2.0]
    return [a, b, c, d]


def _from_corners(numbers: list[Any], kind: str) -> list[Any]:
    a, b, c, d = numbers
    if kind == "xywh":
        c, d = c - a, d - b
    elif kind.startswith("center"):
        a, b, c, d = a + (c - a) / 2.0, b + (d - b) / 2.0, c - a, d - b
    return [b, a, d, c] if kind in ("yxyx", "center_yxhw") else [a, b, c, d]


def clip_to_image_size(
    bounding_boxes: Any, height: Any = None, width: Any = None, bounding_box_format: str = "xyxy"
) -> Any:
    """Return boxes without what is outside of an image; nothing is left of one: label -1.

    Args:
        bounding_boxes: dict with ``boxes``, (..., 4), and perhaps their ``labels``.
        height: height of the image.
        width: width of the image.
        bounding_box_format: 'xyxy', or 'rel_xyxy', where no size is needed.

    Returns:
        Dict with both.

    Raises:
        ValueError: without a size for 'xyxy', and for other formats.
    """
    if bounding_box_format not in ("xyxy", "rel_xyxy"):
        raise ValueError(
            "clip_to_image_size() takes boxes in the formats 'xyxy' and 'rel_xyxy': convert them "
            f"by convert_format(). Received: bounding_box_format={bounding_box_format!r}"
        )
    if bounding_box_format == "rel_xyxy":
        height = width = 1.0
    elif height is None or width is None:
        raise ValueError("`height` and `width` must be set if `format='xyxy'`.")
    boxes = convert_to_tensor(bounding_boxes["boxes"])
    right, below = (cast(size, boxes.dtype) for size in (width, height))
    boxes = within(boxes, 0, 0, right, below)
    clipped = {**bounding_boxes, "boxes": boxes}
    if bounding_boxes.get("labels") is not None:
        left, top, right, below = split(boxes, 4, axis=-1)
        area = squeeze((right - left) * (below - top), [-1])
        labels = convert_to_tensor(bounding_boxes["labels"])
        clipped["labels"] = where(area > 0, labels, cast(-1, labels.dtype))
    return clipped


def within(boxes: Any, left: Any, top: Any, right: Any, below: Any) -> Any:
    """Return what of boxes 'xyxy' is inside of another box, seen from its left upper corner."""
    numbers = split(boxes, 4, axis=-1)
    bounds = [(left, right), (top, below)] * 2
    kind = boxes.dtype
    return concat(
        [
            minimum(maximum(n, cast(low, kind)), cast(high, kind)) - cast(low, kind)
            for n, (low, high) in zip(numbers, bounds, strict=True)
        ],
        -1,
    )


def moved(boxes: Any, matrix: Any) -> Any:
    """Return the boxes around boxes 'xyxy' whose corners an affine map moves.

    ``boxes`` is (batch, count, 4), ``matrix`` (batch, 2, 3).
    """
    a, b, c, d = split(boxes, 4, axis=-1)
    across, down = concat([a, c, c, a], -1), concat([b, b, d, d], -1)
    corners = [across, down, ones_like(across)]
    row = [
        sum(matrix[:, axis, n, None, None] * corner for n, corner in enumerate(corners))
        for axis in (0, 1)
    ]
    low = [reduce_min(n, [-1], keepdims=True) for n in row]
    high = [reduce_max(n, [-1], keepdims=True) for n in row]
    return concat([*low, *high], -1)
