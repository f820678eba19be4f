"""``contrib``: of TensorFlow 1's contributions the layers and cells that programs use most.

``contrib.layers`` has layers with variables named ``weights`` and ``biases``, ``contrib.rnn`` the
cells of ``nn.rnn_cell``.
"""

import importlib as _importlib

__all__ = ["layers", "rnn"]


def __getattr__(name: str) -> object:
    if name in __all__:
        return _importlib.import_module(f"runtime.compat.v1.contrib.{name}")
    raise AttributeError(
        f"module 'tf.contrib' has no attribute {name!r} here: contrib.layers and contrib.rnn are; "
        "see docs/tensorflow1.md"
    )


def __dir__() -> list[str]:
    return __all__
