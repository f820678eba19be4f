"""``runtime.nest``: functions on nested values, as in TensorFlow."""

# ruff: noqa: F403 - what a star brings is what the module's __all__ says

from runtime.types import nest as _nest
from runtime.types.nest import *

__all__: list[str] = []
__all__ += _nest.__all__


def __dir__() -> list[str]:
    return __all__
