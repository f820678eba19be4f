"""Programs that fill NumPy arrays of their own, element by element."""

import numpy as np

ONLY = "tensors"


def prime_count(n):
    prime = np.ones(32, dtype=bool)
    k = 2
    while k * k <= n:
        if prime[k]:
            for j in range(k * k, n + 1, k):
                prime[j] = False
        k += 1
    count = 0
    for k in range(2, n + 1):
        if prime[k]:
            count += 1
    return count


def prefix_sum(n):
    sums = np.zeros(6)
    for i in range(n):
        sums[i + 1] = sums[i] + i
        sums[-1] -= 0.5
    return float(sums[n]), float(sums[-1])


def ways_in_a_grid(n, m):
    ways = np.ones((4, 5), dtype=np.int64)
    for i in range(1, n):
        for j in range(1, m):
            ways[i, j] = ways[i - 1, j]
            ways[i][j] += ways[i][j - 1]
    return int(ways[n - 1, m - 1])


def turned(n):
    items = np.zeros(8, dtype=np.int64)
    for i in range(n):
        items[i] = i
    copy = items.copy()
    for i in range(n):
        items[i], items[0] = items[0], items[i]
        copy[i] = items[i] + copy[-1 - i]
    return int(items[0]), int(items[2]), int(copy[1]), int(copy[3])


CASES = [
    (prime_count, [(30,), (3,), (1,)]),
    (prefix_sum, [(5,), (0,)]),
    (ways_in_a_grid, [(4, 5), (2, 2), (1, 3)]),
    (turned, [(8,), (3,), (0,)]),
]
