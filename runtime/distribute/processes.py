"""Collectives of processes, and the context of the replica that each of them runs.

Eagerly and in graphs they are the ops of process_ops.py.  multi_worker.py is the strategy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.distribute.collectives import NESTED
from runtime.distribute.contexts import ReduceOp, ReplicaContext, reduction
from runtime.distribute.process_group import ProcessGroup
from runtime.distribute.process_ops import (
    process_first_op,
    process_gather_op,
    process_sums_op,
)
from runtime.graph.func_graph import FuncGraph
from runtime.graph.trace import current_graph
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.state.indexed_slices import IndexedSlices
from runtime.types import treedef
from runtime.types.dtypes import int8


class ProcessCollectives:
    """Collectives of the processes of a job, each of which runs one replica."""

    def __init__(self, group: ProcessGroup) -> None:
        self.count = group.count
        self._outer = current_graph()

    def _check(self) -> None:
        """RuntimeError within a branch or loop of a replica, which processes may not agree about.
        """
        graph = current_graph()
        while isinstance(graph, FuncGraph) and graph is not self._outer:
            if graph.kind != "function":
                raise RuntimeError(NESTED.format(graph.title))
            graph = graph.outer_graph

    def all_reduce(self, value: Any, mean: bool) -> Any:
        """Return the sum or mean."""
        return self.sums([value], mean)[0]

    def sums(self, values: Sequence[Any], mean: bool) -> Sequence[Any]:
        """Return the sums or means of several values, which travel together."""
        self._check()
        return summed_over_processes(values, mean)

    def all_gather(self, value: Any, axis: int) -> Any:
        """Return the values along an axis."""
        self._check()
        return gathered_from_processes(value, axis)

    def first(self, value: Any) -> Any:
        """Return the value of the first replica."""
        self._check()
        return of_first_process(value)

    def merge(self, function: Callable[..., Any], args: Sequence[Any], kwargs: Any) -> Any:
        """Call the function in each process, with its own values."""
        self._check()
        return function(*args, **kwargs)


def summed_over_processes(values: Sequence[Any], mean: bool) -> Sequence[Any]:
    """Return the sums or means of tensors over the processes."""
    tensors = [convert_to_tensor(value) for value in values]
    sums: Sequence[Any] = process_sums_op(*tensors, mean=mean) if tensors else ()
    return sums


def gathered_from_processes(value: Any, axis: int) -> Any:
    """Return the values of all processes along an axis."""
    tensor = convert_to_tensor(value)
    if tensor.dtype.is_bool:
        return cast(process_gather_op(cast(tensor, int8), axis=axis), tensor.dtype)
    return process_gather_op(tensor, axis=axis)


def of_first_process(value: Any) -> Any:
    """Return the value of the first process."""
    return process_first_op(convert_to_tensor(value))


class ProcessContext(ReplicaContext):
    """Context of the replica that this process runs."""

    @property
    def collectives(self) -> Any:
        """What the processes do together, eagerly and in graphs."""
        return self._collectives

    @property
    def devices(self) -> tuple[str, ...]:
        """Names of the devices of the replica."""
        return self.strategy.extended.worker_devices

    def all_reduce(self, reduce_op: Any, value: Any, options: Any = None) -> Any:
        """Return the sums or means of values over the replicas: a nest of tensors or IndexedSlices.

        Tensors of a nest travel together.  ValueError for another reduction than ReduceOp's.
        """
        mean = reduction(reduce_op) is ReduceOp.MEAN
        leaves, layout = treedef.flatten(value, lambda leaf: isinstance(leaf, IndexedSlices))
        dense = [n for n, leaf in enumerate(leaves) if not isinstance(leaf, IndexedSlices)]
        sums = self.collectives.sums([leaves[n] for n in dense], mean)
        for n, total in zip(dense, sums, strict=True):
            leaves[n] = total
        for n, leaf in enumerate(leaves):
            if isinstance(leaf, IndexedSlices):
                leaves[n] = self._sum_of_slices(leaf, mean)
        return layout.unflatten(leaves)

    def _sum_of_slices(self, value: IndexedSlices, mean: bool) -> IndexedSlices:
        """Return the rows of all replicas."""
        rows = self.collectives.all_gather(value.values, 0)
        if mean:
            rows = rows / convert_to_tensor(self.num_replicas_in_sync, rows.dtype)
        return IndexedSlices(rows, self.collectives.all_gather(value.indices, 0), value.dense_shape)
