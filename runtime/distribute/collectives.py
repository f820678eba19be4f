"""Collectives: what the replicas of a run do together.

A strategy says by which of these its replicas exchange values: in threads of this process
(:class:`ThreadCollectives`), by operations of a graph (:class:`RecordedCollectives`), or not at
all.  A strategy whose replicas are processes implements :class:`Collectives`, too; everything
else, such as contexts, variables and optimizers, only uses that.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from runtime.autodiff.custom_gradient import custom_gradient
from runtime.devices.scope import device as device_scope
from runtime.distribute.values import PerReplica, regrouped
from runtime.graph.func_graph import FuncGraph
from runtime.graph.operation import SymbolicTensor
from runtime.graph.trace import captured, current_graph, set_outputs, trace
from runtime.ops import dispatch
from runtime.ops.array.concat_split import concat
from runtime.ops.array.constants import convert_to_tensor, identity
from runtime.ops.array.shape import expand_dims
from runtime.ops.control_flow.replica_threads import met
from runtime.ops.control_flow.replicas import all_gather_op, all_reduce_op, merged_op
from runtime.state.indexed_slices import IndexedSlices
from runtime.types import treedef
from runtime.types.errors import UnimplementedError
from runtime.types.value import Value


class Collectives(Protocol):
    """What the replicas of a run do together; each replica calls the methods with its own values.

    Values are tensors; all replicas have to make the same calls in the same order.
    """

    count: int
    """Number of the replicas."""

    def all_reduce(self, value: Any, mean: bool) -> Any:
        """Return the sum, or the mean, of the values of all replicas."""

    def all_gather(self, value: Any, axis: int) -> Any:
        """Return the values of all replicas, in their order, along an axis."""

    def first(self, value: Any) -> Any:
        """Return the value of the first replica."""

    def merge(self, function: Callable[..., Any], args: Sequence[Any], kwargs: Any) -> Any:
        """Call a function once for all replicas; return what it gives, for each of them.

        Where arguments differ between replicas, the function gets them as ``PerReplica`` or
        ``ReplicaTensor``.
        """


class NoCollectives:
    """Collectives of one replica, whose values are those of all."""

    count = 1

    def all_reduce(self, value: Any, mean: bool) -> Any:
        """Return the value."""
        return value

    def all_gather(self, value: Any, axis: int) -> Any:
        """Return the value."""
        return value

    def first(self, value: Any) -> Any:
        """Return the value."""
        return value

    def merge(self, function: Callable[..., Any], args: Sequence[Any], kwargs: Any) -> Any:
        """Call the function."""
        return function(*args, **kwargs)


class ThreadCollectives:
    """Collectives of replicas that run eagerly, each in a thread of its own.

    A function that a replica calls is traced as one of all replicas (:class:`RecordedCollectives`):
    they run the same trace, and meet there.
    """

    def __init__(self, devices: Sequence[Any]) -> None:
        self.count = len(devices)
        self._devices = devices

    def all_reduce(self, value: Any, mean: bool) -> Any:
        """Return the sum or mean; a tensor on the device of the first replica."""

        @custom_gradient
        def total(x: Any) -> Any:
            result = met(lambda values: self._joined(values, mean), x)
            return result, lambda d_result: self.all_reduce(d_result, mean)

        return total(convert_to_tensor(value))

    def _joined(self, values: Sequence[Any], mean: bool) -> Any:
        with self._on_first():
            return joined(values, mean)

    def _on_first(self) -> contextlib.AbstractContextManager[None]:
        return device_scope(self._devices[0].name)

    def all_gather(self, value: Any, axis: int) -> Any:
        """Return the values along an axis; a tensor on the device of the first replica."""

        def gathered(values: Sequence[Any]) -> Any:
            with self._on_first():
                return concat(values, axis)

        def refuse(d_result: Any) -> Any:
            raise UnimplementedError(
                "all_gather has no derivative: gather what its value is computed of, or use "
                "all_reduce"
            )

        return custom_gradient(lambda x: (met(gathered, x), refuse))(convert_to_tensor(value))

    def first(self, value: Any) -> Any:
        """Return the value of the first replica."""
        return met(lambda values: values[0], value)

    def merge(self, function: Callable[..., Any], args: Sequence[Any], kwargs: Any) -> Any:
        """Call the function in the thread that called ``run``."""

        def call(rows: Sequence[Any]) -> Any:
            joint_args, joint_kwargs = regrouped(rows)
            return function(*joint_args, **joint_kwargs)

        return met(call, (tuple(args), dict(kwargs)))


def joined(values: Sequence[Any], mean: bool) -> Any:
    """Return the sum or the mean of tensors."""
    total = values[0]
    for value in values[1:]:
        total = total + value
    if not mean:
        return identity(convert_to_tensor(total))
    count = convert_to_tensor(len(values), total.dtype)
    return total // count if total.dtype.is_integer else total / count


class ReplicaTensor:
    """Values that a tensor of a graph has in all replicas, as ``merge_call`` gives them.

    It is no tensor: ``reduce`` and ``gather`` of the strategy make one of it.
    """

    def __init__(self, tensor: Any) -> None:
        self._tensor = tensor

    @property
    def dtype(self) -> Any:
        """Dtype of the values."""
        return self._tensor.dtype

    @property
    def shape(self) -> Any:
        """Static shape of the values."""
        return self._tensor.shape

    def joined(self, collective: Callable[[Any], Any]) -> Any:
        """Return what a collective makes of it: an operation of the replicas' own graph."""
        with dispatch.as_current(self._tensor.graph):
            return collective(self._tensor)

    def __repr__(self) -> str:
        return f"ReplicaTensor({self._tensor!r})"


