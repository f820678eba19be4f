"""Programs in which Python raises on some path, or the program catches what is raised."""


def missing_key(x):
    known = {"a": 1}
    y = x
    if x > 0:
        y = known["missing"]
    return y


def past_the_end(n):
    items = [1, 2, 3]
    last = n
    for i in range(n):
        last = items[3]
    return last


def not_a_number(x):
    if x > 3:
        x = x + int("three")
    return x


def caught_on_its_path(x):
    if x > 0:
        try:
            raise ValueError("positive")
        except ValueError as error:
            y = x + len(error.args)
    else:
        y = x
    return y


def caught_where_python_raises(x):
    known = {"a": 1}
    if x > 0:
        try:
            y = x + known["b"]
        except KeyError:
            y = x + known["a"]
        finally:
            x = x + 1
    else:
        y = x
    return y + x


def passed_through(x):
    seen = 0
    if x > 1:
        try:
            seen = 1
            raise LookupError("in between")
        finally:
            seen = seen + 1
    return x + seen


class Narrow(ValueError):
    """An exception with a constructor of its own."""

    def __init__(self, low, high):
        super().__init__(f"not between {low} and {high}")
        self.low = low
        self.high = high


def custom_class(x):
    if x > 3:
        raise Narrow(0, 3)
    return x


class Coded(ArithmeticError):
    """Its argument is not what its constructor takes."""

    def __init__(self, code):
        super().__init__(f"code {code + 1}")
        self.code = code


def constructor_runs_once(x):
    if x > 3:
        raise Coded(1)
    return x


def raised_by_callee(x):
    def check(value):
        if value > 3:
            raise ArithmeticError("too large")
        return value

    return check(x) + 1


def chained(x):
    if x > 0:
        try:
            raise KeyError("inner")
        except KeyError as error:
            raise ValueError("outer") from error
    return x


_NUMBERS = [(-1,), (0,), (1,), (3,), (6,)]

def returns_under_a_certain_test(n):
    if isinstance(n, object):
        try:
            if n > 1:
                raise ValueError
            return 1
        except ValueError:
            return 2
    return 3


def leaves_under_a_certain_test(n):
    k = 0
    while k < 5:
        k += 1
        if callable(len):
            try:
                if n > 3:
                    raise ValueError
                continue
            except ValueError:
                break
        k += 10
    return k


def popped_for_nothing(n):
    items = [1, 2]
    for i in range(n):
        items.pop()
    return n


def looked_at_for_nothing(n):
    [1, 2, 3][n]
    return n


def popped_when_there_is_something(n):
    items = []
    if n > 1:
        items.append(1)
    items.pop()
    return n


CASES = [
    (popped_for_nothing, [(0,), (2,), (3,)]),
    (looked_at_for_nothing, [(0,), (2,), (3,), (-4,)]),
    (popped_when_there_is_something, [(1,), (2,)]),
    (missing_key, _NUMBERS),
    (past_the_end, _NUMBERS),
    (not_a_number, _NUMBERS),
    (caught_on_its_path, _NUMBERS),
    (caught_where_python_raises, _NUMBERS),
    (passed_through, _NUMBERS),
    (custom_class, _NUMBERS),
    (constructor_runs_once, _NUMBERS),
    (raised_by_callee, _NUMBERS),
    (chained, _NUMBERS),
    (returns_under_a_certain_test, [(0,), (3,)]),
    (leaves_under_a_certain_test, [(0,), (4,)]),
]
