"""``group_by_reducer``: one element for each key, made of all elements with that key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.data.elements import Layout
from runtime.data.map_functions import giving_int64, traced
from runtime.data.scan_reduce import carried_on
from runtime.data.sources import Function
from runtime.ops.resource.dataset import UNKNOWN, Row, Source
from runtime.types.dtypes import int64
from runtime.types.shapes import TensorSpec


class Reducer:
    """What to do with the elements of one key: begin, go on, and end.

    ``init_func(key)`` is the state at first, ``reduce_func(state, element)`` the next, and
    ``finalize_func(state)`` what comes out; the components of a tuple are its arguments.
    """

    def __init__(
        self, init_func: Callable[..., Any], reduce_func: Callable[..., Any],
        finalize_func: Callable[..., Any],
    ) -> None:
        self.init_func = init_func
        self.reduce_func = reduce_func
        self.finalize_func = finalize_func


def group_by_reducer(key_func: Callable[..., Any], reducer: Reducer) -> Callable[[Any], Any]:
    """For ``apply``: an element for each key that ``key_func`` gives, in the order of the keys.

    ValueError unless keys are int64 scalars, TypeError for a state that changes its type.
    """

    def transform(dataset: Any) -> Any:
        what = "group_by_reducer()"
        layout = dataset._layout
        key = traced(giving_int64(key_func, what), [layout], what)
        start = traced(reducer.init_func, [Layout(TensorSpec((), int64))], what)
        step, _, state = carried_on(start.layout, reducer.reduce_func, layout, what, False)
        end = traced(reducer.finalize_func, [state], what)
        functions = [key, start, step, end]
        return dataset._then("GroupByReducer", _reduced, end.layout, (), functions)

    return transform


def _reduced(
    source: Source, key_of: Function, start: Function, step: Function, end: Function
) -> Source:
    def open() -> Any:
        states: dict[int, Row] = {}
        for row in source.open():
            key = int(key_of(*row)[0])
            if key not in states:
                states[key] = start(np.int64(key))
            states[key] = step(*states[key], *row)
        for key in sorted(states):
            yield end(*states[key])

    return Source(open, UNKNOWN)
