"""Generator functions as push-style functions: ``yield`` becomes a call of a consumer.

    def evens(t):                     def evens(t):
        for x in t:                       def run(emit):
            if x % 2 == 0:      =>            for x in t:
                yield x                           if x % 2 == 0:
                                                      if emit(x):
                                                          return
                                          return run

``emit`` says whether the items are no longer wanted.  The result is ordinary Python for the other
converters, and stands beside the generator itself, for loops that go through it while staging.
"""

from __future__ import annotations

import gast

from autograph.analysis.scopes import FunctionScope
from autograph.converters.jump_queries import blocks
from autograph.syntax.names import FreshNames
from autograph.syntax.templates import at, call, define, load, store


def push(function: gast.FunctionDef) -> bool:
    """Turn a generator function into push style, in place.

    Returns False where it uses sent values, or yields inside a ``try`` or ``with``, which a loop
    may leave.
    """
    names, scopes = FreshNames(function), FunctionScope(function)
    run, emit = names.fresh("run"), names.fresh("emit")
    activities = [scopes.activity(statement) for statement in function.body]
    changed = frozenset(scopes.params) & frozenset().union(
        *(activity.writes | activity.deletes for activity in activities)
    )
    _push(function.body, emit, names)
    scope = FunctionScope(function)  # of the other yields: inside a try, or with a sent value
    if any(scope.suspends(statement) for statement in function.body):
        return False
    body = function.body
    if changed:
        body = [at(gast.Nonlocal(sorted(changed)), body[0]), *body]
    result = at(gast.Return(at(load(run), function)), function)
    function.body = [define(run, [emit], body, function), result]
    return True


def _push(block: list[gast.stmt], emit: str, names: FreshNames) -> None:
    """Replace the yields of a block that are statements."""
    for position, statement in enumerate(block):
        if isinstance(statement, (gast.Try, gast.TryStar, gast.With, gast.AsyncWith)):
            continue
        for inner in blocks(statement):
            _push(inner, emit, names)
        value = statement.value if isinstance(statement, gast.Expr) else None
        if isinstance(value, gast.Yield):
            item = value.value or at(gast.Constant(None, None), value)
            block[position] = _handed(emit, item, statement)
        elif isinstance(value, gast.YieldFrom):
            item_name = names.fresh("item")
            inner = [_handed(emit, at(load(item_name), value), statement)]
            block[position] = at(gast.For(store(item_name), value.value, inner, [], None), value)


def _handed(emit: str, item: gast.expr, origin: gast.stmt) -> gast.stmt:
    """Return ``if emit(item): return``."""
    goes_on = at(call(at(load(emit), origin), item), origin)
    return at(gast.If(goes_on, [at(gast.Return(None), origin)], []), origin)
