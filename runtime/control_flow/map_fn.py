"""Functions of the elements of tensors along the first axis: ``map_fn``, ``vectorized_map``.

Under eager execution they are Python loops; in a graph they record a ``scan`` operation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from runtime.control_flow.batched_values import BatchRows, EncodedResults, encoded_signature
from runtime.graph.func_graph import FuncGraph
from runtime.graph.operation import SymbolicTensor
from runtime.graph.trace import current_graph, record_scan, set_outputs, trace
from runtime.ops.array.concat_split import repeat, stack
from runtime.ops.array.constants import convert_to_tensor, stop_gradient
from runtime.ops.array.creation import zeros
from runtime.ops.array.shape import shape
from runtime.staging.conversion import converted_in_turn
from runtime.types import nest, treedef
from runtime.types.aliases import DTypeLike
from runtime.types.composite import Batchable, HasRows
from runtime.types.dtypes import DType, as_dtype, int64
from runtime.types.shapes import TensorSpec

__all__ = ["map_fn", "vectorized_map"]

INDEX = (TensorSpec((), int64, "index"), False)


RowStacker = Callable[[Callable[[Any], Any], Any, Any, str | None], Any]
"""``stacker(row of a number, number of rows, spec, name)`` -> the composite of these rows."""
_ROW_STACKERS: dict[type, RowStacker] = {}
SignatureRule = Callable[[Any, Any], Any]
"""``rule(elems, result of one)`` -> the spec of results that are rows of a composite; or None."""
_SIGNATURE_RULES: dict[type, SignatureRule] = {}


def register_row_stacker(
    spec_type: type, stacker: RowStacker, rule: SignatureRule | None = None, cls: type = object
) -> None:
    """Register how ``map_fn`` combines results if its signature is a spec of this class.

    Where it has no signature, ``rule`` gives one for elements of the class ``cls``.
    """
    _ROW_STACKERS[spec_type] = stacker
    if rule is not None:
        _SIGNATURE_RULES[cls] = rule


class StackedElements:
    """Nest of tensors of equal length, indexed along the first axis."""

    def __init__(self, what: str, elems: Any) -> None:
        self.tensors: list[Any] = []

        def rows(leaf: Any) -> Any:
            if isinstance(leaf, Batchable):
                self.tensors.append(BatchRows(leaf))
                return self.tensors[-1]
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
        tensors = nest.flatten(self.tensors, expand_composites=True)
        symbolic = any(isinstance(t, SymbolicTensor) for t in tensors)
        self.eager = current_graph() is None and not symbolic

    @property
    def count(self) -> Any:
        """Number of elements, as an int64 scalar tensor."""
        if self.size is not None:
            return convert_to_tensor(self.size, int64)
        first = self.tensors[0]
        is_composite = nest.is_composite(first) or isinstance(first, BatchRows)
        return first.nrows() if is_composite else shape(first, int64)[0]

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


def flatten_tensors(value: Any) -> list[Any]:
    """Flatten a nest, and convert its leaves to tensors of the current graph."""
    graph = current_graph()
    leaves = [convert_to_tensor(v) for v in nest.flatten(value)]
    return leaves if graph is None else [graph.as_tensor(v) for v in leaves]


def without_gradient(result: Any) -> Any:
    """Stop gradients through a result, for ``back_prop=False``."""
    return nest.map_structure(stop_gradient, result)


def stack_nests(rows: Sequence[Any]) -> Any:
    """Stack corresponding leaves of nests of one structure along a new first axis."""
    columns = zip(*[nest.flatten(row) for row in rows], strict=True)
    return nest.pack_sequence_as(rows[0], [stack(list(column)) for column in columns])


def _dtypes(signature: Any, result: Any) -> list[DType | None]:
    """Return the dtypes that a signature (a nest of dtypes or TensorSpecs) requires of a result.
    """
    if signature is None:
        return [None] * len(nest.flatten(result))
    leaves = nest.flatten(signature)
    return [leaf.dtype if isinstance(leaf, TensorSpec) else as_dtype(leaf) for leaf in leaves]


def map_fn(
    fn: Callable[[Any], Any], elems: Any, dtype: DTypeLike | None = None,
    parallel_iterations: int | None = None, back_prop: bool = True, swap_memory: bool = False,
    infer_shape: bool = True, name: str | None = None, fn_output_signature: Any = None,
) -> Any:  # fmt: skip
    """Apply a function to the elements of tensors along the first axis, and stack the results.

    Args:
        fn: function of one element, which has the structure of ``elems``, to a nest of tensors.
        elems: tensor of shape ``[n, ...]``, RaggedTensor, or nest of these with equal ``n``.
        dtype: former name of ``fn_output_signature``.
        parallel_iterations: without effect.
        back_prop: whether gradients flow through the result.
        swap_memory: without effect.
        infer_shape: without effect.
        fn_output_signature: dtype or TensorSpec of the result of ``fn``, or a nest of these; by
            default whatever ``fn`` returns.  A RaggedTensorSpec, which describes one result, makes
            the results the rows of a RaggedTensor; so do results with axes of a RaggedTensor's
            rows without it.

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
        return without_gradient(map_fn(fn, elems, dtype, fn_output_signature=fn_output_signature))
    items = StackedElements("map_fn", elems)
    fn = converted_in_turn(fn)
    signature = dtype if fn_output_signature is None else fn_output_signature
    stack_rows = _ROW_STACKERS.get(type(signature))
    if stack_rows is not None:
        return stack_rows(lambda k: fn(items.at(k)), items.count, signature, name)

    rule = _SIGNATURE_RULES.get(type(elems)) if signature is None else None
    return _stacked_results(fn, items, signature, lambda row: rule and rule(elems, row), name)


