"""Datasets in a folder: written by ``save``, shard by shard, and read by ``load``."""

from __future__ import annotations

import functools
import itertools
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from runtime.data.base import Base, DatasetSpec
from runtime.data.elements import Layout
from runtime.data.formats.compression import compression_of
from runtime.data.formats.element_file import read_elements, write_elements
from runtime.data.formats.spec_description import describe
from runtime.data.map_functions import giving_int64, trace_function
from runtime.data.sources import Function, Rows, stepping
from runtime.ops.resource.dataset import DatasetSource, Row, save_op
from runtime.types.atomic_files import file_errors, make_synced_folder
from runtime.types.errors import NotFoundError

if TYPE_CHECKING:
    from runtime.data.dataset import Dataset

_SAVED = "dataset.saved"


def _write_rows(source: DatasetSource, *, path: str, compression: str, layout: Layout) -> None:
    """Write the rows of a source, each of which begins with the number of its shard."""
    shards: dict[int, list[Row]] = {}
    for number, *row in source.open():
        shards.setdefault(int(number), []).append(tuple(row))
    with file_errors(path):
        make_synced_folder(path)
    rows = [shards[number] for number in sorted(shards)]
    write_elements(os.path.join(path, _SAVED), layout, rows, compression)


def _with_shard_numbers(source: DatasetSource, *functions: Function) -> DatasetSource:
    """Put the number of its shard before each row: 0, or what a function gives."""
    number: Function = functions[0] if functions else lambda *row: (0,)
    return DatasetSource(lambda: ((*number(*row), *row) for row in source.open()), source.size)


def _in_turns(*, shards: Sequence[Sequence[Row]]) -> DatasetSource:
    """The rows of all shards, one of each after the other."""

    def open() -> Rows:
        columns = itertools.zip_longest(*shards)
        rows = (row for column in columns for row in column if row is not None)
        return stepping(functools.partial(next, rows))

    return DatasetSource(open, sum(map(len, shards)))


def _shards(*, shards: Sequence[Sequence[Row]]) -> DatasetSource:
    """A dataset for each shard."""
    shard_rows = [(DatasetSource(functools.partial(iter, rows), len(rows)),) for rows in shards]
    return DatasetSource(lambda: iter(shard_rows), len(shard_rows))


class Saving(Base):
    """Methods that write a dataset to a folder, and read it."""

    def save(
        self, path: str, compression: str | None = None,
        shard_func: Callable[..., Any] | None = None, checkpoint_args: Any = None,
    ) -> Any:
        """Write all elements to a folder, for ``load``; in a graph, return an operation that does.

        ``shard_func`` of an element is the number of the shard that it goes to: one for all by
        default.  ``compression`` is None, 'GZIP' or 'ZLIB'.  The folder holds one file, which is
        replaced once the new one is complete: a process that dies leaves the old one.
        NotImplementedError for ``checkpoint_args``, TypeError for elements that hold datasets.
        """
        caller = "Dataset.save()"
        self._layout.require_arrays(caller)
        if checkpoint_args is not None:
            raise NotImplementedError(f"{caller} goes through in one go: there are no checkpoints")
        kind = compression_of(compression)
        describe(self._layout.spec)  # a type that cannot be written is an error now
        functions = []
        if shard_func is not None:
            functions.append(
                trace_function(giving_int64(shard_func, caller), [self._layout], caller)
            )
        rows = self._then("Save", _with_shard_numbers, functions=functions)
        write = functools.partial(
            _write_rows, path=os.fspath(path), compression=kind, layout=self._layout
        )
        operation = save_op(rows._variant_tensor, write=write)
        return None if self._is_concrete else operation

    @classmethod
    def load(
        cls, path: str, element_spec: Any = None, compression: str | None = None,
        reader_func: Callable[[Any], Any] | None = None, wait: bool = False,
    ) -> Dataset:
        """Read the elements that ``save`` has written to a folder, of all shards in turns.

        ``reader_func`` makes another dataset of the dataset of shards.  ``element_spec`` is needed
        where elements are objects: a file names classes, but nothing of it is run.  NotFoundError
        when nothing was saved there, DataLossError for a damaged file, TypeError when the elements
        are not of the type ``element_spec``, ValueError for ``wait``.
        """
        if wait:
            raise ValueError("Dataset.load: `wait` is only supported for distributed snapshots")
        path = os.fspath(path)
        try:
            layout, shards = read_elements(
                os.path.join(path, _SAVED), compression_of(compression), element_spec
            )
        except NotFoundError:
            raise NotFoundError(f"{path} holds no saved dataset") from None
        if element_spec is not None and not Layout(element_spec).accepts(layout):
            raise TypeError(f"{path} holds elements of {layout.spec}, not of {element_spec}")
        if reader_func is None:
            return cls._of("Load", functools.partial(_in_turns, shards=shards), layout)
        open_shards = functools.partial(_shards, shards=shards)
        dataset: Any = reader_func(cls._of("Load", open_shards, Layout(DatasetSpec(layout.spec))))
        if not isinstance(dataset, Base):
            raise TypeError(f"reader_func must return a dataset, got {dataset!r}")
        return dataset  # type: ignore[return-value]

    def snapshot(
        self, path: str, compression: str = "AUTO", reader_func: Any = None,
        shard_func: Any = None, name: str | None = None,
    ) -> Dataset:
        """Give the elements; the first complete iteration writes them to a folder, later ones read.

        ``compression`` is 'AUTO' (none), None, 'GZIP' or 'ZLIB'.  NotImplementedError for functions
        of shards: ``save`` and ``load`` take them.
        """
        if reader_func is not None or shard_func is not None:
            raise NotImplementedError(
                "Dataset.snapshot keeps one shard: give reader_func and shard_func to load and save"
            )
        kind = "" if compression == "AUTO" else compression_of(compression)
        return self._cached_dataset(os.path.join(path, "snapshot"), kind, name)
