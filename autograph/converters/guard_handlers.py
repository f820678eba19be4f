"""``try``: lets staging errors pass through the user's handlers and ``finally`` blocks.

    except Exception:     =>   except ag__.StagingError:
        ...                        raise
                               except Exception:
                                   ...
    finally:              =>   finally:
        return 1                   ag__.pass_on()
                                   return 1

Handlers of builtin exceptions that no error of staging is an instance of stay as they are.
"""

from __future__ import annotations

import builtins

import gast

from autograph.converters.expression_rewriter import ExpressionContext
from autograph.converters.jump_queries import escaping_block
from autograph.syntax.templates import ag_call, at, operator

_BROAD = (Exception, BaseException, TypeError, NotImplementedError, RuntimeError)
_NARROW = frozenset(
    name for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException) and value not in _BROAD
)  # fmt: skip


def _try(node: gast.Try, context: ExpressionContext) -> gast.AST:
    for position, handler in enumerate(node.handlers):
        if _may_catch(handler.type, context):
            kind = at(operator("StagingError"), handler)
            passing = gast.ExceptHandler(kind, None, [at(gast.Raise(None, None), handler)])
            node.handlers.insert(position, at(passing, handler))
            break
    if node.finalbody and escaping_block(node.finalbody):
        first = node.finalbody[0]
        node.finalbody.insert(0, at(gast.Expr(ag_call("pass_on", first)), first))
    return node


def _may_catch(kind: gast.expr | None, context: ExpressionContext) -> bool:
    """Whether a handler of ``kind`` may catch an error of staging."""
    if isinstance(kind, gast.Tuple):
        return any(_may_catch(item, context) for item in kind.elts)
    narrow = isinstance(kind, gast.Name) and kind.id in _NARROW and context.means_builtin(kind.id)
    return not narrow


RULES = {gast.Try: _try}
