"""Graph: an interpreter that records ops instead of computing them.

Operations are kept in program order, the order of their creation, and engines respect it: those
with effects run in the order in which they were written, so they need no ordering edges.  A
:class:`FuncGraph` is traced for a function, branch or loop body; it *captures* the tensors of
enclosing graphs that it uses.
"""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from autograph.syntax.fork_safe_lock import fork_safe_lock
from autograph.tracing import TRACES
from runtime.eager.tensor import Tensor
from runtime.graph import raise_tracking
from runtime.graph.collections import Collections
from runtime.graph.drawable import Drawable
from runtime.graph.graph_base import GraphBase
from runtime.graph.lookup import ElementLookup
from runtime.graph.operation import Operation, SymbolicTensor, graphs_in, read
from runtime.graph.printer import graph_text
from runtime.graph.scopes import NameScopes, NameTable, ScopeMixin
from runtime.graph.termination import must_run
from runtime.ops import dispatch
from runtime.ops import inputs as op_inputs
from runtime.ops.array.constants import constant_op, strengthen
from runtime.ops.op import ARITHMETIC, COMPARISON, HIGHER_ORDER, READS, OpDef
from runtime.types import promotion
from runtime.types.conversion import to_array
from runtime.types.device_spec import device_of
from runtime.types.dtypes import DTYPE_OF_NUMPY, DType, bool_, string
from runtime.types.errors import OpError
from runtime.types.shapes import TensorSpec
from runtime.types.source_location import user_location

if TYPE_CHECKING:
    from autograph.drawing.diagram import Diagram

__all__ = ["Graph"]

_NEED_NO_CONVERSION = frozenset((*op_inputs.PLAIN, Tensor, SymbolicTensor))

graphs_in_use: set[int] = set()
"""Ids of the live graphs that have operations and are not traced for a function."""


def _note_use(graph: Graph) -> None:
    """Announce a graph's tensors to autograph until the graph is collected."""
    key = id(graph)

    def forget() -> None:
        graphs_in_use.discard(key)
        TRACES.let_go()

    graphs_in_use.add(key)
    TRACES.hold()
    weakref.finalize(graph, forget).atexit = False


def graph_of(element: Operation | SymbolicTensor) -> Graph:
    """Return the ``Graph`` of an operation or tensor, which only knows its base class."""
    graph = element.graph
    assert isinstance(graph, Graph)
    return graph


