"""``MirroredStrategy``: a replica on each of several devices of this process.

Variables have a copy on each device, which are equal: what replicas assign is summed, averaged or
taken from the first one.  In a graph all replicas are one operation, whose function is traced once
and compiled for all devices together; eagerly each runs in a thread, one at a time.
"""

from __future__ import annotations

import contextlib
import functools
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from runtime.autodiff.recorder import Recorder
from runtime.devices.scope import device as device_scope
from runtime.distribute.collectives import (
    REPLICA_GRAPH,
    RecordedCollectives,
    ReplicaTensor,
    ThreadCollectives,
    joined,
    reduced,
    values_of,
)
from runtime.distribute.contexts import InputContext, ReduceOp, ReplicaContext, entered, reduction
from runtime.distribute.datasets import DistributedDataset, distributed
from runtime.distribute.strategy import Strategy, get_replica_context, reduced_along
from runtime.distribute.values import PerReplica, joint_spec, of_replica, regrouped
from runtime.engine.device_group import DeviceGroup
from runtime.engine.device_registry import REGISTRY, Device
from runtime.functions.decorator import function
from runtime.functions.function import Function
from runtime.graph.trace import captured, current_graph, set_outputs, trace
from runtime.ops import dispatch
from runtime.ops.array.concat_split import concat
from runtime.ops.array.constants import convert_to_tensor
from runtime.ops.control_flow.replica_threads import ReplicaThreads
from runtime.ops.control_flow.replicas import replicated_op
from runtime.staging.conversion import converted_in_turn
from runtime.types import nest, treedef
from runtime.types.device_spec import DeviceSpec
from runtime.types.dtypes import int32
from runtime.types.errors import InvalidArgumentError
from runtime.types.shapes import TensorSpec
from runtime.types.value import Value

__all__ = ["MirroredStrategy"]


