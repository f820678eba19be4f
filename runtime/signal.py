"""``runtime.signal``: the public names of signal processing, as in TensorFlow."""

from runtime.ops.cepstra import inverse_mdct as inverse_mdct
from runtime.ops.cepstra import kaiser_bessel_derived_window as kaiser_bessel_derived_window
from runtime.ops.cepstra import linear_to_mel_weight_matrix as linear_to_mel_weight_matrix
from runtime.ops.cepstra import mdct as mdct
from runtime.ops.cepstra import mfccs_from_log_mel_spectrograms as mfccs_from_log_mel_spectrograms
from runtime.ops.signals import dct as dct
from runtime.ops.signals import frame as frame
from runtime.ops.signals import hamming_window as hamming_window
from runtime.ops.signals import hann_window as hann_window
from runtime.ops.signals import idct as idct
from runtime.ops.signals import inverse_stft as inverse_stft
from runtime.ops.signals import inverse_stft_window_fn as inverse_stft_window_fn
from runtime.ops.signals import kaiser_window as kaiser_window
from runtime.ops.signals import overlap_and_add as overlap_and_add
from runtime.ops.signals import stft as stft
from runtime.ops.signals import vorbis_window as vorbis_window
from runtime.ops.spectral import fft as fft
from runtime.ops.spectral import fft2d as fft2d
from runtime.ops.spectral import fft3d as fft3d
from runtime.ops.spectral import fftnd as fftnd
from runtime.ops.spectral import fftshift as fftshift
from runtime.ops.spectral import ifft as ifft
from runtime.ops.spectral import ifft2d as ifft2d
from runtime.ops.spectral import ifft3d as ifft3d
from runtime.ops.spectral import ifftnd as ifftnd
from runtime.ops.spectral import ifftshift as ifftshift
from runtime.ops.spectral import irfft as irfft
from runtime.ops.spectral import irfft2d as irfft2d
from runtime.ops.spectral import irfft3d as irfft3d
from runtime.ops.spectral import irfftnd as irfftnd
from runtime.ops.spectral import rfft as rfft
from runtime.ops.spectral import rfft2d as rfft2d
from runtime.ops.spectral import rfft3d as rfft3d
from runtime.ops.spectral import rfftnd as rfftnd

__all__ = [
    "dct", "fft", "fft2d", "fft3d", "fftnd", "fftshift", "frame", "hamming_window", "hann_window",
    "idct", "ifft", "ifft2d", "ifft3d", "ifftnd", "ifftshift", "inverse_mdct", "inverse_stft",
    "inverse_stft_window_fn", "irfft", "irfft2d", "irfft3d", "irfftnd",
    "kaiser_bessel_derived_window", "kaiser_window", "linear_to_mel_weight_matrix", "mdct",
    "mfccs_from_log_mel_spectrograms", "overlap_and_add", "rfft", "rfft2d", "rfft3d", "rfftnd",
    "stft", "vorbis_window",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__
