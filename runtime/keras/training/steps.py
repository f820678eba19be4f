"""One step of training, evaluation and prediction, and functions that make many of them.

The steps are methods of the model, ``train_step``, ``test_step`` and ``predict_step``, which users
may override.  A function makes one step for each call, or a whole run of them over arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.control_flow.while_loop import while_loop
from runtime.distribute.datasets import part_of
from runtime.distribute.values import PerReplica
from runtime.functions.concrete_function import ConcreteFunction
from runtime.functions.decorator import function
from runtime.graph.func_graph import graphs_inside
from runtime.keras.training.batches import Batch
from runtime.ops.array.constants import constant, convert_to_tensor
from runtime.ops.array.creation import zeros
from runtime.ops.array.gather_scatter import gather
from runtime.staging.conversion import converted_in_graph
from runtime.types import nest
from runtime.types.dtypes import int64
from runtime.types.shapes import TensorShape, TensorSpec


def as_data(batch: Batch) -> Any:
    """Return a batch as a step takes it: a tuple without None at the end.

    Inputs alone are given as they are, but for inputs that are a tuple or list.
    """
    fields = list(batch)
    while len(fields) > 1 and fields[-1] is None:
        fields.pop()
    if len(fields) == 1 and not isinstance(fields[0], tuple | list):
        return fields[0]
    return tuple(fields)


def step_function(model: Any, step: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return the function of a batch that makes a step."""
    one_step = replicated_step(model, step)
    if model.run_eagerly:
        return one_step
    return function(one_step, reduce_retracing=True, jit_compile=model.jit_compile)


def replicated_step(model: Any, step: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return the function of a batch that makes a step in each replica of the model's strategy.

    Each gets its share of the rows.  Metrics are those of all replicas; outputs of ``predict_step``
    are put together.
    """
    strategy = model.distribute_strategy
    count = strategy.num_replicas_in_sync

    def one_step(data: Any) -> Any:
        return step(data) if model.run_eagerly else converted_in_graph(step, "step")(data)

    if count == 1:
        return one_step
    is_prediction = getattr(step, "__name__", "") == "predict_step"

    def all_steps(data: Any) -> Any:
        parts = nest.map_structure(
            lambda leaf: leaf if leaf is None or isinstance(leaf, PerReplica) else PerReplica(
                [part_of(leaf, n, count) for n in range(count)]
            ), data,
        )  # fmt: skip
        results = strategy.run(one_step, args=(parts,))
        if is_prediction:
            return strategy.gather(results, axis=0)
        return strategy.experimental_local_results(results)[0]

    return all_steps


def draws_numbers(graph: Any) -> bool:
    """Return whether a graph draws random numbers, or one inside of it."""
    graphs = [graph, *graphs_inside(graph)]
    return any("stream" in node.attrs for inner in graphs for node in inner.operations)


class ArraySteps:
    """Steps over the rows of arrays, many in one call: a loop in a graph.

    The arrays are arguments of the function, so that nothing is copied batch by batch.
    """

    def __init__(self, model: Any, name: str, batch_size: int) -> None:
        self._one = model._step(name)
        self._step = replicated_step(model, getattr(model, name))
        self._size = batch_size
        self._run = function(self._steps, jit_compile=model.jit_compile)
        self._logs: Any = None

    def __call__(self, data: Batch, order: Any, first: int, count: int) -> Any:
        """Make ``count`` steps, from step ``first`` of the epoch on; ``order`` has its rows.

        Returns what the last step returns.
        """
        arrays = as_data(data)
        if self._logs is None:
            self._logs = _LogsOfStep(self._one.get_concrete_function(self._batch_of(arrays)))
        ends = constant(first, int64), constant(first + count, int64)
        return self._logs.packed(self._run(arrays, order, *ends))

    def _batch_of(self, data: Any) -> Any:
        """Return what a step takes for the rows of a batch, described."""
        return nest.map_structure(
            lambda leaf: None if leaf is None else TensorSpec(
                [self._size, *leaf.shape[1:]], leaf.dtype
            ), data,
        )  # fmt: skip

    def _steps(self, data: Any, order: Any, first: Any, end: Any) -> Any:
        size, logs = self._size, self._logs

        def body(number: Any, *_: Any) -> Any:
            rows = order[number * size : (number + 1) * size]
            rows.set_shape([size])
            batch = nest.map_structure(
                lambda leaf: None if leaf is None else gather(leaf, rows), data
            )
            step_logs = self._step(batch)
            return (number + 1, *logs.tensors(step_logs))

        start = (first, *logs.zeros())
        _, *final = while_loop(
            lambda number, *_: number < end, body, start,
            shape_invariants=(TensorShape([]), *logs.shapes),
        )  # fmt: skip
        return final


class _LogsOfStep:
    """What a step returns: a nest of tensors, whose values a loop hands on."""

    def __init__(self, traced: ConcreteFunction) -> None:
        self._structure = traced.structured_outputs
        specs = [convert_to_tensor(leaf) for leaf in self._leaves(self._structure)]
        self.shapes = [spec.shape for spec in specs]
        self._dtypes = [spec.dtype for spec in specs]

    def _leaves(self, logs: Any) -> list[Any]:
        return [leaf for leaf in nest.flatten(logs) if leaf is not None]

    def zeros(self) -> list[Any]:
        """Return values to start with, which no step reads."""
        pairs = zip(self.shapes, self._dtypes, strict=True)
        return [zeros([size or 0 for size in shape.dims or ()], dtype) for shape, dtype in pairs]

    def tensors(self, logs: Any) -> list[Any]:
        """Return the tensors of what a step returned."""
        return [convert_to_tensor(leaf) for leaf in self._leaves(logs)]

    def packed(self, tensors: Sequence[Any]) -> Any:
        """Return the nest with these tensors in it."""
        values = iter(tensors)
        return nest.map_structure(
            lambda leaf: None if leaf is None else next(values), self._structure
        )
