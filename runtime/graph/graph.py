"""Graphs: an interpreter that records ops instead of computing them.

Operations stand in creation order, which is program order, and executors keep it: of the operations
a fetch needs, those with effects run in the order in which they were written.  So no further
ordering edges are needed.  A :class:`FuncGraph` is traced for a function, branch or loop body; it
*captures* the tensors of enclosing graphs that it uses.
"""

from __future__ import annotations

import contextlib
import threading
import weakref
from collections.abc import Sequence
from typing import Any

from autograph.staging import TRACES
from runtime.eager.tensor import Tensor
from runtime.graph import raise_tracking
from runtime.graph.collections import Collections
from runtime.graph.graph_base import GraphBase
from runtime.graph.lookup import ElementLookup
from runtime.graph.operation import Operation, SymbolicTensor, graphs_in
from runtime.graph.printer import graph_text
from runtime.graph.scopes import NameScopes, NameTable, ScopeMixin
from runtime.ops import dispatch
from runtime.ops import inputs as op_inputs
from runtime.ops.array.constants import constant_op, strengthen
from runtime.ops.op import ARITHMETIC, COMPARISON, HIGHER_ORDER, READS, OpDef
from runtime.types import promotion
from runtime.types.conversion import to_array
from runtime.types.device_spec import device_of
from runtime.types.dtypes import DType, bool_
from runtime.types.errors import InaccessibleTensorError, OpError
from runtime.types.shapes import TensorSpec

__all__ = ["Graph"]

graphs_in_use: set[int] = set()
"""The ids of the graphs that have operations and are no function's, as long as they live."""


def _note_use(graph: Graph) -> None:
    """Announce that tensors of a graph exist, and take that back when the graph goes."""
    key = id(graph)

    def forget() -> None:
        graphs_in_use.discard(key)
        TRACES.let_go()

    graphs_in_use.add(key)
    TRACES.hold()
    weakref.finalize(graph, forget).atexit = False


def graph_of(element: Operation | SymbolicTensor) -> Graph:
    """The graph of an operation or tensor, as one that records: a ``Graph``."""
    graph = element.graph
    assert isinstance(graph, Graph)
    return graph


