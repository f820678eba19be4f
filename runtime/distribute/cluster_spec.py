"""``ClusterSpec``: the tasks of a cluster, by job; what ``TF_CONFIG`` says about this process."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

__all__ = ["ClusterSpec", "SimpleClusterResolver", "TFConfigClusterResolver"]


class ClusterSpec:
    """Addresses of the tasks of each job of a cluster.

    ``cluster`` maps names of jobs to lists of addresses, or to dicts from the numbers of tasks to
    addresses; or it is another ClusterSpec.  TypeError for anything else.
    """

    def __init__(self, cluster: Any) -> None:
        if isinstance(cluster, ClusterSpec):
            cluster = cluster.as_dict()
        if not isinstance(cluster, Mapping):
            raise TypeError(
                "`cluster` must be a dictionary mapping one or more job names to lists of network "
                f"addresses, or a `ClusterSpec`, got {cluster!r}"
            )
        self._tasks = {str(job): _tasks(job, tasks) for job, tasks in sorted(cluster.items())}

    def as_dict(self) -> dict[str, Any]:
        """Return lists of addresses by job; a dict where numbers of tasks are left out."""
        return {
            job: list(tasks.values()) if list(tasks) == list(range(len(tasks))) else dict(tasks)
            for job, tasks in self._tasks.items()
        }

    def as_cluster_def(self) -> ClusterSpec:
        """Return what ``ConfigProto(cluster_def=...)`` takes: the ClusterSpec itself."""
        return self

    @property
    def jobs(self) -> list[str]:
        """Names of the jobs."""
        return list(self._tasks)

    def num_tasks(self, job_name: str) -> int:
        """Return the number of tasks of a job; ValueError for a job that is not there."""
        return len(self._job(job_name))

    def task_indices(self, job_name: str) -> list[int]:
        """Return the numbers of the tasks of a job; ValueError for a job that is not there."""
        return list(self._job(job_name))

    def task_address(self, job_name: str, task_index: int) -> str:
        """Return the address of a task; ValueError for one that is not there."""
        tasks = self._job(job_name)
        if task_index not in tasks:
            raise ValueError(f"No task with index {task_index!r} in job {job_name!r}")
        return tasks[task_index]

    def job_tasks(self, job_name: str) -> list[str | None]:
        """Return the addresses of a job's tasks, None for numbers that are left out.

        ValueError for a job that is not there.
        """
        tasks = self._job(job_name)
        return [tasks.get(n) for n in range(max(tasks, default=-1) + 1)]

    def _job(self, name: str) -> dict[int, str]:
        if name not in self._tasks:
            raise ValueError(f"No such job in cluster: {name!r}; it has {', '.join(self._tasks)}")
        return self._tasks[name]

    def __bool__(self) -> bool:
        return bool(self._tasks)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ClusterSpec) and self._tasks == other._tasks

    def __hash__(self) -> int:
        return hash(tuple((job, tuple(tasks.items())) for job, tasks in self._tasks.items()))

    def __repr__(self) -> str:
        return f"ClusterSpec({self.as_dict()!r})"


def _tasks(job: Any, tasks: Any) -> dict[int, str]:
    """Return the addresses of a job by number; TypeError for what is none."""
    if isinstance(tasks, list | tuple):
        tasks = dict(enumerate(tasks))
    if not isinstance(tasks, Mapping):
        raise TypeError(f"The tasks for job {job!r} must be a list or dictionary, got {tasks!r}")
    by_number = {}
    for number, address in sorted(tasks.items()):
        if not isinstance(number, int) or not isinstance(address, str):
            raise TypeError(f"Task {number!r} of job {job!r} must have a text as its address: "
                            f"{address!r}")  # fmt: skip
        by_number[number] = address
    return by_number


class SimpleClusterResolver:
    """What a program says itself: the cluster, and which task this process is.

    TypeError for what is no ClusterSpec, ValueError for a task that is not in it.
    """

    def __init__(
        self, cluster_spec: ClusterSpec, master: str = "", task_type: str | None = None,
        task_id: int | None = None, environment: str = "",
        num_accelerators: dict[str, int] | None = None, rpc_layer: str | None = None,
    ) -> None:  # fmt: skip
        if not isinstance(cluster_spec, ClusterSpec):
            raise TypeError(f"cluster_spec must be a `tf.train.ClusterSpec`, got {cluster_spec!r}")
        self._cluster = cluster_spec
        self._master = master
        self._accelerators = num_accelerators
        self.task_type = task_type
        self.task_id = task_id
        self.environment = environment
        self.rpc_layer = rpc_layer
        if task_type is not None and task_id is not None:
            cluster_spec.task_address(task_type, task_id)  # raises

    def cluster_spec(self) -> ClusterSpec:
        """Return the cluster."""
        return self._cluster

    def master(
        self, task_type: str | None = None, task_id: int | None = None,
        rpc_layer: str | None = None,
    ) -> str:
        """Return the address of a task, by default this one; the empty text without a cluster."""
        kind, number = task_type or self.task_type, self.task_id if task_id is None else task_id
        if self._master or not self._cluster or kind is None or number is None:
            return self._master
        return self._cluster.task_address(kind, number)

    def num_accelerators(
        self, task_type: str | None = None, task_id: int | None = None,
        config_proto: Any = None,
    ) -> dict[str, int]:
        """Return the numbers of accelerators of this process by type."""
        if self._accelerators is not None:
            return dict(self._accelerators)
        from runtime.engine.device_registry import REGISTRY

        kinds = [d.device_type for d in REGISTRY.devices if d.device_type != "CPU"]
        return {kind: kinds.count(kind) for kind in kinds}

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}({self._cluster!r}, task_type={self.task_type!r}, "
            f"task_id={self.task_id})"
        )


class TFConfigClusterResolver(SimpleClusterResolver):
    """What the variable ``TF_CONFIG`` of the environment says: the cluster, and which task this is.

    Without the variable the cluster is empty.  ValueError for what is no such description.
    """

    def __init__(
        self, task_type: str | None = None, task_id: int | None = None,
        rpc_layer: str | None = None, environment: str | None = None,
    ) -> None:
        text = os.environ.get("TF_CONFIG", "") or "{}"
        try:
            config = json.loads(text)
            task = config.get("task", {})
            cluster = ClusterSpec(config.get("cluster", {}))
            task_type = task_type or task.get("type")
            task_id = int(task.get("index", 0)) if task_id is None else task_id
        except (AttributeError, TypeError, ValueError) as error:
            raise ValueError(
                f"TF_CONFIG is no description of a cluster: {text!r}: {error}"
            ) from None
        if cluster and task_type != "evaluator":
            cluster.task_address(str(task_type), task_id)  # raises
        super().__init__(cluster, environment=environment or "", rpc_layer=rpc_layer)
        self.task_type = task_type
        self.task_id = task_id
