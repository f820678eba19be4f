"""Random small functions, and an interpreter that follows every path through them.

It obeys Python's rules by using Python's own ``try``, ``with`` ... for those of the function it
runs; what Python would compute, it leaves to chance: tests, numbers of turns, exceptions.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import gast

NAMES = ("a", "b", "c")


def program(rng: random.Random, careful: bool) -> str:
    """Source of a function of parameter ``a``; without ``try`` and ``with`` if ``careful``."""
    lines = [*_block(rng, 3, False, careful), f"return {rng.choice(NAMES)}"]
    return "def f(a):\n" + "\n".join("    " + line for line in lines)


def _block(rng: random.Random, depth: int, in_loop: bool, careful: bool) -> list[str]:
    lines: list[str] = []
    for _ in range(rng.choice((1, 1, 2, 3))):
        lines += _statement(rng, depth, in_loop, careful)
    return lines


def _statement(rng: random.Random, depth: int, in_loop: bool, careful: bool) -> list[str]:
    x, y = rng.choice(NAMES), rng.choice(NAMES)

    def block(loop: bool = in_loop) -> list[str]:
        return ["    " + line for line in _block(rng, depth - 1, loop, careful)]

    def maybe(head: str, loop: bool = in_loop) -> list[str]:
        return [head, *block(loop)] if rng.random() < 0.4 else []

    simple = [f"{x} = g({y})", f"{x} = 1", f"use({x})", f"{x} += {y}", f"{x} = {y} = g({x})"]
    simple += [f"del {x}", f"h = lambda: {x}", "h()", f"use([{x} for _ in {y}])"]
    simple += [f"return {x}", "raise E"] + ["break", "continue"] * 2 * in_loop
    if depth == 0 or rng.random() < 0.4:
        return [rng.choice(simple)]
    test = rng.choice((
        x, f"not {x}", f"{x} and {y}", f"({x} := g({y}))", f"{x} and ({y} := 1)",
        f"not ({x} or ({y} := {x}))", "1", "0",
    ))  # fmt: skip
    exceptional = () if careful else ("try", "try", "with")
    kind = rng.choice(("if", "if", "while", "for", "match", *exceptional))
    if kind == "if":
        return [f"if {test}:", *block(), *maybe("else:")]
    if kind == "while":
        return [f"while {test}:", *block(True), *maybe("else:")]
    if kind == "for":
        return [f"for {x} in {y}:", *block(True), *maybe("else:")]
    if kind == "with":
        return [f"with g({x}) as {y}:", *block()]
    if kind == "match":
        lines = [f"match {x}:", *_indented([f"case [{y}]:", *block()])]
        last = rng.choice((f"case {x} if {y}:", "case _:", f"case {y}:"))
        return lines + _indented([last, *block()])
    lines = ["try:", *block()]
    handler = rng.choice((f"except E as {x}:", "except E:", "except:", ""))
    if handler:
        return lines + [handler, *block()] + maybe("else:") + maybe("finally:")
    return [*lines, "finally:", *block()]


def _indented(lines: list[str]) -> list[str]:
    return ["    " + line for line in lines]


class Boom(Exception):
    """An exception of the function that is being followed."""


class Break(Exception):
    """A ``break``."""


class Continue(Exception):
    """A ``continue``."""


class Return(Exception):
    """A ``return``."""


class Cut(BaseException):
    """The path became too long to be followed."""


JUMPS = {gast.Break: Break, gast.Continue: Continue}
Event = tuple[str, object, object]


class Path:
    """One run of a function, led by a list of choices; it writes down what happens."""

    def __init__(self, choices: list[int], may_raise: bool) -> None:
        self.choices, self.taken = choices, 0
        self.options: list[int] = []
        self.defined = {"a"}
        self.events: list[Event] = []
        self.held: set[str] = set()
        self.raises_left = 2 if may_raise else 0
        self.turns_left = 4

    def choose(self, options: int) -> int:
        if self.taken == len(self.choices):
            if self.taken > 24:
                raise Cut
            self.choices.append(0)
        self.options.append(options)
        self.taken += 1
        return self.choices[self.taken - 1]

    def risk(self) -> None:
        """Perhaps an exception comes, now."""
        if self.raises_left and self.choose(2):
            self.raises_left -= 1
            raise Boom

    def read(self, node: gast.Name) -> None:
        self.events.append(("read", node.id, node if node.id not in self.defined else None))

    def write(self, name: str, owner: object) -> None:
        self.defined.add(name)
        self.events.append(("write", name, owner))

    def drop(self, name: str) -> None:
        self.defined.discard(name)
        self.events.append(("write", name, None))

    def block(self, statements: list[gast.stmt]) -> None:
        for statement in statements:
            self.events.append(("enter", statement, None))
            try:
                RUN.get(type(statement), Path.simple)(self, statement)
            finally:
                self.events.append(("leave", statement, None))

    def evaluate(self, node: gast.AST | None, owner: object) -> None:
        """Reads and writes of an expression, in order; nothing in it is skipped."""
        if isinstance(node, gast.Name):
            self.read(node)
        elif isinstance(node, gast.NamedExpr):
            self.evaluate(node.value, owner)
            self.write(node.target.id, owner)
        elif isinstance(node, gast.ListComp):
            self.evaluate(node.generators[0].iter, owner)
            if self.choose(2):
                self.evaluate(node.elt, owner)
        elif isinstance(node, gast.Lambda):
            self.held.add(node.body.id)
        elif isinstance(node, gast.Call):
            for argument in node.args:
                self.evaluate(argument, owner)
            if node.func.id == "h":
                for name in sorted(self.held):
                    self.events.append(("read", name, None))

    def test(self, node: gast.AST, owner: object) -> bool:
        if isinstance(node, gast.Constant):
            return bool(node.value)
        if isinstance(node, gast.UnaryOp):
            return not self.test(node.operand, owner)
        if isinstance(node, gast.BoolOp):
            decide = any if isinstance(node.op, gast.Or) else all
            return decide(self.test(value, owner) for value in node.values)
        self.risk()
        self.evaluate(node, owner)
        self.risk()
        return bool(self.choose(2))

    def simple(self, node: gast.stmt) -> None:
        if type(node) in JUMPS:
            raise JUMPS[type(node)]
        self.risk()
        if isinstance(node, gast.AugAssign):
            self.events.append(("read", node.target.id, None))
        self.evaluate(getattr(node, "value", None), node)
        self.risk()
        if isinstance(node, gast.Return):
            raise Return
        if isinstance(node, gast.Raise):
            raise Boom
        for target in getattr(node, "targets", None) or [getattr(node, "target", None)]:
            if isinstance(node, gast.Delete):
                self.events.append(("read", target.id, None))
                self.drop(target.id)
            elif target is not None:
                self.write(target.id, node)
        self.risk()

    def conditional(self, node: gast.If) -> None:
        self.block(node.body if self.test(node.test, node) else node.orelse)

    def loop(self, node: gast.AST) -> None:
        if isinstance(node, gast.For):
            self.risk()
            self.evaluate(node.iter, node)
        while True:
            self.events.append(("turn", node, None))
            if not self.turns_left:
                raise Cut
            self.turns_left -= 1
            if isinstance(node, gast.While):
                going_on = self.test(node.test, node)
            else:
                self.risk()
                going_on = bool(self.choose(2))
                if going_on:
                    self.write(node.target.id, node)
            if not going_on:
                break
            try:
                self.block(node.body)
            except Continue:
                pass
            except Break:
                return
        self.block(node.orelse)

    def with_(self, node: gast.With) -> None:
        self.risk()
        self.evaluate(node.items[0].context_expr, node)
        self.risk()
        self.write(node.items[0].optional_vars.id, node)
        try:
            self.block(node.body)
        except Boom:
            if self.choose(2):
                raise

    def try_(self, node: gast.Try) -> None:
        try:
            try:
                self.block(node.body)
            except Boom:
                handler = node.handlers[0] if node.handlers else None
                if handler is None or (handler.type is not None and self.choose(2)):
                    raise
                self.handle(handler)
            else:
                self.block(node.orelse)
        finally:
            self.block(node.finalbody)

    def handle(self, handler: gast.ExceptHandler) -> None:
        if handler.name is None:
            return self.block(handler.body)
        self.write(handler.name.id, handler)
        try:
            self.block(handler.body)
        finally:
            self.drop(handler.name.id)

    def match(self, node: gast.Match) -> None:
        self.risk()
        self.evaluate(node.subject, node)
        for case in node.cases:
            pattern = case.pattern
            captures = [p.name for p in gast.walk(pattern) if getattr(p, "name", None)]
            if not isinstance(pattern, gast.MatchAs) and self.choose(2):
                continue
            for name in captures:
                self.write(name, node)
            if case.guard is None or self.test(case.guard, node):
                return self.block(case.body)


RUN: dict[type, Callable[[Path, gast.AST], None]] = {
    gast.If: Path.conditional,
    gast.While: Path.loop,
    gast.For: Path.loop,
    gast.With: Path.with_,
    gast.Try: Path.try_,
    gast.Match: Path.match,
}


def all_paths(function: gast.FunctionDef, may_raise: bool, limit: int) -> Iterator[Path]:
    """The paths through a function, at most ``limit``, each with a few turns of loops."""
    choices: list[int] = []
    for _ in range(limit):
        path = Path(choices, may_raise)
        try:
            path.block(function.body)
        except (Boom, Return, Cut):
            pass
        yield path
        choices = choices[: path.taken]
        while choices and choices[-1] + 1 == path.options[len(choices) - 1]:
            choices.pop()
        if not choices:
            return
        choices[-1] += 1
