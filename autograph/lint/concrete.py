"""Rules AG4 (code that needs a concrete value) and AG5 (functions that are not converted)."""

from __future__ import annotations

from collections.abc import Iterator

import gast

from autograph.lint.finding import Finding
from autograph.lint.functions import LintedFunction, own_expressions, spoken, tested
from autograph.lint.staged_value_inference import Kind

_EAGER = frozenset(("numpy", "item", "tolist"))
_MARKS = frozenset(("autograph.do_not_convert", "runtime.autograph.experimental.do_not_convert"))


def check(function: LintedFunction) -> Iterator[Finding]:
    """The findings of one function."""
    for guarded in function.statements:
        for node in own_expressions(guarded.statement):
            if isinstance(node, gast.Call):
                yield from _call(function, node)
            elif isinstance(node, (gast.Dict, gast.Set)):
                yield from _keys(function, node)
    yield from _decorated(function)


def _call(function: LintedFunction, node: gast.Call) -> Iterator[Finding]:
    called, kind = node.func, function.values.kind
    if isinstance(called, gast.Attribute) and kind(called.value) is Kind.NUMBER:
        owner = spoken(called.value)
        if called.attr in _EAGER and not node.args:
            text = f"if '{owner}' is staged, it has no .{called.attr}(): no value exists yet"
            yield Finding("AG401", node, text)
    staged = next((a for a in node.args if kind(a) is Kind.NUMBER), None)
    name = function.name_of(called) if staged is not None else None
    if staged is None or name is None:
        return
    text = f"if '{spoken(staged)}' is staged, {spoken(called)}() cannot take it: "
    if name.rpartition(".")[0] == "numpy.random":
        yield Finding("AG405", node, text + "it draws numbers now")


def _keys(function: LintedFunction, node: gast.Dict | gast.Set) -> Iterator[Finding]:
    keys = node.keys if isinstance(node, gast.Dict) else node.elts
    for key in keys:
        if key is not None and function.values.kind(key) is Kind.NUMBER:
            place = "the key of a dict" if isinstance(node, gast.Dict) else "in a set"
            text = f"if '{spoken(key)}' is staged, it cannot be {place}: it has no hash"
            yield Finding("AG404", key, text)
            return


def _decorated(function: LintedFunction) -> Iterator[Finding]:
    for _, name in function.decorators():
        if name in _MARKS:
            for guarded in function.statements:
                expression = tested(guarded.statement)
                if expression is not None and function.values.may_stage(expression):
                    staged = function.staged_part(expression)
                    yield Finding(
                        "AG502", staged,
                        f"if '{spoken(staged)}' is staged, it cannot decide here: "
                        f"{function.node.name}() is marked do_not_convert",
                    )
