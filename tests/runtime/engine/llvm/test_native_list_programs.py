"""Programs on lists and numbers that native code runs whole: no loop calls Python."""

import random

import pytest

from tests.runtime.engine.llvm.native_programs import check_native

pytest.importorskip("llvmlite")


def sieve(n):
    flags = [True] * n
    flags[0] = False
    flags[1] = False
    i = 2
    while i * i < n:
        if flags[i]:
            j = i * i
            while j < n:
                flags[j] = False
                j += i
        i += 1
    count = 0
    for f in flags:
        if f:
            count += 1
    return count


def knapsack(weights, values, capacity):
    best = []
    for _ in range(capacity + 1):
        best.append(0)
    for k in range(len(weights)):
        w = weights[k]
        v = values[k]
        c = capacity
        while c >= w:
            other = best[c - w] + v
            if other > best[c]:
                best[c] = other
            c -= 1
    return best[capacity]


def prefix(xs):
    out = []
    total = 0
    for x in xs:
        total += x
        out.append(total)
    return out


def edit(a, b):
    row = []
    for j in range(len(b) + 1):
        row.append(j)
    for i in range(1, len(a) + 1):
        diagonal = row[0]
        row[0] = i
        for j in range(1, len(b) + 1):
            up = row[j]
            cost = diagonal if a[i - 1] == b[j - 1] else diagonal + 1
            cost = min(cost, up + 1, row[j - 1] + 1)
            diagonal = up
            row[j] = cost
    return row[len(b)]


def parser(tokens):
    """Numbers from 0 are pushed; -1 adds, -2 multiplies, others subtract."""
    stack = []
    for t in tokens:
        if t >= 0:
            stack.append(t)
        else:
            b = stack.pop()
            a = stack.pop()
            if t == -1:
                stack.append(a + b)
            elif t == -2:
                stack.append(a * b % 1000003)
            else:
                stack.append(a - b)
    return stack.pop()


def dijkstra(starts, ends, costs, source):
    n = len(starts) - 1
    distances = []
    done = []
    for _ in range(n):
        distances.append(1 << 40)
        done.append(False)
    distances[source] = 0
    for _ in range(n):
        best = -1
        least = 1 << 40
        for v in range(n):
            if not done[v] and distances[v] < least:
                best = v
                least = distances[v]
        if best < 0:
            break
        done[best] = True
        for e in range(starts[best], starts[best + 1]):
            other = least + costs[e]
            if other < distances[ends[e]]:
                distances[ends[e]] = other
    return distances


def queens(n):
    columns = [-1]
    row = 0
    count = 0
    while row >= 0:
        columns[row] += 1
        if columns[row] >= n:
            columns.pop()
            row -= 1
        else:
            good = True
            for r in range(row):
                d = columns[row] - columns[r]
                if d == 0 or d == row - r or d == r - row:
                    good = False
                    break
            if good:
                if row == n - 1:
                    count += 1
                else:
                    columns.append(-1)
                    row += 1
    return count


def mergesort(xs):
    a = xs[:]
    n = len(a)
    width = 1
    while width < n:
        b = []
        lo = 0
        while lo < n:
            mid = min(lo + width, n)
            hi = min(lo + 2 * width, n)
            i = lo
            j = mid
            while i < mid or j < hi:
                if j >= hi or (i < mid and a[i] <= a[j]):
                    b.append(a[i])
                    i += 1
                else:
                    b.append(a[j])
                    j += 1
            lo = hi
        a = b
        width *= 2
    return a


def matrix(n):
    rows = []
    for i in range(n):
        row = []
        for j in range(n):
            row.append(i * j % 7)
        rows.append(row)
    total = 0
    for i in range(n):
        for j in range(n):
            total += rows[i][j] * rows[j][i]
    return total


def collatz(n):
    most = 0
    for i in range(1, n):
        x = i
        steps = 0
        while x != 1:
            if x % 2 == 0:
                x = x // 2
            else:
                x = 3 * x + 1
            steps += 1
        if steps > most:
            most = steps
    return most


def cases():
    """Return the arguments of each program."""
    numbers = random.Random(1)

    def draw(count, below):
        return [numbers.randrange(below) for _ in range(count)]

    edges = sorted(draw(60, 20)), draw(60, 20), draw(60, 50)
    starts = [sum(start < v for start in edges[0]) for v in range(21)]
    return {
        sieve: [(2,), (100,)],
        knapsack: [(draw(10, 9), draw(10, 50), 30), ([40], [1], 30)],
        prefix: [([1],), (draw(30, 100),)],
        edit: [(draw(12, 3), draw(9, 3)), ([1], [2])],
        parser: [([3, 4, -1, 5, -2, 2, -3],), ([1, -1],)],
        dijkstra: [(starts, *edges[1:], 0), (starts, *edges[1:], 19), (starts, *edges[1:], 20)],
        queens: [(1,), (5,), (6,)],
        mergesort: [([1],), (draw(40, 100),)],
        matrix: [(0,), (7,)],
        collatz: [(50,)],
    }


CASES = cases()


@pytest.mark.parametrize("program", CASES, ids=lambda program: program.__name__)
def test_programs_run_whole_in_native_code(program):
    check_native(program, *CASES[program])
