"""The backend that stages converted Python on graphs: fulfils autograph's protocol.

``import runtime`` registers it.  Branches and bodies are traced as sub-graphs (tracing.py); how
their values are described and joined says joins.py; what a loop goes through, sequences.py.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from autograph import staging
from autograph.staging import (
    Attempt,
    Plan,
    StagedList,
    StagedOptional,
    StagedText,
    inside_try,
    kind_of,
)
from runtime.eager.tensor import Tensor
from runtime.graph import optional_nest as optionals
from runtime.graph import raise_tracking as attempts
from runtime.graph import staged_list as lists
from runtime.graph.func_graph import SubGraph
from runtime.graph.graph import Graph, graph_of, graphs_in_use
from runtime.graph.operation import SymbolicTensor
from runtime.graph.raise_tracking import Trial
from runtime.graph.staged_list import ListSpec
from runtime.graph.trace import record_cond, same_tensor, set_outputs, trace
from runtime.ops import dispatch as interpreter
from runtime.ops.array.constants import convert_to_tensor
from runtime.ops.math.logical import logical_not
from runtime.ops.resource import lists as rows
from runtime.staging import items
from runtime.staging import print_raise as prints
from runtime.staging import spec as joins
from runtime.staging.builtins import bool_
from runtime.staging.dataset_builtins import BUILTINS
from runtime.staging.dataset_loop import home_tensor, is_pulled, staged_loop
from runtime.staging.loop import Turns
from runtime.staging.recursion import RecursiveCalls
from runtime.staging.sequence import Items, ItemStream, items_of, length
from runtime.staging.spec import Spec, as_python_value, truth_of
from runtime.staging.try_except import staged_try
from runtime.state.variable import Variable
from runtime.types import nest
from runtime.types.source_location import PACKAGE_FOLDER

__all__: list[str] = []


def _graph() -> Graph:
    """The graph that operations are recorded in now."""
    current = interpreter.current()
    if not isinstance(current, Graph):
        raise RuntimeError(
            "a staged value was used where operations run eagerly; use it inside the graph or "
            "function it belongs to"
        )
    return current


@contextlib.contextmanager
def _home_of(*values: Any) -> Iterator[Graph]:
    """The graph to record in: the current one, or else the one that staged values belong to."""
    current = interpreter.current()
    if isinstance(current, Graph):
        yield current
        return
    symbolic = [v for v in nest.flatten(list(values)) if isinstance(v, SymbolicTensor)]
    if not symbolic:
        yield _graph()
        return
    home = graph_of(symbolic[0])
    home.check_reachable(symbolic[0])
    with interpreter.using(home):
        yield home


class RuntimeBackend(RecursiveCalls, staging.Backend):
    """Stages Python on graphs of this runtime."""

    name = "runtime"
    folder = PACKAGE_FOLDER
    staged_types = (SymbolicTensor.__name__, Items.__name__)
    builtins = BUILTINS
    announces = True
    eager_values = True
    openers = frozenset(("InteractiveSession",))

    # -- whose value is it? -----------------------------------------------------------------

    def owns(self, value: object) -> bool:
        """Whether it is a tensor, a variable or a staged sequence."""
        return isinstance(value, Tensor | Variable | Items | ItemStream)

    def is_staged(self, value: object) -> bool:
        """Whether it has no value until a graph runs."""
        if isinstance(value, Variable):
            return not value.is_concrete
        return isinstance(value, SymbolicTensor | Items | ItemStream)

    def python_type(self, value: object) -> type | None:
        """Of a weak tensor, what Python would have in its place."""
        if not isinstance(value, SymbolicTensor) or not value.weak:
            return None
        return joins.PYTHON_TYPES[value.dtype]

    def is_tracing(self) -> bool:
        """Whether a graph is being built in this thread."""
        return isinstance(interpreter.current(), Graph)

    def is_reference(self, value: object) -> bool:
        """Whether it is a variable."""
        return isinstance(value, Variable)

    def read(self, reference: Any) -> Any:
        """The value of a variable where the program is now."""
        return reference.read_value() if isinstance(reference, Variable) else reference

    def may_stage(self) -> bool:
        """Whether this thread is inside a graph, or one that is no function's has operations.

        Tensors of such a graph can be used, and their control flow staged, outside of it, too.
        """
        inside = any(isinstance(level, Graph) for level in interpreter.stack())
        return inside or bool(graphs_in_use)

    # -- how values are laid out, and how two of them become one ------------------------------

    def spec(self, value: object) -> Spec | None:
        """Dtype and shape of what can be a tensor; Python numbers and texts are weak."""
        return joins.spec_of(value)

    def join(self, left: Spec | None, right: Spec | None) -> Spec:
        """The spec that holds both; TypeError when there is none."""
        if left is None or right is None:
            raise TypeError("it is a range or another staged sequence, which is no tensor")
        return joins.joint_spec(left, right)

    def text(self, text: StagedText) -> SymbolicTensor:
        """A string tensor that stands for a Python text."""
        with _home_of(*text.values()):
            return prints.text_tensor(text)

    def convert(self, value: Any, spec: Spec) -> SymbolicTensor:
        """The value as a tensor of the current graph, of the spec's dtype."""
        if isinstance(value, StagedText):
            value = prints.text_tensor(value)
        if isinstance(value, Items | ItemStream):
            raise TypeError(f"{value!r} is no tensor and cannot be the value of a staged path")
        return joins.converted(_graph(), value, spec)

    def filler(self, spec: Spec) -> SymbolicTensor:
        """Zeros."""
        return joins.filler(_graph(), spec)

    # -- control flow -------------------------------------------------------------------------

    def cond(
        self,
        test: Any,
        if_body: Callable[[], Any],
        else_body: Callable[[], Any],
        join: Callable[[Any, Any], Plan],
    ) -> Any:
        """Record a ``cond`` row with both bodies as sub-graphs."""
        if isinstance(test, Items | ItemStream):
            test = bool_(test)
        with _home_of(test) as graph:
            if not isinstance(test, Tensor | Variable):
                test = graph.convert(test, None, None)
            return self._cond(test, if_body, else_body, join)

    def _cond(
        self, test: Any, if_body: Callable[[], Any], else_body: Callable[[], Any],
        join: Callable[[Any, Any], Plan],
    ) -> Any:
        sides = [trace("branch", "then", if_body), trace("branch", "otherwise", else_body)]
        plan = join(sides[0][1], sides[1][1])
        for graph, outcome in sides:
            with graph.as_default():
                set_outputs(graph, plan.lower(outcome))
        graphs: Sequence[SubGraph] = [graph for graph, _ in sides]
        return plan.lift(record_cond(test, graphs[0], graphs[1]))

    def while_loop(
        self,
        test: Callable[[Any], Any],
        body: Callable[[Any], Any],
        state: Any,
        plan: Plan,
        options: Mapping[str, Any],
    ) -> Any:
        """Record a ``while`` row; traced again until the plan holds the state of every turn."""
        turns = Turns(plan, state, options, counted=False)
        with _home_of(state):
            body_graph = turns.trace_body(lambda k, values: body(values))
            test_graph = turns.trace_test(lambda k, values: test(values))
            return turns.record(test_graph, body_graph)

    def for_loop(
        self,
        iterable: Any,
        test: Callable[[Any], Any] | None,
        body: Callable[[Any, Any], Any],
        state: Any,
        plan: Plan,
        options: Mapping[str, Any],
    ) -> Any:
        """Record a ``while`` row that counts the items of a tensor or staged sequence.

        Those of a dataset, or an iterator over one, it pulls.
        """
        if is_pulled(iterable):
            with _home_of(home_tensor(iterable), state):
                return staged_loop(iterable, test, body, state, plan, options)
        sequence = items_of(iterable)
        turns = Turns(plan, state, options, counted=True)

        def more(k: Any, values: Any) -> Any:
            going_on = True if test is None else test(values)
            return turns.both(k < sequence.count, going_on)

        with _home_of(iterable, sequence.count, state):
            body_graph = turns.trace_body(lambda k, values: body(sequence.at(k), values))
            test_graph = turns.trace_test(more)
            return turns.record(test_graph, body_graph, "for")

    def iterates(self, iterable: object) -> bool:
        """Whether it is a staged sequence; while tracing, a tensor with an axis or a dataset."""
        if self.pulls(iterable):
            return True
        if isinstance(iterable, Items | ItemStream):
            return True
        if isinstance(iterable, SymbolicTensor):
            return iterable.shape.rank != 0
        if isinstance(iterable, Tensor | Variable):
            return self.is_tracing() and iterable.shape.rank != 0
        return False

    def pulls(self, value: object) -> bool:
        """Whether it is a dataset, or an iterator over one, that belongs to a graph now."""
        return is_pulled(value) and not value._is_concrete  # type: ignore[attr-defined]

    def known_items(self, iterable: Any) -> Iterable[Any] | None:
        """The items of a tensor or staged sequence of known size."""
        if isinstance(iterable, StagedList) or is_pulled(iterable):
            return None
        items = iterable.items if isinstance(iterable, ItemStream) else iterable
        return list(iterable) if isinstance(length(items), int) else None

    # -- exceptions ---------------------------------------------------------------------------

    stages_tries = True

    def mark(self) -> Trial:
        """Watch the current graph."""
        return attempts.watch(_graph())

    def failures(self, mark: Trial) -> tuple[type[BaseException], ...]:
        """What operations recorded meanwhile may raise."""
        return attempts.unwatch(mark)

    def recorded(self, mark: Trial) -> bool:
        """Whether there are more operations."""
        return len(mark.graph.operations) > mark.start

    def rollback(self, mark: Trial) -> None:
        """Forget the operations recorded since."""
        mark.graph.rollback(mark.start)

    def try_(self, attempt: Attempt) -> Any:
        """Record a ``try`` row; the body is traced again until what it saves has one layout."""
        return staged_try(attempt)

    # -- single statements and operators ------------------------------------------------------

    def logical_not(self, value: Any) -> Any:
        """``not value``, a Python bool known at run time."""
        if isinstance(value, Items | ItemStream):
            value = interpreter.convert(bool_(value))
        return as_python_value(logical_not(truth_of(value)))

    def equal(self, left: Any, right: Any) -> Any:
        """``left == right``."""
        return left == right

    def print(self, *values: Any, sep: str, end: str, file: Any, flush: bool) -> None:
        """Print what eager execution prints."""
        prints.print_values(values, sep, end, file)

    def assert_(self, test: Any, message: Callable[[], Any] | None) -> None:
        """Raise AssertionError at run time unless the test holds; the message is made then."""

        def complain() -> None:
            args = () if message is None else (message(),)
            prints.raise_exception(AssertionError(*args))

        with _home_of(test):
            holds, _ = trace("branch", "holds", lambda: None)
            fails, _ = trace("branch", "fails", complain)
            record_cond(test, holds, fails, "assert")

    def raise_(self, exception: BaseException) -> None:
        """Raise a like exception at run time."""
        prints.raise_exception(exception)

    # -- items ----------------------------------------------------------------------------------

    def setitem(self, value: Any, key: Any, item: Any) -> Any:
        """A copy of a tensor with an item, or several, assigned."""
        return items.setitem(value, key, item)

    def item(self, sequence: Any, index: Any) -> Any:
        """The item of a range, an array, or a list of like numbers or tensors."""
        return items.item(sequence, index)

    def list_spec(self, specs: Sequence[Spec]) -> ListSpec:
        """A list whose entries hold values of these specs."""
        return ListSpec(tuple(specs))

    def list_new(self, spec: ListSpec, entries: Sequence[Sequence[Any]]) -> Any:
        """A list of these entries."""
        return lists.new(entries)

    def list_len(self, handle: Any) -> Any:
        """How many entries a list has."""
        return as_python_value(rows.list_len(handle))

    def list_push(self, handle: Any, entry: Sequence[Any]) -> Any:
        """A list with one more entry."""
        return rows.list_push(handle, *entry)

    def list_item(
        self, handle: Any, index: Any, spec: ListSpec, messages: tuple[str, str]
    ) -> list[Any]:
        """The values of an entry."""
        return lists.item(handle, index, spec, messages)

    def list_set(
        self, handle: Any, index: Any, entry: Sequence[Any], messages: tuple[str, str]
    ) -> Any:
        """A list with another entry at an index."""
        return rows.list_set(handle, index, *entry, messages=messages)

    def list_without(self, handle: Any, index: Any, messages: tuple[str, str]) -> Any:
        """A list without the entry at an index."""
        return rows.list_without(handle, index, messages=messages)

    def list_slice(self, handle: Any, key: slice) -> Any:
        """The entries of a slice."""
        key, bounds = lists.slots(key)
        return rows.list_slice(handle, *bounds, key=key)

    def list_splice(self, handle: Any, key: slice, other: Any) -> Any:
        """A list with the entries of a slice replaced."""
        key, bounds = lists.slots(key)
        return rows.list_splice(handle, other, *bounds, key=key)

    def position(self, index: Any, size: int, message: str) -> Any:
        """An index counted from 0."""
        return items.position(index, size, message)

    def returned(self, value: Any, outermost: bool) -> Any:
        """The value, its tensors recorded again: a session then runs the effects before them.

        A Python number that is handed to a session becomes a tensor when there were effects.
        """
        graph = _graph()
        if graph.temporary:
            return value
        # the effects of a ``finally`` around the return are still to come
        numbers = outermost and (graph.had_effects() or inside_try() is not None)

        def behind(leaf: Any) -> Any:
            if isinstance(leaf, SymbolicTensor):
                return same_tensor(leaf)
            return convert_to_tensor(leaf) if numbers and type(leaf) in _NUMBERS else leaf

        if not outermost and isinstance(value, list | dict):
            return value  # the very object: others may refer to it
        if isinstance(value, SymbolicTensor | StagedOptional) or type(value) in _NUMBERS:
            return optionals.map_inside(behind, value)
        if kind_of(value) in (tuple, list, dict) or hasattr(type(value), "_make"):
            return optionals.map_inside(behind, value)
        return value


_NUMBERS = (bool, int, float)

BACKEND = RuntimeBackend()
staging.register(BACKEND)
