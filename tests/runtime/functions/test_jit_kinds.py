"""``runtime.jit``: values of several kinds meet, as numbers, texts and lists."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime
from tests.runtime.functions.jit_results import as_python


class Unit(enum.Enum):
    METRE = "m"
    COUNT = 1


def with_texts(n: Any) -> Any:
    inside = n in ("a", "b", 3), n in {"a": 1}, [1, "a"].count(n)
    return n == "", n != "a", n == "a", "a" == n, inside


def with_collections(n: Any) -> Any:
    return n == [1], n != (1, 2), n == {}, n == (), n in [[1], (5,)], n == {1}, n == range(3)


def with_others(n: Any) -> Any:
    return n == b"a", n == Unit, n != len, n == Unit.COUNT, n == Unit.METRE, n == with_texts


def in_collections(n: Any) -> Any:
    return (n, "a") == ("a", n), [n, 1] == ["a", 1], {"k": n} == {"k": "a"}


def in_a_match(n: Any) -> Any:
    match n:
        case "a":
            return 1
        case 5:
            return 2
        case _:
            return 3


def empty_or_number(n: Any) -> Any:
    if n == "":
        return 0
    return n * 2


@pytest.mark.parametrize(
    "function",
    [with_texts, with_collections, with_others, in_collections, in_a_match],
)
def test_equality(function: Callable[..., Any]) -> None:
    as_python(function, (5,), (2.5,), (True,), ("a",), ("",))


def test_a_number_is_no_empty_text() -> None:
    as_python(empty_or_number, (5,), (2.5,), (False,))


def twice(text: str) -> int:
    number = int(text)
    return number + number


@pytest.mark.parametrize("function", [
    lambda n: n + int(str(n)), lambda n: int(str(n)[:19]) * 4, lambda n: int(hex(n), 16) - (-n),
])  # fmt: skip
def test_numbers_out_of_texts_overflow(function: Callable[[int], int]) -> None:
    staged = runtime.jit(function)
    assert staged(12) == function(12)
    with pytest.raises(OverflowError, match="64 bits"):
        staged(2**62 + 7)


def test_a_text_read_twice_overflows() -> None:
    staged = runtime.jit(twice)
    assert staged("12") == 24
    with pytest.raises(OverflowError, match="64 bits"):
        staged(str(2**62))


def of_a_list(values: list[int]) -> Any:
    return values == "", values != None, values == (1,), values == {}, 5 != values  # noqa: E711


def test_lists_equal_no_other_kinds() -> None:
    as_python(of_a_list, ([1],), ([1, 2],))


def array_facts(x: Any, y: Any) -> Any:
    return np.array_equal(x, y), np.allclose(x, y), np.array_equiv(x, y), x.shape, np.shape(x)


def test_facts_of_arrays_are_pythons() -> None:
    as_python(array_facts, (np.ones(2), np.ones(2)), (np.ones(2), np.zeros(2)))
