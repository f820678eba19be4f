"""Loops of converted Python: ``while``, and ``for`` over datasets and iterators.

A loop over a dataset is a ``while`` operation that pulls elements: its test asks the iterator
whether there is another element, its body takes it.  Nothing is unrolled; how many elements there
are is only known when the graph runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph.staging import LazyIterable, StagedLoop
from runtime.control_flow.abstract_value import truth_of
from runtime.control_flow.while_builder import Body, Policy, WhileBuilder
from runtime.graph.operation import SymbolicTensor
from runtime.graph.trace import record_cond, recording_graph, set_outputs, trace
from runtime.ops.resource.dataset import iterator_has_next, iterator_next
from runtime.types.errors import OutOfRangeError


def stage_while(
    loop: StagedLoop, body: Body, test: Body, counted: bool = False, name: str | None = None
) -> list[SymbolicTensor]:
    """Record a loop of converted Python with a body and a test; return its final state."""
    builder = WhileBuilder(
        lambda: [(spec.tensor_spec, spec.weak) for spec in loop.spec.specs],
        lambda number: loop.spec.names[number], Policy.WIDEN, loop.options, counted,
    )  # fmt: skip
    body_graph = builder.trace_body(body)
    test_graph = builder.trace_test(test)
    return builder.record(test_graph, body_graph, loop.start(), name)


class StagedElements(LazyIterable):
    """The part of datasets and their iterators that staging asks for."""

    __backend__ = "runtime"

    _is_concrete: Any
    """Whether Python can go through it now."""

    def _holder(self) -> Any:
        """The tensor that holds the dataset or the iteration."""
        raise NotImplementedError

    def __is_staged__(self) -> bool:
        return not self._is_concrete

    def __for_loop__(self, loop: StagedLoop) -> Sequence[Any]:
        with recording_graph(self._holder(), *loop.before):
            iterator = self.__staged_iter__()
            return _element_loop(iterator._handle(), iterator._layout, loop)


def _element_loop(handle: Any, layout: Any, loop: StagedLoop) -> Sequence[Any]:
    """Record the loop; gives the values of the state after it."""

    def iteration(_: Any, values: Sequence[Any]) -> Any:
        tensors = iterator_next(handle, specs=layout.rows, end=OutOfRangeError)
        return loop.body(values, layout.packed(list(tensors) if layout.rows else []))

    def more(_: Any, values: Sequence[Any]) -> Any:
        going_on = loop.test(values)
        if isinstance(going_on, bool):
            return iterator_has_next(handle) if going_on else False
        return _and_then(going_on, handle)

    return stage_while(loop, iteration, more, name="for")


def _and_then(going_on: Any, handle: Any) -> Any:
    """Whether the loop goes on and there is another element: not asked for after a ``break``."""
    asks, answer = trace("branch", "another", lambda: iterator_has_next(handle))
    set_outputs(asks, [answer])
    after_break, _ = trace("branch", "left", lambda: None)
    after_break.set_outputs([np.bool_(False)])
    return record_cond(truth_of(going_on), asks, after_break)[0]
