"""Programs that call builtins about iterables: of tensors, and of Python's with tensors inside."""

import functools
import itertools

ONLY = "tensors"


def pairs(t):
    total = 0
    for i, x in enumerate(t, start=2):
        total += i * x
    for a, b in zip(t, [1, 2, 3, 4]):
        total += a * b
    for a, b in zip(range(10), reversed(t)):
        total += a * b
    return total


def zipped_strictly(t):
    total = 0
    for a, b in zip(t, [1, 2, 5], strict=True):
        total += a * b
    return total


def zipped_too_short(t):
    return sum(a * b for a, b in zip(t, [1, 2], strict=True))


def zipped_with_objects(t):
    names = ""
    total = 0
    for name, x, factor in zip("abc", t, [{"by": 1}, {"by": 2}, {"by": 3}]):
        names += name
        total += x * factor["by"]
    return total, len(names)


def mapped(t):
    total = 0
    for x in map(lambda v: v * v if v > 1 else v, t):
        total += x
    for x in map(lambda v, w: v * w, t, [1, 2, 3]):
        total += x
    return total, sum(map(abs, t))


def filtered(t):
    total = 0
    for x in filter(lambda v: v > 1, t):
        total += x
    return total, sum(filter(None, t - 1)), max(filter(lambda v: v < 3, t))


def filtered_until(t):
    seen = 0
    for x in filter(lambda v: v != 2, t):
        seen += 1
        if x < 3:
            break
    return seen, next(filter(lambda v: v < 3, t)), next(filter(lambda v: v > 99, t), -1)


def sums(t):
    return sum(t), sum(t, 10), sum(t, start=5), sum([t[0], t[1]])


def truths(t):
    return any(t), all(t), any([t[0] > 5, t[1] > 5]), all((t[0] > 0, True))


def extremes(t):
    return min(t), max(t), min(t[0], t[1]), max(t[0], 2, t[2]), max([t[0], t[1], 5]), min((t[0], 2))


def extremes_by_key(t):
    return (
        min(t, key=lambda x: -x), max(t, key=lambda x: (x - 2) * (x - 2)),
        max(t[0], t[1], key=lambda x: -x), max(t, default=0), max([], default=t[0]),
        min((t[0], 1), (t[1], 2)),
    )  # fmt: skip


def largest_of_none(n):
    return max(range(n))


def key_called_once_each(t):
    calls = 0

    def key(x):
        nonlocal calls
        calls += 1
        return -x

    return max(t, key=key), calls


def chained(t):
    total = 0
    for x in itertools.chain(t, [5, 6], t):
        total = 2 * total + x
        if total > 60:
            break
    return total, sum(itertools.chain(t, range(3)))


def started(t):
    total = 0
    for x in itertools.islice(t, 2):
        total = 2 * total + x
    for x in itertools.takewhile(lambda v: v != 1, t):
        total = 2 * total + x
    products = itertools.starmap(lambda a, b: a * b, zip(t, t))
    return total, sum(products), len([*itertools.islice("abc", 2)])


def in_order(t):
    return sorted(t)[0], sorted(t, reverse=True)[0], sorted([t[0], t[1], 2])


def in_order_by_key(t):
    return sorted(t, key=abs), sorted(t, key=abs, reverse=True), sorted(t, key=lambda x: -x)


def in_order_of_pairs(t):
    return sorted([(t[0], 1), (t[1], 2), (2, 0)])


def in_order_in_loop(t):
    total = 0
    for x in sorted(t):
        total = 2 * total + x
    return total


def sorted_in_place(t):
    items = [t[0], t[1], t[2]]
    items.sort()
    smallest = items[0]
    items.sort(key=lambda x: -x)
    return smallest, items


def iterator(t):
    rest = iter(t)
    total = next(rest)
    for x in rest:
        total = 2 * total + x
    return total


def iterator_in_loop(t):
    numbers = iter(t)
    total = 0
    while total < 4:
        total += next(numbers)
    return total, next(numbers, -1)


def iterator_in_branch(t):
    numbers = iter(t)
    total = 0
    if t[0] > 2:
        total = next(numbers)
    return total + next(numbers)


def iterator_after_break(t):
    numbers = iter(t)
    for x in numbers:
        if x < 3:
            break
    return next(numbers, -7)


