"""Random programs in which several names may refer to one list, dict or object.

``program(seed)`` is the source of a function ``f(n, m)`` of two small integers: aliasing
assignments, copies, functions that return one of their arguments, changes in place, and staged
statements around them.  What it returns shows every change through every name.
"""

from __future__ import annotations

import random

INPUTS = [(0, 0), (3, 1), (1, 3), (2, 2)]

HEADER = """
class Box:
    def __init__(self, v):
        self.v = v

    def add(self, a):
        self.v += a
        return self


def pick(a, b, n):
    if n > 1:
        return a
    return b


def swapped(a, b, n):
    i = 0
    while i < n:
        a, b = b, a
        i += 1
    return a


def first(a, b, n):
    for i in range(n):
        if i > 1:
            return a
    return b


"""

CHOICES = ("pick", "swapped", "first")


class Kind:
    """Names of one kind of object, how new ones are made, and what each of them shows."""

    def __init__(self, names: str, new: tuple[str, ...], place: str, changes: tuple[str, ...]):
        self.names = names.split()
        self.new = new
        self.place = place
        self.changes = changes


LISTS = Kind(
    "x u w", ("[{n}, {n}]", "list({a})", "{a}[:]", "{a} + []", "[v + {n} for v in {a}]"), "{a}[0]",
    ("{a}[0] = {n}", "{a}[-1] += {n}", "{a}[1] += {n}", "{a}.append({n})", "{a} += [{n}]",
     "{a}[:] = {b}", "{a}.reverse()"),
)  # fmt: skip
DICTS = Kind(
    "d e", ("{{'p': {n}}}", "dict({a})", "{{**{a}, 'p': {n}}}"), "{a}['p']",
    ("{a}['p'] = {n}", "{a}['p'] += {n}", "{a}.update({b})"),
)  # fmt: skip
OBJECTS = Kind("o q", ("Box({n})",), "{a}.v", ("{a}.v = {n}", "{a}.v += {n}", "{a}.add({n})"))
NESTED = Kind(
    "z y", ("[{x}, {x}]", "list({a})", "{a}[::-1]"), "{a}[0][0]",
    ("{a}[0] = {x}", "{a}[1] = {x}", "{a}[0][0] += {n}", "{a}[1][0] = {n}"),
)  # fmt: skip


class Generator:
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.budget = self.random.randint(3, 9)
        self.loops = 0
        self.kinds = self.random.sample((LISTS, DICTS, OBJECTS), self.random.randint(1, 2))
        if LISTS in self.kinds and self.random.random() < 0.3:
            self.kinds.append(NESTED)

    def fill(self, text: str, kind: Kind) -> str:
        """Replace the placeholders of a text by names and numbers."""
        choose = self.random.choice
        return text.format(
            a=choose(kind.names), b=choose(kind.names), n=self.number(), x=choose(LISTS.names)
        )

    def number(self) -> str:
        """A small integer."""
        kind = self.random.choice(self.kinds)
        place = kind.place.format(a=self.random.choice(kind.names))
        return self.random.choice(["n", "m", "1", "2", "k", place, f"{place} % 3", "(n + k) % 3"])

    def test(self) -> str:
        """A condition."""
        sign = self.random.choice(["<", ">", "==", "!="])
        if self.random.random() < 0.06:
            kind = self.random.choice(self.kinds)
            return self.fill("{a} is {b}", kind)
        return f"{self.number()} {sign} {self.random.randint(0, 3)}"

    def value(self, kind: Kind, depth: int = 0) -> str:
        """An expression that is an old object or a new one."""
        pick = self.random.random()
        if depth > 1 or pick < 0.4:
            return self.random.choice(kind.names)
        if pick < 0.65:
            return self.fill(self.random.choice(kind.new), kind)
        one, other = self.value(kind, depth + 1), self.value(kind, depth + 1)
        if pick < 0.75:
            return f"({one} if {self.test()} else {other})"
        return f"{self.random.choice(CHOICES)}({one}, {other}, {self.random.choice('nmk')})"

    def block(self, indent: int, in_loop: bool) -> list[str]:
        """The lines of a block."""
        return [
            line for _ in range(self.random.randint(1, 3))
            for line in self.statement(indent, in_loop)
        ]  # fmt: skip

    def statement(self, indent: int, in_loop: bool) -> list[str]:
        """The lines of one statement."""
        pad, pick = "    " * indent, self.random.random()
        self.budget -= 1
        if self.budget <= 0 or indent > 4 or pick < 0.4:
            return [pad + self.simple()]
        if pick < 0.65:
            lines = [f"{pad}if {self.test()}:", *self.block(indent + 1, in_loop)]
            if self.random.random() < 0.6:
                lines += [f"{pad}else:", *self.block(indent + 1, in_loop)]
            return lines
        if pick < 0.83 and self.loops < 3:
            self.loops += 1
            name = f"i{self.loops}"
            count = self.random.choice(["n", "m", "2"])
            if self.random.random() < 0.5:
                head = [f"{pad}for {name} in range({count}):"]
            else:
                head = [
                    f"{pad}{name} = 0",
                    f"{pad}while {name} < {count}:",
                    f"{pad}    {name} += 1",
                ]
            return [*head, *self.block(indent + 1, True)]
        if pick < 0.87 and in_loop:
            return [
                f"{pad}if {self.test()}:",
                f"{pad}    {self.random.choice(['break', 'continue'])}",
            ]
        if pick < 0.9:
            return [f"{pad}if {self.test()}:", f"{pad}    return RESULT"]
        return [f"{pad}try:", *self.block(indent + 1, in_loop), f"{pad}finally:",
                f"{pad}    {self.simple()}"]  # fmt: skip

    def simple(self) -> str:
        """An assignment, or a change in place."""
        kind, pick = self.random.choice(self.kinds), self.random.random()
        name = self.random.choice(kind.names)
        if pick < 0.5:
            return f"{name} = {self.value(kind)}"
        if pick < 0.85:
            return self.fill(self.random.choice(kind.changes), kind)
        if pick < 0.93:
            one, other = self.random.sample(kind.names, 2)
            return f"{one}, {other} = {other}, {one}"
        return f"k = {self.number()}"

    def source(self) -> str:
        """The whole program."""
        lines = ["def f(n, m):", "    k = 1", "    x, u, w = [n, 1], [m, 2], [3, 4]",
                 "    d, e, o, q = {'p': n}, {'p': m}, Box(n), Box(2)",
                 "    z, y = [x, u], [w, [5, 6]]"]  # fmt: skip
        for kind in self.kinds:
            if self.random.random() < 0.5:
                one, other = self.random.sample(kind.names, 2)
                lines.append(f"    {one} = {other}")
        while self.budget > 0:
            lines += self.statement(1, False)
        places = [kind.place.format(a=name) for kind in self.kinds for name in kind.names]
        shown = self.random.sample(places, self.random.randint(2, len(places)))
        for number, place in enumerate(self.random.sample(places, 2)):
            lines.append(f"    {place} += {100 * 7**number}")
        lines.append("    return RESULT")
        return HEADER + "\n".join(lines).replace("RESULT", ", ".join((*shown, "k"))) + "\n"


def program(seed: int) -> str:
    """The source of the program number ``seed``."""
    return Generator(seed).source()
