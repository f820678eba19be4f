"""One step of training, evaluation and prediction, and functions that make many of them.

The steps are methods of the model, ``train_step``, ``test_step`` and ``predict_step``, which users
may override.  A function makes one step for each call, or a whole run of them over arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.control_flow.while_loop import while_loop
from runtime.functions.decorator import function
from runtime.keras.layers.base.conversion import staged
from runtime.keras.training.batches import Batch
from runtime.ops.array.constants import constant
from runtime.ops.array.gather_scatter import gather
from runtime.types import nest
from runtime.types.dtypes import int64


def as_data(batch: Batch) -> tuple[Any, ...]:
    """Return a batch as the tuple that a step takes: without None at the end."""
    parts = list(batch)
    while len(parts) > 1 and parts[-1] is None:
        parts.pop()
    return tuple(parts)


def step_function(model: Any, step: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return the function of a batch that makes a step."""
    if model.run_eagerly:
        return step

    def one_step(data: Any) -> Any:
        return staged(step, "step")(data)

    return function(one_step, reduce_retracing=True, jit_compile=model.jit_compile)


class ArraySteps:
    """Steps over the rows of arrays, many in one call: a loop in a graph.

    The arrays are arguments of the function, so that nothing is copied batch by batch.
    """

    def __init__(self, model: Any, step: Callable[[Any], Any], batch_size: int) -> None:
        self._step = step
        self._size = batch_size
        self._run = function(self._steps, jit_compile=model.jit_compile)

    def __call__(self, data: Batch, order: Any, first: int, count: int) -> None:
        """Make ``count`` steps, from step ``first`` of the epoch on; ``order`` has its rows."""
        self._run(as_data(data), order, constant(first, int64), constant(first + count, int64))

    def _steps(self, data: Any, order: Any, first: Any, end: Any) -> None:
        size = self._size

        def body(number: Any) -> Any:
            rows = order[number * size : (number + 1) * size]
            rows.set_shape([size])
            batch = nest.map_structure(
                lambda leaf: None if leaf is None else gather(leaf, rows), data
            )
            staged(self._step, "step")(batch)
            return (number + 1,)

        while_loop(lambda number: number < end, body, (first,))
