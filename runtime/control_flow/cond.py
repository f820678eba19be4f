"""Conditional execution and groups of operations: ``cond``, ``case``, ``switch_case``, ``group``.

Under eager execution Python chooses the branch.  In a graph every branch is traced, and an
operation chooses among them when the graph runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from runtime.graph.func_graph import FuncGraph
from runtime.graph.operation import Operation, SymbolicTensor
from runtime.graph.trace import (
    current_graph,
    grouped,
    last_operation,
    record_case,
    record_cond,
    set_outputs,
    trace,
)
from runtime.ops import dispatch
from runtime.ops.array.constants import cast, convert_to_tensor, identity
from runtime.ops.control_flow.print_assert import assert_op
from runtime.ops.math.reduction import count_nonzero
from runtime.staging.conversion import converted_in_turn
from runtime.types import nest, treedef
from runtime.types.aliases import TensorLike
from runtime.types.composite import Composite
from runtime.types.dtypes import DType, int32
from runtime.types.errors import InvalidArgumentError
from runtime.types.treedef import subscripts
from runtime.types.value import Value

__all__ = ["case", "cond", "group", "no_op", "switch_case", "tuple"]

Branch = Callable[[], Any]


def trace_branch(name: str, function: Branch, chooser: Any) -> Any:
    """Trace a branch; return its FuncGraph and the nest of tensors that it returns.

    A branch that returns an operation gives None.  An operation within a nest is replaced by the
    value of ``chooser``, with a control dependency on the operation.
    """

    function = converted_in_turn(function)

    def body() -> Any:
        result = function()
        if isinstance(result, Operation):
            return None
        leaves, layout = treedef.flatten(result, expand_composites=True)
        return layout.unflatten([_output(leaf, chooser) for leaf in leaves])

    return trace("branch", name, body)


def _output(leaf: Any, chooser: Any) -> Any:
    if leaf is None:
        return None
    current: Any = dispatch.current()
    if isinstance(leaf, Operation):
        with current.control_dependencies([leaf]):
            return identity(convert_to_tensor(chooser))
    return current.as_tensor(convert_to_tensor(leaf))


def _label(path: Sequence[Any]) -> str:
    return "the result" + subscripts(path)


def assert_same_structure(what: str, names: Sequence[str], results: Sequence[Any]) -> None:
    """Raise TypeError unless branches return nests of equal structure and dtypes."""
    first = results[0]
    for name, result in zip(names[1:], results[1:]):
        try:
            nest.assert_same_structure(first, result)
        except (TypeError, ValueError) as error:
            raise TypeError(
                f"{what}: {names[0]} and {name} must return the same structure: {error}"
            ) from None
        pairs = zip(nest.flatten_with_paths(first), nest.flatten(result))
        for (path, left), right in pairs:
            if (left is None) != (right is None):
                raise TypeError(
                    f"{what}: {_label(path)} is a tensor in one of {names[0]} and {name}, but "
                    "None in the other. Return a tensor from both, or from none."
                )
            kinds = [type(leaf) if isinstance(leaf, Composite) else Value for leaf in (left, right)]
            if kinds != [Value, Value]:
                if kinds[0] is not kinds[1] or left._type_key() != right._type_key():
                    raise TypeError(
                        f"{what}: {_label(path)} must be of one type, but is {left!r} in "
                        f"{names[0]} and {right!r} in {name}"
                    )
            elif left is not None and left.dtype is not right.dtype:
                raise TypeError(
                    f"{what}: {_label(path)} has dtype {left.dtype.name} in {names[0]}, but "
                    f"{right.dtype.name} in {name}. Use runtime.cast in one of them."
                )


def _tensors(result: Any) -> list[Any]:
    """Return the tensors among the results of a branch."""
    leaves = nest.flatten(result, expand_composites=True)
    return [leaf for leaf in leaves if leaf is not None]


def _packed(like: Any, outputs: Sequence[Any]) -> Any:
    """Pack recorded outputs into the structure of the branches; the operation if there are none."""
    if like is None:
        return last_operation()
    leaves, layout = treedef.flatten(like, expand_composites=True)
    values = iter(outputs)
    return layout.unflatten([None if leaf is None else next(values) for leaf in leaves])


def _decided(value: Any) -> bool:
    """Whether the value of a predicate or index is known now."""
    if isinstance(value, SymbolicTensor):
        return False
    if isinstance(value, Value) or not isinstance(value, bool | int):
        return current_graph() is None
    return True


def cond(
    pred: TensorLike, true_fn: Branch | None = None, false_fn: Branch | None = None,
    name: str | None = None,
) -> Any:
    """Return ``true_fn()`` if ``pred`` is true, else ``false_fn()``.

    In a graph both functions are traced, the choice is made when the graph runs, and only the
    effects of the chosen branch happen.

    Args:
        pred: scalar bool tensor or Python bool.
        true_fn, false_fn: functions without arguments.  Both return nests of one structure, whose
            leaves have equal dtypes; dimensions that differ become unknown.  An operation within
            such a nest is replaced by the value of ``pred``.
        name: name of the operation.

    Returns:
        The nest that the chosen function returns.

    Raises:
        TypeError: a branch is not callable, or structures or dtypes of the results differ.
    """
    for what, function in (("true_fn", true_fn), ("false_fn", false_fn)):
        if not callable(function):
            raise TypeError(f"{what} must be callable, got {function!r}")
    assert true_fn is not None and false_fn is not None
    if _decided(pred):
        return true_fn() if pred else false_fn()
    then, then_result = trace_branch("true_fn", true_fn, pred)
    otherwise, otherwise_result = trace_branch("false_fn", false_fn, pred)
    assert_same_structure("cond", ("true_fn", "false_fn"), (then_result, otherwise_result))
    set_outputs(then, _tensors(then_result))
    set_outputs(otherwise, _tensors(otherwise_result))
    return _packed(then_result, record_cond(pred, then, otherwise, name))


def _pairs(pred_fn_pairs: Any) -> list[Any]:
    items = pred_fn_pairs.items() if isinstance(pred_fn_pairs, Mapping) else pred_fn_pairs
    if not isinstance(pred_fn_pairs, Mapping | list) and type(pred_fn_pairs) is not type(()):
        raise TypeError(f"pred_fn_pairs must be a list, tuple or dict, got {pred_fn_pairs!r}")
    pairs = list(items)
    for pair in pairs:
        if not isinstance(pair, Sequence) or len(pair) != 2 or not callable(pair[1]):
            raise TypeError(f"each entry must be a pair (predicate, function), got {pair!r}")
    return pairs


def case(
    pred_fn_pairs: Any, default: Branch | None = None, exclusive: bool = False,
    strict: bool = False, name: str = "case",
) -> Any:
    """Return the result of the function of the first predicate that is true.

    Args:
        pred_fn_pairs: list or tuple of pairs (scalar bool tensor, function without arguments), or
            a dict of these.
        default: function that is called if no predicate is true.
        exclusive: whether more than one true predicate is an error.
        strict: accepted for TensorFlow's sake.
        name: name of the operations.

    Returns:
        The nest that the chosen function returns; the functions must agree as those of ``cond``.

    Raises:
        TypeError: the pairs are no list, tuple or dict of pairs, or the results differ in
            structure or dtype.
        ValueError: there is neither a pair nor a default.
        InvalidArgumentError: at run time, if no predicate is true and there is no default, or if
            several are true and ``exclusive`` is set.
    """
    pairs = _pairs(pred_fn_pairs)
    if not pairs:
        if default is None:
            raise ValueError("case needs a pair (predicate, function) or a default")
        return default()
    if exclusive:
        preds = [convert_to_tensor(pred) for pred, _ in pairs]
        check = assert_op(count_nonzero(convert_to_tensor(preds)) <= 1, fail=_several)
        return _after(check, lambda: case(pred_fn_pairs, default, name=name))
    if default is None:
        *before, (last, function) = pairs
        pairs = before

        def default() -> Any:
            return _after(assert_op(convert_to_tensor(last), fail=_none_holds), function)

    def choose(position: int) -> Any:
        if position == len(pairs):
            return default()
        pred, function = pairs[position]
        return cond(pred, function, lambda: choose(position + 1), name)

    return choose(0)


def _after(check: Any, function: Branch) -> Any:
    """Return the result of a function; in a graph, with a control dependency on ``check``."""
    graph = current_graph()
    if graph is None:
        return function()
    with graph.control_dependencies([check]):
        return nest.map_structure(
            lambda leaf: leaf if leaf is None or isinstance(leaf, Operation) else identity(leaf),
            function(),
        )


def _several() -> InvalidArgumentError:
    return InvalidArgumentError("case(exclusive=True): more than one predicate holds")


def _none_holds() -> InvalidArgumentError:
    return InvalidArgumentError("case: no predicate holds, and there is no default")


def switch_case(branch_index: TensorLike, branch_fns: Any, default: Branch | None = None,
                name: str = "switch_case") -> Any:  # fmt: skip
    """Return the result of the function with the number ``branch_index``.

    Args:
        branch_index: scalar integer tensor or Python int.
        branch_fns: list of functions without arguments, dict from ints to functions, or list of
            pairs (int, function).
        default: function for all other numbers; by default the one with the highest number.
        name: name of the operation.

    Returns:
        The nest that the chosen function returns; the functions must agree as those of ``cond``.

    Raises:
        TypeError: ``branch_index`` is no integer, an entry is no function numbered from 0, or the
            results differ in structure or dtype.
        ValueError: there is no function, or a number is given twice.
    """
    functions = _numbered(branch_fns)
    if default is None:
        default = functions[max(functions)]
    dtype = getattr(branch_index, "dtype", None)
    if isinstance(dtype, DType) and not dtype.is_integer:
        raise TypeError(f"branch_index must be an integer, got a tensor of dtype {dtype.name}")
    if _decided(branch_index):
        return functions.get(int(branch_index), default)()
    count = max(functions) + 1
    chosen = {id(f): f for f in (*functions.values(), default)}
    traced = {
        key: trace_branch(f"branch_{number}", function, branch_index)
        for number, (key, function) in enumerate(chosen.items())
    }
    order = [traced[id(functions.get(k, default))] for k in range(count)]
    order.append(traced[id(default)])
    names = [graph.name for graph, _ in order]
    assert_same_structure("switch_case", names, [result for _, result in order])
    for graph, result in traced.values():
        set_outputs(graph, _tensors(result))
    graphs: list[FuncGraph] = [graph for graph, _ in order]
    index = cast(branch_index, int32)
    return _packed(order[0][1], record_case(index, graphs, name))


def _numbered(branch_fns: Any) -> dict[int, Branch]:
    if isinstance(branch_fns, Mapping):
        functions = dict(branch_fns)
    else:
        items = list(branch_fns)
        paired = all(isinstance(item, Sequence) and len(item) == 2 for item in items)
        functions = dict(items) if paired and items else dict(enumerate(items))
        if len(functions) < len(items):
            raise ValueError(f"switch_case: a number is given twice in {items!r}")
    if not functions:
        raise ValueError("switch_case needs at least one function")
    for number, function in functions.items():
        if not isinstance(number, int) or number < 0 or not callable(function):
            raise TypeError(
                f"switch_case takes functions numbered from 0, got {number!r}: {function!r}"
            )
    return functions


def no_op(name: str | None = None) -> Any:
    """Record an operation that does nothing.

    Returns:
        Operation; None under eager execution.
    """
    return None if current_graph() is None else grouped((), name or "NoOp")


def group(*inputs: Any, name: str | None = None) -> Any:
    """Record an operation that runs after all inputs.

    Args:
        inputs: nests of operations, tensors and None.
    Returns:
        Operation; None under eager execution, where the inputs have run.
    Raises:
        TypeError: an input is another value.
        ValueError: an input is of another graph.
    """
    graph = current_graph()
    if graph is None:
        return None
    leaves = [leaf for item in inputs for leaf in nest.flatten(item) if leaf is not None]
    operations = [graph.control_input(leaf) for leaf in leaves]
    return grouped([o for o in operations if o is not None], name or "group_deps")


def tuple(tensors: Any, name: str | None = None, control_inputs: Any = None) -> list[Any]:
    """Make tensors wait for each other: each depends on all of them and on ``control_inputs``.

    Args:
        tensors: list of tensors, IndexedSlices, operations and None.
        control_inputs: further operations and tensors to wait for.
    Returns:
        List of the same length, dtypes and shapes.
    Raises:
        ValueError: there is no tensor.
    """
    graph = current_graph()
    waits = [t for t in (*nest.flatten(list(tensors)), *(control_inputs or ())) if t is not None]
    if not waits:
        raise ValueError("tuple needs at least one tensor")
    if graph is None:
        return list(tensors)

    def behind(leaf: Any) -> Any:
        if leaf is None:
            return None
        if isinstance(leaf, Operation):
            return grouped([leaf], None)
        return identity(leaf, name=name or "tuple")

    with graph.control_dependencies(waits):
        return [nest.map_structure(behind, tensor) for tensor in tensors]
