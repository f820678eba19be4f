"""The turns of a staged loop: traces its body until the plan of its state holds every turn.

Used by staging.py alone.  A loop's sub-graphs take the number of the turn, if it is counted, and
then the values of the state as the plan lays them out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from autograph.errors import JoinError, ShapeJoinError
from autograph.staging import Plan, user_place
from runtime.graph.func_graph import SubGraph
from runtime.graph.graph import Graph
from runtime.graph.operation import SymbolicTensor
from runtime.graph.trace import Input, record_while, set_outputs, staged_number, trace
from runtime.ops import dispatch as interpreter
from runtime.ops.math.elementwise import add
from runtime.ops.math.logical import logical_and
from runtime.staging.spec import Spec, truth_of, with_shape
from runtime.types.dtypes import int64
from runtime.types.shapes import SCALAR_SHAPE, TensorShape, TensorSpec

COUNTER: Input = (TensorSpec(SCALAR_SHAPE, int64, "turn"), True)
ROUNDS = 50
"""How often a body is traced at most.  Plans only grow, and rarely more than twice."""

Shapes = dict[int, TensorShape]
"""Shape invariants, by the number of the value in the plan's layout."""


class Turns:
    """One loop on its way to a ``while`` row."""

    def __init__(
        self, plan: Plan, state: Any, options: Mapping[str, Any], counted: bool
    ) -> None:
        self.plan = plan
        self.state = state
        self.options = options
        self.counted = counted
        self.shapes: Shapes = {}

    def trace_body(self, body: Callable[[Any, Any], Any]) -> SubGraph:
        """The sub-graph of one turn; ``self.plan`` is the plan that holds all turns' states."""
        for _ in range(ROUNDS):
            graph, after = trace("loop body", "body", self._lifted(body), self._inputs())
            wider = self.plan.widen(after)
            asked = self._asked(graph)
            if wider == self.plan and asked == self.shapes:
                self._finish(graph, after)
                return graph
            self.shapes = asked if list(wider.specs) == list(self.plan.specs) else {}
            self.plan = wider
        raise JoinError(
            "what this loop changes is something else in every turn: a function or object of "
            f"Python's that each of {ROUNDS} traces made anew",
            where=user_place(),
            help="make it in front of the loop, and give it what varies as an argument",
        )

    def _lifted(self, function: Callable[[Any, Any], Any]) -> Callable[..., Any]:
        def call(*values: SymbolicTensor) -> Any:
            count = values[0] if self.counted else None
            return function(count, self.plan.lift(values[1:] if self.counted else values))

        return call

    def _inputs(self) -> list[Input]:
        specs: list[Spec] = list(self.plan.specs)
        for number, shape in self.shapes.items():
            specs[number] = specs[number]._replace(shape=shape)
        return ([COUNTER] if self.counted else []) + [(s.tensor_spec, s.weak) for s in specs]

    def _asked(self, graph: SubGraph) -> Shapes:
        """The shape invariants that the body asked for, of variables as they enter the turn."""
        pairs = self.options.get("shape_invariants") or ()
        first = int(self.counted)
        numbers = {id(t): i for i, t in enumerate(graph.inputs[first:])}
        asked: Shapes = {}
        for value, shape in pairs:
            if id(value) in numbers:
                asked[numbers[id(value)]] = TensorShape(shape)
            elif isinstance(value, SymbolicTensor) and value.graph is graph:
                raise ValueError(
                    f"shape_invariants: {value!r} is not a loop variable as it enters the turn. "
                    "Call set_loop_options first in the loop's body, with the loop's variables."
                )
        return asked

    def _finish(self, graph: SubGraph, after: Any) -> None:
        """Set the outputs of the body's graph; count the turns if somebody needs that."""
        with graph.as_default():
            values = self.plan.lower(after)
            for number, shape in self.shapes.items():
                if not values[number].shape.is_compatible_with(shape):
                    raise self._leaves(number, shape, values[number].shape, "after a turn")
                values[number] = with_shape(values[number], shape)
            if self.options.get("maximum_iterations") is not None and not self.counted:
                self.counted = True
                spec, weak = COUNTER
                graph.add_input(spec, weak, place=0)
            if self.counted:
                values.insert(0, add(graph.inputs[0], 1))
            set_outputs(graph, values)

    def trace_test(self, test: Callable[[Any, Any], Any]) -> SubGraph:
        """The sub-graph that says whether there is another turn."""
        limit = self.options.get("maximum_iterations")

        def going_on(count: Any, values: Any) -> Any:
            result = test(count, values)
            return result if limit is None else self.both(count < limit, result)

        graph, result = trace("loop test", "test", self._lifted(going_on), self._inputs())
        with graph.as_default():
            set_outputs(graph, [_test(graph, result)])
        return graph

    @staticmethod
    def both(left: Any, right: Any) -> Any:
        """Whether two tests hold; either may be a Python bool."""
        if left is True or right is False:
            return right
        if right is True or left is False:
            return left
        return logical_and(truth_of(left), truth_of(right))

    def start(self) -> list[Any]:
        """The state before the first turn, as tensors of the current graph."""
        values = self.plan.lower(self.state)
        for number, shape in self.shapes.items():
            if not values[number].shape.is_subtype_of(shape):
                raise self._leaves(number, shape, values[number].shape, "before the loop")
        if self.counted:
            graph = interpreter.current()
            assert isinstance(graph, Graph)
            values.insert(0, staged_number(graph, 0))
        return values

    def _leaves(
        self, number: int, promised: TensorShape, shape: TensorShape, when: str
    ) -> ShapeJoinError:
        name = self.plan.names[number]
        return ShapeJoinError(
            f"'{name}' has shape {shape} {when}, which its shape invariant {promised} excludes",
            help="in set_loop_options, give a shape with None where sizes change, or leave it out",
            subject=name,
        )

    def record(
        self, test_graph: SubGraph, body_graph: SubGraph, name: str | None = None
    ) -> Any:
        """Record the loop; the state after it."""
        every = self.options.get("checkpoint") or 0
        if type(every) is not int or every < 0:
            raise ValueError(
                f"set_loop_options: checkpoint must be a number of turns, got {every!r}"
            )
        return self.lift(record_while(test_graph, body_graph, self.start(), name, every))

    def lift(self, outputs: list[SymbolicTensor]) -> Any:
        """The state after the loop."""
        return self.plan.lift(outputs[int(self.counted) :])


def _test(graph: Graph, result: Any) -> Any:
    if isinstance(result, bool):
        return staged_number(graph, result)
    return truth_of(result)
