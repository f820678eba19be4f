"""``runtime.keras.models``: ``Model`` and ``Sequential``, copies of models, models from JSON."""

from typing import TYPE_CHECKING

from runtime.keras.models.cloning import clone_model as clone_model
from runtime.keras.models.cloning import model_from_json as model_from_json
from runtime.keras.models.model import Functional as Functional
from runtime.keras.models.model import Model as Model
from runtime.keras.models.saving import load_model as load_model
from runtime.keras.models.saving import save_model as save_model
from runtime.keras.models.sequential import Sequential as Sequential
from runtime.types.annexes import explained as _explained

__all__ = [
    "Model", "Sequential", "clone_model", "load_model", "model_from_json", "save_model",
]  # fmt: skip


if not TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
