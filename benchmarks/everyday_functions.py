"""Everyday functions of plain Python, for ``benchmarks.jit_against_python``: counts of words, edit
distances, searches, parsing, dates, recursion, small products and sums.
"""

from __future__ import annotations

import collections
import datetime
import heapq
import math
import random
from collections.abc import Callable
from typing import Any

import numpy as np

_RANDOM = random.Random(1)
WORDS = ["".join(_RANDOM.choices("abcdefgh", k=_RANDOM.randint(2, 6))) for _ in range(400)]
TEXT = " ".join(WORDS)
NEIGHBOURS = {node: _RANDOM.choices(range(200), k=4) for node in range(200)}
MATRIX = [[float(_RANDOM.randint(0, 9)) for _ in range(8)] for _ in range(8)]
NUMBERS = _RANDOM.choices(range(1000), k=500)
NESTED = [1, [2, [3, 4], 5], [[6], 7], [8, [9, [10]]]]
TABLE = "\n".join(f"x{i},{i},{i / 3}" for i in range(50))



def word_count(text):
    counts = {}
    for w in text.split():
        counts[w] = counts.get(w, 0) + 1
    return counts


def levenshtein(a, b):
    prev = list(range(len(b) + 1))
    for i, ca in enumerate(a):
        cur = [i + 1]
        for j, cb in enumerate(b):
            cur.append(min(prev[j + 1] + 1, cur[j] + 1, prev[j] + (ca != cb)))
        prev = cur
    return prev[-1]


def bfs(graph, start):
    dist = {start: 0}
    queue = collections.deque([start])
    while queue:
        u = queue.popleft()
        for v in graph[u]:
            if v not in dist:
                dist[v] = dist[u] + 1
                queue.append(v)
    return dist


def tokenize(text):
    tokens, word = [], ""
    for c in text:
        if c == " ":
            if word:
                tokens.append(word)
            word = ""
        else:
            word += c
    if word:
        tokens.append(word)
    return tokens


def matmul(a, b):
    n, m, k = len(a), len(b[0]), len(b)
    return [[sum(a[i][x] * b[x][j] for x in range(k)) for j in range(m)] for i in range(n)]


def nested_sum(x):
    total = 0
    for row in x:
        for v in row:
            total += v
    return total


def days_between(y1, m1, d1, y2, m2, d2):
    def ordinal(y, m, d):
        a = (14 - m) // 12
        yy = y + 4800 - a
        mm = m + 12 * a - 3
        return d + (153 * mm + 2) // 5 + 365 * yy + yy // 4 - yy // 100 + yy // 400 - 32045
    return ordinal(y2, m2, d2) - ordinal(y1, m1, d1)


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def primes(n):
    sieve = [True] * (n + 1)
    out = []
    for i in range(2, n + 1):
        if sieve[i]:
            out.append(i)
            for j in range(i * i, n + 1, i):
                sieve[j] = False
    return out


def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


def caesar(text, k):
    return "".join(chr((ord(c) - 97 + k) % 26 + 97) if c.isalpha() else c for c in text)


def is_palindrome(s):
    s = [c for c in s if c.isalnum()]
    return s == s[::-1]


def flatten(x):
    out = []
    for v in x:
        if isinstance(v, list):
            out.extend(flatten(v))
        else:
            out.append(v)
    return out


def group_by_len(words):
    groups = {}
    for w in words:
        groups.setdefault(len(w), []).append(w)
    return groups


def dijkstra(graph, s):
    dist, heap = {s: 0}, [(0, s)]
    while heap:
        d, u = heapq.heappop(heap)
        if d > dist[u]:
            continue
        for v in graph[u]:
            nd = d + (u * 7 + v) % 10 + 1
            if nd < dist.get(v, 1 << 60):
                dist[v] = nd
                heapq.heappush(heap, (nd, v))
    return dist


def parse_csv(text):
    rows = []
    for line in text.split("\n"):
        if line:
            a, b, c = line.split(",")
            rows.append((a, int(b), float(c)))
    return rows


def binary_search(xs, t):
    lo, hi = 0, len(xs)
    while lo < hi:
        mid = (lo + hi) // 2
        if xs[mid] < t:
            lo = mid + 1
        else:
            hi = mid
    return lo


