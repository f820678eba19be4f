"""Programs about items of lists, tuples, ranges and dicts that staged indexes choose."""


def list_by_index(i):
    primes = [2, 3, 5]
    return primes[i]


def tuple_by_index(i):
    return (2.5, 3.5, 5.5)[i]


def range_by_index(i):
    return range(4, 40, 5)[i]


def pairs_by_index(i):
    pairs = [(1, 2), (3, i), (5, 6)]
    a, b = pairs[i]
    return a * 10 + b


def list_in_loop(n):
    weights = [1, 2, 4, 8]
    total = 0
    for i in range(n):
        total += weights[i] * weights[-i]
    return total


def functions_by_index(i):
    return [lambda x: x * 2, lambda x: x + 1][i](i - 3)


def assign_by_index(i):
    items = [1, 2, 3]
    items[i] = 10 * i
    items[i] += 1
    return items[0] + 100 * items[1] + 10000 * items[2]


def swap_by_index(i):
    items = [1, 2, 3]
    items[i], items[0] = items[0], items[i]
    return items[0] + 100 * items[1] + 10000 * items[2]


def nested_by_index(i):
    grid = [[1, 2], [3, 4]]
    grid[i][i - 1] += 10
    return grid[0][1] + 100 * grid[1][0]


CASES = [
    (list_by_index, [(0,), (2,), (-3,), (3,), (-4,)]),
    (tuple_by_index, [(1,), (3,)]),
    (range_by_index, [(1,), (-1,), (8,)]),
    (pairs_by_index, [(0,), (1,), (3,)]),
    (list_in_loop, [(4,), (0,), (5,)]),
    (functions_by_index, [(0,), (1,), (2,)]),
    (assign_by_index, [(0,), (2,), (-1,), (3,)]),
    (swap_by_index, [(0,), (2,), (3,)]),
    (nested_by_index, [(0,), (1,), (2,)]),
]
