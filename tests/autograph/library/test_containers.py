"""Methods of containers in plain Python give what Python's own methods give."""

from __future__ import annotations

import operator
import random
from collections import Counter, deque

import pytest

import runtime
from autograph.library import counters, dicts, lists, reductions

SEEDS = range(20)


def outcome(function, *args):
    """What a call gives, or how it fails."""
    try:
        return function(*args)
    except Exception as error:
        return type(error), str(error)


def numbers(seed, most=6):
    """A short list of small numbers."""
    source = random.Random(seed)
    return [source.randrange(-1, 4) for _ in range(source.randrange(most))]


@pytest.mark.parametrize("seed", SEEDS)
def test_reading_a_list(seed):
    items, value = numbers(seed), seed % 4
    assert lists.contains(items, value) == (value in items)
    assert lists.count(items, value) == items.count(value)
    assert outcome(lists.index, items, value, None) == outcome(items.index, value)
    for start in (-9, -2, 0, 1, 9):
        args = value, start, 3
        assert outcome(lists.index_from, items, *args, None) == outcome(items.index, *args)


@pytest.mark.parametrize("seed", SEEDS)
def test_comparing_lists(seed):
    left, right = numbers(seed, 3), numbers(seed + 100, 3)
    if len(left) == len(right):
        assert lists.have_equal_items(left, right) == (left == right)
    assert lists.have_equal_items(left, [*left])
    for compare in (operator.lt, operator.le, operator.gt, operator.ge):
        assert lists.order(left, right, compare) == compare(left, right)
        assert lists.order(left, [*left, 1], compare) == compare(left, [*left, 1])


def test_items_may_be_the_same_without_being_equal():
    nan = float("nan")
    assert lists.contains([nan], nan)
    assert lists.count([nan, 1], nan) == 1
    assert lists.have_equal_items([nan], [nan])
    assert not lists.have_equal_items([nan], [float("nan")])
    assert dicts.equal({1: nan}, {1: nan})


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("step", [-3, -1, 1, 2])
def test_changing_a_list(seed, step):
    def changed(change, *args):
        items = numbers(seed)
        return outcome(change, items, *args), items

    key = slice(None, None, step)
    assert changed(lists.remove, 2) == changed(list.remove, 2)
    assert changed(lists.delete_slice, key) == changed(list.__delitem__, key)
    for values in ([], [7, 8], (1, 2, 3)):
        assert changed(lists.set_slice, key, values) == changed(list.__setitem__, key, values)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("reverse", [False, True])
def test_sorting(seed, reverse):
    items = [(value, place) for place, value in enumerate(numbers(seed))]

    def first(pair):
        return pair[0]

    def same(mark):
        return mark

    expected = sorted(items, key=first, reverse=reverse)
    assert lists.sort(items, first, same, reverse) == expected


@pytest.mark.parametrize("texts", [[], ["a"], ["a", "bc", ""]])
def test_joining_texts(texts):
    assert lists.join(", ", texts) == ", ".join(texts)


@pytest.mark.parametrize("seed", SEEDS)
def test_counters(seed):
    left, right = Counter(numbers(seed)), Counter(numbers(seed + 100))
    left.subtract(numbers(seed + 200))
    for ours, own in (
        (counters.add, operator.add), (counters.subtract, operator.sub),
        (counters.union, operator.or_), (counters.intersection, operator.and_),
    ):  # fmt: skip
        assert [*ours(left, right).items()] == [*own(left, right).items()]
        assert ours(left, 1) is NotImplemented
    for ours, own in (
        (counters.equal, operator.eq), (counters.is_within, operator.le),
        (counters.contains, operator.ge), (counters.is_strictly_within, operator.lt),
        (counters.strictly_contains, operator.gt),
    ):  # fmt: skip
        for other in (right, left.copy(), +left, left + right):
            assert ours(left, other) == own(left, other)
            assert ours(other, left) == own(other, left)
    assert counters.positive(left) == +left and counters.negative(left) == -left
    assert counters.elements(left) == [*left.elements()]
    for source in (right, numbers(seed + 300)):
        for ours, own in ((counters.update, Counter.update), (counters.take, Counter.subtract)):
            changed, expected = left.copy(), left.copy()
            ours(changed, source)
            own(expected, source)
            assert [*changed.items()] == [*expected.items()]


@pytest.mark.parametrize("seed", SEEDS)
def test_dicts_and_reductions(seed):
    items, others = numbers(seed), numbers(seed + 100)
    left, right = dict(enumerate(items)), dict(enumerate(others))
    assert dicts.equal(left, right) == (left == right)
    assert dicts.equal(left, dict(reversed(left.items())))
    assert reductions.any(items) == any(items)
    assert reductions.all(items) == all(items)
    assert reductions.sum(items, 2) == sum(items, 2)


def test_errors_of_staged_tuples_deques_and_sums():
    def index_in_tuple(n):
        return tuple([i for i in range(n)]).index(1)

    def index_in_deque(n):
        return deque([i for i in range(n)]).index(1)

    def remove_from_deque(n):
        items = deque([i for i in range(n)])
        items.remove(1)
        return len(items)

    def sum_of_texts(n):
        return sum(["a"] * n, "")

    for function in (index_in_tuple, index_in_deque, remove_from_deque, sum_of_texts):
        staged = runtime.jit(function, strict=True)
        for n in (0, 3):
            kind = outcome(function, n)
            assert str(outcome(staged, n)).partition("\\n")[0].startswith(str(kind)[:60])


def test_comparisons_of_staged_counters():
    def compared(n):
        counts = Counter()
        for place in range(n):
            counts[place % 3] += place - 1
        few = Counter({0: n - 4, 5: 0})
        return (
            counts == few, counts != few, counts <= few, counts >= few, counts < few, counts > few,
            few == Counter({0: n - 4}), few <= counts, +counts, -counts, +few,
        )  # fmt: skip

    staged = runtime.jit(compared, strict=True)
    for n in range(6):
        assert staged(n) == compared(n)


@pytest.mark.parametrize("count", range(5))
def test_unpacking_a_staged_number_of_items(count):
    def to_two(n):
        first, second = [place for place in range(n)]
        return first, second

    def to_two_at_least(n):
        first, second, *others = [place for place in range(n)]
        return first, second, others

    for function in (to_two, to_two_at_least):
        result = outcome(runtime.jit(function, strict=True), count)
        assert str(result).partition("\\n")[0].startswith(str(outcome(function, count))[:-2])


def test_sorting_in_an_order_that_the_run_knows():
    def ordered(n):
        fixed, growing = [n, 2, 1, 3], [place * 5 % 7 for place in range(n)]
        growing.sort(reverse=n > 3)
        return sorted(fixed, reverse=n > 2), sorted(fixed, key=lambda v: -v, reverse=n < 2), growing

    staged = runtime.jit(ordered, strict=True)
    for n in range(6):
        assert staged(n) == ordered(n)
