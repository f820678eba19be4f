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
from runtime.ops.docstrings import of_dtype
from runtime.ops.math import elementary
from runtime.ops.math import fft as spectral
from runtime.types.aliases import AxisLike, DTypeLike
from runtime.types.dtypes import as_dtype, complex64, complex128, float32


def _norm(norm: str) -> str:
    if norm not in spectral.NORMS:
        raise ValueError(f"norm must be one of {spectral.NORMS}, got {norm!r}")
    return norm


ONE = """{doc}

Args:
    x: array of {taken}.
    n: length to which the axis{of} is cut or filled with zeros; {default}.
    axis: axis of the transform.
    norm: 'backward', 'ortho' or 'forward': where the scale is applied.
Returns:
    Array of {result}.
Raises:
    TypeError: ``x`` has another dtype.
    ValueError: ``norm`` is unknown, or ``axis`` is out of range.
"""
MANY = """{doc}

Args:
    x: array of {taken}.
    s: lengths to which the axes{of} are cut or filled with zeros; {default}.
    axes: axes of the transform; by default the last ones, as many as lengths, or all.
    norm: 'backward', 'ortho' or 'forward': where the scale is applied.
Returns:
    Array of {result}.
Raises:
    TypeError: ``x`` has another dtype.
    ValueError: ``norm`` is unknown, an axis is out of range, or ``s`` and ``axes`` differ in
        length.
"""


def _documented(text: str, real: bool, kinds: str, doc: str) -> str:
    """Fill in what a transform takes and gives."""
    return text.format(
        doc=doc, taken=of_dtype(kinds), of=" of the result" if real else "",
        default="by default 2 * (size - 1) for the last one" if real else "by default its own",
        result="a floating dtype" if real else "a complex dtype",
    )  # fmt: skip


def _one(op: Any, name: str, kinds: str, doc: str) -> Callable[..., Any]:
    """A transform along one axis, of ``n`` elements."""

    def transform(x: Any, /, *, n: int | None = None, axis: int = -1,
                  norm: str = "backward") -> Any:  # fmt: skip
        x = _made_complex(of_kind(x, kinds, name), op)
        at = one_axis(axis, rank_of(x, name), name)
        lengths = None if n is None else (int(n),)
        return op(x, axes=(at,), lengths=lengths, norm=_norm(norm))

    transform.__name__ = transform.__qualname__ = name
    transform.__doc__ = _documented(ONE, name.startswith("irfft"), kinds, doc)
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
    transform.__doc__ = _documented(MANY, name.startswith("irfft"), kinds, doc)
    return transform


def _made_complex(x: Any, op: Any) -> Any:
    if "c" in op.dtype_kinds and not x.dtype.is_complex:
        return cast(x, complex64 if x.dtype is float32 else complex128)
    return x


fft = _one(spectral.fft_op, "fft", "fc", "Compute the Fourier transform along an axis.")
ifft = _one(spectral.ifft_op, "ifft", "fc", "Invert ``fft``.")
rfft = _one(spectral.rfft_op, "rfft", "f", "Compute the first half of ``fft`` of real numbers.")
irfft = _one(spectral.irfft_op, "irfft", "fc", "Invert ``rfft``.")
fftn = _many(spectral.fft_op, "fftn", "fc", "Compute the Fourier transform along axes.")
ifftn = _many(spectral.ifft_op, "ifftn", "fc", "Invert ``fftn``.")
rfftn = _many(spectral.rfft_op, "rfftn", "f", "Compute the non-redundant half of ``fftn``.")
irfftn = _many(spectral.irfft_op, "irfftn", "fc", "Invert ``rfftn``.")
_SWAPPED = {"backward": "forward", "ortho": "ortho", "forward": "backward"}


