"""Lookup of a graph's elements: by name, by object, and what sessions may do with them.

Part of Graph that only reads.
"""

from __future__ import annotations

from typing import Any

from runtime.eager.tensor import Tensor
from runtime.graph.graph_base import GraphBase
from runtime.graph.graph_def import GraphDef, graph_def
from runtime.graph.operation import Operation, SymbolicTensor, has_effects
from runtime.graph.scopes import NameTable
from runtime.ops import inputs as op_inputs
from runtime.types.errors import InaccessibleTensorError


class ElementLookup(GraphBase):
    """Part of a graph that finds operations and tensors."""

    operations: list[Operation]
    names: NameTable

    _unfeedable: set[SymbolicTensor]
    _unfetchable: set[Operation]
    outer: Any

    @property
    def version(self) -> int:
        """Number of operations recorded so far."""
        return len(self.operations)

    @property
    def stateful(self) -> bool:
        """Whether running the whole graph has effects."""
        return has_effects(self)

    def as_graph_def(self, from_version: int | None = None, add_shapes: bool = False) -> GraphDef:
        """Describe the operations, only those after ``from_version``, with shapes if asked."""
        return graph_def(self, from_version, add_shapes)

    def get_operations(self) -> list[Operation]:
        """Return all operations in program order."""
        return list(self.operations)

    def get_operation_by_name(self, name: str) -> Operation:
        """Return an operation by name; KeyError if unknown, ValueError for a tensor's name."""
        operation: Operation = self.names.operation(name)
        return operation

    def get_tensor_by_name(self, name: str) -> SymbolicTensor:
        """Return a tensor by name (``add:0``); KeyError if unknown, ValueError for other forms."""
        tensor: SymbolicTensor = self.names.tensor(name)
        return tensor

    def as_graph_element(
        self, obj: Any, allow_tensor: bool = True, allow_operation: bool = True
    ) -> Any:
        """Return the tensor or operation of this graph that ``obj`` is, names or stands for.

        ``obj`` may be a tensor, an operation, a name or a variable of the graph.  KeyError for an
        unknown name, ValueError for elements of other graphs and names of the wrong kind,
        TypeError for anything else.
        """
        if not (allow_tensor or allow_operation):
            raise ValueError("allow_tensor and allow_operation can't both be False.")
        obj = obj.decode() if isinstance(obj, bytes) else obj
        if isinstance(obj, str):
            by_tensor = allow_tensor and (":" in obj or not allow_operation)
            return self.names.tensor(obj) if by_tensor else self.names.operation(obj)
        if hasattr(obj, "_as_graph_element") and allow_tensor:  # a variable
            return self.as_graph_element(obj._as_graph_element(), allow_tensor, allow_operation)
        if isinstance(obj, SymbolicTensor) and allow_tensor or (
            isinstance(obj, Operation) and allow_operation
        ):
            if obj.graph is not self:
                kind = "Tensor" if isinstance(obj, SymbolicTensor) else "Operation"
                raise ValueError(f"{kind} {obj} is not an element of this graph.")
            return obj
        kinds = [k for k, allowed in (("Tensor", allow_tensor), ("Operation", allow_operation))
                 if allowed]  # fmt: skip
        raise TypeError(f"Can not convert a {type(obj).__name__} into a {' or '.join(kinds)}.")

    def as_operation(self, item: Any) -> Operation | None:
        """Return the operation of an operation, tensor or name; None for eager values."""
        if isinstance(item, Operation):
            return item
        if isinstance(item, SymbolicTensor):
            return item.op
        if isinstance(item, Tensor) or item is None:
            return None
        if isinstance(item, str):
            return self.as_operation(self.as_graph_element(item))
        converted = op_inputs.convert_input(item)
        if converted is item and hasattr(item, "_as_graph_element"):
            converted = item._as_graph_element()
        return self.as_operation(converted) if converted is not item else None

    def check_reachable(self, tensor: SymbolicTensor) -> None:
        """Raise InaccessibleTensorError when a tensor of a traced function is used outside."""
        if tensor.graph.temporary:
            raise InaccessibleTensorError(
                f"{tensor!r}, made at {tensor.op.location}, is out of scope: it belongs to "
                f"{tensor.graph.title} and has no value outside of it. Return it from there "
                "instead of storing it."
            )

    def encloses(self, other: GraphBase) -> bool:
        """Return whether ``other`` is one of the graphs around this one."""
        outer = self.outer
        while outer is not None and outer is not other:
            outer = getattr(outer, "outer", None)
        return outer is other and other is not None

    def control_input(self, item: Any) -> Operation | None:
        """Return the operation to wait for; None for eager values, which exist already.

        ValueError for elements of other graphs, TypeError for what is no element of a graph.
        """
        node = self.as_operation(item)
        if node is None and not isinstance(item, Tensor):
            self.as_graph_element(item)  # raises, and says why
        if node is not None and node.graph is not self:
            raise ValueError(
                f"control_dependencies: {item!r} is not an element of {self.title}: it belongs to "
                "another graph."
            )
        return node

    # -- what sessions may do -----------------------------------------------------------------

    def is_feedable(self, tensor: Any) -> bool:
        """Return whether a session may feed the tensor: any of the graph, unless prevented."""
        return (
            isinstance(tensor, SymbolicTensor) and tensor.graph is self
            and not (self._unfeedable and tensor in self._unfeedable)
        )  # fmt: skip

    def is_fetchable(self, tensor_or_op: Any) -> bool:
        """Return whether a session may fetch it: any element of the graph, unless prevented."""
        if not isinstance(tensor_or_op, SymbolicTensor | Operation):
            return False
        node = tensor_or_op if isinstance(tensor_or_op, Operation) else tensor_or_op.op
        return node.graph is self and node not in self._unfetchable

    def prevent_feeding(self, tensor: SymbolicTensor) -> None:
        """Make sessions refuse to feed the tensor."""
        self._unfeedable.add(tensor)

    def prevent_fetching(self, op: Operation) -> None:
        """Make sessions refuse to fetch the operation and its outputs."""
        self._unfetchable.add(op)
