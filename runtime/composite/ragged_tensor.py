"""``RaggedTensor``: rows of different lengths, such as the words of several sentences.

``values`` holds all rows one behind the other, ``row_splits`` where each begins and the last ends.
ragged_ops.py says what operators and ops mean on it; for anything else ``to_tensor`` fills
the rows up.  In nests it stands for both tensors.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from runtime.graph.operation import SymbolicTensor
from runtime.ops import dispatch
from runtime.ops.array.concat_split import concat, repeat
from runtime.ops.array.constants import cast_op, constant, convert_to_tensor
from runtime.ops.array.creation import ones_like, zeros_like
from runtime.ops.array.creation import range as range_of
from runtime.ops.array.gather_scatter import gather, scatter_nd
from runtime.ops.array.ragged_rows import check_splits, to_tensor_op
from runtime.ops.array.shape import reshape, shape
from runtime.ops.array.where import boolean_mask, where
from runtime.ops.math.elementwise import maximum
from runtime.ops.math.reduction import reduce_max
from runtime.ops.math.scans import cumsum
from runtime.types.aliases import DTypeLike, ShapeLike, TensorLike
from runtime.types.dtypes import DType, as_dtype, int64, string
from runtime.types.shapes import TensorShape

__all__ = ["RaggedTensor"]


class RaggedTensor:
    """Rows of tensors; made by ``from_row_splits``, ``from_row_lengths`` and ``ragged.constant``.

    InvalidArgumentError for splits that do not rise from 0 to the number of values.
    """

    __getitem__: Any
    """``r[i]``, ``r[a:b]``, ``r[:, a:b]``: ragged_ops.py gives it, and the operators."""
    bounding_shape: Any
    from_sparse: Any
    merge_dims: Any
    nested_value_rowids: Any
    to_sparse: Any
    """Methods of ragged_shapes.py."""
    _apply_op: Any
    """What an op means on ragged tensors among its inputs."""

    def __init__(self, values: TensorLike, row_splits: TensorLike) -> None:
        self._values = values
        self._row_splits = row_splits

    @classmethod
    def from_row_splits(cls, values: TensorLike, row_splits: TensorLike, name: str | None = None,
                        validate: bool = True) -> RaggedTensor:  # fmt: skip
        """Rows that begin, and the last of which ends, at ``row_splits``."""
        inner = values if isinstance(values, RaggedTensor) else convert_to_tensor(values)
        splits = cast_op(convert_to_tensor(row_splits), dtype=int64)
        static_splits = getattr(splits, "_array", None)
        size = inner._size() if isinstance(inner, RaggedTensor) else inner.shape.dims
        if validate and static_splits is not None and size and size[0] is not None:
            check_splits(static_splits, size[0])
        return cls(inner, splits)

    @classmethod
    def from_row_lengths(cls, values: TensorLike, row_lengths: TensorLike, name: str | None = None,
                         validate: bool = True) -> RaggedTensor:  # fmt: skip
        """Rows of these lengths."""
        lengths = cast_op(convert_to_tensor(row_lengths), dtype=int64)
        return cls.from_row_splits(values, concat([np.zeros(1, np.int64), cumsum(lengths)], 0))

    @classmethod
    def from_row_limits(cls, values: TensorLike, row_limits: TensorLike, name: str | None = None,
                        validate: bool = True) -> RaggedTensor:  # fmt: skip
        """Rows that end at ``row_limits``, each beginning where the one before ends."""
        limits = cast_op(convert_to_tensor(row_limits), dtype=int64)
        splits = concat([np.zeros(1, np.int64), limits], 0)
        return cls.from_row_splits(values, splits, validate=validate)

    @classmethod
    def from_row_starts(cls, values: TensorLike, row_starts: TensorLike, name: str | None = None,
                        validate: bool = True) -> RaggedTensor:  # fmt: skip
        """Rows that begin at ``row_starts``; the last one ends with the values."""
        inner = values if isinstance(values, RaggedTensor) else convert_to_tensor(values)
        starts = cast_op(convert_to_tensor(row_starts), dtype=int64)
        end = inner.nrows() if isinstance(inner, RaggedTensor) else shape(inner, int64)[0]
        return cls.from_row_splits(inner, concat([starts, reshape(end, [1])], 0), validate=validate)

    @classmethod
    def from_value_rowids(cls, values: TensorLike, value_rowids: TensorLike,
                          nrows: TensorLike | None = None, name: str | None = None,
                          validate: bool = True) -> Any:  # fmt: skip
        """Rows of values each of which names its row; the names must not fall."""
        names = cast_op(convert_to_tensor(value_rowids), dtype=int64)
        highest = reduce_max(concat([np.full(1, -1), names], 0)) + 1
        count = highest if nrows is None else cast_op(convert_to_tensor(nrows), dtype=int64)
        ones = ones_like(names)
        lengths = scatter_nd(names[:, None], ones, reshape(count, [1]))
        return cls.from_row_lengths(values, lengths, validate=validate)

    @classmethod
    def from_uniform_row_length(cls, values: TensorLike, uniform_row_length: TensorLike,
                                nrows: TensorLike | None = None, validate: bool = True,
                                name: str | None = None) -> RaggedTensor:  # fmt: skip
        """Rows of one length."""
        inner = values if isinstance(values, RaggedTensor) else convert_to_tensor(values)
        size = inner.nrows() if isinstance(inner, RaggedTensor) else shape(inner, int64)[0]
        length = cast_op(convert_to_tensor(uniform_row_length), dtype=int64)
        count = size // length if nrows is None else cast_op(convert_to_tensor(nrows), dtype=int64)
        return cls.from_row_splits(inner, range_of(count + 1) * length, validate=validate)

    @classmethod
    def from_nested_row_splits(cls, flat_values: TensorLike, nested_row_splits: Any,
                               name: str | None = None, validate: bool = True) -> Any:  # fmt: skip
        """Rows of rows: the splits of all levels, outermost first."""
        result = flat_values
        for splits in reversed(list(nested_row_splits)):
            result = cls.from_row_splits(result, splits, validate=validate)
        return result

    @classmethod
    def from_tensor(cls, tensor: TensorLike, lengths: TensorLike | None = None, padding: Any = None,
                    ragged_rank: int = 1, name: str | None = None) -> RaggedTensor:  # fmt: skip
        """The rows of a tensor: of ``lengths``, or without ``padding`` at their ends."""
        dense = convert_to_tensor(tensor)
        if ragged_rank != 1 or (lengths is not None and padding is not None):
            raise ValueError("from_tensor takes ragged_rank=1, and one of lengths and padding")
        sizes = shape(dense, int64)
        places = range_of(sizes[1])
        if padding is not None:
            real = dense != dispatch.convert(padding, dense.dtype)
            lengths = reduce_max(where(real, places[None, :] + 1, zeros_like(sizes[1])), 1)
        elif lengths is None:
            lengths = zeros_like(dense[:, 0], int64) + sizes[1]
        counts = cast_op(convert_to_tensor(lengths), dtype=int64)
        return cls.from_row_lengths(boolean_mask(dense, places[None, :] < counts[:, None]), counts)

    def __tf_flatten__(self) -> tuple[Any, tuple[Any, ...]]:
        """The tensors that it stands for in a nest."""
        return None, (self._values, self._row_splits)

    @classmethod
    def __tf_unflatten__(cls, metadata: Any, components: Any) -> RaggedTensor:
        """A ragged tensor of other tensors."""
        return cls(*components)

    # -- what it is -----------------------------------------------------------------------------

    @property
    def values(self) -> Any:
        """All rows, one behind the other."""
        return self._values

    @property
    def flat_values(self) -> Any:
        """The values without any rows."""
        inner = self._values
        return inner.flat_values if isinstance(inner, RaggedTensor) else inner

    @property
    def row_splits(self) -> Any:
        """Where each row begins, and the last one ends."""
        return self._row_splits

    @property
    def nested_row_splits(self) -> tuple[Any, ...]:
        """The splits of all levels, outermost first."""
        inner = self._values
        inner_splits = inner.nested_row_splits if isinstance(inner, RaggedTensor) else ()
        return (self._row_splits, *inner_splits)

    @property
    def ragged_rank(self) -> int:
        """How many levels of rows there are."""
        return len(self.nested_row_splits)

    @property
    def dtype(self) -> DType:
        """The type of the elements."""
        return self.flat_values.dtype

    @property
    def shape(self) -> TensorShape:
        """The shape: None where rows differ."""
        inner = self._values.shape.dims
        inner_dims = () if inner is None else inner[1:]
        return TensorShape([self._count(), None, *inner_dims])

    def _count(self) -> int | None:
        dims = self._row_splits.shape.dims
        return None if dims is None or dims[0] is None else dims[0] - 1

    def _size(self) -> tuple[int | None]:
        return (self._count(),)

    def nrows(self, out_type: DTypeLike = int64) -> Any:
        """The number of rows."""
        return cast_op(shape(self._row_splits, int64)[0] - 1, dtype=as_dtype(out_type))

    def row_starts(self) -> Any:
        """Where each row begins."""
        return self._row_splits[:-1]

    def row_limits(self) -> Any:
        """Where each row ends."""
        return self._row_splits[1:]

    def row_lengths(self, axis: int = 1) -> Any:
        """The length of each row; ``axis=2`` gives those of the rows inside."""
        if axis > 1:
            return self.with_values(self._values.row_lengths(axis - 1))
        return self.row_limits() - self.row_starts()

    def value_rowids(self) -> Any:
        """The number of the row of each value."""
        return repeat(range_of(self.nrows()), self.row_lengths())

    def nested_row_lengths(self) -> tuple[Any, ...]:
        """The lengths of the rows of all levels, outermost first."""
        inner = self._values
        inner_lengths = inner.nested_row_lengths() if isinstance(inner, RaggedTensor) else ()
        return (self.row_lengths(), *inner_lengths)

    def get_shape(self) -> TensorShape:
        """The shape."""
        return self.shape

    # -- to others --------------------------------------------------------------------------------

    def with_values(self, values: TensorLike) -> RaggedTensor:
        """The same rows of other values."""
        return RaggedTensor(values, self._row_splits)

    def with_flat_values(self, values: TensorLike) -> RaggedTensor:
        """The same rows, on all levels, of other values."""
        inner = self._values
        flat = inner.with_flat_values(values) if isinstance(inner, RaggedTensor) else values
        return self.with_values(flat)

    def to_tensor(self, default_value: TensorLike | None = None, name: str | None = None,
                  shape: ShapeLike | None = None) -> Any:  # fmt: skip
        """One tensor, shorter rows filled up with ``default_value`` (0 or an empty string).

        ``shape`` may set the length of rows, cutting longer ones off.
        """
        inner = self._values
        width = None
        if shape is not None:
            dims = TensorShape(shape).dims or (None, None)
            width = dims[1] if len(dims) > 1 else None
        if isinstance(inner, RaggedTensor):
            inner = inner.to_tensor(default_value)
        if default_value is None:
            default_value = constant(b"" if self.dtype is string else 0, self.dtype)
        default = dispatch.convert(default_value, self.dtype)
        return to_tensor_op(inner, default, self._row_splits, width=width, name=name)

    def to_list(self) -> list[Any]:
        """Python lists of the rows; only eagerly."""
        inner = self._values
        items = inner.to_list() if isinstance(inner, RaggedTensor) else np.asarray(inner).tolist()
        ends = np.asarray(self._row_splits).tolist()
        return [items[a:b] for a, b in itertools.pairwise(ends)]

    def numpy(self) -> Any:
        """An array of the rows: of one array if all are equally long, else of objects."""
        rows = [np.asarray(row) for row in self.to_list()]
        if len({row.shape for row in rows}) == 1:
            return np.stack(rows)
        array = np.empty(len(rows), object)
        array[:] = rows
        return array

    def row(self, first: Any, *later_keys: Any) -> Any:
        """One row, or something within one: what ``r[i]`` and ``r[i, j]`` are."""
        if isinstance(first, int) and first < 0:
            first = first - 1 + shape(self._row_splits, int64)[0]
        start, end = self._row_splits[first], self._row_splits[first + 1]
        inner = self._values
        if isinstance(inner, RaggedTensor):
            inner_rows = inner.with_splits(inner.row_splits[start : end + 1])
            return inner_rows[tuple(later_keys)] if later_keys else inner_rows
        row = inner[start:end]
        return row[tuple(later_keys)] if later_keys else row

    def with_splits(self, row_splits: TensorLike) -> RaggedTensor:
        """Some consecutive rows, given by where they begin and end."""
        first = row_splits[0]
        inner = self._values
        if isinstance(inner, RaggedTensor):
            inner_rows = inner.with_splits(inner.row_splits[first : row_splits[-1] + 1])
            return RaggedTensor(inner_rows, row_splits - first)
        return RaggedTensor(inner[first : row_splits[-1]], row_splits - first)

    def __iter__(self) -> Iterator[Any]:
        count = self._count()
        if count is None:
            raise TypeError("how many rows there are is not known; loop over ragged.to_tensor()")
        return (self.row(k) for k in range(count))

    def __repr__(self) -> str:
        if isinstance(self._row_splits, SymbolicTensor):
            return f"<tf.RaggedTensor values={self._values!r} row_splits={self._row_splits!r}>"
        return f"<tf.RaggedTensor {self.to_list()}>"


def ragged_constant(pylist: Any, dtype: DTypeLike | None = None, ragged_rank: int | None = None,
                    name: str | None = None) -> Any:  # fmt: skip
    """Make a RaggedTensor of nested lists.

    Args:
        pylist: list of lists, whose innermost lists hold the values.
        dtype: dtype of the values.
        ragged_rank: number of ragged dimensions; by default all but the first of the nesting.
    Returns:
        RaggedTensor; a tensor if there is one level of lists only.
    """
    if not isinstance(pylist, list | tuple):
        return constant(pylist, dtype)
    depth = _depth(pylist) if ragged_rank is None else ragged_rank + 1
    if depth <= 1:
        return constant(pylist, dtype)
    lengths = [len(row) for row in pylist]
    flat = [item for row in pylist for item in row]
    inner = ragged_constant(flat, dtype, depth - 2)
    return RaggedTensor.from_row_lengths(inner, constant(lengths, int64))


def _depth(value: Any) -> int:
    if not isinstance(value, list | tuple):
        return 0
    return 1 + max(map(_depth, value), default=0)


def map_flat_values(op: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Apply an op to the flat values of ragged arguments.

    Args:
        op: function.
        args: arguments of ``op``; RaggedTensors are replaced by their flat values.
        kwargs: keyword arguments of ``op``, likewise.
    Returns:
        RaggedTensor with the rows of the first ragged argument; the result of ``op`` if there is
        none.
    """
    ragged = [a for a in (*args, *kwargs.values()) if isinstance(a, RaggedTensor)]
    if not ragged:
        return op(*args, **kwargs)

    def flat(value: Any) -> Any:
        return value.flat_values if isinstance(value, RaggedTensor) else value

    result = op(*map(flat, args), **{key: flat(value) for key, value in kwargs.items()})
    return ragged[0].with_flat_values(result)


