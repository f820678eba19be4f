"""``runtime.keras.backend``: settings and `clear_session` under their names in Keras 2."""

from typing import TYPE_CHECKING

from runtime.keras.config import backend as backend
from runtime.keras.config import epsilon as epsilon
from runtime.keras.config import floatx as floatx
from runtime.keras.config import image_data_format as image_data_format
from runtime.keras.config import set_epsilon as set_epsilon
from runtime.keras.config import set_floatx as set_floatx
from runtime.keras.config import set_image_data_format as set_image_data_format
from runtime.keras.utils import clear_session as clear_session
from runtime.types.annexes import explained as _explained

__all__ = [
    "backend", "clear_session", "epsilon", "floatx", "image_data_format", "set_epsilon",
    "set_floatx", "set_image_data_format",
]  # fmt: skip


if not TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