def iterator_in_groups(t):
    rest = iter(t)
    total = next(rest)
    for a, b in zip(rest, rest):
        total += a * b
    return total, sum(x + y for x, y in zip(*[iter(t)] * 2))


def reduced(t):
    return (
        functools.reduce(lambda a, b: a * 2 + b if b > 1 else a, t),
        functools.reduce(lambda a, b: a * 2 + b, t, 1),
        functools.reduce(lambda a, b: a * 2 + b if b > 1 else a, [t[0], t[1], 3]),
    )


def listed(t):
    items = list(t)
    return len(items), items[0], items[-1], items[t[1]], sum(items), 2 in items, tuple(items[:1])


def listed_of_unknown_length(t):
    items = list(t)
    total = 0
    for x in items:
        total = 2 * total + x
    return items[0] + items[-1] + items[t[1]], sum(items), 2 in items, total


def listed_ranges(n):
    numbers = list(range(1, n, 2))
    return range(n)[2], range(1, n)[-1], sum(numbers), numbers[1]


def out_of_range(n):
    return list(range(n))[3]


def looked_up(t):
    return dict(enumerate(t))[1], dict(zip("abc", t))["b"], list(zip(t, "xyz"))[2][0]


def in_tensor(t):
    return 1 in t, 7 in t, 7 not in t, t[0] in t, t[1] in [t[0], t[2]]


def index_on_an_untaken_path(t):
    if t[0] > 5:
        return t[7]
    total = t[0]
    for i in range(2):
        if total > 90:
            total += t[i + 3]
    return total


def unpacked(t):
    a, b, c = t
    first, *rest = t
    *most, last = t
    return a - b * c, first + rest[0] + len(rest), most[1] * last


def unpacked_rows(m):
    total = 0
    for a, b in m:
        total += a * b
    for i, (a, *rest) in enumerate(m):
        total += i * a + rest[0]
    (a, b), (c, d), e = m
    return total + a - b * c - d + e[0]


def unpacked_wrongly(t):
    a, b = t
    return a + b


def star_arguments(t):
    def spread(*items):
        return items[0] - items[-1] + len(items)

    return spread(*t), max(*t), [*t, 5][3], (0, *t)[1]


ONE = [([3, 1, 2],)]
TWO = [([3, 1, 2],), ([0, 1, 0],)]
CASES = [
    (pairs, ONE),
    (zipped_strictly, [([3, 1, 2],), ([3, 1],), ([3, 1, 2, 4],)]),
    (zipped_with_objects, ONE),
    (mapped, ONE),
    (filtered, ONE),
    (filtered_until, ONE),
    (sums, ONE),
    (truths, TWO),
    (extremes, TWO),
    (extremes_by_key, TWO),
    (largest_of_none, [(3,), (0,)]),
    (key_called_once_each, ONE),
    (chained, ONE),
    (started, TWO),
    (in_order, TWO),
    (in_order_by_key, [([3, -1, 2, 1, -3],)]),
    (in_order_of_pairs, TWO),
    (in_order_in_loop, ONE),
    (sorted_in_place, ONE),
    (iterator, ONE),
    (iterator_in_loop, ONE),
    (iterator_in_branch, TWO),
    (iterator_after_break, [([3, 1, 2],), ([3, 4],)]),
    (iterator_in_groups, [([3, 1, 2],), ([3, 4, 5, 6],)]),
    (reduced, ONE),
    (listed, ONE),
    (listed_of_unknown_length, ONE),
    (listed_ranges, [(6,)]),
    (out_of_range, [(4,), (3,)]),
    (looked_up, ONE),
    (index_on_an_untaken_path, [([3, 1, 2],), ([9, 1, 2],)]),
    (unpacked, ONE),
    (unpacked_rows, [([[1, 2], [3, 4], [5, 6]],)]),
    (unpacked_wrongly, [([3, 1, 2],), ([3],)]),
    (star_arguments, ONE),
    (in_tensor, [([3, 1, 2],), ([7, 7, 1],)]),
]

SIZED = {
    unpacked, unpacked_rows, unpacked_wrongly,
    zipped_with_objects, looked_up,
}  # fmt: skip
"""Programs that need to know how many items there are."""
