"""The methods of datasets that put elements together and take them apart: batch, window ..."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from runtime import nest
from runtime.data import batching, sources
from runtime.data.base import Base, DatasetSpec
from runtime.data.component_specs import is_plain, leading_dimension, ragged_spec, width
from runtime.data.elements import Layout
from runtime.data.functions import Traced, converted, traced
from runtime.data.numbers import known, whole
from runtime.dtypes import as_dtype, int64
from runtime.ops.constants import cast, constant, convert_to_tensor
from runtime.ops.effects import Assert
from runtime.ops.gathering import gather
from runtime.ops.joining import stack
from runtime.ops.reduction import reduce_sum
from runtime.types import TensorShape, TensorSpec


class Grouping(Base):
    """Methods that put elements together and take them apart."""

    def batch(
        self, batch_size: Any, drop_remainder: bool = False, num_parallel_calls: Any = None,
        deterministic: bool | None = None, name: str | None = None,
    ) -> Any:
        """Each ``batch_size`` consecutive elements as one, stacked along a new first axis.

        The last batch may be smaller; with ``drop_remainder`` it is left out, and the size is
        known beforehand.  InvalidArgumentError, when it runs, for elements of different shapes.
        """
        size = whole(batch_size, "batch_size")
        per = known(size) if drop_remainder else None
        layout = self._layout.batched(per, "Dataset.batch()")
        join = batching.joining(self._layout.flat)
        build = functools.partial(batching.batched, drop=bool(drop_remainder), join=join)
        return self._then("Batch", build, layout, [size], name=name)

    def padded_batch(
        self, batch_size: Any, padded_shapes: Any = None, padding_values: Any = None,
        drop_remainder: bool = False, name: str | None = None,
    ) -> Any:
        """As ``batch``, the elements being padded to one shape before.

        ``padded_shapes`` is a nest of shapes as the element; a None or -1 stands for the largest
        size of the batch, as do unknown sizes by default.  ``padding_values`` is a nest of
        scalars, 0 or empty text by default.
        """
        self._layout.require_tensors("Dataset.padded_batch()")
        size = whole(batch_size, "batch_size")
        shapes = _padded_shapes(self._layout, padded_shapes)
        values = _padding_values(self._layout, padding_values)
        per = known(size) if drop_remainder else None
        specs = [
            TensorSpec(TensorShape([per]).concatenate(TensorShape(shape)), spec.dtype)
            for shape, spec in zip(shapes, _tensors_in(self._layout), strict=True)
        ]
        vectors = [[-1 if d is None else d for d in shape] for shape in shapes]
        return self._padded(size, specs, vectors, values, bool(drop_remainder), name)

    def _padded(self, size: Any, specs: list[TensorSpec], vectors: Any, values: Any, drop: bool,
                name: str | None) -> Any:  # fmt: skip
        """Batches of ``specs``; ``vectors`` are the sizes to pad to, which may be tensors."""
        feed = iter(specs)
        layout = self._layout.mapped(lambda spec: next(feed) if is_plain(spec) else spec)
        sizes = [convert_to_tensor(vector, dtype_hint=int64) for vector in vectors]
        build = functools.partial(
            batching.padded, drop=drop, values=len(values), specs=self._layout.flat
        )
        return self._then("PaddedBatch", build, layout, [size, *sizes, *values], name=name)

    def unbatch(self, name: str | None = None) -> Any:
        """The entries of each element along its first axis, one by one."""
        parts = self._layout.unbatched("Dataset.unbatch()")
        specs = self._layout.flat
        build = functools.partial(
            batching.unbatched, per=leading_dimension(specs), specs=specs
        )
        return self._then("Unbatch", build, parts, name=name)

    def rebatch(
        self, batch_size: Any, drop_remainder: bool = False, name: str | None = None
    ) -> Any:
        """The same entries in batches of another size."""
        batches = self.unbatch(name).batch(batch_size, drop_remainder, name=name)
        return self._made(batches._variant_tensor, batches._layout, "Rebatch")

    def window(
        self, size: Any, shift: Any = None, stride: Any = 1, drop_remainder: bool = False,
        name: str | None = None,
    ) -> Any:
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
    ) -> Any:
        """The elements of ``reduce_func(key, window)``, a window holding elements of one key.

        ``key_func`` gives an int64 scalar.  A window ends after ``window_size`` elements, or
        ``window_size_func(key)``: ValueError unless exactly one of them is given.
        """
        if (window_size is None) == (window_size_func is None):
            raise ValueError("Must pass exactly one of `window_size` or `window_size_func`.")
        what = "Dataset.group_by_window()"
        key = traced(_giving_int64(key_func, what), [self._layout], what)
        scalar = Layout(TensorSpec((), int64))
        window = DatasetSpec(self._layout.spec)
        made = _traced_with_window(reduce_func, scalar, window, self._layout, what)
        functions = [key, made]
        if window_size_func is not None:
            functions.append(traced(_giving_int64(window_size_func, what), [scalar], what))
        build = functools.partial(
            batching.grouped, windows=0 if window_size is None else int(window_size)
        )
        layout = Layout(made.layout.spec.element_spec)
        return self._then("GroupByWindow", build, layout, (), functions, name)

    def bucket_by_sequence_length(
        self, element_length_func: Callable[..., Any], bucket_boundaries: Any,
        bucket_batch_sizes: Any, padded_shapes: Any = None, padding_values: Any = None,
        pad_to_bucket_boundary: bool = False, no_padding: bool = False,
        drop_remainder: bool = False, name: str | None = None,
    ) -> Any:
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
            Assert(bucket < len(bounds), [bucket])
            return _padded_to(
                window, size, gather(limits, bucket) - 1, padded_shapes, padding_values,
                drop_remainder,
            )  # fmt: skip

        return self.group_by_window(key, batches, window_size_func=window_size, name=name)

    def ragged_batch(
        self, batch_size: Any, drop_remainder: bool = False, row_splits_dtype: Any = int64,
        name: str | None = None,
    ) -> Any:
        """As ``batch``, for elements whose sizes differ: those components become RaggedTensors.

        ValueError for splits of another dtype than int64.
        """
        if as_dtype(row_splits_dtype) is not int64:
            raise ValueError("Dataset.ragged_batch: row_splits_dtype must be int64 here, got "
                             f"{as_dtype(row_splits_dtype).name}")  # fmt: skip
        layout = self._layout.mapped(ragged_spec)
        build = functools.partial(batching.ragged, specs=self._layout.flat, wanted=layout.flat)
        rows = self._then("RaggedBatch", build, layout, name=name)
        return rows.batch(batch_size, drop_remainder, name=name)

    def sparse_batch(self, *args: Any, **kwargs: Any) -> Any:
        """NotImplementedError: there are no sparse tensors; use ``padded_batch``."""
        raise NotImplementedError(
            "Dataset.sparse_batch: there are no sparse tensors here. Use padded_batch."
        )

    def assert_cardinality(self, expected_cardinality: Any) -> Any:
        """The same elements; FailedPreconditionError at the end unless there are as many."""
        count = whole(expected_cardinality, "expected_cardinality")
        return self._then("AssertCardinality", sources.checked, inputs=[count])


def _giving_int64(function: Any, what: str) -> Callable[..., Any]:
    """The function with its result as a scalar int64 tensor; ValueError for another dtype."""
    call = converted(function, what)

    @functools.wraps(function, assigned=("__name__",), updated=())
    def number(*args: Any) -> Any:
        result = convert_to_tensor(call(*args), int64)
        if not result.shape.is_compatible_with(()):
            raise ValueError(f"{what}: a key or window size must be a scalar, got {result!r}")
        return result

    return number


def _traced_with_window(
    function: Any, key: Layout, window: DatasetSpec, element: Layout, what: str
) -> Traced:
    """A function of a key and a dataset of rows, traced; TypeError unless it gives a dataset."""
    made = traced(function, [key, Layout(window)], what, spread=False)
    if not isinstance(made.layout.spec, DatasetSpec):
        raise TypeError(f"The reduce_func of {what} must return a `Dataset` object.")
    return made


def _padded_to(
    window: Any, size: Any, length: Any, shapes: Any, values: Any, drop: bool
) -> Any:
    """Batches of a window, what has no size being padded to a length."""
    layout = window._layout
    wanted = _padded_shapes(layout, shapes)
    vectors = [
        stack([length if d is None else constant(d, int64) for d in shape]) if shape else []
        for shape in wanted
    ]
    specs = [
        TensorSpec([None, *shape], spec.dtype)
        for shape, spec in zip(wanted, _tensors_in(layout), strict=True)
    ]
    return window._padded(size, specs, vectors, _padding_values(layout, values), drop, None)


def _tensors_in(layout: Layout) -> list[TensorSpec]:
    return [spec for spec in layout.flat if is_plain(spec)]


def _padded_shapes(layout: Layout, shapes: Any) -> list[list[int | None]]:
    """The shape to pad each component to, None standing for the largest size."""
    if shapes is None:
        for spec in _tensors_in(layout):
            if spec.shape.rank is None:
                raise ValueError(
                    "You must provide `padded_shapes` argument because component of unknown rank "
                    f"was found: {layout.spec}"
                )
        return [spec.shape.as_list() for spec in _tensors_in(layout)]
    flat = _matching(layout.spec, shapes, "padded_shapes")
    found: list[list[int | None]] = []
    for given, spec in zip(flat, layout.flat, strict=True):
        if not is_plain(spec):
            continue
        dims = given if isinstance(given, TensorShape) else np.atleast_1d(np.array(given, object))
        sizes = [None if d is None or int(d) < 0 else int(d) for d in dims]
        rank = spec.shape.rank
        if rank is not None and len(sizes) != rank:
            raise ValueError(
                f"The padded shape {tuple(sizes)} is not compatible with the shape {spec.shape} "
                "of the corresponding input component."
            )
        for size, has in zip(sizes, spec.shape.dims or ()):
            if size is not None and has is not None and has > size:
                raise ValueError(
                    f"The padded shape {tuple(sizes)} is not compatible with the shape "
                    f"{spec.shape} of the corresponding input component."
                )
        found.append(sizes)
    return found


def _matching(spec: Any, given: Any, what: str) -> list[Any]:
    """The entries of a nest as the element, a list or shape being one entry."""
    if not nest.is_nested(spec):
        return [given]
    if isinstance(given, TensorShape):
        raise ValueError(f"{what}={given!r} must be a nest as the element: {spec}")
    if isinstance(spec, Mapping):
        same = isinstance(given, Mapping) and spec.keys() == given.keys()
    else:
        same = nest.is_nested(given) and len(nest.entries(given)) == len(nest.entries(spec))
    if not same:
        raise ValueError(f"{what}={given!r} must be a nest as the element: {spec}")
    pairs = zip(nest.entries(spec), nest.entries(given), strict=True)
    return [leaf for (_, s), (_, g) in pairs for leaf in _matching(s, g, what)]


def _padding_values(layout: Layout, values: Any) -> list[Any]:
    """The value to pad each component with, as tensors."""
    if values is None or not nest.is_nested(values):
        flat = [values] * len(layout.flat)
    else:
        flat = _matching(layout.spec, values, "padding_values")
    found: list[Any] = []
    for value, spec in zip(flat, layout.flat, strict=True):
        if not is_plain(spec):
            continue
        default: Any = b"" if spec.dtype.as_numpy_dtype is object else 0
        tensor = _zero(spec) if value is None else convert_to_tensor(value, spec.dtype)
        if not tensor.shape.is_compatible_with(()):
            raise ValueError(f"A padding value must be a scalar, got {value!r}, not {default!r}")
        found.append(tensor)
    return found


def _zero(spec: TensorSpec) -> Any:
    kind: Any = b"" if spec.dtype.as_numpy_dtype is object else 0
    return convert_to_tensor(np.full((), kind, spec.dtype.as_numpy_dtype))
