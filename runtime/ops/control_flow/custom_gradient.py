"""Op definition of functions with their own derivative; autodiff/custom_gradient.py applies it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.ops.control_flow.cond_while import from_graphs
from runtime.ops.op import CALL, HIGHER_ORDER, RAISES, define
from runtime.types.shapes import TensorSpec

__all__: list[str] = []

Run = Callable[[Any, Sequence[Any]], list[Any]]


def _infer(*_: TensorSpec, graph: Any, derivative: Any) -> tuple[TensorSpec, ...]:
    return tuple(TensorSpec(t.shape, t.dtype) for t in graph.outputs)


custom_op = define(
    "custom_gradient",
    inputs="*inputs",
    same_dtype_inputs=None,
    kernel=lambda *inputs, graph, derivative, run: tuple(run(graph, inputs)),
    infer=_infer,
    grad=from_graphs,
    node_name="IdentityN",
    traits=(HIGHER_ORDER, RAISES, CALL),
    doc="Run a graph whose derivative is the attribute ``derivative``.",
)
