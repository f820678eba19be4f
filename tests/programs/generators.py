"""Programs that loop over generator functions whose loops and conditions are staged."""

import functools
from itertools import dropwhile, filterfalse, islice, takewhile

ONLY = "tensors"


def doubles(t):
    for x in t:
        yield x * 2


def running_sums(t):
    total = 0
    for x in t:
        if x > 1:
            total += x
            yield total
    yield -1


def countdown(n):
    while n > 0:
        yield n
        n -= 1


def both(t):
    yield 1
    yield from running_sums(t)


def fibonacci(limit):
    a, b = 0, 1
    while a < limit:
        yield a
        a, b = b, a + b


def numbered(t):
    for i, x in enumerate(t):
        yield i, x


def first_two(t):
    yield t[0]
    yield t[1]


def walk(tree, x):
    if tree is None:
        return
    left, value, right = tree
    yield from walk(left, x)
    if x > value:
        yield value * x
    yield from walk(right, x)


class Bag:
    """Iterates over what it likes."""

    def __init__(self, items):
        self.items = items

    def __iter__(self):
        for item in self.items:
            if item > 1:
                yield item

    def small(self):
        for item in self.items:
            if item < 3:
                yield item


def looped(t):
    total = 0
    for y in doubles(t):
        total += y
    for y in running_sums(t):
        total = 2 * total + y
    for y in both(t):
        total = 2 * total + y
    return total


def from_a_while(n):
    total = 0
    for y in countdown(n):
        step = total + y
        total += step
    return total, sum(countdown(n))


def left_early(n):
    seen = 0
    for i, y in enumerate(countdown(n)):
        if y == 2:
            break
        seen += i
    for y in countdown(n):
        if y == 1:
            return seen, y
    return seen, 0


def assigned_inside(n):
    for y in countdown(n):
        last = y * 2
    return last


def filtered(n):
    return sum(x for x in fibonacci(n) if x % 2 == 0), max(fibonacci(n)), any(
        x == 5 for x in fibonacci(n)
    )


def nested_loops(n):
    total = 0
    for x in fibonacci(n):
        for y in countdown(x):
            total += y
        if total > 3:
            break
    return total


def of_pairs(t):
    total = 0
    for i, x in numbered(t):
        total += i * x
    return total


def of_methods(t):
    total = 0
    for x in Bag(t):
        total = 2 * total + x
    for x in Bag(t).small():
        total = 2 * total + x
    return total, sum(Bag(t)), min(Bag(t).small())


def of_a_tree(x):
    total = 0
    for y in walk(((None, 1, None), 2, ((None, 0, None), 3, None)), x):
        total = 10 * total + y
    return total


def local_generator(x):
    turns = 0

    def steps(count):
        nonlocal turns
        for i in range(count):
            turns += 1
            if i != 1:
                yield i * x

    total = 0
    for y in steps(x):
        total += y
    return total, turns


def item_by_item(t):
    items = first_two(t)
    a, b = next(items), next(items)
    c, d = first_two(t)
    return a * b, next(items, -1) + c * d, [*first_two(t)][1]


def listed(t):
    return list(doubles(t))[1], dict(numbered(t))[2], [x + y for x, y in zip(doubles(t), t)]


def listed_of_unknown_length(t):
    items = list(running_sums(t))
    items.append(list(doubles(t))[0])
    return items[0], sum(items), len(list(filter(lambda x: x > 1, t))) + items[-1]


def naturals():
    n = 0
    while True:
        yield n
        n += 1


def primes():
    n, found = 2, []
    while True:
        if all(n % p for p in found):
            found.append(n)
            yield n
        n += 1


def endless_until(n):
    for x in naturals():
        if x * x >= n:
            break
    for number, y in enumerate(naturals(), 3):
        if number + y > n:
            return x, number, y
    return x, -1, -1


def first_of_endless(n):
    return next(x for x in naturals() if x * x > n), any(x > n for x in naturals() if x % 2)


def some_of_endless(n):
    numbers = naturals()
    few = [next(numbers), next(numbers)]
    for x in numbers:
        if x > 4:
            break
    return list(islice(primes(), n)), sum(islice(naturals(), n)), few, x, next(numbers)


def kept(test, items):
    for item in items:
        if test(item):
            yield item


def less(x, n):
    return x < n


def by_tests(n):
    numbers, test = [1, 2, 5, 1, 0], functools.partial(less, n=n)
    return [
        list(takewhile(lambda x: x < n, numbers)), sum(takewhile(test, naturals())),
        list(dropwhile(lambda x: x < n, numbers)), sum(filterfalse(test, numbers)),
        list(kept(test, numbers)), next(dropwhile(test, numbers), -1),
    ]  # fmt: skip


ONE = [([3, 1, 2],)]
CASES = [
    (endless_until, [(10,), (0,)]),
    (first_of_endless, [(10,), (0,)]),
    (some_of_endless, [(4,), (0,)]),
    (by_tests, [(3,), (0,)]),
    (looped, ONE),
    (from_a_while, [(3,), (0,)]),
    (left_early, [(3,), (1,), (0,)]),
    (assigned_inside, [(3,), (0,)]),
    (filtered, [(50,)]),
    (nested_loops, [(4,), (9,)]),
    (of_pairs, ONE),
    (of_methods, ONE),
    (of_a_tree, [(3,), (1,)]),
    (local_generator, [(3,), (1,)]),
    (item_by_item, ONE),
    (listed, ONE),
    (listed_of_unknown_length, ONE),
]

