"""The rows of LIMITATIONS.md about calls, names and objects."""

from __future__ import annotations

import asyncio
import functools
import inspect

from tests.limitations.rows import row

counter = 0


def double_if_positive(x):
    if x > 0:
        return 2 * x
    return x


def sum_to(n):
    total = 0
    while n > 0:
        total += double_if_positive(n)
        n -= 1
    return total


def factorial(n):
    if n <= 1:
        return 1
    return n * factorial(n - 1)


@row("static calls", 3)
def static_call(x):
    return double_if_positive(x)


@row("calls with `*`: of a list of staged length", 3)
def starred_calls(x):
    def weighted(first, *others, scale=1):
        return scale * first + sum(others)

    items = [x]
    for i in range(x):
        items.append(i)
    columns = [sum(column) for column in zip(*[(i, i * x) for i in items])]
    return weighted(*items, scale=10) + max(*items) + columns[0] * columns[1]


@row("nested call trees", 3)
def nested_calls(x):
    if x > 1:
        x = sum_to(x) + double_if_positive(sum_to(x - 1))
    return x


@row("recursion", 5)
def recursion(n):
    return factorial(n)


@row("recursion that Python values end", 5)
def recursion_python(x, depth=3):
    if depth == 0:
        return x
    return double_if_positive(recursion_python(x, depth - 1))


@row("builtins: `abs`, `min`, `max`, `int`, `float`", -3)
def builtins_of_numbers(x):
    return int(max(abs(x), 2)) + int(min(float(x), 1.0))


@row("builtins: `len`, `sum`, `enumerate`, `zip`, `reversed`", [3, 1, 2])
def builtins_of_sequences(items):
    total = len(items) + sum(items)
    for i, item in enumerate(items):
        total += i * item
    for a, b in zip(items, items):
        total += a * b
    for item in reversed(items):
        total = 2 * total + item
    return total


@row("builtins: `any`, `all`, `sorted`, `map`, `filter`", [3, 1, 2])
def builtins_with_functions(items):
    total = 0
    for item in map(double_if_positive, items):
        total += item
    for item in filter(lambda item: item > 1, items):
        total += item
    if any(item > 2 for item in items) and all(item > 0 for item in items):
        total += 1
    return total + sorted(items)[0]


@row("function variables", 3)
def function_variables(x):
    step = double_if_positive
    return step(step(x))


@row("function variables chosen by a staged `if`", 3)
def function_variables_chosen(x):
    step = double_if_positive if x > 0 else abs
    return step(x)


@row("lambdas", 3)
def lambdas(x):
    clip = lambda v: v if v > 2 else 2
    return clip(x) + clip(x - 2)


@row("closures and `nonlocal`", 3)
def closures(x):
    def add(amount):
        nonlocal x
        if amount > 0:
            x += amount

    add(2)
    add(-1)
    return x


@row("decorators, `functools.partial`", 3)
def partials(x):
    add = functools.partial(lambda a, b: a + b if a > 0 else a, 4)
    return add(x)


class Account:
    """A class whose methods are converted when a converted function calls them."""

    fee = 1

    def __init__(self, balance):
        self.balance = balance

    def withdraw(self, amount):
        if amount + self.fee <= self.balance:
            self.balance -= amount + self.fee
        return self.balance


class Free(Account):
    """Its method calls up."""

    fee = 0

    def withdraw(self, amount):
        if amount > 3:
            amount = 3
        return super().withdraw(amount)


@row("classes: attributes as state", 10)
def classes(x):
    account = Account(x)
    account.withdraw(4)
    return account.withdraw(2)


@row("subclasses, `super()`", 10)
def subclasses(x):
    return Free(x).withdraw(8)


@row("dynamic types: a name changes its type", 3)
def dynamic_types(x):
    y = "text"
    y = len(y)
    return x + y


@row("dynamic types: a staged `if` decides the type", 3)
def dynamic_types_staged(x):
    y = 1 if x > 0 else "text"
    return y


@row("dynamic code: `eval`", 3)
def dynamic_code(x):
    return eval("x + 1") if x > 0 else x


@row("reflection", 3)
def reflection(x):
    if x > 0:
        x += len(inspect.signature(factorial).parameters) + len(factorial.__name__)
    return x


@row("globals: read", 3)
def globals_read(x):
    return x + Account.fee + counter if x > 0 else x


@row("globals: written in a branch", 3)
def globals_written(x):
    global counter
    if x > 0:
        counter = 5
    result = counter + x
    counter = 0
    return result


@row("side effects: `list.append` in a branch", 3)
def side_effects(x):
    seen = []
    if x > 0:
        seen.append(x)
    return len(seen)


@row("generators: `yield`", 3)
def generators(x):
    def countdown(n):
        for i in range(3):
            yield n - i

    total = 0
    for item in countdown(x):
        total += item
    return total


@row("generators: a staged `if` around `yield`", 3)
def generators_staged(x):
    def positive(n):
        if n > 0:
            yield n

    total = 0
    for item in positive(x):
        total += item
    return total


@row("generators: a staged `if` around a `yield` of what is sent", 3)
def generators_sent(x):
    def positive(n):
        if n > 0:
            got = yield n
            print(got)

    total = 0
    for item in positive(x):
        total += item
    return total


@row("`async` / `await`", 3)
def coroutines(x):
    async def later(n):
        await asyncio.sleep(0)
        return double_if_positive(n)

    return asyncio.run(later(x))


@row("`async`: a staged `if` around `await`", 3)
def coroutines_staged(x):
    async def later(n):
        if n > 0:
            await asyncio.sleep(0)
        return n

    return asyncio.run(later(x))
