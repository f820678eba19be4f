"""What Keras does in the replicas of a strategy: losses are shares of the global one, updates are
made once for all.

With one replica, or without a strategy, nothing of this happens.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.distribute.contexts import ReplicaContext
from runtime.distribute.strategy import get_replica_context
from runtime.state.scatter_update import VariableAggregation

AGGREGATIONS = {
    None: VariableAggregation.NONE, "none": VariableAggregation.NONE,
    "mean": VariableAggregation.MEAN, "sum": VariableAggregation.SUM,
    "only_first_replica": VariableAggregation.ONLY_FIRST_REPLICA,
}  # fmt: skip


def aggregation_of(name: Any) -> VariableAggregation:
    """Return the aggregation of a name, None or a member of ``VariableAggregation``.

    ValueError for another name.
    """
    if isinstance(name, VariableAggregation):
        return name
    if name not in AGGREGATIONS:
        raise ValueError(
            "Invalid value for argument `aggregation`. Expected one of `None`, "
            f"{', '.join(map(repr, list(AGGREGATIONS)[1:]))}. Received: aggregation={name}"
        )
    return AGGREGATIONS[name]


def one_of_several() -> ReplicaContext | None:
    """Return the context of the replica, if it is one of several."""
    replica = get_replica_context()
    return None if replica is None or replica.num_replicas_in_sync == 1 else replica


def scaled_loss(loss: Any) -> Any:
    """Return the share of a mean over a replica's samples in the mean over those of all."""
    replica = one_of_several()
    return loss if replica is None else loss / float(replica.num_replicas_in_sync)


def unscaled_loss(loss: Any) -> Any:
    """Return the mean over a replica's samples of its share."""
    replica = one_of_several()
    return loss if replica is None else loss * float(replica.num_replicas_in_sync)


def summed(values: Any) -> Any:
    """Return the sums over the replicas of a nest of tensors."""
    replica = one_of_several()
    return values if replica is None else replica.all_reduce("SUM", values)


def once(update: Callable[[], Any]) -> Any:
    """Call a function once for all replicas, which changes variables by values that all share."""
    replica = one_of_several()
    return update() if replica is None else replica.merge_call(lambda strategy: update())
