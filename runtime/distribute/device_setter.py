"""``replica_device_setter``: variables go to parameter servers, all else to a worker."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.distribute.cluster_spec import ClusterSpec
from runtime.ops.resource.variable import VariableStorage
from runtime.types.device_spec import DeviceSpec

__all__ = ["replica_device_setter"]


def replica_device_setter(
    ps_tasks: int = 0, ps_device: str = "/job:ps", worker_device: str = "/job:worker",
    merge_devices: bool = True, cluster: Any = None, ps_ops: Any = None,
    ps_strategy: Callable[[Any], int] | None = None,
) -> Callable[[Any], str] | None:  # fmt: skip
    """Return a function for ``device``, which places variables on the tasks of a job in turn.

    Args:
        ps_tasks: number of tasks of the job ``ps``; ``cluster``, a ClusterSpec, may say it.
        ps_device: device of the parameter servers, with their job.
        worker_device: device of everything else.
        merge_devices: has no effect: devices of inner blocks always count.
        cluster: ClusterSpec, or what makes one.
        ps_ops: not used: variables, and nothing else, are placed on parameter servers.
        ps_strategy: function from an operation to the number of a task; by default in turn.
    Returns:
        Function from an operation to a device; None without parameter servers.
    Raises:
        TypeError: ``ps_strategy`` is no function, or ``cluster`` no description of a cluster.
    """
    job = DeviceSpec.from_string(ps_device).job or "ps"
    if cluster is not None:
        spec = ClusterSpec(cluster)
        ps_tasks = spec.num_tasks(job) if job in spec.jobs else 0
    if ps_tasks == 0:
        return None
    if ps_strategy is not None and not callable(ps_strategy):
        raise TypeError("ps_strategy must be callable")
    return _DeviceSetter(ps_tasks, ps_device, worker_device, ps_strategy)


class _DeviceSetter:
    """Function from an operation to its device, which remembers the variables that it placed."""

    def __init__(
        self, ps_tasks: int, ps_device: str, worker_device: str,
        strategy: Callable[[Any], int] | None,
    ) -> None:  # fmt: skip
        self._count = ps_tasks
        self._ps = DeviceSpec.from_string(ps_device)
        self._worker = DeviceSpec.from_string(worker_device)
        self._strategy = strategy
        self._next = 0
        self._placed: dict[VariableStorage, str] = {}

    def __call__(self, operation: Any) -> str:
        """Return the device of an operation."""
        asked = DeviceSpec.from_string(operation.device)
        storage = operation.attrs.get("storage")
        if not isinstance(storage, VariableStorage):
            return self._worker.make_merged_spec(asked).to_string()
        if storage not in self._placed:
            self._placed[storage] = self._of_variable(operation, asked, storage)
        return self._placed[storage]

    def _of_variable(self, operation: Any, asked: DeviceSpec, storage: VariableStorage) -> str:
        """Return the device of a variable: that of its first operation, if it has one already."""
        for earlier in operation.graph.operations:
            if earlier.attrs.get("storage") is storage:
                return str(earlier.device)
        place = self._ps
        if place.task is None and asked.task is None:
            chosen = self._next if self._strategy is None else self._strategy(operation)
            self._next = (self._next + 1) % self._count
            place = place.replace(task=chosen)
        return place.make_merged_spec(asked).to_string()
