"""``MultiWorkerMirroredStrategy``: a replica in each process of an MPI job.

Each process runs the whole program on its part of each batch; what replicas exchange goes by MPI.
Variables are equal everywhere: they begin with the value of the first process, and change by sums
over all.
"""

from __future__ import annotations

import contextlib
import json
import weakref
import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from runtime.distribute.cluster_spec import ClusterSpec, TFConfigClusterResolver
from runtime.distribute.communication import CommunicationOptions
from runtime.distribute.contexts import InputContext, ReduceOp, entered, reduction
from runtime.distribute.datasets import distributed
from runtime.distribute.mirrored import ValueContext
from runtime.distribute.process_group import ProcessGroup
from runtime.distribute.process_world import is_started_by_mpi, joined_world
from runtime.distribute.processes import (
    ProcessCollectives,
    ProcessContext,
    gathered_from_processes,
    of_first_process,
    summed_over_processes,
)
from runtime.distribute.strategy import Strategy, get_replica_context, reduced_along
from runtime.distribute.values import PerReplica
from runtime.graph.trace import current_graph
from runtime.ops import dispatch
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.shape import shape as shape_of
from runtime.ops.random_seed import PROCESS, RandomSource
from runtime.staging.conversion import converted_in_turn
from runtime.types import nest
from runtime.types.errors import FailedPreconditionError

__all__ = ["MultiWorkerMirroredStrategy"]

_JOBS = ("chief", "worker")


class MultiWorkerMirroredStrategy(Strategy):
    """Strategy of a replica in each process that ``mpirun``, or ``launch``, has started.

    A process that was started alone is the only replica.  All processes take over the state of the
    first one's random numbers: draws without a seed of their own are equal, such as orders of
    shuffled rows.

    Args:
        cluster_resolver: says which task this process is, by default by ``TF_CONFIG``; without
            it tasks are numbered as MPI does.
        communication_options: ``timeout_seconds`` says how long living processes are waited for.
    Raises:
        ValueError: the cluster has other tasks than the job of MPI has processes, or has parameter
            servers.
        ModuleNotFoundError: the extra ``mpi`` is not installed.
    """

    def __init__(
        self, cluster_resolver: Any = None,
        communication_options: CommunicationOptions | None = None,
    ) -> None:
        super().__init__()
        self._resolver = cluster_resolver or TFConfigClusterResolver()
        cluster = self._resolver.cluster_spec()
        place = _place(self._resolver, cluster)
        options = communication_options or CommunicationOptions()
        self._group: ProcessGroup | None = None
        self._variables: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()
        is_alone = not is_started_by_mpi() or self._resolver.task_type == "evaluator"
        if is_alone:
            _check_count(cluster, 1, self._resolver)
            return
        group = joined_world(options.timeout_seconds, **place)
        _check_count(cluster, group.count, self._resolver)
        if group.count > 1:
            self._group = group
            _share_random_state(group)

    @property
    def num_replicas_in_sync(self) -> int:
        """Number of processes."""
        return 1 if self._group is None else self._group.count

    @property
    def cluster_resolver(self) -> Any:
        """What says which task this process is: ``task_type`` and ``task_id``."""
        if self._group is not None and not self._resolver.cluster_spec():
            tasks = [f"{task.host}:{task.process}" for task in self._group.tasks]
            return _JobOfMPI(ClusterSpec({"worker": tasks}), self._group.rank)
        return self._resolver

    @property
    def _rank(self) -> int:
        return 0 if self._group is None else self._group.rank

    def _owns(self, variable: Any) -> bool:
        if self._group is None:
            return super()._owns(variable)
        return self._variables.get(id(variable)) is variable

    @contextlib.contextmanager
    def scope(self) -> Iterator[Strategy]:
        """Make variables of the block that are equal in all processes.

        RuntimeError within the scope of another strategy.
        """
        with super().scope(), self._creating():
            yield self

    @contextlib.contextmanager
    def _creating(self) -> Iterator[None]:
        """Let variables begin with the value of the first process."""
        thread = dispatch.THREAD
        before = thread.initial_value
        if self._group is not None:
            thread.initial_value = self._initial_value
        try:
            yield
        finally:
            thread.initial_value = before

    def _initial_value(self, variable: Any, value: Any) -> Any:
        self._variables[id(variable)] = variable
        return value if value.dtype.name == "string" else of_first_process(value)

    # -- runs -------------------------------------------------------------------------------------

    def run(
        self, fn: Callable[..., Any], args: Sequence[Any] = (), kwargs: Any = None,
        options: Any = None,
    ) -> Any:
        """Call a function for the replica of this process; return what it gives.

        The replica gets its value of those ``PerReplica`` among the arguments.  RuntimeError in a
        function that ``run`` calls.
        """
        if self._group is None:
            return super().run(fn, args, kwargs, options)
        replica = get_replica_context()
        if replica is not None and replica.num_replicas_in_sync > 1:
            raise RuntimeError("Method requires being in cross-replica context, use "
                               "get_replica_context().merge_call()")  # fmt: skip
        own_args, own_kwargs = self._own((tuple(args), dict(kwargs or {})))
        context = ProcessContext(self, self._rank, ProcessCollectives(self._group))
        function = converted_in_turn(fn)
        with entered(self, context), self._creating():
            return function(*own_args, **own_kwargs)

    def _own(self, structure: Any) -> Any:
        """Return a nest with the value of this process in the place of each ``PerReplica``."""

        def own(leaf: Any) -> Any:
            if not isinstance(leaf, PerReplica):
                return leaf
            if len(leaf.values) != self.num_replicas_in_sync:
                raise ValueError(
                    f"a PerReplica of {len(leaf.values)} values is passed to a strategy of "
                    f"{self.num_replicas_in_sync} replicas"
                )
            return leaf.values[self._rank]

        return nest.map_structure(own, structure)

    # -- values -----------------------------------------------------------------------------------

    def reduce(self, reduce_op: Any, value: Any, axis: Any = None) -> Any:
        """Return the sum or mean of the values of the processes, and over an axis if one is given.

        All processes call it, each with what ``run`` gave, or a nest of that.  ValueError for
        another reduction than ReduceOp's.
        """
        if self._group is None:
            return super().reduce(reduce_op, value, axis)
        operation = reduction(reduce_op)
        mean = operation is ReduceOp.MEAN
        leaves = nest.flatten(value)
        if axis is None:
            return nest.pack_sequence_as(value, list(summed_over_processes(leaves, mean)))
        sums = [reduced_along(ReduceOp.SUM, leaf, axis) for leaf in leaves]
        counts = [
            cast(shape_of(convert_to_tensor(leaf))[axis], total.dtype)
            for leaf, total in zip(leaves, sums, strict=True)
        ]
        totals = summed_over_processes([*sums, *(counts if mean else [])], False)
        if mean:
            pairs = zip(totals[: len(leaves)], totals[len(leaves) :], strict=True)
            totals = [total / count for total, count in pairs]
        return nest.pack_sequence_as(value, list(totals))

    def gather(self, value: Any, axis: int) -> Any:
        """Return the values of all processes, in their order, along an axis; all call it."""
        if self._group is None:
            return super().gather(value, axis)
        return nest.map_structure(lambda leaf: gathered_from_processes(leaf, axis), value)

    # -- datasets ---------------------------------------------------------------------------------

    def experimental_distribute_dataset(self, dataset: Any, options: Any = None) -> Any:
        """Return the dataset of this process' parts of global batches, by their rows.

        All processes have to give equal datasets.  ValueError for elements that are no batches.
        """
        checked = super().experimental_distribute_dataset(dataset, options)
        if self._group is None:
            return checked
        return distributed(checked, self._group.count, (self._group.rank,))

    def distribute_datasets_from_function(
        self, dataset_fn: Callable[[InputContext], Any], options: Any = None
    ) -> Any:
        """Return the dataset that a function makes for this process.

        All processes have to make as many steps: give their datasets as many elements.
        """
        count = self.num_replicas_in_sync
        return dataset_fn(InputContext(count, self._rank, count))

    def experimental_distribute_values_from_function(self, value_fn: Callable[[Any], Any]) -> Any:
        """Return what a function gives for this process, called with the context of its value."""
        return value_fn(ValueContext(self._rank, self.num_replicas_in_sync))

    def __repr__(self) -> str:
        count = self.num_replicas_in_sync
        return f"<MultiWorkerMirroredStrategy: process {self._rank} of {count}>"