def roman(n):
    out = ""
    for v, s in (
        (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"),
        (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
    ):  # fmt: skip
        while n >= v:
            out += s
            n -= v
    return out


def nqueens(n):
    def place(row, cols, d1, d2):
        if row == n:
            return 1
        count = 0
        for c in range(n):
            if c not in cols and row + c not in d1 and row - c not in d2:
                count += place(row + 1, cols | {c}, d1 | {row + c}, d2 | {row - c})
        return count
    return place(0, frozenset(), frozenset(), frozenset())


def mean_std(xs):
    m = sum(xs) / len(xs)
    return m, math.sqrt(sum((x - m) ** 2 for x in xs) / len(xs))


def bubble(xs):
    xs = list(xs)
    for e in range(len(xs) - 1, 0, -1):
        for i in range(e):
            if xs[i] > xs[i + 1]:
                xs[i], xs[i + 1] = xs[i + 1], xs[i]
    return xs


def merge_sort(xs):
    if len(xs) < 2:
        return xs
    m = len(xs) // 2
    a, b = merge_sort(xs[:m]), merge_sort(xs[m:])
    out = []
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] <= b[j]:
            out.append(a[i])
            i += 1
        else:
            out.append(b[j])
            j += 1
    return out + a[i:] + b[j:]


def lcs(a, b):
    t = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            t[i + 1][j + 1] = t[i][j] + 1 if x == y else max(t[i][j + 1], t[i + 1][j])
    return t[-1][-1]


def histogram(xs):
    h = [0] * 10
    for x in xs:
        h[x % 10] += 1
    return h


def to_base(n, b):
    digits = ""
    while n:
        n, r = divmod(n, b)
        digits = "0123456789abcdef"[r] + digits
    return digits or "0"


def validate(email):
    if email.count("@") != 1:
        return False
    user, host = email.split("@")
    return bool(user) and "." in host


def distance(a, b):
    return math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2)


def age(y, m, d):
    today = datetime.date(2026, 11, 28)
    born = datetime.date(y, m, d)
    return today.year - born.year - ((today.month, today.day) < (born.month, born.day))


def pascal(n):
    rows = [[1]]
    for i in range(1, n):
        p = rows[-1]
        rows.append([1] + [p[k] + p[k + 1] for k in range(i - 1)] + [1])
    return rows


def small_np(a, n):
    s = np.zeros(3)
    for i in range(n):
        s = s * 0.5 + a
    return s


def anagram(a, b):
    return sorted(a) == sorted(b)


def np_sum(a):
    return (a * 2 + 1).sum()


def coins(amount, values):
    best = [0] + [10 ** 9] * amount
    for a in range(1, amount + 1):
        for v in values:
            if v <= a and best[a - v] + 1 < best[a]:
                best[a] = best[a - v] + 1
    return best[amount]


CASES: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (word_count, (TEXT,)), (levenshtein, ("kitten sitting on", "sitting kitten at")),
    (bfs, (NEIGHBOURS, 0)), (tokenize, (TEXT,)), (matmul, (MATRIX, MATRIX)),
    (nested_sum, ([[1, 2, 3]] * 50,)), (days_between, (2000, 2, 29, 2026, 11, 28)), (fib, (16,)),
    (primes, (2000,)), (gcd, (123456, 7890)), (caesar, (TEXT, 3)),
    (is_palindrome, ("A man a plan a canal",)), (flatten, (NESTED,)), (group_by_len, (WORDS,)),
    (dijkstra, (NEIGHBOURS, 0)), (parse_csv, (TABLE,)), (binary_search, (list(range(1000)), 777)),
    (roman, (1994,)), (nqueens, (6,)), (mean_std, ([float(i) for i in range(200)],)),
    (bubble, (NUMBERS[:60],)), (merge_sort, (NUMBERS[:100],)),
    (lcs, ("AGGTABQWER" * 3, "GXTXAYBQER" * 3)), (histogram, (NUMBERS,)),
    (to_base, (123456789, 16)), (validate, ("a.b@c.de",)), (distance, ((1.0, 2.0), (4.0, 6.0))),
    (age, (1980, 5, 17)), (pascal, (30,)), (small_np, (np.ones(3), 50)),
    (anagram, ("listen", "silent")), (np_sum, (np.ones(1000),)),
    (coins, (300, [1, 5, 10, 25, 50])),
]  # fmt: skip
"""Functions with the arguments of a call."""
