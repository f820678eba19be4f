"""Connection of a session to a cluster: its executables, of parts that run on tasks."""

from __future__ import annotations

import asyncio
import itertools
import sys
import threading
import time
import uuid
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Any

from runtime.distribute.sessions.cluster import Cluster, KnownTask, connect
from runtime.distribute.sessions.part_text import definition_of, movable
from runtime.distribute.sessions.task import Sent
from runtime.engine.device_registry import LogicalDevice
from runtime.engine.protocol import Refusal, SettledExecutable, Span
from runtime.graph.func_graph import graphs_inside
from runtime.graph.operation import subgraphs
from runtime.graph.order import topological_order
from runtime.graph.run_request import RunRequest
from runtime.graph.task_parts import GraphPart, TaskPlacement, cut, draws
from runtime.ops.array.constants import constant_op
from runtime.ops.op import HIGHER_ORDER
from runtime.ops.random_seed import PROCESS, RandomState
from runtime.ops.resource.variable import deadline

__all__ = ["open_target", "reset_target"]


class SessionTarget:
    """Connection of one session to the tasks of a cluster."""

    def __init__(self, cluster: Cluster, address: str, config: Any) -> None:
        self.cluster = cluster
        self.soft = config is not None and config.allow_soft_placement
        self.logs = config is not None and config.log_device_placement
        self.address = address
        self.key = uuid.uuid4().hex
        self.numbers = itertools.count()
        self.streams = RandomState()
        """Streams of random numbers, which belong to the session and not to a task."""
        self.drawing = threading.Lock()

    def executable(self, request: RunRequest) -> ClusterExecutable:
        """Return the executable of a request: it is cut, and each task has compiled its parts."""
        return ClusterExecutable(self, request)

    def devices(self) -> list[LogicalDevice]:
        """Return the devices of all tasks."""
        return [
            LogicalDevice(f"{task.replace('/task', '/replica:0/task')}/device:CPU:0", "CPU")
            for task in self.cluster.tasks
        ]

    def close(self) -> None:
        """End the connection; variables stay on their tasks."""
        self.cluster.forget(self.key)
        self.cluster.close()


class ClusterPart:
    """Part of a request on its task."""

    def __init__(self, target: SessionTarget, part: GraphPart, wanted: Any) -> None:
        self.part = part
        self.member: KnownTask = target.cluster.member(part.task)
        self.key = f"{target.key}/{next(target.numbers)}"
        self.draws = any(draws(n) for node in part.operations for n in _with_inner(node))
        self.definition = definition_of(part, wanted, self.member.local is None)
        self.earlier: list[ClusterPart] = []
        self.uses: list[int] = []


def _with_inner(node: Any) -> Any:
    yield node
    if HIGHER_ORDER in node.op_def.traits:
        for graph in subgraphs(node):
            for inner in (graph, *graphs_inside(graph)):  # type: ignore[arg-type]
                yield from inner.operations


