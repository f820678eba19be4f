"""Iteration over objects of classes that have ``__getitem__`` and no ``__iter__``."""

from __future__ import annotations

from typing import Any

import pytest

import autograph.errors as errors
import runtime as tf
from tests.support.nightly import diagonal


class Doubles:
    def __init__(self, n: int) -> None:
        self.data: list[int] = []
        for i in range(n):
            self.data.append(i * 2)

    def __len__(self) -> int:
        return len(self.data)

    def __getitem__(self, i: int) -> int:
        return self.data[i]


class Squares:
    def __init__(self, n: int) -> None:
        self.n = n

    def __getitem__(self, i: int) -> int:
        if i >= self.n:
            raise IndexError(i)
        return i * i


class NotIterable(Doubles):
    __iter__ = None


def collected(n: Any) -> Any:
    return list(Doubles(n)), tuple(Doubles(n)), [x for x in Doubles(n)], [*Squares(n)]  # noqa: C416


def folded(n: Any) -> Any:
    return sum(Doubles(n)), max(Squares(n + 1)), sorted(Doubles(n), reverse=True), max(*Squares(7))


def searched(n: Any) -> Any:
    return 4 in Doubles(n), 5 in Squares(n), n not in Doubles(n)


def left_early(n: Any) -> Any:
    total = 0
    for x in Squares(n):
        if x > 10:
            break
        total += x
    return total


def unpacked(n: Any) -> Any:
    x, y, *rest = Squares(n + 2)
    a, b, c = Squares(3)
    return x, y, rest, a, b, c


def passed_on(n: Any) -> Any:
    items = [1]
    items.extend(Squares(n))
    items += Doubles(n)
    return items, "-".join(str(x) for x in Squares(n)), list(map(abs, Squares(n)))


def refused(n: Any) -> Any:
    try:
        for _ in NotIterable(n):
            pass
    except TypeError as error:
        return str(error)
    return n


@pytest.mark.parametrize(
    "function, n",
    diagonal([collected, folded, searched, left_early, unpacked, passed_on, refused], [3, 0, 6]),
)
def test_iteration_by_number(function: Any, n: int) -> None:
    assert tf.jit(function, strict=True)(n) == function(n)


@pytest.mark.parametrize("kind", [Doubles, Squares])
def test_code_in_c_does_not_go_on_for_ever(kind: Any) -> None:
    def in_c(n: Any) -> Any:
        return sorted(set(kind(n)))

    with pytest.raises(errors.EffectError, match=f"the loop over '{kind.__name__}'"):
        tf.jit(in_c, strict=True)(3)


def test_known_items_are_read_in_c() -> None:
    class Rows:
        def __init__(self, rows: list[int]) -> None:
            self.rows = rows

        def __getitem__(self, i: int) -> int:
            if i >= len(self.rows):
                raise IndexError
            return self.rows[i]

    def in_c(n: Any) -> Any:
        return set(Rows([1] * 600)), n

    assert tf.jit(in_c, strict=True)(3) == ({1}, 3)


def truth_of_a_length(n: Any) -> Any:
    holder = Sized(n)
    return len(holder), 1 if holder else 2, bool(Sized(n + 1)), not holder


class Sized:
    def __init__(self, n: int) -> None:
        self.n = n

    def __len__(self) -> int:
        return self.n


def test_lengths_below_zero_raise() -> None:
    staged = tf.jit(truth_of_a_length, strict=True)
    for n in 2, 0:
        assert staged(n) == truth_of_a_length(n)
    for function in (truth_of_a_length, lambda n: 1 if Sized(n) else 2, lambda n: not Sized(n)):
        with pytest.raises(ValueError, match=r"__len__\(\) should return >= 0"):
            tf.jit(function, strict=True)(-1)
