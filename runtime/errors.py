"""``runtime.errors``: the classes of errors, as in TensorFlow."""

# ruff: noqa: F403 - what a star brings is what the module's __all__ says

from runtime.types import errors as _errors
from runtime.types.errors import *

__all__: list[str] = []
__all__ += _errors.__all__


def __dir__() -> list[str]:
    return __all__
