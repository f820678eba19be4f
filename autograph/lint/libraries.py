"""Rules AG6: what the backends of other libraries refuse; looked for by ``check --for LIBRARY``."""

from __future__ import annotations

from collections.abc import Iterator

import gast

from autograph.lint.codes import CHECKS
from autograph.lint.finding import Finding
from autograph.lint.functions import GuardedStatement, LintedFunction, own_expressions

REFUSED: dict[str, frozenset[str]] = {
    library: frozenset(check.code for check in CHECKS if library in check.libraries)
    for library in ("jax", "tensorflow", "torch")
}
"""The codes of what the backend of a library refuses."""

_GROWING = frozenset(("append", "extend", "insert"))
_BOUNDS = frozenset(("maximum_size", "maximum_iterations"))


def check(function: LintedFunction) -> Iterator[Finding]:
    """The findings of one function."""
    tried = _tried(function)
    bounded = _is_bounded(function.node)
    for guarded in function.statements:
        if not guarded.path:
            continue
        decision = guarded.path[-1].where
        if isinstance(guarded.statement, (gast.Raise, gast.Assert)) and id(
            guarded.statement
        ) in tried:
            yield Finding(
                "AG602", guarded.statement,
                f"whether it is raised depends on {decision}, and the handlers of the 'try' around "
                "it are not staged; test with 'if' instead",
            )
        for node in own_expressions(guarded.statement):
            if not isinstance(node, gast.Call):
                continue
            name = getattr(node.func, "id", None)
            if name == getattr(function.node, "name", None):
                yield Finding(
                    "AG601", node,
                    f"{name}() calls itself, as often as {decision} says; write a loop",
                )
            elif not bounded and _grows(node) and _is_in_unbounded_loop(guarded):
                yield Finding(
                    "AG603", node,
                    f"the list grows in a loop whose number of turns depends on {decision}; call "
                    "autograph.set_loop_options(maximum_size=n) in the loop",
                )


def _tried(function: LintedFunction) -> set[int]:
    """Return the statements in bodies of ``try``, but not in functions inside."""
    found: set[int] = set()
    for guarded in function.statements:
        if isinstance(guarded.statement, gast.Try):
            for statement in guarded.statement.body:
                found.update(map(id, gast.walk(statement)))
    return found


def _is_bounded(node: gast.AST) -> bool:
    return any(
        isinstance(part, gast.keyword) and part.arg in _BOUNDS for part in gast.walk(node)
    )


def _grows(node: gast.Call) -> bool:
    return isinstance(node.func, gast.Attribute) and node.func.attr in _GROWING


def _is_in_unbounded_loop(guarded: GuardedStatement) -> bool:
    """Whether a loop around may have any number of turns: a ``while``, or a range of a value."""
    for decision in guarded.path:
        statement = decision.statement
        if isinstance(statement, gast.While):
            return True
        if isinstance(statement, gast.For) and isinstance(statement.iter, gast.Call):
            return getattr(statement.iter.func, "id", None) == "range"
    return False
