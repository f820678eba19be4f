"""Deques, ordered dicts, defaultdicts and counters among the arguments of ``runtime.jit``."""

from __future__ import annotations

import dataclasses
from collections import Counter, OrderedDict, defaultdict, deque

import pytest

import runtime
from autograph.errors import ConcreteValueError, EffectError


def put(values, n):
    values[0] = n
    return sum(values)


def push(values, n):
    values.append(n)
    values.appendleft(n + 1)
    return sum(values)


def fill(values, n):
    for i in range(n):
        values.append(i)
    return len(values)


def push_where(values, n):
    if n > 2:
        values.append(n)
    return values


def turn(values, n):
    for i in range(n):
        values.appendleft(i)
    values.rotate(n)
    return list(values)


def drain(values, n):
    while values:
        n += values.popleft()
    return n


def asked(values, n):
    kinds = type(values) is deque, isinstance(values, deque), isinstance(values, list)
    return kinds, values.maxlen, str(values), values == deque([1, n]), n in values


def inner_list(values, n):
    values[0].append(n)
    return values


def by_default(n, values=deque([1])):  # noqa: B008
    values[0] += n
    return values[0]


DEQUES = [
    (put, lambda: deque([1, 2])), (push, lambda: deque([1, 2, 3], maxlen=3)),
    (fill, lambda: deque([1, 2, 3], maxlen=3)), (push_where, lambda: deque([1, 2])),
    (turn, lambda: deque([1, 2, 3], maxlen=4)), (drain, lambda: deque([1, 2])),
    (asked, lambda: deque([1, 2])), (inner_list, lambda: deque([[1], [2]])),
]  # fmt: skip


def last(items, n):
    items.move_to_end(1)
    items[2] = n
    return items


def again(items, n):
    del items[1]
    items[1] = n
    return list(items)


def same_order(items, n):
    return items == OrderedDict([(2, 6), (1, n)]), items == OrderedDict([(1, n), (2, 6)])


def without_first(items, n):
    return items.popitem(last=False)[1] + n


def count(items, n):
    for i in range(n):
        items[i] += i
    return len(items)


def count_key(items, n):
    items[n] += 1
    return items


def group(items, n):
    items[5].append(n)
    return len(items[5])


def common(items, n):
    items.update([n, n])
    return items.most_common(1)


def ordered():
    return OrderedDict({1: 5, 2: 6})


DICTS = [
    *((function, ordered) for function in (last, again, same_order, without_first)),
    (count, lambda: defaultdict(int)), (count_key, lambda: defaultdict(int, {1: 2})),
    (group, lambda: defaultdict(list, {1: [2]})), (count_key, lambda: Counter({1: 2})),
    (common, lambda: Counter({1: 1})),
]  # fmt: skip


@pytest.mark.parametrize(("function", "make"), DEQUES + DICTS)
def test_changes_are_in_the_callers_object_after_each_call(function, make):
    staged = runtime.jit(function, strict=True)
    for n in (3, 1, 4):
        given, other = make(), make()
        assert repr(staged(given, n)) == repr(function(other, n))
        assert repr(given) == repr(other)


def test_a_deque_that_is_a_default_keeps_its_changes():
    staged = runtime.jit(by_default, strict=True)
    assert [staged(2), staged(3)] == [3, 6]


def test_an_order_that_a_staged_path_changes_is_refused():
    def move(items, n):
        if n > 2:
            items.move_to_end(1)
        return list(items)

    given = ordered()
    with pytest.raises(EffectError, match="order of its keys"):
        runtime.jit(move, strict=True)(given, 3)
    assert list(given) == [1, 2]


KEPT = OrderedDict({1: 5, 2: 6, 3: 7})


def test_an_order_of_a_global_that_changes_in_each_call_is_refused():
    def move(n):
        KEPT.move_to_end(1)
        return n

    with pytest.raises(EffectError, match="moved keys"):
        runtime.jit(move, strict=True)(3)
    assert list(KEPT) == [1, 2, 3]


# -- records ---------------------------------------------------------------------------------------


@dataclasses.dataclass
class Point:
    x: int
    y: int = 2


def move_one(points, n):
    points[0].x += n
    return n


def move_all(points, n):
    for point in points:
        point.y = n
    return n


def add_one(points, n):
    points.append(Point(n))
    return n


