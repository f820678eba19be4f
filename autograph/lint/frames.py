"""Rules AG1: statements that are kept as Python although they may need staging.

The converters decide which statements are kept; these rules report them and the reason.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator

import gast

from autograph.converters.expression_rewriter import moves
from autograph.converters.generators import push
from autograph.converters.jump_queries import blocks
from autograph.converters.keep_as_python import FRAME_BUILTINS
from autograph.lint.finding import Finding
from autograph.lint.functions import LintedFunction, own_expressions, spoken, tested
from autograph.lint.staged_value_inference import within


def check(function: LintedFunction) -> Iterator[Finding]:
    """The findings of one function."""
    told: set[int] = set()
    for guarded in function.statements:
        if id(guarded.statement) not in told:
            for finding in _staying(function, guarded.statement):
                told.update(map(id, gast.walk(guarded.statement)))  # nor can the code inside
                yield finding
        if isinstance(guarded.statement, gast.ClassDef):
            yield from _class_body(function, guarded.statement)
        for node in own_expressions(guarded.statement):
            if isinstance(node, gast.BoolOp):
                yield from _bound_inside(function, node)


def _staying(function: LintedFunction, statement: gast.stmt) -> Iterator[Finding]:
    expression = tested(statement)
    if expression is None or statement not in function.context.plain:
        return
    if not function.values.may_stage(expression):
        return
    expression = function.staged_part(expression)
    text = spoken(expression)
    cause_of_statement = _cause([statement])
    cause = cause_of_statement or _cause(function.node.body)
    if cause is not None and cause[0] == "AG101" and push(copy.deepcopy(function.node)):
        return  # a loop over the generator runs it in push style
    if cause is None:
        return
    code, construct, line = cause
    verb = "holds" if cause_of_statement else "returns from a function with"
    yield Finding(
        code, expression,
        f"if '{text}' is staged, it cannot decide here: the statement {verb} {construct} "
        f"(line {line})",
    )


def _cause(block: list[gast.stmt]) -> tuple[str, str, int] | None:
    """Return code, text and line of what keeps one of these statements in the user's own frame."""
    holder = gast.Module(block, [])
    for node in within(holder):
        if isinstance(node, (gast.Yield, gast.YieldFrom)):
            return "AG101", "'yield'", node.lineno
        if isinstance(node, gast.Await):
            return "AG102", "'await'", node.lineno
        if isinstance(node, (gast.AsyncFor, gast.AsyncWith)):
            word = "for" if isinstance(node, gast.AsyncFor) else "with"
            return "AG102", f"'async {word}'", node.lineno
        if isinstance(node, gast.comprehension) and node.is_async:
            return "AG102", "'async for'", node.target.lineno
        if isinstance(node, gast.Call) and getattr(node.func, "id", None) in FRAME_BUILTINS:
            return "AG103", f"{node.func.id}()", node.lineno
    return None


def _class_body(function: LintedFunction, definition: gast.ClassDef) -> Iterator[Finding]:
    waiting = list(definition.body)
    while waiting:
        statement = waiting.pop(0)
        expression = tested(statement)
        if expression is not None and function.values.may_stage(expression):
            staged = function.staged_part(expression)
            yield Finding(
                "AG105", staged,
                f"if '{spoken(staged)}' is staged, it cannot decide here: the body of class "
                f"{definition.name} is not converted",
            )
        for block in blocks(statement):
            waiting += block


def _bound_inside(function: LintedFunction, node: gast.BoolOp) -> Iterator[Finding]:
    first, *further = node.values
    if moves(*further) or not function.values.may_stage(first):
        return
    inside = (inner for operand in further for inner in gast.walk(operand))
    if not any(isinstance(inner, gast.NamedExpr) for inner in inside):
        return
    word = "and" if isinstance(node.op, gast.And) else "or"
    yield Finding(
        "AG106", node,
        f"if '{spoken(first)}' is staged, it cannot decide here: behind '{word}' a variable is "
        "assigned by ':='",
    )
