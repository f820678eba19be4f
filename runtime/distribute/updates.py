"""Assignments of replicas to a variable: what its aggregation makes of the values of all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from runtime.distribute.contexts import ReplicaContext
from runtime.graph.trace import current_graph
from runtime.ops.array.constants import convert_to_tensor
from runtime.state.scatter_update import VariableAggregation
from runtime.types.errors import UnimplementedError

if TYPE_CHECKING:
    from runtime.distribute.strategy import Strategy


def assign_in_replica(
    replica: ReplicaContext, variable: Any, how: str, value: Any, name: str | None,
    read_value: bool,
) -> Any:  # fmt: skip
    """Assign to a variable what its aggregation makes of the values of all replicas.

    ValueError without an aggregation, and for a variable made outside of ``scope``.
    """
    strategy = replica.strategy
    if not strategy._owns(variable):
        raise ValueError(
            f"the variable {variable.name!r} is assigned in a replica, but was not made in the "
            "scope of its strategy. Make it within `with strategy.scope():`"
        )
    if how not in ("assign", "assign_add", "assign_sub"):
        raise UnimplementedError(
            f"a part of the variable {variable.name!r} is assigned in a replica. Assign the "
            "whole value, or the part in the function of "
            "tf.distribute.get_replica_context().merge_call(...)"
        )
    delta = _aggregated(replica, variable, convert_to_tensor(value, variable.dtype))

    def assign(strategy: Strategy) -> None:
        getattr(variable, how)(delta, name=name)

    replica.merge_call(assign)
    if not read_value:
        return None
    return variable if current_graph() is None else variable.read_value()


_NO_AGGREGATION = (
    "You must specify an aggregation method to update the variable {!r} of a {} in "
    "Replica Context. You can do so by passing an explicit value for argument `aggregation` to "
    "tf.Variable(..).e.g. `tf.Variable(..., aggregation=tf.VariableAggregation.SUM)`. This is "
    "required because its copies should always be kept in sync: what replicas assign is "
    "aggregated. Another alternative is to update it in cross replica context, in the function of "
    "`tf.distribute.get_replica_context().merge_call(merge_fn, ..)`."
)


def _aggregated(replica: ReplicaContext, variable: Any, value: Any) -> Any:
    """Return what replicas assign together."""
    aggregation = variable.aggregation
    if aggregation is VariableAggregation.NONE:
        name = type(replica.strategy).__name__
        raise ValueError(_NO_AGGREGATION.format(variable.name, name))
    if aggregation is VariableAggregation.ONLY_FIRST_REPLICA:
        return replica.collectives.first(value)
    return replica.collectives.all_reduce(value, aggregation is VariableAggregation.MEAN)
