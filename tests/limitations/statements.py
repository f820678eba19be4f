"""The rows of LIMITATIONS.md about statements: one small function for each row."""

from __future__ import annotations

from tests.limitations.rows import row


@row("`if` / `elif` / `else`", -3)
def if_statement(x):
    if x > 0:
        sign = 1
    elif x == 0:
        sign = 0
    else:
        sign = -1
    return sign


@row("`if`: a variable set on one way only", 3)
def if_sets_one_way(x):
    if x > 0:
        y = x + 1
    return y


@row("`if`: `None` on one way", 3)
def if_none(x):
    found = None
    if x > 2:
        found = x
    if found is None:
        return x - 1
    return found


@row("the best so far, starting from `None`", 4)
def best_so_far(n):
    best = None
    for i in range(n):
        x = (i * 5) % 7
        if best is None or x > best:
            best = x
    return best


@row("`None` among the items of a tuple or dict", 3)
def none_in_items(x):
    pair = (x, None)
    if x > 2:
        pair = (x, x + 1)
    first, second = pair
    return first if second is None else second


@row("conditional expression", 5)
def conditional_expression(x):
    return x if x > 3 else 3


@row("`for` over a list or tensor", [3, 1, 2])
def for_statement(items):
    total = 0
    for item in items:
        total = 2 * total + item
    return total


@row("`for` over `range(n)`", 5)
def for_range(n):
    total = 0
    for i in range(n):
        total += i
    return total


@row("`for` / `while` with `else`", [3, 1, 2])
def loop_else(items):
    for item in items:
        if item == 9:
            found = 1
            break
    else:
        found = 0
    return found


@row("`while`", 6)
def while_statement(n):
    product = 1
    while n > 1:
        product *= n
        n -= 1
    return product


@row("`while`: a variable first set in the body", 3)
def while_sets(n):
    while n > 0:
        last = n
        n -= 1
    return last


@row("`continue` and `break`", [3, 4, 5, 20, 6])
def continue_break(items):
    total = 0
    for item in items:
        if item % 2 == 1:
            continue
        if item > 10:
            break
        total += item
    return total


@row("composition: loops in ifs in loops", 4)
def composition(n):
    total = 0
    i = 0
    while i < n:
        if i % 2 == 0:
            j = 0
            while j < i:
                total += j
                j += 1
        else:
            total -= 1
        i += 1
    return total


@row("multiple returns, also inside loops", [1, 7, 3])
def multiple_returns(items):
    for item in items:
        if item > 5:
            return item
        if item < 0:
            return -1
    return 0


@row("one way returns, the other ends without", 0)
def return_or_none(x):
    if x > 0:
        return x
    return None


@row("`print`", 3)
def print_statement(x):
    if x > 2:
        print("large:", x)
    return x


@row("`assert` that holds", 3)
def assert_holds(x):
    assert x > 0, "positive numbers only"
    return x


@row("`assert` that fails", -3)
def assert_fails(x):
    assert x > 0, "positive numbers only"
    return x


@row("`raise`", -3)
def raise_statement(x):
    if x < 0:
        raise ValueError("negative")
    return x


@row("`try` / `except` of an error that Python raises", 2)
def try_except(x):
    try:
        y = x + int("no number")
    except ValueError:
        y = x + 1
    return y


@row("`try` / `except` of a `raise` under a staged `if`", -2)
def try_staged(x):
    try:
        if x < 0:
            raise ValueError("negative")
        y = x
    except ValueError:
        y = -x
    return y


@row("`try` / `finally`", 2)
def try_finally(x):
    y = 0
    try:
        if x > 1:
            y = x
    finally:
        y += 1
    return y


@row("`match`", 2)
def match_statement(x):
    match x:
        case 1:
            y = 10
        case 2:
            y = 20
        case _:
            y = 0
    return y


@row("`with`", 3)
def with_statement(x):
    with open("/dev/null"):
        if x > 1:
            x = x * 2
    return x


@row("`del` of a local", 3)
def deletion(x):
    y = x + 1
    z = y * 2
    del y
    return z


@row("`del` in a branch", 3)
def deletion_in_branch(x):
    y = x
    if x > 0:
        z = y + 1
        del y
    else:
        z = y
    return z


@row("`import` in a function", 3)
def inline_import(x):
    import math

    if x > math.pi:
        return 0
    return 1


@row("`:=`", 5)
def named_expression(x):
    if (half := x // 2) > 1:
        return half
    return x
