"""Parts of graphs as text, with what they refer to: what a session sends to a task."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from runtime.distribute.sessions.task import PartDefinition, VariableReference, walk
from runtime.graph.operation import Operation
from runtime.graph.printer import SHOWN, GraphPrinter
from runtime.graph.task_parts import GraphPart, part_graph
from runtime.ops.resource.session_resource import SessionResource
from runtime.ops.resource.variable import VariableStorage
from runtime.types.errors import UnimplementedError


class _PartPrinter(GraphPrinter):
    """Printer that keeps long constants as objects, and where each object is used."""

    def __init__(self) -> None:
        super().__init__(full=True)
        self.users: dict[str, Operation] = {}
        self._operation: Any = None

    def operation(self, operation: Any, indent: str) -> list[str]:
        """Write an operation, and its graphs below it."""
        self._operation = operation
        return super().operation(operation, indent)

    def constant_of(self, operation: Any, array: Any) -> str:
        """Write the value of a constant, or refer to it."""
        plain = array.size <= SHOWN and array.dtype.kind in "biufO"
        return super().constant_of(operation, array) if plain else self.object(array)

    def object(self, value: Any) -> str:
        """Write a reference to an object."""
        reference = super().object(value)
        self.users.setdefault(reference[1:], self._operation)
        return reference


def definition_of(
    part: GraphPart, wanted: Iterable[Operation], travels: bool
) -> PartDefinition:
    """Return what a task needs to know of a part.

    ``wanted`` are operations that run although nothing uses their results.  UnimplementedError for
    an operation with a Python object that cannot go to another process, if the part ``travels``.
    """
    graph = part_graph(part)
    printer = _PartPrinter()
    text = printer.graph(graph)
    received = list(part.received)
    borrowed = {s: received.index(id(t)) for s, t in part.borrowed.items()}
    objects: dict[str, Any] = {}
    for name, value in printer.objects.items():
        if isinstance(value, VariableStorage):
            reference = value.name, value.dtype.name, value.shape.dims
            objects[name] = VariableReference(*reference, borrowed.get(value))
        elif travels or isinstance(value, SessionResource):
            objects[name] = _pickled(value, part.task, printer.users[name])
        else:
            objects[name] = value
    places = [(node.location.file, node.location.line) for node in walk(graph)]
    names = {id(node.recorded): node.name for node in part.operations}
    effects = [node.name for node in part.operations if node.stateful]
    operations = [names[id(n.recorded)] for n in wanted if id(n.recorded) in names]
    return PartDefinition(text, objects, places, list(dict.fromkeys([*effects, *operations])))


def movable(node: Operation) -> bool:
    """Return whether the Python objects of an operation can go to another process."""
    printer = _PartPrinter()
    printer.operation(node, "")
    try:
        for name, value in printer.objects.items():
            if not isinstance(value, VariableStorage):
                _pickled(value, "", printer.users[name])
    except UnimplementedError:
        return False
    return True


def _pickled(value: Any, task: str, node: Operation) -> bytes:
    """Return an object as bytes; functions of the main program go by value."""
    import cloudpickle

    try:
        data: bytes = cloudpickle.dumps(value, protocol=5)
        return data
    except Exception as error:
        at = f", made at {node.location}" if node.location else ""
        raise UnimplementedError(
            f"{node.name!r}{at} cannot run on {task}: its {type(value).__name__} cannot go to "
            f"another process ({error}). Leave its device out, so that it runs in this process"
        ) from None
