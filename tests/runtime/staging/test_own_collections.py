"""Subclasses of Python's collections are asked by their own methods, as in plain Python."""

from __future__ import annotations

from collections import OrderedDict, defaultdict, namedtuple

import pytest

import runtime
from autograph.errors import AutoGraphError


class Doubled(dict):
    def __missing__(self, key):
        return key * 2


class Lower(dict):
    def __getitem__(self, key):
        return super().__getitem__(key.lower())

    def __contains__(self, key):
        return super().__contains__(key.lower())

    def get(self, key, default=None):
        return super().get(key.lower(), default)


class Twice(dict):
    """Twice each value by index: the base's methods do not ask for it."""

    def __getitem__(self, key):
        return 2 * super().__getitem__(key)


class Ring(list):
    def __init__(self, *items):
        super().__init__(items)
        self.size = len(items)

    def __getitem__(self, index):
        return list.__getitem__(self, index % self.size)


class Reversed(list):
    def __iter__(self):
        return iter([self[2], self[1], self[0]])


class Ordered(OrderedDict):
    def __getitem__(self, key):
        return -super().__getitem__(key)


class Shifted(tuple):
    __slots__ = ()

    def __getitem__(self, index):
        return tuple.__getitem__(self, index) + 1


class Twins(tuple):
    __slots__ = ()

    def __iter__(self):
        return iter((4, 5))


class Frozen(frozenset):
    pass


class Unordered(set):
    pass


class Modular(int):
    def __add__(self, other):
        return int.__add__(self, other) % 7


TABLE = Doubled({1: 5})


class Item:
    def __init__(self, x):
        self.x = x

    def __lt__(self, other):
        return self.x < other.x

    def __gt__(self, other):
        return self.x > other.x

    def __iter__(self):
        yield self.x
        yield 0


