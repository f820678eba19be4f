"""Builder of ``while`` operations: traces the body and the test of a loop, and records the loop.

It makes all loops of graphs: those of ``while_loop``, those that converted Python stages, those
over datasets, and the backward loops of gradients.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Any

from autograph.diagnostics.user_frame import user_line
from autograph.errors import JoinError, ShapeJoinError
from runtime.control_flow.abstract_value import truth_of, with_shape
from runtime.graph.func_graph import FuncGraph
from runtime.graph.graph import Graph
from runtime.graph.operation import SymbolicTensor, read
from runtime.graph.python_values import weak_constant
from runtime.graph.trace import Input, record_while, set_outputs, trace
from runtime.ops import dispatch
from runtime.ops.control_flow.cond_while import increment
from runtime.ops.math.logical import logical_and
from runtime.types.conversion import conversion_call
from runtime.types.dtypes import int64
from runtime.types.shapes import SCALAR_SHAPE, TensorShape, TensorSpec

COUNTER: Input = (TensorSpec(SCALAR_SHAPE, int64, "iteration"), True)
ROUNDS = 50
"""How often a body is traced at most.  Types only grow wider, and rarely more than twice."""

Shapes = dict[int, TensorShape]
"""Shape invariants, by the number of the loop variable."""

Body = Callable[[Any, Sequence[Any]], Any]
"""A function of the number of the iteration, if that is counted, and of the loop variables."""


class Policy(Enum):
    """Rule for a loop variable whose type changes in an iteration."""

    STRICT = "raise an error, as TensorFlow does"
    WIDEN = "return None, so that the body is traced again for wider types"
    TRUSTED = "check nothing: the caller has checked the types"


class WhileBuilder:
    """Builder of one ``while`` operation.

    ``inputs`` are the types of the loop variables, and whether each stands for a Python number;
    ``names`` are their names in messages.  ``options`` may hold ``maximum_iterations``, pairs of
    ``shape_invariants`` and ``checkpoint``, until the body is traced.  If ``counted``, body and
    test take the number of the iteration.
    """

    def __init__(
        self,
        inputs: Callable[[], Sequence[Input]],
        names: Callable[[int], str],
        policy: Policy,
        options: Mapping[str, Any] | None = None,
        counted: bool = False,
    ) -> None:
        self._state = inputs
        self._name = names
        self._policy = policy
        self._options = {} if options is None else options
        self._counted = counted or self._maximum is not None
        self._shapes: Shapes = {}

    @property
    def _maximum(self) -> Any:
        return self._options.get("maximum_iterations")

    def _inputs(self) -> list[Input]:
        inputs = list(self._state())
        for number, shape in self._shapes.items():
            spec, weak = inputs[number]
            inputs[number] = TensorSpec(shape, spec.dtype), weak
        return [COUNTER, *inputs] if self._counted else inputs

    def _names(self) -> list[str]:
        """Return the names of what the body receives and returns; none for a loop of gradients."""
        if self._policy is Policy.TRUSTED:
            return []
        counter = ["iteration"] * self._counted
        return [*counter, *[self._name(number) for number in range(len(self._state()))]]

    def _called(self, function: Body) -> Callable[..., Any]:
        if self._counted:
            return lambda count, *values: function(count, values)
        return lambda *values: function(None, values)

    # -- the body -------------------------------------------------------------------------------

    def trace_body(self, body: Body, name: str = "body") -> FuncGraph:
        """Trace the sub-graph of one iteration; ``body`` returns the loop variables after it, flat.
        """
        for _ in range(ROUNDS):
            before = [spec for spec, _ in self._state()]
            graph, after = trace("loop body", name, self._called(body), self._inputs())
            invariants = self._shape_invariants(graph)
            if after is not None and invariants == self._shapes:
                self._finish(graph, after)
                return graph
            same = [spec for spec, _ in self._state()] == before
            self._shapes = invariants if same else {}
        raise JoinError(
            "this loop assigns a new function or object of Python's in every iteration; each of "
            f"{ROUNDS} traces made another one",
            where=user_line(),
            help="make it in front of the loop, and give it what varies as an argument",
        )

    def _shape_invariants(self, graph: FuncGraph) -> Shapes:
        """Return the shape invariants among the options, by the inputs of the body."""
        pairs = self._options.get("shape_invariants") or ()
        first = int(self._counted)
        numbers = {id(t): i for i, t in enumerate(graph.inputs[first:])}
        invariants: Shapes = {}
        for invariant, shape in pairs:
            value = read(invariant)
            if id(value) in numbers:
                invariants[numbers[id(value)]] = TensorShape(shape)
            elif isinstance(value, SymbolicTensor) and value.graph is graph:
                raise ValueError(
                    f"shape_invariants: {value!r} is not a loop variable at the start of the "
                    "iteration. Call set_loop_options first in the loop's body, with the loop's "
                    "variables."
                )
        return invariants

    def _finish(self, graph: FuncGraph, values: list[Any]) -> None:
        """Set the outputs of the body's graph; count the iterations if an option needs it."""
        with dispatch.as_current(graph):
            if self._policy is Policy.STRICT:
                self._check(values)
            for number, shape in self._shapes.items():
                if not values[number].shape.is_compatible_with(shape):
                    raise self._leaves(number, shape, values[number].shape, "after an iteration")
                values[number] = with_shape(values[number], shape)
            if self._maximum is not None and not self._counted:
                self._counted = True
                spec, weak = COUNTER
                graph.add_input(spec, weak, index=0)
            if self._counted:
                following = increment(graph.inputs[0])
                following.weak = True
                values = [following, *values]
            set_outputs(graph, values, self._names())

    def _check(self, values: Sequence[Any]) -> None:
        for number, ((spec, _), tensor) in enumerate(zip(self._state(), values, strict=True)):
            name = self._name(number)
            if tensor.dtype is not spec.dtype:
                call = conversion_call("...", tensor.dtype, spec.dtype)
                raise TypeError(
                    f"{name} enters the loop with dtype {spec.dtype.name}, but has dtype "
                    f"{tensor.dtype.name} after one iteration. Use {call} in the body."
                )
            if not tensor.shape.is_subtype_of(spec.shape):
                raise ValueError(
                    f"{name} enters the loop with shape {spec.shape}, but has shape "
                    f"{tensor.shape} after one iteration. To allow the shape to vary across "
                    "iterations, use the `shape_invariants` argument to specify a less-specific "
                    "shape."
                )

    def _leaves(
        self, number: int, promised: TensorShape, shape: TensorShape, when: str
    ) -> ShapeJoinError:
        name = self._name(number)
        return ShapeJoinError(
            f"'{name}' has shape {shape} {when}, which its shape invariant {promised} excludes",
            help="in set_loop_options, give a shape with None where sizes change, or leave it out",
            subject=name,
        )

    # -- the test -------------------------------------------------------------------------------

    def trace_test(self, test: Body, name: str = "test") -> FuncGraph:
        """Trace the sub-graph that computes whether there is another iteration."""

        def going_on(count: Any, values: Sequence[Any]) -> Any:
            result = test(count, values)
            return result if self._maximum is None else both(count < self._maximum, result)

        graph, result = trace("loop test", name, self._called(going_on), self._inputs())
        with dispatch.as_current(graph):
            if isinstance(result, bool):
                result = weak_constant(graph, result)
            elif self._policy is Policy.WIDEN:
                result = truth_of(result)
            set_outputs(graph, [result])
        return graph

    # -- the loop -------------------------------------------------------------------------------

    def record(
        self, test_graph: FuncGraph, body_graph: FuncGraph, start: Sequence[Any],
        name: str | None = None,
    ) -> list[SymbolicTensor]:
        """Record the loop for initial loop variables; return the final ones."""
        every = self._options.get("checkpoint") or 0
        if type(every) is not int or every < 0:
            raise ValueError(
                f"set_loop_options: checkpoint must be a number of iterations, got {every!r}"
            )
        for number, shape in self._shapes.items():
            if not start[number].shape.is_subtype_of(shape):
                raise self._leaves(number, shape, start[number].shape, "before the loop")
        if self._counted:
            graph = dispatch.current()
            assert isinstance(graph, Graph)
            start = [weak_constant(graph, 0), *start]
        outputs = record_while(test_graph, body_graph, start, name, every)
        return outputs[int(self._counted) :]


def both(left: Any, right: Any) -> Any:
    """Compute whether two tests hold; either may be a Python bool."""
    if left is True or right is False:
        return right
    if right is True or left is False:
        return left
    return logical_and(truth_of(left), truth_of(right))
