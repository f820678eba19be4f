"""Rules of branches, loops, calls and exceptions."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from runtime.engine.xla.columnar_lists import ColumnarList, as_leaves, widened
from runtime.engine.xla.interpreter import (
    TRACE,
    PlanInterpreter,
    XLARefusal,
    is_static,
    new_frame,
    operation_rule,
    require,
    require_status,
    static,
)
from runtime.graph.operation import Operation

Branch = Callable[[], Sequence[Any]]


@operation_rule("cond")
def _cond(run: PlanInterpreter, node: Operation, pred: Any, *inputs: Any) -> Any:
    attrs, split = node.attrs, node.attrs["splits"][0]
    branches = [
        lambda: run.run_graph(attrs["true_graph"], inputs[:split]),
        lambda: run.run_graph(attrs["false_graph"], inputs[split:]),
    ]
    if is_static(pred):
        return branches[0 if bool(pred) else 1]()
    truth = pred.reshape(()) != 0 if pred.dtype != bool else pred.reshape(())
    return _branch(jnp.where(truth, 0, 1), branches)


@operation_rule("case")
def _case(run: PlanInterpreter, node: Operation, index: Any, *inputs: Any) -> Any:
    graphs, splits = node.attrs["branches"], node.attrs["splits"]
    ends = np.cumsum(splits)
    branches = [
        lambda graph=graph, end=end, size=size: run.run_graph(graph, inputs[end - size : end])
        for graph, end, size in zip(graphs, ends, splits, strict=True)
    ]
    last = len(branches) - 1
    if is_static(index):
        return branches[int(index) if 0 <= int(index) <= last else last]()
    place = index.reshape(())
    return _branch(jnp.where((place >= 0) & (place <= last), place, last), branches)


def _branch(index: Any, branches: Sequence[Branch]) -> Sequence[Any]:
    """Run one of several graphs, with the variables and the status that it leaves behind."""
    outer = TRACE.frames[-1]
    shapes = [_probe(branch) for branch in branches]
    written = {v: None for _, variables in shapes for v in variables}
    likes = [_joint(column) for column in zip(*[outputs for outputs, _ in shapes], strict=True)]

    def arm(branch: Branch) -> Callable[[], Any]:
        def run() -> Any:
            with new_frame(dict(outer.variables)) as frame:
                outputs = branch()
                results = [widened(x, like) for x, like in zip(outputs, likes, strict=True)]
                variables = [as_leaves(frame.variables[v]) for v in written]
                return results, variables, jnp.asarray(frame.status)

        return run

    results, variables, status = _fitting(
        lambda: jax.lax.switch(index.astype(np.int32), [arm(branch) for branch in branches])
    )
    outer.variables.update(zip(written, variables, strict=True))
    require_status(status)
    return results


def _fitting(compute: Callable[[], Any]) -> Any:
    """Compute what JAX refuses where branches, or the turns of a loop, have several types."""
    try:
        return compute()
    except TypeError as error:
        lines = str(error).strip().splitlines()
        raise XLARefusal(f"types differ between branches or turns: {lines[0]}") from error


def _probe(compute: Callable[[], Sequence[Any]]) -> tuple[Sequence[Any], list[Any]]:
    """Return the types of what is computed, and the variables that it writes."""
    outer = TRACE.frames[-1]
    written: list[Any] = []

    def run() -> Any:
        with new_frame(dict(outer.variables)) as frame:
            outputs = [as_leaves(x) for x in compute()]
        written.extend(v for v, x in frame.variables.items() if x is not outer.variables.get(v))
        return outputs

    return jax.eval_shape(run), written


def _joint(values: Sequence[Any]) -> Any:
    """Return the largest of several types: the one with columns and the most room."""
    lists = [x for x in values if getattr(x, "columns", None) is not None]
    return max(lists, key=lambda x: jax.tree.leaves(x.columns)[0].shape[0]) if lists else values[0]


@operation_rule("while")
def _while_loop(run: PlanInterpreter, node: Operation, *inputs: Any) -> Any:
    attrs, count = node.attrs, len(node.outputs)
    split = attrs["splits"][0]
    captures = inputs[count:]
    for_test, for_body = captures[:split], captures[split:]

    def test(state: Sequence[Any]) -> Any:
        (holds,) = run.run_graph(attrs["test_graph"], (*state, *for_test))
        return jnp.asarray(holds).reshape(()) != 0

    def body(state: Sequence[Any]) -> Sequence[Any]:
        return run.run_graph(attrs["body_graph"], (*state, *for_body))

    turns = _known_count(node, inputs[:count], for_test)
    with _capacity(turns, inputs[:count]):
        return _loop(inputs[:count], test, body, turns)


def _loop(state: Sequence[Any], test: Callable[..., Any], body: Callable[..., Any],
          turns: int | None) -> Sequence[Any]:  # fmt: skip
    outer = TRACE.frames[-1]
    state = [widened(x, x) for x in state]
    offsets = [x.offset if isinstance(x, ColumnarList) and x.base is None else None for x in state]
    changes: list[list[int | None]] = []

    def turn(values: Sequence[Any]) -> Sequence[Any]:
        outputs = body(values)
        changes.append([_change(x, y) for x, y in zip(values, outputs, strict=True)])
        return outputs

    state, written = _widened_state(state, lambda values: (turn(values), test(values))[0])
    # The test may write variables and note guards, so it runs with the body, before the next turn.
    with new_frame(dict(outer.variables)) as frame:
        goes = test(state)
    outer.variables.update(frame.variables)
    require_status(frame.status)
    start = jnp.asarray(frame.status)

    def step(carry: Any) -> Any:
        values, variables, _, _ = carry
        inner = {**outer.variables, **dict(zip(written, variables, strict=True))}
        with new_frame(inner) as frame:
            outputs = [widened(x, y) for x, y in zip(turn(values), state, strict=True)]
            goes_on = test(outputs)
            variables = [as_leaves(frame.variables[v]) for v in written]
            status = jnp.asarray(frame.status)
        return outputs, variables, goes_on & (status == 0), status

    variables = [as_leaves(outer.variables[v]) for v in written]
    results, variables, _, status = _fitting(lambda: jax.lax.while_loop(
        lambda carry: carry[2], step, (list(state), variables, goes & (start == 0), start)
    ))  # fmt: skip
    outer.variables.update(zip(written, variables, strict=True))
    require_status(status)
    if turns is None:
        return results
    return [_with_known_length(x, offset, change, turns)
            for x, offset, change in zip(results, offsets, changes[-1], strict=True)]  # fmt: skip


def _widened_state(
    state: Sequence[Any], body: Callable[..., Any]
) -> tuple[Sequence[Any], list[Any]]:
    """Return the state with the columns and the room that its lists have after a turn."""
    for _ in range(8):
        leaves, structure = jax.tree.flatten(list(state))
        shapes, written = _probe(lambda: body(jax.tree.unflatten(structure, leaves)))  # noqa: B023
        wider = [widened(x, like) for x, like in zip(state, shapes, strict=True)]
        if [x.shape for x in jax.tree.leaves(wider)] == [x.shape for x in leaves]:
            return state, written
        state = wider
    raise XLARefusal("a list of the loop gets larger with each turn")


def _change(before: Any, after: Any) -> int | None:
    """Return how many entries a turn adds to a list, if that is the same in each turn."""
    if not isinstance(before, ColumnarList) or not isinstance(after, ColumnarList):
        return None
    return after.offset - before.offset if after.base is before.base else None


def _with_known_length(value: Any, offset: int | None, change: int | None, turns: int) -> Any:
    if not isinstance(value, ColumnarList) or offset is None or change is None:
        return value
    return ColumnarList(value.columns, None, offset + change * turns)


def _known_count(
    node: Operation, state: Sequence[Any], captures: Sequence[Any]
) -> int | None:
    """Return the number of turns of a loop that counts up to a limit, where both are known."""
    test, body = node.attrs["test_graph"], node.attrs["body_graph"]
    (goes,) = test.outputs
    if _opcode(goes) != "lt":
        return None
    counter, limit = goes.op.inputs
    places = {id(t): value for t, value in zip(test.inputs, (*state, *captures), strict=True)}
    numbers = [id(t) for t in test.inputs[: len(state)]]
    if id(counter) not in numbers:
        return None
    place = numbers.index(id(counter))
    after = body.outputs[place]
    if _opcode(after) != "increment" or after.op.inputs[0] is not body.inputs[place]:
        return None
    if id(limit) in numbers:
        other = numbers.index(id(limit))
        if body.outputs[other] is not body.inputs[other]:
            return None
    end = places.get(id(limit), limit.spec.value)
    start = state[place]
    if end is None or not is_static(start) or isinstance(end, jax.Array):
        return None
    return max(int(end) - int(start), 0)


def _opcode(tensor: Any) -> str:
    """Return the native opcode of the operation that gives a tensor; empty if it has none."""
    return getattr(tensor.op.op_def.lower, "opcode", "")


@contextlib.contextmanager
def _capacity(turns: int | None, state: Sequence[Any]) -> Iterator[None]:
    """Make room within the block for an entry of each turn."""
    before = TRACE.capacity
    longest = max([x.offset for x in state if isinstance(x, ColumnarList)], default=0)
    TRACE.capacity = max(before, longest + (turns or 0))
    try:
        yield
    finally:
        TRACE.capacity = before


@operation_rule("scan")
def _scan(run: PlanInterpreter, node: Operation, count: Any, *inputs: Any) -> Any:
    attrs = node.attrs
    carried, extra, graph = attrs["carried"], attrs.get("extra", 0), attrs["body_graph"]
    turns = int(static(count, "the number of turns"))
    first, captures = [as_leaves(x) for x in inputs[: carried + extra]], inputs[carried + extra :]
    end = len(graph.outputs) - extra
    outer = TRACE.frames[-1]
    _, written = _probe(lambda: run.run_graph(graph, (jnp.int64(0), *first, *captures)))

    def step(carry: Any, k: Any) -> Any:
        values, variables, status = carry
        with new_frame({**outer.variables, **dict(zip(written, variables, strict=True))}) as frame:
            outputs = [as_leaves(x) for x in run.run_graph(graph, (k, *values, *captures))]
            variables = [as_leaves(frame.variables[v]) for v in written]
            status = jnp.maximum(status, frame.status)
        return ([*outputs[:carried], *outputs[end:]], variables, status), outputs[carried:end]

    start = first, [as_leaves(outer.variables[v]) for v in written], jnp.int32(0)
    numbers = jnp.arange(turns, dtype=np.int64)
    (carry, variables, status), rows = _fitting(
        lambda: jax.lax.scan(step, start, numbers, reverse=attrs["reverse"])
    )
    outer.variables.update(zip(written, variables, strict=True))
    require_status(status)
    return (*carry[:carried], *rows, *carry[carried:])


@operation_rule("call", "custom_gradient")
def _call(run: PlanInterpreter, node: Operation, *inputs: Any) -> Any:
    return run.run_graph(node.attrs["graph"], inputs)


@operation_rule("assert")
def _assertion(run: PlanInterpreter, node: Operation, condition: Any, *data: Any) -> Any:
    require(condition.astype(bool))
    return ()


@operation_rule("raise")
def _raise_exception(run: PlanInterpreter, node: Operation, *data: Any) -> Any:
    require(jnp.bool_(False))
    return tuple(jnp.zeros(t.shape.as_list(), t.dtype.as_numpy_dtype) for t in node.outputs)


@operation_rule("check_numerics")
def _check_numerics(run: PlanInterpreter, node: Operation, x: Any, *rest: Any) -> Any:
    require(jnp.isfinite(x))
    return x


@operation_rule("no_op")
def _no_op(run: PlanInterpreter, node: Operation) -> Any:
    return ()
