"""Functions that carry a state from element to element: those of ``scan`` and ``reduce``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.data.elements import Layout, components, spec_of
from runtime.data.map_functions import Traced, trace_function
from runtime.ops import dispatch
from runtime.ops.resource.dataset import reduce_op

_ROUNDS = 20
"""How often a function is traced at most: until the state's shapes hold for every element."""


def carried_on(
    specs: Layout, function: Callable[..., Any], layout: Layout, caller: str, gives: bool
) -> tuple[Traced, Layout, Layout]:
    """The traced function of a state, which begins as ``specs``, and an element.

    After it the layouts of what it ``gives`` besides (or of its state) and of the state.

    Sizes that change from element to element become unknown.  TypeError when the structure of the
    state, or a dtype in it, changes.
    """
    for _ in range(_ROUNDS):
        step = trace_function(function, [specs, layout], caller, spread=False)
        after, output = step.layout.spec, None
        if gives:
            if not isinstance(after, tuple) or len(after) != 2:
                raise TypeError(
                    f"The function passed to {caller} must return a pair consisting of the new "
                    f"state and the output value, but returns {after}"
                )
            after, output = after
        new = Layout(after)
        wider = specs.joined_with(new)
        if wider is None:
            raise TypeError(
                f"{caller}: the new state must have the structure and the dtypes of the initial "
                f"state. Expected {specs.spec}; got {new.spec}. Use runtime.cast where a dtype "
                "changes."
            )
        if wider.rows == specs.rows:
            return step, Layout(output) if gives else new, specs
        specs = wider
    raise AssertionError("shapes cannot relax for ever")


def reduce_dataset(
    dataset: Any, layout: Layout, state: Any, function: Callable[..., Any], name: str | None
) -> Any:
    """The state after all elements of a dataset."""
    step, _, specs = carried_on(
        Layout(spec_of(state)), function, layout, "Dataset.reduce()", False
    )
    captures = step.captures
    attrs = {"graph": step.graph, "splits": (len(captures),)}
    inputs = [dataset, *components(state), *captures]
    results = dispatch.apply(reduce_op, inputs, attrs, name)
    return specs.packed(list(results) if specs.rows else [])
