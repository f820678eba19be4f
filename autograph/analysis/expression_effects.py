"""Walks expressions and simple statements, and records what they read, write and delete.

Uses ``inner_scopes`` (summaries of inner scopes); ``statement_effects`` (whole statements) uses it.
The walk follows the order of evaluation, so that a part knows what it read before it wrote.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

import gast

from autograph.analysis import inner_scopes
from autograph.analysis.effects_record import Effects, Part
from autograph.analysis.inner_scopes import NestedScopes, Scope
from autograph.analysis.symbols import Symbols


class PartWalk:
    """Walks expressions and simple statements, and adds up facts about the function."""

    def __init__(self, symbols: Symbols, nested: NestedScopes) -> None:
        self.symbols = symbols
        self.nested = nested
        self.effects: dict[gast.AST, Effects] = {}
        """Of every statement, part, except handler and case."""
        self.parts: dict[gast.AST, Part] = {}
        """What a node of the graph does; a handler's part is to drop its name again."""
        self.local_reads: set[gast.Name] = set()
        """Reads of what the same part has assigned before."""
        self.bound = self.globals = self.nonlocals = 0
        self.seen = self.captured = 0
        self.wrote = self.removed = self.wrote_global = 0
        self.hidden = 0
        """Variables of the comprehensions around the expression that is being walked."""
        self.comprehended = 0
        self.elsewhere = 0
        """Names that the part at hand assigns, but that another statement must have bound."""
        self.now = Part()

    def part(self, node: gast.AST) -> Part:
        """Walk what one node of the graph executes."""
        now = self.now = self.parts[node] = self.effects[node] = Part()
        self.elsewhere = 0
        self.visit(node)
        self.seen |= now.reads
        self.bound |= (now.writes | now.deletes) & ~self.elsewhere
        return now

    def visit(self, node: gast.AST) -> None:
        """Walk a node in the order of evaluation."""
        kind = node.__class__
        if kind is gast.Constant:
            return
        rule = RULES.get(kind)
        if rule is not None:
            rule(self, node)
            return
        for field in _fields(kind):
            child = getattr(node, field, None)
            if child.__class__ is list:
                self.visit_all(child)
            elif isinstance(child, gast.AST):
                self.visit(child)

    def visit_all(self, nodes: Iterable[gast.AST | None]) -> None:
        """Walk nodes one after the other; missing ones (``None``) are skipped."""
        for node in nodes:
            if node is not None:
                self.visit(node)

    def perhaps(self, *nodes: gast.AST) -> None:
        """Walk nodes of which Python may evaluate only the first few, or none."""
        for node in nodes:
            before = self.now.assigned
            self.visit(node)
            self.now.assigned &= before

    def _name(self, node: gast.Name) -> None:
        bit = self.symbols[node.id]
        if bit & self.hidden:
            return
        kind = node.ctx.__class__
        if kind is gast.Load:
            self.read(node, bit)
        elif kind is gast.Del:
            self.now.deletes |= bit
            self.now.exposed |= bit & ~self.now.assigned  # it must have a value
            self.now.assigned &= ~bit
        else:
            self.write(bit)

    def read(self, node: gast.Name, bit: int) -> None:
        """Record that ``node`` reads a variable."""
        now = self.now
        now.reads |= bit
        if bit & now.assigned:
            self.local_reads.add(node)
        else:
            now.exposed |= bit
            now.loads.append(node)
        if node.id == "super":  # the compiler then keeps the cell that super() needs
            now.reads |= self.symbols["__class__"]

    def write(self, bit: int) -> None:
        """Record that a variable is assigned."""
        self.now.writes |= bit
        self.now.assigned |= bit
        self.now.deletes &= ~bit

    def _path(self, node: gast.AST) -> None:
        self.symbol(node)

    def symbol(self, node: gast.AST) -> str | None:
        """Walk ``x.y['k']`` with all its prefixes; return its text, if it certainly names one slot.
        """
        kind = node.__class__
        if kind is gast.Name:
            self._name(node)
            return None if self.symbols[node.id] & self.hidden else node.id
        if kind is gast.Attribute:
            base = self.symbol(node.value)
            text = None if base is None else f"{base}.{node.attr}"
        elif kind is gast.Subscript:
            base = self.symbol(node.value)
            self.visit(node.slice)
            key = None if base is None else self._key(node.slice)
            text = None if key is None else f"{base}[{key}]"
        else:
            self.visit(node)
            return None
        if text is not None:
            self._touch(self.symbols.path(text), node.ctx.__class__)
        return text

    def _touch(self, bit: int, context: type) -> None:
        if context is gast.Load:
            self.now.reads |= bit
        elif context is gast.Del:
            self.now.deletes |= bit
        else:
            self.now.writes |= bit

    def _key(self, key: gast.expr) -> str | None:
        if isinstance(key, gast.Constant):
            return repr(key.value)
        if isinstance(key, gast.Name) and not self.symbols[key.id] & self.hidden:
            return key.id
        if isinstance(key, gast.UnaryOp) and isinstance(key.op, gast.USub):
            digits = self._key(key.operand)
            return f"-{digits}" if isinstance(key.operand, gast.Constant) else None
        return None

    def _assign(self, node: gast.Assign) -> None:
        self.visit(node.value)
        self.visit_all(node.targets)

    def _augmented(self, node: gast.AugAssign) -> None:
        target, now = node.target, self.now
        if isinstance(target, gast.Name):
            bit = self.symbols[target.id]
            now.reads |= bit
            now.exposed |= bit
            self.visit(node.value)
            self.write(bit)
            return
        text = self.symbol(target)
        if text is not None:
            now.reads |= self.symbols[text]
        self.visit(node.value)

    def _annotated(self, node: gast.AnnAssign) -> None:
        """Walk annotations of variables: a function does not evaluate them, but they keep names
        alive.
        """
        if node.value is not None:
            self.visit(node.value)
            self.visit(node.target)
        elif node.simple:
            self.bound |= self.symbols[node.target.id]
        elif not isinstance(node.target, gast.Name):  # ``(x): T`` does nothing at all
            self.visit(node.target.value)
            if isinstance(node.target, gast.Subscript):
                self.visit(node.target.slice)
        self.seen |= self.nested.expression(node.annotation)

    def _walrus(self, node: gast.NamedExpr) -> None:
        self.visit(node.value)
        self.write(self.symbols[node.target.id])

    def _call(self, node: gast.Call) -> None:
        self.now.calls = True
        if isinstance(node.func, gast.Name):
            self.now.called |= self.symbols[node.func.id] & ~self.hidden
        self.visit(node.func)
        self.visit_all(node.args)
        self.visit_all(node.keywords)

    def _binary(self, node: gast.BinOp) -> None:
        self.visit(node.left)
        self.visit(node.right)

    def _suspension(self, node: gast.AST) -> None:
        if node.value is not None:
            self.visit(node.value)
        self.now.suspends = True

    def _bool(self, node: gast.BoolOp) -> None:
        self.visit(node.values[0])
        self.perhaps(*node.values[1:])

    def _either(self, node: gast.IfExp) -> None:
        self.visit(node.test)
        before = self.now.assigned
        self.visit(node.body)
        after, self.now.assigned = self.now.assigned, before
        self.visit(node.orelse)
        self.now.assigned &= after

    def _compare(self, node: gast.Compare) -> None:
        self.visit(node.left)
        self.visit(node.comparators[0])
        self.perhaps(*node.comparators[1:])

    def _assert(self, node: gast.Assert) -> None:
        before = self.now.assigned
        self.visit(node.test)
        if node.msg is not None:
            self.visit(node.msg)
        self.now.assigned = before  # python -O skips both

    def _comprehension(self, node: gast.AST) -> None:
        self.visit(node.generators[0].iter)
        before, hidden = self.now.assigned, self.hidden
        for generator in node.generators:
            for child in gast.walk(generator.target):
                if isinstance(child, gast.Name) and isinstance(child.ctx, gast.Store):
                    self.hidden |= self.symbols[child.id]
        self.comprehended |= self.hidden
        for position, generator in enumerate(node.generators):
            if position:
                self.visit(generator.iter)
            self.visit(generator.target)
            self.visit_all(generator.ifs)
            self.now.suspends |= bool(generator.is_async)
        self.visit_all(inner_scopes.results(node))
        self.hidden = hidden
        self.now.assigned = before

    def _generator(self, node: gast.GeneratorExp) -> None:
        self.visit(node.generators[0].iter)
        collector = Scope()
        inner = self.nested.comprehension(node, collector)
        self.capture(inner)
        leaked = collector.bound & ~self.hidden  # assignment expressions bind in the function
        self.now.writes |= leaked
        self.captured |= leaked
        self.wrote |= leaked

    def capture(self, inner: Scope) -> None:
        """Record the outer variables that a function, class or generator made here uses."""
        captured = inner.below & ~self.hidden
        self.now.reads |= captured
        self.now.captures |= captured
        self.captured |= captured
        self.wrote |= inner.wrote & ~self.hidden
        self.removed |= inner.removed & ~self.hidden
        self.wrote_global |= inner.wrote_global

    def _lambda(self, node: gast.Lambda) -> None:
        self.visit_all(inner_scopes.defaults(node.args))
        self.capture(self.nested.body_of(node))

    def _definition(self, node: gast.AST) -> None:
        self.visit_all(node.decorator_list)
        self.now.calls |= bool(node.decorator_list)
        hidden = self.hidden
        is_class = isinstance(node, gast.ClassDef)
        if not is_class:
            self.visit_all(inner_scopes.defaults(node.args))
        self.hidden |= self.nested.type_parameters(node)
        if is_class:
            self.visit_all(node.bases)
            self.visit_all(node.keywords)
            self.now.calls = True
        else:
            self.visit_all(inner_scopes.annotations_of(node))
        body = self.nested.body_of(node)
        if is_class:
            self.elsewhere = body.wrote & ~self.hidden
            self.now.writes |= self.elsewhere  # its body runs here and now
        self.capture(body)
        for parameter in getattr(node, "type_params", None) or ():
            for field in ("bound", "default_value"):
                if getattr(parameter, field, None) is not None:
                    self._later(getattr(parameter, field))
        self.hidden = hidden
        self.write(self.symbols[node.name])

    def _later(self, node: gast.expr) -> None:
        """An expression that Python evaluates on demand, as if it were a lambda's body."""
        inner = Scope()
        self.nested.visit(node, inner)
        self.capture(inner.close())

    def _type_alias(self, node: gast.AST) -> None:
        self.capture(self.nested.type_alias(node))
        self.write(self.symbols[node.name.id])

    def _imports(self, node: gast.AST) -> None:
        for name in inner_scopes.imported(node):
            self.write(self.symbols[name])

    def _global(self, node: gast.Global) -> None:
        for name in node.names:
            self.globals |= self.symbols[name]

    def _nonlocal(self, node: gast.Nonlocal) -> None:
        for name in node.names:
            self.nonlocals |= self.symbols[name]

    def _pattern(self, node: gast.AST) -> None:
        for pattern in inner_scopes.subpatterns(node):
            self.visit_all(inner_scopes.pattern_values(pattern))

    def _nothing(self, node: gast.AST) -> None:
        """Literals do nothing."""


