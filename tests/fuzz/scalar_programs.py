"""Random programs over Python's ints, floats, bools and lists, for engines that compile numbers.

Every program terminates: loops count, and recursion has a bounded depth.  ``program(seed)`` is the
source of a function ``f(x, y, z, s)`` of two ints, a float and a list of ints.
"""

from __future__ import annotations

import random
import re

HEADER = '''
import math


def down(n, a):
    if n <= 0:
        return a
    return down(n - 1, a + n) - 1


def helper(a, b):
    if a > b:
        return a - b
    for i in range(3):
        if b + i > 4:
            return b * 2 + i
    return a + b

'''
HUGE = ("9223372036854775807", "-9223372036854775808", "4611686018427387904", "1000000007")
FLOATS = ("0.0", "-0.0", "0.5", "1e308", "5e-324", "3.0", "-2.75", "float('inf')", "float('nan')")


ASSIGNMENTS = "a = I;b = I;c = R;a += I;b += I;c *= R;flag = T;a, b = b, I"
ON_LISTS = (
    "s.append(I);s.append(I);a = s.pop();s[I] = I;s[I % 3] += I;w.append([I, I]);w[I].append(I);"
    "w[I % 2][I] = I;b = w.pop()[I % 2];p.append((I, R));b, c = p.pop();p[I % 2] = (I, R);"
    "t = s and then t.append(I);s = [I, I, a];s = s + [a];s = s[:];del s[I];"
    "s.insert(I, a);a = s.pop(I);w = [[a, b], s];s = [0] * 4;s, t = w[0], s"
)
ARITHMETIC = "(I + I);(I - I);(I * I);(I // 3);(I % (I | 1));(I & I);(I | I);(I ^ I)"
INTS = (
    "(I if T else I);(-I);abs(I);(~I);max(I, I);min(I, I);int(R);helper(I, I);down(I % 9, I);"
    "len(s);len(w);s[I];s[I % 2];s[0];w[I % 2][I % 2];p[I % 2][0];(I << (I % 70));(I >> (I % 5));"
    "(I ** (I % 4));round(R);math.floor(R);int(T);sum(s);(-1 if I not in s else 1);bool(I);"
    "int(I / 2)"
)
REALS = (
    "(R + R);(R - I);(R * R);(R / R);(R // R);(R % I);(I / I);abs(R);(-R);float(I);max(R, R);"
    "min(R, R);p[I % 2][1];math.fmod(R, R);math.sqrt(R);(R if T else R);(R ** 2);(I * 1.0);(I - R)"
)
TESTS = (
    "(R ? R);(R ? I);(T and T);(T or T);(not T);flag;(I in s);(I < I < I);math.isnan(R);s;"
    "(I ? R);(T ? T)"
)


