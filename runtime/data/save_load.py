"""Datasets in a folder: written by ``save``, shard by shard, and read by ``load``."""

from __future__ import annotations

import functools
import gzip
import itertools
import os
import pickle
from collections.abc import Callable, Sequence
from typing import Any

from runtime.data.base import Base, DatasetSpec
from runtime.data.elements import Layout
from runtime.data.files import compression_of
from runtime.data.map_functions import giving_int64, traced
from runtime.data.sources import Function, Rows, stepping
from runtime.ops.resource.dataset import DatasetSource, Row, save_op
from runtime.types.errors import DataLossError, NotFoundError

_SAVED = "dataset.saved"


def _file(path: Any, compression: str | None, mode: str) -> Any:
    opener: Any = gzip.open if compression_of(compression) == "GZIP" else open
    return opener(os.path.join(path, _SAVED), mode)


def _written(source: DatasetSource, *, path: Any, compression: str | None, spec: Any) -> None:
    """Write the rows of a source, each of which begins with the number of its shard."""
    shards: dict[int, list[Row]] = {}
    for number, *row in source.open():
        shards.setdefault(int(number), []).append(tuple(row))
    os.makedirs(path, exist_ok=True)
    with _file(path, compression, "wb") as file:
        pickle.dump((spec, [shards[number] for number in sorted(shards)]), file)


def _numbered(source: DatasetSource, *functions: Function) -> DatasetSource:
    """Rows after the number of their shard: 0, unless a function says it."""
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
    made = [(DatasetSource(functools.partial(iter, rows), len(rows)),) for rows in shards]
    return DatasetSource(lambda: iter(made), len(made))


class Saving(Base):
    """Methods that write a dataset to a folder, and read it."""

    def save(
        self, path: str, compression: str | None = None,
        shard_func: Callable[..., Any] | None = None, checkpoint_args: Any = None,
    ) -> Any:
        """Write all elements to a folder, for ``load``; in a graph, an operation that does.

        ``shard_func`` of an element is the number of the shard that it goes to: one for all by
        default.  NotImplementedError for ``checkpoint_args``.
        """
        what = "Dataset.save()"
        self._layout.require_arrays(what)
        if checkpoint_args is not None:
            raise NotImplementedError(f"{what} goes through in one go: there are no checkpoints")
        functions = []
        if shard_func is not None:
            functions.append(traced(giving_int64(shard_func, what), [self._layout], what))
        rows = self._then("Save", _numbered, functions=functions)
        folder = os.fspath(path)
        write = functools.partial(
            _written, path=folder, compression=compression, spec=self._layout.spec
        )
        compression_of(compression)
        made = save_op(rows._variant_tensor, write=write)
        return None if self._is_concrete else made

    @classmethod
    def load(
        cls, path: str, element_spec: Any = None, compression: str | None = None,
        reader_func: Callable[[Any], Any] | None = None, wait: bool = False,
    ) -> Any:
        """The elements that ``save`` has written to a folder, of all shards in turns.

        ``reader_func`` makes another dataset of the dataset of shards.  NotFoundError when there
        are none, DataLossError for a damaged file, TypeError when they are not of the type
        ``element_spec``, ValueError for ``wait``.
        """
        if wait:
            raise ValueError("Dataset.load: `wait` is only supported for distributed snapshots")
        path = os.fspath(path)
        try:
            with _file(path, compression, "rb") as opened:
                spec, shards = pickle.load(opened)
        except FileNotFoundError:
            raise NotFoundError(f"{path} holds no saved dataset") from None
        except (pickle.UnpicklingError, EOFError, gzip.BadGzipFile) as error:
            raise DataLossError(f"Dataset.load: {path} is damaged ({error})") from None
        layout = Layout(spec)
        if element_spec is not None and not Layout(element_spec).accepts(layout):
            raise TypeError(f"{path} holds elements of {spec}, not of {element_spec}")
        if reader_func is None:
            return cls._of("Load", functools.partial(_in_turns, shards=shards), layout)
        parts = functools.partial(_shards, shards=shards)
        made = reader_func(cls._of("Load", parts, Layout(DatasetSpec(spec))))
        if not isinstance(made, Base):
            raise TypeError(f"reader_func must return a dataset, got {made!r}")
        return made

    def snapshot(
        self, path: str, compression: str = "AUTO", reader_func: Any = None,
        shard_func: Any = None, name: str | None = None,
    ) -> Any:
        """The elements, written to a folder by the first complete iteration and read by others.

        NotImplementedError for functions of shards: ``save`` and ``load`` take them.
        """
        if reader_func is not None or shard_func is not None:
            raise NotImplementedError(
                "Dataset.snapshot keeps one shard: give reader_func and shard_func to load and save"
            )
        return self.cache(os.path.join(path, "snapshot"), name)  # type: ignore[attr-defined]