@pytest.mark.parametrize("function", [move_one, move_all, add_one])
@pytest.mark.parametrize("make", [
    lambda: [Point(1), Point(2)], lambda: (Point(1), Point(2)), lambda: deque([Point(1)]),
])  # fmt: skip
def test_a_changed_record_in_a_collection_is_refused(function, make):
    given = make()
    if not hasattr(given, "append") and function is add_one:
        return
    with pytest.raises((ValueError, EffectError)):
        runtime.jit(function, strict=True)(given, 3)
    assert given == make()


def test_a_record_in_a_collection_is_read():
    staged = runtime.jit(lambda points, n: points[1].x + n, strict=True)
    assert staged([Point(1), Point(2)], 3) == 5
    assert staged([Point(1), Point(3)], 3) == 6


# -- under function --------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [
    lambda: {1}, lambda: deque([1]), lambda: bytearray(b"a"), lambda: OrderedDict({1: 1.0, 2: 2.0}),
])  # fmt: skip
def test_a_changed_collection_is_refused_under_function(make):
    def change(values, x):
        if isinstance(values, OrderedDict):
            values.move_to_end(1)
        elif isinstance(values, set):
            values.add(5)
        else:
            values.append(5)
        return x

    staged = runtime.function(change)
    for _ in range(2):
        given = make()
        with pytest.raises(ValueError, match="should not modify"):
            staged(given, runtime.constant(1))
        assert given == make()


TABLE = {1: 5, 2: 6}


@pytest.mark.parametrize("change", [
    lambda n: TABLE.pop(1) + n, lambda n: TABLE.clear(), lambda n: TABLE.popitem()[1] + n,
])  # fmt: skip
def test_keys_that_a_global_loses_are_gone(change):
    staged = runtime.jit(change, strict=True)
    for n in (3, 4):
        TABLE.update({1: 5, 2: 6})
        expected, left = change(n), dict(TABLE)
        TABLE.update({1: 5, 2: 6})
        assert staged(n) == expected
        assert expected is None or left == TABLE
        assert len(TABLE) == len(left)


OUTSIDE = deque([1, 2], maxlen=3)


def combined(n):
    items = deque([n, 7])
    doubled = deque([n], maxlen=3)
    doubled *= 2
    sums = OUTSIDE + items, items + OUTSIDE, items * 2, 2 * doubled, doubled
    return [list(one) for one in sums], OUTSIDE == deque([1, n]), deque([1, n]) == OUTSIDE


def test_operators_of_deques():
    staged = runtime.jit(combined, strict=True)
    for n in (2, 3):
        assert staged(n) == combined(n)


def text_of_either(n):
    items = {}
    if n > 2:
        items["a"] = n
        items["b"] = 2
    else:
        items["b"] = n
        items["a"] = 3
    return str(items)


def test_text_of_dicts_whose_keys_come_in_either_order():
    staged = runtime.jit(text_of_either, strict=True)
    assert [staged(n) for n in (1, 3)] == [text_of_either(n) for n in (1, 3)]


def emptied(values, n):
    found = []
    while values:
        found.append(values.popleft() + n)
    found.append(values)
    return found


def test_deques_in_lists_of_staged_length_are_refused():
    with pytest.raises(ConcreteValueError, match="an object of class deque"):
        runtime.jit(emptied, strict=True)(deque([9, 8]), 1)


def limited(n):
    values = deque([1, 2, 3], maxlen=4)
    values.append(n)
    if n > 2:
        values.appendleft(7)
    return values


def of_constants(n):
    return deque("abc"), deque(), deque([(1, n), (2, n)]), {"a": [deque([n])]}


def filled_in_a_loop(n):
    values = deque()
    for i in range(n):
        values.append(i * 1.5)
    return values, len(values)


def on_one_path(n):
    mixed = deque(["a", n, (n, "b")]) if n > 2 else "none"
    return deque([n]) if n > 2 else None, mixed


@pytest.mark.parametrize("function", [limited, of_constants, filled_in_a_loop, on_one_path])
def test_deques_are_returned(function):
    staged = runtime.jit(function, strict=True)
    for n in (1, 2, 3, 1, 2, 3):
        assert repr(staged(n)) == repr(function(n))


def test_a_deque_of_the_caller_is_returned_itself():
    def put_and_return(values, n):
        values.append(n)
        return values

    staged, values = runtime.jit(put_and_return, strict=True), deque([1])
    assert all(staged(values, n) is values for n in range(4))
    assert values == deque([1, 0, 1, 2, 3])


def test_deques_of_tensors_are_returned():
    result = runtime.function(limited)(runtime.constant(3))
    assert type(result) is deque and result.maxlen == 4
    assert [int(item) for item in result] == [7, 1, 2, 3]
