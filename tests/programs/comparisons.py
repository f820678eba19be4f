"""Programs that look for values in collections, and compare tuples and lists."""

from typing import NamedTuple


class Above:
    """Holds every number above a bound."""

    def __init__(self, bound):
        self.bound = bound

    def __contains__(self, x):
        if x > self.bound:
            return True
        return False


class Pair:
    """Can be looped over, and nothing more."""

    def __init__(self, x):
        self.x = x

    def __iter__(self):
        return iter((self.x, self.x + 1))


def in_numbers(x):
    if x in (1, 3, 5):
        return 1
    return 0 if x not in [2, 4] else 2


def in_many(x):
    return x in [2, 3, 5, 7, 11, 13, 17, 19, 23], x in (0.5, 2.5, 7.0, 9.0, 1.0)


def in_values(x):
    items = [x, x + 1, 9]
    return 4 in items, x in items, 9 not in items, x + 1 in (x, 7)


def in_nested(x):
    return (x, 1) in [(3, 1), (2, 2)], [x] in ([4], [3]), (4, 1) in [(x, 1)]


def in_python_range(x):
    return x in range(5), x in range(0, 10, 3), x not in range(9, 0, -3)


def in_staged_range(n):
    return 2 in range(n), n in range(n), 1 in range(n, -9, -2), 2.5 in range(n)


def in_dict_values(x):
    prices = {"a": x, "b": 2}
    return 3 in prices.values(), "a" in prices, x in prices.values()


def in_set_of_numbers(n):
    total = 0
    for i in range(n):
        if i in {1, 3} or i in {0: "zero"}:
            total += i
    return total


def in_object(x):
    return x in Above(2), x not in Above(7), x in Pair(3), 4 in Pair(x)


def in_chain(x):
    return 1 < x in [3, 4], x in [3] in [[3]]


def in_loop_condition(x):
    while x not in (0, 4):
        x = x - 1
    return x


def in_text(s):
    return s in ["a", "b"], "b" in (s, "c")


def ordered(x):
    return (x, 1) < (5, 2), (x, 1) < (5, 0), [x] >= [5], (x, 2) > (x, 1, 0)


def ordered_by_name(x):
    best, least = (100, 0), [7, x]
    for i in range(3):
        candidate = (abs(i - x), i)
        if candidate < best:
            best = candidate
    return best, least <= [x, 7]


class Point(NamedTuple):
    x: float
    y: float


def named_tuples(x):
    p = Point(x, 1)
    return p == Point(x, 1), p != (x, 1), Point(2, x) == (2, 3), p == Point(1, 1)


CASES = [
    (in_numbers, [(1,), (4,), (6,)]),
    (in_many, [(7,), (8,)]),
    (in_values, [(3,), (4,)]),
    (in_nested, [(3,), (4,)]),
    (in_python_range, [(3,), (9,), (-1,)]),
    (in_staged_range, [(3,), (0,)]),
    (in_dict_values, [(3,), (5,)]),
    (in_set_of_numbers, [(5,)]),
    (in_object, [(3,), (1,)]),
    (in_chain, [(3,), (0,)]),
    (in_loop_condition, [(9,), (2,)]),
    (in_text, [("a",), ("c",)]),
    (ordered, [(5,), (0,), (6,)]),
    (ordered_by_name, [(1,), (9,)]),
    (named_tuples, [(1,), (3,)]),
]
