"""The methods of datasets that take elements one by one: map, filter, take, repeat ..."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from runtime.data import cardinality, interleaving, prefetching, sources
from runtime.data.base import Base, DatasetSpec
from runtime.data.elements import Layout, as_element, components, spec_of
from runtime.data.int_arguments import whole
from runtime.data.map_functions import Traced, trace_function
from runtime.data.scan_reduce import carried_on, reduce_dataset
from runtime.types.dtypes import int32, int64, string
from runtime.types.errors import InvalidArgumentError
from runtime.types.shapes import TensorSpec

if TYPE_CHECKING:
    from runtime.data.dataset import Dataset


class Transformations(Base):
    """Methods that take elements one by one."""

    def map(
        self, map_func: Callable[..., Any], num_parallel_calls: Any = None,
        deterministic: bool | None = None, synchronous: bool | None = None,
        use_unbounded_threadpool: bool = False, name: str | None = None,
    ) -> Dataset:
        """``map_func`` of each element.

        The function is traced once, as ``runtime.function`` does; a tuple's components are its
        arguments.  With ``num_parallel_calls`` (a number, or AUTOTUNE) threads work on several
        elements at a time; their order stays, unless ``deterministic=False``.
        """
        function = trace_function(map_func, [self._layout], "Dataset.map()")
        if num_parallel_calls is None or synchronous:
            return self._then("Map", sources.mapped, function.layout, (), [function], name)
        ordered = deterministic is None or deterministic
        build = functools.partial(prefetching.parallel_mapped, ordered=ordered)
        count = whole(num_parallel_calls, "num_parallel_calls")
        return self._then("ParallelMap", build, function.layout, [count], [function], name)

    def filter(self, predicate: Callable[..., Any], name: str | None = None) -> Dataset:
        """The elements for which ``predicate`` gives a true scalar bool (else ValueError)."""
        function = trace_function(predicate, [self._layout], "Dataset.filter()")
        function.require_bool()
        return self._then("Filter", sources.filtered, functions=[function], name=name)

    def take_while(self, predicate: Callable[..., Any], name: str | None = None) -> Dataset:
        """The elements before the first for which ``predicate`` is false."""
        function = trace_function(predicate, [self._layout], "Dataset.take_while()")
        function.require_bool()
        return self._then("TakeWhile", sources.taken_while, functions=[function], name=name)

    def take(self, count: Any, name: str | None = None) -> Dataset:
        """The first ``count`` elements; all of them for -1."""
        return self._then("Take", sources.taken, inputs=[whole(count, "count")], name=name)

    def skip(self, count: Any, name: str | None = None) -> Dataset:
        """All but the first ``count`` elements; none for -1."""
        return self._then("Skip", sources.skipped, inputs=[whole(count, "count")], name=name)

    def repeat(self, count: Any = None, name: str | None = None) -> Dataset:
        """The elements ``count`` times; without end for None or -1."""
        times = whole(-1 if count is None else count, "count")
        return self._then("Repeat", sources.repeated, inputs=[times], name=name)

    def shard(self, num_shards: Any, index: Any, name: str | None = None) -> Dataset:
        """Every ``num_shards``-th element, beginning with number ``index``."""
        numbers = [whole(num_shards, "num_shards"), whole(index, "index")]
        return self._then("Shard", sources.sharded, inputs=numbers, name=name)

    def enumerate(self, start: Any = 0, name: str | None = None) -> Dataset:
        """Pairs of a number, counted from ``start``, and an element."""
        layout = Layout((TensorSpec((), int64), self._layout.spec))
        first = whole(start, "start")
        return self._then("Zip", sources.enumerated, layout, [first], name=name)

    def concatenate(self, dataset: Any, name: str | None = None) -> Dataset:
        """The elements of this dataset, then those of another of like elements.

        TypeError when the types of the elements differ.
        """
        layout = joint_layout([self, dataset], "Dataset.concatenate()")
        build = sources.concatenated
        return self._then("Concatenate", build, layout, name=name, more_parents=[dataset])

    def unique(self, name: str | None = None) -> Dataset:
        """The elements without those that came before; TypeError but for int32, int64, string."""
        self._layout.require_arrays("Dataset.unique()")
        for spec in self._layout.flat:
            if getattr(spec, "dtype", None) not in (int32, int64, string):
                raise TypeError(
                    "`tf.data.Dataset.unique()` only supports tensors of `tf.int32`, `tf.int64` "
                    f"and `tf.string`, but got elements {self._layout.spec}."
                )
        return self._then("Unique", sources.unique, name=name)

    def flat_map(self, map_func: Callable[..., Any], name: str | None = None) -> Dataset:
        """The elements of the datasets that ``map_func`` makes, one dataset after the other."""
        function, layout = _making_datasets(map_func, self._layout, "Dataset.flat_map()")
        return self._then("FlatMap", sources.flat_mapped, layout, (), [function], name)

    def interleave(
        self, map_func: Callable[..., Any], cycle_length: int | None = None,
        block_length: int | None = None, num_parallel_calls: Any = None,
        deterministic: bool | None = None, name: str | None = None,
    ) -> Dataset:
        """The elements of the datasets that ``map_func`` makes, taken in turns.

        ``cycle_length`` datasets are open at a time (None: as many as there are processors), and
        ``block_length`` elements come from each before the next is asked.  With
        ``num_parallel_calls`` each is gone through in a thread of its own; the order is the same.
        """
        function, layout = _making_datasets(map_func, self._layout, "Dataset.interleave()")
        cycle = prefetching.AUTOTUNE if cycle_length is None else int(cycle_length)
        block = 1 if block_length is None else int(block_length)
        if block < 1:
            raise InvalidArgumentError(f"block_length must be greater than zero, got {block}")
        if cycle < 1 and cycle != prefetching.AUTOTUNE:
            raise InvalidArgumentError(
                f"cycle_length must be greater than zero or AUTOTUNE, got {cycle}"
            )
        build = functools.partial(
            interleaving.interleaved, cycle=prefetching.worker_count(cycle), block=block,
            ahead=num_parallel_calls is not None,
        )  # fmt: skip
        kind = "Interleave" if num_parallel_calls is None else "ParallelInterleave"
        return self._then(kind, build, layout, (), [function], name)

    def prefetch(self, buffer_size: Any, name: str | None = None) -> Dataset:
        """The elements, up to ``buffer_size`` of them made in the background beforehand."""
        size = whole(-1 if buffer_size is None else buffer_size, "buffer_size")
        return self._then("Prefetch", prefetching.prefetched, inputs=[size], name=name)

    def cache(self, filename: Any = "", name: str | None = None) -> Dataset:
        """Keep the elements from the first complete iteration on: in memory, or in a file.

        ``filename`` is the file's path without its ending; a later program that caches a dataset of
        the same type there reads it.  When it runs, InvalidArgumentError for the cache of a dataset
        of another type, DataLossError for a damaged file.  TypeError for elements that cannot be
        written.
        """
        return self._cached_dataset(filename, "", name)

    def scan(
        self, initial_state: Any, scan_func: Callable[..., Any], name: str | None = None
    ) -> Dataset:
        """Elements made from the elements so far.

        ``scan_func(state, element)`` gives the next state and what comes out.  TypeError when the
        state changes its structure or dtype.
        """
        state = as_element(initial_state, "The initial state of Dataset.scan()")
        start = Layout(spec_of(state))
        function, layout, _ = carried_on(start, scan_func, self._layout, "Dataset.scan()", True)
        build = functools.partial(sources.scanned, carried=len(start.rows))
        return self._then("Scan", build, layout, components(state), [function], name)

    def reduce(
        self, initial_state: Any, reduce_func: Callable[..., Any], name: str | None = None
    ) -> Any:
        """What ``state = reduce_func(state, element)`` gives after the last element.

        TypeError when the state changes its structure or dtype.
        """
        state = as_element(initial_state, "The initial state of Dataset.reduce()")
        return reduce_dataset(self._variant_tensor, self._layout, state, reduce_func, name)

    def ignore_errors(self, log_warning: bool = False, name: str | None = None) -> Dataset:
        """The elements without those that raise an error when they are made."""
        build = functools.partial(sources.without_errors, log=log_warning)
        return self._then("IgnoreErrors", build, name=name)

    def apply(self, transformation_func: Callable[[Any], Any]) -> Any:
        """``transformation_func(dataset)``, which must be a dataset (else TypeError)."""
        dataset = transformation_func(self)
        if not isinstance(dataset, Base):
            raise TypeError(
                f"`transformation_func` must return a `tf.data.Dataset` object. Got {dataset!r}."
            )
        return dataset

    def get_single_element(self, name: str | None = None) -> Any:
        """The only element; InvalidArgumentError when there are none, or more than one."""
        single = self._then("Single", cardinality.single, name=name)
        return single._staged_iterator().get_next()


def joint_layout(datasets: Any, caller: str) -> Layout:
    """The layout of elements of any of the datasets; TypeError when they have none in common."""
    layout: Layout | None = None
    for dataset in datasets:
        if not isinstance(dataset, Base):
            raise TypeError(f"{caller} takes datasets, got {dataset!r}")
        if layout is None:
            layout = dataset._layout
            continue
        joint = layout.joined_with(dataset._layout)
        if joint is None:
            raise TypeError(
                f"{caller}: Incompatible dataset elements:\n  {layout.spec} vs.\n  "
                f"{dataset._layout.spec} differ in structure or dtype"
            )
        layout = joint
    if layout is None:
        raise ValueError(f"{caller} takes at least one dataset")
    return layout


def _making_datasets(function: Any, layout: Layout, caller: str) -> tuple[Traced, Layout]:
    """A function that makes a dataset of each element; TypeError for any other."""
    graph = trace_function(function, [layout], caller)
    if not isinstance(graph.layout.spec, DatasetSpec):
        raise TypeError(
            f"The `map_func` argument of {caller} must return a `Dataset` object, but returns "
            f"{graph.layout.spec}"
        )
    return graph, Layout(graph.layout.spec.element_spec)
