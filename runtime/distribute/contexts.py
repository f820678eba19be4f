"""Contexts of strategies: what a program, or a function that ``run`` calls, asks about replicas."""

from __future__ import annotations

import enum
import threading
from typing import TYPE_CHECKING, Any

from runtime.distribute.collectives import (
    Collectives,
    NoCollectives,
    RecordedCollectives,
    reduced,
)
from runtime.graph.trace import current_graph
from runtime.ops import dispatch
from runtime.ops.array.constants import constant
from runtime.staging.conversion import converted_in_turn
from runtime.state.indexed_slices import IndexedSlices
from runtime.types import nest, treedef

if TYPE_CHECKING:
    from runtime.distribute.strategy import Strategy

__all__ = ["InputContext", "ReduceOp", "ReplicaContext"]


ALONE = NoCollectives()


class ReduceOp(enum.Enum):
    """How values of replicas are joined: their sum or their mean."""

    SUM = "SUM"
    MEAN = "MEAN"


def reduction(reduce_op: Any) -> ReduceOp:
    """Return a member of ReduceOp, or the one of that name; ValueError for others."""
    return ReduceOp(reduce_op.upper()) if isinstance(reduce_op, str) else ReduceOp(reduce_op)


class InputContext:
    """What a function that makes a dataset may ask: how many workers and replicas share it."""

    def __init__(
        self, num_input_pipelines: int = 1, input_pipeline_id: int = 0,
        num_replicas_in_sync: int = 1,
    ) -> None:
        self.num_input_pipelines = num_input_pipelines
        self.input_pipeline_id = input_pipeline_id
        self.num_replicas_in_sync = num_replicas_in_sync

    def get_per_replica_batch_size(self, global_batch_size: int) -> int:
        """Return the batch size of a replica; ValueError if the batch cannot be divided."""
        if global_batch_size % self.num_replicas_in_sync:
            raise ValueError(
                f"The `global_batch_size` {global_batch_size!r} is not divisible by "
                f"`num_replicas_in_sync` {self.num_replicas_in_sync!r} "
            )
        return global_batch_size // self.num_replicas_in_sync


class ReplicaContext:
    """Context of the function that ``strategy.run`` calls for a replica."""

    def __init__(
        self, strategy: Strategy, replica_id_in_sync_group: Any = 0,
        collectives: Collectives = ALONE,
    ) -> None:
        self.strategy = strategy
        self._collectives = collectives
        self._number = replica_id_in_sync_group

    @property
    def collectives(self) -> Collectives:
        """What the replicas do together, where the program is now: eagerly or in a graph."""
        collectives = self._collectives
        if collectives.count > 1 and current_graph() is not None:
            return RecordedCollectives(collectives.count)
        return collectives

    @property
    def key(self) -> Any:
        """Number of the replica, if it is known while functions are traced; else None."""
        return self._number if isinstance(self._number, int) else None

    @property
    def num_replicas_in_sync(self) -> int:
        """Number of replicas."""
        return self._collectives.count

    @property
    def replica_id_in_sync_group(self) -> Any:
        """Number of the replica: an int32 tensor."""
        return constant(self._number) if isinstance(self._number, int) else self._number

    @property
    def devices(self) -> tuple[str, ...]:
        """Names of the devices of the replica."""
        names = self.strategy.extended.worker_devices
        return (names[self._number] if isinstance(self._number, int) else names[0],)

    def all_reduce(self, reduce_op: Any, value: Any, options: Any = None) -> Any:
        """Return the sums or means of values over the replicas: a nest of tensors or IndexedSlices.

        ValueError for another reduction than ReduceOp's.
        """
        mean = reduction(reduce_op) is ReduceOp.MEAN
        if self._collectives.count == 1:
            return value
        leaves, layout = treedef.flatten(value, lambda leaf: isinstance(leaf, IndexedSlices))
        return layout.unflatten([reduced(self.collectives, leaf, mean) for leaf in leaves])

    def all_gather(self, value: Any, axis: int, options: Any = None) -> Any:
        """Return the values of all replicas, in their order, along an axis."""
        if self._collectives.count == 1:
            return value
        return nest.map_structure(lambda leaf: self.collectives.all_gather(leaf, axis), value)

    def merge_call(self, merge_fn: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Call a function once for all replicas: of the strategy, and what each replica passes."""

        def call(*joint: Any, **named: Any) -> Any:
            with entered(self.strategy, None):
                return converted(self.strategy, *joint, **named)

        converted = converted_in_turn(merge_fn)
        return self.collectives.merge(call, args, kwargs or {})

    def __repr__(self) -> str:
        return f"<ReplicaContext {self._number} of {self.num_replicas_in_sync}>"


class _Entered(threading.local):
    """Strategies that a thread has entered, each with the context of a replica or None."""

    def __init__(self) -> None:
        self.levels: list[tuple[Strategy, ReplicaContext | None]] = []


ENTERED = _Entered()


class entered:
    """Context manager within which a strategy, and maybe the context of a replica, is current."""

    def __init__(self, strategy: Strategy, replica: ReplicaContext | None) -> None:
        self._level = strategy, replica

    def __enter__(self) -> None:
        ENTERED.levels.append(self._level)
        strategy, replica = self._level
        thread = dispatch.THREAD
        self._before = thread.replica_update, thread.trace_context
        several = replica is not None and replica.num_replicas_in_sync > 1
        thread.replica_update = strategy.update_in_replica if several else None
        thread.trace_context = ("replica", strategy, replica.key) if several and replica else None

    def __exit__(self, *error: object) -> None:
        ENTERED.levels.pop()
        dispatch.THREAD.replica_update, dispatch.THREAD.trace_context = self._before
