"""``runtime.saved_model``: functions and variables in folders, under TensorFlow's names."""

from typing import TYPE_CHECKING

from runtime.export.asset import Asset as Asset
from runtime.export.folder import ASSETS_FOLDER as ASSETS_DIRECTORY
from runtime.export.folder import VARIABLES_FOLDER as VARIABLES_DIRECTORY
from runtime.export.options import LoadOptions as LoadOptions
from runtime.export.options import SaveOptions as SaveOptions
from runtime.export.saved_model import SERVE as SERVING
from runtime.export.saved_model import contains_saved_model as contains_saved_model
from runtime.export.saved_model import load as load
from runtime.export.saved_model import save as save
from runtime.export.signatures import DEFAULT as DEFAULT_SERVING_SIGNATURE_DEF_KEY
from runtime.types.annexes import explained as _explained

__all__ = [
    "ASSETS_DIRECTORY", "Asset", "DEFAULT_SERVING_SIGNATURE_DEF_KEY", "LoadOptions", "SERVING",
    "SaveOptions",
    "VARIABLES_DIRECTORY", "contains_saved_model", "load", "save",
]  # fmt: skip


if not TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
