"""Expressions of a gast tree as text: the lowest part of ``emit``.

astunparse's ``Unparser`` walks the tree.  Its last release is of 2019: the nodes Python has gained
since are added here, and operators are printed by precedence instead of all in parentheses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import gast
from astunparse import Unparser

from autograph.syntax.literals import spelled

# How tightly an expression binds, loosest first.
YIELD, NAMED, TEST, OR, AND, NOT, COMPARE, BIT_OR, BIT_XOR, BIT_AND = range(10)
SHIFT, SUM, TERM, FACTOR, POWER, AWAIT, ATOM = range(10, 17)

_BINARY = {
    gast.BitOr: BIT_OR,
    gast.BitXor: BIT_XOR,
    gast.BitAnd: BIT_AND,
    gast.LShift: SHIFT,
    gast.RShift: SHIFT,
    gast.Add: SUM,
    gast.Sub: SUM,
    gast.Mult: TERM,
    gast.MatMult: TERM,
    gast.Div: TERM,
    gast.Mod: TERM,
    gast.FloorDiv: TERM,
    gast.Pow: POWER,
}
_LEVELS = {
    gast.NamedExpr: NAMED,
    gast.Yield: YIELD,
    gast.YieldFrom: YIELD,
    gast.Lambda: TEST,
    gast.IfExp: TEST,
    gast.Compare: COMPARE,
    gast.Await: AWAIT,
}


def level_of(node: gast.AST) -> int:
    """Return how tightly the outermost operator of an expression binds."""
    kind = type(node)
    if kind is gast.BinOp:
        return _BINARY[type(node.op)]
    if kind is gast.BoolOp:
        return AND if type(node.op) is gast.And else OR
    if kind is gast.UnaryOp:
        return NOT if type(node.op) is gast.Not else FACTOR
    return _LEVELS.get(kind, ATOM)


class Expressions(Unparser):  # type: ignore[misc]
    """Writes expressions; strings, patterns and statements are added by its subclasses."""

    write: Callable[[str], None]

    def __init__(self, indent: int = 0) -> None:
        # The base class would write the tree to a file at once.
        self._parts: list[str] = []
        self.write = self._parts.append
        self._indent = indent

    def dispatch(self, tree: gast.AST) -> None:
        """Write a node, or each node of a list."""
        if isinstance(tree, list):
            for node in tree:
                self.dispatch(node)
        else:
            getattr(self, "_" + type(tree).__name__)(tree)

    def operand(self, node: gast.AST, level: int) -> None:
        """Write an expression, in parentheses when it binds less tightly than ``level``."""
        if level_of(node) < level:
            self.write("(")
            self.dispatch(node)
            self.write(")")
        else:
            self.dispatch(node)

    def sequence(self, nodes: Iterable[gast.AST], level: int = TEST) -> None:
        """Write expressions with commas in between."""
        separator = ""
        for node in nodes:
            self.write(separator)
            self.operand(node, level)
            separator = ", "

    def unbracketed(self, node: gast.AST, level: int = TEST) -> None:
        """Write an expression where a tuple of several items needs no parentheses."""
        if type(node) is gast.Tuple and len(node.elts) > 1:
            self.sequence(node.elts)
        else:
            self.operand(node, level)

    def text_of(self, node: gast.AST, level: int) -> str:
        """Return the text that ``operand`` would write."""
        mark = len(self._parts)
        self.operand(node, level)
        text = "".join(self._parts[mark:])
        del self._parts[mark:]
        return text

    # Operators

    def _BinOp(self, node: gast.BinOp) -> None:
        # A loop over left operands: sums of a thousand terms must not exhaust the stack.
        level = level_of(node)
        if level == POWER:
            self.operand(node.left, POWER + 1)
            self.write(" ** ")
            self.operand(node.right, FACTOR)
            return
        chain = [node]
        while type(chain[-1].left) is gast.BinOp and level_of(chain[-1].left) == level:
            chain.append(chain[-1].left)
        self.operand(chain[-1].left, level)
        for link in reversed(chain):
            self.write(f" {self.binop[type(link.op).__name__]} ")
            self.operand(link.right, level + 1)

    def _UnaryOp(self, node: gast.UnaryOp) -> None:
        symbol = self.unop[type(node.op).__name__]
        self.write("not " if symbol == "not" else symbol)
        self.operand(node.operand, level_of(node))

    def _BoolOp(self, node: gast.BoolOp) -> None:
        level = level_of(node)
        word = " and " if level == AND else " or "
        for index, value in enumerate(node.values):
            if index:
                self.write(word)
            self.operand(value, level + 1)

    def _Compare(self, node: gast.Compare) -> None:
        self.operand(node.left, COMPARE + 1)
        for op, right in zip(node.ops, node.comparators, strict=True):
            self.write(f" {self.cmpops[type(op).__name__]} ")
            self.operand(right, COMPARE + 1)

    def _IfExp(self, node: gast.IfExp) -> None:
        self.operand(node.body, OR)
        self.write(" if ")
        self.operand(node.test, OR)
        self.write(" else ")
        self.operand(node.orelse, TEST)

    def _NamedExpr(self, node: gast.NamedExpr) -> None:
        self.dispatch(node.target)
        self.write(" := ")
        self.operand(node.value, TEST)

    def _Await(self, node: gast.Await) -> None:
        self.write("await ")
        self.operand(node.value, ATOM)

    def _Yield(self, node: gast.Yield) -> None:
        self.write("yield")
        if node.value is not None:
            self.write(" ")
            self.unbracketed(node.value)

    def _YieldFrom(self, node: gast.YieldFrom) -> None:
        self.write("yield from ")
        self.operand(node.value, TEST)

    def _Lambda(self, node: gast.Lambda) -> None:
        arguments = self.text_of(node.args, TEST)
        self.write(f"lambda {arguments}: " if arguments else "lambda: ")
        self.operand(node.body, TEST)

    # Access and calls

    def _Attribute(self, node: gast.Attribute) -> None:
        value = node.value
        if type(value) is gast.Constant and type(value.value) is int:
            self.write(f"({spelled(value.value)})")  # 1.real would be a broken float
        else:
            self.operand(value, ATOM)
        self.write("." + node.attr)

    def _Subscript(self, node: gast.Subscript) -> None:
        self.operand(node.value, ATOM)
        self.write("[")
        index = node.slice
        if type(index) is gast.Tuple and index.elts:
            self.sequence(index.elts)
            if len(index.elts) == 1 and type(index.elts[0]) is not gast.Starred:
                self.write(",")
        else:
            self.operand(index, TEST)
        self.write("]")

    def _Slice(self, node: gast.Slice) -> None:
        if node.lower is not None:
            self.operand(node.lower, TEST)
        self.write(":")
        if node.upper is not None:
            self.operand(node.upper, TEST)
        if node.step is not None:
            self.write(":")
            self.operand(node.step, TEST)

    def _Call(self, node: gast.Call) -> None:
        self.operand(node.func, ATOM)
        if len(node.args) == 1 and not node.keywords and type(node.args[0]) is gast.GeneratorExp:
            self.dispatch(node.args[0])  # brings its own parentheses
            return
        self.write("(")
        self.sequence([*node.args, *node.keywords])
        self.write(")")

    def _keyword(self, node: gast.keyword) -> None:
        self.write("**" if node.arg is None else node.arg + "=")
        self.operand(node.value, TEST)

    def _Starred(self, node: gast.Starred) -> None:
        self.write("*")
        self.operand(node.value, BIT_OR)

    # Displays and comprehensions

    def _Tuple(self, node: gast.Tuple) -> None:
        self.write("(")
        self.sequence(node.elts)
        self.write(",)" if len(node.elts) == 1 else ")")

    def _List(self, node: gast.List) -> None:
        self.write("[")
        self.sequence(node.elts)
        self.write("]")

    def _Set(self, node: gast.Set) -> None:
        self.write("{")
        self.sequence(node.elts)
        self.write("}" if node.elts else "*()}")  # {} would be a dict

    def _Dict(self, node: gast.Dict) -> None:
        self.write("{")
        for index, (key, value) in enumerate(zip(node.keys, node.values, strict=True)):
            if index:
                self.write(", ")
            if key is None:
                self.write("**")
                self.operand(value, BIT_OR)
            else:
                self.operand(key, TEST)
                self.write(": ")
                self.operand(value, TEST)
        self.write("}")

    def _comprehend(self, brackets: str, elements: Sequence[gast.AST], node: Any) -> None:
        self.write(brackets[0])
        for index, element in enumerate(elements):
            if index:
                self.write(": ")
            self.operand(element, TEST)
        self.dispatch(node.generators)
        self.write(brackets[1])

    def _ListComp(self, node: gast.ListComp) -> None:
        self._comprehend("[]", [node.elt], node)

    def _SetComp(self, node: gast.SetComp) -> None:
        self._comprehend("{}", [node.elt], node)

    def _GeneratorExp(self, node: gast.GeneratorExp) -> None:
        self._comprehend("()", [node.elt], node)

    def _DictComp(self, node: gast.DictComp) -> None:
        self._comprehend("{}", [node.key, node.value], node)

    def _comprehension(self, node: gast.comprehension) -> None:
        self.write(" async for " if node.is_async else " for ")
        self.unbracketed(node.target)
        self.write(" in ")
        self.operand(node.iter, OR)
        for test in node.ifs:
            self.write(" if ")
            self.operand(test, OR)

    # Parameters

    def _parameter(self, node: gast.Name, default: gast.AST | None = None, stars: str = "") -> str:
        text = stars + node.id
        if node.annotation is not None:
            text += ": " + self.text_of(node.annotation, TEST)
        if default is None:
            return text
        return text + (" = " if node.annotation else "=") + self.text_of(default, TEST)

    def _arguments(self, node: gast.arguments) -> None:
        positional = [*node.posonlyargs, *node.args]
        defaults = [None] * (len(positional) - len(node.defaults)) + node.defaults
        texts = [self._parameter(*pair) for pair in zip(positional, defaults, strict=True)]
        if node.posonlyargs:
            texts.insert(len(node.posonlyargs), "/")
        if node.vararg is not None:
            texts.append(self._parameter(node.vararg, stars="*"))
        elif node.kwonlyargs:
            texts.append("*")
        texts += map(self._parameter, node.kwonlyargs, node.kw_defaults)
        if node.kwarg is not None:
            texts.append(self._parameter(node.kwarg, stars="**"))
        self.write(", ".join(texts))
