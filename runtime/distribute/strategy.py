"""Strategies on one device: ``OneDeviceStrategy``, ``MirroredStrategy``, and the default one."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from runtime.control_flow.convert_callable import converted_in_turn
from runtime.devices.scope import device as device_scope
from runtime.distribute.contexts import (
    ENTERED,
    InputContext,
    ReduceOp,
    ReplicaContext,
    entered,
    reduction,
)
from runtime.engine.device_registry import CPU, REGISTRY
from runtime.ops.array.constants import convert_to_tensor
from runtime.ops.math.reduction import reduce_mean, reduce_sum
from runtime.types import nest
from runtime.types.device_spec import DeviceSpec
from runtime.types.errors import UnimplementedError

__all__ = [
    "MirroredStrategy", "OneDeviceStrategy", "Strategy", "get_replica_context", "get_strategy",
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
        if not isinstance(axis, int):
            raise TypeError(f"axis must be an int or None, got {axis!r}")
        over = reduce_sum if operation is ReduceOp.SUM else reduce_mean
        with self._on_device():
            return nest.map_structure(lambda x: over(convert_to_tensor(x), axis=axis), value)

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


class MirroredStrategy(Strategy):
    """Strategy of a copy of the model on each device; one device is offered.

    ``devices`` are names; by default the GPU, or the CPU if there is none.  UnimplementedError for
    several.
    """

    def __init__(
        self, devices: Sequence[str] | None = None, cross_device_ops: Any = None
    ) -> None:
        chosen = [devices] if isinstance(devices, str) else devices or _default_devices()
        if len(chosen) > 1:
            raise UnimplementedError(
                f"MirroredStrategy on {len(chosen)} devices ({', '.join(chosen)}) is not offered: "
                f"it runs on one. Name it, MirroredStrategy([{chosen[0]!r}]), or let "
                "tf.config.set_visible_devices show one; parts of a graph run on several devices "
                "with tf.device"
            )
        super().__init__(chosen[0])


def _default_devices() -> list[str]:
    devices = REGISTRY.devices
    accelerators = [d.short_name for d in devices if d.device_type != "CPU"]
    return accelerators or [d.short_name for d in devices]


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
