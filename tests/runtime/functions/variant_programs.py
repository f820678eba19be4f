"""Programs whose values are of different kinds on different paths, and calls of them."""

from __future__ import annotations

import copy
import enum
import math
from typing import Any

import numpy as np


class Colour(enum.Enum):
    RED = 1
    GREEN = 2


class Circle:
    def __init__(self, radius):
        self.radius = radius

    def area(self):
        return 3 * self.radius * self.radius


class Square:
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side * self.side


def text_or_number(n):
    if n < 0:
        return "negative"
    return n


def tuples_of_several_lengths(n):
    if n < 0:
        return "negative", n
    if n == 0:
        return None
    return n, n + 1, "x"


def used(n):
    x = "neg" if n < 0 else n
    print(x * 2, f"{x}|{x!r}", isinstance(x, str), type(x) is int)
    if isinstance(x, str):
        return x + "!"
    return x + 1


def list_or_tuple(n):
    x = [1, n] if n < 0 else (n, 2)
    return x[1], len(x), x, n in x, x == [1, n], x != (n, 2)


def gone_through(n):
    x = [1, n] if n < 0 else "abc"
    count = 0
    for _ in x:
        count += 1
    return count, bool(x), list(x)


def list_that_grows(n):
    older = [1]
    x = older if n < 0 else n
    if isinstance(x, list):
        x.append(4)
    return x, older


def fails_for_one_kind(n):
    x = n if n > 0 else "a"
    return x - 1


def enum_member(n):
    if n > 0:
        return Colour.RED
    return Colour.GREEN


def enum_member_or_text(n):
    if n > 0:
        return Colour.RED
    if n < 0:
        return Colour.GREEN
    return "none"


def function_of_several(n):
    return abs if n > 0 else len


def dicts_of_other_keys(n):
    return {"value": n} if n > 0 else {"error": "bad"}


def dict_items(n):
    return {"a": n, "b": 1} if n > 0 else {"a": "bad", "b": 2}


def left_by_return(n):
    for t in range(n, n + 5):
        if t == 4:
            return "four"
        if t == -1:
            return t, t
    return t


def methods(n):
    shape = Circle(n) if n > 0 else Square(n)
    return shape.area()


def handled(n):
    try:
        if n < 0:
            raise ValueError("negative")
        r = 10 // n
    except ValueError as error:
        r = repr(error)
    except ZeroDivisionError:
        r = None
    return r


def joined_again(n):
    x = 5 if n > 0 else "s"
    y = x if n > -4 else [n]
    z = y
    if n == -4:
        z = (1, 2, 3)
    return x, y, z


def matched(n):
    x = 1.5 if n > 0 else "s"
    if n > 2:
        x = n
    match x:
        case str():
            return "t" + x
        case int():
            return x + 1
        case float(v):
            return v


def flag_and_value(n):
    def parse(k):
        if k < 0:
            return False, "negative"
        return True, k

    ok, value = parse(n)
    if not ok:
        return value.upper()
    return value * 2


def compared(n):
    def parse(k):
        return "error" if k < 0 else k

    value = parse(n)
    if value == "error":
        return -1
    return value * 2


def items(n):
    def parse(k):
        return "error" if k < 0 else k

    found = [parse(n), parse(-n)]
    return found, [x for x in found if isinstance(x, str)], str(found)


def comprehension(values):
    return ["neg" if x < 0 else x for x in values]


def appended(values):
    made = []
    for x in values:
        if x < 0:
            made.append("neg")
        else:
            made.append(x)
    return made, len(made)


def fizz_buzz(n):
    for i in range(1, n + 1):
        print("FizzBuzz" if i % 15 == 0 else "Fizz" if i % 3 == 0 else "Buzz" if i % 5 == 0 else i)


def number_that_is_not_there(n):
    if n > 0:
        return None
    return 1 if n < -3 else 2.5


def with_itself(n):
    x = "neg" if n < 0 else n
    return x + x, x == x, x <= x, n < 0 or x > n - 1, [x, 1] == [x, 1], copy.copy(x), (x,) < (x, 1)


def turns(n):
    x = "neg" if n < 0 else n
    return list(range(x))


def square_root(n):
    x = "neg" if n < 0 else n
    try:
        return math.sqrt(x)
    except TypeError as error:
        return str(error)


def numpys_functions(n):
    x = [1, n] if n < 0 else (n, 2, 3)
    return np.sum(x), np.array(x).shape, max(x), sorted(x)


def zeros(n):
    return np.zeros("neg" if n < 0 else n).shape


def joined_texts(n):
    x = "neg" if n < 0 else n
    return "-".join([x, "a"])


_SIGNS: list[tuple[Any, ...]] = [(3,), (-3,), (0,), (-4,)]
def appended_in_a_try(n):
    items = []
    for i in range(3):
        try:
            if i == n:
                raise KeyError(i)
            items.append(4)
        except KeyError:
            items.append("k")
        else:
            items.append("ok")
    return items


CALLS = [
    (text_or_number, _SIGNS),
    (tuples_of_several_lengths, _SIGNS),
    (used, _SIGNS),
    (list_or_tuple, _SIGNS),
    (gone_through, _SIGNS[:2]),
    (list_that_grows, _SIGNS[:2]),
    (fails_for_one_kind, _SIGNS[:2]),
    (enum_member, _SIGNS[:2]),
    (enum_member_or_text, _SIGNS),
    (function_of_several, _SIGNS[:2]),
    (dicts_of_other_keys, _SIGNS[:2]),
    (dict_items, _SIGNS[:2]),
    (left_by_return, [(3,), (-3,), (9,)]),
    (methods, _SIGNS[:2]),
    (handled, _SIGNS),
    (joined_again, _SIGNS),
    (matched, [(3,), (-3,), (1,)]),
    (flag_and_value, _SIGNS[:2]),
    (compared, _SIGNS[:2]),
    (items, _SIGNS),
    (comprehension, [([1, -2, 3],), ([],)]),
    (appended, [([1, -2, 3],), ([],), ([-1],)]),
    (appended_in_a_try, [(0,), (1,), (2,), (7,)]),
    (fizz_buzz, [(15,)]),
    (with_itself, _SIGNS[:2]),
    (turns, _SIGNS[:2]),
    (square_root, _SIGNS[:2]),
    (numpys_functions, _SIGNS[:2]),
    (zeros, [(3,)]),
    (joined_texts, _SIGNS[:2]),
    (number_that_is_not_there, [(3,), (-9,), (-1,)]),
]  # fmt: skip
