"""Turns of its loops that a call is expected to make, read from the source before the first call.

A call that is long for plain Python is staged at once; it could not be stopped once it runs.  Where
the source does not say how often a loop turns, it is expected to turn a few times.
"""

from __future__ import annotations

import ast
import dis
import inspect
import operator
import textwrap
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np

LARGE = 10_000
"""Number, or size of a container, from which it pays to read the source."""

UNKNOWN = 10
"""Turns of a loop of which nothing is known."""

MOST = 10**12

_OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv, ast.Div: operator.truediv, ast.Mod: operator.mod,
}  # fmt: skip
_ORDER = ast.Lt, ast.LtE, ast.Gt, ast.GtE
_SAME_LENGTH = {"enumerate", "reversed", "sorted", "list", "tuple", "set", "zip", "map", "filter"}


def expected_turns(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> float:
    """Return how many turns all loops of a call are expected to make; 0 where nothing is large."""
    if not isinstance(function, types.FunctionType):
        return 0.0
    sizes = [*map(_size, args), *map(_size, kwargs.values())]
    if prod(sizes) < LARGE and max(sizes, default=0) < LARGE or not _has_loops(function.__code__):
        return 0.0
    try:
        bound = inspect.signature(function).bind(*args, **kwargs)
        bound.apply_defaults()
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError, ValueError):  # no source, or a lambda's piece of one
        return 0.0
    values = {
        name: function.__globals__.get(name) for name in function.__code__.co_names
    } | bound.arguments
    return min(_Turns(values).of(tree.body), MOST)


def _has_loops(code: types.CodeType) -> bool:
    """Return whether a function, or one inside of it, has a loop whose turns could be counted: a
    ``for``, or a ``while`` with a comparison by order.
    """
    instructions = [*dis.get_instructions(code)]
    names = {step.opname for step in instructions}
    if "FOR_ITER" in names:
        return True
    if any("JUMP_BACKWARD" in name for name in names):
        return any(
            step.opname == "COMPARE_OP" and ("<" in step.argrepr or ">" in step.argrepr)
            for step in instructions
        )
    return any(_has_loops(const) for const in code.co_consts if isinstance(const, types.CodeType))


def _size(value: Any) -> float:
    """Return the size of a container, or a number itself; 1 for other values, which have none."""
    if isinstance(value, int):
        return max(abs(value), 1)
    size = getattr(value, "size", None)
    if isinstance(size, int):
        return size
    return len(value) if isinstance(value, list | tuple | dict | set | str | bytes) else 1


class _Turns:
    """Turns of the loops in statements, given the values of some variables."""

    def __init__(self, values: dict[str, Any]) -> None:
        self._known = values

    def of(self, nodes: Iterable[ast.AST]) -> float:
        """Return the turns of all loops in some nodes."""
        return sum(map(self._of_node, nodes))

    def _of_node(self, node: ast.AST) -> float:
        if isinstance(node, ast.Assign):
            self._assign(node)
        if isinstance(node, ast.For):
            return self._length(node.iter) * (1 + self.of(node.body)) + self.of(node.orelse)
        if isinstance(node, ast.While):
            return self._turns_while(node.test) * (1 + self.of(node.body)) + self.of(node.orelse)
        if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp):
            return self._of_comprehension(node.generators, [node.elt])
        if isinstance(node, ast.DictComp):
            return self._of_comprehension(node.generators, [node.key, node.value])
        return self.of(ast.iter_child_nodes(node))

    def _of_comprehension(
        self, generators: list[ast.comprehension], results: list[ast.expr]
    ) -> float:
        turns = 1 + self.of(results)
        for generator in reversed(generators):
            turns *= self._length(generator.iter)
        return turns

    def _assign(self, node: ast.Assign) -> None:
        """Note the value of ``n = len(x)`` or ``n, m = x.shape``."""
        value = self._value(node.value)
        for target in node.targets:
            if isinstance(target, ast.Name):
                self._known[target.id] = value
            elif isinstance(target, ast.Tuple) and isinstance(value, tuple):
                for name, item in zip(target.elts, value):
                    if isinstance(name, ast.Name):
                        self._known[name.id] = item

    def _length(self, node: ast.expr) -> float:
        """Return how many items a ``for`` is expected to take from an iterable."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
            if node.func.id in ("range", "prange"):
                return self._range_length([self._value(arg) for arg in node.args])
            if node.func.id in _SAME_LENGTH:
                return min(self._length(arg) for arg in node.args[-1:])
        value = self._value(node)
        shape = getattr(value, "shape", None)
        if shape:
            return float(shape[0])
        return UNKNOWN if value is None or isinstance(value, int) else _size(value)

    def _range_length(self, ends: list[Any]) -> float:
        first, stop, step = [0, *ends, 1] if len(ends) == 1 else [*ends, 1][:3]
        if not isinstance(stop, int | float):
            return UNKNOWN
        first = first if isinstance(first, int | float) else stop / 2  # as of a triangle
        step = step if isinstance(step, int | float) and step else 10 * UNKNOWN
        return max(0.0, (stop - first) / step)

    def _turns_while(self, test: ast.expr) -> float:
        """Return the turns of a ``while``: as many as the largest number that its test compares by
        order.  Where it compares otherwise, as of Euclid's algorithm, the number says nothing.
        """
        compared = [node for node in ast.walk(test) if isinstance(node, ast.Compare)]
        ordered = [node for node in compared if any(isinstance(op, _ORDER) for op in node.ops)]
        inner = [self._value(side) for node in ordered for side in (node.left, *node.comparators)]
        return max([UNKNOWN, *[abs(v) for v in inner if type(v) in (int, float)]])

    def _value(self, node: ast.expr) -> Any:
        """Return what an expression gives, or None where the source alone does not say it."""
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return self._known.get(node.id)
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            operands = [self._value(node.left), self._value(node.right)]
            if all(type(value) in (int, float) for value in operands):
                try:
                    return _OPERATORS[type(node.op)](*operands)
                except (ZeroDivisionError, OverflowError):
                    return None
        if isinstance(node, ast.Attribute):  # of an array: its shape, its size
            value = self._value(node.value)
            return getattr(value, node.attr, None) if type(value) is np.ndarray else None
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            value, index = self._value(node.value), node.slice.value
            if isinstance(value, tuple) and isinstance(index, int) and index < len(value):
                return value[index]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len":
            value = self._value(node.args[0]) if node.args else None
            return None if value is None else _size(value)
        return None
