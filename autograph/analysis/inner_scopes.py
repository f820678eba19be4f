"""Summaries of inner scopes: the outer variables that functions, lambdas, classes and
comprehensions use.

``expression_effects`` and ``statement_effects``, which walk the analysed function itself, use the
summary of each scope that opens inside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import gast

from autograph.analysis.symbols import Symbols
from autograph.syntax.node_fields import FIELDS

PATTERNS = (
    gast.MatchValue, gast.MatchSingleton, gast.MatchSequence, gast.MatchMapping,
    gast.MatchClass, gast.MatchStar, gast.MatchAs, gast.MatchOr,
)  # fmt: skip


class Scope:
    """Names that one inner scope uses, as bit masks; a walk fills it, then it is closed."""

    __slots__ = (
        "owner", "used", "bound", "deleted", "globals", "nonlocals",
        "below", "wrote", "removed", "wrote_global",
    )  # fmt: skip

    def __init__(self, owner: Scope | None = None) -> None:
        self.owner = owner or self
        """The scope in which an assignment expression binds: comprehensions have another."""
        self.used = self.bound = self.deleted = self.globals = self.nonlocals = 0
        self.below = 0
        """Names that scopes inside this one look up outside themselves."""
        self.wrote = self.removed = self.wrote_global = 0
        """Outer names assigned or deleted here and below, by ``nonlocal`` and ``global``."""

    def take(self, inner: Scope) -> None:
        """Add the outer names that a closed inner scope uses."""
        self.below |= inner.below
        self.wrote |= inner.wrote
        self.removed |= inner.removed
        self.wrote_global |= inner.wrote_global

    def close(self, is_class: bool = False, implicit: int = 0) -> Scope:
        """Resolve the names bound here: ``below`` then holds those of outer scopes.

        Functions in a class body do not see the names of the class, except those in ``implicit``.
        """
        own_names = (self.bound | implicit) & ~(self.globals | self.nonlocals)
        resolved = own_names | self.globals
        hidden = implicit if is_class else resolved
        self.below = (self.used & ~resolved) | (self.below & ~hidden) | self.nonlocals
        self.wrote = (self.wrote & ~hidden) | (self.bound & self.nonlocals)
        self.removed = (self.removed & ~hidden) | (self.deleted & self.nonlocals)
        self.wrote_global |= self.bound & self.globals
        return self


class NestedScopes:
    """Summaries of inner scopes; the symbols are shared with the function around them."""

    def __init__(self, symbols: Symbols) -> None:
        self.symbols = symbols

    def body_of(self, node: gast.AST) -> Scope:
        """Return the outer names that the body of a function, lambda or class uses."""
        scope = Scope()
        if isinstance(node, gast.ClassDef):
            for statement in node.body:
                self.visit(statement, scope)
            return scope.close(True, self.symbols["__class__"])
        for parameter in parameters(node.args):
            scope.bound |= self.symbols[parameter.id]
        for statement in node.body if isinstance(node.body, list) else (node.body,):
            self.visit(statement, scope)
        return scope.close()

    def comprehension(self, node: gast.AST, owner: Scope) -> Scope:
        """Return the outer names that a comprehension uses, apart from its first iterable."""
        scope = Scope(owner)
        for position, generator in enumerate(node.generators):
            self.visit(generator.target, scope)
            if position:
                self.visit(generator.iter, scope)
            self.visit_all(generator.ifs, scope)
        self.visit_all(results(node), scope)
        return scope.close()

    def expression(self, node: gast.AST) -> int:
        """Return the names that an expression looks up outside itself."""
        scope = Scope()
        self.visit(node, scope)
        return scope.used | scope.below

    def visit(self, node: gast.AST, scope: Scope) -> None:
        """Record the names under ``node`` in ``scope``."""
        rule = RULES.get(node.__class__)
        if rule is not None:
            rule(self, node, scope)
            return
        for field in FIELDS[node.__class__]:
            child = getattr(node, field, None)
            if child.__class__ is list:
                self.visit_all(child, scope)
            elif isinstance(child, gast.AST):
                self.visit(child, scope)

    def visit_all(self, nodes: Iterable[object], scope: Scope) -> None:
        """Record the names under several nodes; values that are no nodes are skipped."""
        for node in nodes:
            if isinstance(node, gast.AST):
                self.visit(node, scope)

    def _name(self, node: gast.Name, scope: Scope) -> None:
        bit = self.symbols[node.id]
        kind = node.ctx.__class__
        if kind is gast.Load:
            scope.used |= bit
            if node.id == "super":  # the compiler then keeps the cell that super() needs
                scope.used |= self.symbols["__class__"]
            return
        scope.bound |= bit
        if kind is gast.Del:
            scope.deleted |= bit

    def _walrus(self, node: gast.NamedExpr, scope: Scope) -> None:
        self.visit(node.value, scope)
        bit = self.symbols[node.target.id]
        scope.owner.bound |= bit
        if scope.owner is not scope:
            scope.used |= bit

    def _definition(self, node: gast.AST, scope: Scope) -> None:
        scope.bound |= self.symbols[node.name]
        self.visit_all(node.decorator_list, scope)
        generic = self.type_parameters(node)
        around = Scope() if generic else scope
        if isinstance(node, gast.ClassDef):
            self.visit_all(node.bases, around)
            self.visit_all(node.keywords, around)
        else:
            self.visit_all(defaults(node.args), scope)
            self.visit_all(annotations_of(node), around)
        around.take(self.body_of(node))
        self._close_generic(node, generic, around, scope)

    def _lambda(self, node: gast.Lambda, scope: Scope) -> None:
        self.visit_all(defaults(node.args), scope)
        scope.take(self.body_of(node))

    def _alias_type(self, node: gast.AST, scope: Scope) -> None:
        scope.bound |= self.symbols[node.name.id]
        scope.take(self.type_alias(node))

    def type_alias(self, node: gast.AST) -> Scope:
        """Walk the value of a ``type`` statement, which is evaluated later."""
        inner, around = Scope(), Scope()
        self.visit(node.value, inner)
        around.take(inner.close())
        self._close_generic(node, self.type_parameters(node), around, around)
        return around

    def _close_generic(self, node: gast.AST, generic: int, around: Scope, scope: Scope) -> None:
        """Bounds and the like belong to the scope of the type parameters, which closes here."""
        if not generic:
            return
        for parameter in node.type_params:
            for field in ("bound", "default_value"):
                if getattr(parameter, field, None) is not None:
                    self.visit(getattr(parameter, field), around)
        around.bound |= generic
        around.close()
        if around is not scope:
            scope.take(around)

    def type_parameters(self, node: gast.AST) -> int:
        """The type parameters of a definition."""
        mask = 0
        for parameter in getattr(node, "type_params", None) or ():
            mask |= self.symbols[parameter.name]
        return mask

    def _comprehension(self, node: gast.AST, scope: Scope) -> None:
        self.visit(node.generators[0].iter, scope)
        scope.take(self.comprehension(node, scope.owner))

    def _imports(self, node: gast.AST, scope: Scope) -> None:
        for name in imported(node):
            scope.bound |= self.symbols[name]

    def _global(self, node: gast.Global, scope: Scope) -> None:
        for name in node.names:
            scope.globals |= self.symbols[name]

    def _nonlocal(self, node: gast.Nonlocal, scope: Scope) -> None:
        for name in node.names:
            scope.nonlocals |= self.symbols[name]

    def _pattern(self, node: gast.AST, scope: Scope) -> None:
        for pattern in subpatterns(node):
            name = captured_by(pattern)
            if name is not None:
                scope.bound |= self.symbols[name]
            self.visit_all(pattern_values(pattern), scope)

    def _nothing(self, node: gast.AST, scope: Scope) -> None:
        """Literals hold no names."""


RULES: dict[type, Callable[[NestedScopes, gast.AST, Scope], None]] = {
    gast.Name: NestedScopes._name,
    gast.Constant: NestedScopes._nothing,
    gast.NamedExpr: NestedScopes._walrus,
    gast.FunctionDef: NestedScopes._definition,
    gast.AsyncFunctionDef: NestedScopes._definition,
    gast.ClassDef: NestedScopes._definition,
    gast.TypeAlias: NestedScopes._alias_type,
    gast.Lambda: NestedScopes._lambda,
    gast.Import: NestedScopes._imports,
    gast.ImportFrom: NestedScopes._imports,
    gast.Global: NestedScopes._global,
    gast.Nonlocal: NestedScopes._nonlocal,
    **dict.fromkeys(
        (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp),
        NestedScopes._comprehension,
    ),
    **dict.fromkeys(PATTERNS, NestedScopes._pattern),
}


def parameters(arguments: gast.arguments) -> list[gast.Name]:
    """Return the parameters of a function, in the order of its signature."""
    names = [*(arguments.posonlyargs or ()), *(arguments.args or ())]
    if arguments.vararg is not None:
        names.append(arguments.vararg)
    names += arguments.kwonlyargs or ()
    if arguments.kwarg is not None:
        names.append(arguments.kwarg)
    return names


def defaults(arguments: gast.arguments) -> list[gast.expr]:
    """Return the defaults of parameters, in the order of evaluation."""
    expressions = [*(arguments.defaults or ()), *(arguments.kw_defaults or ())]
    return [default for default in expressions if default is not None]


def annotations_of(node: gast.AST) -> list[gast.expr]:
    """Return the annotations of a function's parameters and of its result."""
    annotations = [p.annotation for p in parameters(node.args) if p.annotation is not None]
    return annotations if node.returns is None else [*annotations, node.returns]


