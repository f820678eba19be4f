"""Cut of a graph by tasks of a cluster: which task runs an operation, and in which of its requests.

A part holds operations of one task, with nothing of another task between them.  An operation runs
where its device says, one of a variable where the variable is, a branch or loop as a whole where
the operations inside say; what names no task runs on the master.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from runtime.graph.func_graph import FuncGraph, graphs_inside
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation, SymbolicTensor, copy_operations, subgraphs
from runtime.ops import dispatch
from runtime.ops.array.constants import constant_op
from runtime.ops.op import HIGHER_ORDER, READS, STATEFUL
from runtime.ops.resource.session_resource import SessionResource
from runtime.ops.resource.variable import VariableStorage, read_op
from runtime.types.device_spec import DeviceSpec
from runtime.types.errors import InvalidArgumentError, UnimplementedError
from runtime.types.shapes import TensorSpec


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
        soft: bool = True,
    ) -> None:  # fmt: skip
        self.homes = homes_of(graph)
        self.tasks = tasks
        self.master = master
        self.stays = stays
        self.here = here
        self.soft = soft
        """Whether the CPU of a task does what another device of it is asked for."""

    def device_task(self, node: Operation, device: str) -> str | None:
        """Return the task of a device; InvalidArgumentError for one that is not in the cluster."""
        task = task_of_device(device)
        spec = DeviceSpec.from_string(device) if device and not self.soft else DeviceSpec()
        on_cpu = (spec.device_type or "CPU", spec.device_index or 0) == ("CPU", 0)
        if on_cpu and (task is None or task in self.tasks):
            return task
        raise InvalidArgumentError(
            f"Cannot assign a device for operation {node.name}: {{{{node {node.name}}}}} was "
            f"explicitly assigned to {device} but available devices are [ "
            f"{', '.join(f'{name}/device:CPU:0' for name in self.tasks)} ]. Make sure the device "
            f"specification refers to a valid device, or, for another device of a task, let its "
            f"CPU do it: ConfigProto(allow_soft_placement=True){_at(node)}."
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


class _EffectOrder:
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

    A part depends on those before it in the list only.  Constants, and what is computed of them
    alone and is small, go to each part that uses them.
    """
    return _Cut(fed, placement).parts(nodes, fetches)


class _PlacedOperation:
    """Operation with its task, and those that it waits for and that wait for it."""

    def __init__(self, node: Operation, task: str, inputs: Sequence[SymbolicTensor]) -> None:
        self.node = node
        self.task = task
        self.inputs = inputs
        self.before: dict[int, _PlacedOperation] = {}
        self.after: list[_PlacedOperation] = []
        self.level = 0
        self.borrowed: dict[VariableStorage, SymbolicTensor] = {}


