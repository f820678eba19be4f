"""Programs that use ``itertools``, ``heapq``, ``bisect``, ``deque`` on lists of staged length."""

import bisect
import heapq
import itertools
import operator
from collections import deque

ONLY = "tensors"


def numbers(n):
    made = []
    for i in range(n):
        made.append(i * 3 % 7)
    return made


def sliced(n):
    return list(itertools.islice(numbers(n + 2), n)), list(itertools.islice(numbers(n), 1, n))


def accumulated(n):
    sums = list(itertools.accumulate(numbers(n)))
    products = list(itertools.accumulate(numbers(n), operator.mul))
    largest = list(itertools.accumulate(numbers(n), max, initial=3))
    return sums, products, largest


def in_pairs(n):
    total = 0
    for a, b in itertools.pairwise(numbers(n)):
        total = total * 3 + a * b
    return total, list(itertools.pairwise(numbers(n)))


def combined(n):
    items = numbers(n)
    twice = list(itertools.combinations_with_replacement(items, 2))
    return list(itertools.combinations(items, 2)), twice, list(itertools.permutations(items, 2))


def combined_numbers(n):
    total = 0
    for a, b, c in itertools.combinations(range(n), 3):
        total = total + a * b * c
    for a, b in itertools.permutations([n, 2, 3], 2):
        total = total + a - 2 * b
    return total


def multiplied(n):
    total = 0
    for i, j in itertools.product(range(n), range(2)):
        total = total * 2 + i * j
    return total, list(itertools.product(numbers(n), repeat=2))


def chained(n):
    rows = [[x, x + 1] for x in numbers(n)]
    both = itertools.chain.from_iterable([numbers(n), [7]])
    return list(both), list(itertools.chain.from_iterable(rows))


def zipped_to_the_longest(n):
    return list(itertools.zip_longest(numbers(n), [1, 2, 3], fillvalue=-1))


def grouped(n):
    halves = [k // 2 for k in range(n)]
    by_parity = itertools.groupby(numbers(n), lambda k: k % 2 == 0)
    return [(k, sum(g)) for k, g in itertools.groupby(halves)], [len(list(g)) for _, g in by_parity]


def repeated(n):
    return list(itertools.repeat(5, n)), list(itertools.islice(itertools.cycle(numbers(n)), 5))


def counted(n):
    for k in itertools.count(n, 3):
        if k * k > 50:
            break
    return k


def dropped(n):
    items = numbers(n)
    small = list(itertools.dropwhile(lambda k: k < 5, items))
    odd = list(itertools.filterfalse(lambda k: k % 2 == 0, items))
    return small, odd, list(itertools.compress(items, [1, 0, 1, 1]))


def dropped_of_known_number(n):
    return list(itertools.dropwhile(lambda k: k < 3, [1, n, 5, 0]))


def breadth_first(n):
    edges = {0: [1, 2], 1: [3], 2: [3], 3: []}
    seen = [False] * 4
    queue = deque([0])
    order = []
    while queue:
        node = queue.popleft()
        if seen[node]:
            continue
        seen[node] = True
        order.append(node * n)
        for other in edges[node]:
            queue.append(other)
    return order


def counted_down(n):
    queue, total = deque([n]), 0
    while queue:
        k = queue.popleft()
        total += k
        if k > 1:
            queue.append(k - 1)
            queue.append(k - 2)
    return total


def both_ends(n):
    ends = deque()
    for i in range(n):
        ends.append(i)
        ends.appendleft(-i)
    first = ends[0] if ends else 9
    ends.rotate(1)
    return list(ends), len(ends), first, 1 in ends


def last_three(n):
    last = deque(maxlen=3)
    for i in range(n):
        last.append(i)
    return list(last), sum(last)


def empty_queue(n):
    queue = deque(range(n))
    queue.popleft()
    return queue.pop()


def heap_sorted(n):
    heap = []
    for i in range(n):
        heapq.heappush(heap, i * 5 % 7)
    found = []
    while heap:
        found.append(heapq.heappop(heap))
    return found


def heap_of_pairs(n):
    heap = [(n, 1)]
    heapq.heappush(heap, (n - 1, 2))
    heapq.heappush(heap, (n - 1, 0))
    return heapq.heappop(heap), heap


def heap_order(n):
    heap = numbers(n)
    heapq.heapify(heap)
    pushed = heapq.heappushpop(heap, 1)
    return pushed, heapq.heapreplace(heap, 2), heap


def extremes(n):
    return heapq.nsmallest(2, numbers(n)), heapq.nlargest(2, numbers(n), key=lambda k: -k)


def bisected(n):
    items = sorted(numbers(n))
    bisect.insort(items, 3)
    known = [1, 3, 5, 7]
    found = bisect.bisect(known, n), bisect.bisect_left(known, n)
    return items, bisect.bisect_left(items, 4), found


def group_kept_in_a_loop(n):
    total = 0
    group = []
    for i in range(n):
        if i % 3:
            group.append(i)
        else:
            total += sum(group)
            group = [i]
    return total, group


def group_first_made_in_a_loop(n):
    for i in range(n):
        if i % 3:
            group.append(i)  # noqa: F821
        else:
            group = [i]
    return group


SOME = [(5,), (0,), (1,), (3,)]

CASES = [
    (function, SOME)
    for function in (
        sliced, accumulated, in_pairs, combined, combined_numbers, multiplied,
        chained, zipped_to_the_longest, grouped, repeated, counted, dropped,
        dropped_of_known_number, breadth_first, counted_down, both_ends, last_three, empty_queue,
        heap_sorted, heap_of_pairs, heap_order, extremes, bisected, group_kept_in_a_loop,
        group_first_made_in_a_loop,
    )
]  # fmt: skip
