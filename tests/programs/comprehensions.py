"""Programs with comprehensions and generator expressions over tensors and staged ranges."""

ONLY = "tensors"


def doubled(t):
    return [x * 2 for x in t]


def with_choice(t):
    return [x * 2 if x > 1 else -x for x in t]


def of_pairs(m):
    return [a * b for a, b in m], [i * a + b for i, (a, b) in enumerate(m)]


def nested(m):
    return [x for row in m for x in row], [[x * 2 for x in row] for row in m]


def of_python_values(x):
    values = [x * i for i in range(4) if i % 2]
    squares = {i: i * x for i in (1, 2)}
    odd = {i % 2 for i in range(5)}
    return values, squares[2], len(odd), [(i, j) for i in range(3) for j in range(i) if i + j > 1]


def dict_of_items(t):
    return {i: x * 2 for i, x in enumerate(t)}[1]


def late_closures(x):
    functions = [lambda: i * x for i in range(3)]
    return [f() for f in functions]


def lazy_generators(x):
    made = [(i * j for j in range(3)) for i in range(3)]
    return [x * k for g in made for k in g]


def sums(t):
    return (
        sum(x * x for x in t), sum(x * x for x in t if x > 1), max(x * 2 for x in t),
        max((x * 2 for x in t if x > 100), default=-1), min(-x for x in t if x != 2 if x != 3),
    )  # fmt: skip


def truths(t):
    return any(x > 2 for x in t), all(x > 0 for x in t), any(x > 9 for x in t if x > 1)


def of_staged_range(n):
    return sum(i * i for i in range(n)), sum(i * j for i in range(n) for j in range(i))


def is_prime(n):
    return n > 1 and all(n % i for i in range(2, n))


def nested_filters(m):
    return sum(x for row in m if row[0] > 1 for x in row if x != 4)


def first(t):
    return next((x for x in t if x < 3), -1), next((x for x in t if x > 30), -1)


def first_of_nested(m):
    return next(x for row in m for x in row if x > 3), any(x == 3 for row in m for x in row)


def assigned(t):
    large = (x * 2 for x in t if x > 1)
    total = 0
    for y in large:
        total += y
    return total


def left_early(t):
    total = 0
    for y in (x * 2 for x in t):
        if y < 3:
            break
        total += y
    else:
        total = -1
    return total


def returned_early(t):
    for i, y in enumerate(x * 2 for x in t if x != 3):
        if y < 3:
            return y, i
    return 0, 0


def zipped(t):
    return sum(a * b for a, b in zip(t, (y + 1 for y in t)))


def filter_with_effect(t):
    seen = 0

    def large(x):
        nonlocal seen
        seen += 1
        return x > 1

    return sum(x for x in t if large(x)), seen


def effects_end_with_the_search(t):
    seen = 0

    def large(x):
        nonlocal seen
        seen += 1
        return x < 3

    return any(large(x) for x in t), seen


def with_and_or(t):
    log = []
    total = sum(log.append(x) or (x if x > 2 else -x) for x in t if x > 1 or x == 1)
    return total, len(log)


def mapped(t):
    return sum(map(lambda x: x * 2 if x > 1 else x, (y - 1 for y in t if y > 1)))


def over_python_list(t):
    return sum(x for x in [t[0], t[1], 5] if x > 1), any(x > 4 for x in (t[0], t[1]))


def prints_each(t):
    def shown(x):
        print("at", x)
        return x > 1

    return sum(x for x in t if shown(x))


def is_sorted(t):
    return all(a <= b for a, b in zip(t, t[1:]))


ONE = [([3, 1, 2],)]
PAIRS = [([[1, 2], [3, 4], [5, 6]],)]
CASES = [
    (doubled, ONE),
    (with_choice, ONE),
    (of_pairs, PAIRS),
    (nested, PAIRS),
    (of_python_values, [(3,)]),
    (dict_of_items, ONE),
    (late_closures, [(3,)]),
    (lazy_generators, [(3,)]),
    (sums, ONE),
    (truths, ONE),
    (of_staged_range, [(4,), (0,)]),
    (is_prime, [(13,), (12,), (1,)]),
    (nested_filters, PAIRS),
    (first, ONE),
    (first_of_nested, PAIRS),
    (assigned, ONE),
    (left_early, [([3, 1, 2],), ([3, 4],)]),
    (returned_early, [([3, 1, 2],), ([3, 4],)]),
    (zipped, ONE),
    (filter_with_effect, ONE),
    (effects_end_with_the_search, ONE),
    (with_and_or, ONE),
    (mapped, ONE),
    (over_python_list, ONE),
    (prints_each, ONE),
    (is_sorted, [([3, 1, 2],), ([1, 2, 3],)]),
]

SIZED = {of_pairs}
"""Programs that need to know how many items there are."""
