"""Operations of a graph, and the symbolic tensors that are their outputs.

graph.py makes them, engines read them.  A symbolic tensor has a dtype, a static shape, and no
value; Python's requests for a value (``bool``, ``len``, iteration) raise errors that name the
remedy.  ``staging/python_numbers`` gives those that stand for a Python value its operators.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from runtime.eager.tensor import Tensor
from runtime.graph import graph_def
from runtime.graph.graph_base import GraphBase
from runtime.graph.named_like import op_like
from runtime.graph.session_stack import session_for
from runtime.graph.staging_hooks import STAGING
from runtime.ops.array.concat_split import unstack_op
from runtime.ops.op import HIGHER_ORDER, RAISES, STATEFUL, OpDef
from runtime.types import formatting
from runtime.types.aliases import ShapeLike
from runtime.types.dtypes import DType
from runtime.types.errors import OperatorNotAllowedInGraphError
from runtime.types.promotion import DEFAULT_DTYPE
from runtime.types.shapes import TensorShape, TensorSpec
from runtime.types.source_location import Location

__all__ = ["Operation"]


class Operation:
    """Node of a graph: an op definition with inputs, attributes and control inputs.

    ``inputs`` and ``outputs`` are tuples of symbolic tensors, ``attrs`` maps the names of static
    arguments to their values, ``location`` is the user's line.  Ops make operations; users get them
    from ``tensor.op`` and ``graph.get_operations()``.
    """

    __slots__ = (
        "__weakref__", "attrs", "controls", "device", "graph", "index", "inputs", "location",
        "name", "origin", "op_def", "outputs", "run_id",
    )  # fmt: skip

    def __init__(
        self, graph: GraphBase, op_def: OpDef, inputs: tuple[SymbolicTensor, ...], name: str,
        attrs: dict[str, Any], controls: tuple[Operation, ...], location: Location, run_id: int,
        specs: Iterable[TensorSpec] = (), weak: bool = False,
    ) -> None:  # fmt: skip
        """Make an operation for ``graph.operations``; the caller appends it.

        ``location`` is the user's line, ``run_id`` the run of converted code that records it.
        """
        self.graph = graph
        self.op_def = op_def
        self.inputs = inputs
        self.attrs = attrs
        self.controls = controls
        self.name = name
        self.index = len(graph.operations)
        self.outputs: tuple[SymbolicTensor, ...] = tuple([
            SymbolicTensor(self, index, spec, weak and spec.dtype in DEFAULT_DTYPE)
            for index, spec in enumerate(specs)
        ])  # fmt: skip
        self.location = location
        self.device = ""
        self.origin: Operation | None = None  # the operation that one made by a pass stands for
        self.run_id = run_id

    @property
    def type(self) -> str:
        """The op's name in TensorFlow: ``MatMul``, ``Placeholder``, ``NoOp``."""
        return self.op_def.type_name

    @property
    def control_inputs(self) -> list[Operation]:
        """The operations that run before it although it uses none of their outputs."""
        return list(self.controls)

    @property
    def stateful(self) -> bool:
        """Whether it or a graph that it holds has effects, or raises an exception of Python's."""
        traits = self.op_def.traits
        if STATEFUL in traits or (RAISES in traits and HIGHER_ORDER not in traits):
            return True
        return HIGHER_ORDER in traits and any(map(has_effects, graphs_in(self.attrs)))

    @property
    def recorded(self) -> Operation:
        """The operation listed in the graph: itself, or the one that it extends (extensions.py)."""
        return self.outputs[0].op if self.outputs else self

    def copy_to(
        self, graph: GraphBase, inputs: tuple[SymbolicTensor, ...], name: str,
        controls: tuple[Operation, ...],
    ) -> Operation:  # fmt: skip
        """Copy the operation to another graph; location, device and run id stay the same."""
        copy: Operation = object.__new__(Operation)
        copy.graph = graph
        copy.op_def = self.op_def
        copy.inputs = inputs
        copy.attrs = dict(self.attrs)
        copy.controls = controls
        copy.name = name
        copy.index = len(graph.operations)
        copy.outputs = tuple([
            SymbolicTensor(copy, tensor.value_index, tensor.spec, tensor.weak)
            for tensor in self.outputs
        ])  # fmt: skip
        copy.location = self.location
        copy.device = self.device
        copy.origin = self.origin
        copy.run_id = self.run_id
        return copy

    def get_attr(self, name: str) -> Any:
        """Return an attribute by name; ValueError when there is none."""
        if name not in self.attrs:
            raise ValueError(f"Operation {self.name!r} has no attr named {name!r}")
        return self.attrs[name]

    def values(self) -> list[SymbolicTensor]:
        """Return the outputs as a list."""
        return list(self.outputs)

    def colocation_groups(self) -> list[bytes]:
        """Return its colocation groups: only its own, since there is one device."""
        return [f"loc:@{self.name}".encode()]

    @property
    def node_def(self) -> graph_def.NodeDef:
        """Description of the operation."""
        return graph_def.node_def(self)

    @property
    def traceback(self) -> list[str]:
        """User lines that made it: one for each call of converted code, the innermost first."""
        return self.location.chain() or [self.location.described()]

    def run(self, feed_dict: Any = None, session: Any = None) -> None:
        """Run the operation in ``session``, or in the default one; ValueError without one."""
        session_for(session, self).run(self, feed_dict)

    def _add_control_input(self, op: Operation) -> None:
        self._add_control_inputs([op])

    def _add_control_inputs(self, ops: Iterable[Operation]) -> None:
        self.graph.check_recording()
        self.controls = tuple(dict.fromkeys((*self.controls, *ops)))
        self.graph.late_controls += 1

    def __repr__(self) -> str:
        return f"<tf.Operation {self.name!r} type={self.type}>"


