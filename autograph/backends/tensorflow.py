"""Backend for TensorFlow: ``tf.function(autograph.to_graph(f), autograph=False)``.

``if`` becomes an ``If`` operation, loops become ``tf.while_loop``, lists that change their length
tensor lists, as ``tf.TensorArray`` has them.  Python's own numbers that a loop or branch changes
keep Python's arithmetic (``scalars``).  What prints and raises calls Python when it runs.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf
from tensorflow.python.framework import func_graph as func_graphs
from tensorflow.python.framework.ops import SymbolicTensor
from tensorflow.python.ops import cond_v2, control_flow_util_v2
from tensorflow.python.util import dispatch

from autograph import staging
from autograph.backends import scalars
from autograph.backends.scalars import StagedScalar
from autograph.backends.tensorflow_calls import CallsPythonAtRunTime, new_error
from autograph.backends.tensorflow_turns import CountedTurns, DatasetElements, DatasetTurns
from autograph.backends.tensorflow_values import TensorFlowSpec, tensor_or_number
from autograph.staging import Backend, StagedCond, StagedLoop, StagedText, StagedUnion


class _Sides:
    """A conditional as a choice of branches by number."""

    def __init__(self, statement: StagedCond) -> None:
        self.join = statement.join
        self.outputs = lambda way: statement.outputs(way == 0)


class TensorFlowBackend(CallsPythonAtRunTime, Backend):
    """Backend that stages Python on the graphs of TensorFlow."""

    name = "tensorflow"
    folder = __file__
    staged_types = ("SymbolicTensor", StagedScalar.__name__)
    symbolic_types = (SymbolicTensor, StagedScalar)
    value_types = (tf.Tensor,)
    reference_types = (tf.Variable,)

    # -- whose value is it? -----------------------------------------------------------------------

    def is_concrete(self, reference: Any) -> bool:
        """Return whether a variable has its value now."""
        return bool(tf.executing_eagerly())

    def read(self, reference: Any) -> Any:
        """Return the value of a variable; any other value itself."""
        return reference.value() if isinstance(reference, tf.Variable) else reference

    def python_type(self, value: object) -> type | None:
        """Return Python's type of a number or text."""
        return value.kind if isinstance(value, StagedScalar) else None

    def number_kind(self, spec: Any) -> type | None:
        """Return the type of a Python number, which it keeps."""
        return spec.kind if isinstance(spec, TensorFlowSpec) and spec.kind is not str else None

    def number_type(self, spec: Any) -> type | None:
        """Return the same."""
        return self.number_kind(spec)

    def recorded_as(self, value: Any) -> tuple[Any, Sequence[Any]]:
        """Return the tensor, and the inputs of its operation."""
        while isinstance(value, SymbolicTensor) and value.op.type == "Placeholder":
            captures = getattr(value.graph, "captures", ())
            outside = next((outer for outer, inner in captures if inner is value), None)
            if outside is None:
                break
            value = outside
        if not isinstance(value, SymbolicTensor):
            return value, ()
        return value, [tensor_or_number(tensor) for tensor in value.op.inputs]

    def joins_kinds(self) -> bool:
        """Return whether numbers and texts join: yes, as one of both."""
        return True

    def is_tracing(self) -> bool:
        """Return whether this thread builds a graph."""
        return not tf.executing_eagerly()

    def recorded_operations(self) -> int:
        """Return how many operations the graph has that is built now."""
        graph, count = tf.compat.v1.get_default_graph(), 0
        while graph is not None:
            count += graph.version
            graph = getattr(graph, "outer_graph", None)
        return count

    # -- control flow -----------------------------------------------------------------------------

    def cond(self, test: Any, statement: StagedCond) -> Sequence[Any]:
        """Record an ``If``."""
        path = tf.where(self.truth(test), 0, 1)
        return self.branches(path, 2, lambda way: statement.trace(way == 0), _Sides(statement))

    def branches(
        self, path: Any, count: int, trace: Callable[[int], None], statement: Any
    ) -> Sequence[Any]:
        """Record a ``Case``: each branch is traced once, and inside of it those after it.

        So all have been traced before the first one gives its outputs.
        """
        outer = tf.compat.v1.get_default_graph()
        graphs: list[Any] = [None] * count
        specs: list[Any] = []

        def record(way: int) -> None:
            name = control_flow_util_v2.unique_fn_name("branch", str(way))
            graph = control_flow_util_v2.CondBranchFuncGraph(name, collections=outer._collections)
            graphs[way] = func_graphs.func_graph_from_py_func(
                name, functools.partial(branch, way), [], {}, func_graph=graph,
                add_control_dependencies=True, op_return_value=path,
            )  # fmt: skip

        def branch(way: int) -> list[Any]:
            trace(way)
            if way + 1 < count:
                with outer.as_default():
                    record(way + 1)
            else:
                specs.extend(statement.join().specs)
            return [tf.identity(t) for t in self.flat_all(statement.outputs(way))]

        record(0)
        captures = [graph.external_captures for graph in graphs]
        outputs = cond_v2._build_case(path, graphs, captures, name="case")
        if isinstance(outputs, tf.Operation) or outputs is None:
            outputs = []
        outputs = outputs if isinstance(outputs, (list, tuple)) else [outputs]
        if outputs:
            self._last(outputs[0])
        return self.pack(specs, self._shaped(specs, outputs))

    def _shaped(self, specs: Sequence[Any], tensors: Sequence[Any]) -> Sequence[Any]:
        flat = [part for spec in specs for part in self.flat_specs(spec)]
        for tensor, (_, shape) in zip(tensors, flat, strict=True):
            tensor.set_shape(shape)
        return tensors

    def while_loop(self, loop: StagedLoop) -> Sequence[Any]:
        """Record a ``while``."""
        return self.record_loop(loop, DatasetTurns())

    def for_loop(self, count: Any, loop: StagedLoop) -> Sequence[Any]:
        """Record a ``while`` that counts."""
        return self.record_loop(loop, CountedTurns(self, self.scalar(count)))

    def record_loop(self, loop: StagedLoop, turns: DatasetTurns) -> Sequence[Any]:
        """Record a ``while`` of the turns that there are; trace until its state fits."""
        size = len(turns.state)

        def body(*tensors: Any) -> Any:
            values = self.pack(loop.spec.specs, tensors[size:])
            after = loop.body(values, *turns.item(tensors[:size]))
            if after is None:
                return None
            flat = list(map(tf.identity, self.flat_all(after)))
            again = not turns.look_ahead or loop.test(self.pack(loop.spec.specs, flat))
            going_on = again if isinstance(again, bool) else self.truth(again)
            return [*turns.next(tensors[:size], going_on), *flat]

        def test(*tensors: Any) -> Any:
            again = loop.test(self.pack(loop.spec.specs, tensors[size:]))
            again = tf.constant(again) if isinstance(again, bool) else self.truth(again)
            return again & turns.more(tensors[:size])

        while not self._probe(loop, body, turns):
            pass
        start = [*turns.start(), *self.flat_all(loop.start())]
        options = {name: loop.options[name] for name in ("maximum_iterations", "swap_memory",
                   "parallel_iterations") if loop.options.get(name) is not None}  # fmt: skip
        if not start:  # nothing but effects
            tf.while_loop(lambda _: test(), lambda k: [*(body() or ()), k], [tf.constant(0)])
            return []
        shapes = [tf.TensorShape(shape) for _, shape in self._state(loop, turns)]
        outputs = tf.while_loop(test, body, start, shape_invariants=shapes, **options)
        return self.pack(loop.spec.specs, outputs[size:])

    def _state(self, loop: StagedLoop, turns: DatasetTurns) -> list[tuple[Any, Any]]:
        return [*turns.state, *(part for spec in loop.spec.specs for part in self.flat_specs(spec))]

    def _probe(self, loop: StagedLoop, body: Callable[..., Any], turns: DatasetTurns) -> bool:
        """Trace the body in a graph that is thrown away; return whether its state fits."""
        with func_graphs.FuncGraph("probe").as_default() as graph:
            inputs = [tf.compat.v1.placeholder(*part) for part in self._state(loop, turns)]
            graph.inputs.extend(inputs)
            return body(*inputs) is not None

    def open_iterable(self, iterable: Any) -> Any:
        """Return the items of a dataset, of a distributed one, or of an iterator of one; the rows
        of a ragged tensor.
        """
        if hasattr(iterable, "get_next_as_optional"):
            return DatasetElements(iterable)
        if isinstance(iterable, (tf.data.Dataset, tf.distribute.DistributedDataset)):
            return DatasetElements(iterable)
        if isinstance(iterable, tf.RaggedTensor) and self.is_tracing():
            count = StagedScalar(self, int, tf.cast(iterable.nrows(), tf.int64))
            return staging.StagedSequence(
                self, "a ragged tensor", count, lambda k: iterable[self.tensor(k)]
            )
        return iterable

    def iterates(self, value: Any) -> bool:
        """Return whether a value is a tensor with items; while tracing, any."""
        return self.is_tracing() and not isinstance(value, StagedScalar) and value.shape.rank != 0

    # -- numbers and sequences --------------------------------------------------------------------

    def number(self, value: Any, integer: bool = True) -> Any:
        """Return an integer as a Python int."""
        number = self.scalar(self.read(value))
        if number.kind is int or not integer and number.kind is float:
            return number
        if number.kind is bool and not integer:
            return self.builtins[int](number)
        raise TypeError(f"'{number.kind.__name__}' object cannot be interpreted as an integer")

    def maximum(self, left: Any, right: Any) -> Any:
        """Return the larger number."""
        number = tf.maximum(self.scalar(left).value, self.scalar(right).value)
        return StagedScalar(self, int, number)

    def minimum(self, left: Any, right: Any) -> Any:
        """Return the smaller number."""
        number = tf.minimum(self.scalar(left).value, self.scalar(right).value)
        return StagedScalar(self, int, number)

    def logical_and(self, left: Any, right: Any) -> Any:
        """Return whether both hold."""
        return StagedScalar(self, bool, self.truth(left) & self.truth(right))

    def logical_not(self, value: Any) -> Any:
        """Return whether a value is not true."""
        return StagedScalar(self, bool, ~self.truth(value))

    def equal(self, left: Any, right: Any) -> Any:
        """Return ``left == right``."""
        return left == right

    def items(self, value: Any) -> tuple[Any, Callable[[Any], Any]] | None:
        """Return the items of a tensor, or of a list of like numbers or tensors."""
        kind = None
        if isinstance(value, (list, tuple)):
            specs = {*self.specs(value)}
            if len(specs) != 1 or not isinstance(next(iter(specs)), TensorFlowSpec):
                return None
            kind = next(iter(specs)).kind
            value = tf.stack([self.tensor(v, next(iter(specs)).dtype) for v in value])
        value = self.read(value)
        if not isinstance(value, tf.Tensor) or value.shape.rank in (0, None):
            return None
        count = value.shape[0]
        if count is None:
            count = StagedScalar(self, int, tf.shape(value, tf.int64)[0])

        def at(k: Any) -> Any:
            item = tf.gather(value, self.tensor(k))
            return item if kind is None else StagedScalar(self, kind, item)

        return count, at

    def position(self, index: Any, size: Any, message: str) -> Any:
        """Return an index counted from 0."""
        index, size = self.number(index), self.scalar(size)
        self.check((index >= -size) & (index < size), lambda: IndexError(message))
        with self.ordered():
            place = tf.where(index.value < 0, (index + size).value, index.value)
            return StagedScalar(self, int, place)

    def setitem(self, value: Any, key: Any, item: Any) -> Any:
        """Return a tensor with another item."""
        value = self.read(value)
        if isinstance(key, (tuple, slice)) or not isinstance(value, tf.Tensor):
            return NotImplemented
        index = tf.reshape(self.tensor(self.position(key, self.length(value), "index")), [1, 1])
        item = tf.broadcast_to(self.tensor(item, value.dtype), value.shape[1:])
        return tf.tensor_scatter_nd_update(value, index, item[None])

    def length(self, value: Any) -> Any:
        """Return ``len(value)``."""
        if scalars.kind_of(value) is str:
            return self.call_python(len, int, value)
        staging.check_supported(len, value)
        found = self.items(value)
        if found is None:
            raise TypeError("len() of a tensor without a known leading dimension")
        return found[0]

