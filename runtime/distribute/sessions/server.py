"""``Server``: this process as a task of a cluster."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

from runtime.distribute.cluster_spec import ClusterSpec
from runtime.distribute.sessions.dask_library import (
    address_of,
    dask_distributed,
    event_loop,
    security_for,
)
from runtime.distribute.sessions.task import TaskActor, install
from runtime.types.errors import UnknownError

__all__ = ["Server"]

RUNNING: dict[str, TaskActor] = {}
"""The tasks of this process by their addresses: sessions call them without a network."""


def task_name(job: str, number: int) -> str:
    """Return the name of a task."""
    return f"/job:{job}/task:{number}"


def head_of(cluster: ClusterSpec) -> tuple[str, int]:
    """Return the task whose process runs Dask's scheduler: the first one, of ``ps`` if it is there.
    """
    job = "ps" if "ps" in cluster.jobs else cluster.jobs[0]
    return job, cluster.task_indices(job)[0]


class Server:
    """This process as a task of a cluster, which runs what sessions ask of it.

    ``cluster`` is a ClusterSpec, or what makes one; ``job_name`` and ``task_index`` say which of
    its tasks this process is, and may be left out where there is one only.  The process of one
    task, the first of the job ``ps`` or else of all, runs Dask's scheduler; tasks may start in any
    order.  Addresses that other machines reach need TLS, which Dask's settings describe.

    ValueError for a task that is not in the cluster, PermissionDeniedError for an address that
    other machines reach without TLS, UnknownError for one that is in use.
    """

    def __init__(
        self, server_or_cluster_def: Any, job_name: str | None = None,
        task_index: int | None = None, protocol: str | None = None, config: Any = None,
        start: bool = True,
    ) -> None:  # fmt: skip
        cluster = self.cluster = ClusterSpec(server_or_cluster_def)
        if job_name is None and len(cluster.jobs) == 1:
            job_name = cluster.jobs[0]
        if job_name is None:
            raise ValueError(f"job_name: say which of the jobs {cluster.jobs} this process has")
        if task_index is None and cluster.num_tasks(job_name) == 1:
            task_index = cluster.task_indices(job_name)[0]
        if task_index is None:
            raise ValueError(f"task_index: say which task of the job {job_name!r} this process is")
        self._address = address_of(cluster.task_address(job_name, task_index))
        self._is_head = (job_name, task_index) == head_of(cluster)
        self._scheduler_address = address_of(cluster.task_address(*head_of(cluster)))
        self.task = TaskActor(task_name(job_name, task_index), cluster.as_dict())
        self._started = False
        self._ended = threading.Event()
        self._stack: list[Any] = []
        if start:
            self.start()

    @staticmethod
    def create_local_server(config: Any = None, start: bool = True) -> Server:
        """Make a cluster of this process alone, ``/job:local/task:0``, at a free port."""
        import socket

        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        return Server({"local": [f"localhost:{port}"]}, config=config, start=start)

    @property
    def target(self) -> str:
        """What a session is given to use this task as its master: ``dask://127.0.0.1:2222``."""
        return f"dask://{self._address.partition('://')[2]}"

    @property
    def server_def(self) -> Any:
        """Cluster, and which task of it this is."""
        return {"cluster": self.cluster.as_dict(), "task": self.task.name}

    def start(self) -> None:
        """Listen at the address, and join the other tasks as they come."""
        if self._started:
            return
        self._started = True
        runner = event_loop()
        if self._is_head:
            runner.run_sync(self._schedule)
        RUNNING[self._address] = self.task
        asyncio.run_coroutine_threadsafe(self._serve(), runner.loop.asyncio_loop)

    def join(self) -> None:
        """Wait until the process is ended."""
        while not self._ended.wait(3600):
            pass

    async def _schedule(self) -> None:
        """Start Dask's scheduler."""
        scheme, _, place = self._address.partition("://")
        host, _, port = place.rpartition(":")
        try:
            self._stack.append(await dask_distributed().Scheduler(
                host=host, port=int(port), protocol=scheme, security=security_for(host),
                dashboard=False, dashboard_address=f"{host}:0",
            ))  # fmt: skip
        except (OSError, RuntimeError) as error:
            raise UnknownError(
                f"{self.task.name} cannot listen at {place}: {error.__cause__ or error}"
            ) from None

    async def _serve(self) -> None:
        """Be a worker of the scheduler's; wait for the next one when it has gone."""
        scheme, _, place = self._address.partition("://")
        host, _, port = place.rpartition(":")
        while not self._ended.is_set():
            worker = dask_distributed().Worker(
                self._scheduler_address, name=self.task.name, nthreads=1, host=host,
                port=0 if self._is_head else int(port), protocol=scheme, memory_limit=0,
                dashboard_address=f"{host}:0", security=security_for(host),
            )  # fmt: skip
            install(worker, self.task)
            try:
                await worker
                await worker.finished()
            except Exception:
                await asyncio.sleep(0.5)

    def __repr__(self) -> str:
        return f"<Server {self.task.name} at {self._address}>"
