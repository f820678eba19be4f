"""Random programs over floats that have derivatives: branches, loops, lists, early exits, calls.

Every program terminates, and stays within a few units, so differences tell its derivatives.
``program(seed)`` is the source of a function ``f(x, y)``.
"""

from __future__ import annotations

import random

HEADER = '''
import runtime as tf


def helper(a, b):
    if a > b:
        return tf.sin(a) * b
    for _ in tf.range(2):
        a = tf.tanh(a + b)
        if a > 0.6:
            return a * a
    return a - b


def again(a, n):
    if n < 0.5:
        return a
    return tf.sin(again(a * 1.3, n - 1.0) + a)

'''


class Generator:
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.fresh = 0
        self.budget = self.random.randint(5, 14)

    def value(self, depth: int = 0) -> str:
        """An expression of a float, bounded."""
        pick = self.random.random()
        if depth > 2 or pick < 0.4:
            number = f"{self.random.uniform(-2, 2):.2f}"
            return self.random.choice(["x", "y", "a", "b", "c", number])
        left, right = self.value(depth + 1), self.value(depth + 1)
        if pick < 0.7:
            return f"({left} {self.random.choice('+-*')} {right})"
        if pick < 0.9:
            return f"tf.{self.random.choice(['sin', 'tanh', 'cos', 'sigmoid'])}(x * 0.1 + {left})"
        if pick < 0.96:
            return f"helper(x * 0.2 + {left}, y + {right})"
        return f"again(y * 0.3 + {left}, {self.random.randint(0, 2)}.0)"

    def test(self) -> str:
        """A condition, at no point of which anything jumps but by chance."""
        sign = self.random.choice("<>")
        return f"tf.sin({self.value(1)} + x * 0.37) {sign} {self.random.uniform(-0.9, 0.9):.3f}"

    def block(self, depth: int, loops: int) -> list[str]:
        """Some statements."""
        lines: list[str] = []
        for _ in range(self.random.randint(1, 3)):
            lines += self.statement(depth, loops)
        return lines

    def statement(self, depth: int, loops: int) -> list[str]:
        """One statement, of several lines perhaps."""
        self.budget -= 1
        pick = self.random.random()
        if depth > 2 or self.budget < 0 or pick < 0.45:
            name = self.random.choice("abc")
            return [f"{name} = tf.tanh({self.value()} + {name} * 0.5) * 1.5"]
        inner = [f"    {line}" for line in self.block(depth + 1, loops)]
        if pick < 0.62:
            other = [f"    {line}" for line in self.block(depth + 1, loops)]
            return [f"if {self.test()}:", *inner, "else:", *other]
        if pick < 0.66 and loops:
            return [f"if {self.test()}:", f"    {self.random.choice(['break', 'continue'])}"]
        if pick < 0.7:
            return [f"if {self.test()}:", f"    return {self.value()} + a"]
        if pick < 0.8 or loops > 1:
            return ["r.append(x * 0.0 + a)", "a = a + r[0] * 0.3"]
        self.fresh += 1
        count = self.random.randint(1, 3)
        inner = [f"    {line}" for line in self.block(depth + 1, loops + 1)]
        if pick < 0.9:
            return [f"for k{self.fresh} in tf.range({count}):", *inner]
        name = f"n{self.fresh}"
        return [f"{name} = tf.constant(0)", f"while {name} < {count}:", f"    {name} += 1", *inner]


def program(seed: int) -> str:
    """The source of a program."""
    generator = Generator(seed)
    body = ["a = x * y", "b = x + 0.3", "c = y - 0.2", "r = [b]", *generator.block(0, 0)]
    lines = [f"    {line}" for line in [*body, "return a + b * c + r[-1] * r[0]"]]
    return "\n".join([HEADER, "def f(x, y):", *lines, ""])
