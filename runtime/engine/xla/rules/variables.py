"""Rules of variables: their values are arguments of the run, and those written are results."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from runtime.engine.xla.interpreter import (
    TRACE,
    PlanInterpreter,
    XLARefusal,
    operation_rule,
    require,
)
from runtime.graph.operation import Operation


def _write(storage: Any, value: Any) -> None:
    if not storage.shape.is_compatible_with(value.shape):
        raise XLARefusal(f"it gives the variable {storage.name!r} another shape")
    TRACE.frames[-1].variables[storage] = jnp.asarray(value)


@operation_rule("read_variable")
def _read_variable(run: PlanInterpreter, node: Operation) -> Any:
    return TRACE.frames[-1].variables[node.attrs["storage"]]


@operation_rule("assign_variable")
def _assign_variable(run: PlanInterpreter, node: Operation, value: Any) -> Any:
    _write(node.attrs["storage"], value)
    return value


@operation_rule("assign_sum")
def _assign_sum(run: PlanInterpreter, node: Operation, delta: Any) -> Any:
    storage = node.attrs["storage"]
    before = TRACE.frames[-1].variables[storage]
    if before.shape != delta.shape:
        raise XLARefusal(f"a sum of another shape is assigned to {storage.name!r}")
    value = before - delta if node.attrs["negative"] else before + delta
    _write(storage, value)
    return value


@operation_rule("count_up_to")
def _count_up_to(run: PlanInterpreter, node: Operation) -> Any:
    storage = node.attrs["storage"]
    before = TRACE.frames[-1].variables[storage]
    require(before < node.attrs["limit"])
    _write(storage, before + jnp.asarray(1, before.dtype))
    return before
