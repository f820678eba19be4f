"""Types of the names of ``runtime.experimental``, for editors and type checkers.

Written by `pytest tests/editors --update-golden` from the module itself: do not edit.
"""

# ruff: noqa

from runtime.data.iterators import Optional as Optional
from typing import Any

dlpack: Any
