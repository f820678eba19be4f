"""Cut of a graph by tasks of a cluster: which task runs an operation, and in which of its requests.

A part holds operations of one task, with nothing of another task between them.  An operation runs
where its device says, one of a variable where the variable is, a branch or loop as a whole where
the operations inside say; what names no task runs on the master.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from runtime.graph.func_graph import graphs_inside
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation, SymbolicTensor, subgraphs
from runtime.ops import dispatch
from runtime.ops.array.constants import constant_op
from runtime.ops.op import HIGHER_ORDER, READS, STATEFUL
from runtime.ops.resource.session_resource import SessionResource
from runtime.ops.resource.variable import VariableStorage, read_op
from runtime.types.device_spec import DeviceSpec
from runtime.types.errors import InvalidArgumentError, UnimplementedError


class GraphPart:
    """Operations of one task that run as one request, in program order.

    ``received`` are the tensors of earlier parts and the feeds that it takes, ``results`` those
    that it gives; ``earlier`` are the numbers of the parts that run before it.  ``borrowed`` are
    variables of other tasks that its branches and loops read, with the tensors of their values.
    """

    def __init__(self, task: str, level: int) -> None:
        self.task = task
        self.level = level
        self.operations: list[Operation] = []
        self.received: dict[int, SymbolicTensor] = {}
        self.results: dict[int, SymbolicTensor] = {}
        self.earlier: set[int] = set()
        self.borrowed: dict[VariableStorage, SymbolicTensor] = {}

    def __repr__(self) -> str:
        return f"<part {self.level} of {self.task}: {len(self.operations)} operations>"


def task_of_device(device: str) -> str | None:
    """Return the task that a device's name means, ``/job:ps/task:0``; None if it names no job."""
    spec = DeviceSpec.from_string(device) if device else DeviceSpec()
    if spec.job is None:
        return None
    return DeviceSpec(spec.job, None, spec.task or 0).to_string()


def resources_of(node: Operation) -> list[Any]:
    """Return the variables, queues and the like that an operation works on."""
    return [
        value for value in node.attrs.values()
        if isinstance(value, VariableStorage | SessionResource)
    ]  # fmt: skip


def homes_of(graph: Graph) -> dict[int, str]:
    """Return the devices of the resources of a graph, by id: where each was made."""
    homes: dict[int, str] = {}
    for node in graph.operations:
        for resource in resources_of(node):
            homes.setdefault(id(resource), getattr(resource, "made_on", node.device))
    return homes


class TaskPlacement:
    """Choice of the task of each operation of a graph.

    ``tasks`` are those of the cluster, ``master`` is the task of what names none, ``stays`` says of
    an operation that names none whether it cannot leave this process, which is the task ``here``.
    """

    def __init__(
        self, graph: Graph, tasks: Sequence[str], master: str,
        stays: Callable[[Operation], bool] = lambda node: False, here: str = "",
    ) -> None:  # fmt: skip
        self.homes = homes_of(graph)
        self.tasks = tasks
        self.master = master
        self.stays = stays
        self.here = here

    def device_task(self, node: Operation, device: str) -> str | None:
        """Return the task of a device; InvalidArgumentError for one that is not in the cluster."""
        task = task_of_device(device)
        if task is None or task in self.tasks:
            return task
        raise InvalidArgumentError(
            f"Cannot assign a device for operation {node.name}: {{{{node {node.name}}}}} was "
            f"explicitly assigned to {device} but available devices are [ "
            f"{', '.join(self.tasks)} ]. Make sure the device specification refers to a valid "
            f"device{_at(node)}."
        )

    def home(self, node: Operation, resource: Any) -> str:
        """Return the task where a resource is."""
        return self.device_task(node, self.homes.get(id(resource), "")) or self.master

    def task(self, node: Operation) -> tuple[str, list[VariableStorage]]:
        """Return the task of an operation, and the variables that it borrows from others.

        UnimplementedError for a branch, loop or function whose operations name several tasks.
        """
        resources = resources_of(node)
        if resources:
            return self.home(node, resources[0]), []
        demands: dict[str, str] = {}
        read: dict[int, VariableStorage] = {}
        for inner in _inside(node):
            used = resources_of(inner)
            for resource in used:
                home = self.home(node, resource)
                if READS in inner.op_def.traits and isinstance(resource, VariableStorage):
                    read[id(resource)] = resource
                else:
                    demands.setdefault(home, f"{inner.name!r}{_at(inner)}")
            named = None if used else self.device_task(inner, inner.device)
            if named is not None:
                demands.setdefault(named, f"{inner.name!r}{_at(inner)}")
        if len(demands) > 1:
            places = " and ".join(f"{task} by {name}" for task, name in demands.items())
            raise UnimplementedError(
                f"{node.name!r}{_at(node)} runs as a whole on one task, but what is inside names "
                f"{places}. Name one task around it, and compute what others do before or after it"
            )
        own = self.device_task(node, node.device)
        default = self.here if self.here and self.stays(node) else self.master
        task = next(iter(demands), own or default)
        return task, [v for v in read.values() if self.home(node, v) != task]


