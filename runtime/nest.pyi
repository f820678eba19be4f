"""Types of the names of ``runtime.nest``, for editors and type checkers.

Written by `pytest tests/editors --update-golden` from the module itself: do not edit.
"""

# ruff: noqa

from runtime.types.nest import assert_same_structure as assert_same_structure
from runtime.types.nest import flatten as flatten
from runtime.types.nest import is_nested as is_nested
from runtime.types.nest import map_structure as map_structure
from runtime.types.nest import pack_sequence_as as pack_sequence_as
from typing import Any


