"""Rules of replicas: each runs on a member of a group of devices, by ``jax.shard_map``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import PartitionSpec

from runtime.engine.device_group import AXIS
from runtime.engine.xla.interpreter import (
    TRACE,
    PlanInterpreter,
    XLARefusal,
    is_static,
    new_frame,
    operation_rule,
    require_status,
)
from runtime.graph.operation import Operation

_SPEC: Any = PartitionSpec
EACH, SAME = _SPEC(AXIS), _SPEC()


@operation_rule("replicated")
def _replicated(run: PlanInterpreter, node: Operation, *inputs: Any) -> Any:
    attrs, group = node.attrs, node.attrs["home"]
    graph, size, count = attrs["graph"], attrs["arguments"], group.count
    if TRACE.group is not group:
        raise XLARefusal("its replicas are for other devices")
    shared = inputs[count * size :]
    traced = [x for x in shared if not is_static(x)]
    own = [_stacked(inputs[n : count * size : size]) for n in range(size)]
    outer = TRACE.frames[-1]
    written: list[Any] = []
    is_guarded: list[bool] = []

    def replica(number: Any, own: Sequence[Any], traced: Sequence[Any], variables: Any,
                drawn: Sequence[Any]) -> Any:  # fmt: skip
        values = iter(traced)
        everywhere = [x if is_static(x) else next(values) for x in shared]
        with new_frame(dict(zip(outer.variables, variables, strict=True))) as frame:
            before = dict(frame.variables)
            with TRACE.draws.within_replicas(drawn):
                outputs = run.run_graph(graph, (number[0], *[x[0] for x in own], *everywhere))
            written[:] = [s for s, x in frame.variables.items() if x is not before[s]]
            is_guarded[:] = [not is_static(frame.status)]
            status = jnp.asarray(frame.status)
        if is_guarded[0]:
            status = jax.lax.pmax(status, AXIS)  # type: ignore[no-untyped-call]
        rows = [_row(x) for x in outputs]
        return rows, [frame.variables[storage] for storage in written], status

    compute = jax.shard_map(
        replica, mesh=group.mesh, in_specs=(EACH, EACH, SAME, SAME, EACH),
        out_specs=(EACH, SAME, SAME), check_vma=False,
    )  # fmt: skip
    numbers = jnp.arange(count, dtype=np.int32)
    variables = [jnp.asarray(x) for x in outer.variables.values()]
    rows, values, status = compute(numbers, own, traced, variables, TRACE.draws.of_replicas)
    outer.variables.update(zip(written, values, strict=True))
    if is_guarded[0]:
        require_status(status)
    return [column[number] for number in range(count) for column in rows]


def _stacked(values: Sequence[Any]) -> Any:
    """Return values of the replicas along a new first axis."""
    arrays = [x for x in values if isinstance(x, jax.Array | np.ndarray | np.generic)]
    if len(arrays) < len(values) or len({x.shape for x in arrays}) > 1:
        raise XLARefusal("its replicas take lists, or arrays of several shapes")
    return jnp.stack([jnp.asarray(x) for x in arrays])


def _row(value: Any) -> Any:
    if not isinstance(value, jax.Array | np.ndarray | np.generic):
        raise XLARefusal("its replicas give lists")
    return jnp.asarray(value)[None]


def _meet() -> None:
    """Note that replicas meet; refuse it where they are run by a thread each."""
    if TRACE.draws is None or not TRACE.draws.is_within_replicas:
        raise XLARefusal("it waits for replicas that run elsewhere")
    TRACE.draws.meet()


@operation_rule("merged")
def _merged(run: PlanInterpreter, node: Operation, *inputs: Any) -> Any:
    _meet()
    return run.run_graph(node.attrs["graph"], inputs)


@operation_rule("all_reduce")
def _all_reduce(run: PlanInterpreter, node: Operation, value: Any) -> Any:
    _meet()
    total = jax.lax.psum(jnp.asarray(value), AXIS)  # type: ignore[no-untyped-call]
    if not node.attrs["mean"]:
        return total
    return (total / np.asarray(TRACE.group.count, total.dtype)).astype(value.dtype)


@operation_rule("all_gather")
def _all_gather(run: PlanInterpreter, node: Operation, value: Any) -> Any:
    _meet()
    axis = node.attrs["axis"] % value.ndim
    return jax.lax.all_gather(jnp.asarray(value), AXIS, axis=axis, tiled=True)
