"""``runtime.metrics``: the names of ``runtime.keras.metrics``, as in TensorFlow."""

# ruff: noqa: F403 - what a star brings is what the module's __all__ says

from runtime.keras.metrics import *
from runtime.keras.metrics import __all__ as __all__


def __dir__() -> list[str]:
    return __all__
