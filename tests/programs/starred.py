"""Programs that call functions with '*' and '**' and values of which only the run knows the length.
"""

import functools
import itertools
import math

ONLY = "tensors"


def numbers(n):
    made = []
    for i in range(n):
        made.append(i * 3 % 7)
    return made


def rows(n):
    return [[i * j + 1 for j in range(n)] for i in range(n + 1)]


def pairs(n):
    return [(i, i * 0.5) for i in numbers(n)]


def digits(*args, base=10):
    total = 0
    for digit in args:
        total = total * base + digit
    return total, len(args)


def clipped(x, low=2, high=5):
    if x < low:
        return low
    return high if x > high else x


def named(first, *args, scale=1):
    return first * scale, sum(args) - first


def to_any_number(n):
    return digits(*numbers(n)), digits(n, *numbers(n), 3, *numbers(2), base=8)


def to_fixed_ones(n):
    return (lambda a, b: a - 2 * b)(*numbers(n))


def to_defaults(n):
    return clipped(*numbers(n))


def to_first_and_others(n):
    return named(*numbers(n), scale=2)


class Line:
    def __init__(self, slope, offset=1):
        self.slope = slope
        self.offset = offset

    def __call__(self, *places):
        return self.at(*places)

    def at(self, *places):
        return sum([self.slope * place + self.offset for place in places])

    def between(self, left, right):
        return self.at(left, right)


class Several(Line):
    def __init__(self, *slopes):
        super().__init__(*slopes[:1])
        self.slopes = slopes


def to_objects(n):
    line = Line(n)
    first = functools.partial(named, n)(*numbers(n))
    several = Several(*numbers(n))
    return line(*numbers(n)), first, line.between(*numbers(2), *several.slopes[3:])


def to_classes(n):
    line = Line(*numbers(n))
    return line.slope, line.offset


def changed_in_place(n):
    def grow(left, right):
        left.append(right[0] + 5)

    def note(seen, x=1, y=2):
        seen.append(x + y)

    grid, seen = [[i] for i in numbers(n)], [n]
    note(seen, *numbers(n))
    grow(*grid)
    left, _ = grid
    left.append(n)
    return [sum(row) for row in grid], seen


def passed_on(n):
    def inner(*args, **options):
        return digits(*args, **options)

    def total(*args):
        if not args:
            return 0
        return args[0] + total(*args[1:])

    def above(least, *args):
        for arg in args:
            if arg > least:
                yield arg

    return inner(*numbers(n), base=7), total(*numbers(n)), sum(above(*numbers(n)))


def of_other_iterables(n):
    squares = {k: k * k for k in numbers(n)}
    return (
        digits(*range(n)), digits(*(k + 1 for k in numbers(n))), digits(*squares.values()),
        digits(*map(lambda k: k * 2, numbers(n))), digits(*[1] * n),
    )  # fmt: skip


def to_builtins(n):
    a = numbers(n + 2)
    return max(*a), min(n, *a, key=lambda k: -k), math.gcd(*[k * 2 for k in a]), list(range(*a[:n]))


def largest(n):
    return max(*numbers(n))


def transposed(n):
    turned = [list(row) for row in zip(*rows(n)[::-1])]
    return turned, list(map(list, zip(*rows(n)))), [sum(column) for column in zip(*rows(n))]


def columns(n):
    left, right = zip(*pairs(n))
    return left, right, list(map(max, *rows(n), *rows(n)))


def chained(n):
    merged = sorted(set().union(*rows(n)))
    return merged, list(itertools.chain(*rows(n), [n])), sum(map(sum, itertools.product(*rows(2))))


def printed(n):
    print(*numbers(n))
    print("of", n, *numbers(n), sep="-", end=".")
    return len({*numbers(n), *numbers(2)})


def first_and_rest(n):
    first, *rest = numbers(n)
    rest.append(first)
    return rest


def rest_and_last(n):
    total = 0
    *before, last = numbers(n)
    for a, *others in rows(n):
        total += a - len(others)
    (head, *_), _ = numbers(n), 1
    return before, last, head, total, [len(tail) for _, *tail in rows(n)]


def options(n):
    found = {}
    if n > 1:
        found["low"] = n - 1
    if n > 3:
        found["scale"] = 3
    return found


def by_names_of_any_number(n):
    def scaled(x, *args, low=1, **others):
        return x * low + sum(args), len(others), sum(others.values()), "scale" in others

    return scaled(n, **options(n)), scaled(n, n, 5, top=1, **options(n)), len(dict(**options(n)))


def by_names(n):
    return clipped(n, **options(n))


def by_required_names(n):
    return (lambda *, low, scale: low * scale)(**options(n))


OF_SOME_LENGTHS = [(2,), (0,), (1,), (4,)]

CASES = [
    *((function, OF_SOME_LENGTHS) for function in (
        to_fixed_ones, to_defaults, to_first_and_others, to_classes, largest, first_and_rest,
        changed_in_place,
    )),
    *((function, [(2,), (0,)]) for function in (
        to_any_number, of_other_iterables, columns, printed,
    )),
    *((function, [(3,)]) for function in (
        to_objects, passed_on, to_builtins, chained, rest_and_last,
    )),
    *((function, [(2,), (4,)]) for function in (
        by_names_of_any_number, by_names, by_required_names,
    )),
    (transposed, [(2,)]),
]  # fmt: skip
