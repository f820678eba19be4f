"""``runtime.layers``: TensorFlow 1's layers, whose weights are variables of variable scopes."""

# ruff: noqa: F403 - what a star brings is what the module's __all__ says

from runtime.compat.v1.layers import *
from runtime.compat.v1.layers import __all__ as __all__


def __dir__() -> list[str]:
    return __all__