class Writer:
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.loops = 0
        self.fresh = 0
        self.counters: list[str] = []
        self.result = self.pick(
            "a, b, c", "a, c, s", "w, p, a", "s", "a", "c", "flag, b", "[a, b], (c, flag)",
        )  # fmt: skip
        self.budget = self.random.randint(5, 22)

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def fill(self, templates: str, depth: int) -> str:
        """One of the templates, ``I``, ``R`` and ``T`` replaced by ints, floats and conditions."""
        template = self.random.choice(templates.split(";")).strip()
        make = {"I": self.whole, "R": self.real, "T": self.test}
        return re.sub(r"\b[IRT]\b", lambda found: make[found.group()](depth + 1), template)

    def whole(self, depth: int = 0) -> str:
        """An expression of an int."""
        chance = self.random.random()
        if depth > 2 or chance < 0.4:
            if self.random.random() < 0.04:
                return self.random.choice(HUGE)
            return self.pick("x", "y", "a", "b", *self.counters, str(self.random.randint(-3, 9)))
        return self.fill(ARITHMETIC if chance < 0.7 else INTS, depth)

    def real(self, depth: int = 0) -> str:
        """An expression of a float."""
        chance = self.random.random()
        if depth > 2 or chance < 0.4:
            return self.pick("z", "c", "z", "c", self.random.choice(FLOATS))
        return self.fill(REALS, depth)

    def test(self, depth: int = 0) -> str:
        """A condition."""
        sign = self.pick("<", "<=", ">", ">=", "==", "!=")
        if depth > 2 or self.random.random() < 0.5:
            return f"({self.whole(depth + 1)} {sign} {self.whole(depth + 1)})"
        return self.fill(TESTS.replace("?", sign), depth)

    def block(self, indent: int, in_loop: bool) -> list[str]:
        lines: list[str] = []
        for _ in range(self.random.randint(1, 3)):
            lines += self.statement(indent, in_loop)
        return lines

    def statement(self, indent: int, in_loop: bool) -> list[str]:
        """The lines of one statement."""
        pad = "    " * indent
        self.budget -= 1
        chance = self.random.random()
        if self.budget <= 0 or indent > 5 or chance < 0.3:
            return [pad + self.fill(ASSIGNMENTS, 0)]
        if chance < 0.48:
            lines = [f"{pad}if {self.test()}:", *self.block(indent + 1, in_loop)]
            if self.random.random() < 0.25:
                lines += [f"{pad}elif {self.test()}:", *self.block(indent + 1, in_loop)]
            if self.random.random() < 0.5:
                lines += [f"{pad}else:", *self.block(indent + 1, in_loop)]
            return lines
        if chance < 0.62 and self.loops < 4:
            return self.loop(indent)
        if chance < 0.68 and in_loop:
            return [f"{pad}if {self.test()}:", f"{pad}    {self.pick('break', 'continue')}"]
        if chance < 0.72:
            return [f"{pad}if {self.test()}:", f"{pad}    return {self.result}"]
        if chance < 0.76:
            return [pad + self.fill("print(I, 'at', R);print(I, flag, s)", 0)]
        if chance < 0.78:
            return [f"{pad}assert {self.test()}, 'claim'"]
        if chance < 0.80:
            return [f"{pad}if {self.test()}:", f"{pad}    raise ValueError('stop')"]
        if chance < 0.83:
            return [
                f"{pad}try:", *self.block(indent + 1, in_loop),
                f"{pad}except {self.pick('IndexError', 'ZeroDivisionError', 'ArithmeticError')}:",
                f"{pad}    a = {self.whole()}",
            ]  # fmt: skip
        return [pad + line for line in self.on_lists()]

    def on_lists(self) -> list[str]:
        """The lines of a statement that changes lists."""
        return self.fill(ON_LISTS, 1).split(" and then ")

    def loop(self, indent: int) -> list[str]:
        """The lines of a loop that ends."""
        pad = "    " * indent
        self.loops += 1
        k = self.loops
        head = self.random.random()
        counter = f"i{k}" if head < 0.6 else f"n{k}"
        if head >= 0.6:
            limit = self.fill(f"n{k} < x % 6;n{k} < 4;T;True", 1)
        elif head < 0.45:
            count = self.pick(
                "x % 5", "3", "len(s) % 5", "y % 3 + 1", "1, y % 7, 2", "y % 6, -1, -1",
            )  # fmt: skip
        self.counters.append(counter)
        body = self.block(indent + 1, True)
        self.counters.remove(counter)
        if head < 0.45:
            lines = [f"{pad}for i{k} in range({count}):", *body]
        elif head < 0.6:
            lines = [f"{pad}for i{k} in {self.pick('s[:4]', '[x, y, 3]', '(a, b)')}:", *body]
        else:
            lines = [
                f"{pad}n{k} = 0", f"{pad}while {limit}:", f"{pad}    n{k} += 1",
                f"{pad}    if n{k} > {self.random.randint(2, 6)}:", f"{pad}        break", *body,
            ]  # fmt: skip
        if self.random.random() < 0.15:
            lines += [f"{pad}else:", f"{pad}    b = b + 1"]
        return lines

    def source(self) -> str:
        """The whole program."""
        lines = [
            "def f(x, y, z, s):", "    a, b, c, flag = 1, x, z, y > 0", "    t = s",
            "    w, p = [[1, y], [x, 4]], [(1, 0.5), (y, z)]",
        ]  # fmt: skip
        while self.budget > 0:
            lines += self.statement(1, False)
        lines.append(f"    return {self.result}")
        return HEADER + "\n".join(lines) + "\n"


def program(seed: int) -> str:
    """The source of the program number ``seed``."""
    return Writer(seed).source()