class _JobOfMPI:
    """Cluster of the processes of an MPI job, and which of them this one is."""

    def __init__(self, cluster: ClusterSpec, rank: int) -> None:
        self._cluster = cluster
        self.task_type = "worker"
        self.task_id = rank

    def cluster_spec(self) -> ClusterSpec:
        """Return the cluster; addresses are hosts, and ids of processes."""
        return self._cluster

    def __repr__(self) -> str:
        return f"<process {self.task_id} of {self._cluster!r}>"


def _place(resolver: Any, cluster: ClusterSpec) -> dict[str, Any]:
    """Return where this process stands among those of the job; ValueError for other jobs."""
    if not cluster:
        return {}
    strange = [job for job in cluster.jobs if job not in (*_JOBS, "evaluator")]
    if strange:
        raise ValueError(
            f"MultiWorkerMirroredStrategy has the jobs 'chief' and 'worker', got {strange[0]!r}"
        )
    task_type, task_id = resolver.task_type, resolver.task_id
    if task_type is None or task_id is None:
        raise ValueError(f"{resolver!r} does not say which task this process is")
    before = cluster.num_tasks("chief") if "chief" in cluster.jobs and task_type == "worker" else 0
    return {"place": before + task_id, "job": task_type, "index": task_id}


def _check_count(cluster: ClusterSpec, count: int, resolver: Any) -> None:
    if not cluster or resolver.task_type == "evaluator":
        return
    tasks = sum(cluster.num_tasks(job) for job in cluster.jobs if job in _JOBS)
    if tasks != count:
        raise ValueError(
            f"TF_CONFIG names {tasks} tasks, but there {'is' if count == 1 else 'are'} {count} "
            f"process{'' if count == 1 else 'es'} of MPI: start the program by "
            f"`mpirun -n {tasks}`, or by `autograph launch -n {tasks}`"
        )


def _share_random_state(group: ProcessGroup) -> None:
    """Let all processes draw the numbers that the first one does."""
    PROCESS.stream(RandomSource(None, 0, None))  # which is not foreseeable, if there is no seed
    PROCESS.restore(json.loads(group.text_of_first(json.dumps(PROCESS.snapshot()))))


def check_in_step(strategy: Strategy) -> None:
    """Raise FailedPreconditionError unless all processes would draw the same random numbers."""
    group = getattr(strategy, "_group", None)
    if not isinstance(group, ProcessGroup) or current_graph() is not None:
        return
    text = json.dumps(PROCESS.snapshot(), sort_keys=True)
    if len(set(group.numbers("the state of random numbers", zlib.crc32(text.encode())))) > 1:
        raise FailedPreconditionError(
            "the processes would draw different random numbers, and shuffle rows differently: set "
            "the same seed in each (tf.random.set_seed), and draw in none of them alone"
        )
