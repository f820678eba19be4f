"""Programs whose numbers are an int on one path and a float on another, and calls of them."""

from __future__ import annotations

import contextlib
import copy
import io
import math
from collections.abc import Callable
from typing import Any

FACTORS = {"m": 1, "cm": 0.01}


def scaled(unit):
    return 4 * FACTORS[unit]


def quotient(v, c):
    s = 0 if v == 0 else c / v
    return s


def total(xs):
    t = 0
    for x in xs:
        t += x
    return t


def summed(xs):
    return sum(xs)


def item(values, i):
    return values[i]


def constant_item(i):
    values = [1, 2.5, 7]
    return values[i], (1.5, 2)[i - 1]


def greatest(a, b):
    return max(a, b), min(a, b), max([a, b, 1])


def arithmetic(i, n):
    x = n if i == 0 else 2.5
    y = 0.5 if n == 2 else i
    return (
        (x // 2, x % 2, x / 2, -x, +x, abs(x), x * x, x ** 2, 2 ** x, x - 1, 1 - x, x + 1.5),
        (x * y, n * x, x - y, divmod(x, 2), divmod(7, x), pow(x, 2)),
    )


def compared(i):
    x = [1, 2.5][i]
    return x == 1, x != 1, x < 2, 2 < x, x <= 1.0, x >= i, 1 <= x <= 2, not x, [x, 1] == [1, 1]


def texts(i):
    x = 1 if i == 0 else 2.5
    print(x, [x], (x, "a"), sep=";")
    return str(x), repr(x), f"{x} {x:.2f}", "%s" % x, "{}".format(x), str([x]), str({"k": x})


def types_of(i):
    x = 1 if i == 0 else 2.5
    whole = isinstance(x, int)
    y = x + 1 if whole else x
    return y, type(x) is float, isinstance(x, (int, float)), isinstance(x, str)


def converted_numbers(i):
    x = 4 if i == 0 else 0.25
    return int(x), float(x), bool(x), complex(x), round(x), math.sqrt(x), math.floor(x), x.real


def counted(i, n):
    x = n if i == 0 else 2.5
    t = 0
    for k in range(x):
        t += k
    return t


def indexed(i, n):
    x = n if i == 0 else 2.5
    return [5, 6, 7][x], "abc"[x]


def assigned(i, n):
    x = n if i == 0 else 0.5
    values = [1, 2, 3]
    values[x] = 9
    return values


def bits(i):
    x = 6 if i == 0 else 1.5
    return x & 3 if i == 0 else x


def repeated(i):
    x = 2 if i == 0 else 2.0
    return "ab" * x, [1, 2] * x, x * [3]


def collections(i, n):
    x = n if i == 0 else 0.5
    return [x, 1], (x, x), {"a": x, "b": [x]}


def collected(xs):
    out = []
    for x in xs:
        out.append(x if x > 0 else 0)
    return out, [x if x < 0 else 1 for x in xs], max(out), sum(out), out[0] * 2


def in_a_loop(i):
    x = 1 if i == 0 else 2.5
    steps = 0
    while x < 10:
        x = x * 2
        steps += 0.5 if x > 4 else 1
    return x, steps


def best(xs):
    found = None
    for x in xs:
        if found is None or x > found:
            found = x
    return 0 if found is None else found


def optional(i):
    x = None
    if i == 1:
        x = 1
    if i == 2:
        x = 2.5
    return x


def recursive(n):
    return 1 if n <= 0 else 0.5 * recursive(n - 1)


def bool_or_int(i):
    x = True if i == 0 else 2
    return x, x + 1, [x]


def of_three(i):
    x = 1 if i == 0 else (1j if i == 1 else 2.5)
    return x, x * 2, x == 1


def of_four(i):
    x = 1
    if i > 0:
        x = 0.5
    if i > 1:
        x = True
    if i > 2:
        x = 2j
    return x, x + 1, x * 2.0


def searched(i):
    x = 1 if i == 0 else 2.5
    return {1: "a", 2.5: "b"}[x], x in [1, 2], x in {1: 2}, x in (2.5, 3)


def raised(i):
    x = 3 if i == 0 else 2.5
    if i < 2:
        raise ValueError("bad", x)
    return x


def caught(i):
    x = 3 if i == 0 else 0.0 if i == 1 else 0
    try:
        y = 1 // x
    except ZeroDivisionError:
        y = -0.5
    return y


def in_a_function(i):
    d = {"a": 0}
    d["a"] += 1 if i == 0 else 0.5

    def add(q):
        return q + d["a"]

    return d, add(1), add(0.5), [v + 1 for v in d.values()]


def of_large_ints(i):
    x = 2**60 + 1 if i == 0 else 2.5
    return x, x + 1, x // 3, x == 2**60


def rounded(x):
    return round(x, 1) if x > 2 else round(x), int(x) if x > 1 else x, abs(x) or 0


def gone_through(i):
    x = 4 if i == 0 else 2.5
    t = 0
    for a, b in [(x, 1), (2, x)]:
        t += a * b
    for k in [x, 1, 2.0]:
        t += k
    return t


def decided_by_type(i):
    x = 3 if i == 0 else 2.5
    if not isinstance(x, int) and x > 1:
        kind = "float"
    else:
        kind = "int"
    steps = 0
    while isinstance(x, int):
        x = x / 2
        steps += 1
    return x, kind, steps, 1 if issubclass(type(x), int) else 2


def refuses_floats(i):
    x = 3 if i == 0 else 2.5
    if not isinstance(x, int):
        raise TypeError(f"an int is needed, not {type(x).__name__}")
    return x


def none_or_number(i):
    x = i if i > 0 else None
    if isinstance(x, int) and x > 1:
        return x
    match x:
        case int(y):
            return -y
        case None:
            return 0


def matched(i):
    x = 3 if i == 0 else 2.5
    match x:
        case [_, _] | {"k": _}:
            found = 0
        case int(y) if i > 0:
            found = y
        case float(y) | int(real=y):
            found = y + 1
    match x, i:
        case int() as a, 0:
            return found, a
        case float(a), _:
            return found, a


def sliced(n, items):
    at = n > 1 if n < 3 else n
    kept = items[at:]
    items[at:2] = [7, 8]
    del items[:at]
    return kept, items, "text"[at:]


def sliced_by_a_float(n, items):
    at = n if n < 3 else n / 2
    return items[at:]


CALLS: list[tuple[Callable[..., Any], list[tuple[Any, ...]]]] = [
    (scaled, [("m",), ("cm",), ("m",)]),
    (quotient, [(0, 3.0), (2, 3.0), (0, 1.0)]),
    (total, [([1.0, 2.0],), ([1.5],), ([],), ([1, 2],), ([1, 2.5],), ([2, 0.5],)]),
    (summed, [([1.0, 2.0],), ([],), ([3, 0.5],)]),
    (item, [([1, 2.5], 0), ([1, 2.5], 1), ([4, 2.5], -2)]),
    (constant_item, [(0,), (1,), (2,)]),
    (greatest, [(1, 2.5), (3, 2.5), (3, 3.0)]),
    (arithmetic, [(0, 3), (1, 3), (0, 2), (1, 2)]),
    (compared, [(0,), (1,), (0,)]),
    (texts, [(0,), (1,), (0,)]),
    (types_of, [(0,), (1,), (0,)]),
    (converted_numbers, [(0,), (1,), (0,)]),
    (counted, [(0, 4), (1, 4), (0, 3)]),
    (indexed, [(0, 2), (1, 2), (0, 9)]),
    (assigned, [(0, 2), (1, 2), (0, 0)]),
    (bits, [(0,), (0,), (0,)]),
    (repeated, [(0,), (1,), (0,)]),
    (collections, [(0, 1), (1, 1), (0, 2)]),
    (collected, [([1.0, -1.0],), ([-2.0],), ([3.0, 4.0],)]),
    (in_a_loop, [(0,), (1,), (0,)]),
    (best, [([1.0, 3.5],), ([2.5],), ([4.0],)]),
    (optional, [(0,), (1,), (2,)]),
    (recursive, [(3,), (0,), (1,)]),
    (bool_or_int, [(0,), (1,), (0,)]),
    (of_three, [(0,), (1,), (2,)]),
    (of_four, [(0,), (1,), (2,), (3,)]),
    (searched, [(0,), (1,), (0,)]),
    (raised, [(0,), (1,), (2,)]),
    (caught, [(0,), (1,), (2,)]),
    (in_a_function, [(0,), (1,), (0,)]),
    (of_large_ints, [(0,), (1,), (0,)]),
    (rounded, [(2.55,), (0.5,), (0.0,)]),
    (gone_through, [(0,), (1,), (0,)]),
    (decided_by_type, [(0,), (1,), (0,)]),
    (refuses_floats, [(0,), (1,), (0,)]),
    (none_or_number, [(0,), (1,), (2,)]),
    (matched, [(0,), (1,), (0,)]),
    (sliced, [(1, [1, 2, 3]), (3, [1, 2, 3]), (2, [])]),
    (sliced_by_a_float, [(1, [1, 2, 3]), (3, [1, 2, 3])]),
]  # fmt: skip


def outcome(function: Callable[..., Any], args: tuple[Any, ...]) -> tuple[str, str]:
    """The result or exception of a call as a text, which tells 1 from 1.0; and what it prints."""
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            found = repr(function(*copy.deepcopy(args)))
    except Exception as error:
        found = f"{type(error).__name__}: {error.args}"
    return found, printed.getvalue()