def _inside(node: Operation) -> Iterator[Operation]:
    if HIGHER_ORDER in node.op_def.traits:
        for graph in subgraphs(node):
            for inner in (graph, *graphs_inside(graph)):  # type: ignore[arg-type]
                yield from inner.operations


def _at(node: Operation) -> str:
    return f", made at {node.location}" if node.location else ""


class _Order:
    """Order of effects: what an operation has to wait for besides its inputs.

    Operations on a resource, and draws of random numbers, keep their order; reads of a variable may
    change places with each other.  Other effects, such as text, wait for all changes before them,
    and all changes wait for them.
    """

    def __init__(self) -> None:
        self.writes: dict[Any, Operation] = {}
        self.reads: dict[Any, list[Operation]] = {}
        self.barrier: list[Operation] = []

    def before(self, node: Operation) -> list[Operation]:
        """Note an operation; return those that it waits for."""
        waits: dict[int, Operation] = {}
        for inner in (node, *_inside(node)):
            if STATEFUL in inner.op_def.traits:
                for earlier in self._step(node, inner):
                    waits[id(earlier)] = earlier
        waits.pop(id(node), None)
        return list(waits.values())

    def _step(self, node: Operation, inner: Operation) -> list[Operation]:
        keys: list[Any] = [id(resource) for resource in resources_of(inner)]
        keys += ["random"] if draws(inner) else []
        if not keys:
            waits = [*self.writes.values(), *self.barrier]
            self.barrier = [node]
            return waits
        waits = []
        for key in keys:
            waits += [self.writes[key]] if key in self.writes else self.barrier
            if READS in inner.op_def.traits:
                self.reads.setdefault(key, []).append(node)
            else:
                waits += [*self.reads.pop(key, ()), *self.barrier]
                self.writes[key] = node
        return waits


def draws(node: Operation) -> bool:
    """Return whether an operation draws random numbers from a stream of the session's."""
    return any(hasattr(value, "drawing") for value in node.attrs.values())


def cut(
    nodes: Iterable[Operation], fetches: Sequence[SymbolicTensor], fed: frozenset[int],
    placement: TaskPlacement,
) -> list[GraphPart]:  # fmt: skip
    """Cut operations, in program order, into parts; ``fed`` holds the ids of fed tensors.

    A part depends on those before it in the list only.  Constants go to each part that uses them.
    """
    parts: dict[tuple[str, int], GraphPart] = {}
    part_of: dict[int, GraphPart] = {}
    order = _Order()
    reads: dict[int, SymbolicTensor] = {}

    def add(node: Operation, task: str, extra: Sequence[SymbolicTensor] = ()) -> GraphPart:
        inputs = [t for t in (*node.inputs, *extra)]
        waits = [t.op for t in inputs if id(t) not in fed] + [*node.controls, *order.before(node)]
        before = [part_of[id(n.recorded)] for n in waits if id(n.recorded) in part_of]
        level = max((p.level + (p.task != task) for p in before), default=0)
        part = parts.setdefault((task, level), GraphPart(task, level))
        part.operations.append(node)
        part_of[id(node.recorded)] = part
        part.earlier.update(id(p) for p in before if p is not part)
        for tensor in inputs:
            source = None if id(tensor) in fed else part_of.get(id(tensor.op.recorded))
            if id(tensor) in fed or (source is not None and source is not part):
                part.received[id(tensor)] = tensor
            if source is not None and source is not part:
                source.results[id(tensor)] = tensor
        return part

    for node in nodes:
        if node.op_def is constant_op or (len(node.outputs) == 1 and id(node.outputs[0]) in fed):
            continue
        task, borrowed = placement.task(node)
        for storage in borrowed:
            if id(storage) not in reads:
                reads[id(storage)] = _read(storage)
                add(reads[id(storage)].op, placement.home(node, storage))
        part = add(node, task, [reads[id(storage)] for storage in borrowed])
        part.borrowed.update({storage: reads[id(storage)] for storage in borrowed})
        if READS not in node.op_def.traits:
            for resource in (r for n in (node, *_inside(node)) for r in resources_of(n)):
                reads.pop(id(resource), None)
    for tensor in fetches:
        source = part_of.get(id(tensor.op.recorded))
        if source is not None and id(tensor) not in fed:
            source.results[id(tensor)] = tensor
    return sorted(parts.values(), key=lambda part: part.level)


def _read(storage: VariableStorage) -> SymbolicTensor:
    """Return the tensor of a read in a graph of its own."""
    with dispatch.eagerly(), Graph().as_default():
        tensor: SymbolicTensor = dispatch.apply(read_op, (), {"storage": storage}, "borrowed")
    return tensor