def ragged_range(starts: TensorLike, limits: TensorLike | None = None, deltas: TensorLike = 1,
                 dtype: DTypeLike | None = None,
                 name: str | None = None) -> RaggedTensor:  # fmt: skip
    """Make rows of evenly spaced numbers.

    Args:
        starts: vector of the first numbers; without ``limits`` the ends, and rows start at 0.
        limits: vector of the ends, which are left out.
        deltas: differences of neighbours: a scalar, or a vector with one for each row.
        dtype: dtype of the numbers.
    Returns:
        RaggedTensor with a row for each start.
    """
    start, stop = (0, starts) if limits is None else (starts, limits)
    ends = convert_to_tensor(stop, None if dtype is None else as_dtype(dtype))
    begins = zeros_like(ends) + dispatch.convert(start, ends.dtype)
    ends = ends + zeros_like(begins)
    steps = zeros_like(begins) + dispatch.convert(deltas, ends.dtype)
    counts = cast_op(maximum(-((begins - ends) // steps), zeros_like(begins)), dtype=int64)
    total = concat([np.zeros(1, np.int64), cumsum(counts)], 0)
    rows = repeat(range_of(shape(counts, int64)[0]), counts)
    inside = range_of(total[-1]) - gather(total, rows)
    values = gather(begins, rows) + cast_op(inside, dtype=ends.dtype) * gather(steps, rows)
    return RaggedTensor(values, total)
