"""Python's constructs on the values of each library: the table in docs/backends.md is made by
running these functions.

A function takes numbers that are known at run time.  It works on a library if it returns, prints
and raises what plain Python does, for each of its inputs; otherwise it has to be refused.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from autograph.errors import AutoGraphError
from tests.backends import harness
from tests.support import ROOT, nightly

PAGE = ROOT / "docs" / "backends.md"
START = "| Python, on numbers known at run time | JAX | TensorFlow | PyTorch |\n"
WORKS = "works"


def branches(x):
    """`if`, `elif`, `else`"""
    y = 0
    if x > 2:
        y = x * 2
    elif x > 0:
        y = x - 1
    return y


def expressions(x):
    """conditional expressions, `and`, `or`, `not`, chained comparisons"""
    y = x if 0 < x <= 3 and not x == 2 else -x
    return y + (1 if x > 3 or x < -3 else 2)


def membership(x):
    """`in` a tuple, list or range"""
    return (x in (1, 3)) + 2 * (x in [2, 3]) + 4 * (x in range(3))


def matches(x):
    """`match`"""
    match x:
        case 1 | 2:
            return 10
        case y if y > 3:
            return y
        case _:
            return 0


def whiles(x):
    """`while`"""
    steps = 0
    while x > 1:
        x = x // 2 if x % 2 == 0 else 3 * x + 1
        steps += 1
    return steps


def counted(x):
    """`for` over `range(x)`"""
    total = 0
    for i in range(x):
        total += i * i
    return total


def jumps(x):
    """`break`, `continue`, `return` in loops, and their `else`"""
    for i in range(10):
        if i == 2:
            continue
        if i * i > x:
            return i
        if i == 5:
            break
    else:
        return -1
    return -2


def nested_loops(x):
    """loops in loops"""
    total = 0
    for i in range(x):
        j = i
        while j > 0:
            total += j
            j -= 1
    return total


def kinds(x):
    """an int on one path, a float on the other"""
    y = 1
    if x > 2:
        y = 2.5
    return y * x


def nones(x):
    """`None` on one path, as a variable"""
    first = None
    for i in range(5):
        if first is None and i * i > x:
            first = i
    return -1 if first is None else first


def none_result(x):
    """`None` on one path, as a result"""
    if x > 2:
        return x
    return None


def undefined(x):
    """a variable that one path leaves undefined"""
    if x > 2:
        y = x
    return y + 1


def tuples(x):
    """tuples and unpacking"""
    a, b = 0, 1
    for _ in range(x):
        a, b = b, a + b
    return a, (b, x)


def grown(x):
    """a list that grows in a loop"""
    squares = []
    for i in range(x):
        if i % 2 == 0:
            squares.append(i * i)
    return squares


def shrunk(x):
    """`pop`, `insert`, `remove`, slices of a list"""
    items = [1, 2, 3, 4]
    if x > 2:
        items.pop()
        items.insert(1, x)
    items.remove(3)
    return items[1:], sum(items)


def nested_lists(x):
    """a list of lists that grow"""
    rows = []
    for i in range(x):
        row = [i]
        for j in range(i):
            row.append(j)
        rows.append(row)
    return rows


def comprehensions(x):
    """comprehensions with a condition, `sum`, `max`, `any`, `all`, `map`, `filter`"""
    items = [i * x for i in range(4) if i != x]
    return sum(items) + max(map(abs, items)) + any(i > 3 for i in filter(None, items))


def sorting(x):
    """`sorted`, `min`, `reversed`, `zip`, `enumerate`"""
    items = sorted([x, 2, -x])
    return [a * k - b for k, (a, b) in enumerate(zip(items, reversed(items), strict=True))]


def dicts(x):
    """dicts with known keys"""
    counts = {"low": 0, "high": 0}
    for i in range(x):
        if i > 2:
            counts["high"] += i
        else:
            counts["low"] += i
    return counts


def staged_keys(x):
    """dicts and sets of keys known at run time"""
    counts = {}
    for i in range(4):
        counts[i % x] = counts.get(i % x, 0) + i
    return sum(counts.values()) + len({x, 2, 3}) + (x in counts)


@dataclass
class Account:
    """An object whose attributes a path changes."""

    balance: Any
    turns: Any = 0


def objects(x):
    """objects and dataclasses, and their methods"""
    account = Account(x)
    while account.balance > 1:
        account.balance //= 2
        account.turns += 1
    return account.turns


def closures(x):
    """`nonlocal`, closures, functions chosen on a path"""
    count = 0

    def add(n):
        nonlocal count
        count += n

    act = add if x > 2 else (lambda n: None)
    act(x)
    return count


def generators(x):
    """generators that a loop goes through"""
    def evens():
        for i in range(x):
            if i % 2 == 0:
                yield i

    total = 0
    for i in evens():
        total += i
    return total


def managers(x):
    """`with`"""
    with contextlib.suppress(KeyError):
        if x > 2:
            x = x + 1
    return x


def prints(x):
    """`print` on a path"""
    for i in range(x):
        if i > 1:
            print("turn", i, [i], f"{i:3}")
    return x


def raises(x):
    """`raise` and `assert` on a path"""
    assert x != 2, "two"
    if x > 2:
        raise ValueError(f"{x} is large")
    return x


def index_errors(x):
    """an index out of a list's range"""
    return [1, 2, 3][x]


