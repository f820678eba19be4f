"""``runtime.optimizers``: the names of ``runtime.keras.optimizers``, as in TensorFlow."""

# ruff: noqa: F403 - what a star brings is what the module's __all__ says

from runtime.keras.optimizers import *
from runtime.keras.optimizers import __all__ as __all__


def __dir__() -> list[str]:
    return __all__