Tensors = dict[int, "SymbolicTensor"]
"""Id of a tensor -> its copy."""


def copy_operations(
    nodes: Sequence[Operation], names: Sequence[str], home: GraphBase, tensors: Tensors
) -> list[Operation]:
    """Append copies of operations, under new names, to the operations of ``home``.

    ``tensors`` holds copies of the inputs; the copies of the outputs are added to it.  Control
    inputs that are not among ``nodes`` are left out.
    """
    copies: dict[int, Operation] = {}
    for node, name in zip(nodes, names, strict=True):
        inputs = tuple([tensors[id(t)] for t in node.inputs])
        recorded = [id(control.recorded) for control in node.controls]
        controls = tuple([copies[key] for key in recorded if key in copies])
        copy = node.copy_to(home, inputs, name, controls)
        tensors.update(zip(map(id, node.outputs), copy.outputs, strict=True))
        copies[id(node.recorded)] = copy
        home.operations.append(copy)
    return list(copies.values())


def subgraphs(operation: Operation) -> Iterator[GraphBase]:
    """The graphs among an operation's attributes."""
    return graphs_in(operation.attrs)


def graphs_in(attrs: dict[str, Any]) -> Iterator[GraphBase]:
    """Yield the graphs among attributes."""
    for value in attrs.values():
        for item in value if isinstance(value, tuple | list) else (value,):
            if hasattr(item, "operations"):
                yield item


def has_effects(graph: GraphBase) -> bool:
    """Return whether running the whole graph has effects, or raises an exception of Python's."""
    return graph.answer(
        "has effects", lambda counted: any(node.stateful for node in counted.operations)
    )


