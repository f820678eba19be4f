"""Branches and groups for people who write graphs by hand: cond, case, switch_case, group.

Eagerly they choose in Python; in a graph every branch is traced, and a row chooses when it runs.
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
    """A branch's sub-graph and the nest of tensors that it returns.

    An operation alone gives None; one within a nest the value of ``chooser``, once it has run.
    """

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


def _place(path: Sequence[Any]) -> str:
    return "the result" + subscripts(path)


def assert_same_structure(what: str, names: Sequence[str], results: Sequence[Any]) -> None:
    """TypeError, naming the place, unless branches return nests of one kind."""
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
                    f"{what}: {_place(path)} is a tensor in one of {names[0]} and {name}, but "
                    "None in the other. Return a tensor from both, or from none."
                )
            kinds = [type(leaf) if isinstance(leaf, Composite) else Value for leaf in (left, right)]
            if kinds != [Value, Value]:
                if kinds[0] is not kinds[1] or left._type_key() != right._type_key():
                    raise TypeError(
                        f"{what}: {_place(path)} must be of one type, but is {left!r} in "
                        f"{names[0]} and {right!r} in {name}"
                    )
            elif left is not None and left.dtype is not right.dtype:
                raise TypeError(
                    f"{what}: {_place(path)} has dtype {left.dtype.name} in {names[0]}, but "
                    f"{right.dtype.name} in {name}. Use runtime.cast in one of them."
                )


def _tensors(result: Any) -> list[Any]:
    """The tensors that a branch returns."""
    leaves = nest.flatten(result, expand_composites=True)
    return [leaf for leaf in leaves if leaf is not None]


def _packed(like: Any, outputs: Sequence[Any]) -> Any:
    """The recorded outputs as the branches return them; the operation when there are none."""
    if like is None:
        return last_operation()
    leaves, layout = treedef.flatten(like, expand_composites=True)
    values = iter(outputs)
    return layout.unflatten([None if leaf is None else next(values) for leaf in leaves])


def _decided(value: Any) -> bool:
    """Whether a predicate or index is known now."""
    if isinstance(value, SymbolicTensor):
        return False
    if isinstance(value, Value) or not isinstance(value, bool | int):
        return current_graph() is None
    return True


def cond(
    pred: TensorLike, true_fn: Branch | None = None, false_fn: Branch | None = None,
    name: str | None = None,
) -> Any:
    """``true_fn()`` if ``pred`` else ``false_fn()``; in a graph, decided when it runs.

    ``pred`` is a scalar.  Both functions return nests of one structure, with equal dtypes; shapes
    that differ become unknown.  Only the effects of the branch that is taken happen.  In a graph
    an operation within such a nest gives the value of ``pred``.  TypeError when a branch is no
    function, or the dtypes or structures differ.
    """
    for what, function in (("true_fn", true_fn), ("false_fn", false_fn)):
        if not callable(function):
            raise TypeError(f"{what} must be callable, got {function!r}")
    assert true_fn is not None and false_fn is not None
    if _decided(pred):
        return true_fn() if pred else false_fn()
    then, result = trace_branch("true_fn", true_fn, pred)
    otherwise, other = trace_branch("false_fn", false_fn, pred)
    assert_same_structure("cond", ("true_fn", "false_fn"), (result, other))
    set_outputs(then, _tensors(result))
    set_outputs(otherwise, _tensors(other))
    return _packed(result, record_cond(pred, then, otherwise, name))


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
    """The result of the function whose predicate is the first to hold, else of ``default``.

    InvalidArgumentError, when it runs, if none holds and there is no default, or, with
    ``exclusive``, if several hold.
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
    """The result of a function, which is there in a graph once the operation has run, too."""
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
    """The result of the function that ``branch_index`` chooses.

    ``branch_fns`` is a list of functions, a dict from ints to functions, or a list of such pairs.
    Other numbers choose ``default``, or else the last function.
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
    """An operation that does nothing; None under eager execution."""
    return None if current_graph() is None else grouped((), name or "NoOp")


def group(*inputs: Any, name: str | None = None) -> Any:
    """An operation that runs all of the inputs (nests of operations and tensors).

    None under eager execution, where they have happened already.  TypeError for anything else.
    """
    graph = current_graph()
    if graph is None:
        return None
    leaves = [leaf for item in inputs for leaf in nest.flatten(item) if leaf is not None]
    operations = [graph.control_input(leaf) for leaf in leaves]
    return grouped([o for o in operations if o is not None], name or "group_deps")


def tuple(tensors: Any, name: str | None = None, control_inputs: Any = None) -> list[Any]:
    """The tensors, each available only when all of them (and ``control_inputs``) are.

    IndexedSlices and operations may be among them; None stays None.  ValueError without any.
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