def _as_tensor(value: Any, dtype: Any = None, name: Any = None, as_ref: bool = False) -> Any:
    backend = staging.staging_backend(value)
    if not isinstance(backend, TensorFlowBackend):
        return NotImplemented
    return backend.tensor(value, None if dtype is None else tf.as_dtype(dtype))


def _packed(value: Any, dtype: Any = None, name: Any = None, as_ref: bool = False) -> Any:
    """Convert a list with Python numbers known at run time, which TensorFlow cannot pack."""
    leaves = tf.nest.flatten(value)
    numbers = [leaf for leaf in leaves if isinstance(leaf, StagedScalar)]
    if not numbers:
        return NotImplemented
    if dtype is None:
        dtypes = [leaf.dtype for leaf in leaves if isinstance(leaf, tf.Tensor)]
        dtype = dtypes[0] if dtypes else max(
            (leaf.value.dtype for leaf in numbers), key=lambda dtype: dtype.is_floating
        )
    tensors = [
        BACKEND.tensor(leaf, dtype) if isinstance(leaf, StagedScalar) else leaf for leaf in leaves
    ]
    return tf.convert_to_tensor(tf.nest.pack_sequence_as(value, tensors), dtype)


def _pad(
    tensor: Any, paddings: Any, mode: Any = "CONSTANT", constant_values: Any = 0, name: Any = None
) -> Any:
    """``tf.pad``, which asks Python whether its number is zero."""
    number = BACKEND.tensor(constant_values, tf.convert_to_tensor(tensor).dtype)
    return tf.pad(tensor, paddings, mode, number, name)


dispatch.register_dispatchable_type(StagedScalar)
tf.experimental.dispatch_for_api(tf.pad, {"constant_values": StagedScalar})(_pad)
BACKEND = TensorFlowBackend()
tf.register_tensor_conversion_function((list, tuple), _packed, priority=40)
BACKEND.builtins = {**scalars.builtins_of(BACKEND), len: BACKEND.length}
for _kind in (StagedScalar, StagedText, StagedUnion):
    tf.register_tensor_conversion_function(_kind, _as_tensor, priority=50)
tf.errors.UnknownError.__new__ = staticmethod(new_error)  # no other place is common to all runs
staging.register(BACKEND)
