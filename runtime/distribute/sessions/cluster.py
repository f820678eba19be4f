"""What a session knows of a cluster: its tasks, and the calls of their methods.

``connect`` makes it from a session's target: ``dask://host:port``, the address of a Server or of a
scheduler of Dask's, or ``dask://local?workers=2``, a cluster that ends with the session.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import time
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import parse_qs

from autograph.named_tuples import NamedTuple
from runtime.distribute.cluster_spec import ClusterSpec
from runtime.distribute.sessions.dask_library import (
    address_of,
    dask_distributed,
    event_loop,
    security_for,
)
from runtime.distribute.sessions.local_cluster import local_cluster
from runtime.distribute.sessions.server import RUNNING, task_name
from runtime.distribute.sessions.task import TaskActor, call_actor, install
from runtime.types.device_spec import DeviceSpec
from runtime.types.errors import (
    InvalidArgumentError,
    NotFoundError,
    OpError,
    UnavailableError,
)

START_SECONDS = 60.0
"""How long a session waits for tasks that have not started."""

QUIET_SECONDS = 0.25
"""A call that lasts longer asks, so often, whether the task still lives."""

SILENT_SECONDS = 30.0
"""A task that does not answer for so long is lost, though nothing refuses a connection."""

CLIENT = "/job:client/task:0"
"""Task of this process, where it is none of the cluster's: what cannot travel stays there."""


class KnownTask(NamedTuple):
    """Task as a session met it; ``local`` is the task itself if it is in this process."""

    name: str
    address: str
    incarnation: str
    local: TaskActor | None


class Cluster:
    """Tasks of a cluster, by name, and the one, ``master``, that takes what names no task."""

    def __init__(
        self, client: Any, tasks: Sequence[str], master: str, addresses: dict[str, str],
        close: Callable[[], None] = lambda: None,
    ) -> None:  # fmt: skip
        self.client = client
        self.tasks = tuple(tasks)
        self.master = master
        self._addresses = addresses
        """Addresses that name tasks where their workers do not."""
        self._close = close
        self._members: dict[str, KnownTask] = {}
        self._lost: dict[str, str] = {}
        """Messages about tasks that were lost: a session does not begin with them again."""
        local = next((task for task in RUNNING.values() if task.name == master), None)
        self.here = master if local is not None else CLIENT
        """Task of this process."""
        if local is None:
            stays = TaskActor(CLIENT)
            stays.pool = client.rpc
            self._members[CLIENT] = KnownTask(CLIENT, "", stays.incarnation, stays)

    def sync(self, function: Callable[..., Any], *args: Any) -> Any:
        """Run a coroutine on the loop of the client and return its result."""
        return self.client.sync(function, *args)

    def submitted(self, function: Callable[..., Any]) -> Any:
        """Start a coroutine on the loop of the client; return its future for other threads."""
        return asyncio.run_coroutine_threadsafe(function(), self.client.loop.asyncio_loop)

    def member(self, task: str) -> KnownTask:
        """Return a task; wait for one that has not started yet.

        UnavailableError after a minute, or for one that was lost.
        """
        if task not in self._members:
            self._members[task] = self.sync(self.meet, task)
        return self._members[task]

    async def meet(self, task: str) -> KnownTask:
        """Return a task as it is now; errors as of ``member``."""
        until = time.monotonic() + START_SECONDS
        while True:
            address = (await self._workers()).get(task)
            if address is not None:
                local = next((t for t in RUNNING.values() if t.name == task and t.worker and
                              t.worker.address == address), None)  # fmt: skip
                if local is not None:
                    return KnownTask(task, address, local.incarnation, local)
                try:
                    told = await call_actor(self.client.rpc, address, "describe", ())
                    return KnownTask(task, address, told["incarnation"], None)
                except OSError:
                    pass  # it has just gone; another one may come
            if time.monotonic() > until:
                there = ", ".join(sorted(await self._workers())) or "none"
                raise UnavailableError(
                    f"{task} did not start within {START_SECONDS:g} s; tasks that did: {there}"
                )
            await asyncio.sleep(0.1)

    async def _workers(self) -> dict[str, str]:
        """Return the addresses of the tasks that live, as the scheduler sees it."""
        try:
            identity = await asyncio.wait_for(self.client.scheduler.identity(), 5)
        except OSError as error:
            place = self.client.scheduler.address
            raise UnavailableError(f"The scheduler at {place} was lost: {error}") from None
        return named_workers(identity["workers"], self._addresses)

    async def call(self, member: KnownTask, method: str, *args: Any) -> Any:
        """Call a method of a task.

        UnavailableError for a task that is lost, also while it works; whatever the method raises.
        """
        if member.local is not None:
            return await getattr(member.local, method)(*args)
        if member.name in self._lost:
            raise UnavailableError(self._lost[member.name])
        call = asyncio.ensure_future(call_actor(self.client.rpc, member.address, method, args))
        run = args[2] if method == "run" else ""
        heard = time.monotonic()
        try:
            while not (await asyncio.wait({call}, timeout=QUIET_SECONDS))[0]:
                if await _is_refused(member.address):
                    raise ConnectionError("nothing listens there any more")
                beat = call_actor(self.client.rpc, member.address, "beat", (run,))
                with contextlib.suppress(TimeoutError):  # the machine may be busy
                    await asyncio.wait_for(beat, QUIET_SECONDS)
                    heard = time.monotonic()
                if time.monotonic() > heard + SILENT_SECONDS:
                    raise ConnectionError(f"it was silent for {SILENT_SECONDS:g} s")
            return call.result()
        except OSError as error:
            self._lost[member.name] = (
                f"{member.name} at {member.address.partition('://')[2]} was lost: {error}. Its "
                "variables are gone with it: make a session when it is back, and restore them"
            )
            raise UnavailableError(self._lost[member.name]) from None
        except OpError as error:
            if not isinstance(error, UnavailableError):
                error.add_note(f"Raised on {member.name}.")
            raise
        finally:
            call.cancel()

    def forget(self, key: str) -> None:
        """Let all tasks drop what they keep of a session, or of one run; lost ones have already."""

        async def forget() -> None:
            calls = [self.call(member, "forget", key) for member in self._members.values()]
            await asyncio.wait_for(asyncio.gather(*calls, return_exceptions=True), 2)

        with contextlib.suppress(TimeoutError):
            self.sync(forget)

    def close(self) -> None:
        """End the connection, and a cluster that was started for it."""
        self.client.close()
        self._close()


