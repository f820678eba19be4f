"""Variables: tensors whose value can be replaced.

Under eager execution a variable has a value as soon as it exists; in a graph each session must run
its ``initializer`` first.  Reads and writes are operations (ops/resource/variable.py), which run in
program order.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from runtime.devices.scope import new_storage
from runtime.eager.tensor import Tensor, wrap
from runtime.graph.collections import GraphKeys
from runtime.graph.default_graph import lifted, scoped
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation
from runtime.graph.scopes import valid_name
from runtime.graph.trace import check_outside_control_flow, current_graph
from runtime.ops import dispatch
from runtime.ops.array.constants import convert_to_tensor
from runtime.ops.op import TABLE
from runtime.ops.resource.variable import (
    assign_op,
    assign_sum_op,
    is_initialized_op,
    read_op,
    shape_mismatch,
    value_or_op,
)
from runtime.state.creator_scope import CreatedBy
from runtime.state.lifted_initializer import initial_tensor, note_creation
from runtime.state.scatter_update import (
    Updates,
    VariableAggregation,
    VariableSynchronization,
    value_or_operation,
)
from runtime.state.variable_value import VariableValue
from runtime.types.aliases import DTypeLike, ShapeLike, TensorLike
from runtime.types.dtypes import DType
from runtime.types.formatting import eager_repr
from runtime.types.shapes import TensorShape
from runtime.types.value import HasOperators

__all__ = ["Variable"]


class Variable(Updates, HasOperators, metaclass=CreatedBy):
    """Tensor that can be assigned, of one dtype and static shape.

    ``initial_value`` is a value, a tensor or a function without arguments that returns one;
    ``dtype`` converts Python numbers among them.  ``shape`` may have unknown dimensions where the
    initial value's has sizes; later values must be compatible with it.  ``trainable`` variables are
    watched by gradient tapes; ``constraint`` is a function that optimizers apply after each step.
    ``collections`` names the graph's collections that it is added to.

    ValueError without an initial value, for an incompatible ``shape``, and for an initial value
    that is a tensor of a function being traced and unknown outside of it (pass a function instead).
    """

    __array_priority__ = 100
    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self,
        initial_value: TensorLike | None = None,
        trainable: bool | None = None,
        validate_shape: bool = True,
        caching_device: Any = None,
        name: str | None = None,
        variable_def: Any = None,
        dtype: DTypeLike | None = None,
        import_scope: str | None = None,
        constraint: Callable[[Any], Any] | None = None,
        synchronization: Any = None,
        aggregation: Any = None,
        shape: ShapeLike | None = None,
        experimental_enable_variable_lifting: bool | None = None,
        *,
        collections: Iterable[str] | None = None,
        use_resource: bool | None = None,
    ) -> None:
        if initial_value is None:
            raise ValueError(
                "The `initial_value` arg to Variable must be specified: give a value, a tensor or "
                "a function that returns one."
            )
        on_read = synchronization is VariableSynchronization.ON_READ
        self._trainable = not on_read if trainable is None else bool(trainable)
        if constraint is not None and not callable(constraint):
            raise ValueError(f"The `constraint` argument must be None or callable: {constraint!r}")
        self._constraint = constraint
        self._aggregation = aggregation or VariableAggregation.NONE
        self._synchronization = synchronization or VariableSynchronization.AUTO
        among = (GraphKeys.GLOBAL_VARIABLES,) if collections is None else tuple(collections)
        trained = (GraphKeys.TRAINABLE_VARIABLES,) if self._trainable else ()
        self._collections = dict.fromkeys((*among, *trained))
        tracing = current_graph()
        with lifted() as self._graph:
            if not callable(initial_value):
                check_outside_control_flow(tracing, self._graph)
            value = initial_value() if callable(initial_value) else initial_value
            value = value.read_value() if isinstance(value, Variable) else value
            value = initial_tensor(self, value, dtype)
            wanted = value.shape if shape is None else TensorShape(shape)
            if not validate_shape and shape is None:
                wanted = TensorShape(None)
            if not wanted.is_compatible_with(value.shape):
                raise ValueError(
                    f"In this `Variable` creation, the initial value's shape ({value.shape}) is "
                    f"not compatible with the explicitly supplied `shape` argument ({wanted})."
                )
            self._start(name or "Variable", value, wanted)
        note_creation(self, tracing)

    def _start(self, name: str, value: Any, shape: TensorShape) -> None:
        graph = self._graph
        full = scoped(name) if graph is None else graph.unique_name(name)  # eager ones may share it
        self._storage = new_storage(f"{full}:0", value.dtype, shape, graph is not None)
        self._storage.trainable = self._trainable
        self._storage.variable = weakref.ref(self)
        self._initial_value = value
        self._initializer: Any = None
        self._seen: tuple[int, Any] = (-1, None)
        if graph is None:
            self._storage.write(value._array)
            return
        written = assign_op(value, storage=self._storage, name=f"{full}/Assign/")
        self._initializer = written.op
        graph.add_to_collections(self._collections, self)

    # -- what it is ---------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """Name, with ``:0`` as for tensors."""
        return self._storage.name

    path = property(lambda self: self.name.removesuffix(":0"), doc="Name without ``:0``.")

    @property
    def dtype(self) -> DType:
        """Type of the elements."""
        return self._storage.dtype

    @property
    def shape(self) -> TensorShape:
        """Static shape, with which all values are compatible."""
        return self._storage.shape

    @property
    def ndim(self) -> int | None:
        """Number of dimensions; None when unknown."""
        return self.shape.rank

    @property
    def trainable(self) -> bool:
        """Whether gradient tapes watch it."""
        return self._trainable

    @property
    def constraint(self) -> Callable[[Any], Any] | None:
        """Function that optimizers apply to it after each step, or None."""
        return self._constraint

    @property
    def aggregation(self) -> Any:
        """Aggregation of what replicas assign."""
        return self._aggregation

    @property
    def synchronization(self) -> Any:
        """Synchronization of distributed copies, as given: they are always equal."""
        return self._synchronization

    @property
    def graph(self) -> Graph | None:
        """Graph that it belongs to; None for an eager variable."""
        return self._graph

    @property
    def initializer(self) -> Operation | None:
        """Operation that assigns the initial value; None for an eager variable."""
        return self._initializer

    op = initializer

    @property
    def initial_value(self) -> Any:
        """Tensor of the initial value."""
        return self._initial_value

    @property
    def device(self) -> str:
        """Name of the device where its value is; of a variable of a graph the requested one."""
        return self._storage.device if self._initializer is None else self._initializer.device

    @property
    def is_concrete(self) -> bool:
        """Whether Python can read its value now: it is eager, and no graph is being recorded."""
        return self._graph is None and current_graph() is None

    def get_shape(self) -> TensorShape:
        """Return the static shape."""
        return self.shape

    # -- reading --------------------------------------------------------------------------------

    def read_value(self) -> Tensor:
        """Read the value: a tensor of the value at this point in program order."""
        current = current_graph()
        if current is None and self._graph is None:
            return dispatch.apply(read_op, (), {"storage": self._storage})
        if current is None or not self._reachable_from(current):
            self._check_home(current)
            with dispatch.as_current(self._graph):  # type: ignore[arg-type]
                return dispatch.apply(read_op, (), {"storage": self._storage}, self._read_name())
        return dispatch.apply(read_op, (), {"storage": self._storage}, self._read_name())

    def _read_name(self) -> str:
        return f"{valid_name(self.name.removesuffix(':0').rpartition('/')[2])}/Read"

    def _reachable_from(self, current: Graph) -> bool:
        return self._graph is None or current is self._graph or current.encloses(self._graph)

    def _check_home(self, current: Graph | None) -> None:
        if current is not None:
            raise ValueError(
                f"The variable {self.name!r} must be from the same graph as what uses it: it was "
                f"made in another graph than {current.title}."
            )

    @property
    def value(self) -> VariableValue:
        """What ``read_value`` gives: ``v.value``, and ``v.value()``."""
        return VariableValue(self.read_value())

    def initialized_value(self) -> Tensor:
        """Read the value, or the initial value before initialization: for other initial values."""
        if self._graph is None:
            return self.read_value()
        return value_or_op(self._initial_value, storage=self._storage)

    def eval(self, session: Any = None) -> Any:
        """Compute the value in ``session``, or in the default one."""
        return self._as_graph_element().eval(session=session)

    def numpy(self) -> Any:
        """Return the value as a NumPy array; NotImplementedError for a variable of a graph."""
        if self._graph is not None:
            raise NotImplementedError(
                f"numpy() is only available when eager execution is enabled; evaluate "
                f"{self.name!r} with Session.run."
            )
        return wrap(self._storage.read()).numpy()

    def is_initialized(self, name: str | None = None) -> Tensor:
        """Return a bool scalar: whether it has a value."""
        return is_initialized_op(storage=self._storage, name=name)

    def _as_graph_element(self) -> Any:
        """Return the element that a session fetches: a read after all recorded operations."""
        graph = self._graph
        if graph is None:
            raise TypeError(f"{self!r} was made eagerly; its value is variable.numpy()")
        count, read = self._seen
        if count != len(graph.operations) and not (graph.finalized and read is not None):
            with dispatch.as_current(graph):
                read = self.read_value()
            read.op.run_id = 0
            self._seen = (len(graph.operations), read)
        return read

    # -- writing --------------------------------------------------------------------------------

    def assign(
        self, value: TensorLike, use_locking: bool = False, name: str | None = None,
        read_value: bool = True,
    ) -> Variable:
        """Replace the value; return the variable (eager) or a tensor of the new value (graph).

        ``value`` has the variable's dtype, or is converted if it is a Python number, and a
        compatible shape (ValueError otherwise).  With ``read_value=False`` the operation, or None
        under eager execution, is returned.
        """
        if (update := dispatch.THREAD.replica_update) is not None:
            return update(self, "assign", value, name, read_value)
        tensor = convert_to_tensor(value, self.dtype)
        if not self.shape.is_compatible_with(tensor.shape):
            raise shape_mismatch(self._storage.name, self.shape, tensor.shape)
        result = assign_op(tensor, storage=self._storage, name=name)
        return value_or_operation(result, read_value, self)

    def assign_add(
        self, delta: TensorLike, use_locking: bool = False, name: str | None = None,
        read_value: bool = True,
    ) -> Variable:
        """Add ``delta`` to the value, atomically; return what ``assign`` returns."""
        return self._assign_sum(delta, False, name, read_value)

    def assign_sub(
        self, delta: TensorLike, use_locking: bool = False, name: str | None = None,
        read_value: bool = True,
    ) -> Variable:
        """Subtract ``delta`` from the value, atomically; return what ``assign`` returns."""
        return self._assign_sum(delta, True, name, read_value)

    def _assign_sum(self, delta: Any, negative: bool, name: Any, read_value: bool) -> Any:
        if (update := dispatch.THREAD.replica_update) is not None:
            return update(self, ("assign_add", "assign_sub")[negative], delta, name, read_value)
        given = convert_to_tensor(delta, self.dtype)
        result = assign_sum_op(given, storage=self._storage, negative=negative, name=name)
        return value_or_operation(result, read_value, self)

    def load(self, value: TensorLike, session: Any = None) -> None:
        """Assign a value in ``session``, or in the default one, without recording operations."""
        graph = self._graph
        if graph is None:
            self.assign(value)
            return
        assert self._initializer is not None
        self._initializer.run({self._initial_value: value}, session)

    # -- as a tensor ------------------------------------------------------------------------------

    def __copy__(self) -> Variable:
        return self

    def __deepcopy__(self, memo: Any) -> Variable:
        if self._graph is not None:
            raise NotImplementedError("__deepcopy__() is only available for eager variables.")
        make, arguments = self.__reduce__()
        twin = make(*arguments)
        memo[id(self)] = twin
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        if self._graph is not None:
            raise TypeError(f"{self!r} cannot be pickled: its value is known to sessions only")
        given = {
            "trainable": self._trainable, "name": f"{self._storage.name.removesuffix(':0')}/",
            "constraint": self._constraint, "synchronization": self._synchronization,
            "aggregation": self._aggregation, "shape": self.shape,
        }  # fmt: skip
        return _again, (self._storage.read().copy(), given)

    def described(self, array: TensorLike | None = None) -> str:
        """Return the text of the variable, with the value if an array is given."""
        text = f"<tf.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}"
        if array is None:
            return f"{text}>"
        value = eager_repr(np.asarray(array), self.dtype).partition("numpy=")[2]
        return f"{text}, numpy={value}"

    def __repr__(self) -> str:
        return self.described(self._storage.read() if self.is_concrete else None)


_CONVERSIONS = (
    "__array__", "__bool__", "__int__", "__float__", "__complex__", "__index__", "__len__",
    "__iter__", "__eq__", "__ne__", "__format__", "__getitem__",
)  # fmt: skip


def _install_operators() -> None:
    """Define the operators of tensors for variables and their values."""

    def delegate(owner: type[Any], spell: str) -> Callable[..., Any]:
        def method(self: Any, *args: Any) -> Any:
            return getattr(self.read_value(), spell)(*args)

        method.__name__, method.__qualname__ = spell, f"{owner.__name__}.{spell}"
        method.__doc__ = getattr(Tensor, spell).__doc__
        return method

    spells = [s for op in TABLE.loaded() for s in op.overloads if isinstance(s, str)]
    for owner in Variable, VariableValue:
        for spell in (*_CONVERSIONS, *spells):
            if getattr(owner, spell, None) is getattr(object, spell, None):  # not defined yet
                setattr(owner, spell, delegate(owner, spell))


_install_operators()


def _again(array: Any, given: dict[str, Any]) -> Variable:
    """Return a variable with the same value as another one."""
    return Variable(wrap(array), **given)


def _as_tensor(value: Any, dtype: Any = None, name: Any = None, as_ref: bool = False) -> Any:
    return convert_to_tensor(value.read_value(), dtype)


dispatch.register_tensor_conversion_function((Variable, VariableValue), _as_tensor, 0)