def hfft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    """Compute the real Fourier transform of a Hermitian sequence, given its first half.

    Args:
        x: array of a floating or complex dtype.
        n: length of the result; by default 2 * (size - 1).
        axis: axis of the transform.
        norm: 'backward', 'ortho' or 'forward': where the scale is applied.
    Returns:
        Array of a floating dtype, of length ``n`` along the axis.
    Raises:
        TypeError: ``x`` has another dtype.
        ValueError: ``norm`` is unknown, or ``axis`` is out of range.
    """
    x = of_kind(x, "fc", "hfft")
    turned = elementary.conj(_made_complex(x, spectral.irfft_op))
    return irfft(turned, n=n, axis=axis, norm=_SWAPPED[_norm(norm)])


def ihfft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    """Invert ``hfft``.

    Args:
        x: array of a floating dtype.
        n: length to which the axis is cut or filled with zeros; by default its own.
        axis: axis of the transform.
        norm: 'backward', 'ortho' or 'forward': where the scale is applied.
    Returns:
        Array of a complex dtype, of length n // 2 + 1 along the axis.
    Raises:
        TypeError: ``x`` has another dtype.
        ValueError: ``norm`` is unknown, or ``axis`` is out of range.
    """
    return elementary.conj(rfft(x, n=n, axis=axis, norm=_SWAPPED[_norm(norm)]))


def fftfreq(
    n: int, /, *, d: float = 1.0, dtype: DTypeLike | None = None, device: Any = None
) -> Any:
    """Compute the frequencies of the results of ``fft``.

    Args:
        n: length of the transform.
        d: distance of the samples.
        dtype: floating dtype of the result; the default floating dtype by default.
        device: None or the one device.
    Returns:
        Array of shape (n,).
    Raises:
        ValueError: ``device`` is another one.
    """
    check_device(device)
    target = DEFAULT_FLOAT if dtype is None else as_dtype(dtype)
    return constant(np.fft.fftfreq(n, d).astype(target.as_numpy_dtype))


def rfftfreq(
    n: int, /, *, d: float = 1.0, dtype: DTypeLike | None = None, device: Any = None
) -> Any:
    """Compute the frequencies of the results of ``rfft``.

    Args:
        n: length of the transform.
        d: distance of the samples.
        dtype: floating dtype of the result; the default floating dtype by default.
        device: None or the one device.
    Returns:
        Array of shape (n // 2 + 1,).
    Raises:
        ValueError: ``device`` is another one.
    """
    check_device(device)
    target = DEFAULT_FLOAT if dtype is None else as_dtype(dtype)
    return constant(np.fft.rfftfreq(n, d).astype(target.as_numpy_dtype))


def _shifted(x: Any, axes: Any, name: str, shift: Any) -> Any:
    x = of_kind(x, "fc", name)
    if axes is not None:
        axes = axes if isinstance(axes, tuple | list) else (axes,)
        axes = list(axes_of(tuple(axes), rank_of(x, name), name))
    return shift(x, axes)


def fftshift(x: Any, /, *, axes: AxisLike | None = None) -> Any:
    """Move frequency 0 to the middle of axes.

    Args:
        x: array of a floating or complex dtype.
        axes: axis or axes to shift; by default all.
    Returns:
        Array of the shape and dtype of ``x``.
    Raises:
        TypeError: ``x`` has another dtype.
        ValueError: an axis is out of range.
    """
    return _shifted(x, axes, "fftshift", spectral.fftshift)


def ifftshift(x: Any, /, *, axes: AxisLike | None = None) -> Any:
    """Undo ``fftshift``.

    Args:
        x: array of a floating or complex dtype.
        axes: axis or axes to shift; by default all.
    Returns:
        Array of the shape and dtype of ``x``.
    Raises:
        TypeError: ``x`` has another dtype.
        ValueError: an axis is out of range.
    """
    return _shifted(x, axes, "ifftshift", spectral.ifftshift)


__all__ = [
    "fft", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifftn", "ifftshift", "ihfft", "irfft",
    "irfftn", "rfft", "rfftfreq", "rfftn",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__
