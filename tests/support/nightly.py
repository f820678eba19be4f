"""The mark ``nightly``: a slice of a long test runs always, all of it with ``pytest -m ""``."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import pytest

NIGHTLY = pytest.mark.nightly


def always(kept: Collection[Any], values: Iterable[Any]) -> list[Any]:
    """The parameters of a test; all but the kept ones have the mark."""
    return [v if v in kept else pytest.param(v, marks=NIGHTLY) for v in values]


def seeds(first: int, count: int, step: int, kept: int) -> list[Any]:
    """The first seeds of batches of random programs; what goes beyond ``kept`` has the mark."""
    return always(range(first, first + kept), range(first, first + count, step))


def first_input_always(programs: Sequence[Any]) -> list[Any]:
    """Pairs of a function and its arguments; those beyond the first of a function have the mark."""
    seen: set[Any] = set()
    found = []
    for program in programs:
        function = program.values[0]
        marks = (*program.marks, NIGHTLY) if function in seen else program.marks
        found.append(pytest.param(*program.values, id=program.id, marks=marks))
        seen.add(function)
    return found
