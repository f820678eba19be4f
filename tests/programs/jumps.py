"""Programs with ``break``, ``continue``, ``return`` in loops, and loop ``else``."""

import itertools


def break_at(n):
    s = 0
    for i in range(n):
        if i > 3:
            break
        s += i
    return s


def continue_on_odd(n):
    s = 0
    for i in range(n):
        if i % 2 == 1:
            continue
        s += i
    return s


def both(n):
    s = 0
    while n > 0:
        n = n - 1
        if n % 3 == 0:
            continue
        if s > 20:
            break
        s = s + n
    return s


def while_true(n):
    k = 0
    while True:
        if k * k >= n:
            break
        k = k + 1
    return k


def return_alone_ends_the_loop(n):
    k = 0
    while True:
        if k * k == n:
            return k
        if k * k > n:
            return -1
        k += 1


def return_alone_ends_both_loops(n):
    while True:
        k = 1
        while True:
            if k > n:
                return n
            if k * k == n:
                return -k
            k += 1


def find(n):
    for i in range(n):
        if i * i > 20:
            return i
    return -1


def find_nested(n):
    for i in range(n):
        for j in range(n):
            if i * j == 6:
                return i * 10 + j
    return -1


def find_while(n):
    k = n
    while k > 0:
        if k % 7 == 0:
            return k
        k = k - 1
    return 0


def partial_break(n):
    s = 0
    for i in range(n):
        if i > 2:
            if i > 5:
                break
            s = s + 10
        else:
            s = s + 1
        s = s + 100
    return s


def partial_continue(n):
    s = 0
    for i in range(n):
        if i > 2:
            if i % 2 == 0:
                continue
            s = s + 10
        s = s + 100
    return s


def for_else(n):
    r = 0
    for i in range(n):
        if i == 4:
            break
        r = r + i
    else:
        r = -1
    return r


def while_else(n):
    r = 0
    while r < n:
        r = r + 3
        if r == 9:
            break
    else:
        r = r * 100
    return r


def else_without_break(n):
    r = 0
    for i in range(n):
        r = r + i
    else:
        r = r + 1000
    return r


def else_beside_breaks_of_a_loop_inside(n):
    found = 0
    for i in range(n):
        for j in range(3):
            if j == i:
                break
            found += 1
        if i > 5:
            break
    else:
        found += 100
    return found


def return_in_python_loop(x):
    for k in (1, 2, 3):
        if x == k:
            return k * 10
    return 0


def break_in_python_loop(x):
    s = 0
    for k in (1, 2, 3, 4):
        if x <= k:
            break
        s = s + k
    return s


def continue_in_python_loop(x):
    s = 0
    for k in (1, 2, 3, 4):
        if x == k:
            continue
        s = s + k
    return s


def return_inside_with(x):
    with open_nothing():
        if x > 0:
            return x
        x = x - 1
    return x * 2


def return_inside_try(x):
    try:
        if x > 0:
            return x
        x = x - 1
    finally:
        y = 3
    return x * y


def break_inside_with(n):
    s = 0
    for i in range(n):
        with open_nothing():
            if i > 2:
                break
            s = s + 1
        s = s + 10
    return s


def two_exits_inside_with(n):
    s = 0
    for i in range(n):
        with open_nothing():
            if i > 2:
                if i > 4:
                    break
                if i % 2 == 0:
                    continue
            s = s + 1
        s = s + 10
    return s


class open_nothing:
    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


def unreachable_return(x):
    a = 1
    if x > 0:
        if x > 2:
            return -1
        for i in range(3):
            a = a + i
            for j in range(2):
                a = a + j
                return a + x
                return a
            a = a * 100
        a = a * 1000
    return a


def changed_by_a_finally_that_leaves_a_loop(n):
    a = b = 1
    for i in range(n % 3 + 1):
        a = a + i
        try:
            return (b * n) % 11
        finally:
            if a != n:
                a = b
            b = a + n
    return a


def long_ranges(n):
    total = 0
    for i in range(3, 10**9, 2):
        if i * i > n:
            break
        total += i
    else:
        total = -1
    for i in itertools.count(5):
        if i > n:
            return total, i
        total += i
    return None


def backwards(n):
    for i in range(10**6, -1, -(10**5)):
        if i < n:
            return i
    for i in range(10**4, 0, -1):
        if i * n < 0:
            return i
    return 0


def assigned_before_the_only_break(n):
    i = 0
    while True:
        if i * i >= n:
            k = i
            break
        i += 1
    turns = 0
    while k > 0:
        if turns == 3:
            return turns
        k -= 2
        turns += 1
    return k


def assigned_before_breaks(n):
    while True:
        while True:
            n += 1
            doubled = n * 2
            if n % 3 == 0:
                break
        last = doubled
        if last % 5 == 0:
            found = last
            break
        if last > 40:
            found = 0
            break
    return last, doubled, (lambda: found + 1)()


def assigned_unless_the_else_leaves(n):
    i = 0
    while i < n:
        i += 1
        if i * i > n:
            k = i
            break
    else:
        return -1
    for j in range(n):
        if j * j > n:
            m = j
            break
    else:
        raise ValueError("none")
    return k * 2 + m


CASES = [
    (assigned_before_the_only_break, [(5,), (0,), (50,)]),
    (assigned_before_breaks, [(5,), (17,)]),
    (assigned_unless_the_else_leaves, [(9,), (1,), (2,)]),
    (long_ranges, [(0,), (30,), (100,)]),
    (backwards, [(250_000,), (-1,), (0,)]),
    (unreachable_return, [(1,), (3,), (-1,)]),
    (break_at, [(2,), (9,)]),
    (continue_on_odd, [(7,), (0,)]),
    (both, [(5,), (15,)]),
    (while_true, [(17,), (0,)]),
    (return_alone_ends_the_loop, [(16,), (17,), (0,)]),
    (return_alone_ends_both_loops, [(9,), (11,)]),
    (find, [(3,), (9,)]),
    (find_nested, [(2,), (5,)]),
    (find_while, [(20,), (5,)]),
    (partial_break, [(2,), (5,), (9,)]),
    (partial_continue, [(2,), (7,)]),
    (for_else, [(3,), (8,)]),
    (while_else, [(5,), (20,)]),
    (else_without_break, [(3,)]),
    (else_beside_breaks_of_a_loop_inside, [(2,), (9,)]),
    (return_in_python_loop, [(2,), (7,)]),
    (break_in_python_loop, [(3,), (9,), (0,)]),
    (continue_in_python_loop, [(3,), (9,)]),
    (return_inside_with, [(3,), (-3,)]),
    (return_inside_try, [(3,), (-3,)]),
    (break_inside_with, [(2,), (6,)]),
    (two_exits_inside_with, [(2,), (5,), (9,)]),
]
CASES.append((changed_by_a_finally_that_leaves_a_loop, [(0,), (2,), (5,)]))
