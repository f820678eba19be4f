"""What recordings of JAX's compute: questions about their equations, for ``jax``."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import jax
import numpy as np
from jax._src import core, dtypes

_asked: Any = weakref.WeakSet()
"""Traces in which Python has seen whether a number is weak."""


def number_kind(aval: Any) -> type | None:
    """The type of the Python number that a value stands for: a weak scalar, or a bool."""
    if aval.shape or not (aval.weak_type or aval.dtype == bool):
        return None
    return {"b": bool, "i": int, "u": int, "f": float, "c": complex}.get(aval.dtype.kind)


def kind_of_tracer(value: Any) -> type | None:
    """The type of the Python number that a tracer stands for."""
    kind = number_kind(jax.typeof(value))
    trace = None if kind is bool else core.trace_ctx.trace
    while trace is not None:
        _asked.add(trace)
        trace = getattr(trace, "parent_trace", None)
    return kind


def recorded_as(value: Any) -> tuple[Any, Sequence[Any]]:
    """Return the innermost tracer that a value is, and what an equation computed it from."""
    while isinstance(value, core.Tracer):
        inner = getattr(value, "primal", getattr(value, "val", None))
        full = value.full_lower()  # type: ignore[no-untyped-call]
        if not isinstance(full, core.Tracer):
            return value, ()
        if full is not value or isinstance(inner, core.Tracer):
            value = inner if full is value else full
            continue
        equation = getattr(value, "parent", None)
        tracers = () if equation is None else equation.in_tracers
        return value, [_operand(tracer) for tracer in tracers]
    return value, ()


def _operand(tracer: Any) -> Any:
    """Return an operand; a literal as Python's number, which JAX makes one of an array's dtype."""
    literal = isinstance(tracer.val, core.Literal)
    return np.asarray(tracer.val.val).item() if literal else tracer


def inner_jaxprs(equation: Any) -> list[Any]:
    """Return the jaxprs among the parameters of an equation."""
    parts = jax.tree.leaves(list(equation.params.values()), is_leaf=lambda v: hasattr(v, "eqns"))
    return [getattr(part, "jaxpr", part) for part in parts if hasattr(part, "eqns")]


def divides(equation: Any) -> bool:
    """Whether an equation, or one in it, divides."""
    if equation.primitive.name in ("div", "rem", "pow"):
        return True
    return any(divides(part) for jaxpr in inner_jaxprs(equation) for part in jaxpr.eqns)


def retype(trace: Any, inputs: Sequence[Any], specs: Sequence[Any], outputs: Sequence[Any]) -> bool:
    """Make weak inputs of a trace strong, of the same dtypes, if nothing that it does depends on
    that; return whether.
    """
    pairs = list(zip(inputs, specs, strict=True))
    equations = trace.frame.get_eqns()
    if trace in _asked or any(equation.effects for equation in equations):
        return False
    if any(value.aval != spec.update(weak_type=value.aval.weak_type) for value, spec in pairs):
        return False
    turned = {value.val for value, spec in pairs if value.aval != spec}
    weak = {var.aval.dtype for var in turned}
    _add_dependent(equations, turned, weak)
    tracers: list[Any] = [v for v in outputs if isinstance(v, core.Tracer) and v._trace is trace]
    variables: list[Any] = [v.val for v in tracers if isinstance(v.val, core.Var)]  # no literals
    if any(variable.aval.weak_type and variable in turned for variable in variables):
        return False  # in another turn it might be strong, too
    if not _join_alike(weak, _avals(equations)):
        return False
    for value, spec in pairs:
        value.val.aval = spec
    return True


def _add_dependent(equations: Sequence[Any], variables: set[Any], weak: set[Any]) -> None:
    """Add what depends on variables to them, and the dtypes of what is weak of it."""
    for equation in equations:
        touched = [isinstance(atom, core.Var) and atom in variables for atom in equation.invars]
        if not any(touched):
            continue
        reached = [True] * len(equation.outvars)
        inner, passes_on = inner_jaxprs(equation), equation.primitive.name in ("cond", "jit")
        if passes_on:
            reached = [equation.primitive.name == "cond" and touched[0]] * len(reached)
        for jaxpr in inner:
            within = set(jaxpr.invars)
            if passes_on:
                given = zip(jaxpr.invars, touched[-len(jaxpr.invars) :], strict=False)
                within = {var for var, is_touched in given if is_touched}
            _add_dependent(jaxpr.eqns, within, weak)
            if passes_on:
                reached = [now or isinstance(atom, core.Var) and atom in within
                           for now, atom in zip(reached, jaxpr.outvars, strict=True)]  # fmt: skip
        variables.update(var for var, now in zip(equation.outvars, reached, strict=True) if now)
        avals: list[Any] = [var.aval for var in equation.outvars]
        weak.update(aval.dtype for aval in avals if getattr(aval, "weak_type", False))


def _avals(equations: Iterable[Any]) -> Iterator[Any]:
    """Describe the values in equations, also in those within."""
    for equation in equations:
        for atom in (*equation.invars, *equation.outvars):
            yield atom.aval
        for jaxpr in inner_jaxprs(equation):
            yield from _avals(jaxpr.eqns)


def _join_alike(weak: Iterable[Any], avals: Iterable[Any]) -> bool:
    """Whether values join to the same dtypes with such of ``weak`` dtypes, weak or not."""
    every = {aval.dtype for aval in avals if hasattr(aval, "dtype")}
    try:
        return all(
            dtypes.lattice_result_type(_weak(x), y)[0] == dtypes.promote_types(x, y)
            for x in weak for y in every
        )  # fmt: skip
    except (TypeError, ValueError):  # dtypes that do not join, such as those of keys
        return False


def _weak(dtype: Any) -> Any:
    """Return what JAX takes for a weak value."""
    return SimpleNamespace(dtype=dtype, aval=core.ShapedArray((), dtype, weak_type=True))
