"""``try``: body, handlers, ``else`` and ``finally`` become functions that an operator runs.

    try:                          def try_body():
        y = 1 // x                    nonlocal y
    except ZeroDivisionError:         y = 1 // x
        y = 0               =>    def except_body():
                                      nonlocal y
                                      y = 0
                                  handlers = ((lambda: ZeroDivisionError, except_body),)
                                  ag__.try_stmt(try_body, handlers, None, None, ('y',))

``single_exit`` has turned jumps into flags before.
  A name bound by ``as`` is the handler's parameter.
"""

from __future__ import annotations

import gast

from autograph.converters.body_functions import Bodies
from autograph.syntax.templates import assign, at, constant, load, strings, thunk


def convert(bodies: Bodies, node: gast.Try, in_loop: bool) -> list[gast.stmt]:
    """Return the local functions, and the call that runs them."""
    names, inner = _state(bodies, node)
    fresh = bodies.context.names.fresh
    done, body = bodies.body(fresh("try_body"), [], node.body, False, node)
    handlers: list[gast.expr] = []
    for handler in node.handlers:
        definitions, run = bodies.handler_body(fresh("except_body"), handler)
        done += definitions
        kinds = thunk(handler.type) if handler.type is not None else constant(None)
        handlers.append(at(gast.Tuple([at(kinds, handler), run], gast.Load()), handler))
    caught = bodies.context.names.fresh("handlers")  # tracebacks show the call, not these
    if handlers:
        done.append(assign(caught, at(gast.Tuple(handlers, gast.Load()), node), node))
    nobody = at(gast.Tuple([], gast.Load()), node)
    arguments = [body, at(load(caught), node) if handlers else nobody]
    for block, name in ((node.orelse, "else_body"), (node.finalbody, "finally_body")):
        if block:
            definitions, function = bodies.body(fresh(name), [], block, False, node)
            done += definitions
            arguments.append(function)
        else:
            arguments.append(at(constant(None), node))
    state = [at(strings(names), node)] + ([at(strings(inner), node)] if inner else [])
    run = bodies.statement("try_stmt", node, *arguments, *state)
    return [*done, at(gast.Expr(run), node)]


def _state(bodies: Bodies, node: gast.Try) -> tuple[list[str], list[str]]:
    """Return what the statement changes that is read later, and what else its handlers read."""
    bound = {handler.name.id for handler in node.handlers if handler.name is not None}
    written = bodies.writes(node) - bound
    after = set(bodies.liveness.live_out(node))
    if node.finalbody:  # it runs after the handlers
        after |= bodies.liveness.live_in(node.finalbody[0])
    inside: set[str] = set()
    for block in (*(handler.body for handler in node.handlers), node.orelse):
        if block:
            inside |= bodies.liveness.live_in(block[0])
    return sorted(written & after), sorted((written & inside) - after)
