"""``nn.rnn_cell``: the cells of TensorFlow 1's recurrent networks."""

from runtime.compat.v1.recurrent.cells import *
from runtime.compat.v1.recurrent.wrappers import *

# ruff: noqa: F403, F405 - what a star brings is what the module's __all__ says

__all__ = [
    "BasicLSTMCell", "BasicRNNCell", "DeviceWrapper", "DropoutWrapper", "GRUCell", "LSTMCell",
    "LSTMStateTuple", "MultiRNNCell", "RNNCell", "ResidualWrapper",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__
