"""Direct calls of machine code with dicts, tuples, deques and texts, and with carried state."""

from __future__ import annotations

import collections
import copy

import numpy as np
import pytest

import runtime as tf
from runtime.types.flags import JIT
from runtime.types.python_source import MISS
from tests.runtime.functions.test_native_call import alike, warm
from tests.support.extras import needs

pytestmark = needs("jit")


@pytest.fixture(autouse=True)
def _at_once():
    with JIT("always"):
        yield


def check(function, misses, *values):
    """Compare direct calls with Python; ``misses`` are values that take the general way."""
    compiled = warm(tf.jit(function, strict=True), *copy.deepcopy(values))
    direct = compiled._direct[len(values)]
    alike(direct(*copy.deepcopy(values)), function(*copy.deepcopy(values)))
    for value in misses:
        assert direct(value, *copy.deepcopy(values[1:])) is MISS, value
        alike(compiled(copy.deepcopy(value)), function(copy.deepcopy(value)))


class Text(str):
    pass


def test_dicts_are_compared_by_class_keys_and_their_order():
    check(
        lambda x: (x["a"] + x["b"], len(x)),
        [
            {"b": 2.0, "a": 1}, {"a": 1, "b": 2}, {"a": 1, "b": 2.0, "c": 3},
            collections.OrderedDict(a=1, b=2.0), {Text("a"): 1, "b": 2.0}, {"a": 2**62, "b": 1},
        ],
        {"a": 1, "b": 2.0},
    )  # fmt: skip
    check(lambda x: x[1], [{True: 3}, {1.0: 3}], {1: 3})


def test_what_dicts_hold_is_compared():
    check(
        lambda x: (x["a"][0], x["c"][1], x["d"]),
        [{"a": [1.0], "c": (1, 2), "d": None}, {"a": [1], "c": [1, 2], "d": None}],
        {"a": [1, 2], "c": (1, 2), "d": None},
    )


def test_default_factories_are_compared():
    other = collections.defaultdict(float, a=1)
    check(lambda x: x["a"] + len(x), [other, {"a": 1}], collections.defaultdict(int, a=1))


def test_texts_go_in_and_out():
    check(lambda x, y: (x + y, len(x), {"same": x}), [], "ab", "é")


def test_a_list_that_is_given_twice_is_changed_once():
    def change(x, y):
        x["a"].append(1)
        y.append(2)

    compiled = warm(tf.jit(change), {"a": [1]}, [2])
    shared = [5]
    assert compiled._direct[2]({"a": shared}, shared) is MISS
    compiled({"a": shared}, shared)
    assert shared == [5, 1, 2]


def test_changed_dicts_and_deques_stay_the_same_objects():
    def change(x, y):
        x["b"]["c"] = x["b"]["c"] + y[0]
        y.append(y.popleft())
        return x, y

    compiled = warm(tf.jit(change, strict=True), {"b": {"c": 1}}, collections.deque([1, 2], 2))
    inner, queue = {"c": 3}, collections.deque([5, 6], 2)
    outer = {"b": inner}
    result = compiled._direct[2](outer, queue)
    assert result[0] is outer and outer["b"] is inner and inner == {"c": 8}
    assert result[1] is queue and [*queue] == [6, 5]
    assert compiled._direct[2](outer, collections.deque([5, 6], 3)) is MISS


def test_arrays_and_scalars_of_collections_go_out():
    array = np.arange(3.0)
    compiled = warm(tf.jit(lambda x: (x, x["a"] + 1), strict=True), {"a": array, "b": np.int64(1)})
    given = {"a": array, "b": np.int64(4)}
    same, increment = compiled(given)
    assert same is given and increment.tolist() == [1, 2, 3]
    assert repr(compiled({"b": np.float64(2), "a": array})[0]["b"]) == "np.float64(2.0)"


def power(x, times=2, *, by=1.0, **others):
    for _ in range(times):
        x = x * by + len(others)
    return x, others


@pytest.mark.parametrize("kwargs", [
    {"times": 3}, {"by": 2.5}, {"by": 0.5, "times": 1}, {"times": 1, "by": 0.5},
    {"other": 1, "by": 1.5, "another": 2.0},
])  # fmt: skip
def test_keywords_are_those_of_the_call(kwargs):
    compiled = tf.jit(power, strict=True)
    for x in (1.0, 2.0, 3.0, 4.5):
        alike(compiled(x, **kwargs), power(x, **kwargs))
        alike(compiled(x, *[1][: "times" not in kwargs]), power(x, *[1][: "times" not in kwargs]))
    assert compiled._direct[1, *kwargs](1.0, *kwargs.values()) == power(1.0, **kwargs)
    assert compiled._direct[1, *kwargs](1, *kwargs.values()) is MISS
    alike(compiled(x=2.0, **kwargs), power(x=2.0, **kwargs))


def test_arrays_by_keyword_in_another_order_than_that_of_the_parameters():
    def difference(x, y):
        x[0] = y[1]
        return x - y

    compiled = tf.jit(difference, strict=True)
    for number in range(4):
        x, y = np.arange(3.0) + number, np.ones(3)
        assert compiled(y=y, x=x).tolist() == [0.0, number, number + 1]
        assert x[0] == 1.0 and y[0] == 1.0
    assert (0, "y", "x") in compiled._direct


def test_defaults_that_change_are_seen():
    held = bytearray(b"a")

    def length(x, text=held):
        return x + len(text)

    compiled = tf.jit(length)
    for number in range(8):
        assert compiled(number) == length(number)
        held.append(number)


class Meter:
    def __init__(self, total):
        self.total = total


@pytest.mark.parametrize("stages", [tf.jit, tf.function])
def test_state_is_read_and_written_by_direct_calls(stages):
    meter = Meter(tf.constant(1.0) if stages is tf.function else 1)

    def add(x):
        meter.total = meter.total + x
        if x > 100:
            raise ValueError(x)
        return meter.total * 2

    value = tf.constant if stages is tf.function else int
    compiled = stages(add, jit_compile=True)
    for _ in range(3):
        compiled(value(2.0))
    direct = compiled._direct[1]
    meter.total = value(10.0)
    assert float(direct(value(3.0))) == 26 and float(meter.total) == 13
    assert type(meter.total) is type(value(1.0))
    with pytest.raises(ValueError, match="200"):
        direct(value(200.0))
    assert float(meter.total) == 213
    meter.total = 0.5  # of another class: the general way
    assert direct(value(2.0)) is MISS
    assert float(compiled(value(2.0))) == 5.0