NESTED = (
    "`merge_call` called while defining a new graph or a tf.function. This can often happen if the "
    "function `fn` passed to `strategy.run()` uses a control flow statement which contains a "
    "synchronization point, such as aggregating gradients (e.g, optimizer.apply_gradients), "
    "all_reduce, or an assignment to a variable of the strategy. Such a branch or loop ({}) might "
    "run in some replicas only: move what synchronizes out of it."
)


class RecordedCollectives:
    """Collectives of replicas whose function is being recorded in a graph."""

    def __init__(self, count: int) -> None:
        self.count = count

    def _check(self) -> None:
        """RuntimeError within a branch or loop, which replicas may not agree about."""
        graph = current_graph()
        while isinstance(graph, FuncGraph) and graph.name != REPLICA_GRAPH:
            if graph.kind != "function":
                raise RuntimeError(NESTED.format(graph.title))
            graph = graph.outer_graph

    def all_reduce(self, value: Any, mean: bool) -> Any:
        """Return the sum or mean of the tensor's values."""
        self._check()
        return all_reduce_op(convert_to_tensor(value), mean=mean)

    def all_gather(self, value: Any, axis: int) -> Any:
        """Return the tensor's values along an axis."""
        self._check()
        return all_gather_op(convert_to_tensor(value), axis=axis, count=self.count)

    def first(self, value: Any) -> Any:
        """Return the value of the first replica."""
        return self.all_gather(expand_dims(convert_to_tensor(value), 0), 0)[0]

    def merge(self, function: Callable[..., Any], args: Sequence[Any], kwargs: Any) -> Any:
        """Record a call of the function's graph."""
        self._check()
        leaves, layout = treedef.flatten((tuple(args), dict(kwargs)))
        wrapped = [ReplicaTensor(x) if isinstance(x, SymbolicTensor) else x for x in leaves]
        joint_args, joint_kwargs = layout.unflatten(wrapped)
        graph, result = trace(
            "function", "merge_call", lambda: function(*joint_args, **joint_kwargs)
        )
        results, structure = treedef.flatten(result, expand_composites=True)
        tensors = [leaf for leaf in results if isinstance(leaf, Value)]
        set_outputs(graph, tensors)
        recorded = dispatch.apply(merged_op, captured(graph, 0), {"graph": graph})
        outputs = iter(recorded if tensors else ())
        return structure.unflatten(
            [next(outputs) if isinstance(leaf, Value) else leaf for leaf in results]
        )


REPLICA_GRAPH = "replica"
"""Name of the graphs that ``run`` records."""


def reduced(collectives: Collectives, value: Any, mean: bool) -> Any:
    """Return the sums or means over replicas of a tensor or IndexedSlices, whose rows are joined.
    """
    if not isinstance(value, IndexedSlices):
        return collectives.all_reduce(value, mean)
    rows = collectives.all_gather(value.values, 0)
    if mean:
        rows = rows / convert_to_tensor(collectives.count, rows.dtype)
    return IndexedSlices(rows, collectives.all_gather(value.indices, 0), value.dense_shape)


def values_of(value: Any, count: int) -> tuple[Any, ...]:
    """Return the values of the replicas: those of a ``PerReplica``, or the same for each."""
    return value.values if isinstance(value, PerReplica) else (value,) * count
