"""What datasets do at run time to put rows together and take them apart: batches and windows."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.composite.type_spec import RaggedTensorSpec, SparseTensorSpec
from runtime.data.component_specs import is_plain, width
from runtime.data.elements import entries_of, leading_size
from runtime.data.ragged_batches import ragged_entries, ragged_of, ragged_stacked
from runtime.data.sources import Rows, chained, stepping
from runtime.data.sparse_batches import sparse_entries, sparse_stacked
from runtime.ops.resource.dataset import INFINITE, UNKNOWN, DatasetSource, Handles, Row
from runtime.types.errors import DataLossError, InvalidArgumentError

Stack = Callable[[Sequence[Any], int], Any]
"""Makes one array of a component of several rows; the number is the component's."""


def stacked(values: Sequence[Any], component: int) -> Any:
    """Arrays of one shape as one array; InvalidArgumentError when a shape differs."""
    first = values[0].shape
    if len({value.shape for value in values}) > 1:
        number, misfit = next((n, v) for n, v in enumerate(values) if v.shape != first)
        raise InvalidArgumentError(
            f"Cannot batch tensors with different shapes in component {component}. First element "
            f"had shape {list(first)} and element {number} had shape {list(misfit.shape)}."
        )
    if first:
        return np.stack(values)
    if values[0].dtype.kind == "O":
        return np.array([value[()] for value in values], object)
    return np.array(values)


def padding(shapes: Sequence[Any], values: Sequence[Any]) -> Stack:
    """A way to stack that pads with these values to these sizes (None: the batch's largest)."""

    def stack(arrays: Sequence[Any], component: int) -> Any:
        arrays = [np.asarray(a) for a in arrays]
        target = shapes[component]
        rank = arrays[0].ndim
        if any(a.ndim != rank for a in arrays) or (target is not None and len(target) != rank):
            raise InvalidArgumentError(
                f"All elements in a batch must have the same rank as the padded shape for "
                f"component {component}: expected rank "
                f"{rank if target is None else len(target)} but got elements with ranks "
                f"{[a.ndim for a in arrays]}"
            )
        largest = [max(sizes) for sizes in zip(*[a.shape for a in arrays])] if rank else []
        dims = [m if d is None else d for d, m in zip(target or [None] * rank, largest)]
        for number, array in enumerate(arrays):
            if any(have > room for have, room in zip(array.shape, dims)):
                raise DataLossError(
                    f"Attempted to pad to a smaller size than the input element: element {number} "
                    f"of component {component} has shape {list(array.shape)}, the padded shape is "
                    f"{dims}."
                )
        result = np.full((len(arrays), *dims), values[component], arrays[0].dtype)
        for number, array in enumerate(arrays):
            index: tuple[Any, ...] = (number, *[slice(size) for size in array.shape])
            result[index] = array
        return result

    return stack


def _batch_size(value: Any, name: str = "batch_size") -> int:
    size = int(value)
    if size < 1:
        raise InvalidArgumentError(f"{name} must be greater than zero, got {size}")
    return size


def _count(size: int, per: int, drop: bool) -> int:
    if size < 0:
        return size
    return size // per if drop else -(-size // per)


Join = Callable[[Sequence[Row]], Row]
"""Makes one row of several."""


def joining(specs: Sequence[Any], stack: Stack = stacked) -> Join:
    """A way to make one row of several with components of these types, tensors by ``stack``."""
    if all(map(is_plain, specs)):
        return lambda rows: tuple([stack(column, k) for k, column in enumerate(zip(*rows))])

    def join(rows: Sequence[Row]) -> Row:
        columns = iter(zip(*rows))
        values: list[Any] = []
        for number, spec in enumerate(specs):
            component_columns = list(itertools.islice(columns, width(spec)))
            if is_plain(spec):
                values.append(stack(component_columns[0], number))
            elif isinstance(spec, RaggedTensorSpec):
                values += ragged_stacked(list(zip(*component_columns)))
            elif isinstance(spec, SparseTensorSpec):
                values += sparse_stacked(list(zip(*component_columns)))
            else:
                values += [Handles(column) for column in component_columns]
        return tuple(values)

    return join


