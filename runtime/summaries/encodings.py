"""Encodings of values as summaries, as TensorBoard's plugins of scalars, images ... read them.

Functions from a tag and an array to messages: in the forms of TensorFlow 2, and of TensorFlow 1
where a session fetches them.
"""

from __future__ import annotations

import io
import wave
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.summaries import messages, png
from runtime.summaries.messages import BLOBS, SCALAR, TENSOR, metadata, summary_value
from runtime.types.errors import InvalidArgumentError
from runtime.types.wire_format import whole_number

Encoding = Callable[[str, Any], list[bytes]]


def scalar(description: str | None) -> Encoding:
    """Return the encoding of a number, as float32."""
    about = metadata("scalars", SCALAR, description)

    def values(tag: str, data: Any) -> list[bytes]:
        if np.shape(data):
            raise InvalidArgumentError(
                f"summary.scalar {tag!r} takes a scalar, got shape {np.shape(data)}"
            )
        return [summary_value(tag, messages.tensor_content(np.float32(data), about))]

    return values


def histogram(buckets: int, description: str | None) -> Encoding:
    """Return the encoding of a histogram: rows of lower end, upper end and count."""
    about = metadata("histograms", TENSOR, description)

    def values(tag: str, data: Any) -> list[bytes]:
        return [summary_value(tag, messages.tensor_content(bucketed(data, buckets), about))]

    return values


def bucketed(data: Any, buckets: int) -> Any:
    """Count values in buckets of one width; the last one holds its upper end, too.

    Values that are all equal are in the last bucket, and all buckets have no width.
    """
    numbers = np.asarray(data, np.float64).reshape(-1)
    rows = np.zeros((buckets, 3))
    if not (numbers.size and buckets):
        return rows
    if not np.isfinite(numbers).all():
        raise InvalidArgumentError("a histogram takes finite values, got NaN or infinity")
    low, high = numbers.min(), numbers.max()
    if low == high:
        rows[:, :2], rows[-1, 2] = low, numbers.size
        return rows
    rows[:, 2], edges = np.histogram(numbers, buckets, (low, high))
    rows[:, 0], rows[:, 1] = edges[:-1], edges[1:]
    return rows


def image(most: int, description: str | None) -> Encoding:
    """Return the encoding of images: width, height and PNGs, as texts."""
    about = metadata("images", BLOBS, description)

    def values(tag: str, data: Any) -> list[bytes]:
        pictures = pixels("summary.image", tag, data)[:most]
        height, width = np.shape(data)[1:3]
        sizes = [str(width).encode(), str(height).encode()]
        content = np.array([*sizes, *[png.encode(p) for p in pictures]], object)
        return [summary_value(tag, messages.tensor_content(content, about))]

    return values


def pixels(function: str, tag: str, data: Any) -> Any:
    """Return images as unsigned ints: floats from 0 to 1 become 0 to 255."""
    array = np.asarray(data)
    if array.ndim != 4 or array.shape[3] not in (1, 2, 3, 4) or 0 in array.shape[1:3]:
        raise InvalidArgumentError(
            f"{function} {tag!r} takes images of shape [k, height, width, channels] with 1 to 4 "
            f"channels, got shape {array.shape}"
        )
    if array.dtype in (np.uint8, np.uint16):
        return array
    if array.dtype.kind not in "f":
        raise InvalidArgumentError(
            f"{function} {tag!r} takes images of uint8, uint16 or floats from 0 to 1, got "
            f"{array.dtype.name}"
        )
    scaled = np.nan_to_num(array.astype(np.float64)) * 255.5
    return np.clip(scaled, 0, 255).astype(np.uint8)


def text(description: str | None) -> Encoding:
    """Return the encoding of texts, which TensorBoard shows as Markdown."""
    about = metadata("text", TENSOR, description)

    def values(tag: str, data: Any) -> list[bytes]:
        return [summary_value(tag, messages.tensor_content(np.asarray(data, object), about))]

    return values


