"""The rows of LIMITATIONS.md about lists, other collections, comprehensions and strings."""

from __future__ import annotations

import typing

from tests.limitations.rows import row


class Point(typing.NamedTuple):
    """A nest that passes through staged branches."""

    x: object
    y: object


class Box:
    """Holds one value, at first its class's."""

    value = 0


@row("iterators: `iter`, `next`", [3, 1, 2])
def iterators(items):
    rest = iter(items)
    first = next(rest)
    for item in rest:
        first = 2 * first + item
    return first


@row("list operations: built by Python", 3)
def list_operations(x):
    items = [x]
    for i in range(3):
        items.append(items[-1] + i)
    return items[0] + items.pop()


@row("list operations: items by a staged index", 1)
def list_items_by_index(i):
    items = [1, 2, 3]
    items[i] += 10 * items[i - 1]
    return items[i] + range(5, 9)[i]


@row("list operations: `append` in a staged loop", 3)
def list_append_staged(n):
    items = []
    i = 0
    while i < n:
        items.append(i)
        i += 1
    return len(items)


@row("collections: tuples and named tuples as state", 3)
def tuples(x):
    point = Point(x, 1)
    if x > 0:
        point = Point(point.y, point.x)
    a, b = point
    return a - b


@row("collections: a dict changed in a branch", 3)
def dicts(x):
    prices = {"a": 1, "b": 2}
    if x > 0:
        prices["a"] = prices["b"] + x
    return prices["a"]


@row("collections: a dict key first set in a branch", 3)
def key_first_set_in_a_branch(x):
    found = {"a": 1}
    if x > 0:
        found["b"] = 2
    return found.get("b", 0) + len(found)


@row("collections: a set changed in a branch", 3)
def set_changed_in_a_branch(x):
    seen = {1}
    if x > 0:
        seen.add(2)
    return len(seen)


@row("collections: an attribute changed in a loop", 3)
def attributes(x):
    box = Box()
    box.value = 0
    while x > 0:
        box.value += x
        x -= 1
    return box.value


@row("collections: an attribute first set on one path", 3)
def first_attribute(x):
    box = Box()
    if x > 1:
        box.extra = x
    return getattr(box, "extra", 0) if hasattr(box, "extra") else box.missing


@row("collections: an attribute that only the class has before the loop", 3)
def class_attributes(x):
    box = Box()
    while x > 0:
        box.value += x
        x -= 1
    return box.value


@row("comprehensions over Python values", 3)
def comprehensions(x):
    values = [x * i for i in range(3) if i > 0]
    return values[0] + values[1]


@row("comprehensions over a tensor", [3, 1, 2])
def comprehensions_staged(items):
    doubled = [2 * item for item in items]
    return doubled[0] + doubled[1]


@row("comprehensions with a staged filter", [3, 1, 2])
def comprehensions_filtered(items):
    large = [2 * item for item in items if item > 1]
    return large[-1] + len(large)


@row("generator expressions", 3)
def generator_expressions(x):
    return sum(i * i for i in range(x) if i != 1) + max(i for i in range(x))


@row("unpacking a tensor", [3, 1, 2])
def unpacking(items):
    first, *rest = items
    a, b = rest
    return first + a * b


@row("unpacking with a starred name", [3, 1, 2])
def starred_names(items):
    found = [item for item in items if item > 1]
    first, *others = found
    *_, last = found
    return first * 100 + last * 10 + len(others)


@row("indexing and slicing", [3, 1, 2])
def slices(items):
    return items[0] + items[-1] + len(items[1:])


@row("`and`, `or`, `not`, chained comparisons", 3)
def logic(x):
    if (0 < x < 5 or x > 9) and not x == 4:
        return 1
    return 0


@row("`in` over a sequence", [3, 1, 2])
def membership(items):
    if 1 in items:
        return 1
    return 0


@row("f-strings of staged values", 3)
def format_strings(x):
    if x > 0:
        print(f"x is {x}")
    return x