CASES = {
    "missing text": (lambda d, k: d[k] + "!", lambda: (Doubled(a="5"), "b")),
    "missing int": (lambda d, k: d[k] + 1, lambda: (Doubled({1: 5}), 7)),
    "there": (lambda d, k: d[k] + 1, lambda: (Doubled({1: 5}), 1)),
    "of a global": (lambda k: TABLE[k] + 1, lambda: (7,)),
    "lower []": (lambda d, k: d[k], lambda: (Lower(a=1, b=2), "A")),
    "lower in": (lambda d, k: k in d, lambda: (Lower(a=1, b=2), "A")),
    "lower get": (lambda d, k: d.get(k, -1), lambda: (Lower(a=1, b=2), "B")),
    "get of the base": (lambda d, k: (d[k], d.get(k)), lambda: (Twice(a=1), "a")),
    "values of an argument": (lambda d, k: list(d.values()), lambda: (Twice(a=1), 3)),
    "own constructor": (lambda v, i: v[i], lambda: (Ring(4, 5, 6), 7)),
    "own iteration": (lambda v, k: [k * item for item in v], lambda: (Reversed([1, 2, 3]), 2)),
    "ordered": (lambda d, k: d[k] + 1, lambda: (Ordered(a=1), "a")),
    "tuple": (lambda v, i: v[i], lambda: (Shifted((4, 5)), 1)),
    "number": (lambda v, n: v + n, lambda: (Modular(5), 4)),
    "least": (lambda a, b, k: min(a, b).x + k, lambda: (Item(3), Item(1), 5)),
    "greatest by key": (
        lambda a, b, k: max(a, b, key=lambda item: item.x).x + k, lambda: (Item(3), Item(1), 5)
    ),
    "least of new ones": (lambda k: min(Item(k), Item(k - 1)).x, lambda: (3,)),
    "item beside own iteration": (lambda v, n: v[n % 2], lambda: (Reversed([1, 2, 3]), 3)),
    "slice beside own iteration": (lambda v, n: v[n % 2 :], lambda: (Reversed([1, 2, 3]), 3)),
    "tuple's item beside own iteration": (lambda v, n: v[n % 2], lambda: (Twins((1, 2)), 3)),
    "sum of one": (lambda a, k: sum(a) + k, lambda: (Item(3), 5)),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_as_in_python(name):
    function, arguments = CASES[name]
    staged = runtime.jit(function, strict=True)
    for _ in range(2):
        expected, result = function(*arguments()), staged(*arguments())
        assert result == expected
        assert type(result) is type(expected)


def test_a_missing_tensor_key_asks_the_class():
    staged = runtime.function(lambda key: TABLE[key])
    assert [int(staged(runtime.constant(key))) for key in (1, 7)] == [5, 14]


def test_nests_keep_the_attributes_of_subclasses():
    ring = Ring(1, 2)
    copy = runtime.nest.map_structure(lambda item: item + 1, ring)
    assert type(copy) is Ring
    assert list(copy) == [2, 3]
    assert copy.size == 2


GROWING = {"a": Doubled(), "b": defaultdict(int)}


@pytest.mark.parametrize("name", GROWING)
def test_new_keys_are_in_what_is_returned(name):
    def grown(n):
        held = GROWING[name]
        held |= {1: 3}
        return [held]

    assert runtime.jit(grown, strict=True)(1) == [{1: 3}] == [GROWING[name]]


class Last(int):
    """An int that answers as a right operand."""

    def __radd__(self, other):
        return 1000

    def __gt__(self, other):
        return True

    __hash__ = int.__hash__

    def __eq__(self, other):
        return int(self) == other + 1


class LastFloat(float):
    def __rmul__(self, other):
        return 0.5


class Folded(str):
    def __eq__(self, other):
        return self.upper() == other.upper()

    __hash__ = str.__hash__


PLAIN = frozenset([1, 2])
ALLOWED, LETTERS, NUMBERS = Frozen({1, 2}), Unordered({1, 2}), Doubled({1: 5})

class Rules:
    allowed = PLAIN


def attribute(n):
    seen = set()
    seen.add(n)
    return Rules.allowed >= seen, Rules.allowed < {1, n}


OPERATORS = {
    "int +": (lambda n: n + Last(3), 2),
    "int <": (lambda n: n < Last(1), 2),
    "int ==": (lambda n: n == Last(3), 2),
    "bool +": (lambda n: (n > 1) + Last(3), 2),
    "int * float": (lambda n: n * LastFloat(3.0), 2),
    "float + int": (lambda x: x + Last(3), 2.0),
    "text ==": (lambda s: s == Folded("a"), "A"),
    "frozenset <=": (lambda n: ALLOWED <= {1, n}, 2),
    "frozenset >": (lambda n: ALLOWED > {n}, 2),
    "frozenset of the call": (lambda n: Frozen({1, 2}) >= {1, n}, 2),
    "plain frozenset <=": (lambda n: PLAIN <= {1, n}, 2),
    "plain frozenset >": (lambda n: PLAIN > {n}, 2),
    "frozenset in an attribute": (attribute, 2),
    "new frozenset >=": (lambda n: frozenset([1, 2]) >= {1, n}, 2),
    "set <=": (lambda n: LETTERS <= {1, n}, 2),
    "set &": (lambda n: LETTERS & {1, n}, 3),
    "set -": (lambda n: LETTERS - {1, n}, 3),
    "set ^": (lambda n: LETTERS ^ {1, n}, 3),
    "dict |": (lambda n: NUMBERS | {n: 4}, 3),
}  # fmt: skip


@pytest.mark.parametrize("name", OPERATORS)
def test_operators_as_in_python(name):
    function, value = OPERATORS[name]
    staged = runtime.jit(function, strict=True)
    for _ in range(2):
        expected, result = function(value), staged(value)
        assert result == expected
        assert type(result) is type(expected)


def named(n):
    held = frozenset([1, 2])
    return 2 in (held | {n})


def changed(n):
    held = Unordered({1, 2})
    held |= {n}
    return sum(held)


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda n: ALLOWED | {n}, "a frozenset of staged items"),
        (lambda n: len(PLAIN & {1, n}), "a frozenset of staged items"),
        (lambda n: {1, 2} <= (PLAIN - {n}), "a frozenset of staged items"),
        (named, "a frozenset of staged items"),
        (lambda n: ALLOWED.union([n]), "a frozenset of staged items"),
        (lambda n: frozenset("ab").difference([n]), "a frozenset of staged items"),
        (changed, "written to a Unordered"),
    ],
)
def test_operators_that_are_refused(function, words):
    with pytest.raises(AutoGraphError, match=words) as caught:
        runtime.jit(function, strict=True)(3)
    assert caught.value.where[0] == __file__
    assert "__and__" not in vars(Frozen)


class Odd(namedtuple("Odd", "a b")):
    __slots__ = ()

    def __getitem__(self, index):
        return 5


def test_parts_of_named_tuples_are_their_own():
    def joined(n):
        held, found = Odd(n, 2), []
        for i in range(n):
            found.append(held[i])
            if i > 0:
                held = Odd(i, n)
        return held, found

    result, found = runtime.jit(joined, strict=True)(3)
    assert tuple.__eq__(result, joined(3)[0]) and found == [5, 5, 5]


@pytest.mark.parametrize("make", [OrderedDict, Doubled])
def test_new_keys_in_another_order_are_refused(make):
    def ordered(n):
        held = make()
        if n > 2:
            held["a"], held["b"] = n, 2
        else:
            held["b"] = n
            held["a"] = 3
        return list(held)

    with pytest.raises(AutoGraphError, match="the order of its keys"):
        runtime.jit(ordered, strict=True)(1)
