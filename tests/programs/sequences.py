"""Programs that go through ranges of staged numbers, and what builtins make of them."""

import functools
import itertools


def enumerated(n):
    total = 0
    for i, k in enumerate(range(n), start=3):
        total += i * k
    for i, k in enumerate(range(n, 2 * n), n):
        total -= i * k
    return total


def zipped(n):
    total = 0
    for a, b, c in zip(range(n), range(1, 10), [5, 3, 2, 7]):
        total += a * b + c
    return total


def zipped_strictly(n):
    total = 0
    for a, b in zip(range(n), [4, 5, 6], strict=True):
        total += a * b
    return total


def backwards(n):
    total = 0
    for k in reversed(range(2, n)):
        total = 10 * total + k
    for k in range(n, 0, -2):
        total = 10 * total + k
    return total


def of_any_step(n):
    total = 0
    for k in range(10, 10 + n * n, n):
        total = 100 * total + k
    return total


def mapped(n):
    total = 0
    for v in map(lambda k: k * k if k > 1 else 7, range(n)):
        total += v
    for v in map(lambda a, b: a - b, range(n), reversed(range(n))):
        total = 2 * total + v
    return total


def filtered(n):
    total = 0
    for k in filter(lambda k: k % 2 == 1, range(n)):
        total = 10 * total + k
    return total + sum(filter(None, range(n)))


def summed(n):
    some = any(k > 3 for k in range(n))
    every = all(k < 4 for k in range(n))
    return sum(range(n)), sum(k * k for k in range(n) if k != 2), some, every


def extremes(n):
    return max(range(n + 1)), min(k - 3 for k in range(n + 1)), max(range(n), default=-1)


def largest_of_none(n):
    return max(range(n))


def reduced(n):
    return functools.reduce(lambda a, k: 3 * a + k, range(n), 1)


def chained(n):
    total = 0
    for k in itertools.chain(range(n), [8, 9], range(2)):
        total = 10 * total + k
    return total


def starred(n):
    total = 0
    for v in itertools.starmap(lambda a, b: a * b, zip(range(n), range(2, 20))):
        total += v
    return total


def taken_while(n):
    total = 0
    for k in itertools.takewhile(lambda k: k * k < 10, range(n)):
        total = 10 * total + k
    return total


def sliced(n):
    total = 0
    for k in itertools.islice(range(n), 3):
        total = 10 * total + k
    return total


def left_early(n):
    total = 0
    for i, k in enumerate(range(n)):
        if i * k > 5:
            break
        total += k
    else:
        total = -total
    return total


def asked_for_the_next(n):
    numbers = iter(range(n))
    first = next(numbers)
    second = next(numbers, -1)
    rest = 0
    for k in numbers:
        rest = 10 * rest + k
    return first, second, rest


def in_groups(n):
    numbers = iter(range(n))
    total = 0
    for a, b in zip(numbers, numbers):
        total = 100 * total + 10 * a + b
    return total


def inside(n):
    a = n in range(10)
    b = 4 in range(n)
    c = n in range(0, 10, 3)
    d = 2.0 in range(n)
    e = 3 not in range(n, 0, -1)
    return a, b, c, d, e


def asked(n):
    numbers = range(2, n)
    more = 7 if range(n - 3) else 8
    return len(numbers), numbers[0], numbers[-1], more


def out_of_range(n):
    numbers = range(n)
    return numbers[3]


def bounds(n):
    short, middle, long = range(n), range(1, n), range(n, 20, 3)
    return (
        (short.start, short.stop, short.step), (middle.start, middle.stop, middle.step),
        long.start, long.stop, long.step,
    )  # fmt: skip


def step_of_zero(n):
    total = 0
    for k in range(5, 9, n):
        total += k
    return total


def nested(n):
    total = 0
    for i, row in enumerate(map(lambda k: range(k), range(n))):
        for j in row:
            total += i * j
    return total


def counted_calls(n):
    calls, seen = 0, [0]

    def square(k):
        nonlocal calls
        calls += 1
        seen[0] = k
        return k * k

    total = 0
    for i, v in enumerate(map(square, range(n))):
        total += i * v * calls + seen[0]
    return calls, seen[0], total


SOME = [(5,), (0,), (1,)]

CASES = [
    (enumerated, SOME),
    (zipped, [(5,), (2,), (0,)]),
    (zipped_strictly, [(3,), (2,), (4,)]),
    (backwards, SOME),
    (of_any_step, [(3,), (1,), (-2,)]),
    (mapped, SOME),
    (filtered, SOME),
    (summed, SOME),
    (extremes, SOME),
    (largest_of_none, [(3,), (0,)]),
    (reduced, SOME),
    (chained, SOME),
    (starred, SOME),
    (taken_while, [(6,), (2,)]),
    (sliced, [(6,), (2,)]),
    (left_early, SOME),
    (asked_for_the_next, [(5,), (1,)]),
    (in_groups, [(6,), (5,), (0,)]),
    (inside, [(5,), (0,), (9,), (-1,), (20,)]),
    (asked, [(5,), (3,)]),
    (out_of_range, [(5,), (3,)]),
    (bounds, SOME),
    (step_of_zero, [(2,), (0,), (-1,)]),
    (nested, SOME),
    (counted_calls, SOME),
]
