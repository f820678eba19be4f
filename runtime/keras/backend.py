"""``runtime.keras.backend``: settings and `clear_session` under their names in Keras 2."""

from runtime.keras.config import backend as backend
from runtime.keras.config import epsilon as epsilon
from runtime.keras.config import floatx as floatx
from runtime.keras.config import image_data_format as image_data_format
from runtime.keras.config import set_epsilon as set_epsilon
from runtime.keras.config import set_floatx as set_floatx
from runtime.keras.config import set_image_data_format as set_image_data_format
from runtime.keras.utils import clear_session as clear_session

__all__ = [
    "backend", "clear_session", "epsilon", "floatx", "image_data_format", "set_epsilon",
    "set_floatx", "set_image_data_format",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__
