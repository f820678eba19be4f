"""``is`` and ``is not`` between staged values and bools, numbers, texts and each other.

Python's bools and small ints are one object each, whatever computed them; tensors are never one.
"""

import operator

# What one writes with a warning from Python, `k is 0`, by names that Python sees no constants in.
ZERO = 0
TRUE = True


def done_is_false(n):
    done, k = False, 0
    while done is False:
        k += 1
        if k > n:
            done = True
    return k


def done_is_not_true(n):
    done, k = False, 0
    while done is not True:
        k += 1
        if k > n:
            done = True
    return k


def false_is_done(n):
    done, k = False, 0
    while False is done:
        k += 2
        done = True if k > n else done
    return k


def if_true(n):
    found = False
    if n > 2:
        found = True
    if found is True:
        return n * 10
    return n - 1


def not_is_true(n):
    found = True
    if n > 2:
        found = False
    if found is not True:
        n += 100
    return n if found is not False else -n


def in_expression(n):
    found = False
    if n > 2:
        found = True
    number = n + 1 if found is True and n < 100 else n - 1
    return number, (found is False) == (found is not True)


def chained(n):
    found = False
    if n > 2:
        found = True
    count = 0
    if False is found is not True:
        count = 1
    return count


def small_int(n):
    k = 0
    if n > 2:
        k = 1
    if k is ZERO:
        return 7
    return k


def two_bools(n):
    low, high = True, True
    if n > 2:
        low = False
    if n < 10:
        high = False
    if low is high:
        return 1
    return 2


def bool_is_no_number(n):
    found = False
    k = 0
    if n > 2:
        found = True
        k = 1
    a = 1 if found is ZERO or k is TRUE or k is False else 2
    return a


def matched(n):
    found = False
    if n > 2:
        found = True
    match found:
        case True:
            return n
        case False:
            return -n


def matched_inside(n):
    found = None
    if n > 2:
        found = True
    if n > 4:
        found = False
    match (found, n):
        case (True, 3):
            return 1
        case (None | False, k):
            return k * 10
        case _:
            return 2


def optional_bool(n):
    found = None
    if n > 2:
        found = True
    if n > 5:
        found = None
    k = 0
    if found is True:
        k = 1
    elif found is None:
        k = 2
    return k


def tensor_is_no_object(n):
    a = n + 1
    k = 0
    if a is None or a is Ellipsis or a is print or a is int:
        k = 1
    return k


def by_functions(n):
    found = None
    if n > 2:
        found = True
    if operator.is_(found, None):
        return 0
    return 1 if operator.is_not(found, False) else 2


def kept_flag(n):
    """A flag as a state machine keeps it: None, then a bool."""
    inside = None
    count = 0
    for i in range(n):
        if inside is None:
            inside = False
        elif inside is False:
            inside = True
            count += 1
        else:
            inside = None
    return count


CASES = [
    (program, [(0,), (3,), (6,)])
    for program in (
        done_is_false, done_is_not_true, false_is_done, if_true, not_is_true,
        in_expression, chained, small_int, two_bools, bool_is_no_number, matched,
        matched_inside, optional_bool,
        tensor_is_no_object, kept_flag, by_functions,
    )
]  # fmt: skip
