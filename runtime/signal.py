"""``runtime.signal``: the public names of signal processing, as in TensorFlow."""

from typing import TYPE_CHECKING

from runtime.ops.math.fft import fft as fft
from runtime.ops.math.fft import fft2d as fft2d
from runtime.ops.math.fft import fft3d as fft3d
from runtime.ops.math.fft import fftnd as fftnd
from runtime.ops.math.fft import fftshift as fftshift
from runtime.ops.math.fft import ifft as ifft
from runtime.ops.math.fft import ifft2d as ifft2d
from runtime.ops.math.fft import ifft3d as ifft3d
from runtime.ops.math.fft import ifftnd as ifftnd
from runtime.ops.math.fft import ifftshift as ifftshift
from runtime.ops.math.fft import irfft as irfft
from runtime.ops.math.fft import irfft2d as irfft2d
from runtime.ops.math.fft import irfft3d as irfft3d
from runtime.ops.math.fft import irfftnd as irfftnd
from runtime.ops.math.fft import rfft as rfft
from runtime.ops.math.fft import rfft2d as rfft2d
from runtime.ops.math.fft import rfft3d as rfft3d
from runtime.ops.math.fft import rfftnd as rfftnd
from runtime.ops.math.stft import dct as dct
from runtime.ops.math.stft import frame as frame
from runtime.ops.math.stft import hamming_window as hamming_window
from runtime.ops.math.stft import hann_window as hann_window
from runtime.ops.math.stft import idct as idct
from runtime.ops.math.stft import inverse_stft as inverse_stft
from runtime.ops.math.stft import inverse_stft_window_fn as inverse_stft_window_fn
from runtime.ops.math.stft import kaiser_window as kaiser_window
from runtime.ops.math.stft import overlap_and_add as overlap_and_add
from runtime.ops.math.stft import stft as stft
from runtime.ops.math.stft import vorbis_window as vorbis_window
from runtime.types.annexes import explained as _explained

__all__ = [
    "dct", "fft", "fft2d", "fft3d", "fftnd", "fftshift", "frame", "hamming_window", "hann_window",
    "idct", "ifft", "ifft2d", "ifft3d", "ifftnd", "ifftshift", "inverse_stft",
    "inverse_stft_window_fn", "irfft", "irfft2d", "irfft3d", "irfftnd", "kaiser_window",
    "overlap_and_add", "rfft", "rfft2d", "rfft3d", "rfftnd", "stft", "vorbis_window",
]  # fmt: skip


if not TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
