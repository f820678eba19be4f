"""Infers which values of a function may be staged, from its text.

No annotation says that a value is staged, and few conditions are, so the linter has to guess: a
value that depends on a parameter and is used like a number may be staged.  A value that is used
like a string, a collection of objects or a switch is Python's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import IntEnum

import gast

from autograph.lint.usage_heuristics import (
    annotated_as_python,
    default_is_python,
    is_text,
    number_uses,
    python_uses,
)


class Kind(IntEnum):
    """Kind of a value, as far as it is known."""

    PYTHON = 0
    """It does not depend on a parameter, or cannot be a staged one."""
    UNKNOWN = 1
    """It depends on a parameter, and nothing says that it is a number."""
    NUMBER = 2
    """It depends on a parameter, and is treated like a number or tensor."""


TENSOR_MODULES = frozenset(("runtime", "tensorflow", "jax", "torch", "numpy"))
"""Packages whose functions make numbers of numbers."""

_NUMERIC = frozenset(("abs", "min", "max", "sum", "round", "int", "float", "pow", "divmod"))
_PASSING = frozenset(("enumerate", "zip", "reversed", "range", "iter", "next"))
_ARITHMETIC = (
    gast.Sub, gast.Mult, gast.Div, gast.FloorDiv, gast.Pow, gast.MatMult, gast.Mod, gast.LShift,
    gast.RShift,
)
_ORDER = (gast.Lt, gast.LtE, gast.Gt, gast.GtE)


class Values:
    """Kinds of the variables and expressions of one function.

    ``imports`` gives the dotted name that a name stands for; ``outer`` the function around.
    With ``strict`` everything that depends on a parameter counts as a number.
    """

    def __init__(
        self, function: gast.AST, imports: dict[str, str], outer: Values | None,
        is_builtin: Callable[[str], bool], strict: bool, is_method: bool,
    ) -> None:
        self.imports, self.outer, self.strict = imports, outer, strict
        self.is_builtin = is_builtin
        self.kinds: dict[str, Kind] = {}
        self._python = python_uses(function)
        self._parameters(function.args, is_method)
        numbers = number_uses(function, self.kinds)
        for name in numbers:
            if self.kinds.get(name) == Kind.UNKNOWN and name not in self._python:
                self.kinds[name] = Kind.NUMBER
        self._assignments(function)

    def _parameters(self, arguments: gast.arguments, is_method: bool) -> None:
        positional = [*arguments.posonlyargs, *arguments.args]
        defaults = dict(zip(reversed(positional), reversed(arguments.defaults), strict=False))
        defaults |= {
            p: d for p, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if d
        }
        for parameter in (*positional, *arguments.kwonlyargs):
            python = (
                annotated_as_python(parameter.annotation)
                or default_is_python(defaults.get(parameter))
                or parameter.id in self._python
                or is_method and parameter is positional[0]
            )
            self.kinds[parameter.id] = Kind.PYTHON if python else self._least()
        for parameter in (arguments.vararg, arguments.kwarg):
            if parameter is not None:
                self.kinds[parameter.id] = Kind.PYTHON

    def _least(self) -> Kind:
        return Kind.NUMBER if self.strict else Kind.UNKNOWN

    def _assignments(self, function: gast.AST) -> None:
        """Give each variable the highest kind of all values that are assigned to it."""
        pairs = list(_assigned(function))
        changed = True
        while changed:
            changed = False
            for target, value, unpacked in pairs:
                kind = self.kind(value)
                for name in _names(target):
                    if unpacked and name in self._python:
                        continue
                    if name not in self._python and kind > self.kinds.get(name, Kind.PYTHON):
                        self.kinds[name] = kind
                        changed = True
                    self.kinds.setdefault(name, Kind.PYTHON)

    def of_name(self, name: str) -> Kind:
        """Return the kind of a variable, also of the enclosing functions."""
        kind = self.kinds.get(name)
        if kind is not None:
            return kind
        return Kind.PYTHON if self.outer is None else self.outer.of_name(name)

    def kind(self, node: gast.AST | None) -> Kind:
        """Return the kind of an expression's value."""
        rule = _RULES.get(type(node))
        return Kind.PYTHON if rule is None else rule(self, node)

    def highest(self, nodes: Iterable[gast.AST | None]) -> Kind:
        """Return the highest kind among expressions."""
        return max(map(self.kind, nodes), default=Kind.PYTHON)

    def may_stage(self, test: gast.expr) -> bool:
        """Return whether a condition, or the iterable of a loop, may be staged."""
        return self.kind(test) is Kind.NUMBER

    # The kinds of expression

    def _name(self, node: gast.Name) -> Kind:
        return self.of_name(node.id)

    def _attribute(self, node: gast.Attribute) -> Kind:
        if isinstance(node.value, gast.Name) and node.value.id in self.imports:
            return Kind.PYTHON
        kind = self.kind(node.value)
        return Kind.PYTHON if node.attr in ("shape", "dtype", "ndim") else kind

    def _subscript(self, node: gast.Subscript) -> Kind:
        if is_text(node.slice):
            return Kind.PYTHON
        return self.kind(node.value)

    def _binary(self, node: gast.BinOp) -> Kind:
        if is_text(node.left) or is_text(node.right):
            return Kind.PYTHON
        kind = self.highest((node.left, node.right))
        if kind is Kind.UNKNOWN and isinstance(node.op, _ARITHMETIC):
            return Kind.NUMBER
        return kind

    def _unary(self, node: gast.UnaryOp) -> Kind:
        kind = self.kind(node.operand)
        if kind is Kind.UNKNOWN and isinstance(node.op, gast.USub):
            return Kind.NUMBER
        return kind

    def _boolean(self, node: gast.BoolOp) -> Kind:
        return self.highest(node.values)

    def _compare(self, node: gast.Compare) -> Kind:
        sides = [node.left, *node.comparators]
        if any(isinstance(op, (gast.Is, gast.IsNot, gast.In, gast.NotIn)) for op in node.ops):
            return Kind.PYTHON
        if any(map(_is_python, sides)):
            return Kind.PYTHON
        kind = self.highest(sides)
        ordered = any(isinstance(op, _ORDER) for op in node.ops)
        if kind is Kind.UNKNOWN and ordered and any(map(_is_number, sides)):
            return Kind.NUMBER
        return kind

    def _choice(self, node: gast.IfExp) -> Kind:
        return self.highest((node.body, node.orelse))

    def _walrus(self, node: gast.NamedExpr) -> Kind:
        return self.kind(node.value)

    def _call(self, node: gast.Call) -> Kind:
        arguments = [a.value if isinstance(a, gast.Starred) else a for a in node.args]
        kind = self.highest(arguments)
        function = node.func
        if isinstance(function, gast.Name):
            if function.id in _NUMERIC | _PASSING and self.is_builtin(function.id):
                return kind
            return min(kind, self._unsure())
        if isinstance(function, gast.Attribute):
            module = module_of(function.value, self.imports) or ""
            if module.partition(".")[0] in TENSOR_MODULES:
                return Kind.NUMBER if kind else kind
            owner = self.kind(function.value)
            if owner is Kind.NUMBER:
                return owner  # x.sum(), x.any()
        return min(kind, self._unsure())

    def _unsure(self) -> Kind:
        return self._least()

    def _sequence(self, node: gast.Tuple) -> Kind:
        return min(self.highest(node.elts), self._least())

    def _starred(self, node: gast.Starred) -> Kind:
        return self.kind(node.value)


