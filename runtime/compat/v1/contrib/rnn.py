"""``contrib.rnn``: the cells of ``nn.rnn_cell``, and ``static_rnn``."""

from runtime.compat.v1.recurrent.cells import *
from runtime.compat.v1.recurrent.cells import LSTMCell as LSTMCell
from runtime.compat.v1.recurrent.functions import static_bidirectional_rnn, static_rnn
from runtime.compat.v1.recurrent.wrappers import *

# ruff: noqa: F403, F405 - what a star brings is what the module's __all__ says

__all__ = [
    "BasicLSTMCell", "BasicRNNCell", "DeviceWrapper", "DropoutWrapper", "GRUCell", "LSTMCell",
    "LSTMStateTuple", "MultiRNNCell", "RNNCell", "ResidualWrapper", "static_bidirectional_rnn",
    "static_rnn",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__
