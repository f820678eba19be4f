"""Task of a cluster: variables and other resources, and the parts of graphs that run on them.

A task lives in a worker of Dask's, as an actor: sessions call its methods over the network, and
tasks fetch from each other what one computes and another needs.  A session in the same process
calls it directly.
"""

from __future__ import annotations

import asyncio
import pickle
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.named_tuples import NamedTuple
from runtime.distribute.sessions.dask_library import dask_distributed
from runtime.engine.executable import executable
from runtime.graph.func_graph import FuncGraph
from runtime.graph.operation import Operation, subgraphs
from runtime.graph.parser import graph_from_text
from runtime.graph.run_request import RunRequest
from runtime.ops.op import READS, STATEFUL
from runtime.ops.random_seed import RandomState, running_in
from runtime.ops.resource.session_resource import SessionResource
from runtime.ops.resource.variable import Values, VariableStorage, values_of_session
from runtime.types.dtypes import as_dtype
from runtime.types.errors import (
    AbortedError,
    InvalidArgumentError,
    OpError,
    UnavailableError,
    UnknownError,
)
from runtime.types.shapes import TensorShape
from runtime.types.source_location import Location

ACTOR = "autograph-task"
"""Key of the actor of a worker."""

SMALL = 1 << 16
"""Values of more bytes go from task to task; others are passed by the session, in one message."""


PATIENCE_SECONDS = 5.0
"""An operation that waits for others gives up when its session was silent for so long."""


class VariableReference(NamedTuple):
    """Variable of a task; with ``borrowed``, one of another task whose value is that input."""

    name: str
    dtype: str
    dims: tuple[int | None, ...] | None
    borrowed: int | None = None


class PartDefinition(NamedTuple):
    """Part of a graph as text, with the objects, lines and operations that are to run.

    ``objects`` holds VariableReferences, pickled objects and, within a process, objects themselves.
    """

    text: str
    objects: dict[str, Any]
    locations: Sequence[tuple[str, int]]
    operations: Sequence[str]


class Sent(NamedTuple):
    """Value that waits on a task for those who need it."""

    task: str
    address: str
    key: str


class _CompiledPart:
    """Part that a task has compiled."""

    def __init__(self, definition: PartDefinition, task: TaskActor) -> None:
        self.borrowed: dict[int, VariableStorage] = {}
        self.objects = {
            name: self._object(value, task) for name, value in definition.objects.items()
        }
        graph: Any = graph_from_text(definition.text, self.objects)
        nodes = list(walk(graph))
        for node, (file, line) in zip(nodes, definition.locations, strict=True):
            node.location = Location(file, line)
        operations = [graph.names.operations[name] for name in definition.operations]
        self.run = executable(RunRequest(graph, [*graph.outputs], [*graph.inputs], operations))
        effects = [node for node in nodes if STATEFUL in node.op_def.traits]
        on_variables = all("storage" in node.attrs for node in effects)
        writes = any(READS not in node.op_def.traits for node in effects)
        self.atomic = on_variables and writes
        """Whether it changes variables, and never waits for other runs."""
        self.lock = threading.Lock()
        """Held while values are lent to the variables of other tasks."""

    def _object(self, value: Any, task: TaskActor) -> Any:
        if isinstance(value, VariableReference):
            if value.borrowed is None:
                return task.storage(value)
            storage = VariableStorage(
                value.name, as_dtype(value.dtype), TensorShape(value.dims), True
            )
            self.borrowed[value.borrowed] = storage
            return storage
        return task.resource(pickle.loads(value)) if isinstance(value, bytes) else value


def walk(graph: FuncGraph) -> Any:
    """Yield the operations of a graph and of those that they hold, without the inputs."""
    inputs = {id(tensor.op) for tensor in graph.inputs}
    for node in graph.operations:
        newest = graph.extensions.get(node, [node])[-1]
        if id(node) not in inputs:
            yield newest
            for inner in subgraphs(newest):
                yield from walk(inner)  # type: ignore[arg-type]


