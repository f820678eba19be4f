"""``match``: a chain of ``if``s, so that what decides may be staged.

    match x:                    subject = x
        case 0 | 1:             if subject == 0 or subject == 1:
            y = 0                   y = 0
        case [a, b]:      =>    elif (case := ag__.case(subject, ag__.sequence('a', 'b'))).fits:
            y = a + b               a, b = ag__.captured(case, 'a', 'b')
                                    y = a + b
        case _:                 else:
            y = 1                   y = 1

A guard that needs what the pattern captures stands in the ``if``, and is its outcome.  Patterns
are text for a name that captures, a function for a value, and operators for what has parts.
"""

from __future__ import annotations

from collections.abc import Sequence

import gast

from autograph.analysis.inner_scopes import captured_by, subpatterns
from autograph.converters.context import Context
from autograph.converters.jump_queries import blocks
from autograph.converters.keep_as_python import FRAME_BUILTINS
from autograph.syntax.templates import ag_call, assign, at, constant, load, store, thunk


def convert(context: Context) -> None:
    """Replace the ``match`` statements that do not yield, in functions that show no variables."""
    if gast.Match not in context.kinds:
        return
    scopes, body = context.analyses.scopes, context.function.body
    if not any(scopes.has_call_to(statement, FRAME_BUILTINS) for statement in body):
        _block(context, body)
        context.changed()


def _block(context: Context, block: list[gast.stmt]) -> None:
    scopes = context.analyses.scopes
    position = 0
    while position < len(block):
        statement = block[position]
        for inner in blocks(statement):
            _block(context, inner)
        if isinstance(statement, gast.Match):
            if not scopes.suspends(statement):
                chain = _Chain(context, statement).statements()
                block[position : position + 1] = chain
                position += len(chain) - 1
        position += 1


class _Chain:
    """Converter of one ``match`` statement to a chain."""

    def __init__(self, context: Context, node: gast.Match) -> None:
        self.context = context
        self.node = node
        self.subject = ""

    def statements(self) -> list[gast.stmt]:
        """Return the statements that replace it."""
        self.subject = self.context.names.fresh("subject")
        first = assign(self.subject, self.node.subject, self.node)
        return [first, *self.cases(self.node.cases)]

    def cases(self, cases: Sequence[gast.match_case]) -> list[gast.stmt]:
        """Return the statements for the remaining cases."""
        if not cases:
            return []
        case, *later_cases = cases
        pattern, guard = case.pattern, case.guard
        names = list(dict.fromkeys(filter(None, map(captured_by, subpatterns(pattern)))))
        if _always_fits(pattern):
            captures = [assign(name, self.load(pattern), pattern) for name in names]
            if guard is None:
                return captures + case.body
            return [*captures, at(gast.If(guard, case.body, self.cases(later_cases)), guard)]
        if not names:
            test = self.test(pattern)
            if guard is not None:
                test = at(gast.BoolOp(gast.And(), [test, guard]), pattern)
            return [at(gast.If(test, case.body, self.cases(later_cases)), pattern)]
        variable = self.context.names.fresh("case")
        case_call = ag_call("case", pattern, self.load(pattern), _pattern(pattern))
        test = at(gast.Attribute(at(gast.NamedExpr(store(variable), case_call), pattern), "fits",
                                 gast.Load()), pattern)  # fmt: skip
        captures = _captures(variable, names, pattern)
        if guard is None:
            return [at(gast.If(test, [captures, *case.body], self.cases(later_cases)), pattern)]
        fits = self.context.names.fresh("fits")
        no = at(gast.UnaryOp(gast.Not(), guard), guard)
        outcome = assign(fits, at(gast.UnaryOp(gast.Not(), no), guard), guard)
        not_yet = assign(fits, at(constant(False), pattern), pattern)
        first = at(gast.If(test, [captures, outcome], []), pattern)
        second = at(gast.If(at(load(fits), guard), case.body, self.cases(later_cases)), guard)
        return [not_yet, first, second]

    def load(self, origin: gast.AST) -> gast.expr:
        return at(load(self.subject), origin)

    def test(self, pattern: gast.AST) -> gast.expr:
        """Return the test of a pattern that captures nothing, as an expression."""
        if isinstance(pattern, gast.MatchOr):
            return at(gast.BoolOp(gast.Or(), [self.test(p) for p in pattern.patterns]), pattern)
        if isinstance(pattern, gast.MatchValue):
            right, sign = pattern.value, gast.Eq()
            return at(gast.Compare(self.load(pattern), [sign], [right]), pattern)
        if isinstance(pattern, gast.MatchSingleton):
            right = at(constant(pattern.value), pattern)
            return at(gast.Compare(self.load(pattern), [gast.Is()], [right]), pattern)
        case_call = ag_call("case", pattern, self.load(pattern), _pattern(pattern))
        return at(gast.Attribute(case_call, "fits", gast.Load()), pattern)


def _always_fits(pattern: gast.AST) -> bool:
    return isinstance(pattern, gast.MatchAs) and pattern.pattern is None


def _captures(case: str, names: Sequence[str], origin: gast.AST) -> gast.stmt:
    """Return ``a, b = ag__.captured(case, 'a', 'b')``."""
    values = ag_call("captured", origin, load(case), *map(constant, names))
    targets: list[gast.expr] = [store(name) for name in names]
    target = targets[0] if len(targets) == 1 else gast.Tuple(targets, gast.Store())
    return at(gast.Assign([target], values, None), origin)


def _pattern(node: gast.AST) -> gast.expr:
    """Return the expression that describes a pattern."""
    if isinstance(node, gast.MatchValue):
        return thunk(node.value)
    if isinstance(node, gast.MatchSingleton):
        return at(constant(node.value), node)
    if isinstance(node, gast.MatchStar):
        return at(constant(f"*{node.name or '_'}"), node)
    if isinstance(node, gast.MatchAs):
        name = at(constant(node.name or "_"), node)
        if node.pattern is None:
            return name
        return ag_call("named", node, _pattern(node.pattern), name)
    inner = [_pattern(p) for p in getattr(node, "patterns", ())]
    if isinstance(node, gast.MatchOr):
        return ag_call("either", node, *inner)
    if isinstance(node, gast.MatchSequence):
        return ag_call("sequence", node, *inner)
    if isinstance(node, gast.MatchMapping):
        keys = at(gast.Tuple(node.keys, gast.Load()), node)
        rest_name = [at(constant(f"*{node.rest}"), node)] if node.rest is not None else []
        return ag_call("mapping", node, thunk(keys), *inner, *rest_name)
    instance_call = ag_call("instance", node, thunk(node.cls), *inner)
    keywords = [_pattern(p) for p in node.kwd_patterns]
    instance_call.keywords = [
        gast.keyword(name, value) for name, value in zip(node.kwd_attrs, keywords, strict=True)
    ]
    return instance_call