class SymbolicTensor(Tensor):
    """Output of an operation: a tensor that has no value until the graph runs.

    ``dtype`` is known, ``shape`` as far as inference knows it.  ``weak`` says that the tensor
    stands for a Python number, bool or text of a staged program.
    """

    __slots__ = ("op", "spec", "value_index", "weak")

    op: Operation
    spec: TensorSpec
    value_index: int
    weak: bool

    def __new__(
        cls, op: Operation, value_index: int, spec: TensorSpec, weak: bool = False
    ) -> SymbolicTensor:
        """Make output number ``value_index`` of ``op``."""
        tensor: SymbolicTensor = object.__new__(cls)
        tensor.op = op
        tensor.value_index = value_index
        tensor.spec = spec
        tensor.weak = weak
        return tensor

    @property
    def graph(self) -> GraphBase:
        """The graph it belongs to."""
        return self.op.graph

    @property
    def _interpreter(self) -> Any:
        """What applies ops to it where the current interpreter computes at once: its graph."""
        return self.op.graph

    @property
    def dtype(self) -> DType:
        """The type of the elements."""
        return self.spec.dtype

    @property
    def shape(self) -> TensorShape:
        """Static shape."""
        return self.spec.shape

    @property
    def ndim(self) -> int:
        """Number of dimensions; ValueError when unknown."""
        return len(self.spec.shape)

    @property
    def name(self) -> str:
        """The operation's name and the output's number: ``add:0``."""
        return f"{self.op.name}:{self.value_index}"

    @property
    def device(self) -> str:
        """Requested device, or the empty text."""
        return self.op.device

    def current(self) -> SymbolicTensor:
        """The tensor that it stands for where the program is now: itself, unless it is an array."""
        return self

    def set_shape(self, shape: ShapeLike) -> None:
        """Refine the static shape; ValueError when ``shape`` is not compatible with it."""
        merged = self.spec.shape.merge_with(shape)
        self.spec = TensorSpec(merged, self.spec.dtype, None, self.spec.value)

    def eval(self, feed_dict: Any = None, session: Any = None) -> Any:
        """Compute the value in ``session``, or in the default one; ValueError without one."""
        return session_for(session, self).run(self, feed_dict)

    def consumers(self) -> list[Operation]:
        """Return the operations that use this tensor."""
        return [o for o in self.graph.operations if any(i is self for i in o.inputs)]

    def numpy(self) -> Any:
        """Raise AttributeError: symbolic tensors have no value."""
        raise AttributeError(
            f"numpy() is only available on eager tensors; {self._no_value()}. Evaluate it with "
            "Session.run, or return it from the function"
        )

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _no_value(self) -> str:
        where = f" (made at {self.op.location})" if self.op.location else ""
        return f"{self.name!r}{where} is symbolic: it has no value until the graph runs"

    def _error_for(self, request: str, help: str) -> Exception:
        """Return the error for a request that needs a value, and name an unconverted caller."""
        message = f"{request}: {self._no_value()}"
        return STAGING.explain(OperatorNotAllowedInGraphError(message, help=help), op_like)

    __array_ufunc__: Any
    """Operators of NumPy's arrays with this tensor on the right (staging/numpy_arrays)."""

    def _concrete(self) -> Any:
        raise self._error_for(
            "Cannot convert a symbolic tf.Tensor to a NumPy array or a Python number",
            "use runtime's own operations in its place, or evaluate it with Session.run",
        )

    def __bool__(self) -> bool:
        raise self._error_for(
            "Using a symbolic tensor as a Python bool is not allowed",
            "convert the function with autograph.to_graph or runtime.function, or use runtime.cond",
        )

    def __index__(self) -> int:
        raise self._error_for(
            "A symbolic tensor cannot be a Python index",
            "index a tensor with it: runtime.constant(items)[i], or runtime.gather(items, i)",
        )

    def __len__(self) -> int:
        dims = self.shape.dims
        if dims:
            if dims[0] is not None:
                return dims[0]
            raise self._error_for(
                f"len of a symbolic tensor with shape {self.shape} is not known before it runs",
                "use runtime.shape(x)[0]",
            )
        raise self._error_for("len is not defined for a tensor of unknown rank", "use runtime.size")

    def __iter__(self) -> Iterator[Tensor]:
        dims = self.shape.dims
        if not dims or dims[0] is None:
            raise self._error_for(
                "Iterating over a symbolic tensor needs a known first dimension, which the shape "
                f"{self.shape} does not have",
                "convert the function with autograph.to_graph or runtime.function, or use "
                "runtime.while_loop or runtime.map_fn",
            )
        return iter(unstack_op(self, num=dims[0], axis=0) if dims[0] else ())

    def __hash__(self) -> int:
        if self.graph.temporary:
            if self.weak:
                raise self._error_for(
                    "The hash of a staged number, which this collection needs, is not known",
                    "use a dict, defaultdict, Counter or set that the function makes; a dict keeps "
                    "the order, too: d[k] = d.pop(k) moves a key to the end",
                )
            raise TypeError("Tensor is unhashable. Instead, use tensor.ref() as the key.")
        return id(self)

    def __format__(self, spec: str) -> str:
        if spec:
            raise self._error_for(
                f"Cannot format with {spec!r}", "make the text in converted code, or of its value"
            )
        return str(self)

    def __str__(self) -> str:
        return formatting.symbolic_str(self)

    def __repr__(self) -> str:
        return formatting.symbolic_repr(self)

    def __reduce__(self) -> tuple[Any, ...]:
        raise self._error_for(
            "A symbolic tensor cannot be pickled", "pickle what Session.run gives for it"
        )


def read(value: Any) -> Any:
    """The tensor that a symbolic array is now; anything else itself."""
    return value.current() if isinstance(value, SymbolicTensor) else value
