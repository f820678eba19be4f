"""``return`` inside a loop: keep the value, leave the loop, return behind it.

    for x in xs:                  for x in xs:
        if x > 0:                     if x > 0:
            return x        =>            result = x
    return 0                              break
                                  if ag__.defined(lambda: result):
                                      return ag__.value(lambda: result)
                                  return 0

Behind a ``while True`` that only a ``return`` ends, there is nothing to ask.
"""

from __future__ import annotations

import gast

from autograph.converters.context import Context
from autograph.converters.jump_queries import LOOPS, always_exits, blocks, escapes
from autograph.syntax.templates import ag_call, assign, at, constant, load, thunk

_RETURN = frozenset((gast.Return,))


def convert(context: Context) -> None:
    """Move every ``return`` out of the loops of a function."""
    if gast.Return in context.kinds and not context.kinds.isdisjoint(LOOPS):
        _block(context, context.function.body, in_loop=False)


def _block(context: Context, block: list[gast.stmt], in_loop: bool) -> None:
    position = 0
    while position < len(block):
        statement = block[position]
        if isinstance(statement, gast.Return) and in_loop:
            context.changed()
            value = statement.value or at(constant(None), statement)
            result_assignment = assign(context.result_name(), value, statement)
            block[position : position + 1] = [result_assignment, at(gast.Break(), statement)]
            position += 2
            continue
        is_loop = isinstance(statement, (gast.While, gast.For)) and context.is_functional(statement)
        leaves = is_loop and escapes(statement, _RETURN)
        endless = leaves and always_exits([statement])
        for inner in blocks(statement):
            enters = is_loop and inner is statement.body
            _block(context, inner, in_loop or enters)
        if leaves:
            context.changed()
            block.insert(position + 1, leave(context, statement, in_loop, certainly=endless))
            position += 1
        position += 1


def leave(
    context: Context, origin: gast.stmt, in_loop: bool, certainly: bool = False
) -> gast.stmt:
    """Return the value if one was returned, or else leave the enclosing loop as well.

    ``certainly``: if control gets here, a value was returned.
    """
    name = context.result_name()
    if in_loop:
        out: gast.stmt = gast.Break()
    else:
        out = gast.Return(ag_call("value", origin, thunk(at(load(name), origin))))
    if certainly:
        return at(out, origin)
    test = ag_call("defined", origin, thunk(at(load(name), origin)))
    return at(gast.If(test, [at(out, origin)], []), origin)