class _Cut:
    """State of one cut."""

    def __init__(self, fed: frozenset[int], placement: TaskPlacement) -> None:
        self.fed = fed
        self.placement = placement
        self.order = _EffectOrder()
        self.placed: dict[int, _PlacedOperation] = {}
        self.waits_for: dict[int, list[_PlacedOperation]] = {}
        """What an operation stands for that others only wait for."""
        self.portable: set[int] = set()
        self.reads: dict[int, SymbolicTensor] = {}

    def parts(
        self, nodes: Iterable[Operation], fetches: Sequence[SymbolicTensor]
    ) -> list[GraphPart]:  # fmt: skip
        """Return the parts of operations."""
        fetched = {id(tensor.op.recorded) for tensor in fetches}
        for node in nodes:
            self._place(node, id(node.recorded) in fetched)
        self._move_reads()
        return self._grouped(fetches)

    def _place(self, node: Operation, fetched: bool) -> None:
        if len(node.outputs) == 1 and id(node.outputs[0]) in self.fed:
            return
        if self._is_portable(node, fetched):
            self.portable.add(id(node.recorded))
            before = [*node.controls, *(tensor.op for tensor in node.inputs)]
            self.waits_for[id(node.recorded)] = self._waits(before)
            return
        if not (node.inputs or node.outputs or node.stateful):  # it groups others
            self.waits_for[id(node.recorded)] = self._waits(node.controls)
            return
        task, borrowed = self.placement.task(node)
        for storage in borrowed:
            if id(storage) not in self.reads:
                self.reads[id(storage)] = _read(storage)
                read = self.reads[id(storage)].op
                self._add(read, self.placement.home(node, storage))
        values = {storage: self.reads[id(storage)] for storage in borrowed}
        self._add(node, task, values)
        if READS not in node.op_def.traits:
            for resource in (r for n in (node, *_inside(node)) for r in resources_of(n)):
                self.reads.pop(id(resource), None)

    def _is_portable(self, node: Operation, fetched: bool) -> bool:
        """Return whether each part may compute an operation itself."""
        if node.op_def is constant_op:
            return True
        return not (fetched or node.stateful or not node.outputs) and (
            _is_small(node) and HIGHER_ORDER not in node.op_def.traits
            and all(id(t.op.recorded) in self.portable and id(t) not in self.fed
                    for t in node.inputs)
        )  # fmt: skip

    def _waits(self, nodes: Iterable[Operation]) -> list[_PlacedOperation]:
        waits: list[_PlacedOperation] = []
        for node in nodes:
            key = id(node.recorded)
            waits += [self.placed[key]] if key in self.placed else self.waits_for.get(key, [])
        return waits

    def _add(
        self, node: Operation, task: str,
        borrowed: dict[VariableStorage, SymbolicTensor] | None = None,
    ) -> None:  # fmt: skip
        values = borrowed or {}
        placed = _PlacedOperation(node, task, [*node.inputs, *values.values()])
        placed.borrowed = values
        inputs = [t.op for t in placed.inputs if id(t) not in self.fed]
        for earlier in self._waits([*inputs, *node.controls, *self.order.before(node)]):
            placed.before[id(earlier)] = earlier
            placed.level = max(placed.level, earlier.level + (earlier.task != task))
        for earlier in placed.before.values():
            earlier.after.append(placed)
        self.placed[id(node.recorded)] = placed

    def _move_reads(self) -> None:
        """Move reads of variables, and small sums of them, to the part that alone needs them.

        An update reads what it changes in the request that changes it: no other comes between.
        """
        for placed in reversed(self.placed.values()):
            node = placed.node
            light = READS in node.op_def.traits or (not node.stateful and _is_small(node))
            if light and placed.after and all(p.task == placed.task for p in placed.after):
                placed.level = min(p.level for p in placed.after)

    def _grouped(self, fetches: Sequence[SymbolicTensor]) -> list[GraphPart]:
        parts: dict[tuple[str, int], GraphPart] = {}
        for placed in self.placed.values():
            key = placed.task, placed.level
            part = parts.setdefault(key, GraphPart(*key))
            part.operations.append(placed.node)
            part.borrowed.update(placed.borrowed)
            sources = [parts[p.task, p.level] for p in placed.before.values()]
            part.earlier.update(id(source) for source in sources if source is not part)
            for tensor in placed.inputs:
                origin = self.placed.get(id(tensor.op.recorded))
                if id(tensor) in self.fed:
                    part.received[id(tensor)] = tensor
                elif origin is not None and (origin.task, origin.level) != key:
                    part.received[id(tensor)] = tensor
                    parts[origin.task, origin.level].results[id(tensor)] = tensor
        for tensor in fetches:
            origin = self.placed.get(id(tensor.op.recorded))
            if origin is not None and id(tensor) not in self.fed:
                parts[origin.task, origin.level].results[id(tensor)] = tensor
        return sorted(parts.values(), key=lambda part: part.level)


_SMALL = 64
"""Results of so many elements are computed anew where they are needed."""


def _is_small(node: Operation) -> bool:
    sizes = [tensor.spec.shape.num_elements() for tensor in node.outputs]
    return all(size is not None and size <= _SMALL for size in sizes)


def _read(storage: VariableStorage) -> SymbolicTensor:
    """Return the tensor of a read in a graph of its own."""
    with dispatch.eagerly(), Graph().as_default():
        tensor: SymbolicTensor = dispatch.apply(read_op, (), {"storage": storage}, "borrowed")
    return tensor


def part_graph(part: GraphPart) -> FuncGraph:
    """Return a part as a graph: its inputs are what it receives, its outputs what it gives."""
    with dispatch.eagerly():
        graph = FuncGraph("part")
        graph.detach_outer()
        copies: dict[int, SymbolicTensor] = {}
        for key, tensor in part.received.items():
            spec = TensorSpec(tensor.spec.shape, tensor.spec.dtype)
            copies[key] = graph.add_input(spec, tensor.weak, name="received/tensor")
        nodes = [*_computed_anew(part), *part.operations]
        copy_operations(nodes, [node.name for node in nodes], graph, copies)
        graph.freeze([copies[key] for key in part.results])
    return graph


def _computed_anew(part: GraphPart) -> list[Operation]:
    """Return constants, and what is computed of them, that each part has for itself."""
    own = {id(node.recorded) for node in part.operations}
    needed: dict[int, Operation] = {}
    todo = list(part.operations)
    while todo:
        for tensor in todo.pop().inputs:
            key = id(tensor.op.recorded)
            if id(tensor) not in part.received and key not in own and key not in needed:
                needed[key] = tensor.op
                todo.append(tensor.op)
    return sorted(needed.values(), key=lambda node: node.index)