_RULES: dict[type, Callable[[Values, gast.AST], Kind]] = {
    gast.Name: Values._name,
    gast.Attribute: Values._attribute,
    gast.Subscript: Values._subscript,
    gast.BinOp: Values._binary,
    gast.UnaryOp: Values._unary,
    gast.BoolOp: Values._boolean,
    gast.Compare: Values._compare,
    gast.IfExp: Values._choice,
    gast.NamedExpr: Values._walrus,
    gast.Call: Values._call,
    gast.Tuple: Values._sequence,
    gast.List: Values._sequence,
    gast.Starred: Values._starred,
}


def module_of(node: gast.AST, imports: dict[str, str]) -> str | None:
    """Return the dotted name of an imported module or function that an expression means."""
    if isinstance(node, gast.Name):
        return imports.get(node.id)
    if isinstance(node, gast.Attribute):
        owner = module_of(node.value, imports)
        return None if owner is None else f"{owner}.{node.attr}"
    return None


def _is_number(node: gast.AST) -> bool:
    if isinstance(node, gast.UnaryOp):
        node = node.operand
    return isinstance(node, gast.Constant) and type(node.value) in (int, float)


def _is_python(node: gast.AST) -> bool:
    """Whether a comparison with ``node`` is one of text, None, a switch or collections."""
    if isinstance(node, gast.Constant):
        return type(node.value) not in (int, float, complex)
    return isinstance(node, (gast.Tuple, gast.List, gast.Dict, gast.Set, gast.JoinedStr))


def _assigned(function: gast.AST) -> Iterator[tuple[gast.AST, gast.AST, bool]]:
    """Return every assignment of a function: target, value, whether the value is unpacked."""
    for node in within(function):
        if isinstance(node, gast.Assign):
            for target in node.targets:
                yield from _pairs(target, node.value)
        elif isinstance(node, (gast.AnnAssign, gast.AugAssign, gast.NamedExpr)):
            if node.value is not None:
                yield node.target, node.value, False
        elif isinstance(node, (gast.For, gast.AsyncFor, gast.comprehension)):
            yield from _pairs(node.target, node.iter)


def _pairs(target: gast.AST, value: gast.AST) -> Iterator[tuple[gast.AST, gast.AST, bool]]:
    sequences = (gast.Tuple, gast.List)
    if isinstance(target, sequences) and isinstance(value, sequences):
        if len(target.elts) == len(value.elts):
            for inner, item in zip(target.elts, value.elts, strict=True):
                yield from _pairs(inner, item)
            return
    yield target, value, isinstance(target, sequences)


def _names(target: gast.AST) -> Iterator[str]:
    if isinstance(target, gast.Name):
        yield target.id
    elif isinstance(target, gast.Starred):
        yield from _names(target.value)
    elif isinstance(target, (gast.Tuple, gast.List)):
        for item in target.elts:
            yield from _names(item)


_SCOPES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda, gast.ClassDef)


def within(function: gast.AST) -> Iterator[gast.AST]:
    """Yield the nodes of a function's body, without those of inner functions and classes."""
    body = function.body
    waiting: list[gast.AST] = list(reversed(body)) if isinstance(body, list) else [body]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _SCOPES):
            waiting += reversed(list(gast.iter_child_nodes(node)))