class MirroredStrategy(Strategy):
    """Strategy of a replica on each device, with equal copies of the variables.

    ``devices`` are names; by default all GPUs, or the CPU if there is none.  On one device it is
    as ``OneDeviceStrategy``.  ``cross_device_ops`` has no effect (cross_device.py).

    InvalidArgumentError for a device that is not there or comes twice.
    """

    def __init__(
        self, devices: Sequence[str] | None = None, cross_device_ops: Any = None
    ) -> None:
        names = [devices] if isinstance(devices, str) else list(devices or _default_devices())
        self._group: DeviceGroup | None = None
        if len(names) > 1:
            self._group = DeviceGroup(_members(names))
            self._group.mesh  # noqa: B018 - raises where members share a device
        super().__init__(names[0])
        self._functions: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()

    @property
    def num_replicas_in_sync(self) -> int:
        """Number of replicas."""
        return 1 if self._group is None else self._group.count

    @property
    def _devices(self) -> tuple[str, ...]:
        if self._group is None:
            return super()._devices
        return tuple(member.name for member in self._group.members)

    def _owns(self, variable: Any) -> bool:
        if self._group is None:
            return super()._owns(variable)
        home = variable._storage.home
        return home is not None and home.device is self._group

    @contextlib.contextmanager
    def scope(self) -> Iterator[Strategy]:
        """Make variables of the block with a copy on each device.

        RuntimeError within the scope of another strategy.
        """
        with super().scope(), self._home_of_variables():
            yield self

    @contextlib.contextmanager
    def _home_of_variables(self) -> Iterator[None]:
        thread = dispatch.THREAD
        before, thread.variable_home = thread.variable_home, self._group
        try:
            yield
        finally:
            thread.variable_home = before

    def _on_device(self) -> contextlib.AbstractContextManager[None]:
        return super()._on_device() if self._group is None else contextlib.nullcontext()

    # -- runs -------------------------------------------------------------------------------------

    def run(
        self, fn: Callable[..., Any], args: Sequence[Any] = (), kwargs: Any = None,
        options: Any = None,
    ) -> Any:
        """Call a function once for each replica; return what the calls give, as ``PerReplica``.

        Each replica gets its value of those ``PerReplica`` among the arguments.  RuntimeError in a
        function that ``run`` calls, and where only some replicas come to exchange values.
        """
        if self._group is None:
            return super().run(fn, args, kwargs, options)
        replica = get_replica_context()
        if replica is not None and replica.num_replicas_in_sync > 1:
            raise RuntimeError("Method requires being in cross-replica context, use "
                               "get_replica_context().merge_call()")  # fmt: skip
        kwargs = dict(kwargs or {})
        if current_graph() is not None:
            return self._recorded(self._group, converted_in_turn(fn), tuple(args), kwargs)
        if isinstance(fn, Function):
            return self._compiled(fn)(tuple(args), kwargs)
        return self._in_threads(self._group, fn, tuple(args), kwargs)

    def _compiled(self, fn: Function) -> Callable[..., Any]:
        """Return a function of graphs whose replicas call another one."""
        compiled = self._functions.get(fn)
        if compiled is None:
            call = functools.partial(self.run, fn)
            compiled = self._functions[fn] = function(lambda args, kwargs: call(args, kwargs))
        return compiled

    def _recorded(
        self, group: DeviceGroup, fn: Callable[..., Any], args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> Any:  # fmt: skip
        """Record the replicas as one operation."""
        leaves, layout = treedef.flatten((args, kwargs))
        places = [n for n, leaf in enumerate(leaves) if isinstance(leaf, PerReplica)]
        columns = [leaves[n]._tensors() for n in places]
        for column in columns:
            _check_count(column, group.count)
        collectives = RecordedCollectives(group.count)

        def replica(number: Any, *own: Any) -> Any:
            mine = leaves.copy()
            for place, tensor in zip(places, own, strict=True):
                mine[place] = tensor
            own_args, own_kwargs = layout.unflatten(mine)
            context = ReplicaContext(self, number, collectives)
            with entered(self, context), self._home_of_variables():
                return fn(*own_args, **own_kwargs)

        specs = [TensorSpec((), int32), *map(joint_spec, columns)]
        graph, result = trace(
            "function", REPLICA_GRAPH, replica, [(spec, False) for spec in specs]
        )
        results, structure = treedef.flatten(result, expand_composites=True)
        is_tensor = [isinstance(leaf, Value) for leaf in results]
        set_outputs(graph, [leaf for leaf, keep in zip(results, is_tensor) if keep])
        rows = [column[n] for n in range(group.count) for column in columns]
        inputs = [*rows, *captured(graph, len(specs))]
        attrs = {"graph": graph, "home": group, "arguments": len(places)}
        recorded = dispatch.apply(replicated_op, inputs, attrs)
        outputs = iter(recorded if any(is_tensor) else ())
        return regrouped([
            structure.unflatten(
                [next(outputs) if keep else leaf for leaf, keep in zip(results, is_tensor)]
            )
            for _ in range(group.count)
        ])  # fmt: skip

    def _in_threads(
        self, group: DeviceGroup, fn: Callable[..., Any], args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> Any:  # fmt: skip
        """Call the function eagerly, each replica in its thread and on its device.

        RuntimeError within a tape, which would record nothing of it.
        """
        if any(isinstance(listener, Recorder) for listener in dispatch.listeners()):
            raise RuntimeError(
                "strategy.run is called within a GradientTape, which records nothing of what "
                "replicas compute: open the tape in the function that runs in them"
            )
        for leaf in nest.flatten((args, kwargs)):
            if isinstance(leaf, PerReplica):
                _check_count(leaf.values, group.count)
        collectives = ThreadCollectives(group.members)

        def replica(index: int) -> Any:
            own_args, own_kwargs = of_replica((args, kwargs), index)
            context = ReplicaContext(self, index, collectives)
            with (
                device_scope(group.members[index].name), entered(self, context),
                self._home_of_variables(),
            ):  # fmt: skip
                return fn(*own_args, **own_kwargs)

        return regrouped(ReplicaThreads(group.count, "merge_call").run(replica))

    # -- values -----------------------------------------------------------------------------------

    def reduce(self, reduce_op: Any, value: Any, axis: Any = None) -> Any:
        """Return the sum or mean of the values of the replicas, and over an axis if one is given.

        ``value`` is what ``run`` gives, or a nest of that.  ValueError for another reduction than
        ReduceOp's.
        """
        if self._group is None:
            return super().reduce(reduce_op, value, axis)
        operation = reduction(reduce_op)
        return nest.map_structure(lambda leaf: self._reduced(operation, leaf, axis), value)

    def _reduced(self, operation: ReduceOp, value: Any, axis: Any) -> Any:
        mean = operation is ReduceOp.MEAN
        if isinstance(value, ReplicaTensor):
            collectives = RecordedCollectives(self.num_replicas_in_sync)
            total = value.joined(lambda tensor: reduced(collectives, tensor, mean))
            return total if axis is None else reduced_along(operation, total, axis)
        values = values_of(value, self.num_replicas_in_sync)
        if axis is None:
            if not isinstance(value, PerReplica) and mean:
                return value
            return joined([convert_to_tensor(x) for x in values], mean)
        sums = [reduced_along(ReduceOp.SUM, x, axis) for x in values]
        if not mean:
            return joined(sums, False)
        counts = [convert_to_tensor(_size_along(x, axis), sums[0].dtype) for x in values]
        return joined(sums, False) / joined(counts, False)

    def gather(self, value: Any, axis: int) -> Any:
        """Return the values of all replicas, in their order, along an axis."""
        if self._group is None:
            return super().gather(value, axis)
        collectives = RecordedCollectives(self.num_replicas_in_sync)

        def gathered(leaf: Any) -> Any:
            if isinstance(leaf, ReplicaTensor):
                return leaf.joined(lambda tensor: collectives.all_gather(tensor, axis))
            values = values_of(leaf, self.num_replicas_in_sync)
            return concat([convert_to_tensor(x) for x in values], axis)

        return nest.map_structure(gathered, value)

    def experimental_local_results(self, value: Any) -> tuple[Any, ...]:
        """Return the value of each replica, in a tuple."""
        if self._group is None:
            return super().experimental_local_results(value)
        if not any(isinstance(leaf, PerReplica) for leaf in nest.flatten(value)):
            return (value,)
        return tuple(of_replica(value, n) for n in range(self._group.count))

    # -- datasets ---------------------------------------------------------------------------------

    def experimental_distribute_dataset(self, dataset: Any, options: Any = None) -> Any:
        """Return the dataset of global batches, each divided among the replicas by its rows.

        ValueError for elements that are no batches.
        """
        checked = super().experimental_distribute_dataset(dataset, options)
        return checked if self._group is None else distributed(checked, self._group.count)

    def distribute_datasets_from_function(
        self, dataset_fn: Callable[[InputContext], Any], options: Any = None
    ) -> Any:
        """Return the dataset that a function makes, whose elements go to one replica each."""
        if self._group is None:
            return super().distribute_datasets_from_function(dataset_fn, options)
        count = self._group.count
        return DistributedDataset(
            dataset_fn(InputContext(num_replicas_in_sync=count)), count, False
        )

    def experimental_distribute_values_from_function(self, value_fn: Callable[[Any], Any]) -> Any:
        """Return what a function gives for each replica, called with the context of its values."""
        if self._group is None:
            return super().experimental_distribute_values_from_function(value_fn)
        count = self._group.count
        return PerReplica([value_fn(ValueContext(n, count)) for n in range(count)])


class ValueContext:
    """What a function that makes a replica's value may ask."""

    def __init__(
        self, replica_id_in_sync_group: int = 0, num_replicas_in_sync: int = 1
    ) -> None:
        self.replica_id_in_sync_group = replica_id_in_sync_group
        self.num_replicas_in_sync = num_replicas_in_sync


def _size_along(value: Any, axis: int) -> int:
    size = convert_to_tensor(value).shape[axis]
    if size is None:
        raise ValueError(
            f"the mean over axis {axis} needs the sizes of the replicas' values: reduce their sums "
            "and divide by the number of all rows"
        )
    return int(size)


def _check_count(values: Sequence[Any], count: int) -> None:
    if len(values) != count:
        raise ValueError(
            f"a PerReplica of {len(values)} values is passed to a strategy of {count} replicas"
        )


def _members(names: Sequence[str]) -> list[Device]:
    """Return the devices of these names; InvalidArgumentError unless they are there, once each."""
    members = []
    for name in names:
        spec = DeviceSpec.from_string(name)
        device = REGISTRY.find(spec) if spec.device_type is not None else None
        if device is None:
            raise InvalidArgumentError(
                f"MirroredStrategy: {name} unknown device. All available devices "
                f"[{REGISTRY.names()}]."
            )
        if device in members:
            raise InvalidArgumentError(
                f"MirroredStrategy: the device {name} comes twice in {list(names)}"
            )
        members.append(device)
    return members


def _default_devices() -> list[str]:
    devices = REGISTRY.devices
    accelerators = [d.short_name for d in devices if d.device_type != "CPU"]
    return accelerators or [d.short_name for d in devices]
