"""``runtime.keras.layers``: the layers, with Keras 3's names."""

from runtime.keras.layers.activation import *
from runtime.keras.layers.base.input_layer import *
from runtime.keras.layers.base.input_spec import InputSpec as InputSpec
from runtime.keras.layers.base.layer import *
from runtime.keras.layers.dense import *
from runtime.keras.layers.embedding import *
from runtime.keras.layers.function_layers import *
from runtime.keras.layers.merging import *
from runtime.keras.layers.merging_functions import *
from runtime.keras.layers.recurrent.cells import *
from runtime.keras.layers.recurrent.layers import *
from runtime.keras.layers.recurrent.rnn import *
from runtime.keras.layers.recurrent.wrappers import *
from runtime.keras.layers.regularization import *
from runtime.keras.layers.reshaping import *

# ruff: noqa: F403 - what a star brings is what the module's __all__ says

__all__ = [name for name in globals() if not name.startswith("_")]


def __dir__() -> list[str]:
    return __all__
