"""Random programs over integers: nested control flow, early exits, exceptions, collections, calls.

Every program terminates: loops count.  ``program(seed)`` is the source of a function ``f(x, y)``.
"""

from __future__ import annotations

import random

HEADER = '''
class Box:
    def __init__(self):
        self.n = 0

    def add(self, value):
        if value > 2:
            self.n = self.n + value
        else:
            self.n = self.n - 1
        return self.n

    @property
    def size(self):
        if self.n < 0:
            return -self.n
        return self.n

    def __add__(self, value):
        if value > self.n:
            return self.n + value
        return self.n - value

    def __lt__(self, value):
        return self.n < value if value > 1 else False

    def __getitem__(self, key):
        if key > 1:
            return self.n * key
        return key

    def __repr__(self):
        return f"Box({self.n})"


class Quiet:
    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


def helper(a, b):
    if a > b:
        return a - b
    for i in range(3):
        if b + i > 4:
            return b * 2 + i
    return a + b

'''


class Generator:
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.loops = 0
        self.fresh = 0
        self.budget = self.random.randint(6, 28)

    def number(self, depth: int = 0) -> str:
        """An integer expression."""
        pick = self.random.random()
        if depth > 2 or pick < 0.45:
            return self.random.choice(["x", "y", "a", "b", "c", str(self.random.randint(-3, 7))])
        left, right = self.number(depth + 1), self.number(depth + 1)
        if pick < 0.75:
            return f"({left} {self.random.choice(['+', '-', '*'])} {right}) % 11"
        if pick < 0.82:
            return f"({left} if {self.test(depth + 1)} else {right})"
        if pick < 0.88:
            return f"helper({left}, {right})"
        if pick < 0.92:
            return f"box.add({left})"
        if pick < 0.94:
            return "box.n"
        if pick < 0.96:
            return f"({left} // {self.random.randint(2, 4)})"
        return self.of_collections(left, right)

    def of_collections(self, left: str, right: str) -> str:
        """An integer expression that looks into a collection, or something that may be None."""
        return self.random.choice((
            f"(o if o is not None else {left})",
            f"({left} if o is None else o + {right})",
            "len(s)",
            f"s[{self.random.randint(-1, 2)}]",
            f"s[{left} % 3]",
            f"max({left}, {right})",
            "sum(s) % 7",
            f"sum([v + {left} for v in s]) % 9",
            f"(lambda q: q + {left})({right})",
            f"(t[0] - t[1] + {left})",
            "d.get('k', 3)",
            "box.size % 13",
            f"(box + {left}) % 13",
            f"box[{left}] % 13",
            f"s.count({left})",
            f"(s.index({left}) if {left} in s else -1)",
            "sorted(s)[0]",
            f"len([{left}] * 2 + s)",
            f"[*s, {left}][-1]",
            "len(str(box))",
            f"(o + {left})",
            f"next((v for v in s if v > {left}), -2)",
            "sum(i * v for i, v in enumerate(s)) % 9",
            f"min(s[0], {left}, key=lambda q: -q)",
            "u['k'] % 7", "d['k'] % 7", "w[-1] % 7", "len(w)",
        ))

    def test(self, depth: int = 0) -> str:
        """A condition."""
        pick = self.random.random()
        left, right = self.number(depth + 1), self.number(depth + 1)
        sign = self.random.choice(["<", "<=", ">", ">=", "==", "!="])
        if depth > 2 or pick < 0.6:
            return f"{left} {sign} {right}"
        if pick < 0.75:
            joint = self.random.choice(["and", "or"])
            return f"({self.test(depth + 1)} {joint} {self.test(depth + 1)})"
        if pick < 0.82:
            return f"not ({self.test(depth + 1)})"
        if pick < 0.87:
            return self.random.choice((
                "o is None", "o is not None", f"o is not None and o > {left}",
                f"(o is None or o < {left})", f"{left} in s", f"{left} not in (1, {right})", "o",
                f"box < {left}", f"s == [3, {left}, 2]", "any(v > 2 for v in s)", "s", left,
            ))
        return f"{left} < {right} < {self.number(depth + 1)}"

    def block(self, indent: int, in_loop: bool) -> list[str]:
        """The lines of a block."""
        lines: list[str] = []
        for _ in range(self.random.randint(1, 3)):
            lines += self.statement(indent, in_loop)
        return lines

    def statement(self, indent: int, in_loop: bool) -> list[str]:
        """The lines of one statement."""
        pad = "    " * indent
        self.budget -= 1
        pick = self.random.random()
        if self.budget <= 0 or indent > 6 or pick < 0.3:
            return [f"{pad}{self.random.choice('abc')} = {self.number()}"]
        if pick < 0.36:
            return [f"{pad}{self.random.choice('abc')} += {self.number()}"]
        if pick < 0.55:
            lines = [f"{pad}if {self.test()}:", *self.block(indent + 1, in_loop)]
            if self.random.random() < 0.3:
                lines += [f"{pad}elif {self.test()}:", *self.block(indent + 1, in_loop)]
            if self.random.random() < 0.5:
                lines += [f"{pad}else:", *self.block(indent + 1, in_loop)]
            return lines
        if pick < 0.68 and self.loops < 4:
            return self.loop(indent)
        if pick < 0.74 and in_loop:
            return [f"{pad}{self.random.choice(['break', 'continue'])}"]
        if pick < 0.79:
            return [f"{pad}return {self.number()}"]
        if pick < 0.84:
            return [f"{pad}print({self.number()}, 'at', {self.number()})"]
        if pick < 0.87:
            return [f"{pad}with Quiet():", *self.block(indent + 1, in_loop)]
        if pick < 0.90:
            return [
                f"{pad}try:", *self.block(indent + 1, in_loop),
                f"{pad}finally:", *self.block(indent + 1, in_loop),
            ]
        if pick < 0.93:
            return [f"{pad}box.n = {self.number()}"]
        if pick < 0.94:
            return [f"{pad}d['k'] = {self.number()}", f"{pad}c = d['k']"]
        if pick < 0.975:
            return self.with_collections(indent, in_loop)
        if pick < 0.985:
            return [f"{pad}if {self.test()}:", f"{pad}    raise ValueError({self.number()})"]
        self.fresh += 1
        name = f"v{self.fresh}"
        use = self.random.choice((
            [f"{pad}a = {name}"], [f"{pad}a = (lambda: {name})()"], [f"{pad}{name} += 1"],
        ))
        return [f"{pad}if {self.test()}:", f"{pad}    {name} = {self.number()}", *use]

    def with_collections(self, indent: int, in_loop: bool) -> list[str]:
        """The lines of a statement about lists, tuples, None, functions or exceptions."""
        pad = "    " * indent
        self.fresh += 1
        function, number = f"g{self.fresh}", self.number()
        block = self.block(indent + 1, in_loop)
        return self.random.choice((
            [f"{pad}o = {number}"],
            [f"{pad}o = None"],
            [f"{pad}if {self.test()}:", f"{pad}    o = {number}"],
            [f"{pad}s[{self.random.randint(0, 2)}] = {number}"],
            [f"{pad}s.append({number})"],
            [f"{pad}a = s.pop() if len(s) > 2 else 0"],
            [f"{pad}t = ({number}, a)", f"{pad}b, c = t"],
            [f"{pad}for a in s[:]:", *block],
            [f'{pad}print(f"{{a}}:{{{number}}}", s, o)'],
            [f'{pad}print(box, [box], "%s" % box, f"{{box!r:>9}}")'],
            [f"{pad}s.sort(key=lambda q: (q - {self.random.randint(0, 4)}) % 5)"],
            [f"{pad}s.reverse()"],
            [f"{pad}s.extend([{number}, a])"],
            [f"{pad}s = [v for v in s if v != {number}]"],
            [f"{pad}s, t = s[::-1], (t[1], t[0])"],
            [f"{pad}a = s.pop()"],
            [f"{pad}box.n += s.pop(0) if s else 1"],
            [f"{pad}p = box", f"{pad}p.n = p.n + 1", f"{pad}c = p.size"],
            [f"{pad}if {self.test()}:", f"{pad}    box = Box()"],
            [f"{pad}u = d"],
            [f"{pad}{self.random.choice('ud')} = {{'k': {number}}}"],
            [f"{pad}{self.random.choice('ud')}['k'] += {number}"],
            [f"{pad}d, u = u, d"],
            [f"{pad}w = s"],
            [f"{pad}w = [*w, {number}][-2:]"],
            [f"{pad}w.append({number})"],
            [f"{pad}def {function}(q):", f"{pad}    nonlocal b", f"{pad}    if q > 1:",
             f"{pad}        b = b + q", f"{pad}    return b", f"{pad}a = {function}({number})"],
            [f"{pad}try:", *block, f"{pad}except ValueError as error:",
             f"{pad}    a = {number}"],
            [f"{pad}try:", f"{pad}    if {self.test()}:", f"{pad}        raise ValueError(a)",
             f"{pad}    b = {number}", f"{pad}except (ValueError, TypeError):",
             f"{pad}    a = {number}", f"{pad}else:", f"{pad}    c = b"],
            [f"{pad}match {number}:", f"{pad}    case 0 | 1:", f"{pad}        a = 2",
             f"{pad}    case v if v > 3:", f"{pad}        b = v", f"{pad}    case _:",
             *self.block(indent + 2, in_loop)],
        ))

    def loop(self, indent: int) -> list[str]:
        """The lines of a loop that ends."""
        pad = "    " * indent
        self.loops += 1
        k = self.loops
        body = self.block(indent + 1, True)
        if self.random.random() < 0.5:
            count = self.random.choice(["x % 4", "3", "y % 3 + 1"])
            lines = [f"{pad}for i{k} in range({count}):", f"{pad}    a = a + i{k}", *body]
        else:
            limit = self.random.choice(["True", f"n{k} < 4", f"{self.test(2)}"])
            lines = [
                f"{pad}n{k} = 0",
                f"{pad}while {limit}:",
                f"{pad}    n{k} = n{k} + 1",
                f"{pad}    if n{k} > {self.random.randint(2, 5)}:",
                f"{pad}        break",
                *body,
            ]
        if self.random.random() < 0.2:
            lines += [f"{pad}else:", f"{pad}    b = b + 1"]
        return lines

    def source(self) -> str:
        """The whole program."""
        lines = ["def f(x, y):", "    a = b = c = 1", "    box = Box()", "    d = {'k': 0}",
                 "    u, w = {'k': 1}, [4]", "    o, s, t = None, [3, 1, 2], (0, 1)"]
        while self.budget > 0:
            lines += self.statement(1, False)
        if self.random.random() < 0.8:
            lines.append("    return a + b * 100 + c * 10000 + box.n * 1000000, d['k'], u['k']")
        return HEADER + "\n".join(lines) + "\n"


def program(seed: int) -> str:
    """The source of the program number ``seed``."""
    return Generator(seed).source()
