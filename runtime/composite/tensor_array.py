"""``TensorArray``: tensors written and read by number, in loops above all.

The object refers to a value of the graph, or an eager one (``flow``, see
ops/resource/tensor_array.py): ``write`` makes a new value, which the object refers to from then on,
and returns the object.  So a write whose result is dropped counts, and staged branches and loops
carry ``flow`` as they carry any attribute that changes.  In nests a tensor array stands for its
flow.
"""

from __future__ import annotations

import functools
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from autograph.diagnostics.user_frame import user_line
from autograph.errors import EffectError
from runtime.eager.tensor import wrap
from runtime.graph.operation import SymbolicTensor
from runtime.graph.trace import current_graph, grouped
from runtime.ops import dispatch
from runtime.ops.array.constants import identity
from runtime.ops.op import BRANCH
from runtime.ops.resource import tensor_array as rows
from runtime.ops.resource.tensor_array import ArraySpec, Config, element_of
from runtime.ops.rules.static_arguments import known_value, whole_numbers
from runtime.types.aliases import DTypeLike, ShapeLike, TensorLike
from runtime.types.composite import ValueSpec, register_type_spec
from runtime.types.conversion import conversion_call
from runtime.types.dtypes import DType, as_dtype, float32
from runtime.types.errors import MismatchedTypesError
from runtime.types.shapes import TensorShape, TensorSpec
from runtime.types.value import Value

__all__ = ["TensorArray", "TensorArraySpec"]


@functools.lru_cache(maxsize=1024)
def _shape(dims: Any) -> TensorShape:
    """One object for each shape, so that staged paths find it unchanged."""
    return TensorShape(dims)


@functools.lru_cache(maxsize=1024)
def _config(dtype: DType, dynamic: bool, clear: bool, infer: bool) -> Config:
    return Config(dtype, dynamic, clear, infer)


