"""Objects whose constructors test staged values."""

import dataclasses


class Distance:
    """``__init__`` tests its argument."""

    def __init__(self, x, unit=1):
        if x > 0:
            self.value = x * unit
        else:
            self.value = -x * unit


def plain_class(x):
    return Distance(x, unit=2).value


class Doubled(Distance):
    """Calls the constructor of its base."""

    def __init__(self, x):
        super().__init__(x)
        if self.value > 3:
            self.value = self.value * 2


def subclass(x):
    return Doubled(x).value


@dataclasses.dataclass
class Clipped:
    """``__post_init__`` tests a field."""

    value: int
    limit: int = 2

    def __post_init__(self):
        if self.value > self.limit:
            self.value = self.limit


def dataclass(x):
    return Clipped(x).value + len(vars(Clipped(x)))


class Chosen:
    """``__new__`` makes it."""

    def __new__(cls, x):
        made = super().__new__(cls)
        if x > 1:
            made.size = 1
        else:
            made.size = 0
        return made

    def __init__(self, x):
        self.x = x


def with_new(x):
    chosen = Chosen(x)
    return chosen.size * 100 + chosen.x


_NUMBERS = [(-1,), (0,), (1,), (3,), (6,)]

CASES = [(program, _NUMBERS) for program in (plain_class, subclass, dataclass, with_new)]
