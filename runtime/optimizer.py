"""``runtime.optimizer``: minimization of functions, with the names of TensorFlow Probability."""

# ruff: noqa: F403 - what a star brings is what the module's __all__ says

from runtime.autodiff.lbfgs import *
from runtime.autodiff.lbfgs import __all__ as __all__


def __dir__() -> list[str]:
    return __all__
