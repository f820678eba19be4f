"""What operations mean on a RaggedTensor: its operators, slices, reductions and joins.

An op that is given one asks it (``Op.__call__``): elementwise rows take the flat values, reductions
and ``concat`` go by rows.  Other ops refuse; they take ``flat_values`` or ``to_tensor()``.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.composite.ragged_tensor import RaggedTensor, ragged_range
from runtime.composite.ragged_tensor import map_flat_values as map_flat_values
from runtime.composite.ragged_tensor_spec import RaggedTensorSpec as RaggedTensorSpec
from runtime.graph.default_graph import control_dependencies
from runtime.ops import dispatch
from runtime.ops.array.concat_split import concat
from runtime.ops.array.constants import cast_op, convert_to_tensor
from runtime.ops.array.creation import range as range_of
from runtime.ops.array.gather_scatter import gather
from runtime.ops.array.shape import expand_dims, reshape, shape
from runtime.ops.array.sorting import argsort
from runtime.ops.array.where import where
from runtime.ops.control_flow.print_assert import assert_op
from runtime.ops.math.comparison import equal, not_equal
from runtime.ops.math.elementwise import maximum, minimum
from runtime.ops.math.reduction import reduce_all, reduce_max, reduce_sum
from runtime.ops.math.scans import unsorted_segment_max
from runtime.ops.op import CONCATENATES, ELEMENTWISE, MAPS_FIRST, TABLE, OpDef, lookup
from runtime.types.dtypes import int64
from runtime.types.errors import InvalidArgumentError
from runtime.types.value import Value

__all__ = ["RaggedTensor"]


Rule = Callable[[OpDef, tuple[Any, ...], dict[str, Any]], Any]
RULES: dict[OpDef, Rule] = {}
"""What ops mean on ragged tensors that their traits do not say (ragged_rules.py)."""


def ragged_rule(*ops: OpDef) -> Callable[[Rule], Rule]:
    """Register what ops mean on ragged tensors."""

    def register(rule: Rule) -> Rule:
        RULES.update(dict.fromkeys(ops, rule))
        return rule

    return register


def applied(op: OpDef, inputs: tuple[Any, ...], attrs: dict[str, Any], name: str | None) -> Any:
    """An op of inputs among which are ragged tensors; TypeError where it has no meaning."""
    if op in RULES:
        return RULES[op](op, inputs, attrs)
    ragged = [value for value in inputs if isinstance(value, RaggedTensor)]
    if ELEMENTWISE in op.traits or MAPS_FIRST in op.traits and inputs[0] is ragged[0]:
        return _elementwise(op, inputs, attrs, name)
    if op.segment_op or op.reduced_by is not None:
        return _reduced(op, inputs[0], attrs["axis"], attrs["keepdims"])
    if CONCATENATES in op.traits:
        return _concat(inputs, attrs["axis"])
    raise TypeError(
        f"{op.name} does not take ragged tensors: use flat_values, ragged.map_flat_values or "
        "to_tensor()"
    )


# -- element by element ---------------------------------------------------------------------------


def _elementwise(op: OpDef, inputs: tuple[Any, ...], attrs: dict[str, Any], name: Any) -> Any:
    ragged = [value for value in inputs if isinstance(value, RaggedTensor)]
    deepest = max(ragged, key=lambda value: value.ragged_rank)
    checks = [check for operand in ragged for check in _same_rows(deepest, operand, op.name)]
    with control_dependencies(checks):
        flat = [_flat_for(value, deepest, op.name) for value in inputs]
        return deepest.with_flat_values(op(*flat, name=name, **attrs))


def _same_rows(first: RaggedTensor, second: RaggedTensor, caller: str) -> list[Any]:
    """Checks, in a graph operations, that both have the same rows."""
    pairs = zip(first.nested_row_splits, second.nested_row_splits, strict=False)
    different = [(a, b) for a, b in pairs if a is not b]
    if first.ragged_rank != second.ragged_rank:
        raise InvalidArgumentError(
            f"{caller}: ragged tensors of {first.ragged_rank} and {second.ragged_rank} levels "
            "of rows "
            "have no rows in common"
        )
    for a, b in different:
        if not a.shape.is_compatible_with(b.shape):
            raise InvalidArgumentError(
                f"{caller}: the ragged tensors have incompatible row splits, of the shapes "
                f"{a.shape} "
                f"and {b.shape}"
            )
    return [assert_op(reduce_all(a == b), a, b, fail=_unequal(caller)) for a, b in different]


def _unequal(caller: str) -> Callable[..., BaseException]:
    def fail(first: Any, second: Any) -> BaseException:
        return InvalidArgumentError(
            f"{caller}: the ragged tensors have incompatible row splits: {first.tolist()} and "
            f"{second.tolist()}"
        )

    return fail


def _flat_for(value: Any, ragged: RaggedTensor, caller: str) -> Any:
    """What meets the flat values: those of another ragged tensor, or a tensor spread over them."""
    if isinstance(value, RaggedTensor):
        return value.flat_values
    if not isinstance(value, Value):
        if np.ndim(value) == 0:
            return value
        value = convert_to_tensor(value)
    rank, inner = value.shape.rank, ragged.flat_values.shape.rank
    if rank is not None and inner is not None:
        if rank < inner or rank == 0:
            return value
        dims: Any = value.shape.dims
        if ragged.ragged_rank == 1 and rank == inner + 1 and dims[1] == 1:
            row_values = value[:, 0]
            return row_values if dims[0] == 1 else gather(row_values, ragged.value_rowids())
        if rank == inner and dims[0] == 1:
            return value
    raise TypeError(
        f"{caller}: a tensor of shape {value.shape} cannot be spread over a ragged tensor of shape "
        f"{ragged.shape}; give a number, one value for each row (shape [n, 1]), or a ragged tensor"
    )


# -- along axes -----------------------------------------------------------------------------------


def _reduced(op: OpDef, ragged: RaggedTensor, axis: Any, keepdims: bool) -> Any:
    axes = (axis,) if isinstance(axis, int) else axis
    rank = ragged.ragged_rank + (ragged.flat_values.shape.rank or 1)
    if axes is None or sorted(a % rank for a in axes) == list(range(rank)):
        total = _of_all(op, ragged.flat_values)
        return reshape(total, [1] * rank) if keepdims else total
    for axis in axes:
        if not -rank <= axis < rank:
            raise ValueError(f"{op.name}: axis {axis} is out of range for {rank} axes")
    numbers = sorted({axis % rank for axis in axes}, reverse=True)
    if op.reduced_by is None:
        result = _along_several(op, ragged, numbers)
    else:
        result = op.reduced_by(
            lambda inner_op, flat: _along_several(
                inner_op, ragged.with_flat_values(flat), numbers
            ),
            ragged.flat_values,
        )
    for number in reversed(numbers) if keepdims else ():
        result = expand_dims(result, number)
    return result


def _along_several(op: OpDef, ragged: RaggedTensor, axes: list[int]) -> Any:
    """An op along axes, the innermost first."""
    result: Any = ragged
    for axis in axes:
        if isinstance(result, RaggedTensor):
            result = _along(op, result, axis)
        else:
            result = op(result, axis=axis, keepdims=False)
    return result


def _of_all(op: OpDef, values: Any) -> Any:
    if op.reduced_by is None:
        return op(values, axis=None, keepdims=False)
    return op.reduced_by(lambda inner_op, x: inner_op(x, axis=None, keepdims=False), values)


def _along(op: OpDef, ragged: RaggedTensor, axis: int) -> Any:
    values = ragged.values
    if axis > 1:
        inner = axis - 1
        if isinstance(values, RaggedTensor):
            return ragged.with_values(_along(op, values, inner))
        return ragged.with_values(op(values, axis=inner, keepdims=False))
    segments = lookup(op.segment_op)
    if axis == 1:
        return segmented(segments, values, ragged.value_rowids(), ragged.nrows())
    longest = reduce_max(concat([np.zeros(1, np.int64), ragged.row_lengths()], 0))
    return segmented(segments, values, positions(ragged), longest)


def positions(ragged: RaggedTensor) -> Any:
    """The position of each value in its row."""
    rows = ragged.value_rowids()
    return range_of(shape(rows, int64)[0]) - gather(ragged.row_starts(), rows)


def segmented(op: OpDef, values: Any, ids: Any, count: Any) -> Any:
    """Segments of entries, which may be rows: those of one segment are as long as the longest."""
    if not isinstance(values, RaggedTensor):
        return op(values, ids, count)
    longest = maximum(unsorted_segment_max(values.row_lengths(), ids, count), np.int64(0))
    rows = RaggedTensor.from_row_lengths(range_of(reduce_sum(longest)), longest, validate=False)
    starts = gather(rows.row_starts(), gather(ids, values.value_rowids()))
    inner = segmented(op, values.values, starts + positions(values), reduce_sum(longest))
    return RaggedTensor(inner, rows.row_splits)


def _concat(inputs: tuple[Any, ...], axis: int) -> Any:
    tensors = [p if isinstance(p, RaggedTensor) else RaggedTensor.from_tensor(p) for p in inputs]
    rank = tensors[0].ragged_rank + (tensors[0].flat_values.shape.rank or 1)
    number = axis % rank
    if number > 1:
        checks = [c for p in tensors for c in _same_rows(tensors[0], p, "concat")]
        with control_dependencies(checks):
            return tensors[0].with_values(concat([p.values for p in tensors], number - 1))
    values = concat([p.values for p in tensors], 0)
    if number == 0:
        return RaggedTensor.from_row_lengths(values, concat([p.row_lengths() for p in tensors], 0))
    counts = {p._count() for p in tensors} - {None}
    if len(counts) > 1:
        raise InvalidArgumentError(f"concat: ragged tensors of {counts} rows cannot join by rows")
    order = argsort(concat([p.value_rowids() for p in tensors], 0), stable=True)
    lengths = tensors[0].row_lengths()
    for tensor in tensors[1:]:
        lengths = lengths + tensor.row_lengths()
    return RaggedTensor.from_row_lengths(rows_of(values, order), lengths)


# -- rows and slices ------------------------------------------------------------------------------


def rows_of(values: Any, indices: Any) -> Any:
    """The rows with these numbers of a tensor or of a ragged one."""
    if not isinstance(values, RaggedTensor):
        return gather(values, indices)
    lengths = gather(values.row_lengths(), indices)
    starts = gather(values.row_starts(), indices)
    inside = ragged_range(starts, starts + lengths).values
    return RaggedTensor.from_row_lengths(rows_of(values.values, inside), lengths)


def _bounds(key: slice, lengths: Any) -> tuple[Any, Any, int]:
    """Where a slice of rows of these lengths begins and ends, and its step."""
    step = 1 if key.step is None else operator.index(key.step)
    if step == 0:
        raise ValueError("slice step cannot be zero")
    low, high = (0, 0) if step > 0 else (-1, -1)

    def bound(position_given: Any, usual: Any) -> Any:
        if position_given is None:
            return usual
        position = convert_to_tensor(position_given)
        position = cast_op(position, dtype=int64) + lengths * 0
        position = where(position < 0, position + lengths, position)
        return minimum(maximum(position, low), lengths + high)

    usual_start, usual_stop = (lengths * 0, lengths) if step > 0 else (lengths - 1, lengths * 0 - 1)
    return bound(key.start, usual_start), bound(key.stop, usual_stop), step


def item(ragged: RaggedTensor, key: Any) -> Any:
    """``ragged[key]``: rows by number or slice, slices of all rows, and what is inside of them."""
    keys = key if isinstance(key, tuple) else (key,)
    if any(part is Ellipsis for part in keys):
        rank = ragged.ragged_rank + (ragged.flat_values.shape.rank or 1)
        at = next(number for number, part in enumerate(keys) if part is Ellipsis)
        full = (slice(None),) * (rank - len(keys) + 1)
        keys = (*keys[:at], *full, *keys[at + 1 :])
    first, *later_keys = keys
    if not isinstance(first, slice):
        return ragged.row(first, *later_keys)
    if first != slice(None):
        start, limit, step = _bounds(first, ragged.nrows())
        limit = maximum(limit, start) if step > 0 else minimum(limit, start)
        numbers = range_of(start, limit, step)
        return item(rows_of(ragged, numbers), (slice(None), *later_keys)) if later_keys else (
            rows_of(ragged, numbers)
        )  # fmt: skip
    if not later_keys:
        return ragged
    inner, *deeper = later_keys
    if not isinstance(inner, slice):
        raise ValueError(
            "Cannot index into an inner ragged dimension: rows may be too short for it. Slice "
            "them, or index ragged.to_tensor()"
        )
    if inner != slice(None):
        starts, limits, step = _bounds(inner, ragged.row_lengths())
        begin = ragged.row_starts()
        places = ragged_range(begin + starts, begin + limits, step)
        ragged = RaggedTensor(rows_of(ragged.values, places.values), places.row_splits)
    if not deeper:
        return ragged
    return ragged.with_values(ragged.values[(slice(None), *deeper)])


def _operator(op: OpDef, swapped: bool) -> Callable[..., Any]:
    def method(self: Any, *operands: Any) -> Any:
        return op(*operands[::-1], self) if swapped else op(self, *operands)

    return method


def _comparison(op: OpDef, beside_none: bool) -> Callable[..., Any]:
    def method(self: Any, operand: Any) -> Any:
        return beside_none if operand is None else op(self, operand)

    return method


def _install() -> None:
    """Give RaggedTensor the operators of tensors, its items, and a way into ops."""
    for op in TABLE.loaded():
        for spell in op.overloads if ELEMENTWISE in op.traits else ():
            if isinstance(spell, str):
                swapped = spell.startswith("__r") and f"__{spell[3:]}" in op.overloads
                setattr(RaggedTensor, spell, _operator(op, swapped))
    setattr(RaggedTensor, "__eq__", _comparison(equal, False))  # noqa: B010 - as mypy asks
    setattr(RaggedTensor, "__ne__", _comparison(not_equal, True))  # noqa: B010
    RaggedTensor.__hash__ = None  # type: ignore[assignment]
    RaggedTensor.__getitem__ = item
    RaggedTensor._apply_op = staticmethod(applied)


def _refuse(value: RaggedTensor, dtype: Any = None, name: Any = None, as_ref: bool = False) -> Any:
    raise dispatch.OpOverride(value, "use its flat_values or to_tensor()")


dispatch.register_tensor_conversion_function(RaggedTensor, _refuse, 0)
_install()
