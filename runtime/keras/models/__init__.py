"""``runtime.keras.models``: ``Model`` and ``Sequential``."""

from runtime.keras.models.model import Model as Model
from runtime.keras.models.sequential import Sequential as Sequential

__all__ = ["Model", "Sequential"]


def __dir__() -> list[str]:
    return __all__
