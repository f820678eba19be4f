"""Conditionals and loops of JAX's made of jaxprs as they are, for ``jax``.

JAX's public functions trace the functions that they are handed.  Ours are recordings already: where
nothing in them would change, their jaxprs become those of the operation, and the time to trace them
again is saved.  Where something might, these functions return None: the public ones do it then.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import jax
import numpy as np
from jax import lax
from jax._src import core

Recorded = tuple[Any, Sequence[Any]]
"""A jaxpr, and the values of its constants."""


def bind_cond(
    test: Any, then: Recorded, otherwise: Recorded, values: Sequence[Any]
) -> list[Any] | None:
    """Bind a conditional, whose branches share their constants."""
    sides = (otherwise, then)  # as JAX numbers them
    if not all(_fits(side, values) for side in sides):
        return None
    if _types(then[0].outvars) != _types(otherwise[0].outvars):
        return None
    shared = {id(value): value for _, constants in sides for value in constants}
    branches = []
    for jaxpr, constants in sides:
        constvars = dict(zip(map(id, constants), jaxpr.constvars, strict=True))
        branches.append(_closed(jaxpr, [
            constvars[key] if key in constvars else core.Var(jax.typeof(value))
            for key, value in shared.items()
        ]))  # fmt: skip
    index = lax.convert_element_type(test, np.int32)
    bind: Any = lax.cond_p.bind
    return list(bind(index, *shared.values(), *values, branches=tuple(branches)))


def bind_while(
    test: Recorded, body: Recorded, start: Sequence[Any], name: str
) -> list[Any] | None:
    """Bind a loop; ``name`` is what its body is called in JAX's messages."""
    if not (_fits(test, start) and _fits(body, start) and _keeps_types(body, len(start))):
        return None
    (test_jaxpr, test_values), (body_jaxpr, body_values) = test, body
    named = body_jaxpr.replace(
        debug_info=body_jaxpr.debug_info._replace(func_src_info=name)
    )
    bind: Any = lax.while_p.bind
    return list(bind(
        *test_values, *body_values, *start,
        cond_nconsts=len(test_values), cond_jaxpr=_closed(test_jaxpr, test_jaxpr.constvars),
        body_nconsts=len(body_values), body_jaxpr=_closed(named, named.constvars),
    ))  # fmt: skip


def bind_scan(
    body: Recorded, start: Sequence[Any], sources: Sequence[Any], length: int
) -> list[Any] | None:
    """Bind a loop of so many turns over the items of sources."""
    if jax.__version_info__ >= (0, 11):
        return None  # which has other parameters
    jaxpr, constants = body
    items = [core.mapped_leading_aval(length, jax.typeof(source)) for source in sources]
    if not (_fits(body, start, items) and _keeps_types(body, len(start))):
        return None
    bind: Any = lax.scan_p.bind
    return list(bind(
        *constants, *start, *sources, jaxpr=_closed(jaxpr, jaxpr.constvars), length=length,
        num_consts=len(constants), num_carry=len(start), reverse=False, unroll=1,
    ))  # fmt: skip


def _types(values: Iterable[Any]) -> list[Any]:
    """Describe values; bools, weak ones too, are of one type."""
    avals = [getattr(value, "aval", None) or jax.typeof(value) for value in values]
    return [aval.strip_weak_type() if aval.dtype == bool else aval for aval in avals]


def _fits(recorded: Recorded, values: Sequence[Any], items: Sequence[Any] = ()) -> bool:
    """Whether a recording without effects is one for values of just these types, and for items of
    the types given.
    """
    jaxpr, constants = recorded
    if jaxpr.effects or jaxpr.is_high or jax.config.jax_disable_jit:  # type: ignore[attr-defined]
        return False
    if len(set(map(id, constants))) < len(constants):
        return False
    return _types(jaxpr.invars) == [*_types(values), *items]


def _keeps_types(body: Recorded, size: int) -> bool:
    jaxpr, _ = body
    return _types(jaxpr.outvars) == _types(jaxpr.invars[:size])


def _closed(jaxpr: Any, constants: Sequence[Any]) -> Any:
    """Return a jaxpr whose constants are its first inputs."""
    invars = [*constants, *jaxpr.invars]
    return core.ClosedJaxpr(jaxpr.replace(constvars=(), invars=invars), ())
