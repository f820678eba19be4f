"""Programs whose variables hold objects of their own classes, chosen and replaced on the way."""

import dataclasses
import enum


@dataclasses.dataclass
class Point:
    x: int
    y: float = 1.0

    def moved(self, by):
        return Point(self.x + by, self.y * 2)


@dataclasses.dataclass(frozen=True)
class Fixed:
    x: int
    inner: Point


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self, a, b):
        self.a = a
        self.b = b


class Player:
    def __init__(self, score):
        self.score = score

    def win(self, points):
        self.score += points
        return self


class Mode(enum.Enum):
    IDLE = 1
    RUN = 2


def dataclass_in_a_loop(n):
    p = Point(0)
    for i in range(n):
        p = Point(p.x + i, p.y * 2)
    return p.x, p.y


def by_method(n):
    p = Point(1)
    while n > 0:
        p = p.moved(n)
        n -= 1
    return p.x


def replaced(n):
    p = Point(0)
    while n > 0:
        p = dataclasses.replace(p, x=p.x + n)
        n -= 1
    return p.x


def frozen_and_nested(n):
    f = Fixed(1, Point(2))
    for i in range(n):
        f = Fixed(f.x + i, Point(f.inner.x * 2))
    return f.x + f.inner.x


def slots(n):
    s = Slotted(n, 2)
    for i in range(n):
        s = Slotted(s.b, s.a + i)
    return s.a * 10 + s.b


def made_in_a_branch(n):
    p = Point(n)
    if n > 1:
        p = Point(n * 2, 3.5)
    return p.x, p.y


def made_in_both_branches(n):
    if n > 1:
        p = Player(n + 1)
    else:
        p = Player(n - 1)
    p.win(10)
    return p.score


def changed_in_a_loop(n):
    p = Player(n)
    for i in range(n):
        p = Player(p.score + 1)
        p.win(i)
    return p.score


def known_objects_keep_their_identity(n):
    first, second = Player(n), Player(n * 2)
    winner = first if n > 1 else second
    winner.win(100)
    winner.score += 1
    return first.score, second.score, winner is first


def swapped(n):
    first, second = Player(1), Player(2)
    while n > 0:
        first, second = second, first
        first.win(n)
        n -= 1
    return first.score, second.score


def enum_members(n):
    mode = Mode.IDLE
    if n > 1:
        mode = Mode.RUN
    return mode is Mode.RUN, mode == Mode.IDLE


def state_machine(n):
    mode = Mode.IDLE
    steps = 0
    while n > 0:
        if mode is Mode.IDLE:
            mode = Mode.RUN
            steps += 1
        else:
            mode = Mode.IDLE
            steps += 10
        n -= 1
    return steps


def object_or_none_in_a_loop(n):
    best = None
    for i in range(n):
        p = Point(i, 0.5)
        if best is None or (p.x * 7) % 5 > (best.x * 7) % 5:
            best = p
    return -1 if best is None else best.x


def object_in_a_tuple(n):
    pair = (Point(n), 1)
    if n > 1:
        pair = (Point(n + 5), 2)
    return pair[0].x + pair[1]


def returned_early(n):
    for i in range(n):
        if i > 1:
            return Point(i * 10, 2.5).x
    return Point(-1).x


def made_unless_raised(n):
    if n > 4:
        raise ValueError(n)
    else:
        p = Point(n * 2)
    q = (Point(n + 1), 3)
    return p.x + q[0].x


def last_of_a_loop(n):
    for i in range(n):
        p = Point(i * 3)
        pair = (p, i)
    return p.x + pair[1] + pair[0].x


def made_in_some_turns(n):
    box = Point(n)
    for i in range(n):
        box.x = box.x + i
        if i % 2 == 0:
            box = Point(1)
    return box.x


def made_anew_and_changed(n):
    box = Point(7)
    try:
        for i in range(n):
            if i != 1:
                box = Point(2)
    finally:
        box.x = box.x + n
    return box.x


def made_in_a_try(n):
    box = Point(1)
    try:
        try:
            box.x = [3, 1][n]
        finally:
            if n != 1:
                box = Point(2)
    except IndexError:
        box.x = box.x + 100
    return box.x + n


CASES = [
    (function, [(0,), (1,), (2,), (5,)])
    for function in (
        dataclass_in_a_loop, by_method, replaced, frozen_and_nested, slots, made_in_a_branch,
        made_in_both_branches, changed_in_a_loop, known_objects_keep_their_identity, swapped,
        enum_members, state_machine, object_or_none_in_a_loop, object_in_a_tuple, returned_early,
        made_unless_raised, last_of_a_loop, made_in_some_turns,
        made_anew_and_changed, made_in_a_try,
    )
]