class TaskActor:
    """Task of a cluster, by its name such as ``/job:ps/task:0``.

    ``cluster`` holds the addresses of all tasks by job; it is empty where Dask alone knows them.
    """

    def __init__(self, name: str = "", cluster: dict[str, Any] | None = None) -> None:
        self.name = name
        self.cluster = cluster or {}
        self.incarnation = uuid.uuid4().hex
        self.values: Values = {}
        """Values of variables, and of what else lives here: sessions share them."""
        self._storages: dict[str, VariableStorage] = {}
        self._resources: dict[str, Any] = {}
        self._parts: dict[str, _CompiledPart] = {}
        self._streams: dict[str, RandomState] = {}
        self._mail: dict[str, tuple[Any, int]] = {}
        self._lock = threading.RLock()
        self.beats: dict[str, float] = {}
        """When each run was last known to be waited for."""
        self.worker: Any = None
        self.pool: Any = None
        """Connections to other tasks, where it is in no worker."""

    # -- what sessions and other tasks call -------------------------------------------------------

    async def call(self, method: str, args: Sequence[Any]) -> Any:
        """Call one of the methods below for another process; errors can be pickled."""
        try:
            return await getattr(self, method)(*args)
        except Exception as error:
            raise sendable(error) from None

    async def describe(self) -> dict[str, Any]:
        """Return its name, the cluster's addresses, and what tells it from one before it."""
        return {
            "name": self.name, "cluster": self.cluster, "incarnation": self.incarnation,
        }  # fmt: skip

    async def define(self, key: str, incarnation: str, definition: PartDefinition) -> None:
        """Compile a part; AbortedError if this is another task than the session began with."""
        if incarnation != self.incarnation:
            raise self._lost()
        part = await in_thread(lambda: _CompiledPart(definition, self))
        self._parts[key] = part

    async def run(self, key: str, *args: Any) -> Any:
        """Run a part: see ``run_now``; inputs that wait on other tasks are fetched first."""
        inputs, *rest = args
        present = [await self._received(v) if isinstance(v, Sent) else v for v in inputs]
        return await in_thread(lambda: self.run_now(key, present, *rest))

    def run_now(
        self, key: str, inputs: Sequence[Any], run: str, uses: Sequence[int],
        streams: Any, timeout_in_ms: int,
    ) -> tuple[list[Any], Any]:  # fmt: skip
        """Run a part on values; return its results, and where random streams are then.

        ``uses`` says of each result how many parts need it: if it is large, it stays here, and is
        returned as Sent.  A negative number says that all of them are of this task.
        """
        part = self._parts.get(key)
        if part is None:
            raise self._lost()
        arrays = [_writable(value) for value in inputs]
        self.beats[run] = time.monotonic()
        given_up = lambda: time.monotonic() > self.beats.get(run, 0.0) + PATIENCE_SECONDS
        with np.errstate(all="ignore"), values_of_session(self.values, timeout_in_ms, given_up):
            if part.borrowed:
                with part.lock:
                    self.values.update({s: arrays[n] for n, s in part.borrowed.items()})
                    results, places = self._drawn(part, arrays, streams)
            elif part.atomic:
                with self._lock:  # updates by several sessions are not interleaved
                    results, places = self._drawn(part, arrays, streams)
            else:
                results, places = self._drawn(part, arrays, streams)
        return [
            self._sent(value, f"{run}/{key}/{n}", count)
            for n, (value, count) in enumerate(zip(results, uses, strict=True))
        ], places

    def _drawn(self, part: _CompiledPart, arrays: list[Any], streams: Any) -> tuple[Any, Any]:
        """Run a part; random numbers are those that follow in the session's streams."""
        if streams is None:
            return part.run.__call__(arrays), None
        world = SessionStreams(streams)
        with running_in(world):
            return part.run.__call__(arrays), world.snapshot()

    def _sent(self, value: Any, key: str, count: int) -> Any:
        small = getattr(value, "nbytes", 0) <= SMALL
        if not count or (count > 0 and small) or self.worker is None:
            return value
        self._mail[key] = value, abs(count)
        return Sent(self.name, self.worker.address, key)

    async def take(self, key: str) -> Any:
        """Return a value that waits here; the last one who takes it removes it."""
        value, count = self._mail.pop(key)
        if count > 1:
            self._mail[key] = value, count - 1
        return value

    async def _received(self, sent: Sent) -> Any:
        if self.worker is not None and sent.address == self.worker.address:
            return await self.take(sent.key)
        try:
            pool = self.worker.rpc if self.worker is not None else self.pool
            return await call_actor(pool, sent.address, "take", (sent.key,))
        except OSError as error:
            raise UnavailableError(
                f"{sent.task} was lost before {self.name} had a value of it: {error}"
            ) from None

    async def forget(self, session: str) -> None:
        """Drop what a session, or one run of it, has here besides variables."""
        for kept in self._parts, self._mail, self.beats:
            for key in [key for key in kept if key.startswith(session)]:
                kept.pop(key, None)

    async def beat(self, run: str) -> None:
        """Note that a run is waited for: what waits here for a session that is gone gives up."""
        if run in self.beats:
            self.beats[run] = time.monotonic()

    async def reset(self) -> None:
        """Drop all values, as a new task would have none."""
        self.values.clear()
        self._storages.clear()
        self._resources.clear()
        self._parts.clear()

    # -- resources --------------------------------------------------------------------------------

    def storage(self, reference: VariableReference) -> VariableStorage:
        """Return the variable of a name; InvalidArgumentError where it has another type."""
        dtype, shape = as_dtype(reference.dtype), TensorShape(reference.dims)
        with self._lock:
            storage = self._storages.get(reference.name)
            fits = storage is not None and storage.dtype is dtype
            fits = fits and storage.shape.dims == shape.dims  # type: ignore[union-attr]
            if storage is None or not (fits or storage in self.values):
                storage = VariableStorage(reference.name, dtype, shape, True)
                self._storages[reference.name] = storage
            elif not fits:
                raise InvalidArgumentError(
                    f"The variable {reference.name!r} of {self.name} is {storage.dtype.name} of "
                    f"shape {storage.shape}, and this graph has one that is {dtype.name} of shape "
                    f"{shape}. Name it otherwise, or drop all variables with Session.reset(target)"
                )
        return storage

    def resource(self, value: Any) -> Any:
        """Return the resource of a name that came first; what has none is returned itself."""
        if not isinstance(value, SessionResource):
            return value
        return self._resources.setdefault(value.name, value)

    def _lost(self) -> OpError:
        return AbortedError(
            f"{self.name or 'A task'} was started anew and has lost its variables. Make a session, "
            "and restore them or run their initializers"
        )


