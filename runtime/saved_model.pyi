"""Types of the names of ``runtime.saved_model``, for editors and type checkers.

Written by `pytest tests/editors --update-golden` from the module itself: do not edit.
"""

# ruff: noqa

from runtime.export.asset import Asset as Asset
from runtime.export.options import LoadOptions as LoadOptions
from runtime.export.options import SaveOptions as SaveOptions
from runtime.export.saved_model import contains_saved_model as contains_saved_model
from runtime.export.saved_model import load as load
from runtime.export.saved_model import save as save
from typing import Any

ASSETS_DIRECTORY: str
DEFAULT_SERVING_SIGNATURE_DEF_KEY: str
SERVING: str
VARIABLES_DIRECTORY: str
