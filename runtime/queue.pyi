"""Types of the names of ``runtime.queue``, for editors and type checkers.

Written by `pytest tests/editors --update-golden` from the module itself: do not edit.
"""

# ruff: noqa

from runtime import FIFOQueue as FIFOQueue
from runtime import PaddingFIFOQueue as PaddingFIFOQueue
from runtime import PriorityQueue as PriorityQueue
from runtime import QueueBase as QueueBase
from runtime import RandomShuffleQueue as RandomShuffleQueue
from typing import Any