class TensorArray:
    """An array of ``size`` tensors of one dtype, to be written and read one by one.

    With ``dynamic_size`` writing behind the end makes it longer.  Unless ``clear_after_read`` is
    False, an entry can be read once.  Entries have ``element_shape``, or the shape of the first one
    written, unless ``infer_shape`` is False.  Entries that were never written are zeros.

    ValueError without a size; OutOfRangeError for an index that is out of range, ValueError for
    an entry of another shape, InvalidArgumentError for one of another dtype.
    """

    __stateful__ = True

    def __init__(
        self,
        dtype: DTypeLike = float32,
        size: TensorLike | None = None,
        dynamic_size: bool | None = None,
        clear_after_read: bool | None = None,
        tensor_array_name: str | None = None,
        handle: Any = None,
        flow: Any = None,
        infer_shape: bool = True,
        element_shape: ShapeLike | None = None,
        colocate_with_first_write_call: bool = True,
        name: str | None = None,
    ) -> None:
        clear = True if clear_after_read is None else bool(clear_after_read)
        self._config = _config(as_dtype(dtype), bool(dynamic_size), clear, bool(infer_shape))
        self._element = _shape(TensorShape(element_shape).dims)
        self._count: int | None = None
        if flow is None and handle is not None:
            flow = handle
        if flow is None:
            if size is None:
                raise ValueError("Argument `size` must be provided for TensorArray(dtype, size)")
            count = whole_numbers(size, "size")
            static_size = None if dynamic_size else known_value(count)
            if static_size is not None and np.ndim(static_size) == 0:
                self._count = int(static_size)
            flow = rows.array_new(
                count, element=self._element, config=self._config,
                name=name or tensor_array_name,
            )  # fmt: skip
        self._flow = flow

    def __tf_flatten__(self) -> tuple[Any, tuple[Any, ...]]:
        """What it is made with, and the tensor that it stands for in a nest."""
        try:
            flow = self.flow
        except EffectError:  # whoever uses the tensor is told
            flow = self._flow
        return (self._config, self._element, self._count), (flow,)

    @classmethod
    def __tf_unflatten__(cls, metadata: Any, components: Any) -> TensorArray:
        """A tensor array that refers to another flow."""
        array: TensorArray = object.__new__(cls)
        array._config, array._element, array._count = metadata
        (flow,) = components
        array._flow = wrap(flow) if isinstance(flow, rows.ArrayValue) else flow
        return array

    # -- what it is -----------------------------------------------------------------------------

    @property
    def flow(self) -> Any:
        """The value that the object refers to here, as a tensor of dtype variant."""
        flow = self._flow
        graph = current_graph()
        while isinstance(flow, SymbolicTensor) and flow.graph.temporary:
            home: Any = flow.graph
            if home is graph or (graph is not None and graph.encloses(home)):
                break
            if graph is None or home.encloses(graph):
                raise EffectError(
                    "a TensorArray was written to, or read, in a branch, loop body or function "
                    f"({home.title}), and is used outside of it: what happened there is not known",
                    where=user_line(),
                    help="return the TensorArray from there and use what cond, while_loop or the "
                    "function gives; or give clear_after_read=False if it is only read",
                )
            flow = _before(flow)  # another branch wrote it: here it is as it was before
        if graph is not None or not isinstance(flow, SymbolicTensor):
            self._flow = flow
        return flow

    @property
    def handle(self) -> Any:
        """The same as ``flow``."""
        return self.flow

    @property
    def dtype(self) -> DType:
        """The dtype of the entries."""
        return self._config.dtype

    @property
    def dynamic_size(self) -> bool:
        """Whether writing behind the end makes it longer."""
        return self._config.dynamic

    @property
    def element_shape(self) -> TensorShape:
        """The shape of the entries, as far as it is known."""
        return self._known()

    def _known(self) -> TensorShape:
        flow = self.flow
        if isinstance(flow, SymbolicTensor):
            return _element_of(flow).merge_with(self._element)
        return flow._array.element

    def _value(self, value: Any) -> Any:
        """An entry, or several, as a tensor of the dtype of the array."""
        if not isinstance(value, Value):
            if dispatch.conversion_for(value) is None:
                return dispatch.convert(value, self.dtype)
            value = dispatch.convert(value)
        if value.dtype is not self.dtype and not getattr(value, "weak", False):
            raise MismatchedTypesError(
                f"TensorArray dtype is {self.dtype.name} but Op is trying to write dtype "
                f"{value.dtype.name}. Use {conversion_call('value', value.dtype, self.dtype)}."
            )
        return dispatch.convert(value, self.dtype)

    def _checked(self, shape: Any) -> None:
        """ValueError for an entry whose shape, as far as it is known, does not fit."""
        entry_shape = self._known()
        if not entry_shape.is_compatible_with(shape):
            raise rows.mismatched(shape, entry_shape)

    # -- reading ----------------------------------------------------------------------------------

    def read(self, index: TensorLike, name: str | None = None) -> Any:
        """The entry at an index, which is given up unless ``clear_after_read`` is False."""
        entry_shape = self._known()
        value, flow = rows.array_read(
            self.flow, whole_numbers(index, "index"), dtype=self.dtype, name=name
        )
        if self._config.clear:
            self._flow = flow
        return _shaped(value, entry_shape)

    def stack(self, name: str | None = None) -> Any:
        """All entries as one tensor, along a new first axis."""
        entry_shape = self._known()
        value = rows.array_stack(self.flow, element=entry_shape, dtype=self.dtype, name=name)
        return _shaped(value, TensorShape([self._count]).concatenate(entry_shape))

    def gather(self, indices: TensorLike, name: str | None = None) -> Any:
        """The entries at these indices as one tensor, along a new first axis."""
        places = whole_numbers(indices, "indices")
        attrs = {"element": self._known(), "dtype": self.dtype}
        return rows.array_gather(self.flow, places, name=name, **attrs)

    def concat(self, name: str | None = None) -> Any:
        """All entries one behind the other along their first axis."""
        return rows.array_concat(self.flow, element=self._known(), dtype=self.dtype, name=name)

    def size(self, name: str | None = None) -> Any:
        """How many entries there are: an int32 tensor."""
        return rows.array_size(self.flow, name=name)

    # -- writing ----------------------------------------------------------------------------------

    def write(self, index: TensorLike, value: TensorLike, name: str | None = None) -> TensorArray:
        """Write an entry; returns the array itself."""
        tensor = self._value(value)
        self._checked(tensor.shape)
        where = whole_numbers(index, "index")
        self._flow = rows.array_write(
            self.flow, where, tensor, infer=self._config.infer, name=name
        )
        return self

    def unstack(self, value: TensorLike, name: str | None = None) -> TensorArray:
        """Let the rows of a tensor be the entries; returns the array itself."""
        tensor = self._value(value)
        if tensor.shape.dims:
            self._checked(tensor.shape[1:])
        self._flow = rows.array_unstack(
            self.flow, tensor, infer=self._config.infer, name=name
        )
        return self

    def scatter(
        self, indices: TensorLike, value: TensorLike, name: str | None = None
    ) -> TensorArray:
        """Write the rows of a tensor at these indices; returns the array itself."""
        tensor = self._value(value)
        places = whole_numbers(indices, "indices")
        self._flow = rows.array_scatter(
            self.flow, places, tensor, infer=self._config.infer, name=name
        )
        return self

    def split(self, value: TensorLike, lengths: TensorLike, name: str | None = None) -> TensorArray:
        """Let parts of a tensor, of these lengths, be the entries; returns the array itself."""
        tensor = self._value(value)
        sizes = whole_numbers(lengths, "lengths")
        self._flow = rows.array_split(self.flow, tensor, sizes, name=name)
        return self

    def identity(self) -> TensorArray:
        """Another array with the same entries."""
        flow = self.flow
        copy = identity(flow) if isinstance(flow, SymbolicTensor) else flow
        return TensorArray.__tf_unflatten__(self.__tf_flatten__()[0], (copy,))

    def close(self, name: str | None = None) -> Any:
        """An operation, or None, that does nothing: what nobody needs is given up by itself."""
        return None if current_graph() is None else grouped((), name or "TensorArrayClose")

    def grad(self, source: Any, flow: Any = None, name: str | None = None) -> Any:
        """NotImplementedError, as in TensorFlow 2: gradients go through reads and writes."""
        raise NotImplementedError("TensorArray.grad is not supported; use a GradientTape")

    def __repr__(self) -> str:
        return f"<TensorArray dtype={self.dtype.name} element_shape={self._element}>"


