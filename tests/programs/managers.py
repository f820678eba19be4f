"""Programs with context managers, and exceptions that leave them."""

import contextlib


class Scaled:
    """Its methods test staged values."""

    def __init__(self, x):
        self.x = x
        self.factor = 0

    def __enter__(self):
        if self.x > 2:
            self.factor = 10
        else:
            self.factor = 100
        return self

    def __exit__(self, kind, error, traceback):
        if self.x > 0:
            self.factor = self.factor + 1


def methods_are_staged(x):
    with Scaled(x) as scaled:
        y = x * scaled.factor
    return y + scaled.factor


def raised_inside(x):
    with Scaled(x):
        if x > 3:
            raise ValueError("large")
    return x


def caught_inside(x):
    with Scaled(x) as scaled:
        try:
            if x > 3:
                raise ValueError("large")
            y = 1
        except ValueError:
            y = scaled.factor
    return y


def suppresses_others(x):
    with contextlib.suppress(KeyError):
        if x > 3:
            raise ValueError("not a KeyError")
        x = x + 1
    return x


@contextlib.contextmanager
def announced(name):
    print("enter", name)
    yield name
    print("leave", name)


def generator(x):
    with announced("block") as name:
        if x > 3:
            y = x + len(name)
        else:
            y = x
    return y


_NUMBERS = [(-1,), (1,), (3,), (6,)]

CASES = [
    (program, _NUMBERS)
    for program in (methods_are_staged, raised_inside, caught_inside, suppresses_others, generator)
]
