"""``keras.preprocessing.image``: images of files as arrays, and back."""

from runtime.keras.files.images import array_to_img as array_to_img
from runtime.keras.files.images import img_to_array as img_to_array
from runtime.keras.files.images import load_img as load_img
from runtime.keras.files.images import save_img as save_img

__all__ = ["array_to_img", "img_to_array", "load_img", "save_img"]


def __dir__() -> list[str]:
    return __all__
