"""The mark ``nightly``: a slice of a long test runs always, all of it with ``pytest -m ""``."""

from __future__ import annotations

import itertools
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import pytest

NIGHTLY = pytest.mark.nightly
EVERYTHING = True
"""Whether more than the slices may run: set before test modules are imported."""


def selected(parameters: Iterable[Any]) -> list[Any]:
    """The parameters that may run; thousands that have the mark would only be made and dropped."""
    return [p for p in parameters if EVERYTHING or NIGHTLY not in getattr(p, "marks", ())]


def always(kept: Collection[Any], values: Iterable[Any]) -> list[Any]:
    """The parameters of a test; all but the kept ones have the mark."""
    return selected(v if v in kept else pytest.param(v, marks=NIGHTLY) for v in values)


def seeds(first: int, count: int, step: int, kept: int) -> list[Any]:
    """The first seeds of batches of random programs; what goes beyond ``kept`` has the mark."""
    return always(range(first, first + kept), range(first, first + count, step))


def diagonal(*axes: Sequence[Any]) -> list[Any]:
    """All combinations of the values of several parameters, for one ``parametrize`` of them all.

    Those beyond a slice have the mark.  In the slice each value occurs, and those of the second
    parameter and later ones in each of their combinations.
    """
    kept, repeats = set(), 1
    for axis in axes[1:]:
        repeats *= len(axis)
    for number in range(max(len(axes[0]), repeats)):
        places, rest = [number % len(axes[0])], number
        for axis in axes[1:]:
            rest, place = divmod(rest, len(axis))
            places.append(place % len(axis))
        kept.add(tuple(places))
    return selected(
        pytest.param(*[value for _, value in pairs], marks=() if places in kept else NIGHTLY)
        for pairs in itertools.product(*map(enumerate, axes))
        for places in [tuple([place for place, _ in pairs])]
    )


LONG = 12
"""Series of so many tests run whole, if they are not named: they are cases that somebody wrote."""


def sliced(names: Sequence[str], shares: Mapping[str, int]) -> set[str]:
    """The tests that stay when of some series a part runs, one of so many: of those that are named
    (``file.py::test``), and of all long ones in files that are named.

    Which one, the sum of its parameters says: by turns, one of the values of a parameter with two
    of them might be left out altogether.  The long series of a file take turns: what one leaves
    out, as the eager gradients of an operation, is in another, as its gradients in graphs.
    """
    series: dict[str, list[str]] = {}
    for name in names:
        series.setdefault(name.partition("[")[0], []).append(name)
    kept: set[str] = set()
    turns: Counter[str] = Counter()
    for function, members in sorted(series.items(), key=lambda item: -len(item[1])):
        sums = {name: zlib.crc32(name.removeprefix(function).encode()) for name in members}
        file = function.partition("::")[0]
        if function in shares:
            kept.update(sorted(members, key=sums.__getitem__)[:: shares[function]])
        elif len(members) <= LONG or file not in shares:
            kept.update(members)
        else:
            turns[file] += 1
            kept.update(n for n in members if (sums[n] + turns[file]) % shares[file] == 0)
    return kept


def examples(count: int, kept: int) -> int:
    """How many inputs Hypothesis draws: the kept ones, or all where all tests run."""
    return count if EVERYTHING else kept


def first_input_always(programs: Sequence[Any]) -> list[Any]:
    """Pairs of a function and its arguments; those beyond the first of a function have the mark."""
    seen: set[Any] = set()
    found = []
    for program in programs:
        function = program.values[0]
        marks = (*program.marks, NIGHTLY) if function in seen else program.marks
        found.append(pytest.param(*program.values, id=program.id, marks=marks))
        seen.add(function)
    return selected(found)
