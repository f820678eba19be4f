"""Programs with tuples whose length depends on staged values."""


def squares(n):
    found = []
    for i in range(n):
        found.append(i * i)
    return found


def of_a_list(n):
    items = tuple(squares(n))
    kinds = isinstance(items, tuple), isinstance(items, list), type(items) is tuple
    return items, len(items), kinds


def of_ranges_and_generators(n):
    return tuple(range(n)), tuple(i + 1 for i in range(n)), tuple(map(abs, squares(n)))


def read(n):
    items = tuple(squares(n))
    return items[0], items[-1], items[1:], items[::-1], items[n // 2]


def grown(n):
    found = ()
    for i in range(n):
        found += (i,)
    return found


def grown_at_the_front(n):
    found = (7,)
    while n > 0:
        found = (n, *found)[:1] + found
        n -= 1
    return found


def looped(n):
    total = 0
    for k, item in enumerate(tuple(squares(n))):
        total += k * item
    return total, sum(tuple(squares(n))), max(tuple(squares(n)), default=-1)


def unpacked(n):
    a, b, c = tuple(squares(n))
    return a + 2 * b + 3 * c


def of_two_lengths(n):
    return (1, 2) if n > 2 else (3,)


def printed(n):
    print((1,) * n)
    return str(tuple(squares(n))), f"{(2,) * n}"


def as_list(n):
    items = tuple(squares(n))
    changed = list(items)
    changed.append(5)
    return items, changed, sorted(items, reverse=True)


def searched(n):
    items = tuple(squares(n))
    return 4 in items, items.count(1), items == (0, 1, 4), items != (0, 1)


NUMBERS = [(0,), (1,), (3,)]
CASES = [
    (of_a_list, NUMBERS),
    (of_ranges_and_generators, NUMBERS),
    (read, [(1,), (4,)]),
    (grown, NUMBERS),
    (grown_at_the_front, NUMBERS),
    (looped, NUMBERS),
    (unpacked, [(3,)]),
    (of_two_lengths, [(1,), (3,)]),
    (as_list, NUMBERS),
    (searched, NUMBERS),
]
OF_NUMBERS = [(printed, NUMBERS)]
"""Programs that show texts of numbers, which those of tensors are not."""
