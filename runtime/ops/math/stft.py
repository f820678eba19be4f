"""Windows, frames and short-time transforms, composed of the ops of fft.py and others."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.ops import dispatch
from runtime.ops.array.concat_split import concat, pad, tile
from runtime.ops.array.constants import cast, constant
from runtime.ops.array.creation import range as range_op
from runtime.ops.array.gather_scatter import gather
from runtime.ops.array.shape import known_rank, reshape, reverse, sizes_of, transpose
from runtime.ops.math.elementary import complex as complex_op
from runtime.ops.math.elementary import cos, exp, real, sin
from runtime.ops.math.elementwise import maximum, square
from runtime.ops.math.fft import fft, irfft, rfft
from runtime.ops.math.reduction import reduce_sum
from runtime.ops.math.scans import unsorted_segment_sum
from runtime.ops.rules.inference import normal_axis
from runtime.ops.rules.static_arguments import dtype_of, static_int
from runtime.types.aliases import DTypeLike, TensorLike
from runtime.types.dtypes import complex64, complex128, float32, float64

__all__: list[str] = []


def _cosine_window(length: Any, periodic: bool, dtype: Any, a: float) -> Any:
    size = static_int(length, "window_length")
    if not dtype.is_floating:
        raise ValueError(f"dtype must be a floating point type. Found {dtype}")
    if size == 1:
        return constant([1.0], dtype)
    span = size - 1 + (bool(periodic) and size % 2 == 0)  # odd windows are symmetric
    steps = 2 * math.pi * np.arange(size) / max(span, 1)
    return cast(constant(a - (1 - a) * np.cos(steps)), dtype)


def hann_window(window_length: Any, periodic: bool = True, dtype: DTypeLike = float32,
                name: str | None = None) -> Any:  # fmt: skip
    """Make a Hann window: a raised cosine.

    Harris: On the Use of Windows for Harmonic Analysis with the Discrete Fourier Transform (1978).

    Args:
        window_length: number of samples.
        periodic: whether the window is periodic, for spectra; otherwise it is symmetric.
        dtype: floating dtype of the result.
    Returns:
        Tensor of shape (window_length,) and of dtype ``dtype``.
    Raises:
        ValueError: ``dtype`` is not floating.
    """
    return _cosine_window(window_length, periodic, dtype_of(dtype, float32), 0.5)


def hamming_window(window_length: Any, periodic: bool = True, dtype: DTypeLike = float32,
                   name: str | None = None) -> Any:  # fmt: skip
    """Make a Hamming window: a raised cosine that does not end at 0.

    Harris: On the Use of Windows for Harmonic Analysis with the Discrete Fourier Transform (1978).

    Args:
        window_length: number of samples.
        periodic: whether the window is periodic, for spectra; otherwise it is symmetric.
        dtype: floating dtype of the result.
    Returns:
        Tensor of shape (window_length,) and of dtype ``dtype``.
    Raises:
        ValueError: ``dtype`` is not floating.
    """
    return _cosine_window(window_length, periodic, dtype_of(dtype, float32), 0.54)


def kaiser_window(window_length: Any, beta: float = 12.0, dtype: DTypeLike = float32,
                  name: str | None = None) -> Any:  # fmt: skip
    """Make a Kaiser window.

    Kaiser and Schafer: On the Use of the I0-Sinh Window for Spectrum Analysis (1980).

    Args:
        window_length: number of samples.
        beta: parameter of the shape; 0 makes a rectangle.
        dtype: dtype of the result.
    Returns:
        Tensor of shape (window_length,) and of dtype ``dtype``.
    """
    size = static_int(window_length, "window_length")
    return cast(constant(np.kaiser(size, float(beta))), dtype_of(dtype, float32))


def vorbis_window(window_length: Any, dtype: DTypeLike = float32, name: str | None = None) -> Any:
    """Make a window of the Vorbis format, whose squares overlap to one.

    Xiph.Org Foundation: Vorbis I Specification, section 4.3.1.

    Args:
        window_length: number of samples.
        dtype: dtype of the result.
    Returns:
        Tensor of shape (window_length,) and of dtype ``dtype``.
    """
    size = static_int(window_length, "window_length")
    steps = np.sin(math.pi * (np.arange(size) + 0.5) / size)
    return cast(constant(np.sin(math.pi / 2 * steps**2)), dtype_of(dtype, float32))


def frame(signal: TensorLike, frame_length: Any, frame_step: Any, pad_end: bool = False,
          pad_value: Any = 0, axis: int = -1, name: str | None = None) -> Any:  # fmt: skip
    """Cut signals into overlapping frames.

    Args:
        signal: tensor of any dtype, of known rank.
        frame_length: number of samples in a frame.
        frame_step: number of samples from one frame to the next.
        pad_end: whether to complete the last frames with ``pad_value``, rather than drop them.
        pad_value: scalar that completes them.
        axis: axis of the samples.
    Returns:
        Tensor of the dtype of ``signal`` in which the axes (frames, frame_length) replace ``axis``.
    Raises:
        ValueError: the rank is not known, or ``axis`` is out of range.
    """
    x = dispatch.convert(signal)
    rank = known_rank(x, "frame")
    at = normal_axis(static_int(axis, "axis"), rank)
    length, step = static_int(frame_length, "frame_length"), static_int(frame_step, "frame_step")
    size = sizes_of(x)[at]
    greater = max if x.shape[at] is not None else maximum  # a size that is not known is a tensor
    if pad_end:
        count = -(-size // step)
        short = greater(0, length + step * (count - 1) - size)
        edge = [[0, 0]] * at + [[0, short]] + [[0, 0]] * (rank - at - 1)
        x = pad(x, edge, constant_values=cast(pad_value, x.dtype))
    else:
        count = greater(0, 1 + (size - length) // step)
    first = np.arange(count, dtype=np.int32) if greater is max else range_op(count)
    places = first[:, None] * np.int32(step) + np.arange(length, dtype=np.int32)
    return gather(x, places, axis=at, name=name)


def overlap_and_add(signal: TensorLike, frame_step: Any, name: str | None = None) -> Any:
    """Add up overlapping frames into signals: the reverse of ``frame``.

    Args:
        signal: tensor of shape (..., frames, frame_length) and of a numeric dtype.
        frame_step: number of samples from one frame to the next.
    Returns:
        Tensor of shape (..., (frames - 1) * frame_step + frame_length) and of the same dtype.
    Raises:
        ValueError: the number of frames or their length is not known, or the rank is less than 2.
    """
    x, step = dispatch.convert(signal), static_int(frame_step, "frame_step")
    rank = known_rank(x, "overlap_and_add")
    x.shape.with_rank_at_least(2)
    count, length = x.shape[-2], x.shape[-1]
    if count is None or length is None:
        raise ValueError(f"overlap_and_add needs frames of known number and size, got {x.shape}")
    size = (count - 1) * step + length if count else 0
    places = np.arange(count)[:, None] * step + np.arange(length)
    order = [rank - 2, rank - 1, *range(rank - 2)]
    sums = unsorted_segment_sum(transpose(x, order), places.astype(np.int32), size)
    return transpose(sums, [*range(1, rank - 1), 0], name=name or "transpose")


def _enclosing(length: int) -> int:
    return 1 << max(0, length - 1).bit_length()


def stft(signals: TensorLike, frame_length: Any, frame_step: Any, fft_length: Any = None,
         window_fn: Callable[..., Any] | None = hann_window, pad_end: bool = False,
         name: str | None = None) -> Any:  # fmt: skip
    """Compute short-time Fourier transforms.

    Allen and Rabiner: A Unified Approach to Short-Time Fourier Analysis and Synthesis (1977).

    Args:
        signals: tensor of shape (..., samples) and of a floating dtype.
        frame_length: number of samples in a frame.
        frame_step: number of samples from one frame to the next.
        fft_length: length of the transforms; by default the least power of 2 that holds a frame.
        window_fn: function of (length, dtype=...) that makes the window; None for none.
        pad_end: whether to complete the last frames with zeros, rather than drop them.
    Returns:
        Tensor of shape (..., frames, fft_length // 2 + 1), of dtype complex64, or complex128 of
        float64.
    Raises:
        ValueError: the dtype is another one.
    """
    x = dispatch.convert(signals)
    length = static_int(frame_length, "frame_length")
    size = _enclosing(length) if fft_length is None else static_int(fft_length, "fft_length")
    frames = frame(x, length, frame_step, pad_end)
    if window_fn is not None:
        frames = frames * window_fn(length, dtype=x.dtype)
    return rfft(frames, [size], name=name)


def inverse_stft(stfts: TensorLike, frame_length: Any, frame_step: Any, fft_length: Any = None,
                 window_fn: Callable[..., Any] | None = hann_window,
                 name: str | None = None) -> Any:  # fmt: skip
    """Compute signals of short-time Fourier transforms, by overlapping and adding their frames.

    Griffin and Lim: Signal Estimation from Modified Short-Time Fourier Transform (1984).

    Args:
        stfts: tensor of shape (..., frames, fft_length // 2 + 1) and of a complex dtype.
        frame_length: number of samples in a frame.
        frame_step: number of samples from one frame to the next.
        fft_length: length of the transforms; by default the least power of 2 that holds a frame.
        window_fn: function that makes the window; that of ``inverse_stft_window_fn`` restores the
            signal.
    Returns:
        Tensor of shape (..., (frames - 1) * frame_step + frame_length), of dtype float32 or
        float64.
    Raises:
        ValueError: the number of frames is not known.
        InvalidArgumentError: the dtype is another one (also a TypeError).
    """
    x = dispatch.convert(stfts)
    length = static_int(frame_length, "frame_length")
    size = _enclosing(length) if fft_length is None else static_int(fft_length, "fft_length")
    frames = irfft(x, [size])[..., :length]
    if size < length:
        frames = pad(frames, [[0, 0]] * (known_rank(frames, "stft") - 1) + [[0, length - size]])
    if window_fn is not None:
        frames = frames * window_fn(length, dtype=frames.dtype)
    return overlap_and_add(frames, frame_step, name=name)


def inverse_stft_window_fn(frame_step: Any, forward_window_fn: Callable[..., Any] = hann_window,
                           name: str | None = None) -> Callable[..., Any]:  # fmt: skip
    """Make the function of the window with which ``inverse_stft`` restores a signal.

    Griffin and Lim: Signal Estimation from Modified Short-Time Fourier Transform (1984).

    Args:
        frame_step: number of samples from one frame to the next.
        forward_window_fn: function of (length, dtype=...) that made the window of ``stft``.
    Returns:
        Function of (frame_length, dtype=...) that makes a vector of ``frame_length`` numbers.
    """
    step = static_int(frame_step, "frame_step")

    def window(frame_length: Any, dtype: Any = float32) -> Any:
        length = static_int(frame_length, "frame_length")
        forward = forward_window_fn(length, dtype=dtype)
        overlaps = -(-length // step)
        squares = pad(square(forward), [[0, overlaps * step - length]])
        total = tile(reduce_sum(reshape(squares, [overlaps, step]), 0), [overlaps])[:length]
        return forward / total

    return window


def dct(input: TensorLike, type: int = 2, n: int | None = None, axis: int = -1,
        norm: str | None = None, name: str | None = None) -> Any:  # fmt: skip
    """Compute discrete cosine transforms along the last axis.

    Ahmed, Natarajan, Rao: Discrete Cosine Transform (1974); by Fourier transforms.

    Args:
        input: tensor of shape (..., N) and of dtype float32 or float64, N known.
        type: type of the transform: 1, 2, 3 or 4.
        n: length to which the axis is cut or filled with zeros; N by default.
        axis: -1, the last axis.
        norm: None, or 'ortho' for an orthonormal transform (not for type 1).
    Returns:
        Tensor of shape (..., n) and of the dtype of ``input``.
    Raises:
        ValueError: ``type`` or ``norm`` is unknown, N is not known, or N is 1 for type 1.
        TypeError: the dtype is another one.
        NotImplementedError: ``axis`` is not -1.
    """
    x = _sized(input, n, axis, norm, type)
    if type == 4:  # every second one of twice as many of type 2
        edge = [[0, 0]] * (len(x.shape) - 1) + [[0, int(x.shape[-1])]]
        result = dct(pad(x, edge))[..., 1::2]
        return result * math.sqrt(0.5 / int(x.shape[-1])) if norm == "ortho" else result
    size = int(x.shape[-1])
    wide = complex64 if x.dtype is float32 else complex128
    if type == 1:
        if norm is not None:
            raise ValueError("DCT-I has no norm: give norm=None")
        if size < 2:
            raise ValueError("DCT-I needs two numbers or more along the last axis")
        mirrored = concat([x, reverse(x, [-1])[..., 1:-1]], -1)
        return real(rfft(mirrored), name=name)
    if type == 3:
        return _third(x, size, norm, wide, name)
    rotation = exp(cast(constant(-0.5j * math.pi * np.arange(size) / size), wide))
    spectrum = rfft(x, [2 * size])[..., :size]
    result = real(spectrum * rotation) * 2.0
    if norm == "ortho":
        scale = np.full(size, math.sqrt(0.5 / size))
        scale[0] = math.sqrt(0.25 / size)
        result = result * cast(constant(scale), x.dtype)
    return result


def _third(x: Any, size: int, norm: str | None, wide: Any, name: str | None) -> Any:
    """The transform of type 3, by the real part of a Fourier transform."""
    if norm == "ortho":
        scale = np.full(size, math.sqrt(size * 2.0) * 0.5)
        scale[0] = math.sqrt(size)
        x = x * cast(constant(scale), x.dtype) * (2.0 / size) * 0.5
        x = x * cast(constant(np.r_[1.0, np.full(size - 1, 2.0)]), x.dtype)
    else:
        x = x * cast(constant(np.r_[1.0, np.full(size - 1, 2.0)]), x.dtype)
    angles = cast(constant(math.pi * np.arange(size) / (2 * size)), x.dtype)
    turned = complex_op(x * cos(angles), -(x * sin(angles)))
    padded = pad(turned, [[0, 0]] * (known_rank(x, "dct") - 1) + [[0, size]])
    return real(fft(cast(padded, wide))[..., :size], name=name)


def _sized(input: Any, n: Any, axis: int, norm: str | None, type: int) -> Any:
    x = dispatch.convert(input)
    if axis != -1:
        raise NotImplementedError(f"axis must be -1. Got: {axis}")
    if type not in (1, 2, 3, 4):
        raise ValueError(f"Types I, II, III and IV (I)DCT are supported, got type={type!r}")
    if norm not in (None, "ortho"):
        raise ValueError(f"Unknown normalization. Expected None or 'ortho', got: {norm}")
    if x.dtype not in (float32, float64):
        raise TypeError(f"dct takes float32 and float64, got {x.dtype.name}")
    if not x.shape.dims or x.shape.dims[-1] is None:
        raise ValueError(f"dct needs a known size along the last axis, got shape {x.shape}")
    if n is None:
        return x
    size, have = static_int(n, "n"), int(x.shape[-1])
    if size <= have:
        return x[..., :size]
    return pad(x, [[0, 0]] * (len(x.shape) - 1) + [[0, size - have]])


def idct(input: TensorLike, type: int = 2, n: int | None = None, axis: int = -1,
         norm: str | None = None, name: str | None = None) -> Any:  # fmt: skip
    """Compute inverse discrete cosine transforms along the last axis.

    Without 'ortho' ``idct(dct(x))`` is ``x`` times 2 * n, for type 1 times 2 * (n - 1).

    Args:
        input: tensor of shape (..., N) and of dtype float32 or float64, N known.
        type: type of the transform that is inverted: 1, 2, 3 or 4.
        n: length to which the axis is cut or filled with zeros; N by default.
        axis: -1, the last axis.
        norm: None, or 'ortho' for an orthonormal transform (not for type 1).
    Returns:
        Tensor of shape (..., n) and of the dtype of ``input``.
    Raises:
        ValueError: ``type`` or ``norm`` is unknown, N is not known, or N is 1 for type 1.
        TypeError: the dtype is another one.
        NotImplementedError: ``axis`` is not -1.
    """
    return dct(input, {1: 1, 2: 3, 3: 2}.get(type, type), n, axis, norm, name)
