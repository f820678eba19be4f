"""``runtime.keras.models``: ``Model`` and ``Sequential``."""

from runtime.keras.models.model import Model as Model
from runtime.keras.models.saving import load_model as load_model
from runtime.keras.models.saving import save_model as save_model
from runtime.keras.models.sequential import Sequential as Sequential

__all__ = ["Model", "Sequential", "load_model", "save_model"]


def __dir__() -> list[str]:
    return __all__
