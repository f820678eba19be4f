"""Programs that look staged values up in dicts, sets and tuples made outside of them."""

ONLY = "numbers"  # tensors have no hash: Python looks them up in no dict

NAMES = {1: "one", 2: "two", 3: "three"}
SQUARES = {number: number * number for number in range(-40, 40)}
SMALL = {1, 2}
FROZEN = frozenset((2, 3))
ACTIONS = {1: abs, 3: lambda x: x + 5}


def by_default(x):
    return SQUARES.get(x, -1), SQUARES.get(x * 100, x), NAMES.get(x, "none")


def by_default_or_none(x):
    found = SQUARES.get(x * 30)
    return found is None


def by_key(x):
    return SQUARES[x], x in SQUARES, x * 100 in SQUARES


def missing_key(x):
    return NAMES[x]


def members(x):
    return x in SMALL, x not in FROZEN, SMALL.issuperset({x}), len(SMALL & {x, 2})


def unions(x):
    return sorted(SMALL.union([x])), sorted(SMALL.difference({x}))


def functions_by_key(x):
    return ACTIONS[x](-x)


def through_map(x):
    return list(map(SQUARES.get, [x, x + 1, 2]))


def tuple_methods(x):
    several = (x, 1, x + 1)
    return several.count(1), several.index(x + 1), (5, 6).count(x), several.index(x, 0)


def tuple_without(x):
    return (1, x).index(3)


def list_methods(x):
    return [1, 2, 1].count(x), NUMBERS.count(x), NUMBERS.index(x)


def list_without(x):
    numbers = [1, 2, 3, x]
    numbers.remove(x)
    return numbers


def sorted_again_and_read_at_an_index(n):
    seen, rows, b = {2 * n, 5}, [], 0
    for _ in range(n):
        if n // 2 < len(rows):
            b = rows[n // 2]
        rows = sorted(seen)
        rows.insert(0, b)
    return b, rows


def one_of_several_sets(x):
    groups = [set(), set()]
    groups[x % 2].add(x)
    return len(groups[0]), sorted(groups[1])


def rows_become_tuples(x):
    rows = []
    for i in range(x):
        rows.append([i, 1])
    while len(rows) > 2:
        rows = [tuple([x] * x)]
    return rows


NUMBERS = [3, 1, 3]

_KEYS = [(1,), (3,), (7,)]
CASES = [
    (program, _KEYS)
    for program in (
        by_default, by_default_or_none, by_key, missing_key, members, unions, functions_by_key,
        through_map, tuple_methods, tuple_without, list_methods, list_without,
        sorted_again_and_read_at_an_index, one_of_several_sets, rows_become_tuples,
    )
]  # fmt: skip
