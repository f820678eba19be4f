"""The methods of datasets that put elements together and take them apart: batch, window ..."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.data import batching, cardinality
from runtime.data.base import Base, DatasetSpec
from runtime.data.component_specs import is_plain, leading_dimension, ragged_spec, width
from runtime.data.elements import Layout
from runtime.data.int_arguments import known_values, static_value, whole
from runtime.data.map_functions import Traced, giving_int64, trace_function
from runtime.data.padding import Target, targets_of, values_of, with_lengths
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.gather_scatter import gather
from runtime.ops.control_flow.print_assert import Assert
from runtime.ops.math.reduction import reduce_sum
from runtime.types import nest
from runtime.types.dtypes import as_dtype, int64
from runtime.types.shapes import TensorShape, TensorSpec

if TYPE_CHECKING:
    from runtime.data.dataset import Dataset


class Grouping(Base):
    """Methods that put elements together and take them apart."""

    def batch(
        self, batch_size: Any, drop_remainder: bool = False, num_parallel_calls: Any = None,
        deterministic: bool | None = None, name: str | None = None,
    ) -> Dataset:
        """Each ``batch_size`` consecutive elements as one, stacked along a new first axis.

        The last batch may be smaller; with ``drop_remainder`` it is left out, and the size is
        known beforehand.  InvalidArgumentError, when it runs, for elements of different shapes.
        """
        size = whole(batch_size, "batch_size")
        per = static_value(size) if drop_remainder else None
        layout = self._layout.batched(per, "Dataset.batch()")
        join = batching.joining(self._layout.encoded)
        build = functools.partial(batching.batched, drop=bool(drop_remainder), join=join)
        return self._then("Batch", build, layout, [size], name=name)

    def padded_batch(
        self, batch_size: Any, padded_shapes: Any = None, padding_values: Any = None,
        drop_remainder: bool = False, name: str | None = None,
    ) -> Dataset:
        """As ``batch``, the elements being padded to one shape before.

        ``padded_shapes`` is a nest of shapes as the element; a None or -1 stands for the largest
        size of the batch, as do unknown sizes by default.  ``padding_values`` is a nest of
        scalars, 0 or empty text by default.
        """
        self._layout.require_tensors("Dataset.padded_batch()")
        targets = targets_of(self._layout, padded_shapes)
        return self._padded_batch(batch_size, targets, padding_values, bool(drop_remainder), name)

    def _padded_batch(self, batch_size: Any, targets: list[Target], padding_values: Any, drop: bool,
                name: str | None) -> Any:  # fmt: skip
        size = whole(batch_size, "batch_size")
        per = static_value(size) if drop else None
        values = values_of(self._layout, padding_values)
        feed = iter(targets)

        def batch_of(spec: Any) -> Any:
            if not is_plain(spec):
                return spec
            return TensorSpec(TensorShape([per]).concatenate(next(feed).shape), spec.dtype)

        build = functools.partial(
            batching.padded, drop=drop, values=len(values), specs=self._layout.flat
        )
        sizes = [target.sizes for target in targets]
        layout = self._layout.mapped(batch_of)
        return self._then("PaddedBatch", build, layout, [size, *sizes, *values], name=name)

    def unbatch(self, name: str | None = None) -> Dataset:
        """The entries of each element along its first axis, one by one."""
        entry_layout = self._layout.unbatched("Dataset.unbatch()")
        specs = self._layout.encoded
        build = functools.partial(
            batching.unbatched, per=leading_dimension(specs), specs=specs
        )
        return self._then("Unbatch", build, entry_layout, name=name)

    def rebatch(
        self, batch_size: Any, drop_remainder: bool = False, name: str | None = None
    ) -> Dataset:
        """The same entries in batches of another size, or of sizes that take turns.

        TypeError for a size 0 among the sizes where elements hold more than tensors.
        """
        sizes = convert_to_tensor(batch_size)
        if not sizes.dtype.is_integer or sizes.shape.rank not in (0, 1):
            raise TypeError(f"batch_size must be a whole number, or a list, got {batch_size!r}")
        entry_layout, specs = self._layout.unbatched("Dataset.rebatch()"), self._layout.encoded
        static_sizes = known_values(sizes)
        if static_sizes is None or 0 in static_sizes:
            self._layout.require_tensors("Dataset.rebatch() with sizes that may be 0")
        per = static_sizes[0] if static_sizes and len(set(static_sizes)) == 1 else None
        before = leading_dimension(specs)
        if not drop_remainder and (before is None or not per or before % per):
            per = None
        layout = entry_layout.batched(per, "Dataset.rebatch()")
        build = functools.partial(
            batching.rebatched, drop=bool(drop_remainder),
            join=batching.joining(entry_layout.encoded), specs=specs,
            entry_specs=entry_layout.rows,
        )  # fmt: skip
        return self._then("Rebatch", build, layout, [cast(sizes, int64)], name=name)

    def window(
        self, size: Any, shift: Any = None, stride: Any = 1, drop_remainder: bool = False,
        name: str | None = None,
    ) -> Dataset:
        """Datasets of ``size`` elements each, ``stride`` apart.

        The next begins ``shift`` elements (``size`` by default) after the one before.  An element
        with several components becomes one of as many datasets.
        """
        numbers = [
            whole(size, "size"), whole(size if shift is None else shift, "shift"),
            whole(stride, "stride"),
        ]  # fmt: skip
        specs = [DatasetSpec(spec) for spec in self._layout.flat]
        layout = Layout(nest.pack_sequence_as(self._layout.spec, specs))
        widths = [width(spec) for spec in self._layout.flat]
        build = functools.partial(batching.windowed, drop=bool(drop_remainder), widths=widths)
        return self._then("Window", build, layout, numbers, name=name)

    def group_by_window(
        self, key_func: Callable[..., Any], reduce_func: Callable[..., Any],
        window_size: int | None = None, window_size_func: Callable[..., Any] | None = None,
        name: str | None = None,
    ) -> Dataset:
        """The elements of ``reduce_func(key, window)``, a window holding elements of one key.

        ``key_func`` gives an int64 scalar.  A window ends after ``window_size`` elements, or
        ``window_size_func(key)``: ValueError unless exactly one of them is given.
        """
        if (window_size is None) == (window_size_func is None):
            raise ValueError("Must pass exactly one of `window_size` or `window_size_func`.")
        caller = "Dataset.group_by_window()"
        key = trace_function(giving_int64(key_func, caller), [self._layout], caller)
        scalar = Layout(TensorSpec((), int64))
        window = DatasetSpec(self._layout.spec)
        reduce_graph = _traced_with_window(reduce_func, scalar, window, self._layout, caller)
        functions = [key, reduce_graph]
        if window_size_func is not None:
            functions.append(
                trace_function(giving_int64(window_size_func, caller), [scalar], caller)
            )
        build = functools.partial(
            batching.grouped, windows=0 if window_size is None else int(window_size)
        )
        layout = Layout(reduce_graph.layout.spec.element_spec)
        return self._then("GroupByWindow", build, layout, (), functions, name)

    def bucket_by_sequence_length(
        self, element_length_func: Callable[..., Any], bucket_boundaries: Any,
        bucket_batch_sizes: Any, padded_shapes: Any = None, padding_values: Any = None,
        pad_to_bucket_boundary: bool = False, no_padding: bool = False,
        drop_remainder: bool = False, name: str | None = None,
    ) -> Dataset:
        """Padded batches of elements of about the same length.

        Elements whose length is below ``bucket_boundaries[k]`` come in batches of
        ``bucket_batch_sizes[k]``, which has one entry more.
        """
        bounds, sizes = list(bucket_boundaries), list(bucket_batch_sizes)
        if len(sizes) != len(bounds) + 1:
            raise ValueError(
                f"`len(bucket_batch_sizes)` must equal `len(bucket_boundaries) + 1` but "
                f"`len(bucket_batch_sizes)={len(sizes)}` and "
                f"`len(bucket_boundaries)={len(bounds)}`."
            )
        if pad_to_bucket_boundary and no_padding:
            raise ValueError("pad_to_bucket_boundary and no_padding exclude each other")
        limits = np.array(bounds, np.int64)
        counts = np.array(sizes, np.int64)

        def key(*element: Any) -> Any:
            length = cast(element_length_func(*element), int64)
            return reduce_sum(cast(length >= limits, int64))

        def window_size(bucket: Any) -> Any:
            return gather(counts, bucket)

        def batches(bucket: Any, window: Any) -> Any:
            size = window_size(bucket)
            if no_padding:
                return window.batch(size, drop_remainder)
            if not pad_to_bucket_boundary:
                return window.padded_batch(size, padded_shapes, padding_values, drop_remainder)
            Assert(bucket < len(bounds), ["longer than all of bucket_boundaries", limits])
            targets = with_lengths(
                targets_of(window._layout, padded_shapes), gather(limits, bucket) - 1
            )
            return window._padded_batch(size, targets, padding_values, drop_remainder, None)

        return self.group_by_window(key, batches, window_size_func=window_size, name=name)

    def ragged_batch(
        self, batch_size: Any, drop_remainder: bool = False, row_splits_dtype: Any = int64,
        name: str | None = None,
    ) -> Dataset:
        """As ``batch``, for elements whose sizes differ: those components become RaggedTensors.

        ValueError for splits of another dtype than int64.
        """
        if as_dtype(row_splits_dtype) is not int64:
            raise ValueError("Dataset.ragged_batch: row_splits_dtype must be int64 here, got "
                             f"{as_dtype(row_splits_dtype).name}")  # fmt: skip
        layout = self._layout.mapped(ragged_spec)
        build = functools.partial(
            batching.ragged, specs=self._layout.flat, ragged_specs=layout.flat
        )
        rows = self._then("RaggedBatch", build, layout, name=name)
        return rows.batch(batch_size, drop_remainder, name=name)

    def sparse_batch(self, *args: Any, **kwargs: Any) -> Any:
        """NotImplementedError: there are no sparse tensors; use ``padded_batch``."""
        raise NotImplementedError(
            "Dataset.sparse_batch: there are no sparse tensors here. Use padded_batch."
        )

    def assert_cardinality(self, expected_cardinality: Any) -> Dataset:
        """The same elements; FailedPreconditionError at the end unless there are as many."""
        count = whole(expected_cardinality, "expected_cardinality")
        return self._then("AssertCardinality", cardinality.checked, inputs=[count])


def _traced_with_window(
    function: Any, key: Layout, window: DatasetSpec, element: Layout, caller: str
) -> Traced:
    """A function of a key and a dataset of rows, traced; TypeError unless it gives a dataset."""
    reduce_graph = trace_function(function, [key, Layout(window)], caller, spread=False)
    if not isinstance(reduce_graph.layout.spec, DatasetSpec):
        raise TypeError(f"The reduce_func of {caller} must return a `Dataset` object.")
    return reduce_graph