def audio(rate: int, most: int, description: str | None) -> Encoding:
    """Return the encoding of clips: a WAV file of 16 bits, and a label, for each."""
    about = metadata("audio", BLOBS, description, whole_number(2, 11))

    def values(tag: str, data: Any) -> list[bytes]:
        clips = np.asarray(data)
        if clips.ndim != 3 or clips.dtype.kind != "f" or not 1 <= clips.shape[2] <= 2:
            raise InvalidArgumentError(
                f"summary.audio {tag!r} takes floats of shape [clips, frames, channels] with 1 or "
                f"2 channels, got {clips.dtype.name} of shape {clips.shape}"
            )
        rows = [[_wav(clip, rate), b""] for clip in clips[:most]]
        content = np.array(rows, object).reshape(-1, 2)
        return [summary_value(tag, messages.tensor_content(content, about))]

    return values


def _wav(clip: Any, rate: int) -> bytes:
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(clip.shape[1])
        file.setsampwidth(2)
        file.setframerate(rate)
        scaled = np.round(np.clip(np.nan_to_num(clip.astype(np.float64)), -1, 1) * 32767)
        file.writeframes(scaled.astype("<i2").tobytes())
    return buffer.getvalue()


def array(about: bytes) -> Encoding:
    """Return the encoding of any array, with metadata that the user gives."""

    def values(tag: str, data: Any) -> list[bytes]:
        return [summary_value(tag, messages.tensor_content(data, about))]

    return values


def scalar_v1(tag: str, data: Any) -> list[bytes]:
    """Encode a number."""
    if np.shape(data):
        raise InvalidArgumentError(
            f"summary.scalar {tag!r} takes a scalar, got shape {np.shape(data)}"
        )
    return [summary_value(tag, messages.simple_content(float(data)))]


def histogram_v1(tag: str, data: Any) -> list[bytes]:
    """Encode a histogram with buckets that grow by a tenth, as TensorFlow 1 has them."""
    numbers = np.asarray(data, np.float64).reshape(-1)
    if not np.isfinite(numbers).all():
        raise InvalidArgumentError(f"summary.histogram {tag!r}: NaN or infinity in the values")
    if not numbers.size:
        return [summary_value(tag, messages.histogram_content(numbers, [0.0], [0.0]))]
    limits = _growing_limits()
    places = np.searchsorted(limits, numbers, side="right")
    counts = np.bincount(places, minlength=len(limits))
    used = np.flatnonzero(counts)
    chosen = slice(max(0, used[0] - 1), used[-1] + 1)
    content = messages.histogram_content(
        numbers, limits[chosen].tolist(), counts[chosen].astype(float).tolist()
    )
    return [summary_value(tag, content)]


def _growing_limits() -> Any:
    positive = 1e-12 * 1.1 ** np.arange(774)
    return np.concatenate([-positive[::-1], [0.0], positive, [np.finfo(np.float64).max]])


def image_v1(most: int) -> Encoding:
    """Return the encoding of images with a tag for each: ``tag/image/0`` ..."""

    def values(tag: str, data: Any) -> list[bytes]:
        pictures = pixels("summary.image", tag, _stretched(data))[:most]
        tags = [f"{tag}/image" if most == 1 else f"{tag}/image/{k}" for k in range(len(pictures))]
        return [
            summary_value(name, messages.image_content(picture.shape, png.encode(picture)))
            for name, picture in zip(tags, pictures, strict=True)
        ]

    return values


def _stretched(data: Any) -> Any:
    """Stretch floats so that the extremes are 0 and 255; 0 becomes 127 if there are negatives."""
    array = np.asarray(data)
    if array.dtype.kind != "f" or not array.size:
        return array
    finite = np.nan_to_num(array.astype(np.float64), posinf=0.0, neginf=0.0)
    low, high = finite.min(), finite.max()
    if low < 0:
        most = max(-low, high)
        return (finite * (127 / most) + 128).astype(np.uint8)
    return (finite * (255 / high if high else 0.0)).astype(np.uint8)
