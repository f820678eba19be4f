"""Contexts of strategies: what a program, or the function that ``run`` calls, asks about replicas.

There is one replica, so that its values are those of all.
"""

from __future__ import annotations

import enum
import threading
from typing import TYPE_CHECKING, Any

from runtime.ops.array.constants import constant

if TYPE_CHECKING:
    from runtime.distribute.strategy import Strategy

__all__ = ["InputContext", "ReduceOp", "ReplicaContext"]


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
    """Context of the function that ``strategy.run`` calls."""

    num_replicas_in_sync = 1

    def __init__(self, strategy: Strategy) -> None:
        self.strategy = strategy

    @property
    def replica_id_in_sync_group(self) -> Any:
        """Number of the replica: an int32 tensor."""
        return constant(0)

    @property
    def devices(self) -> tuple[str, ...]:
        """Names of the devices of the replica."""
        return (self.strategy.device,)

    def all_reduce(self, reduce_op: Any, value: Any, options: Any = None) -> Any:
        """Return the sums or means over the replicas, which are the values."""
        reduction(reduce_op)
        return value

    def all_gather(self, value: Any, axis: int, options: Any = None) -> Any:
        """Return the values of all replicas along an axis, which are the value."""
        return value

    def merge_call(self, merge_fn: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Call a function of the strategy and the values of all replicas."""
        with entered(self.strategy, None):
            return merge_fn(self.strategy, *args, **(kwargs or {}))


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

    def __exit__(self, *error: object) -> None:
        ENTERED.levels.pop()
