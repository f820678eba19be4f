"""Programs with ``if``, ternaries and boolean operators."""


def absolute(x):
    if x < 0:
        x = -x
    return x


def sign(x):
    if x > 0:
        return 1
    elif x < 0:
        return -1
    return 0


def sides(x):
    if x > 10:
        y = x - 10
        z = 1
    else:
        y = x + 10
        z = 2
    return y * z


def nested(x, y):
    if x > 0:
        if y > 0:
            r = x + y
        else:
            r = x - y
    else:
        if y > 0:
            r = y - x
        else:
            r = -x - y
    return r


def guards(x):
    if x < -10:
        return -3
    if x < 0:
        return -2
    if x == 0:
        return 0
    y = x * 2
    if y > 10:
        return y
    return y + 1


def return_deep(x, y):
    if x > 0:
        if y > 0:
            return 1
        z = 2
    else:
        z = 3
    return z + y


def return_then_tail(x, y):
    if x > 0:
        if y > 0:
            return 1
    return 2


def return_in_else(x):
    if x > 0:
        y = x + 1
    else:
        return x - 1
    y = y * 2
    return y


def ternary(x):
    return x * 2 if x > 1 else x - 2


def nested_ternary(x):
    return 1 if x > 10 else 2 if x > 5 else (3 if x > 0 else 4)


def ternary_in_call(x):
    return abs(x if x < 0 else -x)


def logical(x, y):
    a = x > 0 and y > 0
    b = x > 0 or y > 0
    r = 0
    if a:
        r = r + 1
    if b:
        r = r + 2
    if not a:
        r = r + 4
    if not (a or b):
        r = r + 8
    return r


def short_circuit(x, y):
    if y != 0 and x // y > 2:
        return 1
    return 0


def chained(x):
    if 0 < x < 10:
        return 1
    if 10 <= x <= 20 != 15:
        return 2
    return 3


def chained_middle(x):
    return 1 if 0 < x * 2 < 10 else 0


def equalities(x, y):
    if x == y:
        return 0
    if (x, y) == (1, 2):
        return 1
    if (x, y) != (3, 4):
        return 2
    return 3


def defined_in_one_branch_only_used_there(x):
    if x > 0:
        t = x * 3
        x = t + 1
    return x


def tuples(x):
    if x > 0:
        pair = (x, 1)
    else:
        pair = (1, x)
    a, b = pair
    return a - b


def dicts(x):
    d = {"a": x, "b": 0}
    if x > 0:
        d = {"a": x * 2, "b": 1}
    return d["a"] + d["b"]


def annotated(x):
    y: int = 0
    if x > 0:
        y: int = 1
        z: int
        z = y + 1
        y = z
    return y


def python_flag(x, flag=True):
    if flag:
        if x > 0:
            return x
    return -x


def both_same_constant(x):
    if x > 0:
        k = 2
    else:
        k = 2
    return [10, 20, 30][k] + x


def walrus_in_elif(x):
    y = x
    if x > 5:
        return y
    elif (y := y - 1) > 1:
        return y * 2
    elif (y := y - 1) > -2 and y < 0:
        y = 9
    return y


def numbers_as_tests(n, x):
    count = 0
    while n and x > 0:
        n, x, count = n - 1, x - 2, count + 1
    if n or x > 3:
        count += 10
    if not (n and x < 0 or count):
        count += 100
    return count + (1000 if n and x and not count % 2 else 0)


def texts_and_none_as_tests(n):
    text, found = "", None
    if n > 2:
        text, found = "abc", n
    if text and n < 10:
        return 1
    return 2 if found and found > 11 else 3


def lists_as_tests(n):
    waiting, total = [], 0
    for i in range(n):
        while waiting and waiting[-1] % 3 > i % 3:
            total += waiting.pop()
        waiting.append(i)
    while total < 100 and waiting:
        total = total * 2 + waiting.pop()
    return total


def filters(n):
    return sum([k for k in range(5) if n and k > n if k < 4 or n])


CASES = [
    (numbers_as_tests, [(3, 4), (0, 5), (4, 1), (2, -1), (0, 0)]),
    (texts_and_none_as_tests, [(1,), (5,), (11,), (12,)]),
    (lists_as_tests, [(0,), (3,), (7,)]),
    (filters, [(0,), (2,)]),
    (walrus_in_elif, [(7,), (3,), (1,), (0,), (-4,)]),
    (absolute, [(3,), (-3,)]),
    (sign, [(5,), (-5,), (0,)]),
    (sides, [(11,), (3,)]),
    (nested, [(1, 2), (1, -2), (-1, 2), (-1, -2)]),
    (guards, [(-11,), (-5,), (0,), (2,), (7,)]),
    (return_deep, [(1, 1), (1, -1), (-1, 4)]),
    (return_then_tail, [(1, 1), (1, -1), (-1, 4)]),
    (return_in_else, [(2,), (-2,)]),
    (ternary, [(0,), (2,)]),
    (nested_ternary, [(11,), (6,), (1,), (-1,)]),
    (ternary_in_call, [(3,), (-3,)]),
    (logical, [(1, 1), (1, -1), (-1, -1)]),
    (short_circuit, [(9, 3), (9, 0), (1, 3)]),
    (chained, [(5,), (12,), (15,), (25,), (-1,)]),
    (chained_middle, [(2,), (7,), (-1,)]),
    (equalities, [(1, 1), (1, 2), (3, 4), (5, 6)]),
    (defined_in_one_branch_only_used_there, [(2,), (-2,)]),
    (tuples, [(3,), (-3,)]),
    (dicts, [(3,), (-3,)]),
    (annotated, [(3,), (-3,)]),
    (python_flag, [(3,), (-3,)]),
    (both_same_constant, [(3,), (-3,)]),
]
