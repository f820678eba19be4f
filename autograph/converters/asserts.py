"""``assert``: a staged test is checked at run time.

    assert x > 0, 'text'   =>   assert ag__.assert_stmt(x > 0, lambda: 'text'), 'text'

The statement stays, so ``python -O`` removes it and a plain failure is raised where it was.
"""

from __future__ import annotations

import copy

import gast

from autograph.converters.expression_rewriter import ExpressionContext, moves
from autograph.syntax.templates import ag_call, thunk


def _assert(node: gast.Assert, context: ExpressionContext) -> gast.AST:
    args = [node.test]
    if node.msg is not None:
        if context.in_class or not moves(node.msg):
            return node
        args.append(thunk(copy.deepcopy(node.msg)))
    node.test = ag_call("assert_stmt", node.test, *args)
    return node


RULES = {gast.Assert: _assert}