@cache
def _fields(kind: type[gast.AST]) -> tuple[str, ...]:
    """The fields of a node that may hold code."""
    words = ("ctx", "op", "ops", "arg", "attr", "type_comment", "conversion", "kind")
    return tuple(field for field in kind._fields if field not in words)


RULES: dict[type, Callable[[PartWalk, gast.AST], None]] = {
    gast.Name: PartWalk._name,
    gast.Constant: PartWalk._nothing,
    gast.Attribute: PartWalk._path,
    gast.Subscript: PartWalk._path,
    gast.Call: PartWalk._call,
    gast.Assign: PartWalk._assign,
    gast.AugAssign: PartWalk._augmented,
    gast.AnnAssign: PartWalk._annotated,
    gast.NamedExpr: PartWalk._walrus,
    gast.BinOp: PartWalk._binary,
    gast.BoolOp: PartWalk._bool,
    gast.IfExp: PartWalk._either,
    gast.Compare: PartWalk._compare,
    gast.Assert: PartWalk._assert,
    gast.Yield: PartWalk._suspension,
    gast.YieldFrom: PartWalk._suspension,
    gast.Await: PartWalk._suspension,
    gast.ListComp: PartWalk._comprehension,
    gast.SetComp: PartWalk._comprehension,
    gast.DictComp: PartWalk._comprehension,
    gast.GeneratorExp: PartWalk._generator,
    gast.Lambda: PartWalk._lambda,
    gast.FunctionDef: PartWalk._definition,
    gast.AsyncFunctionDef: PartWalk._definition,
    gast.ClassDef: PartWalk._definition,
    gast.TypeAlias: PartWalk._type_alias,
    gast.Import: PartWalk._imports,
    gast.ImportFrom: PartWalk._imports,
    gast.Global: PartWalk._global,
    gast.Nonlocal: PartWalk._nonlocal,
    **dict.fromkeys(inner_scopes.PATTERNS, PartWalk._pattern),
}
