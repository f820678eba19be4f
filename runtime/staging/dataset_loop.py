"""``for`` over datasets and iterators in staged code: a ``while`` row that pulls elements.

The loop's test asks the iterator whether there is another element, its body takes it.  Nothing is
unrolled; how many elements there are is only known when the graph runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from autograph.staging import Plan
from runtime.data.dataset import Dataset
from runtime.data.iterators import DatasetIterator
from runtime.data.ordering_methods import Combining
from runtime.data.sources import stepping
from runtime.graph.trace import record_cond, record_while, set_outputs, trace
from runtime.ops.resource.dataset import Cursor, Source, iterator_has_next, iterator_next
from runtime.staging.loop import Turns
from runtime.staging.spec import truth_of
from runtime.types.errors import OutOfRangeError


def is_pulled(value: object) -> bool:
    """Whether a value gives elements of a dataset one by one."""
    return isinstance(value, Dataset | DatasetIterator)


def home_tensor(value: Any) -> Any:
    """A tensor of the graph that a dataset or iterator belongs to; None for other values."""
    if isinstance(value, Dataset):
        return value._variant_tensor
    return value._tensor if isinstance(value, DatasetIterator) else None


def iterator_of(value: Any) -> DatasetIterator:
    """The iterator that a loop of the current graph goes through."""
    return value._staged_iterator() if isinstance(value, Dataset) else value


def staged_loop(
    iterable: Any,
    test: Callable[[Any], Any] | None,
    body: Callable[[Any, Any], Any],
    state: Any,
    plan: Plan,
    options: Mapping[str, Any],
) -> Any:
    """Record the loop; gives the state after it."""
    iterator = iterator_of(iterable)
    handle, layout = iterator._handle(), iterator._layout
    turns = Turns(plan, state, options, counted=False)

    def turn(_: Any, values: Any) -> Any:
        found = iterator_next(handle, specs=layout.rows, end=OutOfRangeError)
        return body(layout.packed(list(found) if layout.rows else []), values)

    def more(_: Any, values: Any) -> Any:
        going_on = True if test is None else test(values)
        if isinstance(going_on, bool):
            return iterator_has_next(handle) if going_on else False
        return _and_then(going_on, handle)

    body_graph = turns.trace_body(turn)
    test_graph = turns.trace_test(more)
    return turns.lift(record_while(test_graph, body_graph, turns.start(), "for"))


def _and_then(going_on: Any, handle: Any) -> Any:
    """Whether the loop goes on and there is another element: not asked for after a ``break``."""
    asks, answer = trace("branch", "another", lambda: iterator_has_next(handle))
    set_outputs(asks, [answer])
    left, _ = trace("branch", "left", lambda: None)
    left.set_outputs([np.bool_(False)])
    return record_cond(truth_of(going_on), asks, left)[0]


def _rest(cursor: Cursor) -> Source:
    return Source(lambda: stepping(cursor.next))


def as_dataset(value: Any) -> Any:
    """A dataset of what an iterator has left; a dataset as it is."""
    if isinstance(value, Dataset):
        return value
    return Dataset._of("Rest", _rest, value._layout, [value._handle()])


def zipped(values: tuple[Any, ...]) -> Any:
    """What Python's ``zip`` of datasets and iterators gives, as a dataset."""
    return Combining.zip(tuple(map(as_dataset, values)))


