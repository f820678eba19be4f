"""``while`` and ``for``: test and body become functions that an operator runs.

    while n > 0:                  def loop_test():
        n -= 1                        return n > 0
                            =>    def loop_body():
                                      nonlocal n
                                      n -= 1
                                  ag__.while_stmt(loop_test, loop_body, ('n',))

A body that returns ``ag__.BREAK`` ends its loop; ``continue`` is a plain return from the body.
The target of a ``for`` is the body's parameter where nothing else needs it.
"""

from __future__ import annotations

import gast

from autograph.converters.body_functions import Bodies
from autograph.converters.expression_rewriter import mark_test
from autograph.converters.jump_queries import blocks
from autograph.syntax.templates import at, load


def convert_while(bodies: Bodies, node: gast.While, in_loop: bool) -> list[gast.stmt]:
    """Return the local functions for test and body, and the call that runs them."""
    mark_test(node.test)

    def build() -> list[gast.stmt]:
        names = bodies.state(node)
        test_name, body_name = bodies.context.names.fresh_together("loop_test", "loop_body")
        done: list[gast.stmt] = []
        test: gast.expr = node.test
        if not isinstance(test, gast.Constant):
            result = at(gast.Return(test), test)
            done, test = bodies.define(test_name, [], [result], bodies.writes(test), node)
        definitions, body = bodies.body(body_name, [], node.body, True, node)
        run = bodies.statement("while_stmt", node, test, body, names)
        return [*done, *definitions, at(gast.Expr(run), node)]

    return bodies.hoisting(node, build)


def convert_for(bodies: Bodies, node: gast.For, in_loop: bool) -> list[gast.stmt]:
    """Return the local function for the body, and the call that runs it for each item."""

    def build() -> list[gast.stmt]:
        names = bodies.state(node)
        body_name = bodies.context.names.fresh("loop_body")
        if _is_private(bodies, node):
            parameter = node.target.id
            names.elts = [name for name in names.elts if name.value != parameter]
            block = node.body
        else:
            parameter = bodies.context.names.fresh("item")
            item = at(load(parameter), node.target)
            block = [at(gast.Assign([node.target], item, None), node.target), *node.body]
        definitions, body = bodies.body(body_name, [parameter], block, True, node)
        run = bodies.statement("for_stmt", node, node.iter, body, names)
        return [*definitions, at(gast.Expr(run), node)]

    return bodies.hoisting(node, build)


def _is_private(bodies: Bodies, node: gast.For) -> bool:
    """Whether this body alone uses the loop variable, so that it can be a parameter."""
    if not isinstance(node.target, gast.Name):
        return False
    name, scopes = node.target.id, bodies.scopes
    if name in scopes.globals or name in scopes.nonlocals or name in scopes.captured:
        return False
    if name in bodies.liveness.live_out(node):
        return False
    return not any(_uses_inside(bodies, statement, name) for statement in node.body)


def _uses_inside(bodies: Bodies, statement: gast.stmt, name: str) -> bool:
    """Whether a statement passes ``name`` to a function that moves outside the loop."""
    if bodies.context.is_functional(statement):
        activity = bodies.scopes.activity(statement)
        return name in activity.reads | activity.writes | activity.deletes
    return any(
        _uses_inside(bodies, inner, name) for block in blocks(statement) for inner in block
    )
