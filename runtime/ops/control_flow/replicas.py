"""Op definitions of replicas: a graph that runs once for each, and what all of them do together.

The kernels run replicas in threads (replica_threads.py); the engine ``xla`` runs each on a device
of its own.  distribute/ records these ops.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

import numpy as np

from runtime.ops.control_flow.replica_threads import ReplicaThreads, met
from runtime.ops.op import (
    HIGHER_ORDER,
    NUMERIC,
    RAISES,
    READS,
    STATEFUL,
    Missing,
    define,
)
from runtime.ops.rules.inference import same
from runtime.ops.rules.lowering import ByKernel
from runtime.ops.rules.raising import WHATEVER_CALLED_CODE_RAISES
from runtime.ops.rules.samples import case, spread
from runtime.types.dtypes import Array
from runtime.types.shapes import TensorShape, TensorSpec

__all__: list[str] = []

MEETS = ByKernel("it waits for other replicas")


def _replicated(*inputs: Any, graph: Any, home: Any, arguments: int,
                run: Callable[[Any, Sequence[Any]], list[Any]]) -> tuple[Any, ...]:  # fmt: skip
    count = home.count
    shared = inputs[count * arguments :]

    def replica(index: int) -> list[Any]:
        own = inputs[index * arguments : (index + 1) * arguments]
        return run(graph, (np.int32(index), *own, *shared))

    return tuple(chain(*ReplicaThreads(count).run(replica)))


def _replicated_infer(*_: TensorSpec, graph: Any, home: Any, arguments: int) -> tuple[Any, ...]:
    outputs = tuple(TensorSpec(tensor.shape, tensor.dtype) for tensor in graph.outputs)
    return outputs * home.count


replicated_op = define(
    "replicated",
    inputs="*inputs",
    same_dtype_inputs=None,
    kernel=_replicated,
    infer=_replicated_infer,
    grad=Missing("a tape inside of the replica's function records its gradients"),
    node_name="ReplicatedCall",
    traits=(HIGHER_ORDER, RAISES, STATEFUL),
    raises=WHATEVER_CALLED_CODE_RAISES,
    lower=ByKernel("it runs on the devices of a strategy"),
    samples=Missing("it runs graphs"),
    doc="Run ``graph`` once for each replica of ``home``: on its number, on ``arguments`` inputs "
    "of its own, which come in the order of the replicas, and on the rest, which they share; gives "
    "the outputs in the order of the replicas.",
)


def _merged(*inputs: Any, graph: Any, run: Callable[[Any, Sequence[Any]], list[Any]]) -> Any:
    return tuple(met(lambda rows: run(graph, rows[0]), inputs))


merged_op = define(
    "merged",
    inputs="*inputs",
    same_dtype_inputs=None,
    kernel=_merged,
    infer=lambda *_, graph: tuple(TensorSpec(t.shape, t.dtype) for t in graph.outputs),
    grad=Missing("it updates variables, whose past is not followed"),
    node_name="MergeCall",
    traits=(HIGHER_ORDER, RAISES, STATEFUL),
    raises=WHATEVER_CALLED_CODE_RAISES,
    lower=MEETS,
    samples=Missing("it runs graphs"),
    doc="Run ``graph`` once for all replicas, on inputs that are equal in each.",
)


def _joined(values: Sequence[Array], mean: bool) -> Array:
    total = values[0]
    for value in values[1:]:
        total = total + value
    return (total / np.asarray(len(values), total.dtype)).astype(total.dtype) if mean else total


def _all_reduce_grad(value: Any, result: Any, d_result: Any, *, mean: bool) -> tuple[Any, ...]:
    return (all_reduce_op(d_result, mean=mean),)


all_reduce_op: Any = define(
    "all_reduce",
    kernel=lambda value, *, mean: met(lambda values: _joined(values, mean), value),
    infer=lambda value, *, mean: same(value),
    dtype_kinds=NUMERIC,
    grad=_all_reduce_grad,
    node_name="CollectiveReduce",
    traits=(STATEFUL, READS, RAISES),
    lower=MEETS,
    samples=lambda: [case(spread(-3, 3, 2, 3), mean=mean) for mean in (False, True)],
    doc="Sum of a value over the replicas, or its ``mean``; each replica gets it.",
)


def _gathered_infer(value: TensorSpec, *, axis: int, count: int) -> TensorSpec:
    dims = value.shape.dims
    if dims is None:
        return TensorSpec(None, value.dtype)
    sizes = list(dims)
    size = sizes[axis]
    sizes[axis] = None if size is None else size * count
    return TensorSpec(TensorShape(sizes), value.dtype)


all_gather_op = define(
    "all_gather",
    kernel=lambda value, *, axis, count: met(lambda rows: np.concatenate(rows, axis), value),
    infer=_gathered_infer,
    grad=Missing("each replica's share of the gradient is not cut out yet"),
    node_name="CollectiveGather",
    traits=(STATEFUL, READS, RAISES),
    lower=MEETS,
    samples=lambda: [case(spread(-3, 3, 2, 3), axis=1, count=1)],
    doc="Values of all ``count`` replicas along an axis; each replica gets them.",
)
