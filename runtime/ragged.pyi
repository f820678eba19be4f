"""Types of the names of ``runtime.ragged``, for editors and type checkers.

Written by `pytest tests/editors --update-golden` from the module itself: do not edit.
"""

# ruff: noqa

from runtime.composite.ragged_tensor import map_flat_values as map_flat_values
from runtime.composite.ragged_tensor import ragged_constant as constant
from runtime.composite.ragged_tensor import ragged_range as range
from typing import Any