def _stacked_results(
    fn: Callable[[Any], Any], items: StackedElements, signature: Any,
    row_spec: Callable[[Any], Any], name: str | None,
) -> Any:  # fmt: skip
    """Stack the results of a function; ``row_spec`` tells whether they are rows of a composite."""
    results = EncodedResults()

    def result_of(result: Any) -> Any:
        spec = row_spec(result)
        if spec is not None:
            raise _RowsOfOthers(spec)
        encoded = results.encoded(_each(_check_stackable, result))
        leaves = nest.flatten(encoded)
        dtypes = _dtypes(encoded_signature(signature, result), encoded)
        tensors = [convert_to_tensor(v, d) for v, d in zip(leaves, dtypes, strict=True)]
        graph = current_graph()
        if graph is not None:
            tensors = [graph.as_tensor(t) for t in tensors]
        return nest.pack_sequence_as(encoded, tensors)

    if items.eager and items.size:
        rows = [fn(item) for item in items]
        spec = row_spec(rows[0])
        if spec is not None:
            return _ROW_STACKERS[type(spec)](lambda k: rows[int(k)], items.count, spec, name)
        return results.decoded(stack_nests([result_of(row) for row in rows]), items.size)
    try:
        body, like = trace("loop body", "map_fn", lambda k: result_of(fn(items.at(k))), [INDEX])
    except _RowsOfOthers as rows_of_others:
        spec = rows_of_others.spec
        stacker = _ROW_STACKERS[type(spec)]
        return stacker(lambda k: fn(items.at(k)), items.count, spec, name)
    set_outputs(body, nest.flatten(like))
    if items.eager:
        return results.decoded(nest.pack_sequence_as(like, empty_stacks(body, 0)), 0)
    stacks = record_scan(body, items.count, (), False, name)
    return results.decoded(nest.pack_sequence_as(like, stacks), items.size)


class _RowsOfOthers(Exception):
    """Results that are rows of a composite, of which the trace did not know."""

    def __init__(self, spec: Any) -> None:
        super().__init__()
        self.spec = spec


def vectorized_map(
    fn: Callable[[Any], Any], elems: Any, fallback_to_while_loop: bool = True, warn: bool = True
) -> Any:
    """Apply a function to the elements of tensors along the first axis, as ``map_fn`` does.

    Args:
        fn: function of one element.
        elems: tensor of shape ``[n, ...]`` or nest of such tensors; those of length 1 are repeated.
        fallback_to_while_loop: without effect.
        warn: without effect.
    Returns:
        Nest in the structure of what ``fn`` returns, with tensors of shape ``[n, ...]``.
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


def empty_stacks(body: FuncGraph, carried: int) -> list[Any]:
    """Return stacks of zero results, eagerly."""
    return [
        zeros([0, *[d or 0 for d in t.shape.dims or ()]], t.dtype) for t in body.outputs[carried:]
    ]