def texts(x):
    """texts as variables and results"""
    word = "small"
    if x > 2:
        word = f"{x} is large"
    return word.upper()


def handlers(x):
    """`try` and `except` around what a path raises"""
    try:
        if x > 2:
            raise ValueError("large")
        y = x
    except ValueError:
        y = -1
    return y


def finals(x):
    """`finally`"""
    y = 0
    try:
        if x > 2:
            return x
    finally:
        y += 1
        print("done", y)
    return y


def recursion(x):
    """recursion on a value known at run time"""
    return 1 if x <= 1 else x * recursion(x - 1)


INPUTS: dict[Callable[..., Any], tuple[int, ...]] = {
    staged_keys: (1, 2, 3), recursion: (1, 4), none_result: (3, 1), texts: (1, 3),
}  # fmt: skip
CONSTRUCTS: tuple[Callable[..., Any], ...] = (
    branches, expressions, membership, matches, whiles, counted, jumps, nested_loops, kinds, nones,
    none_result, undefined, tuples, grown, shrunk, nested_lists, comprehensions, sorting, dicts,
    staged_keys, objects, closures, generators, managers, prints, raises, index_errors, texts,
    handlers, finals, recursion,
)  # fmt: skip


def outcome(prepare: Callable[[Any], Any], function: Callable[..., Any]) -> str:
    """What a library does with a construct; a difference from plain Python is an error."""
    call = prepare(function)
    for x in INPUTS.get(function, (0, 1, 2, 3, 5)):
        expected, _ = harness.outcome(lambda x=x: function(x))
        run, error = harness.outcome(lambda x=x: call(x))
        if run == expected:
            continue
        assert isinstance(error, AutoGraphError), f"{function.__name__}({x}): {run}, not {expected}"
        return "refused"
    return WORKS


def check(library: str, prepare: Callable[[Any], Any], request: pytest.FixtureRequest) -> None:
    """Compare a library's column of the table with what happens; ``--update-golden`` writes it."""
    page = PAGE.read_text(encoding="utf-8")
    before, start, rest = page.partition(START)
    table, end, after = rest.partition("\n\n")
    written = [[cell.strip() for cell in row.split("|")[1:-1]] for row in table.splitlines()[1:]]
    columns = {row[0]: row[1:] for row in written}
    place = ("JAX", "TensorFlow", "PyTorch").index(library)
    rows = []
    whole = nightly.EVERYTHING or request.config.getoption("--update-golden")
    for number, function in enumerate(CONSTRUCTS):
        cells = columns.get(function.__doc__ or "", ["?"] * 3)
        if whole or "?" in cells or number % 4 == 0:
            cells[place] = outcome(prepare, function)
        rows.append(f"| {function.__doc__} | {' | '.join(cells)} |")
    page = "".join([before, start, "| --- | --- | --- | --- |\n", "\n".join(rows), end, after])
    if request.config.getoption("--update-golden"):
        PAGE.write_text(page, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == page, "run `pytest tests/backends --update-golden`"
