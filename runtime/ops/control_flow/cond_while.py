"""Op definitions that run graphs: cond, case, while, scan, call; and truth, no_op.

Their sub-graphs are attributes.  The inputs are the op's own arguments, then the captures of each
graph, in the order of the attributes; ``splits`` counts the captures of each graph.  Kernels
receive ``run(graph, arrays) -> arrays`` from the executor.  graph/trace.py records these ops.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import Any

import numpy as np

from runtime.ops.op import (
    ALL,
    BRANCH,
    CALL,
    ELEMENTWISE,
    HIGHER_ORDER,
    LOOP,
    RAISES,
    TAKES_WEAK,
    Missing,
    PythonOperator,
    define,
)
from runtime.ops.rules.inference import narrowed, nothing, same
from runtime.ops.rules.lowering import Control, Native
from runtime.ops.rules.raising import ANYTHING, WHATEVER_CALLED_CODE_RAISES, unless_scalar
from runtime.ops.rules.samples import case
from runtime.types.dtypes import Array, bool_
from runtime.types.errors import IncompatibleShapesError
from runtime.types.shapes import TensorShape, TensorSpec

__all__: list[str] = []

Run = Callable[[Any, Sequence[Any]], list[Any]]


def from_graphs(*_: Any, **__: Any) -> Any:
    """Derivatives of ops with graphs are rules of autodiff/."""
    raise NotImplementedError("runtime/autodiff has a rule for this op")


def joint_specs(graphs: Sequence[Any]) -> tuple[TensorSpec, ...]:
    """What is known of outputs that come from either of the graphs."""
    rows = zip(*[[t.spec for t in graph.outputs] for graph in graphs], strict=True)
    return tuple(_joined_spec(specs) for specs in rows)


def _joined_spec(specs: tuple[TensorSpec, ...]) -> TensorSpec:
    first, *other_specs = specs
    joined = first.without_value()
    for spec in other_specs:
        joined = joined.most_specific_compatible_type(spec)
    return joined


def _cond(pred: Any, *inputs: Any, true_graph: Any, false_graph: Any, splits: tuple[int, ...],
          run: Run) -> tuple[Any, ...]:  # fmt: skip
    if pred:
        return tuple(run(true_graph, inputs[: splits[0]]))
    return tuple(run(false_graph, inputs[splits[0] :]))


def _cond_infer(
    *_: TensorSpec, true_graph: Any, false_graph: Any, splits: tuple[int, ...]
) -> tuple[TensorSpec, ...]:
    return joint_specs((true_graph, false_graph))


cond_op = define(
    "cond",
    inputs="pred *inputs",
    same_dtype_inputs=None,
    kernel=_cond,
    infer=_cond_infer,
    grad=from_graphs,
    traits=(HIGHER_ORDER, RAISES, BRANCH),
    type_name="If",
    lower=Control("cond"),
    doc="Run ``true_graph`` or ``false_graph``; ``pred`` is true as in Python.",
)


def _case(index: Any, *inputs: Any, branches: tuple[Any, ...], splits: tuple[int, ...],
          run: Run) -> tuple[Any, ...]:  # fmt: skip
    chosen = int(index)
    if not 0 <= chosen < len(branches):
        chosen = len(branches) - 1
    start = sum(splits[:chosen])
    return tuple(run(branches[chosen], inputs[start : start + splits[chosen]]))


case_op = define(
    "case",
    inputs="branch_index *inputs",
    same_dtype_inputs=None,
    kernel=_case,
    infer=lambda *_, branches, splits: joint_specs(branches),
    grad=from_graphs,
    traits=(HIGHER_ORDER, RAISES, BRANCH),
    lower=Control("case"),
    doc="Run the graph that ``branch_index`` chooses, the last one if it is out of range.",
)


increment = define(
    "increment",
    kernel=lambda x: x + 1,
    infer=same,
    dtype_kinds="i",
    grad=None,
    raises=(),
    traits=(ELEMENTWISE, TAKES_WEAK),
    python_operator=PythonOperator("1 + "),
    lower=Native("increment"),
    samples=lambda: [case(3), case(-1)],
    doc="Add 1 to an integer, unchecked: no loop has so many iterations that its counter "
    "overflows.",
)


def _while(*inputs: Any, test_graph: Any, body_graph: Any, splits: tuple[int, ...],
           run: Run, checkpoint: int = 0) -> tuple[Any, ...]:  # fmt: skip
    count = len(inputs) - sum(splits)
    state = inputs[:count]
    for_test = inputs[count : count + splits[0]]
    for_body = inputs[count + splits[0] :]
    while run(test_graph, (*state, *for_test))[0]:
        state = tuple(run(body_graph, (*state, *for_body)))
    return state


def _while_infer(
    *_: TensorSpec, test_graph: Any, body_graph: Any, splits: tuple[int, ...],
    checkpoint: int = 0,
) -> tuple[TensorSpec, ...]:
    count = len(body_graph.inputs) - splits[1]
    pairs = zip(body_graph.inputs[:count], body_graph.outputs, strict=True)
    return tuple([state.spec.after_loop(state, result) for state, result in pairs])


while_op = define(
    "while",
    inputs="*inputs",
    same_dtype_inputs=None,
    kernel=_while,
    infer=_while_infer,
    grad=from_graphs,
    traits=(HIGHER_ORDER, RAISES, LOOP),
    lower=Control("loop"),
    doc="Run ``body_graph`` on the state as long as ``test_graph`` of it is true.",
)


def _scan(count: Any, *inputs: Any, body_graph: Any, carried: int, reverse: bool,
          splits: tuple[int, ...], run: Run, extra: int = 0) -> tuple[Any, ...]:  # fmt: skip
    carry, captures = inputs[: carried + extra], inputs[carried + extra :]
    rows: list[tuple[Any, ...]] = []
    iterations = range(int(count))
    end = len(body_graph.outputs) - extra
    for k in reversed(iterations) if reverse else iterations:
        result = run(body_graph, (np.int64(k), *carry, *captures))
        carry = (*result[:carried], *result[end:])
        rows.append(tuple(result[carried:end]))
    if reverse:
        rows.reverse()
    if not rows:
        stacked = [_no_rows(tensor) for tensor in body_graph.outputs[carried:end]]
        return (*carry[:carried], *stacked, *carry[carried:])
    try:
        stacked = [np.stack(column) for column in zip(*rows, strict=True)]
    except ValueError as error:
        raise IncompatibleShapesError(
            f"the results of the iterations cannot be stacked: {error}"
        ) from None
    return (*carry[:carried], *stacked, *carry[carried:])


def _no_rows(tensor: Any) -> Array:
    dims = [d or 0 for d in tensor.shape.dims or ()]
    return np.zeros((0, *dims), tensor.dtype.as_numpy_dtype)


def _scan_infer(count: TensorSpec, *_: TensorSpec, body_graph: Any, carried: int, reverse: bool,
                splits: tuple[int, ...], extra: int = 0) -> tuple[TensorSpec, ...]:  # fmt: skip
    size = None if count.value is None else int(count.value)
    carry = [
        TensorSpec(t.shape, t.dtype) for t in body_graph.inputs[1 : carried + extra + 1]
    ]
    stacked = [
        TensorSpec(TensorShape([size]).concatenate(t.shape), t.dtype)
        for t in body_graph.outputs[carried : len(body_graph.outputs) - extra]
    ]
    return (*carry[:carried], *stacked, *carry[carried:])


scan_op = define(
    "scan",
    inputs="count *inputs",
    same_dtype_inputs=None,
    kernel=_scan,
    infer=_scan_infer,
    grad=from_graphs,
    traits=(HIGHER_ORDER, RAISES, LOOP),
    raises=ANYTHING,
    lower=Control("scan"),
    doc="Runs ``body_graph`` for 0, 1, ...: what it carries on, and the stacked rest of its "
    "outputs; ``extra`` more variables stand last.",
)


_inferring: ContextVar[tuple[Any, ...]] = ContextVar("_inferring", default=())
"""The graphs that shapes are followed through: one may call itself."""


def _call_infer(*input_specs: TensorSpec, graph: Any) -> tuple[TensorSpec, ...]:
    """The types of a graph's outputs, as far as those of its inputs make them known."""
    outputs = tuple(TensorSpec(t.shape, t.dtype) for t in graph.outputs)
    around = _inferring.get()
    if graph in around or all(spec.shape.is_fully_defined() for spec in outputs):
        return outputs
    learned: dict[int, TensorSpec] = {}
    for tensor, spec in zip(graph.inputs, input_specs, strict=False):
        _learn(learned, tensor, spec)
    if not learned:
        return outputs
    token = _inferring.set((*around, graph))
    try:
        for node in graph.operations:
            if any(id(t) in learned for t in node.inputs):
                inputs = [learned.get(id(t), t.spec) for t in node.inputs]
                inferred = node.op_def.infer(*inputs, **node.attrs)
                specs = (inferred,) if isinstance(inferred, TensorSpec) else inferred
                for tensor, spec in zip(node.outputs, specs, strict=False):
                    _learn(learned, tensor, spec)
    except Exception:  # the run raises it, and says where
        return outputs
    finally:
        _inferring.reset(token)
    return tuple(learned.get(id(t), spec) for t, spec in zip(graph.outputs, outputs, strict=True))


