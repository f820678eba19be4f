"""Arithmetic of ``Counter``s, ``dict.fromkeys`` and ``frozenset``, of staged texts and lists."""

from collections import Counter

import pytest

import runtime
from autograph.errors import ConcreteValueError


def added(a, b):
    return Counter(a) + Counter(b)


def subtracted(a, b):
    return Counter(a) - Counter(b)


def common(a, b):
    return Counter(a) & Counter(b)


def either(a, b):
    return Counter(a) | Counter(b)


def with_known_counts(a, b):
    return Counter("aab") + Counter(a), Counter(b) - Counter(a=1), Counter("ab") & Counter(b)


def in_place(a, b):
    counts = Counter(a)
    same = counts
    counts += Counter(b)
    counts -= Counter("a")
    return counts, same is counts, len(counts)


def of_staged_counts(a, b):
    counts = Counter(x=len(a)) - Counter(x=len(b), y=1)
    return counts, "x" in counts, len(counts)


def of_negative_counts(a, b):
    counts = Counter(a)
    counts.subtract(b)
    return counts, counts + Counter(), Counter("z") - counts


def elements(a, b):
    return list(Counter(a).elements()), sorted(Counter(a + b).elements())


def is_made_of(a, b):
    return not Counter(b) - Counter(a)


def without_repetitions(a, b):
    return list(dict.fromkeys(a)), dict.fromkeys(a + b, 0), "".join(dict.fromkeys(b))


PROGRAMS = [
    added, subtracted, common, either, with_known_counts, in_place, of_staged_counts,
    of_negative_counts, elements, is_made_of, without_repetitions,
]  # fmt: skip
TEXTS = [("abca", "bcd"), ("hello world", "low"), ("", "x"), ("aa", "")]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_counters_compute_as_in_python(function):
    staged = runtime.jit(function)
    for texts in TEXTS:
        found, expected = staged(*texts), function(*texts)
        assert found == expected
        assert repr(found) == repr(expected)


def test_counters_of_lists():
    def f(a, b):
        return Counter(a) + Counter(b), list(dict.fromkeys(a))

    staged = runtime.jit(f)
    for lists in (([1, 2, 1], [2]), ([5], [5, 5]), ([3, 1], [1])):
        assert repr(staged(*lists)) == repr(f(*lists))


def test_a_counter_and_another_class_are_refused_as_in_python():
    with pytest.raises(TypeError, match="unsupported operand"):
        runtime.jit(lambda a: Counter(a) + 1)("ab")


def test_a_frozenset_of_staged_items_is_refused():
    def f(n):
        return len(frozenset([n, 1]))

    with pytest.raises(ConcreteValueError, match=r"test_counters.py:\d+: a frozenset of staged"):
        runtime.jit(f)(1)


def test_keys_of_several_classes_are_refused():
    def f(n):
        found = {1: 5, "a": 6}
        found[n] = 7
        return len(found)

    with pytest.raises(ConcreteValueError, match="several classes, here int and str"):
        runtime.jit(f)(1)
