"""``SimpleRNN``, ``LSTM`` and ``GRU``: ``RNN`` with the cell of that name."""

from __future__ import annotations

import inspect
from typing import Any

from runtime.keras import regularizers
from runtime.keras.layers.recurrent.cells import GRUCell, LSTMCell, SimpleRNNCell
from runtime.keras.layers.recurrent.rnn import RNN

__all__ = ["GRU", "LSTM", "SimpleRNN"]

_OF_RNN = (
    "return_sequences", "return_state", "go_backwards", "stateful", "unroll",
    "zero_output_for_mask",
)  # fmt: skip
_IGNORED = ("use_cudnn", "time_major", "implementation")


class _OfCell(RNN):
    """Base of layers that take the arguments of their cell."""

    cell_class: Any = None
    cell_name = ""

    def __init__(self, units: int, *args: Any, **kwargs: Any) -> None:
        use_cudnn = kwargs.get("use_cudnn", "auto")
        for name in _IGNORED:
            kwargs.pop(name, None)
        rnn_arguments = {name: kwargs.pop(name) for name in _OF_RNN if name in kwargs}
        names = list(inspect.signature(self.cell_class.__init__).parameters)[2:]
        names += [n for n in inspect.signature(SimpleRNNCell.__init__).parameters if n not in names]
        for_cell = dict(zip(names, args, strict=False))
        for_cell |= {n: kwargs.pop(n) for n in list(kwargs) if n in names and n != "kwargs"}
        activity = kwargs.pop("activity_regularizer", None)
        cell = self.cell_class(
            units, **for_cell, dtype=kwargs.get("dtype"), trainable=kwargs.get("trainable", True),
            name=self.cell_name,
        )  # fmt: skip
        super().__init__(cell, **rnn_arguments, **kwargs)
        self.activity_regularizer = regularizers.get(activity)
        if self.cell_class is not SimpleRNNCell:
            # as it was given, and for nothing else: there is one way to compute the layer
            self.use_cudnn = use_cudnn

    def __getattr__(self, name: str) -> Any:
        cell = vars(self).get("cell")
        if cell is None or name.startswith("_"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(cell, name)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        config = {
            "activity_regularizer": None, **self.cell.get_config(), **super().get_config()
        }
        del config["cell"]
        return config


class SimpleRNN(_OfCell):
    """Layer that runs a ``SimpleRNNCell`` over sequences; its arguments, and those of ``RNN``."""

    cell_class = SimpleRNNCell
    cell_name = "simple_rnn_cell"


class LSTM(_OfCell):
    """Layer that runs an ``LSTMCell`` over sequences; its arguments, and those of ``RNN``."""

    cell_class = LSTMCell
    cell_name = "lstm_cell"


class GRU(_OfCell):
    """Layer that runs a ``GRUCell`` over sequences; its arguments, and those of ``RNN``."""

    cell_class = GRUCell
    cell_name = "gru_cell"
