"""Rules of reading and writing at indices.

ONNX says that an index out of range is an error, so a run fails where the runtime raises.  It
counts negative indices from the end: where the runtime does not, they are moved out of range.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.export.onnx_models.graph_writer import (
    GraphWriter,
    formula,
    known_dims,
    known_value,
    rule,
)
from runtime.export.onnx_models.node_writer import number_or_refusal
from runtime.export.onnx_models.onnx_gap import OnnxGap
from runtime.export.onnx_models.rules.arrays import transposed
from runtime.export.onnx_models.rules.formulas import number
from runtime.graph.operation import Operation
from runtime.ops.array.creation import fill_op
from runtime.ops.array.gather_scatter import add_op
from runtime.ops.array.indexing import KeyInput, filled_key
from runtime.types.dtypes import bool_, int32, int64

NEVER_NEGATIVE = frozenset({
    "argmax", "argmin", "argsort", "argwhere", "shape", "size", "list_len", "position",
})  # fmt: skip
"""Ops whose results are indices, or sizes."""
PASSES_ON = frozenset({
    "cast", "identity", "reshape", "expand_dims", "squeeze", "strengthen", "getitem", "gather",
})  # fmt: skip
"""Ops whose elements are those of their first input."""


def _has_positive_modulus(tensor: Any) -> bool:
    modulus = known_value(tensor.op.inputs[1])
    return modulus is not None and bool(np.all(modulus > 0))


_IS_NEVER_NEGATIVE: dict[str, Callable[[Any], bool]] = {
    "floormod": _has_positive_modulus, "top_k": lambda tensor: bool(tensor.value_index == 1),
}  # fmt: skip
"""Op -> whether no element of a result is below 0."""


def is_never_negative(tensor: Any) -> bool:
    """Return whether no element of a tensor of integers is below 0."""
    value = known_value(tensor)
    if value is not None:
        return bool(np.all(value >= 0))
    if tensor.dtype.is_unsigned or tensor.op.op_def.name in NEVER_NEGATIVE:
        return True
    if tensor.op.op_def.name in _IS_NEVER_NEGATIVE:
        return _IS_NEVER_NEGATIVE[tensor.op.op_def.name](tensor)
    return tensor.op.op_def.name in PASSES_ON and is_never_negative(tensor.op.inputs[0])


def as_indices(writer: GraphWriter, tensor: Any, value: str, from_end: bool = False) -> str:
    """Return indices as ONNX takes them; ``from_end`` says whether negative ones are allowed."""
    dtype = tensor.dtype
    if dtype not in (int32, int64):
        value, dtype = writer.scope.cast(value, dtype, int64), int64
    if from_end or is_never_negative(tensor):
        return value
    zero, beyond = (writer.scope.constant(n, dtype) for n in (0, dtype.max))
    return str(writer.emit("Where", writer.emit("Less", value, zero), beyond, value))


@rule("gather")
def _gather(writer: GraphWriter, node: Operation, params: str, indices: str) -> str:
    number_or_refusal(node.inputs[0].dtype)
    dims = known_dims(node.inputs[0])
    axis, batch = node.attrs["axis"] % len(dims), node.attrs["batch_dims"]
    places = as_indices(writer, node.inputs[1], indices)
    if not batch:
        return str(writer.emit("Gather", params, places, axis=axis))
    # GatherND takes the axis after those of the batch.
    order = [*range(batch), axis, *[i for i in range(batch, len(dims)) if i != axis]]
    places = writer.scope.cast(places, _index_dtype(node.inputs[1]), int64)
    tuples = writer.emit("Unsqueeze", places, writer.scope.ints(-1))
    result = writer.emit("GatherND", transposed(writer, params, order), tuples, batch_dims=batch)
    before = axis - batch
    taken = len(known_dims(node.inputs[1])) - batch
    rest = len(dims) - axis - 1
    back = [*range(batch), *range(batch + taken, batch + taken + before),
            *range(batch, batch + taken),
            *range(batch + taken + before, batch + taken + before + rest)]  # fmt: skip
    return transposed(writer, result, back)


def _index_dtype(tensor: Any) -> Any:
    return tensor.dtype if tensor.dtype in (int32, int64) else int64


def _tuples(writer: GraphWriter, tensor: Any, indices: str) -> str:
    places = as_indices(writer, tensor, indices)
    return writer.scope.cast(places, _index_dtype(tensor), int64)


@rule("gather_nd")
def _gather_nd(writer: GraphWriter, node: Operation, params: str, indices: str) -> str:
    number_or_refusal(node.inputs[0].dtype)
    if known_dims(node.inputs[1])[-1] == 0:
        raise OnnxGap("indices of no axes take the whole array")
    tuples = _tuples(writer, node.inputs[1], indices)
    return str(writer.emit("GatherND", params, tuples, batch_dims=node.attrs["batch_dims"]))


def _scatter(name: str, reduction: str, negates: bool = False) -> None:
    @rule(name)
    def write(writer: GraphWriter, node: Operation, x: str, updates: str, indices: str) -> str:
        number_or_refusal(node.inputs[0].dtype)
        if negates:
            updates = writer.emit("Neg", updates)
        tuples = _tuples(writer, node.inputs[2], indices)
        return str(writer.emit("ScatterND", x, tuples, updates, reduction=reduction))


_scatter("tensor_scatter_nd_update", "none")
_scatter("tensor_scatter_nd_add", "add")
_scatter("tensor_scatter_nd_sub", "add", negates=True)
_scatter("tensor_scatter_nd_max", "max")
_scatter("tensor_scatter_nd_min", "min")


@formula("scatter_nd")
def _scatter_nd(indices: Any, updates: Any, shape: Any) -> Any:
    return add_op(fill_op(shape, number(0, updates)), updates, indices)


@rule("take_along")
def _take_along(writer: GraphWriter, node: Operation, x: str, indices: str) -> Any:
    dims, places = known_dims(node.inputs[0]), known_dims(node.inputs[1])
    axis = node.attrs["axis"] % len(dims)
    pairs = enumerate(zip(dims, places, strict=True))
    if any(i != axis and d != p and p == 1 for i, (d, p) in pairs):
        raise OnnxGap("ONNX broadcasts no indices along the other axes")
    at = as_indices(writer, node.inputs[1], indices, from_end=True)
    return writer.emit("GatherElements", x, at, axis=axis)


@rule("position")
def _position(writer: GraphWriter, node: Operation, index: str) -> str:
    tensor, size = node.inputs[0], writer.scope.constant(node.attrs["size"], int64)
    at = writer.scope.cast(index, tensor.dtype, int64)
    inside = writer.emit(
        "And", writer.emit("Less", at, size),
        writer.emit("GreaterOrEqual", at, writer.emit("Neg", size)),
    )  # fmt: skip
    return writer.scope.require(inside, writer.emit("Mod", at, size))


# -- x[key] ---------------------------------------------------------------------------------------


class _KeyEntry:
    """Entry of a key at an axis of the array, once slices are taken."""

    def __init__(self, kind: str, axis: int, value: str = "", rank: int = 0) -> None:
        self.kind = kind  # "index", "mask", "slice" or "new"
        self.axis = axis
        self.value = value
        self.rank = rank


@rule("getitem")
def _getitem(writer: GraphWriter, node: Operation, x: str, *tensors: str) -> Any:
    number_or_refusal(node.inputs[0].dtype)
    dims = known_dims(node.inputs[0], "the array")
    key = filled_key(node.attrs["key"], tuple(known_value(t) for t in node.inputs[1:]))
    whole = x
    x, entries = _split_key(writer, node, x, key, tensors, dims)
    picking = [entry for entry in entries if entry.kind in ("index", "mask")]
    arrays = [entry for entry in picking if entry.rank]
    if len(picking) > 1 and arrays:
        if None not in dims and not any(isinstance(item, KeyInput) for item in _parts(key)):
            numbers = np.arange(int(np.prod(dims))).reshape(dims)  # type: ignore[arg-type]
            flat = writer.emit("Reshape", whole, writer.scope.ints(-1))
            return writer.emit("Gather", flat, writer.scope.constant(numbers[key]), axis=0)
        return _at_arrays(writer, x, entries)
    for entry in reversed(picking):  # the last axis first: those before keep their numbers
        if entry.kind == "mask":
            x = _kept(writer, x, entry, len(dims))
        else:
            x = writer.emit("Gather", x, entry.value, axis=entry.axis)
    axes = []
    at = 0
    for entry in entries:
        if entry.kind == "new":
            axes.append(at)
            at += 1
        elif entry.kind == "mask":
            at += 1
        else:
            at += 1 if entry.kind == "slice" else entry.rank
    return writer.emit("Unsqueeze", x, writer.scope.ints(*axes)) if axes else x


def _split_key(
    writer: GraphWriter, node: Operation, x: str, key: Sequence[Any], tensors: Sequence[str],
    dims: Sequence[int | None],
) -> tuple[str, list[_KeyEntry]]:  # fmt: skip
    """Take the slices of a key; return the result, and what else the key holds, axis by axis."""
    entries: list[_KeyEntry] = []
    slices: list[tuple[int, slice]] = []
    taken = sum(_axes_of(item, node) for item in key)
    items = list(key) if any(item is Ellipsis for item in key) else [*key, Ellipsis]
    axis = 0
    for item in items:
        if item is Ellipsis:
            entries += [_KeyEntry("slice", axis + i) for i in range(len(dims) - taken)]
            axis += len(dims) - taken
        elif item is None:
            entries.append(_KeyEntry("new", axis))
        elif isinstance(item, slice):
            if any(p is not None for p in (item.start, item.stop, item.step)):
                slices.append((axis, item))
            entries.append(_KeyEntry("slice", axis))
            axis += 1
        else:
            entry = _picking(writer, node, item, axis, tensors, dims, x)
            entries.append(entry)
            axis += entry.rank if entry.kind == "mask" else 1
    return _slices(writer, node, x, slices, tensors), entries


def _axes_of(item: Any, node: Operation) -> int:
    if item is None or item is Ellipsis:
        return 0
    if isinstance(item, KeyInput):
        tensor = node.inputs[1 + item.index]
        return len(known_dims(tensor, "a mask")) if tensor.dtype is bool_ else 1
    if isinstance(item, np.ndarray) and item.dtype == bool:
        return item.ndim
    return 1


def _fitting_mask(writer: GraphWriter, x: str, mask: str, axis: int, rank: int) -> str:
    """Return a mask; a run fails unless it has the sizes of the axes that it is for."""
    sizes = writer.emit("Shape", x, start=axis, end=axis + rank)
    fits = writer.emit("Equal", writer.emit("Shape", mask), sizes)
    return writer.scope.require(writer.scope.all_true(fits, False), mask)


def _picking(writer: GraphWriter, node: Operation, item: Any, axis: int, tensors: Sequence[str],
             dims: Sequence[int | None], whole: str) -> _KeyEntry:  # fmt: skip
    if isinstance(item, KeyInput):
        tensor, value = node.inputs[1 + item.index], tensors[item.index]
        rank = len(known_dims(tensor, "an index"))
        if tensor.dtype is bool_:
            if not rank:
                raise OnnxGap("a single bool as an index adds an axis, which ONNX cannot decide")
            shape, part = known_dims(tensor), tuple(dims[axis : axis + rank])
            if None in shape or shape != part:
                value = _fitting_mask(writer, whole, value, axis, rank)
            return _KeyEntry("mask", axis, value, rank)
        return _KeyEntry("index", axis, as_indices(writer, tensor, value, from_end=True), rank)
    array = np.asarray(item)
    if array.dtype == bool:
        if array.ndim > 1:
            return _KeyEntry("mask", axis, writer.scope.constant(array), array.ndim)
        array = np.nonzero(array)[0]
    return _KeyEntry("index", axis, writer.scope.constant(array.astype(np.int64)), array.ndim)


def _slices(writer: GraphWriter, node: Operation, x: str, slices: Sequence[tuple[int, slice]],
            tensors: Sequence[str]) -> str:  # fmt: skip
    """Take slices along axes: ONNX cuts off bounds as Python does."""
    if not slices:
        return x
    limits = np.iinfo(np.int64)
    dims = known_dims(node.inputs[0])
    columns: list[list[Any]] = [[], [], []]
    backwards: list[int] = []
    for place, (axis, item) in enumerate(slices):
        item = _with_known_bounds(item, dims[axis])
        step = 1 if item.step is None else item.step
        if isinstance(step, KeyInput):
            raise OnnxGap("the step of a slice is not known before the run")
        if step < 0 and item.start is not None and not _is_in_front(item.start):
            backwards.append(place)
        start = (0 if step > 0 else limits.max) if item.start is None else item.start
        stop = (limits.max if step > 0 else limits.min) if item.stop is None else item.stop
        for column, part in zip(columns, (start, stop, int(step)), strict=True):
            column.append(part)
    vectors = [_vector(writer, node, column, tensors) for column in columns]
    numbers = [axis for axis, _ in slices]
    axes = writer.scope.ints(*numbers)
    if backwards:
        vectors[1] = _nothing_before_the_start(writer, x, vectors, numbers, backwards)
    return str(writer.emit("Slice", x, vectors[0], vectors[1], axes, vectors[2]))


def _is_in_front(start: Any) -> bool:
    """Whether a slice backwards begins at a place counted from the front."""
    return not isinstance(start, KeyInput) and start >= 0


def _with_known_bounds(item: slice, size: int | None) -> slice:
    """Return a slice with bounds in the axis, where all of it is known."""
    parts = item.start, item.stop, item.step
    if size is None or any(isinstance(part, KeyInput) for part in parts):
        return item
    start, stop, step = item.indices(size)
    if not range(start, stop, step):
        return slice(0, 0, 1)
    return slice(start, None if stop < 0 else stop, step)


def _nothing_before_the_start(
    writer: GraphWriter, x: str, vectors: Sequence[str], axes: Sequence[int],
    backwards: Sequence[int],
) -> str:  # fmt: skip
    """Return the ends of slices: those backwards that begin before the first entry are empty.

    ONNX begins these at the first entry.
    """
    sizes = writer.emit("Gather", writer.emit("Shape", x), writer.scope.ints(*axes), axis=0)
    is_before = writer.emit("Less", vectors[0], writer.emit("Neg", sizes))
    turned = writer.scope.constant(np.array([n in backwards for n in range(len(axes))]))
    empty = writer.emit("And", is_before, turned)
    return str(writer.emit("Where", empty, writer.scope.constant(0, int64), vectors[1]))


def _vector(
    writer: GraphWriter, node: Operation, parts: Sequence[Any], tensors: Sequence[str]
) -> str:
    """Return numbers as a vector; those that a run computes are joined with the others."""
    if not any(isinstance(part, KeyInput) for part in parts):
        return writer.scope.ints(*map(int, parts))
    rows = []
    for part in parts:
        if isinstance(part, KeyInput):
            tensor = node.inputs[1 + part.index]
            scalar = writer.scope.cast(tensors[part.index], tensor.dtype, int64)
            rows.append(writer.emit("Reshape", scalar, writer.scope.ints(1)))
        else:
            rows.append(writer.scope.ints(int(part)))
    return rows[0] if len(rows) == 1 else str(writer.emit("Concat", *rows, axis=0))


def _kept(writer: GraphWriter, x: str, entry: _KeyEntry, rank: int) -> str:
    """Return the entries that a mask keeps."""
    places = writer.emit("NonZero", entry.value)
    if entry.rank == 1:
        row = writer.emit("Squeeze", places, writer.scope.ints(0))
        return str(writer.emit("Gather", x, row, axis=entry.axis))
    if entry.axis:
        raise OnnxGap("a mask of several axes has to come first in an index")
    return str(writer.emit("GatherND", x, writer.emit("Transpose", places, perm=[1, 0])))


def _at_arrays(writer: GraphWriter, x: str, entries: Sequence[_KeyEntry]) -> str:
    """Return the entries at several arrays of indices: one tuple for each."""
    picking = [entry for entry in entries if entry.kind == "index"]
    leading = [entry.kind for entry in entries[: len(picking)]]
    if leading != ["index"] * len(picking) or any(e.kind in ("new", "mask") for e in entries):
        raise OnnxGap("several arrays of indices have to come first, without masks and new axes")
    shape = writer.emit("Shape", picking[0].value)
    total = writer.emit("Expand", writer.scope.constant(0, int64), shape)
    wide = [writer.emit("Cast", entry.value, to=7) for entry in picking]
    zero = writer.scope.constant(0, int64)
    for value in wide:
        total = writer.emit("Add", total, writer.emit("Mul", value, zero))
    shape = writer.emit("Shape", total)
    columns = [
        writer.emit("Unsqueeze", writer.emit("Expand", value, shape), writer.scope.ints(-1))
        for value in wide
    ]
    return str(writer.emit("GatherND", x, writer.emit("Concat", *columns, axis=-1)))


def _parts(key: Sequence[Any]) -> list[Any]:
    """Return the entries of a key, and the parts of its slices."""
    parts: list[Any] = []
    for item in key:
        parts += [item.start, item.stop, item.step] if isinstance(item, slice) else [item]
    return parts
