"""Arrays of different dtypes that staged conditions swap: each stays in place, or is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime
from autograph.errors import JoinError
from tests.runtime.functions.jit_results import same


def returned(a: Any, b: Any, n: Any) -> Any:
    if n:
        return (a, b)
    return (b, a)


def expression(a: Any, b: Any, n: Any) -> Any:
    return (a, b) if n else (b, a)


def in_lists(a: Any, b: Any, n: Any) -> Any:
    return [a, b] if n else [b, a]


def in_dicts(a: Any, b: Any, n: Any) -> Any:
    return {"x": a, "y": b} if n else {"x": b, "y": a}


def reduced(a: Any, b: Any, n: Any) -> Any:
    pair = (a, b) if n else (b, a)
    return pair[0].sum()


def handled(a: Any, b: Any, n: Any) -> Any:
    try:
        return (a, 1 // n)
    except ZeroDivisionError:
        return (b, a)


def of_three(a: Any, b: Any, n: Any) -> Any:
    if n == 1:
        return (a, b)
    if n == 2:
        return (b, b)
    return (b, a)


def beside_none(a: Any, b: Any, n: Any) -> Any:
    if n == 1:
        return (None, a)
    return (a, None) if n else (b, None)


def beside_text(a: Any, b: Any, n: Any) -> Any:
    if n == 1:
        return "text"
    return a if n else b


FUNCTIONS = [
    returned, expression, in_lists, in_dicts, reduced, handled, of_three, beside_none, beside_text,
]  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("other", [[7, 8, 9], [7, 8], [[7, 8]]])
def test_each_stays_in_its_place(function: Callable[..., Any], other: Any) -> None:
    arrays = np.array([1.0, 2.0]), np.array(other, np.int32)
    staged = runtime.jit(function)
    for n in (1, 0, 2) * 2:
        try:
            outcome = staged(*arrays, n)
        except JoinError as error:
            assert "one path" in str(error)
            continue
        assert same(outcome, function(*arrays, n)), n


def test_arrays_of_one_dtype_and_texts() -> None:
    arrays = np.array([1.0, 2.0]), np.array([3.0])
    staged = runtime.jit(beside_text)
    for n in (1, 0, 2):
        assert same(staged(*arrays, n), beside_text(*arrays, n)), n


def lists_in_tuples_of_several_lengths(n: Any, values: list[Any]) -> Any:
    return (n, values, 1) if n else (n, 1, 2.0, values)


def test_a_list_in_tuples_of_several_lengths() -> None:
    staged = runtime.jit(lists_in_tuples_of_several_lengths)
    for n in (3, 0, 1):
        expected = lists_in_tuples_of_several_lengths(n, [[1, 2]])
        assert same(staged(n, [[1, 2]]), expected)
