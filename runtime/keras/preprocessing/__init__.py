"""``runtime.keras.preprocessing``: arrays and datasets of sequences, images, texts."""

import importlib as _importlib
from typing import TYPE_CHECKING

from runtime.keras.preprocessing import sequence as sequence
from runtime.types.annexes import explained as _explained

if TYPE_CHECKING:
    from runtime.keras.files.folders import (
        image_dataset_from_directory as image_dataset_from_directory,
    )
    from runtime.keras.files.folders import (
        text_dataset_from_directory as text_dataset_from_directory,
    )
    from runtime.keras.files.timeseries import (
        timeseries_dataset_from_array as timeseries_dataset_from_array,
    )
    from runtime.keras.preprocessing import image as image

__all__ = [
    "image", "image_dataset_from_directory", "sequence", "text_dataset_from_directory",
    "timeseries_dataset_from_array",
]  # fmt: skip


if not TYPE_CHECKING:  # type checkers find what is misspelt

    def __getattr__(name: str) -> object:
        """Return what loads datasets or images when it is first asked for."""
        if name == "image":
            return _importlib.import_module("runtime.keras.preprocessing.image")
        if name in __all__:
            return getattr(_importlib.import_module("runtime.keras.utils"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)

    __getattr__ = _explained(__name__, __getattr__)


def __dir__() -> list[str]:
    return __all__
