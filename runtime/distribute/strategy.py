"""Strategies of one replica, and what is asked about the current strategy."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from runtime.devices.scope import device as device_scope
from runtime.distribute.contexts import (
    ENTERED,
    InputContext,
    ReduceOp,
    ReplicaContext,
    entered,
    reduction,
)
from runtime.distribute.updates import assign_in_replica
from runtime.engine.device_registry import CPU, REGISTRY
from runtime.ops.array.constants import convert_to_tensor
from runtime.ops.math.reduction import reduce_mean, reduce_sum
from runtime.staging.conversion import converted_in_turn
from runtime.types import nest
from runtime.types.device_spec import DeviceSpec

__all__ = [
    "OneDeviceStrategy", "Strategy", "StrategyExtended", "get_replica_context", "get_strategy",
    "has_strategy", "in_cross_replica_context",
]  # fmt: skip


class Strategy:
    """Strategy of one replica, on one device, or wherever the scopes around say."""

    def __init__(self, device: str = "") -> None:
        self._device = device

    @property
    def device(self) -> str:
        """Full name of the device."""
        spec = DeviceSpec.from_string(self._device)
        return CPU.name if spec.device_type is None else REGISTRY.placed(spec).name

    @property
    def num_replicas_in_sync(self) -> int:
        """Number of replicas."""
        return 1

    @property
    def extended(self) -> StrategyExtended:
        """Further methods, for libraries."""
        return StrategyExtended(self)

    @property
    def _devices(self) -> tuple[str, ...]:
        """Names of the devices of the replicas."""
        return (self.device,)

    @contextlib.contextmanager
    def scope(self) -> Iterator[Strategy]:
        """Make variables of the block on the device; the strategy is the current one in it.

        RuntimeError within the scope of another one.
        """
        current = get_strategy()
        if has_strategy() and current is not self:
            raise RuntimeError(
                f"Mixing different tf.distribute.Strategy objects: {current} is not {self}"
            )
        with entered(self, None), self._on_device():
            yield self

    def _on_device(self) -> contextlib.AbstractContextManager[None]:
        return device_scope(self._device) if self._device else contextlib.nullcontext()

    def run(
        self, fn: Callable[..., Any], args: Sequence[Any] = (), kwargs: Any = None,
        options: Any = None,
    ) -> Any:
        """Call a function once for each replica, on its device; return what the calls give."""
        function = converted_in_turn(fn)
        with entered(self, ReplicaContext(self)), self._on_device():
            return function(*args, **(kwargs or {}))

    def reduce(self, reduce_op: Any, value: Any, axis: Any = None) -> Any:
        """Return the sum or mean of the values of the replicas, and over an axis if one is given.

        ValueError for another reduction than ReduceOp's.
        """
        operation = reduction(reduce_op)
        if axis is None:
            return value
        with self._on_device():
            return nest.map_structure(lambda x: reduced_along(operation, x, axis), value)

    def _owns(self, variable: Any) -> bool:
        return bool(variable.device == self.device)

    def update_in_replica(
        self, variable: Any, how: str, value: Any, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Assign to a variable what its aggregation makes of the values of all replicas.

        ValueError without an aggregation, and for a variable made outside of ``scope``.
        """
        replica = get_replica_context()
        assert replica is not None
        return assign_in_replica(replica, variable, how, value, name, read_value)

    def gather(self, value: Any, axis: int) -> Any:
        """Return the values of all replicas along an axis, which are the value."""
        return value

    def experimental_local_results(self, value: Any) -> tuple[Any, ...]:
        """Return the value of each replica, in a tuple."""
        return (value,)

    def experimental_distribute_dataset(self, dataset: Any, options: Any = None) -> Any:
        """Return a dataset whose elements are divided among the replicas: the dataset itself."""
        if not hasattr(dataset, "_variant_tensor"):
            raise TypeError(f"a Dataset is distributed, got {dataset!r}")
        return dataset

    def distribute_datasets_from_function(
        self, dataset_fn: Callable[[InputContext], Any], options: Any = None
    ) -> Any:
        """Return the dataset that a function makes for an InputContext."""
        return dataset_fn(InputContext())

    def experimental_distribute_values_from_function(self, value_fn: Callable[[Any], Any]) -> Any:
        """Return what a function gives for each replica, called with the context of its values."""
        return value_fn(ReplicaContext(self))


class OneDeviceStrategy(Strategy):
    """Strategy that makes variables, and runs functions, on one device."""

    def __init__(self, device: str) -> None:
        super().__init__(device)


def reduced_along(operation: ReduceOp, value: Any, axis: int) -> Any:
    """Return the sum or mean of a tensor over an axis; TypeError unless that is an int."""
    if not isinstance(axis, int):
        raise TypeError(f"axis must be an int or None, got {axis!r}")
    over = reduce_sum if operation is ReduceOp.SUM else reduce_mean
    return over(convert_to_tensor(value), axis=axis)


class StrategyExtended:
    """Methods of a strategy for libraries, which are called where no replica is."""

    def __init__(self, strategy: Strategy) -> None:
        self._strategy = strategy

    @property
    def worker_devices(self) -> tuple[str, ...]:
        """Names of the devices that the replicas run on."""
        return self._strategy._devices

    parameter_devices = worker_devices

    def call_for_each_replica(
        self, fn: Callable[..., Any], args: Sequence[Any] = (), kwargs: Any = None
    ) -> Any:
        """Call a function once for each replica, as ``run`` does."""
        return self._strategy.run(fn, args, kwargs)

    def reduce_to(
        self, reduce_op: Any, value: Any, destinations: Any = None, options: Any = None
    ) -> Any:
        """Return the sum or mean of the values of the replicas; ``destinations`` are not used."""
        return self._strategy.reduce(reduce_op, value)

    def batch_reduce_to(
        self, reduce_op: Any, value_destination_pairs: Sequence[Any], options: Any = None
    ) -> list[Any]:
        """Return the sums or means of several values, of pairs of a value and a destination."""
        return [self.reduce_to(reduce_op, value) for value, _ in value_destination_pairs]

    def update(
        self, var: Any, fn: Callable[..., Any], args: Sequence[Any] = (), kwargs: Any = None,
        group: bool = True,
    ) -> Any:
        """Call a function of a variable and arguments, which changes all copies of the variable."""
        return converted_in_turn(fn)(var, *args, **(kwargs or {}))

    def variable_created_in_scope(self, v: Any) -> bool:
        """Return whether a variable was made in the scope of the strategy."""
        return self._strategy._owns(v)

    def read_var(self, v: Any) -> Any:
        """Return the value of a variable."""
        return v.read_value()

    def value_container(self, value: Any) -> Any:
        """Return the value itself."""
        return value


_DEFAULT = Strategy()


def get_strategy() -> Strategy:
    """Return the strategy whose scope this is, or the default one.

    Returns:
        Strategy.
    """
    return ENTERED.levels[-1][0] if ENTERED.levels else _DEFAULT


def has_strategy() -> bool:
    """Return whether a strategy other than the default one is the current one.

    Returns:
        True or False.
    """
    return get_strategy() is not _DEFAULT


def get_replica_context() -> ReplicaContext | None:
    """Return the context of the function that ``run`` calls; None in the scope of a strategy.

    Returns:
        ReplicaContext, or None.
    """
    return ENTERED.levels[-1][1] if ENTERED.levels else ReplicaContext(_DEFAULT)


def in_cross_replica_context() -> bool:
    """Return whether this is the scope of a strategy, and no function that ``run`` calls.

    Returns:
        True or False.
    """
    return get_replica_context() is None
