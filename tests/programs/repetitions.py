"""Programs that repeat lists and tuples a staged number of times."""

ONLY = "tensors"  # whose operator * repeats tuples


def lists(n):
    return [0] * n, n * [1], [7] * n + [8], [] * n


def tuples(n):
    return (0, 1) * n, n * (1,), (3,) + (2,) * n, len((5,) * n)


def by_difference(n):
    return [1] * (n - 2), (4,) * (n - 2)


def of_floats_and_nothing(n):
    return [0.5] * n, len([None] * n), [True] * n


def of_given(n, x):
    return [x] * n, (x, x) * n


def by_truth(n):
    return [1, 2] * (n > 1)


def of_lists(n, m):
    return [[0] * m for _ in range(n)]


def changed_afterwards(n):
    items = [0] * (n + 1)
    for i in range(n):
        items[i + 1] = items[i] + i
    items.append(9)
    return items, len(items)


def sieve(n):
    prime = [True] * (n + 1)
    k = 2
    while k * k <= n:
        if prime[k]:
            for j in range(k * k, n + 1, k):
                prime[j] = False
        k += 1
    return [k for k in range(2, n + 1) if prime[k]]


def paths_in_a_grid(n, m):
    ways = [[1] * m for _ in range(n)]
    for i in range(1, n):
        for j in range(1, m):
            ways[i][j] = ways[i - 1][j] + ways[i][j - 1]
    return ways


def in_place(n):
    items = [1, 2]
    same = items
    items *= n
    return same, items is same


def in_place_by_a_constant(n):
    items = [n]
    same = items
    items *= 3
    return same


def in_place_of_a_tuple(n):
    items = (1, 2)
    same = items
    items *= n
    return items, same


def on_one_path(n):
    if n > 2:
        items = [0] * n
    else:
        items = [n]
    return items


def tuple_on_one_path(n):
    if n > 2:
        items = (n,) * n
    else:
        items = ()
    return items


def compared(n):
    return [0] * n == [0] * n, (1,) * n == (1, 1), ([2] * n)[n - 1]


def item_out_of_range(n):
    return ((1,) * n)[2]


def assigned_item(n):
    items = (1,) * n
    try:
        items[0] = n
    except TypeError:
        return len(items)
    return 0


def in_lists(n):
    found = []
    for i in range(n):
        found.append((0,) * i)
    return found, [len(one) for one in found]


def no_method(n):
    items = (1,) * n
    try:
        items.append(2)
    except AttributeError:
        return items
    return ()


NUMBERS = [(0,), (1,), (3,)]
CASES = [
    (lists, NUMBERS),
    (tuples, NUMBERS),
    (by_difference, [(1,), (4,)]),
    (of_floats_and_nothing, NUMBERS),
    (of_given, [(2, 3), (0, 2), (2, 1.5)]),
    (by_truth, [(1,), (2,)]),
    (of_lists, [(2, 3), (0, 2), (2, 0)]),
    (changed_afterwards, NUMBERS),
    (sieve, [(30,), (1,)]),
    (paths_in_a_grid, [(3, 4), (1, 1)]),
    (in_place, NUMBERS),
    (in_place_by_a_constant, NUMBERS),
    (in_place_of_a_tuple, NUMBERS),
    (on_one_path, NUMBERS),
    (tuple_on_one_path, NUMBERS),
    (compared, [(1,), (2,)]),
    (item_out_of_range, [(3,), (1,)]),
    (assigned_item, NUMBERS),
    (in_lists, NUMBERS),
    (no_method, NUMBERS),
]
