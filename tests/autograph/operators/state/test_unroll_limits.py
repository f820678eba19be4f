"""What plain iterators have left when a staged value may end a loop over them."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from autograph.errors import EffectError
from autograph.operators.state.unroll_limits import MAX_UNROLLED, check_unrolling, many_numbers


def begun(iterable: Any, turns: int = 1) -> Any:
    items = iter(iterable)
    for _ in range(turns):
        next(items)
    return items


@pytest.mark.parametrize("numbers", [range(5000), range(9, -9000, -3), range(10**30)])
def test_numbers_of_a_range(numbers: range) -> None:
    left = many_numbers(begun(numbers, 3))
    assert left is not None and left[:100] == numbers[3:103]
    assert left.stop == numbers.stop or left.stop == 2**63 - 1


def test_numbers_of_a_count() -> None:
    left = many_numbers(begun(itertools.count(5, -2), 2))
    assert left is not None and list(left[:3]) == [1, -1, -3]
    assert many_numbers(begun(itertools.count(5))) is not None


@pytest.mark.parametrize(
    "items", [range(9), [1] * 9000, itertools.count(1.5), itertools.count(1, 0)]
)
def test_others_stay(items: Any) -> None:
    assert many_numbers(begun(items)) is None


LONG = [0] * 9000


@pytest.mark.parametrize("items", [
    LONG, dict.fromkeys(range(9000)), enumerate(LONG), zip(itertools.cycle("ab"), LONG),
    map(abs, LONG), filter(None, map(abs, LONG)), enumerate(zip(LONG)),
])  # fmt: skip
def test_what_ends(items: Any) -> None:
    check_unrolling(MAX_UNROLLED, iter(items))


@pytest.mark.parametrize("items", [
    itertools.cycle("ab"), (x for x in LONG), enumerate(itertools.count()),
    map(abs, itertools.count()), zip(itertools.count(), itertools.count()),
])  # fmt: skip
def test_what_may_not_end(items: Any) -> None:
    check_unrolling(MAX_UNROLLED - 1, items)
    with pytest.raises(EffectError, match=r"had not ended\s+after 500 iterations"):
        check_unrolling(MAX_UNROLLED, items)
