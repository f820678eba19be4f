"""Transforms of sound: modified cosine transforms, mel frequencies, cepstra; made of signals.py."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.ops import dispatch
from runtime.ops.array.concat_split import concat, split
from runtime.ops.array.constants import cast, constant
from runtime.ops.array.shape import reverse
from runtime.ops.math.stft import dct, frame, overlap_and_add, vorbis_window
from runtime.ops.rules.static_arguments import dtype_of, static_int
from runtime.types.aliases import DTypeLike, TensorLike
from runtime.types.dtypes import as_dtype, float32

__all__: list[str] = []

Window = Callable[..., Any]


def kaiser_bessel_derived_window(window_length: Any, beta: float = 12.0, dtype: DTypeLike = float32,
                                 name: str | None = None) -> Any:  # fmt: skip
    """The power-complementary window that sums of Kaiser's window make."""
    half = static_int(window_length, "window_length") // 2
    sums = np.cumsum(np.kaiser(half + 1, float(beta)))
    rising = np.sqrt(sums[:-1] / sums[-1])
    whole = np.concatenate([rising, rising[::-1]])
    return cast(constant(whole), dtype_of(dtype, float32), name=name)


def _windowed(frames: Any, length: int, window_fn: Window | None) -> Any:
    if window_fn is None:
        return frames * math.sqrt(0.5)
    return frames * window_fn(length, dtype=frames.dtype)


def _checked_norm(norm: str | None) -> None:
    if norm not in (None, "ortho"):
        raise ValueError(f"norm must be None or 'ortho', got {norm!r}")


def mdct(
    signals: TensorLike, frame_length: Any, window_fn: Window | None = vorbis_window,
    pad_end: bool = False, norm: str | None = None, name: str | None = None,
) -> Any:  # fmt: skip
    """The modified discrete cosine transforms of half overlapping frames.

    (..., frames, ``frame_length // 2``); ValueError unless ``frame_length`` is a multiple of 4.
    """
    _checked_norm(norm)
    length = static_int(frame_length, "frame_length")
    if length <= 0 or length % 4:
        raise ValueError(f"mdct: frame_length must be a positive multiple of 4, got {length}")
    frames = _windowed(frame(signals, length, length // 2, pad_end), length, window_fn)
    a, b, c, d = split(frames, 4, -1)
    folded = concat([-reverse(c, [-1]) - d, a - reverse(b, [-1])], -1)
    return dct(folded, type=4, norm=norm, name=name)


def inverse_mdct(mdcts: TensorLike, window_fn: Window | None = vorbis_window,
                 norm: str | None = None, name: str | None = None) -> Any:  # fmt: skip
    """The signals whose ``mdct`` this is, but for the first and last half frame."""
    _checked_norm(norm)
    x = dispatch.convert(mdcts)
    half = None if x.shape.dims is None else x.shape[-1]
    if half is None:
        raise ValueError(f"inverse_mdct needs a known size along the last axis, got {x.shape}")
    cosines = dct(x, type=4, norm=norm)
    cosines = cosines if norm else cosines * (0.5 / half)
    x, y = split(cosines, 2, -1)
    frames = concat([y, -reverse(y, [-1]), -reverse(x, [-1]), -x], -1)
    return overlap_and_add(_windowed(frames, 2 * half, window_fn), half, name)


def _mel(hertz: Any) -> Any:
    return 1127.0 * np.log(1.0 + np.asarray(hertz) / 700.0)


def linear_to_mel_weight_matrix(
    num_mel_bins: int = 20, num_spectrogram_bins: int = 129, sample_rate: float = 8000,
    lower_edge_hertz: float = 125.0, upper_edge_hertz: float = 3800.0, dtype: DTypeLike = float32,
    name: str | None = None,
) -> Any:  # fmt: skip
    """The matrix by which spectra become ones of bins that are evenly spaced on the mel scale.

    (``num_spectrogram_bins``, ``num_mel_bins``); ValueError for bands that do not fit.
    """
    kind, rate = as_dtype(dtype), float(sample_rate)
    low, high = float(lower_edge_hertz), float(upper_edge_hertz)
    wrong = {
        f"num_mel_bins must be positive, got {num_mel_bins}": num_mel_bins <= 0,
        f"sample_rate must be positive, got {rate}": rate <= 0,
        f"lower_edge_hertz must be 0 or more, got {low}": low < 0,
        f"lower_edge_hertz {low} must be below upper_edge_hertz {high}": low >= high,
        f"upper_edge_hertz {high} must be at most half of the sample_rate, {rate / 2}":
            high > rate / 2,
        f"dtype must be a floating point type, got {kind.name}": not kind.is_floating,
    }  # fmt: skip
    for words, is_so in wrong.items():
        if is_so:
            raise ValueError(f"linear_to_mel_weight_matrix: {words}")
    bins = _mel(np.linspace(0.0, rate / 2, num_spectrogram_bins)[1:])[:, None]
    edges = np.linspace(_mel(low), _mel(high), num_mel_bins + 2)
    lower, center, upper = edges[:-2], edges[1:-1], edges[2:]
    slopes = np.minimum((bins - lower) / (center - lower), (upper - bins) / (upper - center))
    weights = np.pad(np.maximum(slopes, 0.0), [[1, 0], [0, 0]])
    return cast(constant(weights), kind, name=name)


def mfccs_from_log_mel_spectrograms(
    log_mel_spectrograms: TensorLike, name: str | None = None
) -> Any:
    """The mel-frequency cepstral coefficients of logarithms of mel spectra (the last axis)."""
    x = dispatch.convert(log_mel_spectrograms)
    bins = None if x.shape.dims is None else x.shape[-1]
    if not bins:
        raise ValueError(f"the number of mel bins must be known and positive, got {x.shape}")
    return dct(x, name=name) * math.sqrt(0.5 / bins)
