"""Dicts and sets from outside, looked up by staged texts and numbers: as plain Python each call."""

from collections import Counter, OrderedDict, defaultdict

import pytest

import runtime as tf

UNITS = {"km": 1000.0, "m": 1.0, "cm": 0.01}
SHIFTED = {chr(k): chr(k + 1) for k in range(97, 122)}
MANY = {chr(k): k for k in range(33, 133)}
VOWELS = {"a", "e", "i"}
MIXED = {"a": 1, "b": "x"}
COUNTS = Counter("aab")
DEFAULTS = defaultdict(int, a=4)
ORDERED = OrderedDict(b=2)
PAIRS = {(0, 1): 5, (1, 0): 7}


class Table:
    def __init__(self):
        self.rates = {"eur": 1.0, "usd": 1.25}

    def convert(self, amount, name):
        return amount * self.rates.get(name, 0.0)


def by_default(name):
    return UNITS.get(name, 5.0)


def by_itself(name):
    return SHIFTED.get(name, name)


def of_many(text):
    return sum([MANY.get(letter, 0) for letter in text]), text[:1] in MANY


def mapped(text):
    return "".join(SHIFTED.get(letter, letter) for letter in text)


def vowels(text):
    return sum(1 for letter in text if letter in VOWELS)


def item_of_many(name):
    return MANY[name]


def of_argument(table, name):
    return table.get(name, -1), name in table


def of_pairs(a, b):
    return PAIRS.get((a, b), 0), (a, b) in PAIRS


def counted(a, b, c):
    return (a, b, c).count(0), (a, b, c).index(b), a in (b, c)


def of_subclasses(name):
    counts, defaults, ordered = COUNTS[name], DEFAULTS.get(name, 7), ORDERED.get(name)
    return counts, defaults, ordered is None, name in COUNTS, name in DEFAULTS, name in ORDERED


PROGRAMS = [
    (of_subclasses, [("a",), ("b",), ("zz",)]),
    (by_default, [("km",), ("m",), ("mile",)]),
    (by_itself, [("a",), ("z",), ("",)]),
    (of_many, [("ab",), ("",), ("A!\n",)]),
    (mapped, [("hello, zed",), ("",), ("b",)]),
    (vowels, [("aerie",), ("xyz",), ("",)]),
    (item_of_many, [("a",), ("long",), ("b",)]),
    (of_argument, [({"a": 1}, "a"), ({"a": 1, "b": 2}, "c"), ({}, "a"), ({"a": 3}, "b")]),
    (of_pairs, [(0, 1), (1, 0), (1, 1)]),
    (counted, [(0, 1, 0), (1, 1, 1), (0, 0, 0)]),
]


def outcome(function, args):
    try:
        return function(*args)
    except Exception as error:
        return type(error), str(error)


@pytest.mark.parametrize("function, calls", PROGRAMS, ids=[f.__name__ for f, _ in PROGRAMS])
def test_a_lookup_is_as_in_plain_python(function, calls):
    staged = tf.jit(function)
    for args in calls:
        assert outcome(staged, args) == outcome(function, args)


def test_a_later_change_of_a_table_is_seen():
    one = Table()
    convert = tf.jit(one.convert)
    assert convert(2.0, "usd") == one.convert(2.0, "usd")
    for rates in ({"usd": 3.0}, {"usd": 4.0, "eur": 1.0}, {}):
        one.rates.clear()
        one.rates.update(rates)
        assert convert(2.0, "usd") == one.convert(2.0, "usd")
    one.rates = {"usd": 7.0}
    assert convert(2.0, "usd") == 14.0


def test_values_of_several_classes():
    def mixed(name):
        return MIXED[name]

    staged = tf.jit(mixed)
    assert [staged(name) for name in "abab"] == [1, "x", 1, "x"]
    with pytest.raises(KeyError, match="'c'"):
        staged("c")
