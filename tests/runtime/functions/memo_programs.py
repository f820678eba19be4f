"""Programs that store the results of calls: in dicts of their own, or by ``functools``.

``test_jit_memos.py`` runs them.
"""

import functools


@functools.lru_cache
def sign(x):
    if x > 0:
        return 1
    return -1


@functools.lru_cache(maxsize=None)
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


@functools.cache
def factorial(n):
    if n < 0:
        raise ValueError("no factorial")
    return 1 if n in (0, 1) else n * factorial(n - 1)


@functools.cache
def several(n, step=1, *, name="x"):
    return n + step, name


class Grid:
    @functools.cache
    def paths(self, row, column):
        if row <= 0 or column <= 0:
            return 1
        return self.paths(row - 1, column) + self.paths(row, column - 1)


def cached_condition(x):
    return sign(x) + sign(2)


def cached_recursion(x):
    return fibonacci(x * 4)


def cached_error(x):
    return factorial(x), factorial(3)


def cached_defaults(x):
    return several(x), several(x, 2), several(x, step=x, name="y"), several(1)


def cached_method(x):
    return Grid().paths(x, 3)


def cached_inside(x):
    @functools.cache
    def best(k):
        if k >= x * 4:
            return 0
        return max(best(k + 1), best(k + 2) + k)

    return best(0)


def cached_of_a_list(x):
    return sign([x])


def memo_of_a_closure(x):
    memo = {}

    def fib(k):
        if k in memo:
            return memo[k]
        memo[k] = k if k < 2 else fib(k - 1) + fib(k - 2)
        return memo[k]

    return fib(x * 4), len(memo)


def _with_memo(k, memo):
    if k not in memo:
        memo[k] = _with_memo(k - 1, memo) + _with_memo(k - 2, memo)
    return memo[k]


def memo_of_an_argument(x):
    memo = {0: 0, 1: 1}
    return _with_memo(x * x, memo), list(memo.items())


def memo_of_pairs(x):
    memo = {}

    def paths(row, column):
        if row <= 0 or column <= 0:
            return 1
        if (row, column) not in memo:
            memo[row, column] = paths(row - 1, column) + paths(row, column - 1)
        return memo[row, column]

    return paths(x, 3), len(memo)


def visited_in_recursion(x):
    visited, order = set(), []

    def visit(k):
        if k in visited or k > 6:
            return
        visited.add(k)
        visit(k * 2)
        order.append(k)
        visit(k * 2 + 1)

    visit(x)
    return order, len(visited)


_NUMBERS = [(1,), (3,), (2,)]
CASES = [
    *((program, [(-1,), *_NUMBERS]) for program in (cached_condition, cached_error)),
    *((program, _NUMBERS) for program in (
        cached_recursion, cached_defaults, cached_method, cached_inside, cached_of_a_list,
        memo_of_a_closure, memo_of_an_argument, memo_of_pairs, visited_in_recursion,
    )),
]  # fmt: skip
