"""Programs whose variables, items and results are None on some path."""


def best_so_far(n):
    best = None
    for i in range(n):
        x = i * 2 - 5
        if best is None:
            best = x
        else:
            best = max(best, x) if False else (best if best > x else x)
    return -100 if best is None else best


def best_in_one_test(n):
    best = None
    for i in range(n):
        x = (i * 7) % 5
        if best is None or x > best:
            best = x
    return best


def guarded_by_and(n):
    best = None
    for i in range(n):
        if best is not None and best > 3:
            best = best + 10
        elif best is None or best < 0:
            best = i
        else:
            best += 1
    return best


def nothing_returned(n):
    if n > 0:
        return n


def bare_return(n):
    if n > 2:
        return
    assert n <= 2


def first_square(n):
    for i in range(n):
        if i * i > 10:
            return i


def used_unguarded(n):
    x = None if n > 0 else n
    return x + 1


def truth(n):
    x = n if n > 2 else None
    if x:
        return 2
    return 1 if x is None else 0


def none_in_a_tuple(n):
    pair = (n, None)
    if n > 1:
        pair = (n, n + 1)
    a, b = pair
    return a if b is None else b


def none_in_a_dict(n):
    found = {"a": None, "b": 1}
    if n > 1:
        found["a"] = n
    return found["a"] or 7


def none_on_both_paths(n):
    x = None if n > 1 else None
    while n > 1:
        n -= 1
        x = None
    return n if x is None else -n


def scaled(x, scale=None):
    if scale is None:
        return x
    return x * scale


def default_argument(n):
    s = None
    if n > 2:
        s = 3
    return scaled(n, s)


def previous(n):
    prev = None
    total = 0
    while n > 0:
        if prev is not None:
            total += prev * n
        prev = n
        n -= 1
    return total, prev


def tuple_or_none(n):
    x = None
    if n == 1:
        x = (n, n + 1)
    if x is not None:
        p, q = x
        return p + q
    return -1


def asserted(n):
    x = None
    if n == 1:
        x = n
    assert x is not None, "no x"
    return x


def compared(n):
    x = None if n > 1 else 2
    return not x, x == None, x != None, x is None, x is not None, x == 2  # noqa: E711


def function_or_none(n):
    f = None
    if n > 1:
        f = scaled
    return f(n) if f is not None else 0


def pair_grows(n):
    node = None
    for i in range(n):
        node = (i, i + 1) if node is None else (node[0] + i, node[1] * 2)
    if node is None:
        return 0
    return node[0] + node[1]


def loop_until_found(n):
    found = None
    i = 0
    while found is None:
        i += 1
        if i * i > n:
            found = i
    return found


def undefined_or_none(n):
    if n > 0:
        x = None
        if n > 2:
            x = n
    else:
        x = 0
    if n > -1 and x is None:
        return -1
    return x


def none_printed(n):
    x = None if n > 0 else 1
    print(x, f"{x}|{x!r}")
    return n


def optional_in_heap(n):
    box = {"best": None}
    while n > 0:
        if box["best"] is None:
            box["best"] = n
        else:
            box["best"] += n
        n -= 1
    return box["best"]


NUMBERS = [(-1,), (0,), (1,), (3,), (6,)]

def number_or_none_in_a_sum(n):
    i = 0
    if n > 1:
        i = None
    return i + 1


def item_of_a_list_or_none(n):
    found = None
    if n > 1:
        found = [4, 5]
    return found[0]


def constant_function_or_none(n):
    function = None
    if n > 1:
        function = lambda: 4  # noqa: E731
    return function()


CASES = [
    (function, NUMBERS)
    for function in (
        best_so_far, best_in_one_test, guarded_by_and, nothing_returned, bare_return,
        first_square, used_unguarded, truth, none_in_a_tuple, none_in_a_dict, none_on_both_paths,
        default_argument, previous, tuple_or_none, asserted, compared, function_or_none,
        pair_grows, loop_until_found, undefined_or_none, none_printed, optional_in_heap,
        number_or_none_in_a_sum, item_of_a_list_or_none, constant_function_or_none,
    )
]
