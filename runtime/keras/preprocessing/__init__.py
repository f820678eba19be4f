"""``runtime.keras.preprocessing``: what makes arrays for models out of sequences."""

from runtime.keras.preprocessing import sequence as sequence

__all__ = ["sequence"]


def __dir__() -> list[str]:
    return __all__