def results(node: gast.AST) -> tuple[gast.expr, ...]:
    """Return the expressions that a comprehension collects."""
    return (node.key, node.value) if isinstance(node, gast.DictComp) else (node.elt,)


def imported(node: gast.AST) -> list[str]:
    """Return the names that an import statement binds."""
    return [alias.asname or alias.name.partition(".")[0] for alias in node.names]


def subpatterns(pattern: gast.AST) -> Iterator[gast.AST]:
    """A pattern of a ``case`` and all patterns inside it, in the order of the source."""
    yield pattern
    inside = [*getattr(pattern, "patterns", ()), *getattr(pattern, "kwd_patterns", ())]
    if getattr(pattern, "pattern", None) is not None:
        inside.append(pattern.pattern)
    for child in inside:
        yield from subpatterns(child)


def captured_by(pattern: gast.AST) -> str | None:
    """Return the name that a pattern itself binds, if any."""
    if isinstance(pattern, gast.MatchMapping):
        return pattern.rest
    return getattr(pattern, "name", None)


def pattern_values(pattern: gast.AST) -> list[gast.expr]:
    """Return the expressions that a pattern itself evaluates."""
    if isinstance(pattern, gast.MatchValue):
        return [pattern.value]
    if isinstance(pattern, gast.MatchClass):
        return [pattern.cls]
    return list(getattr(pattern, "keys", ()))
