"""``runtime.keras.layers``: the layers, with Keras 3's names."""

from types import ModuleType as _ModuleType
from typing import TYPE_CHECKING as _TYPE_CHECKING

from runtime.keras.layers.activation import *
from runtime.keras.layers.attention.grouped import *
from runtime.keras.layers.attention.multi_head import *
from runtime.keras.layers.attention.scores import *
from runtime.keras.layers.base.input_layer import *
from runtime.keras.layers.base.input_spec import InputSpec as InputSpec
from runtime.keras.layers.base.layer import *
from runtime.keras.layers.convolution.adaptive import *
from runtime.keras.layers.convolution.convolution import *
from runtime.keras.layers.convolution.pooling import *
from runtime.keras.layers.convolution.separable import *
from runtime.keras.layers.convolution.transposed import *
from runtime.keras.layers.dense import *
from runtime.keras.layers.einsum_dense import *
from runtime.keras.layers.embedding import *
from runtime.keras.layers.features.encoding import *
from runtime.keras.layers.features.lookup import *
from runtime.keras.layers.features.text import *
from runtime.keras.layers.function_layers import *
from runtime.keras.layers.images.augmenting import *
from runtime.keras.layers.images.sizes import *
from runtime.keras.layers.merging import *
from runtime.keras.layers.merging_functions import *
from runtime.keras.layers.normalization.batch import *
from runtime.keras.layers.normalization.sample import *
from runtime.keras.layers.recurrent.cells import *
from runtime.keras.layers.recurrent.convolutional import *
from runtime.keras.layers.recurrent.layers import *
from runtime.keras.layers.recurrent.rnn import *
from runtime.keras.layers.recurrent.wrappers import *
from runtime.keras.layers.regularization import *
from runtime.keras.layers.reshaping import *
from runtime.keras.layers.scaling import *
from runtime.keras.layers.upsampling import *
from runtime.types.annexes import explained as _explained

# ruff: noqa: F403 - what a star brings is what the module's __all__ says

__all__ = [
    name for name, value in globals().items()
    if not name.startswith("_") and not isinstance(value, _ModuleType)
]  # fmt: skip


if not _TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