class TensorArraySpec(ValueSpec):
    """The type of a TensorArray."""

    def __init__(
        self, element_shape: Any = None, dtype: Any = float32, dynamic_size: bool = False,
        infer_shape: bool = True,
    ) -> None:
        self._config = Config(as_dtype(dtype), bool(dynamic_size), True, bool(infer_shape))
        self._element = TensorShape(element_shape)

    @classmethod
    def from_value(cls, value: Any) -> TensorArraySpec:
        """The type of a TensorArray."""
        spec = cls(value.element_shape, value.dtype)
        spec._config = value.__tf_flatten__()[0][0]
        return spec

    @property
    def value_type(self) -> type:
        """TensorArray."""
        return TensorArray

    def _tensors_of(self, value: Any) -> list[Any]:
        return [value.flow]

    def _tensors(self) -> list[Any]:
        return [ArraySpec(self._element)]

    def _type_key(self) -> Hashable:
        return TensorArraySpec, self._config, self._element

    def _with_tensors(self, tensors: Sequence[Any]) -> Any:
        if isinstance(tensors[0], TensorSpec):
            return self
        return TensorArray.__tf_unflatten__((self._config, self._element, None), tensors)

    def most_specific_compatible_type(self, other: Any) -> Any:
        """The narrowest type of arrays of both; None where dtypes or settings differ."""
        if not isinstance(other, TensorArraySpec) or self._config != other._config:
            return None
        joint = TensorArraySpec(self._element.most_specific_compatible_shape(other._element))
        joint._config = self._config
        return joint

    def __repr__(self) -> str:
        dtype, dynamic, _, infer = self._config
        return f"TensorArraySpec({self._element!r}, {dtype!r}, {dynamic}, {infer})"


register_type_spec(TensorArray, TensorArraySpec, writable=True)


def _shaped(value: Any, shape: TensorShape) -> Any:
    if isinstance(value, SymbolicTensor):
        value.set_shape(shape)
    return value


def _before(flow: SymbolicTensor) -> Any:
    """The value that a graph captured and made ``flow`` of."""
    graph: Any = flow.graph
    captured = {id(inner): outer for outer, inner in graph.captures}
    value: Any = flow
    while id(value) not in captured:
        if not value.op.inputs:  # made there, or handed in: nobody outside can have the object
            graph.check_reachable(value)
        value = value.op.inputs[-1 if BRANCH in value.op.op_def.traits else 0]
    return captured[id(value)]


def _element_of(flow: SymbolicTensor) -> TensorShape:
    """What is known of the shape of entries: also behind branches and loops that write them."""
    spec = flow.spec
    graphs = [g for key in ("true_graph", "false_graph", "body_graph", "graph")
              if (g := flow.op.attrs.get(key)) is not None]  # fmt: skip
    if element_of(spec).dims is not None or not graphs:
        return element_of(spec)
    shapes = [_element_of(graph.outputs[flow.value_index]) for graph in graphs]
    joint = shapes[0]
    for shape in shapes[1:]:
        joint = joint.most_specific_compatible_shape(shape)
    return joint
