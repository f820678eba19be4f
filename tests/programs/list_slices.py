"""Programs that compare lists, assign and delete slices, and extend lists, at staged places."""


def build(n):
    found = []
    for i in range(n):
        found.append(7 * i % 5)
    return found


def every_second_assigned(n):
    items = build(n)
    items[::2] = [9] * len(items[::2])
    items[::-1] = list(range(n))
    return items


def wrong_number(n):
    items = build(n)
    items[::2] = [9, 8]
    return items


def every_second_deleted(n):
    items, others, more = build(n), build(n), list(range(10))
    del items[::2], others[1::2], more[::-3]
    return items, others, more


def staged_steps(n):
    items, others = list(range(10)), list(range(10))
    items[::n] = [0] * len(items[::n])
    del others[::n]
    return items, others


def staged_bounds(n):
    items = list(range(10))
    items[n : n + 2] = [5, 6, 7]
    del items[:n]
    return items


def extended(n):
    items = [5]
    items.extend(i * i for i in range(n))
    items += (i for i in range(n))
    items += map(abs, [1, n])
    items.extend(range(n))
    items[1:2] = (i + 1 for i in range(n))
    return items


def ordered(n):
    first, second = build(n), build(n + 1)
    return first < second, first <= first, first > [1], [0] >= first, [0, 2, 4] < first


def ordered_tuples(n):
    return tuple(build(n)) < (0, 2, 4), (0, n) < (0, 3), tuple(build(n)) > ()


def ordered_lists_of_lists(n):
    rows = []
    for i in range(n):
        rows.append([i % 2, i])
    return max(rows), min(rows), sorted(rows)[0]


def ordered_items(n):
    heap = []
    for i in range(n):
        heap.append((7 * i % 5, i))
    inversions = 0
    for i in range(1, n):
        if heap[i] < heap[i - 1]:
            inversions += 1
    return inversions


def huge_index(n, k):
    return build(n)[k]


def huge_index_of_known_items(k):
    return [1, 2, 3][k]


def huge_bounds(n, k):
    items = build(n)
    items.insert(k, 4)
    del items[k:]
    return items, items[:k], items[::k]


def popped_at(n, k):
    items = build(n)
    return items.pop(k), items


NUMBERS = [(1,), (2,), (5,)]
HUGE = [2, -1, 10**18, -(10**18), 2**63 - 1, -(2**63)]
OF_NUMBERS = [
    (huge_index, [(3, k) for k in HUGE]),
    (huge_index_of_known_items, [(k,) for k in HUGE]),
    (huge_bounds, [(3, k) for k in HUGE]),
    (popped_at, [(3, k) for k in HUGE]),
]
"""Programs with ints beyond 32 bits."""
CASES = [
    (every_second_assigned, NUMBERS),
    (wrong_number, [(2,), (4,)]),
    (every_second_deleted, NUMBERS),
    (staged_steps, [(1,), (3,), (-3,)]),
    (staged_bounds, [(0,), (4,), (9,)]),
    (extended, NUMBERS),
    (ordered, NUMBERS),
    (ordered_tuples, NUMBERS),
    (ordered_lists_of_lists, NUMBERS),
    (ordered_items, NUMBERS),
]