def _learn(learned: dict[int, TensorSpec], tensor: Any, spec: TensorSpec) -> None:
    """Note what a spec says of a tensor beyond what is known of it everywhere."""
    narrow_spec = narrowed(tensor.spec, spec)
    if narrow_spec is not None:
        learned[id(tensor)] = narrow_spec


call_op = define(
    "call",
    inputs="*inputs",
    same_dtype_inputs=None,
    kernel=lambda *inputs, graph, run: tuple(run(graph, inputs)),
    infer=_call_infer,
    grad=from_graphs,
    node_name="PartitionedCall",
    traits=(HIGHER_ORDER, RAISES, CALL),
    raises=WHATEVER_CALLED_CODE_RAISES,
    lower=Control("call"),
    doc="Run a graph.",
)


def _truth(x: Array) -> Any:
    return np.bool_(bool(x))


truth = define(
    "truth",
    kernel=_truth,
    infer=lambda x: TensorSpec((), bool_),
    same_dtype_inputs=ALL,
    grad=None,
    never_raises=lambda x: x.shape.num_elements() == 1,
    python_operator=PythonOperator("bool", lambda specs, last: False, on_numbers="bool({0})"),
    traits=(TAKES_WEAK, RAISES),
    raises=unless_scalar,
    lower=Native("truth"),
    samples=lambda: [case(2), case(0.0), case([True]), case("a"), case("")],
    doc="Compute Python's ``bool(x)``; an error unless ``x`` has one element.",
)

no_op = define(
    "no_op",
    inputs="",
    kernel=lambda: (),
    infer=nothing,
    grad=None,
    node_name="NoOp",
    never_raises=True,
    raises=(),
    samples=Missing("has neither inputs nor outputs"),
    doc="Does nothing; what it stands behind is run with it.",
)
