"""Functions over the first axis of tensors: ``map_fn``, ``scan``, ``foldl``, ``foldr``.

Under eager execution they are Python loops.  In a graph ``map_fn`` and ``scan`` record a ``scan``
operation, ``foldl`` and ``foldr`` a ``while`` operation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from runtime.control_flow.convert_callable import converted_in_turn
from runtime.control_flow.while_loop import while_loop
from runtime.graph.func_graph import FuncGraph
from runtime.graph.operation import SymbolicTensor
from runtime.graph.trace import current_graph, record_scan, set_outputs, trace
from runtime.ops.array.concat_split import concat, repeat, stack
from runtime.ops.array.constants import convert_to_tensor, stop_gradient
from runtime.ops.array.creation import zeros
from runtime.ops.array.shape import shape
from runtime.types import nest, treedef
from runtime.types.aliases import DTypeLike
from runtime.types.composite import HasRows
from runtime.types.dtypes import DType, as_dtype, int64
from runtime.types.shapes import TensorSpec

__all__ = ["foldl", "foldr", "map_fn", "scan", "vectorized_map"]

TURN = (TensorSpec((), int64, "turn"), False)


RowStacker = Callable[[Callable[[Any], Any], Any, Any, str | None], Any]
"""``stacker(row of a number, number of rows, spec, name)`` -> the composite of these rows."""
_ROW_STACKERS: dict[type, RowStacker] = {}


def register_row_stacker(spec_type: type, stacker: RowStacker) -> None:
    """Register how ``map_fn`` combines results if its signature is a spec of this class."""
    _ROW_STACKERS[spec_type] = stacker


class StackedElements:
    """Nest of tensors of equal length, indexed along the first axis."""

    def __init__(self, what: str, elems: Any) -> None:
        self.tensors: list[Any] = []

        def rows(leaf: Any) -> Any:
            if nest.is_composite(leaf) and not isinstance(leaf, HasRows):
                raise TypeError(f"{what}: elems holds a {type(leaf).__name__}, which has no rows")
            self.tensors.append(leaf if nest.is_composite(leaf) else convert_to_tensor(leaf))
            return self.tensors[-1]

        self.like = _each(rows, elems)
        if not self.tensors:
            raise ValueError(f"{what}: elems must hold at least one tensor")
        sizes: list[int] = []
        for tensor in self.tensors:
            dims = tensor.shape.dims
            if dims == ():
                raise ValueError(
                    f"{what}: elements in elems must be 1+ dimensional Tensors, not scalars"
                )
            if dims is not None and dims[0] is not None:
                sizes.append(dims[0])
        if len(set(sizes)) > 1:
            raise ValueError(f"{what}: elems must have one length, got lengths {sizes}")
        self.size: int | None = sizes[0] if sizes else None
        symbolic = any(isinstance(t, SymbolicTensor) for t in nest.flatten(self.tensors))
        self.eager = current_graph() is None and not symbolic

    @property
    def count(self) -> Any:
        """Number of elements, as an int64 scalar tensor."""
        if self.size is not None:
            return convert_to_tensor(self.size, int64)
        first = self.tensors[0]
        return first.nrows() if nest.is_composite(first) else shape(first, int64)[0]

    def at(self, k: Any) -> Any:
        """Return element number ``k``, or the elements of a slice, as a nest."""
        return _each(lambda tensor: tensor[k], self.like)

    def __iter__(self) -> Iterator[Any]:
        return map(self.at, range(self.size or 0))


def _each(function: Callable[[Any], Any], structure: Any) -> Any:
    """Apply a function to each leaf of a nest; composite tensors are leaves."""
    leaves, layout = treedef.flatten(structure, nest.is_composite)
    return layout.unflatten(map(function, leaves))


def _check_stackable(leaf: Any) -> Any:
    if nest.is_composite(leaf):
        raise TypeError(
            f"map_fn: fn returned a {type(leaf).__name__}, and these cannot be stacked. Return "
            "tensors, or give fn_output_signature=RaggedTensorSpec(...) for rows."
        )
    return leaf


def _tensors(value: Any) -> list[Any]:
    graph = current_graph()
    leaves = [convert_to_tensor(v) for v in nest.flatten(value)]
    return leaves if graph is None else [graph.as_tensor(v) for v in leaves]


def _constant(result: Any) -> Any:
    """Stop gradients through a result, for ``back_prop=False``."""
    return nest.map_structure(stop_gradient, result)


def _stacked(rows: Sequence[Any]) -> Any:
    columns = zip(*[nest.flatten(row) for row in rows], strict=True)
    return nest.pack_sequence_as(rows[0], [stack(list(column)) for column in columns])


def _dtypes(signature: Any, result: Any) -> list[DType | None]:
    """Return the dtypes that a signature (a nest of dtypes or TensorSpecs) requires of a result.

    TypeError or ValueError if their structures differ.
    """
    if signature is None:
        return [None] * len(nest.flatten(result))
    try:
        nest.assert_same_structure(signature, result)
    except (TypeError, ValueError) as error:
        raise type(error)(
            f"map_fn: fn must return the structure of fn_output_signature: {error}"
        ) from None
    leaves = nest.flatten(signature)
    return [leaf.dtype if isinstance(leaf, TensorSpec) else as_dtype(leaf) for leaf in leaves]


def map_fn(
    fn: Callable[[Any], Any],
    elems: Any,
    dtype: DTypeLike | None = None,
    parallel_iterations: int | None = None,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    name: str | None = None,
    fn_output_signature: Any = None,
) -> Any:
    """Apply a function to the elements of tensors along the first axis, and stack the results.

    Args:
        fn: function of one element, which has the structure of ``elems``, to a nest of tensors.
        elems: tensor of shape ``[n, ...]``, RaggedTensor, or nest of these with equal ``n``.
        back_prop: whether gradients flow through the result.
        name: name of the operation.
        fn_output_signature: dtype or TensorSpec of the result of ``fn``, or a nest of these; by
            default whatever ``fn`` returns.  A RaggedTensorSpec, which describes one result, makes
            the results the rows of a RaggedTensor.  ``dtype`` is its former name.

    Returns:
        A nest in the structure of what ``fn`` returns, with tensors of shape ``[n, ...]``.

    Raises:
        TypeError: ``fn`` is not callable, or returns composite tensors without a signature.
        ValueError: ``elems`` holds no tensor, a scalar, or tensors of different lengths, or a
            result does not fit the signature.
    """
    if not callable(fn):
        raise TypeError(f"fn must be callable, got {fn!r}")
    if not back_prop:
        return _constant(map_fn(fn, elems, dtype, fn_output_signature=fn_output_signature))
    items = StackedElements("map_fn", elems)
    fn = converted_in_turn(fn)
    signature = dtype if fn_output_signature is None else fn_output_signature
    stack_rows = _ROW_STACKERS.get(type(signature))
    if stack_rows is not None:
        return stack_rows(lambda k: fn(items.at(k)), items.count, signature, name)

    def result_of(item: Any) -> Any:
        result = fn(item)
        leaves = nest.flatten(_each(_check_stackable, result))
        wanted = _dtypes(signature, result)
        tensors = [convert_to_tensor(v, d) for v, d in zip(leaves, wanted, strict=True)]
        graph = current_graph()
        if graph is not None:
            tensors = [graph.as_tensor(t) for t in tensors]
        return nest.pack_sequence_as(result, tensors)

    if items.eager and items.size:
        return _stacked([result_of(item) for item in items])
    body, like = trace("loop body", "map_fn", lambda k: result_of(items.at(k)), [TURN])
    set_outputs(body, nest.flatten(like))
    if items.eager:
        return nest.pack_sequence_as(like, _no_rows(body, 0))
    return nest.pack_sequence_as(like, record_scan(body, items.count, (), False, name))


def vectorized_map(
    fn: Callable[[Any], Any], elems: Any, fallback_to_while_loop: bool = True, warn: bool = True
) -> Any:
    """Apply a function to the elements of tensors along the first axis, as ``map_fn`` does.

    Tensors of length 1 among longer ones are repeated.  Results and errors are those of ``map_fn``.
    """
    longest = max([_length(t) or 1 for t in nest.flatten(elems)], default=1)
    if longest > 1:
        elems = nest.map_structure(lambda t: _repeated(t, longest), elems)
    return map_fn(fn, elems)


def _length(value: Any) -> int | None:
    dims = convert_to_tensor(value).shape.dims
    return dims[0] if dims else None


def _repeated(value: Any, count: int) -> Any:
    return repeat(value, count, axis=0) if _length(value) == 1 else value


def _no_rows(body: FuncGraph, carried: int) -> list[Any]:
    """Return stacks of zero results, eagerly."""
    return [
        zeros([0, *[d or 0 for d in t.shape.dims or ()]], t.dtype) for t in body.outputs[carried:]
    ]


def _carried(what: str, like: Any, result: Any) -> list[Any]:
    """Flatten the accumulated value that a function returned, and check structure and dtypes."""
    try:
        nest.assert_same_structure(like, result)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"{what}: fn must return the structure of its first argument: {error}"
        ) from None
    wanted = nest.flatten(like)
    found = _tensors(result)
    for old, new in zip(wanted, found, strict=True):
        if new.dtype is not old.dtype:
            raise TypeError(
                f"{what}: fn returned dtype {new.dtype.name} for an accumulated value of dtype "
                f"{old.dtype.name}. Use runtime.cast in fn, or another initializer."
            )
    return found


def scan(
    fn: Callable[[Any, Any], Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    reverse: bool = False,
    name: str | None = None,
) -> Any:
    """Compute ``a = fn(a, e)`` for the elements ``e`` in turn, and stack all values of ``a``.

    Args:
        fn: function of the accumulated value and an element; it returns the next accumulated
            value, of the same structure, dtypes and shapes.
        elems: tensor of shape ``[n, ...]`` or nest of such tensors with equal ``n``.
        initializer: first accumulated value; by default the first element, or the last one with
            ``reverse``, which is then an entry of the result.
        back_prop: whether gradients flow through the result.
        reverse: whether to start from the last element.
        name: name of the operation.

    Returns:
        A nest in the structure of the accumulated value, with tensors of shape ``[n, ...]``; entry
        ``k`` is the value after element ``k``.

    Raises:
        TypeError: ``fn`` is not callable, or changes a dtype.
        ValueError: ``elems`` is empty and there is no initializer, or ``fn`` changes the structure.
    """
    if not callable(fn):
        raise TypeError(f"fn must be callable, got {fn!r}")
    if not back_prop:
        return _constant(scan(fn, elems, initializer, reverse=reverse, name=name))
    items = StackedElements("scan", elems)
    fn = converted_in_turn(fn)
    if initializer is None and items.size == 0:
        raise ValueError("scan: without an initializer, elems must not be empty")
    if items.eager and items.size:
        return _scan_eagerly(fn, items, initializer, reverse)
    if initializer is None:
        return _scan_from_first(fn, items, reverse, name)
    start = _tensors(initializer)
    like = nest.pack_sequence_as(initializer, start)
    inputs = [TURN, *[(TensorSpec(t.shape, t.dtype), False) for t in start]]

    def turn(k: Any, *values: Any) -> list[Any]:
        result = fn(nest.pack_sequence_as(initializer, values), items.at(k))
        carried = _carried("scan", like, result)
        return [*carried, *carried]

    body, outputs = trace("loop body", "scan", turn, inputs)
    set_outputs(body, outputs)
    if items.eager:
        return nest.pack_sequence_as(like, _no_rows(body, len(start)))
    recorded = record_scan(body, items.count, start, reverse, name)
    return nest.pack_sequence_as(like, recorded[len(start) :])


def _scan_eagerly(
    fn: Callable[..., Any], items: StackedElements, initializer: Any, reverse: bool
) -> Any:
    order = list(items)
    if reverse:
        order.reverse()
    rows = []
    if initializer is None:
        value, *order = order
        rows.append(value)
    else:
        value = nest.map_structure(convert_to_tensor, initializer)
    for item in order:
        value = nest.pack_sequence_as(value, _carried("scan", value, fn(value, item)))
        rows.append(value)
    return _stacked(rows[::-1] if reverse else rows)


def _scan_from_first(
    fn: Callable[..., Any], items: StackedElements, reverse: bool, name: str | None
) -> Any:
    first = items.at(-1 if reverse else 0)
    cut = slice(None, -1) if reverse else slice(1, None)
    rest = items.at(cut)
    others = nest.flatten(scan(fn, rest, first, reverse=reverse, name=name))
    alone = [t[None] for t in nest.flatten(first)]
    pairs = zip(others, alone, strict=True) if reverse else zip(alone, others, strict=True)
    return nest.pack_sequence_as(first, [concat(list(pair), 0) for pair in pairs])


def _fold(
    what: str, fn: Callable[[Any, Any], Any], elems: Any, initializer: Any, backwards: bool,
    name: str | None,
) -> Any:
    if not callable(fn):
        raise TypeError(f"fn must be callable, got {fn!r}")
    items = StackedElements(what, elems)
    fn = converted_in_turn(fn)
    if initializer is None and items.size == 0:
        raise ValueError(f"{what}: without an initializer, elems must not be empty")
    skipped = 1 if initializer is None else 0
    if items.eager:
        order = list(items)[::-1] if backwards else list(items)
        value = order.pop(0) if skipped else nest.map_structure(convert_to_tensor, initializer)
        for item in order:
            value = nest.pack_sequence_as(value, _carried(what, value, fn(value, item)))
        return value
    count = items.count
    start = items.at(-1 if backwards else 0) if skipped else initializer
    like = nest.pack_sequence_as(start, _tensors(start))

    def turn(k: Any, value: Any) -> Any:
        result = fn(value, items.at(count - 1 - k if backwards else k))
        return k + 1, nest.pack_sequence_as(value, _carried(what, like, result))

    first = convert_to_tensor(skipped, int64)
    _, value = while_loop(lambda k, _: k < count, turn, (first, like), name=name)
    return value


def foldl(
    fn: Callable[[Any, Any], Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """Compute ``a = fn(a, e)`` from the first to the last element ``e``; else as ``scan``."""
    result = _fold("foldl", fn, elems, initializer, False, name)
    return result if back_prop else _constant(result)


def foldr(
    fn: Callable[[Any, Any], Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """Compute ``a = fn(a, e)`` from the last to the first element ``e``; else as ``scan``."""
    result = _fold("foldr", fn, elems, initializer, True, name)
    return result if back_prop else _constant(result)
