"""Results of converted functions for code that is not converted: a part of backends."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

from autograph.backends.scalars import StagedScalar
from autograph.staging import StagedList, StagedMap, StagedText, StagedUnion, kind_of

OWN = (StagedScalar, StagedText, StagedUnion, StagedList, StagedMap)
"""The classes of staged values that a library knows nothing of."""


class _Kept(threading.local):
    results = False


class Results:
    """The part of a backend that makes the library's values of autograph's own, in results."""

    _kept = _Kept()

    def result_of(self, value: Any) -> Any:
        """Return what the library has for one of autograph's own values."""
        raise NotImplementedError

    def result(self, value: Any) -> Any:
        """Return a result with the library's values in it."""
        return value if self._kept.results else self.in_parts(value)

    def in_parts(self, value: Any) -> Any:
        """Return a tuple, list or dict with the library's values in it, and other values."""
        if isinstance(value, OWN):
            return self.result_of(value)
        kind: Any = kind_of(value)
        if hasattr(kind, "_make"):
            return kind(*map(self.in_parts, value))
        if kind in (list, tuple):
            return kind(map(self.in_parts, value))
        return {k: self.in_parts(v) for k, v in value.items()} if kind is dict else value

    @contextlib.contextmanager
    def results_as_they_are(self) -> Iterator[None]:
        """Leave autograph's own values in results: for who takes them apart."""
        before, self._kept.results = self._kept.results, True
        try:
            yield
        finally:
            self._kept.results = before
