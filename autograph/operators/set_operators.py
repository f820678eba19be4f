"""Operators of sets and dicts in C whose right operand is staged; used by ``special_methods``, and
by converted code for frozensets.

    ALLOWED <= {n, 2}    where ALLOWED is of a class of the program, derived from frozenset

What Python would return as a frozenset, or change in place, is refused.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial
from typing import Any, NoReturn

from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError
from autograph.operators import map_keys
from autograph.operators.base_views import base_view
from autograph.operators.set_methods import VIEWS
from autograph.operators.special_methods import COMBINED
from autograph.staging.staged_map import StagedMap, TracedSet

Combine = Callable[[Any, Any], Any]


def no_frozenset(*args: Any, **kwargs: Any) -> NoReturn:
    """Refuse to make a frozenset."""
    raise ConcreteValueError(
        "a frozenset of staged items is not supported", where=user_line(), help="use set()"
    )


def _of_bases(apply: Combine, left: Any, right: Any) -> Any:
    return apply(base_view(left), right)


def _change(holder: Any, other: Any) -> NoReturn:
    raise map_keys.change_of(holder)


_COMPARED: dict[str, Combine] = {
    f"__{apply.__name__}__": partial(_of_bases, apply)
    for apply in (operator.le, operator.lt, operator.ge, operator.gt)
}
_MADE = {
    f"__{name}__": partial(_of_bases, getattr(operator, f"__{name}__"))
    for name in ("and", "or", "sub", "xor")
}
_CHANGED: dict[str, Combine] = {f"__i{name}__": _change for name in ("and", "or", "sub", "xor")}

_SIGNS: dict[str, Combine] = {
    "<=": operator.le, "<": operator.lt, ">=": operator.ge, ">": operator.gt,
    "&": operator.and_, "|": operator.or_, "-": operator.sub, "^": operator.xor,
    "&=": operator.iand, "|=": operator.ior, "-=": operator.isub, "^=": operator.ixor,
}  # fmt: skip


def of_sets(left: Any, sign: str, right: Any) -> Any:
    """``left sign right`` where the left operand may be a frozenset, or a view of a dict."""
    is_view = isinstance(left, VIEWS)
    if not (is_view or type(left) is frozenset) or not isinstance(right, StagedMap):
        return _SIGNS[sign](left, right)
    if sign[0] in "&|-^" and not is_view:
        no_frozenset()
    return _SIGNS[sign](TracedSet(left), right)


COMBINED.update({
    set: {**_COMPARED, **_MADE, **_CHANGED},
    frozenset: {**_COMPARED, **dict.fromkeys(_MADE, no_frozenset)},
    dict: {"__or__": _MADE["__or__"], "__ior__": _change},
})  # fmt: skip
