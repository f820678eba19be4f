"""Rules AG3: values of two paths that cannot join.

Only literals are compared, because the type of any other expression is unknown.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import gast

from autograph.converters.jump_queries import LOOPS, always_exits
from autograph.lint.finding import Finding
from autograph.lint.functions import Decision, LintedFunction, own_expressions, spoken


def check(function: LintedFunction) -> Iterator[Finding]:
    """The findings of one function."""
    following = _following(function)
    for guarded in function.statements:
        statement = guarded.statement
        decision = function.decision(statement)
        if isinstance(statement, gast.If) and decision is not None:
            yield from _assignments(function, statement, decision)
            yield from _returns(statement, following.get(id(statement)), decision)
        elif isinstance(statement, LOOPS) and decision is not None:
            yield from _turns(function, statement, decision)
        for node in own_expressions(statement):
            if isinstance(node, gast.IfExp) and function.values.may_stage(node.test):
                decided = Decision(statement, function.staged_part(node.test))
                yield from _differ(node, node.body, node.orelse, "the expression", decided)


def _following(function: LintedFunction) -> dict[int, gast.stmt]:
    """Return the statement after each ``if`` in its block."""
    next_statements: dict[int, gast.stmt] = {}
    blocks = [function.node.body]
    for guarded in function.statements:
        for name in ("body", "orelse", "finalbody"):
            block = getattr(guarded.statement, name, None)
            if isinstance(block, list) and not isinstance(guarded.statement, gast.ClassDef):
                blocks.append(block)
    for block in blocks:
        for first, second in itertools.pairwise(block):
            next_statements[id(first)] = second
    return next_statements


def _assignments(
    function: LintedFunction, statement: gast.If, decision: Decision
) -> Iterator[Finding]:
    left, right = _last_values(statement.body), _last_values(statement.orelse)
    if always_exits(statement.body) or always_exits(statement.orelse):
        return
    live = function.context.analyses.liveness.live_out(statement)
    for name in left.keys() & right.keys() & live:
        yield from _differ(right[name], left[name], right[name], f"'{name}'", decision)
    for name in left.keys() & live if not statement.orelse else ():
        before = _before(function, statement, name)
        if before is not None:
            yield from _differ(left[name], before, left[name], f"'{name}'", decision)


def _turns(function: LintedFunction, loop: gast.stmt, decision: Decision) -> Iterator[Finding]:
    """Compare what a loop assigns with what the variable held before."""
    values = _last_values(loop.body)
    live = function.context.analyses.liveness.live_out(loop)
    for name in values.keys() & live:
        before = _before(function, loop, name, values[name])
        if before is not None:
            yield from _differ(values[name], before, values[name], f"'{name}'", decision)


def _before(
    function: LintedFunction, statement: gast.stmt, name: str, ignored: gast.AST | None = None
) -> gast.expr | None:
    """Return the literal that a variable certainly holds before a statement."""
    earlier = [
        node for node in function.context.analyses.reaching.definitions(statement, name)
        if getattr(node, "value", None) is not ignored or ignored is None
    ]  # fmt: skip
    if len(earlier) != 1 or not isinstance(earlier[0], gast.Assign):
        return None
    assignment = earlier[0]
    only = len(assignment.targets) == 1 and isinstance(assignment.targets[0], gast.Name)
    return assignment.value if only else None


def _returns(
    statement: gast.If, following: gast.stmt | None, decision: Decision
) -> Iterator[Finding]:
    body = statement.body[-1]
    returned = statement.orelse[-1] if statement.orelse else following
    if isinstance(body, gast.Return) and isinstance(returned, gast.Return):
        if body.value is not None and returned.value is not None:
            yield from _differ(
                returned.value, body.value, returned.value, "what is returned", decision
            )


def _last_values(block: list[gast.stmt]) -> dict[str, gast.expr]:
    """Return the values of the last plain assignment to each name in a block."""
    return {
        statement.targets[0].id: statement.value
        for statement in block
        if isinstance(statement, gast.Assign)
        and len(statement.targets) == 1
        and isinstance(statement.targets[0], gast.Name)
    }


def _differ(
    node: gast.AST, left: gast.expr, right: gast.expr, difference: str, decision: Decision
) -> Iterator[Finding]:
    """Return a finding when two literals cannot be one value of a graph."""
    first, second = _sort(left), _sort(right)
    if first is None or second is None or first == second:
        return
    lengths = first.partition(" of ")[0] == second.partition(" of ")[0]
    if lengths and _are_alike(left, right):
        return  # one of staged length
    text = f"{first} ({spoken(left)}) and {second} ({spoken(right)})"
    yield Finding(
        "AG302" if lengths else "AG301", node,
        f"if {decision.where} is staged, {difference} cannot be one value: {text}",
    )


def _are_alike(*collections: gast.expr) -> bool:
    """Return whether literals in collections may all be items of one list of staged length."""
    items = [item for collection in collections for item in getattr(collection, "elts", ())]
    return len({_sort(item) for item in items} - {None}) < 2


def _sort(node: gast.expr) -> str | None:
    """Return what kind of value a literal is, in words; None for None and for other expressions."""
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, (gast.USub, gast.UAdd)):
        node = node.operand
    if isinstance(node, gast.Constant):
        value = node.value
        if isinstance(value, bool):
            return "a bool"
        if isinstance(value, (int, float)):
            return "a number"
        return "text" if isinstance(value, (str, bytes)) else None
    if isinstance(node, (gast.Tuple, gast.List)):
        if any(isinstance(item, gast.Starred) for item in node.elts):
            return None
        return f"a {type(node).__name__.lower()} of {len(node.elts)}"
    return None
