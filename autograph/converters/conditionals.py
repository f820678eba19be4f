"""``if``: the branches become functions; the operator selects the one to run.

    if x > 0:                     def if_body():
        y = 1                         nonlocal y
    else:                   =>        y = 1
        y = 2                     def else_body():
                                      nonlocal y
                                      y = 2
                                  ag__.if_stmt(x > 0, if_body, else_body, ('y',))()

An ``if`` that exits stands at the end of its frame (``single_exit`` puts it there), so its value is
returned: ``return ag__.if_stmt(...)()``.
"""

from __future__ import annotations

import gast

from autograph.converters.body_functions import Bodies
from autograph.converters.expression_rewriter import mark_test
from autograph.converters.jump_queries import escapes
from autograph.syntax.templates import at, call, constant, new


def convert(bodies: Bodies, node: gast.If, in_loop: bool) -> list[gast.stmt]:
    """Return the local functions for both sides, and the call that chooses."""
    mark_test(node.test)
    exits = escapes(node)
    names = bodies.state(node)
    if_name, else_name = bodies.context.names.fresh_together("if_body", "else_body")
    done, if_body = bodies.body(if_name, [], node.body, in_loop, node)
    else_body = at(constant(None), node)
    if node.orelse:
        definitions, else_body = bodies.body(else_name, [], node.orelse, in_loop, node)
        done += definitions
    chosen = bodies.statement("if_stmt", node, node.test, if_body, else_body, names)
    run = at(call(chosen), chosen)
    done.append(at(new(gast.Return if exits else gast.Expr, value=run), node))
    return done
