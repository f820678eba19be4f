"""Backend of autograph: stages converted Python as operations of graphs.

``import runtime`` registers it.  Branches and bodies are traced as sub-graphs (graph/trace.py),
loops are recorded by loops.py; control_flow/abstract_value.py describes and joins the types of
values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.staging import (
    MISSING,
    Backend,
    StagedCond,
    StagedLoop,
    StagedText,
    StagedTry,
    register,
)
from runtime.control_flow import abstract_value as joins
from runtime.control_flow.abstract_value import Spec, check_truth, truth_of
from runtime.control_flow.while_builder import both
from runtime.eager.tensor import Tensor
from runtime.graph.graph import Graph, graphs_in_use
from runtime.graph.operation import SymbolicTensor
from runtime.graph.python_values import as_python_value
from runtime.graph.raise_tracking import RaiseRecorder, start_recording, stop_recording
from runtime.graph.trace import record_cond, recording_graph, set_outputs, trace
from runtime.ops import dispatch
from runtime.ops.control_flow.print_assert import assert_op
from runtime.ops.math.elementwise import maximum, minimum
from runtime.ops.math.logical import logical_and, logical_not
from runtime.ops.resource import lists as list_ops
from runtime.ops.resource import maps as map_ops
from runtime.staging import hooks, items, print_raise
from runtime.staging.builtins import BUILTINS
from runtime.staging.loops import stage_while
from runtime.staging.numpy_arrays.symbolic_array import SymbolicArray
from runtime.staging.operands import recorded_as
from runtime.staging.python_numbers import unsupported
from runtime.staging.recursion import RecursiveCalls
from runtime.staging.results import recorded_result
from runtime.staging.try_except import staged_try
from runtime.staging.values import lists
from runtime.state.variable import Variable
from runtime.types.dtypes import string
from runtime.types.source_location import PACKAGE_FOLDER

__all__: list[str] = []


def _graph() -> Graph:
    """Return the graph that operations are recorded in now."""
    with recording_graph() as graph:
        return graph


class RuntimeBackend(RecursiveCalls, Backend):
    """Backend that stages Python on the graphs of this runtime."""

    name = "runtime"
    folder = PACKAGE_FOLDER
    staged_types = (SymbolicTensor.__name__,)
    symbolic_types = (SymbolicTensor,)
    value_types = (Tensor,)
    reference_types = (Variable,)
    staged_array = SymbolicArray
    array_types = (np.ndarray, np.generic)
    builtins = BUILTINS
    function_types = (np.ufunc, type(np.sum))
    announces = True
    eager_values = True
    openers = frozenset(("InteractiveSession",))

    # -- whose value is it? -----------------------------------------------------------------

    def is_concrete(self, reference: Any) -> bool:
        """Return whether a variable has its value before a graph runs."""
        return bool(reference.is_concrete)

    def read(self, reference: Any) -> Any:
        """Read the current value of a variable; return another value unchanged."""
        return reference.read_value() if isinstance(reference, Variable) else reference

    def python_type(self, value: object) -> type | None:
        """Return the Python type that a weak tensor stands for, or None."""
        if not isinstance(value, SymbolicTensor) or not value.weak:
            return None
        return joins.PYTHON_TYPES[value.dtype]

    def array_type(self, value: object) -> type | None:
        """Return NumPy's class of an array that a symbolic array stands for, or of a scalar."""
        return value.array_type if isinstance(value, SymbolicArray) else None

    def example(self, value: Any) -> Any:
        """Return a number, array or eager tensor like the one that a symbolic tensor stands for."""
        return unsupported.example(value)

    def number_kind(self, spec: Any) -> type | None:
        """Return the type of the Python number; None where numbers become tensors."""
        return self.number_type(spec) if self.joins_kinds() else None

    def number_type(self, spec: Any) -> type | None:
        """Return the type of the Python number that a weak tensor stands for."""
        is_number = isinstance(spec, Spec) and spec.weak and spec.shape.dims == ()
        kind = joins.PYTHON_TYPES[spec.dtype] if is_number else None
        return None if kind is str else kind

    def recorded_as(self, value: Any) -> tuple[Any, Sequence[Any]]:
        """Return the tensor where it was computed, and what it was computed from."""
        return recorded_as(value)

    def joins_kinds(self) -> bool:
        """In ``runtime.jit`` values stay what they are; elsewhere they become tensors."""
        return getattr(dispatch.current(), "joins_numbers", False)

    def is_tracing(self) -> bool:
        """Return whether this thread is building a graph."""
        return isinstance(dispatch.current(), Graph)

    def recorded_operations(self) -> int:
        """Return how many operations this thread has recorded in all graphs."""
        return dispatch.THREAD.recorded

    def may_stage(self) -> bool:
        """Return whether this thread is inside a graph, or a graph of no function has operations.

        Tensors of such a graph can be used, and their control flow staged, outside of it, too.
        """
        return bool(graphs_in_use) or any(isinstance(level, Graph) for level in dispatch.stack())

    # -- how values are laid out, and how two of them become one ------------------------------

    def specs(self, values: Sequence[Any]) -> list[Spec | None]:
        """Return dtype and shape of values that can be tensors; Python numbers and texts are weak.
        """
        return [joins.spec_of(value) for value in values]

    def join(self, left: Spec, right: Spec) -> Spec:
        """Return the spec that describes both; TypeError if there is none."""
        return joins.joint_spec(left, right)

    def convert(self, values: Sequence[Any], specs: Sequence[Spec]) -> list[Any]:
        """Convert values to tensors of the graph and of the specs' dtypes; missing ones to zeros.
        """
        graph = _graph()
        return [
            joins.filler(graph, spec) if value is MISSING else joins.converted(
                graph,
                print_raise.text_tensor(value) if isinstance(value, StagedText) else value,
                spec,
            )
            for value, spec in zip(values, specs, strict=True)
        ]  # fmt: skip

    def text(self, text: StagedText) -> SymbolicTensor:
        """Record a string tensor that stands for a Python text."""
        with recording_graph(*text.values()):
            return print_raise.text_tensor(text)

    # -- control flow -------------------------------------------------------------------------

    def cond(self, test: Any, statement: StagedCond) -> Sequence[Any]:
        """Record a ``cond`` operation with both branches as sub-graphs."""
        with recording_graph(test) as graph:
            test = test if isinstance(test, Tensor | Variable) else graph.convert(test, None, None)
            check_truth(test)
            then, _ = trace("branch", "then", lambda: statement.trace(True))
            otherwise, _ = trace("branch", "otherwise", lambda: statement.trace(False))
            names = statement.join().names
            for side, outcome in ((then, True), (otherwise, False)):
                with side.as_default():
                    set_outputs(side, statement.outputs(outcome), names)
            return record_cond(test, then, otherwise)

    def while_loop(self, loop: StagedLoop) -> Sequence[Any]:
        """Record a ``while`` operation; trace again until its types fit all iterations."""
        with recording_graph(*loop.before):
            return stage_while(
                loop, lambda k, values: loop.body(values), lambda k, values: loop.test(values)
            )

    def for_loop(self, count: Any, loop: StagedLoop) -> Sequence[Any]:
        """Record a ``while`` operation that counts its iterations."""
        with recording_graph(count, *loop.before):
            return stage_while(
                loop,
                lambda k, values: loop.body(values, k),
                lambda k, values: both(k < count, loop.test(values)),
                counted=True,
                name="for",
            )

    def iterates(self, value: Any) -> bool:
        """Return whether a value is a staged tensor with an axis; while tracing, any tensor."""
        if isinstance(value, SymbolicTensor):
            return value.shape.rank != 0 or (value.weak and value.dtype is string)
        return self.is_tracing() and value.shape.rank != 0

    # -- numbers and sequences ----------------------------------------------------------------

    def number(self, value: Any, integer: bool = True) -> Any:
        """Convert an integer scalar to a Python int."""
        return items.number(value, integer)

    def maximum(self, left: Any, right: Any) -> Any:
        """Return the greater number."""
        return maximum(left, right)

    def minimum(self, left: Any, right: Any) -> Any:
        """Return the smaller number."""
        return minimum(left, right)

    def logical_and(self, left: Any, right: Any) -> Any:
        """Return whether both hold, as a Python bool known at run time."""
        return as_python_value(logical_and(left, right))

    def check(self, test: Any, error: Callable[[], BaseException]) -> None:
        """Raise an error at run time unless the test holds."""
        assert_op(dispatch.convert(test), fail=error)

    def items(self, value: Any) -> tuple[Any, Callable[[Any], Any]] | None:
        """Return the items of a tensor, or of a list of like numbers or tensors."""
        return items.items(value)

    def sorted(self, value: Any, reverse: bool) -> Any:
        """Sort the numbers of a vector."""
        return items.in_order(value, reverse)

    def sorting_order(self, marks: Any, reverse: bool) -> Any:
        """Return the positions that sort the numbers of a list."""
        return items.sorting_order(marks, reverse)

    # -- exceptions ---------------------------------------------------------------------------

    stages_tries = True

    def mark(self) -> RaiseRecorder:
        """Record which operations of the current graph may raise from now on."""
        return start_recording(_graph())

    def failures(self, mark: RaiseRecorder) -> tuple[type[BaseException], ...]:
        """Return the exceptions that operations recorded since the mark may raise."""
        return stop_recording(mark)

    def declared_failures(self, mark: RaiseRecorder) -> dict[type[BaseException], None]:
        """The exceptions that operations recorded since the mark declare to raise."""
        return mark.declared

    def recorded(self, mark: RaiseRecorder) -> bool:
        """Return whether operations were recorded since the mark."""
        return len(mark.graph.operations) > mark.start

    def rollback(self, mark: RaiseRecorder) -> None:
        """Remove the operations recorded since the mark."""
        mark.graph.rollback(mark.start)

    def try_(self, statement: StagedTry) -> Sequence[Any]:
        """Record a ``try`` operation; trace the body again until its saved values have one layout.
        """
        return staged_try(statement)

    def own_array(self, value: Any) -> Any:
        """Return a symbolic array that stands for a new one."""
        return items.own_array(_graph(), value)

    # -- single statements and operators ------------------------------------------------------

    def logical_not(self, value: Any) -> Any:
        """Return ``not value`` as a Python bool known at run time."""
        return as_python_value(logical_not(truth_of(value)))

    def equal(self, left: Any, right: Any) -> Any:
        """Return ``left == right``."""
        return left == right

    def print(self, *values: Any, sep: str, end: str, file: Any, flush: bool) -> None:
        """Record a print of what eager execution prints."""
        print_raise.print_values(values, sep, end, file)

    def assert_(self, test: Any, failure: Callable[[], BaseException]) -> None:
        """Raise AssertionError at run time unless the test holds; the message is made then."""

        def complain() -> None:
            print_raise.raise_exception(failure())

        with recording_graph(test):
            holds, _ = trace("branch", "holds", lambda: None)
            fails, _ = trace("branch", "fails", complain)
            record_cond(test, holds, fails, "assert")

    def raise_(self, exception: BaseException) -> None:
        """Raise an exception of the same class and arguments at run time."""
        print_raise.raise_exception(exception)

    # -- items ----------------------------------------------------------------------------------

    def setitem(self, value: Any, key: Any, item: Any) -> Any:
        """Return a copy of a tensor with one or several items assigned."""
        return items.setitem(value, key, item)

    def item(self, sequence: Any, index: Any) -> Any:
        """Return the item of a range, an array, or a list of like numbers or tensors."""
        return items.item(sequence, index)

    def list_spec(self, specs: Sequence[Spec]) -> lists.ListSpec:
        """Return the spec of a list whose entries hold values of these specs."""
        return lists.ListSpec(tuple(specs))

    def list_new(self, spec: lists.ListSpec, entries: Sequence[Sequence[Any]]) -> Any:
        """Record a list of entries."""
        return lists.new(entries)

    def list_len(self, handle: Any) -> Any:
        """Return the number of entries of a list."""
        return as_python_value(list_ops.list_len(handle))

    def list_push(self, handle: Any, entry: Sequence[Any]) -> Any:
        """Return a list with one more entry."""
        return list_ops.list_push(handle, *entry)

    def list_item(
        self, handle: Any, index: Any, spec: lists.ListSpec, messages: tuple[str, str]
    ) -> list[Any]:
        """Return the values of an entry."""
        return lists.item(handle, index, spec, messages)

    def list_set(
        self, handle: Any, index: Any, entry: Sequence[Any], messages: tuple[str, str]
    ) -> Any:
        """Return a list with the entry at an index replaced."""
        return list_ops.list_set(handle, index, *entry, messages=messages)

    def list_without(self, handle: Any, index: Any, messages: tuple[str, str]) -> Any:
        """Return a list without the entry at an index."""
        return list_ops.list_without(handle, index, messages=messages)

    def list_slice(self, handle: Any, key: slice) -> Any:
        """Return a list of the entries of a slice."""
        key, bounds = lists.slots(key)
        return list_ops.list_slice(handle, *bounds, key=key)

    def list_splice(self, handle: Any, key: slice, new_items: Any) -> Any:
        """Return a list with the entries of a slice replaced."""
        key, bounds = lists.slots(key)
        return list_ops.list_splice(handle, new_items, *bounds, key=key)

    def list_find(self, handle: Any, key: Sequence[Any]) -> Any:
        """The place of a key, or -1."""
        return as_python_value(map_ops.list_find(handle, *key))

    def list_put(self, handle: Any, index: Any, entry: Sequence[Any]) -> Any:
        """A list with another entry at an index, or with one more."""
        return map_ops.list_put(handle, index, *entry)

    def list_add(self, handle: Any, index: Any, entry: Sequence[Any]) -> Any:
        """A list with one more entry, if it was not there."""
        return map_ops.list_add(handle, index, *entry)

    def set_combine(self, name: str, left: Any, right: Any) -> Any:
        """The entries of a set that a method makes of two."""
        return map_ops.set_combine(left, right, method=name)

    def set_compare(self, name: str, left: Any, right: Any) -> Any:
        """What a comparison of two sets gives."""
        return as_python_value(map_ops.set_compare(left, right, method=name))

    def set_order(self, handle: Any) -> Any:
        """The entries in the order of a set."""
        return map_ops.set_order(handle)

    def position(self, index: Any, size: Any, message: str) -> Any:
        """Convert an index to one counted from 0."""
        return items.position(index, size, message)

    def returned(self, value: Any, outermost: bool, in_try: Callable[[], Any]) -> Any:
        """Record the tensors of a result again, so that a session runs the effects before them."""
        return recorded_result(_graph(), value, outermost, in_try)


BACKEND = RuntimeBackend()
hooks.fill()
register(BACKEND)
