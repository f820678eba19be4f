"""Fourier transforms of the array API standard: the namespace ``fft``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.array_api.promotion import (
    DEFAULT_FLOAT,
    cast,
    check_device,
    of_kind,
)
from runtime.array_api.shapes import axes_of, one_axis, rank_of
from runtime.ops.array.constants import constant
from runtime.ops.math import elementary
from runtime.ops.math import fft as spectral
from runtime.types.dtypes import as_dtype, complex64, complex128, float32


def _norm(norm: str) -> str:
    if norm not in spectral.NORMS:
        raise ValueError(f"norm must be one of {spectral.NORMS}, got {norm!r}")
    return norm


def _one(op: Any, name: str, kinds: str, doc: str) -> Callable[..., Any]:
    """A transform along one axis, of ``n`` elements."""

    def transform(x: Any, /, *, n: int | None = None, axis: int = -1,
                  norm: str = "backward") -> Any:  # fmt: skip
        x = _made_complex(of_kind(x, kinds, name), op)
        at = one_axis(axis, rank_of(x, name), name)
        lengths = None if n is None else (int(n),)
        return op(x, axes=(at,), lengths=lengths, norm=_norm(norm))

    transform.__name__ = transform.__qualname__ = name
    transform.__doc__ = doc
    return transform


def _many(op: Any, name: str, kinds: str, doc: str) -> Callable[..., Any]:
    def transform(x: Any, /, *, s: Any = None, axes: Any = None, norm: str = "backward") -> Any:
        x = _made_complex(of_kind(x, kinds, name), op)
        rank = rank_of(x, name)
        if axes is None:
            at = tuple(range(rank)) if s is None else tuple(range(rank - len(s), rank))
        else:
            at = axes_of(tuple(axes), rank, name)
        lengths = None
        if s is not None:
            if len(s) != len(at):
                raise ValueError(f"{name}: s and axes must be of one length, got {s} and {axes}")
            lengths = tuple(
                int(x.shape[a]) if size == -1 else int(size) for size, a in zip(s, at, strict=True)
            )
        return op(x, axes=at, lengths=lengths, norm=_norm(norm))

    transform.__name__ = transform.__qualname__ = name
    transform.__doc__ = doc
    return transform


def _made_complex(x: Any, op: Any) -> Any:
    if "c" in op.dtype_kinds and not x.dtype.is_complex:
        return cast(x, complex64 if x.dtype is float32 else complex128)
    return x


fft = _one(spectral.fft_op, "fft", "fc", "The Fourier transform along an axis.")
ifft = _one(spectral.ifft_op, "ifft", "fc", "The inverse of ``fft``.")
rfft = _one(spectral.rfft_op, "rfft", "f", "The first half of ``fft`` of real numbers.")
irfft = _one(spectral.irfft_op, "irfft", "fc", "The inverse of ``rfft``.")
fftn = _many(spectral.fft_op, "fftn", "fc", "The Fourier transform along several axes.")
ifftn = _many(spectral.ifft_op, "ifftn", "fc", "The inverse of ``fftn``.")
rfftn = _many(spectral.rfft_op, "rfftn", "f", "``fftn`` of real numbers, without what mirrors.")
irfftn = _many(spectral.irfft_op, "irfftn", "fc", "The inverse of ``rfftn``.")
_SWAPPED = {"backward": "forward", "ortho": "ortho", "forward": "backward"}


def hfft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    """The transform, real, of what mirrors itself conjugated; ``x`` is its first half."""
    x = of_kind(x, "fc", "hfft")
    turned = elementary.conj(_made_complex(x, spectral.irfft_op))
    return irfft(turned, n=n, axis=axis, norm=_SWAPPED[_norm(norm)])


def ihfft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    """The inverse of ``hfft``."""
    return elementary.conj(rfft(x, n=n, axis=axis, norm=_SWAPPED[_norm(norm)]))


def fftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Any:
    """The frequencies of ``fft``'s results, for samples ``d`` apart."""
    check_device(device)
    target = DEFAULT_FLOAT if dtype is None else as_dtype(dtype)
    return constant(np.fft.fftfreq(n, d).astype(target.as_numpy_dtype))


def rfftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Any:
    """The frequencies of ``rfft``'s results, for samples ``d`` apart."""
    check_device(device)
    target = DEFAULT_FLOAT if dtype is None else as_dtype(dtype)
    return constant(np.fft.rfftfreq(n, d).astype(target.as_numpy_dtype))


def _shifted(x: Any, axes: Any, name: str, row: Any) -> Any:
    x = of_kind(x, "fc", name)
    if axes is not None:
        axes = axes if isinstance(axes, tuple | list) else (axes,)
        axes = list(axes_of(tuple(axes), rank_of(x, name), name))
    return row(x, axes)


def fftshift(x: Any, /, *, axes: Any = None) -> Any:
    """``x`` with frequency 0 moved to the middle of the axes."""
    return _shifted(x, axes, "fftshift", spectral.fftshift)


def ifftshift(x: Any, /, *, axes: Any = None) -> Any:
    """The inverse of ``fftshift``."""
    return _shifted(x, axes, "ifftshift", spectral.ifftshift)


__all__ = [
    "fft", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifftn", "ifftshift", "ihfft", "irfft",
    "irfftn", "rfft", "rfftfreq", "rfftn",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__
