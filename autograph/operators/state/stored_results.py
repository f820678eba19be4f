"""Results that calls in progress of cached functions have stored, in this thread.

``operators.cached_functions`` fills it; ``heap`` carries the dicts through staged paths, whatever
the paths refer to.
"""

from __future__ import annotations

import threading
from typing import Any

from autograph.staging.staged_map import TracedDict


class _StoredResults(threading.local):
    """Dicts of results, by the cached function and the object that it is a method of."""

    def __init__(self) -> None:
        self.dicts: dict[Any, TracedDict] = {}


STORED = _StoredResults()