class ClusterExecutable(SettledExecutable):
    """Executable of parts, each of which runs on the task that its operations name."""

    engine = "dask"
    stateful = True
    refusals: Sequence[Refusal] = ()

    def __init__(self, target: SessionTarget, request: RunRequest) -> None:
        self.target = target
        cluster = target.cluster
        fed = frozenset(map(id, request.feeds))
        wanted = [*request.operations, *(t.op for t in request.fetches if id(t) not in fed)]
        nodes = topological_order(request.graph, wanted, fed)
        placement = TaskPlacement(
            request.graph, cluster.tasks, cluster.master, lambda node: not movable(node),
            cluster.here, target.soft,
        )  # fmt: skip
        cuts = cut(nodes, request.fetches, fed, placement)
        self.parts = [ClusterPart(target, part, request.operations) for part in cuts]
        for node, task in ((n, p.task) for p in cuts for n in p.operations if target.logs):
            print(f"{node.name}: ({node.type}): {task}", file=sys.stderr)
        by_id = {id(p.part): p for p in self.parts}
        fetched = set(map(id, request.fetches))
        for part in self.parts:
            part.earlier = [by_id[key] for key in part.part.earlier]
            for tensor_id in part.part.results:
                users = [p for p in self.parts if tensor_id in p.part.received]
                stays = all(p.member is part.member for p in users)
                count = 0 if tensor_id in fetched else len(users)
                part.uses.append(-count if stays else count)
        self.fetches = [
            (id(t), t.op.attrs["value"] if t.op.op_def is constant_op else None)
            for t in request.fetches
        ]
        self.feeds = [*map(id, request.feeds)]
        self.runs = itertools.count()
        cluster.sync(self._define)

    async def _define(self) -> None:
        cluster = self.target.cluster
        await gathered([
            cluster.call(p.member, "define", p.key, p.member.incarnation, p.definition)
            for p in self.parts
        ])  # fmt: skip

    @property
    def progress(self) -> str:
        """The tasks, in the order of the parts."""
        return f"on {', '.join(part.part.task for part in self.parts)}"

    def __call__(self, arrays: Sequence[Any]) -> list[Any]:
        """Run on the arrays of the feeds; return the arrays of the fetches.

        Each part runs as soon as those before it have run; those of this process in this thread.
        """
        limit = deadline()
        timeout_in_ms = 0 if limit is None else max(1, int(1000 * (limit - time.monotonic())))
        values: dict[int, Any] = dict(zip(self.feeds, arrays, strict=True))
        run = f"{self.target.key}:{next(self.runs)}"
        waiting = list(self.parts)
        running: dict[Future[Any], ClusterPart] = {}
        done: set[int] = set()
        try:
            while waiting or running:
                ready = [p for p in waiting if all(id(e) in done for e in p.earlier)]
                here = [p for p in ready if p.member.local is not None]
                for part in ready:
                    if part not in here:
                        waiting.remove(part)
                        running[self._started(part, values, run, timeout_in_ms)] = part
                if here:
                    waiting.remove(here[0])
                    self._started(here[0], values, run, timeout_in_ms).result()
                    done.add(id(here[0]))
                    continue
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    part = running.pop(future)
                    future.result()
                    done.add(id(part))
        except BaseException:
            for future in running:
                future.cancel()
            self.target.cluster.forget(run)
            raise
        return [values[key] if constant is None else constant for key, constant in self.fetches]

    def _started(
        self, part: ClusterPart, values: dict[int, Any], run: str, timeout_in_ms: int
    ) -> Future[Any]:
        """Start a part; a part of this process has ended on return."""
        inputs = [values[key] for key in part.part.received]
        streams = self.target.streams
        if part.draws:
            self.target.drawing.acquire()
        sent = (streams.snapshot(), PROCESS.seed) if part.draws else None
        arguments = part.key, inputs, run, part.uses, sent, timeout_in_ms

        def keep(results: Sequence[Any], places: Any) -> None:
            if places is not None:
                streams.restore(places)
            values.update(zip(part.part.results, results, strict=True))

        async def call() -> None:
            keep(*await self.target.cluster.call(part.member, "run", *arguments))

        try:
            local = part.member.local
            if local is None or any(isinstance(value, Sent) for value in inputs):
                future = self.target.cluster.submitted(call)
            else:
                future = Future()
                keep(*local.run_now(*arguments))
                future.set_result(None)
        except BaseException:
            if part.draws:
                self.target.drawing.release()
            raise
        if part.draws:
            future.add_done_callback(lambda _: self.target.drawing.release())
        return future

    def profile(self, arrays: Sequence[Any]) -> tuple[list[Any], list[Span]]:
        """Run, without the spans of operations, which the tasks do not tell."""
        return self(arrays), []


async def gathered(tasks: Sequence[Any]) -> None:
    """Wait for all; raise the first error at once, and cancel what has not ended."""
    futures = [asyncio.ensure_future(task) for task in tasks]
    try:
        await asyncio.gather(*futures)
    except BaseException:
        for future in futures:
            future.cancel()
        await asyncio.gather(*futures, return_exceptions=True)
        raise


def open_target(target: str, config: Any) -> SessionTarget:
    """Connect a session; errors as of ``cluster.connect``."""
    return SessionTarget(connect(target, config), target, config)


def reset_target(target: str) -> None:
    """Drop the variables of all tasks of a cluster."""
    cluster = connect(target)

    async def reset() -> None:
        for name in cluster.tasks:
            await cluster.call(await cluster.meet(name), "reset")

    cluster.sync(reset)
    cluster.close()