class SessionStreams(RandomState):
    """Random streams of a session, which go with its runs from task to task."""

    def __init__(self, streams: Any) -> None:
        super().__init__()
        snapshot, self.process_seed = streams
        self.restore(snapshot)

    def stream(self, source: Any) -> Any:
        """Return the stream that a draw takes numbers from."""
        if source.base is None and self.seed is None and self.process_seed is not None:
            source = type(source)(source.seed, source.kind, self.process_seed)
        return super().stream(source)


def _writable(value: Any) -> Any:
    """Return a value that a variable may keep: arrays from the network may be read-only."""
    readable = isinstance(value, np.ndarray) and not value.flags.writeable
    return value.copy() if readable else value


async def in_thread(function: Callable[[], Any]) -> Any:
    """Run a function in a thread of its own, which does not keep the process alive.

    Runs may wait for each other: a pool of threads would be full at some time.
    """
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[Any] = loop.create_future()

    def settle(error: BaseException | None, result: Any) -> None:
        if not ended.done():
            ended.set_exception(error) if error is not None else ended.set_result(result)

    def target() -> None:
        error, result = None, None
        try:
            result = function()
        except BaseException as raised:
            error = raised
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, error, result)

    threading.Thread(target=target, daemon=True).start()
    return await ended


async def call_actor(pool: Any, address: str, method: str, args: Sequence[Any]) -> Any:
    """Call a method of the task of a worker; OSError when it cannot be reached or has gone."""
    serialized = dask_distributed().protocol.to_serialize
    answer = await pool(address).actor_execute(
        function="call", actor=ACTOR, args=[method, serialized(tuple(args))], kwargs={}
    )
    if answer["status"] == "OK":
        return answer["result"]
    raise answer["exception"]


def sendable(error: Exception) -> Exception:
    """Return an error that can be pickled: itself, or one of its text."""
    try:
        copy = pickle.loads(pickle.dumps(error))
        if str(copy) == str(error):
            return error
    except Exception as fault:
        return UnknownError(f"{type(error).__name__}: {error} ({fault})")
    return UnknownError(f"{type(error).__name__}: {error}")


def install(worker: Any, task: TaskActor | None = None) -> TaskActor:
    """Give a worker its task, unless it has one."""
    actors = worker.state.actors
    if ACTOR not in actors:
        actors[ACTOR] = task or TaskActor(str(worker.name))
        actors[ACTOR].worker = worker
    return actors[ACTOR]


def drawn_from(nodes: Sequence[Operation]) -> bool:
    """Return whether operations draw random numbers."""
    return any(
        hasattr(value, "drawing")
        for node in nodes
        for inner in (node, *(n for g in subgraphs(node) for n in walk(g)))  # type: ignore[arg-type]
        for value in inner.attrs.values()
    )