def split(row: Row, specs: Sequence[Any], caller: str) -> tuple[Rows, int]:
    """The entries of a row's components, side by side, and their number."""
    if all(map(is_plain, specs)):
        size = leading_size(row, caller)
        return zip(*map(entries_of, row)), size
    values = iter(row)
    columns: list[Any] = []
    counted: list[Any] = []
    for spec in specs:
        component_values = list(itertools.islice(values, width(spec)))
        if isinstance(spec, RaggedTensorSpec) and spec.ragged_rank:
            columns.append(ragged_entries(component_values))
            counted.append(component_values[1][1:])  # one end for each row
        elif isinstance(spec, SparseTensorSpec):
            columns.append(sparse_entries(component_values))
            counted.append(np.empty(component_values[2][0], bool))  # of so many entries
        elif component_values:
            columns.append(_singly(component_values[0]))
            counted.append(component_values[0])
    size = leading_size(counted, caller)
    return (tuple(itertools.chain(*entry)) for entry in zip(*columns)), size


def _singly(array: Any) -> Rows:
    for entry in entries_of(array):
        yield (entry,)


def slices(*arrays: Any, specs: Sequence[Any]) -> DatasetSource:
    """The entries of the components of one row."""
    caller = "Dataset.from_tensor_slices"
    return DatasetSource(lambda: split(arrays, specs, caller)[0], split(arrays, specs, caller)[1])


def batched(source: DatasetSource, size: Any, *, drop: bool, join: Join) -> DatasetSource:
    """Each ``size`` rows as one; the last may be of fewer, unless ``drop``."""
    per = _batch_size(size)

    def open() -> Rows:
        rows = source.open()

        def step() -> Row:
            chunk = list(itertools.islice(rows, per))
            if not chunk or (drop and len(chunk) < per):
                raise StopIteration
            return join(chunk)

        return stepping(step)

    return DatasetSource(open, _count(source.size, per, drop))


def ragged(
    source: DatasetSource, *, specs: Sequence[Any], ragged_specs: Sequence[Any]
) -> DatasetSource:
    """The rows, tensors that ``ragged_specs`` have ragged being so."""

    def parts(row: Row) -> Row:
        values = iter(row)
        values_out: list[Any] = []
        for spec, target in zip(specs, ragged_specs, strict=True):
            component_values = list(itertools.islice(values, width(spec)))
            values_out += (
                component_values
                if spec == target
                else ragged_of(np.asarray(component_values[0]), target.ragged_rank)
            )
        return tuple(values_out)

    return DatasetSource(lambda: map(parts, source.open()), source.size)


def rebatched(source: DatasetSource, sizes: Any, *, drop: bool, join: Join, specs: Sequence[Any],
              entry_specs: Sequence[Any]) -> DatasetSource:  # fmt: skip
    """The entries of rows in batches of sizes that take turns; a batch of size 0 is empty."""
    sizes_in_order = [int(size) for size in np.atleast_1d(sizes)]
    if min(sizes_in_order) < 0 or not any(sizes_in_order):
        raise InvalidArgumentError(
            f"Dataset.rebatch: sizes must be 0 or more, and one of them more, got {sizes_in_order}"
        )
    entries = unbatched(source, per=None, specs=specs)
    nothing = tuple([np.empty((0, *[d or 0 for d in p.shape]), p.dtype.as_numpy_dtype)
                     for p in entry_specs])  # fmt: skip

    def open() -> Rows:
        rows = entries.open()
        following = itertools.cycle(sizes_in_order)
        empty = nothing

        def step() -> Row:
            nonlocal empty
            size = next(following)
            if not size:
                return empty
            chunk = list(itertools.islice(rows, size))
            if not chunk or (drop and len(chunk) < size):
                raise StopIteration
            batch = join(chunk)
            if 0 in sizes_in_order:
                empty = tuple([array[:0] for array in batch])
            return batch

        return stepping(step)

    return DatasetSource(open, INFINITE if source.size == INFINITE else UNKNOWN)


