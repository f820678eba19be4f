"""``runtime.test``: what tests of programs use, as in TensorFlow."""

from runtime.autodiff.checking import compute_gradient as compute_gradient

__all__ = ["compute_gradient"]


def __dir__() -> list[str]:
    return __all__
