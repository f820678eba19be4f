"""``else`` of a loop: a flag says whether the loop was left by ``break``.

    for x in xs:                  broke = False
        if x > 0:                 for x in xs:
            break                     if x > 0:
    else:                   =>            broke = True
        y = 0                             break
                                  if not broke:
                                      y = 0

Without a ``break`` the ``else`` simply follows the loop.
"""

from __future__ import annotations

import gast

from autograph.converters.context import Context
from autograph.converters.jump_queries import LOOPS, blocks, own_breaks
from autograph.syntax.templates import assign, at, constant, load


def convert(context: Context) -> None:
    """Move the ``else`` out of every loop that becomes a call."""
    if not context.kinds.isdisjoint(LOOPS):
        _block(context, context.function.body)


def _block(context: Context, block: list[gast.stmt]) -> None:
    position = 0
    while position < len(block):
        statement = block[position]
        for inner in blocks(statement):
            _block(context, inner)
        if (
            isinstance(statement, (gast.While, gast.For))
            and statement.orelse
            and context.is_functional(statement)
        ):
            context.changed()
            after, statement.orelse = statement.orelse, []
            if own_breaks(statement):
                broke = context.names.fresh("broke")
                _flag_breaks(statement.body, broke)
                test = at(gast.UnaryOp(gast.Not(), at(load(broke), after[0])), after[0])
                after = [at(gast.If(test, after, []), after[0])]
                first = assign(broke, at(constant(False), statement), statement)
                block.insert(position, first)
                position += 1
            block[position + 1 : position + 1] = after
            position += len(after)
        position += 1


def _flag_breaks(block: list[gast.stmt], flag: str) -> None:
    position = 0
    while position < len(block):
        statement = block[position]
        if isinstance(statement, gast.Break):
            block.insert(position, assign(flag, at(constant(True), statement), statement))
            return
        for inner in blocks(statement):
            if not (isinstance(statement, LOOPS) and inner is statement.body):
                _flag_breaks(inner, flag)
        position += 1