def padded(
    source: DatasetSource, size: Any, *inputs: Any, drop: bool, values: int, specs: Sequence[Any]
) -> DatasetSource:
    """As batched, with the entries padded: ``inputs`` are shapes (-1: any) and padding values."""
    sizes = inputs[: len(inputs) - values]
    if any(min(size, default=0) < -1 for size in sizes):
        raise InvalidArgumentError(
            f"Dataset.padded_batch: sizes must be 0 or more, or -1 for any, got {sizes}"
        )
    shapes = [[None if d < 0 else int(d) for d in size] for size in sizes]
    fills = [value[()] for value in map(np.asarray, inputs[len(sizes) :])]
    join = joining([spec for spec in specs if is_plain(spec)], padding(shapes, fills))
    return batched(source, size, drop=drop, join=join)


def unbatched(source: DatasetSource, *, per: int | None, specs: Sequence[Any]) -> DatasetSource:
    """The entries of each row's arrays along their first axis."""

    def open() -> Rows:
        outer = source.open()
        return chained(lambda: split(next(outer), specs, "Dataset.unbatch")[0])

    is_finite = source.size >= 0 and per is not None
    size = source.size * (per or 0) if is_finite else min(source.size, UNKNOWN)
    return DatasetSource(open, INFINITE if source.size == INFINITE and per else size)


def windowed(
    source: DatasetSource, size: Any, shift: Any, stride: Any, *, drop: bool, widths: Sequence[int]
) -> DatasetSource:
    """Datasets of ``size`` rows each, ``stride`` apart, the next beginning ``shift`` later.

    A dataset for each component; ``widths`` says how many values of a row each has.
    """
    per, by, apart = (
        _batch_size(v, n) for v, n in ((size, "size"), (shift, "shift"), (stride, "stride"))
    )
    reach = (per - 1) * apart + 1

    def open() -> Rows:
        rows = source.open()
        buffer: deque[Any] = deque()
        gap = 0

        def fill() -> None:
            """Hold as many rows as a window reaches over, or why one could not be made."""
            while len(buffer) < reach:
                try:
                    buffer.append(next(rows))
                except StopIteration:
                    return
                except Exception as error:
                    buffer.append(error)

        def step() -> Row:
            nonlocal gap
            while gap:
                gap -= 1
                next(rows)
            fill()
            if not buffer or (drop and len(buffer) < reach):
                raise StopIteration
            window = list(buffer)[::apart][:per]
            for _ in range(min(by, len(buffer))):
                buffer.popleft()
            gap = max(by - reach, 0)
            for row in window:
                if isinstance(row, Exception):
                    raise row
            values = [iter(row) for row in window]
            return tuple([
                _rows_source([tuple(itertools.islice(row, count)) for row in values])
                for count in widths
            ])

        return stepping(step)

    total = source.size
    if total >= 0:
        total = max((total - reach) // by + 1, 0) if drop else -(-total // by)
    return DatasetSource(open, total)


def _rows_source(rows: list[Row]) -> DatasetSource:
    return DatasetSource(lambda: iter(rows), len(rows))


def grouped(source: DatasetSource, *functions: Any, windows: int) -> DatasetSource:
    """Datasets of up to a number of rows of one key each, as another function makes rows of them.

    ``functions``: the key of a row, the rows of a key and a window, and the window's size for a
    key unless it is always ``windows``.
    """
    key_of, reduce, *sizes = functions

    def open() -> Rows:
        rows = source.open()
        groups: dict[int, list[Row]] = {}
        room: dict[int, int] = {}
        group_rows: Rows = iter(())

        def group_of(key: int) -> list[Row]:
            if key not in groups:
                most = sizes[0](np.int64(key))[0] if sizes else windows
                groups[key], room[key] = [], _batch_size(most, "window_size")
            return groups[key]

        def reduce_group(key: int) -> Rows:
            window = groups.pop(key)
            return reduce(np.int64(key), _rows_source(window))[0].open()

        def step() -> Row:
            nonlocal group_rows
            while True:
                for row in group_rows:
                    return row
                for row in rows:
                    key = int(key_of(*row)[0])
                    group = group_of(key)
                    group.append(row)
                    if len(group) == room[key]:
                        group_rows = reduce_group(key)
                        break
                else:
                    if not groups:
                        raise StopIteration
                    group_rows = reduce_group(min(groups))

        return stepping(step)

    return DatasetSource(open, UNKNOWN)