async def _is_refused(address: str) -> bool:
    """Return whether a machine says that nothing listens at an address; a slow one says nothing."""
    host, _, port = address.partition("://")[2].rpartition(":")
    try:
        connecting = asyncio.open_connection(host.strip("[]"), int(port))
        _, writer = await asyncio.wait_for(connecting, QUIET_SECONDS)
        writer.close()
    except ConnectionRefusedError:
        return True
    except OSError:
        return False
    return False


def named_workers(workers: dict[str, Any], addresses: dict[str, str]) -> dict[str, str]:
    """Return the addresses of workers by the names of their tasks.

    Workers of a Server have these names; those of ``addresses`` get them; of others each is a task
    of the job ``worker``, in the order of Dask's names.
    """
    if addresses:
        tasks = {address: name for name, address in addresses.items()}
        return {tasks[address]: address for address in workers if address in tasks}
    names = {address: worker["name"] for address, worker in workers.items()}
    named = {str(n): a for a, n in names.items() if str(n).startswith("/job:")}
    rest = sorted((n for n in names.items() if str(n[1]) not in named), key=lambda n: _order(n[1]))
    if rest and not named:
        numbers = [n if isinstance(n, int) else k for k, (_, n) in enumerate(rest)]
        return {task_name("worker", k): a for k, (a, _) in zip(numbers, rest, strict=True)}
    return named


def _order(name: Any) -> Any:
    return (0, int(name), "") if str(name).isdecimal() else (1, 0, str(name))


def connect(target: str, config: Any = None) -> Cluster:
    """Return the cluster of a session's target.

    NotFoundError for a target of another kind, UnavailableError where nothing answers.
    """
    scheme, _, place = target.partition("://")
    host, _, query = place.partition("?")
    port = host.rpartition(":")[2]
    if scheme not in ("dask", "grpc") or (host != "local" and not port.isdecimal()):
        raise NotFoundError(
            f"There is no cluster at {target!r}. Targets are server.target, 'dask://host:port' and "
            "'dask://local?workers=2'; leave it out for this process"
        )
    if host == "local":
        return _start_local(target, query)
    return _join(host, _spec_of(config))


