"""Fourier transforms of ``keras.ops``: complex numbers are pairs of real and imaginary parts."""

from __future__ import annotations

from typing import Any

from runtime.keras.ops.promotion import as_float, promoted
from runtime.ops.docstrings import documented
from runtime.ops.math import elementary
from runtime.ops.math import fft as transforms

_PAIR = "pair of tensors of one shape: real and imaginary parts"
_RESULT = "Pair of tensors: real and imaginary parts"
_LENGTH = "length of the signals; None: as they are"


def _complex(x: Any) -> Any:
    """Join a pair; ValueError for something else."""
    if not isinstance(x, tuple | list) or len(x) != 2:
        raise ValueError(
            "Input `x` should be a tuple of two tensors - real and imaginary. "
            f"Received: x={x}"
        )
    return elementary.complex(*[as_float(v) for v in promoted(*x)])


def _parts(x: Any) -> tuple[Any, Any]:
    return elementary.real(x), elementary.imag(x)


@documented(_RESULT, "ValueError: ``x`` is no pair", x=_PAIR)
def fft(x: Any) -> tuple[Any, Any]:
    """Transform along the last axis."""
    return _parts(transforms.fft(_complex(x)))


@documented(_RESULT, "ValueError: ``x`` is no pair", x=_PAIR)
def fft2(x: Any) -> tuple[Any, Any]:
    """Transform along the last two axes."""
    return _parts(transforms.fft2d(_complex(x)))


@documented(_RESULT, "ValueError: ``x`` is no pair", x=_PAIR)
def ifft2(x: Any) -> tuple[Any, Any]:
    """Transform back along the last two axes."""
    return _parts(transforms.ifft2d(_complex(x)))


@documented(_RESULT, x="tensor of real numbers", fft_length=_LENGTH)
def rfft(x: Any, fft_length: int | None = None) -> tuple[Any, Any]:
    """Transform real numbers along the last axis: frequencies from 0 up."""
    return _parts(transforms.rfft(as_float(x), None if fft_length is None else [fft_length]))


@documented("Tensor of real numbers", "ValueError: ``x`` is no pair", x=_PAIR, fft_length=_LENGTH)
def irfft(x: Any, fft_length: int | None = None) -> Any:
    """Transform back to real numbers along the last axis."""
    return transforms.irfft(_complex(x), None if fft_length is None else [fft_length])