class Graph(ElementLookup, ScopeMixin, Collections, GraphBase):
    """A dataflow graph.  ``with graph.as_default():`` records ops in it."""

    eager = False
    building_function = False
    """Whether it is traced for a function, branch or loop body, as TensorFlow asks."""
    outer: Any = None
    """The interpreter whose tensors this graph may capture: for sub-graphs only."""

    def __init__(self) -> None:
        self.scopes = NameScopes()
        self.names = NameTable(self.scopes)
        self._collections = {}
        self._unfeedable = set()
        self._unfetchable = set()
        self._programs = 0
        self.operations: list[Operation] = []
        self.required: list[Operation] = []
        """Operations that run with every fetch of their program (see ``program``)."""
        self.rewired = 0
        """How often an operation was given one more control input after it was made."""
        self.extensions: dict[Operation, list[Operation]] = {}
        """By recorded operation: what gives the same and more, see extensions.py."""
        self.seed: int | None = None
        self._constants: dict[int, tuple[Tensor, SymbolicTensor]] = {}
        self.notes: dict[Any, Any] = {}
        """What others keep about the graph: see side_table.py."""
        self._finalized = False
        self._closed = False
        """Whether it takes no more operations."""
        self._lock = threading.RLock()

    # -- recording --------------------------------------------------------------------------------

    def apply(
        self, op: OpDef, inputs: Sequence[Any], attrs: dict[str, Any], name: str | None
    ) -> Any:
        """Record an op and give its symbolic outputs (an Operation when it has none)."""
        tensors: Sequence[SymbolicTensor]
        if self._fit(op, inputs):
            tensors, weak = inputs, False
        else:
            home = self._home(inputs)
            if home is not self:
                with dispatch.using(home):
                    return home.apply(op, inputs, attrs, name)
            values = op_inputs.resolve_all(op, inputs)
            tensors, weak = self._tensors(op, values)
        try:
            specs = op.infer(*[t.spec for t in tensors], **attrs)
        except OpError as error:
            raise op_inputs.refusal(op, error) from None
        single = isinstance(specs, TensorSpec)
        node = self._record(op, tensors, attrs, (specs,) if single else specs, weak, name)
        outputs: Any = node.outputs[0] if single else node.outputs or node
        if dispatch.THREAD.watchers:
            dispatch.watch(op, tensors, attrs, outputs)
        return outputs

    def _fit(self, op: OpDef, inputs: Sequence[Any]) -> bool:
        """Whether all inputs are tensors of this graph that the op takes as they are."""
        for value in inputs:
            if type(value) is not SymbolicTensor or value.op.graph is not self or value.weak:
                return False
        if op.same_dtype_inputs is None:
            return True
        dtype = None
        for tensor in inputs[op.same_dtype_inputs]:
            found = tensor.spec.dtype
            if dtype is None:
                dtype = found
                if op.dtype_kinds and found.kind not in op.dtype_kinds:
                    return False
            elif found is not dtype:
                return False
        return True

    def apply_outside(
        self, op: OpDef, inputs: Sequence[Any], attrs: dict[str, Any], name: str | None
    ) -> Any:
        """As ``apply``, for code that runs outside of the graph; an error when it is temporary."""
        self.check_reachable(next(v for v in inputs if isinstance(v, SymbolicTensor)))
        with dispatch.using(self):
            return self.apply(op, inputs, attrs, name)

    def check_reachable(self, tensor: SymbolicTensor) -> None:
        """InvalidArgumentError when a tensor of a traced function is used outside of it."""
        if tensor.graph.temporary:
            raise InaccessibleTensorError(
                f"{tensor!r}, made at {tensor.op.location}, is out of scope: it belongs to "
                f"{tensor.graph.title} and has no value outside of it. Return it from there "
                "instead of storing it."
            )

    def _record(self, op: OpDef, tensors: Sequence[SymbolicTensor], attrs: dict[str, Any],
                specs: tuple[TensorSpec, ...], weak: bool, name: str | None,
                waits: bool = True) -> Operation:  # fmt: skip
        """Record an operation; one that does not wait heeds no control dependencies."""
        if raise_tracking.WATCHING.trials or raise_tracking.WATCHING.attempts:
            raise_tracking.before(self, op, tensors, attrs)
        scopes = self.scopes
        control = scopes.control[-1] if waits and scopes.control else ()
        if HIGHER_ORDER in op.traits:
            control = self._outer_control(attrs, control)
        weak = weak and (ARITHMETIC in op.traits or COMPARISON in op.traits)
        with self._lock:
            if self._closed:
                self.check_recording()
            node = Operation(
                self, op, tuple(tensors), self.names.unique(name or op.node_name), attrs, control,
                specs, weak,
            )  # fmt: skip
            if scopes.devices:
                node.device = device_of(node, scopes.devices)
            if not self.operations and not self.temporary:
                _note_use(self)
            self.operations.append(node)
            self.names.operations[node.name] = node
            if node.program and node.stateful and READS not in op.traits:
                self.required.append(node)
        return node

    def _outer_control(
        self, attrs: dict[str, Any], control: tuple[Operation, ...]
    ) -> tuple[Operation, ...]:
        """The control inputs of an op with graphs: also what is waited for inside of them."""
        awaited = [o for graph in graphs_in(attrs) for o in getattr(graph, "awaited", ())]
        mine = [self.control_input(outer) for outer in awaited]
        return tuple(dict.fromkeys((*control, *[node for node in mine if node is not None])))

    def control_input(self, item: Any) -> Operation | None:
        """The operation to wait for; None for eager values: they are there already."""
        node = self.as_operation(item)
        if node is None and not isinstance(item, Tensor):
            self.as_graph_element(item)  # an error that says why not
        if node is not None and node.graph is not self:
            raise ValueError(
                f"control_dependencies: {item!r} is not an element of {self.title}: it belongs to "
                "another graph."
            )
        return node

    def rollback(self, length: int) -> None:
        """Forget the operations beyond a number of them, except inputs."""
        with self._lock:
            taken = {id(t.op) for t in getattr(self, "inputs", ())}
            gone = [o for o in self.operations[length:] if id(o) not in taken]
            dropped = set(map(id, gone))
            self.operations[length:] = [o for o in self.operations[length:] if id(o) in taken]
            for index, node in enumerate(self.operations[length:], length):
                node.index = index
            self.required = [node for node in self.required if id(node) not in dropped]
            for node in gone:
                del self.names.operations[node.name]
                self.extensions.pop(node, None)
            self._constants = {
                key: pair for key, pair in self._constants.items() if id(pair[1].op) not in dropped
            }

    def _home(self, values: Sequence[Any]) -> Graph:
        """The graph that records an op of these values: this one unless all come from another."""
        foreign = [
            v for v in values
            if isinstance(v, SymbolicTensor) and v.op.graph is not self
            and not self.encloses(v.op.graph)
        ]  # fmt: skip
        if not foreign:
            return self
        home = graph_of(foreign[0])
        mixed = [v for v in values if isinstance(v, SymbolicTensor) and v.op.graph is not home]
        if not home.temporary and not self.temporary and not mixed:
            return home
        self.check_reachable(foreign[0])
        other = f" and {mixed[0]!r}" if mixed else ""
        raise ValueError(
            f"{foreign[0]!r}{other} must be from the same graph, but the first belongs to another "
            f"graph than {self.title}. Make the tensors under one `with graph.as_default():`."
        )

    def encloses(self, other: GraphBase) -> bool:
        """Whether ``other`` is one of the graphs around this one."""
        outer = self.outer
        while outer is not None and outer is not other:
            outer = getattr(outer, "outer", None)
        return outer is other and other is not None

    def _tensors(self, op: OpDef, values: list[Any]) -> tuple[list[SymbolicTensor], bool]:
        """The inputs as tensors of this graph, and whether they all are Python numbers."""
        if HIGHER_ORDER in op.traits or (op.same_dtype_inputs is None and op.keeps_weak):
            return [self.own(v) if isinstance(v, Tensor) else self.lift(v) for v in values], False
        group = values[op.same_dtype_inputs] if op.same_dtype_inputs is not None and values else []
        if not group:
            return [self.lift(v) for v in values], False
        dtype, weak = promotion.shared_dtype(group, op.keeps_weak, op.takes_bool)
        op_inputs.check_kind(op, dtype)
        shared = [self._lift_as(v, dtype, weak) for v in group]
        found = [t.spec.dtype for t in shared]
        if any(d is not dtype for d in found):
            raise promotion.mismatch(op.name, op.inputs, found)
        if len(group) == len(values):
            return shared, weak
        assert op.same_dtype_inputs is not None
        start = op.same_dtype_inputs.indices(len(values))[0]
        before = [self.lift(v) for v in values[:start]]
        return before + shared + [self.lift(v) for v in values[start + len(group) :]], weak

    def _lift_as(self, value: Any, dtype: DType, weak: bool) -> SymbolicTensor:
        if not isinstance(value, Tensor):
            return self.constant(to_array(value, dtype), weak)
        tensor = self.own(value)
        if not tensor.weak or (weak and tensor.spec.dtype is dtype):
            return tensor
        return self.settle(tensor, dtype, weak)

    def settle(self, tensor: SymbolicTensor, dtype: DType, weak: bool = False) -> SymbolicTensor:
        """A weak tensor as one of ``dtype``; TypeError when a Python number may not become it."""
        if not (weak and tensor.dtype is bool_):  # Python computes with bools as with ints
            promotion.check_weak_takes(tensor.dtype, dtype)
        spec = TensorSpec(tensor.shape, dtype)
        node = self._record(strengthen, [tensor], {"dtype": dtype}, (spec,), False, None)
        node.outputs[0].weak = weak
        return node.outputs[0]

    def own(self, tensor: Tensor) -> SymbolicTensor:
        """The tensor as one of this graph: itself, a capture, or a constant."""
        if isinstance(tensor, SymbolicTensor):
            return tensor if tensor.op.graph is self else self.capture(tensor)
        known = self._constants.get(id(tensor))
        if known is None:  # the entry keeps the eager tensor alive, and so its id its own
            known = self._constants[id(tensor)] = (tensor, self.constant(tensor._array))
        return known[1]

    def capture(self, tensor: SymbolicTensor) -> SymbolicTensor:
        """A tensor of an enclosing graph for use in here; only sub-graphs can."""
        self.check_reachable(tensor)
        raise ValueError(f"{tensor!r} is not an element of {self.title}.")

    def lift(self, value: Any, dtype: DType | None = None) -> SymbolicTensor:
        """A value as a strong tensor of this graph."""
        if not isinstance(value, Tensor):
            return self.constant(to_array(value, dtype))
        tensor = self.own(value)
        if tensor.weak:
            return self.settle(tensor, dtype or promotion.DEFAULT_DTYPE[tensor.dtype])
        return tensor

    def convert(self, value: Any, dtype: DType | None, name: str | None) -> Any:
        """A value as a tensor of this graph; ValueError when a tensor has another dtype."""
        value = op_inputs.resolve(value, dtype)
        if not isinstance(value, Tensor):
            return self.constant(to_array(value, dtype), name=name)
        if isinstance(value, SymbolicTensor) and value.op.graph is not self:
            home = self._home([value])
            if home is not self:
                return home.convert(value, dtype, name)
        tensor = self.lift(value, dtype)
        if dtype is not None:
            op_inputs.check_dtype(tensor, dtype, name)
        return tensor

    def constant(self, array: Any, weak: bool = False, name: str | None = None) -> SymbolicTensor:
        """A constant of this graph; control dependencies do not apply to it."""
        spec = constant_op.infer(value=array)
        node = self._record(constant_op, (), {"value": array}, (spec,), False, name, waits=False)
        node.outputs[0].weak = weak
        return node.outputs[0]

    # -- scopes --------------------------------------------------------------------------------

    def as_default(self) -> contextlib.AbstractContextManager[Any]:
        """Within the block, ops are recorded in this graph."""
        return dispatch.using(self)

    @property
    def finalized(self) -> bool:
        """Whether the graph is closed for new operations."""
        return self._finalized

    def finalize(self) -> None:
        """Close the graph for new operations."""
        self._finalized = self._closed = True

    def optimized(self, fetches: Any = None, feeds: Any = None) -> Graph:
        """What runs in this graph's place for these fetches and feeds (nests of elements): to read.

        By default all that nobody takes is fetched, and all placeholders are fed; what is traced
        for a function gives its outputs.  This graph is not changed.
        """
        found: Graph = dispatch.engine().optimized(self, fetches, feeds)
        return found

    def __str__(self) -> str:
        return graph_text(self)

    def check_recording(self) -> None:
        """An error when the graph takes no more operations."""
        self.check_open()

    def check_open(self) -> None:
        """RuntimeError when the graph is finalized."""
        if self._finalized:
            raise RuntimeError("Graph is finalized and cannot be modified.")
