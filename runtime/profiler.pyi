"""Types of the names of ``runtime.profiler``, for editors and type checkers.

Written by `pytest tests/editors --update-golden` from the module itself: do not edit.
"""

# ruff: noqa

from runtime.engine.profiling.profile import Profile as Profile
from runtime.engine.profiling.profile import trace as trace
from typing import Any


