"""Types of the names of ``runtime.signal``, for editors and type checkers.

Written by `pytest tests/editors --update-golden` from the module itself: do not edit.
"""

# ruff: noqa

from collections.abc import Callable
from runtime import fft as fft
from runtime import fft2d as fft2d
from runtime import fft3d as fft3d
from runtime import fftnd as fftnd
from runtime import ifft as ifft
from runtime import ifft2d as ifft2d
from runtime import ifft3d as ifft3d
from runtime import ifftnd as ifftnd
from runtime import irfftnd as irfftnd
from runtime import rfftnd as rfftnd
from runtime.eager.tensor import Tensor
from runtime.ops.math.stft import inverse_stft_window_fn as inverse_stft_window_fn
from runtime.types.aliases import AxisLike
from runtime.types.aliases import DTypeLike
from runtime.types.aliases import TensorLike
from typing import Any

def dct(input: TensorLike, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None, name: str | None = None) -> Tensor: ...
def fftshift(x: TensorLike, axes: AxisLike | None = None, name: str | None = None) -> Tensor: ...
def frame(signal: TensorLike, frame_length: Any, frame_step: Any, pad_end: bool = False, pad_value: Any = 0, axis: int = -1, name: str | None = None) -> Tensor: ...
def hamming_window(window_length: Any, periodic: bool = True, dtype: DTypeLike = ..., name: str | None = None) -> Tensor: ...
def hann_window(window_length: Any, periodic: bool = True, dtype: DTypeLike = ..., name: str | None = None) -> Tensor: ...
def idct(input: TensorLike, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None, name: str | None = None) -> Tensor: ...
def ifftshift(x: TensorLike, axes: AxisLike | None = None, name: str | None = None) -> Tensor: ...
def inverse_stft(stfts: TensorLike, frame_length: Any, frame_step: Any, fft_length: Any = None, window_fn: Callable[..., Any] | None = ..., name: str | None = None) -> Tensor: ...
def irfft(input_tensor: TensorLike, fft_length: Any = None, name: str | None = None) -> Tensor:
    """Invert the Fourier transform of real numbers along the last axis or axes: 1.

    By NumPy's pocketfft: Cooley and Tukey: An Algorithm for the Machine Calculation of
    Complex Fourier Series (1965); for large prime factors Bluestein's algorithm (1970).

    Args:
        input_tensor: tensor of a complex dtype, of rank 1 or more.
        fft_length: lengths to which the axes of the result are cut or filled with zeros;
            by default 2 * (size - 1) for the last one, their own for the others.
    Returns:
        Tensor of dtype float32, or float64 of complex128.
    Raises:
        ValueError: ``fft_length`` has another number of entries, or the rank is less than 1.
        InvalidArgumentError: the dtype is another one (also a TypeError), or a length is less than 1.
    """
def irfft2d(input_tensor: TensorLike, fft_length: Any = None, name: str | None = None) -> Tensor:
    """Invert the Fourier transform of real numbers along the last axis or axes: 2.

    By NumPy's pocketfft: Cooley and Tukey: An Algorithm for the Machine Calculation of
    Complex Fourier Series (1965); for large prime factors Bluestein's algorithm (1970).

    Args:
        input_tensor: tensor of a complex dtype, of rank 2 or more.
        fft_length: lengths to which the axes of the result are cut or filled with zeros;
            by default 2 * (size - 1) for the last one, their own for the others.
    Returns:
        Tensor of dtype float32, or float64 of complex128.
    Raises:
        ValueError: ``fft_length`` has another number of entries, or the rank is less than 2.
        InvalidArgumentError: the dtype is another one (also a TypeError), or a length is less than 1.
    """
def irfft3d(input_tensor: TensorLike, fft_length: Any = None, name: str | None = None) -> Tensor:
    """Invert the Fourier transform of real numbers along the last axis or axes: 3.

    By NumPy's pocketfft: Cooley and Tukey: An Algorithm for the Machine Calculation of
    Complex Fourier Series (1965); for large prime factors Bluestein's algorithm (1970).

    Args:
        input_tensor: tensor of a complex dtype, of rank 3 or more.
        fft_length: lengths to which the axes of the result are cut or filled with zeros;
            by default 2 * (size - 1) for the last one, their own for the others.
    Returns:
        Tensor of dtype float32, or float64 of complex128.
    Raises:
        ValueError: ``fft_length`` has another number of entries, or the rank is less than 3.
        InvalidArgumentError: the dtype is another one (also a TypeError), or a length is less than 1.
    """
def kaiser_window(window_length: Any, beta: float = 12.0, dtype: DTypeLike = ..., name: str | None = None) -> Tensor: ...
def overlap_and_add(signal: TensorLike, frame_step: Any, name: str | None = None) -> Tensor: ...
def rfft(input_tensor: TensorLike, fft_length: Any = None, name: str | None = None) -> Tensor:
    """Compute the Fourier transform of real numbers along the last axis or axes: 1.

    By NumPy's pocketfft: Cooley and Tukey: An Algorithm for the Machine Calculation of
    Complex Fourier Series (1965); for large prime factors Bluestein's algorithm (1970).

    Args:
        input_tensor: tensor of a floating dtype, of rank 1 or more.
        fft_length: lengths to which the axes are cut or filled with zeros;
            by default their own.
    Returns:
        Tensor of a complex dtype; the last axis has its length // 2 + 1 entries.
    Raises:
        ValueError: ``fft_length`` has another number of entries, or the rank is less than 1.
        InvalidArgumentError: the dtype is another one (also a TypeError), or a length is less than 1.
    """
def rfft2d(input_tensor: TensorLike, fft_length: Any = None, name: str | None = None) -> Tensor:
    """Compute the Fourier transform of real numbers along the last axis or axes: 2.

    By NumPy's pocketfft: Cooley and Tukey: An Algorithm for the Machine Calculation of
    Complex Fourier Series (1965); for large prime factors Bluestein's algorithm (1970).

    Args:
        input_tensor: tensor of a floating dtype, of rank 2 or more.
        fft_length: lengths to which the axes are cut or filled with zeros;
            by default their own.
    Returns:
        Tensor of a complex dtype; the last axis has its length // 2 + 1 entries.
    Raises:
        ValueError: ``fft_length`` has another number of entries, or the rank is less than 2.
        InvalidArgumentError: the dtype is another one (also a TypeError), or a length is less than 1.
    """
def rfft3d(input_tensor: TensorLike, fft_length: Any = None, name: str | None = None) -> Tensor:
    """Compute the Fourier transform of real numbers along the last axis or axes: 3.

    By NumPy's pocketfft: Cooley and Tukey: An Algorithm for the Machine Calculation of
    Complex Fourier Series (1965); for large prime factors Bluestein's algorithm (1970).

    Args:
        input_tensor: tensor of a floating dtype, of rank 3 or more.
        fft_length: lengths to which the axes are cut or filled with zeros;
            by default their own.
    Returns:
        Tensor of a complex dtype; the last axis has its length // 2 + 1 entries.
    Raises:
        ValueError: ``fft_length`` has another number of entries, or the rank is less than 3.
        InvalidArgumentError: the dtype is another one (also a TypeError), or a length is less than 1.
    """
def stft(signals: TensorLike, frame_length: Any, frame_step: Any, fft_length: Any = None, window_fn: Callable[..., Any] | None = ..., pad_end: bool = False, name: str | None = None) -> Tensor: ...
def vorbis_window(window_length: Any, dtype: DTypeLike = ..., name: str | None = None) -> Tensor: ...
