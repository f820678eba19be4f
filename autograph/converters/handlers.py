"""``except``: errors of staging itself pass through the user's broad handlers.

    except Exception:     =>   except ag__.StagingError:
        ...                        raise
                               except Exception:
                                   ...
"""

from __future__ import annotations

import gast

from autograph.converters.rewriting import Place
from autograph.syntax.templates import at, operator

_BROAD = frozenset(("Exception", "BaseException"))


def _try(node: gast.Try, place: Place) -> gast.AST:
    for position, handler in enumerate(node.handlers):
        if _is_broad(handler.type):
            kind = at(operator("StagingError"), handler)
            passing = gast.ExceptHandler(kind, None, [at(gast.Raise(None, None), handler)])
            node.handlers.insert(position, at(passing, handler))
            break
    return node


def _is_broad(kind: gast.expr | None) -> bool:
    if isinstance(kind, gast.Tuple):
        return any(map(_is_broad, kind.elts))
    return kind is None or (isinstance(kind, gast.Name) and kind.id in _BROAD)


RULES = {gast.Try: _try}