def _spec_of(config: Any) -> ClusterSpec | None:
    definition = None if config is None else config.cluster_def
    return None if definition is None else ClusterSpec(definition)


def _start_local(target: str, query: str) -> Cluster:
    """Start a cluster on this machine."""
    options = {key: values[-1] for key, values in parse_qs(query).items()}
    try:
        count = int(options.pop("workers", "1"))
        processes = options.pop("processes", "true").lower() != "false"
        dashboard = options.pop("dashboard", None)
        if options or count < 1:
            raise ValueError(f"what is {options}?" if options else "there is no worker")
    except ValueError as error:
        raise InvalidArgumentError(
            f"{target!r}: {error}. An example: 'dask://local?workers=2&processes=false'"
        ) from None
    cluster = local_cluster(count, processes, dashboard)
    client = dask_distributed().Client(cluster, set_as_default=False, loop=event_loop().loop)
    client.register_plugin(_TaskPlugin())
    tasks = [task_name("worker", k) for k in range(count)]
    return Cluster(client, tasks, tasks[0], {}, cluster.close)


def _join(place: str, spec: ClusterSpec | None) -> Cluster:
    """Join a cluster by the address of its scheduler, or of one of its tasks."""
    address = address_of(place)
    distributed = dask_distributed()
    security = security_for(place.rpartition(":")[0])
    identity = event_loop().run_sync(functools.partial(_identity, address, security))
    if identity["type"] == "Worker":
        master, address = address, identity["scheduler"]
    else:
        master = address
    try:
        client = distributed.Client(
            address, set_as_default=False, loop=event_loop().loop, security=security, timeout=10
        )
    except OSError as error:
        raise UnavailableError(f"No scheduler answers at {address}: {error}") from None
    client.register_plugin(_TaskPlugin())
    workers = client.sync(client.scheduler.identity)["workers"]
    addresses = {}
    if spec is not None:
        addresses = {
            task_name(job, k): address_of(spec.task_address(job, k))
            for job in spec.jobs for k in spec.task_indices(job)
        }  # fmt: skip
    known = named_workers(workers, addresses)
    by_place = {a: name for name, a in (addresses or known).items()}
    if not addresses:
        spec = ClusterSpec(client.sync(_cluster_told, client, known))
        by_place.update({
            address_of(spec.task_address(job, k)): task_name(job, k)
            for job in spec.jobs for k in spec.task_indices(job)
        })  # fmt: skip
    tasks = sorted(set(by_place.values()), key=_order_of_task)
    return Cluster(client, tasks, by_place.get(master, tasks[0]), addresses)


async def _identity(address: str, security: Any) -> Any:
    """Return what a scheduler or worker says of itself."""
    until = time.monotonic() + START_SECONDS
    arguments = security.get_connection_args("client")
    while True:
        try:
            remote = dask_distributed().core.rpc(address, connection_args=arguments, timeout=5)
            async with remote:
                return await remote.identity()
        except OSError as error:
            if time.monotonic() > until:
                raise UnavailableError(
                    f"Nothing answers at {address}: {error}. Is the task started, and the address "
                    "right?"
                ) from None
            await asyncio.sleep(0.2)


async def _cluster_told(client: Any, workers: dict[str, str]) -> dict[str, Any]:
    """Return the addresses of all tasks by job, as a Server knows them; empty without Servers.

    UnavailableError without any worker.
    """
    if not workers:
        raise UnavailableError(f"The scheduler at {client.scheduler.address} has no workers")
    for address in workers.values():
        told = await call_actor(client.rpc, address, "describe", ())
        if told["cluster"]:
            return dict(told["cluster"])
    return {}


def _order_of_task(name: str) -> Any:
    spec = DeviceSpec.from_string(name)
    return spec.job, spec.task


def _plugin_class() -> Any:
    """Return the class of the plugin, which needs Dask."""

    class TaskPlugin(dask_distributed().WorkerPlugin):  # type: ignore[misc]
        """Gives each worker, also one that comes later, its task."""

        name = "autograph"
        idempotent = True

        def setup(self, worker: Any) -> None:
            """Give a worker its task."""
            install(worker)

    return TaskPlugin


def _TaskPlugin() -> Any:
    return _plugin_class()()