class Graph(ElementLookup, ScopeMixin, Collections, Drawable, GraphBase):
    """Dataflow graph: operations in program order, each with its inputs and attributes.

    Ops are recorded in it within ``with graph.as_default():``; a ``Session`` runs parts of it.
    Several threads may record in one graph.  RuntimeError when something is recorded after
    ``finalize()``, ValueError for tensors that belong to another graph.
    """

    eager = False
    building_function = False
    """Whether it is traced for a function, branch or loop body: TensorFlow's attribute."""
    outer: Any = None
    """The interpreter whose tensors this graph may capture; None except for a FuncGraph."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self.get_operations())} operations>"

    def __init__(self) -> None:
        self.scopes = NameScopes()
        self.names = NameTable(self.scopes)
        self._collections = {}
        self._unfeedable = set()
        self._unfetchable = set()
        self.operations: list[Operation] = []
        self.run_effects: list[Operation] = []
        """Effects of converted code: they run with every fetch of the same run id."""
        self.late_controls = 0
        """How many control inputs operations were given after they were recorded."""
        self.extensions: dict[Operation, list[Operation]] = {}
        """Extensions of each recorded operation (extensions.py)."""
        self.seed: int | None = None
        self._constants: dict[int, tuple[Tensor, SymbolicTensor]] = {}
        self.side_tables: dict[Any, Any] = {}
        """What other rooms keep about the graph (side_table.py)."""
        self._finalized = False
        self._closed = False
        """Whether no more operations may be recorded."""
        self._lock = fork_safe_lock()

    # -- recording --------------------------------------------------------------------------------

    def apply(
        self, op: OpDef, inputs: Sequence[Any], attrs: dict[str, Any], name: str | None
    ) -> Any:
        """Record an op; return its symbolic outputs, or the Operation when it has none.

        One output is returned alone, several as a tuple.  MismatchedTypesError for inputs of
        different dtypes, ValueError for inputs that do not fit the op or belong to another graph.
        """
        tensors: Sequence[SymbolicTensor]
        if self._accepts_directly(op, inputs):
            tensors, weak = inputs, False
        else:
            is_plain = _NEED_NO_CONVERSION.issuperset(map(type, inputs))
            if not is_plain:
                inputs = [*map(read, inputs)]
                is_plain = _NEED_NO_CONVERSION.issuperset(map(type, inputs))
            graph = self._recording_graph(inputs)
            if graph is not self:
                with dispatch.as_current(graph):
                    return graph.apply(op, inputs, attrs, name)
            if not is_plain:
                inputs = op_inputs.convert_inputs(op, inputs)
            tensors, weak = self._as_tensors(op, inputs)
            weak = weak and (ARITHMETIC in op.traits or COMPARISON in op.traits)
        try:
            specs = op.infer(*[t.spec for t in tensors], **attrs)
        except OpError as error:
            raise op_inputs.with_op_name(op, error) from None
        single = isinstance(specs, TensorSpec)
        node = self._record(op, tensors, attrs, (specs,) if single else specs, weak, name)
        outputs: Any = node.outputs[0] if single else node.outputs or node
        if dispatch.THREAD.listeners:
            dispatch.notify(op, tensors, attrs, outputs)
        return outputs

    def _accepts_directly(self, op: OpDef, inputs: Sequence[Any]) -> bool:
        """Return whether all inputs are tensors of this graph that need no conversion."""
        for value in inputs:
            if type(value) is not SymbolicTensor or value.op.graph is not self or value.weak:
                return False
        if op.same_dtype_inputs is None:
            return True
        dtype = None
        for tensor in inputs[op.same_dtype_inputs]:
            input_dtype = tensor.spec.dtype
            if dtype is None:
                dtype = input_dtype
                if op.dtype_kinds and input_dtype.kind not in op.dtype_kinds:
                    return False
            elif input_dtype is not dtype:
                return False
        return True

    def apply_outside(
        self, op: OpDef, inputs: Sequence[Any], attrs: dict[str, Any], name: str | None
    ) -> Any:
        """Record an op on tensors of this graph while another interpreter is the current one.

        InaccessibleTensorError when this graph is traced for a function, branch or loop body.
        """
        self.check_reachable(next(v for v in inputs if isinstance(v, SymbolicTensor)))
        with dispatch.as_current(self):
            return self.apply(op, inputs, attrs, name)

    def _record(self, op: OpDef, tensors: Sequence[SymbolicTensor], attrs: dict[str, Any],
                specs: tuple[TensorSpec, ...], weak: bool, name: str | None,
                controlled: bool = True) -> Operation:  # fmt: skip
        """Append an operation; ``controlled`` adds the control dependencies of the blocks around.

        ``weak`` says whether its outputs stand for Python numbers.
        """
        if raise_tracking.TRACKING.recorders or raise_tracking.TRACKING.try_bodies:
            raise_tracking.record_op(self, op, tensors, attrs)
        scopes = self.scopes
        control = scopes.control[-1] if controlled and scopes.control else ()
        if HIGHER_ORDER in op.traits:
            control = self._outer_control(attrs, control)
        location = user_location(2)
        thread = dispatch.THREAD
        thread.recorded += 1
        if thread.recorded >= thread.checkpoint:
            thread.check()
        with self._lock:
            if self._closed:
                self.check_recording()
            name = self.names.unique(name or op.node_name)
            run_id = 0 if self.temporary else self.current_run_id()
            node = Operation(
                self, op, tuple(tensors), name, attrs, control, location, run_id, specs, weak
            )
            if scopes.devices:
                node.device = device_of(node, scopes.devices)
            if not self.operations and not self.temporary:
                _note_use(self)
            self.operations.append(node)
            self.names.operations[node.name] = node
            if node.run_id and READS not in op.traits and must_run(node):
                self.run_effects.append(node)
        return node

    def _outer_control(
        self, attrs: dict[str, Any], control: tuple[Operation, ...]
    ) -> tuple[Operation, ...]:
        """Add to control inputs those that the graphs among ``attrs`` need from outside."""
        needed = [
            self.control_input(outer)
            for graph in graphs_in(attrs) for outer in getattr(graph, "outer_controls", ())
        ]  # fmt: skip
        return tuple(dict.fromkeys((*control, *[node for node in needed if node is not None])))

    def rollback(self, length: int) -> None:
        """Remove all operations after the first ``length`` ones, except inputs."""
        with self._lock:
            inputs = {id(t.op) for t in getattr(self, "inputs", ())}
            gone = [o for o in self.operations[length:] if id(o) not in inputs]
            dropped = set(map(id, gone))
            self.operations[length:] = [o for o in self.operations[length:] if id(o) in inputs]
            for index, node in enumerate(self.operations[length:], length):
                node.index = index
            self.run_effects = [node for node in self.run_effects if id(node) not in dropped]
            for node in gone:
                del self.names.operations[node.name]
                self.extensions.pop(node, None)
            self._constants = {
                key: pair for key, pair in self._constants.items() if id(pair[1].op) not in dropped
            }

    def _recording_graph(self, values: Sequence[Any]) -> Graph:
        """Return the graph that records an op on these values: this one, or that of all of them.

        ValueError when the values belong to several graphs.
        """
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
        second = f" and {mixed[0]!r}" if mixed else ""
        raise ValueError(
            f"{foreign[0]!r}{second} must be from the same graph, but the first belongs to another "
            f"graph than {self.title}. Make the tensors under one `with graph.as_default():`."
        )

    def _as_tensors(self, op: OpDef, values: Sequence[Any]) -> tuple[list[SymbolicTensor], bool]:
        """Convert inputs to tensors of this graph; also return whether all are Python numbers."""
        if HIGHER_ORDER in op.traits or (op.same_dtype_inputs is None and op.keeps_weak):
            local = [
                self.as_local(v) if isinstance(v, Tensor) else self.as_tensor(v) for v in values
            ]
            return local, False
        group = values[op.same_dtype_inputs] if op.same_dtype_inputs is not None and values else []
        if not group:
            return [self.as_tensor(v) for v in values], False
        dtype, weak = promotion.shared_dtype(group, op.keeps_weak, op.takes_bool)
        if op.dtype_kinds and dtype.kind not in op.dtype_kinds:
            if not (weak and dtype is string and COMPARISON in op.traits):  # Python orders texts
                raise op_inputs.dtype_error(op, dtype)
        shared = [self._with_dtype(v, dtype, weak) for v in group]
        shared_dtypes = [t.spec.dtype for t in shared]
        if any(d is not dtype for d in shared_dtypes):
            raise promotion.mismatch(op.name, op.inputs, shared_dtypes)
        if len(group) == len(values):
            return shared, weak
        assert op.same_dtype_inputs is not None
        start = op.same_dtype_inputs.indices(len(values))[0]
        before = [self.as_tensor(v) for v in values[:start]]
        return before + shared + [self.as_tensor(v) for v in values[start + len(group) :]], weak

    def _with_dtype(self, value: Any, dtype: DType, weak: bool) -> SymbolicTensor:
        """Convert a value to a tensor of a dtype that weak values take; tensors keep theirs."""
        if not isinstance(value, Tensor):
            return self.constant(to_array(value, dtype), weak)
        tensor = self.as_local(value)
        if not tensor.weak or (weak and tensor.spec.dtype is dtype):
            return tensor
        return self.strengthen(tensor, dtype, weak)

    def strengthen(
        self, tensor: SymbolicTensor, dtype: DType, weak: bool = False
    ) -> SymbolicTensor:
        """Convert a weak tensor to ``dtype``; TypeError when such a Python number may not be it.

        The result is strong, or a wider Python number if ``weak``.
        """
        if not (weak and tensor.dtype is bool_):  # Python computes with bools as with ints
            promotion.check_weak_takes(tensor.dtype, dtype)
        spec = TensorSpec(tensor.shape, dtype)
        node = self._record(strengthen, [tensor], {"dtype": dtype}, (spec,), weak, None)
        return node.outputs[0]

    def as_local(self, tensor: Tensor) -> SymbolicTensor:
        """Return the tensor of this graph for a tensor: itself, a capture or a constant."""
        if isinstance(tensor, SymbolicTensor):
            tensor = tensor.current()
            return tensor if tensor.op.graph is self else self.capture(tensor)
        entry = self._constants.get(id(tensor))
        if entry is None:  # the entry keeps the eager tensor alive, so that its id stays unique
            entry = self._constants[id(tensor)] = (tensor, self.constant(tensor._array))
        return entry[1]

    def capture(self, tensor: SymbolicTensor) -> SymbolicTensor:
        """Return the input that stands for a tensor of an enclosing graph.

        Only a FuncGraph has enclosing graphs: ValueError otherwise.
        """
        self.check_reachable(tensor)
        raise ValueError(f"{tensor!r} is not an element of {self.title}.")

    def as_tensor(self, value: Any, dtype: DType | None = None) -> SymbolicTensor:
        """Convert a value to a tensor of this graph; Python numbers get their default dtype.

        ``dtype`` applies to Python numbers and arrays; a strong tensor keeps its own.
        """
        if not isinstance(value, Tensor):
            return self.constant(to_array(value, dtype))
        tensor = self.as_local(value)
        if tensor.weak:
            return self.strengthen(tensor, dtype or promotion.DEFAULT_DTYPE[tensor.dtype])
        return tensor

    def convert(self, value: Any, dtype: DType | None, name: str | None) -> Any:
        """Convert a value to a tensor of this graph; ValueError when a tensor has another dtype."""
        value = read(op_inputs.convert_input(value, dtype))
        if not isinstance(value, Tensor):
            return self.constant(to_array(value, dtype), name=name)
        if isinstance(value, SymbolicTensor) and value.op.graph is not self:
            graph = self._recording_graph([value])
            if graph is not self:
                return graph.convert(value, dtype, name)
        tensor = self.as_tensor(value, dtype)
        if dtype is not None:
            op_inputs.check_dtype(tensor, dtype, name)
        return tensor

    def constant(self, array: Any, weak: bool = False, name: str | None = None) -> SymbolicTensor:
        """Record a constant; control dependencies do not apply to it."""
        spec = TensorSpec(array.shape, DTYPE_OF_NUMPY[array.dtype], None, array)
        attrs = {"value": array}
        return self._record(constant_op, (), attrs, (spec,), weak, name, False).outputs[0]

    # -- scopes --------------------------------------------------------------------------------

    def as_default(self) -> contextlib.AbstractContextManager[Any]:
        """Record the ops of a block in this graph."""
        return dispatch.as_current(self)

    @property
    def finalized(self) -> bool:
        """Whether no more operations may be recorded."""
        return self._finalized

    def finalize(self) -> None:
        """Make the graph read-only: recording raises RuntimeError from now on."""
        self._finalized = self._closed = True

    def optimized(self, fetches: Any = None, feeds: Any = None) -> Graph:
        """Return the graph that runs in place of this one after all passes, for reading.

        ``fetches`` and ``feeds`` are nests of tensors and operations.  By default all outputs that
        no operation uses are fetched (the outputs of a FuncGraph), and all placeholders are fed.
        This graph is not changed.
        """
        optimized: Graph = dispatch.engine().optimized(self, fetches, feeds)
        return optimized

    def __str__(self) -> str:
        return graph_text(self)

    def __diagram__(self, seconds: Mapping[str, float] | None = None) -> Diagram:
        from runtime.graph.diagrams import diagram_of  # costs an import

        return diagram_of(self, seconds=seconds)

    def check_recording(self) -> None:
        """Raise an error when no more operations may be recorded."""
        self.check_open()

    def check_open(self) -> None:
        """Raise RuntimeError when the graph is finalized."""
        if self._finalized:
            raise RuntimeError("Graph is finalized and cannot be modified.")
