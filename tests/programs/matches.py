"""Programs with ``match``, over numbers and over what holds them."""

import dataclasses


class Color:
    """Names for numbers."""

    RED = 1
    GREEN = 2


@dataclasses.dataclass
class Point:
    """Matched by position and by attribute."""

    x: object
    y: object


class Limits:
    """Values with dotted names."""

    low = 2


def literals(x):
    match x:
        case 0:
            return 10
        case 1 | 2:
            return 20
        case -3:
            return 30
    return 40


def falls_through(x):
    y = 0
    match x:
        case 1:
            y = 5
        case 2:
            y = x
    return y


def captures(x):
    match x:
        case 3:
            y = 1
        case other if other > 2:
            y = other + 1
        case other:
            y = other - 1
    return y, other if x != 3 else 0


def values(x):
    match x + 1:
        case Color.RED:
            return 1
        case Limits.low | Color.GREEN:
            return 2
        case _:
            return 3


def guards(x):
    match x:
        case 1 if x > 5:
            return 1
        case 1 | 2 as small if small > 1:
            return small * 2
        case _ if x > 5:
            return 5
    return -1


def sequences(x):
    match [x, x + 1, 7]:
        case [0, *_]:
            return 0
        case [1, second, _]:
            return second
        case [first, 4, *rest] if rest[0] == 7:
            return first * 10 + rest[0]
        case [first, *_, last]:
            return first + last
    return -1


def tuples(x):
    total = 0
    for pair in [(x, 1), (2, x), (x,), "ab", {"a": x}]:
        match pair:
            case (3, y) | (y, 3):
                total += y
            case (a, b):
                total += a * b
            case [a]:
                total += 100 * a
            case str():
                total += 1000
            case {"a": 3}:
                total += 5
            case {"a": value, **rest}:
                total += value + len(rest)
    return total


def mappings(x):
    match {"kind": "add", "left": x, "right": {"value": 2}}:
        case {"kind": "sub", "left": left}:
            return left
        case {"left": 0}:
            return -1
        case {"kind": "add", "left": left, "right": {"value": right}}:
            return left + right
    return 0


def classes(x):
    match Point(x, 2):
        case Point(0, 0):
            return 0
        case Point(x=1, y=y):
            return y
        case Point(px, py) if px > py:
            return px - py
        case Point():
            return -1
    return -2


def nested(x):
    match (Point(x, [x, 1]), {"p": Point(1, x)}):
        case (Point(0, _), _):
            return 0
        case (Point(y=[2, a]), {"p": Point(b, 2)}):
            return a + b
        case (Point(px, [q, *_]) as point, {"p": Point()}):
            return px * q + point.x
    return -1


def in_a_loop(x):
    steps = 0
    while True:
        match x:
            case 0 | 1:
                break
            case 5:
                x -= 1
                continue
            case _:
                x -= 2
        steps += 1
    return steps, x


def command(text):
    match text.split():
        case ["go", ("north" | "south") as direction]:
            return direction
        case ["drop", *things]:
            return len(things)
        case []:
            return "nothing"
        case [word]:
            return word
    return None


def python_subjects(x):
    found = []
    for text in ("go south", "drop a b", "", "look", "go far away"):
        found.append(command(text))
    return [1 if f == "south" else 2 if f is None else 3 for f in found], x


def none_and_flags(x):
    best = None
    if x > 2:
        best = x
    match best:
        case None:
            return -1
        case 3:
            return 0
        case _:
            return best + 1


NUMBERS = [(0,), (1,), (2,), (3,), (7,), (-3,)]
CASES = [
    (literals, NUMBERS),
    (falls_through, NUMBERS),
    (captures, NUMBERS),
    (values, NUMBERS),
    (guards, NUMBERS),
    (sequences, NUMBERS),
    (tuples, NUMBERS),
    (mappings, NUMBERS),
    (classes, NUMBERS),
    (nested, NUMBERS),
    (in_a_loop, [(0,), (7,), (4,)]),
    (python_subjects, [(1,)]),
    (none_and_flags, [(1,), (3,), (5,)]),
]
