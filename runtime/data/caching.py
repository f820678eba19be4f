"""What datasets do at run time to keep rows: in memory, or in a file for the next program."""

from __future__ import annotations

import os
from typing import Any

from autograph.syntax.fork_safe_lock import fork_safe_lock
from runtime.data.elements import Layout
from runtime.data.formats.element_file import read_elements, write_elements
from runtime.data.formats.spec_description import ClassNeededError, describe
from runtime.data.sources import Rows, stepping
from runtime.ops.resource.dataset import DatasetSource, Row
from runtime.types.atomic_files import file_errors, make_synced_folder
from runtime.types.errors import DataLossError, InvalidArgumentError, NotFoundError

ENDING = ".cache"
"""What is added to the name that the user gives."""


class Memory:
    """Keeps rows as long as the dataset lives."""

    def __init__(self) -> None:
        self.rows: list[Row] | None = None
        self.lock = fork_safe_lock()

    def load(self) -> list[Row] | None:
        """The rows, or None before an iteration came to its end."""
        return self.rows

    def save(self, rows: list[Row]) -> None:
        """Keep the rows of a complete iteration; those of the first remain."""
        with self.lock:
            if self.rows is None:
                self.rows = rows


class File(Memory):
    """Keeps rows in a file of elements."""

    def __init__(self, name: str, layout: Layout, compression: str) -> None:
        super().__init__()
        self.name = name + ENDING
        self.layout = layout
        self.compression = compression

    def load(self) -> list[Row] | None:
        """The rows in the file, or None when there is no file.

        DataLossError for a damaged file, InvalidArgumentError for elements of another type.
        """
        if self.rows is None:
            spec = self.layout.spec
            try:
                stored_layout, shards = read_elements(self.name, self.compression, spec)
            except NotFoundError:
                return None
            except DataLossError as error:
                raise DataLossError(f"Dataset.cache: {error.message}. Delete it.") from None
            except ClassNeededError as error:
                raise self._of_another(str(error)) from None
            if describe(stored_layout.spec) != describe(spec):
                raise self._of_another(f"it holds elements of type {stored_layout.spec}")
            if len(shards) != 1:
                raise self._of_another(f"it holds {len(shards)} shards")
            self.rows = shards[0]
        return self.rows

    def _of_another(self, reason: str) -> InvalidArgumentError:
        return InvalidArgumentError(
            f"Dataset.cache: {self.name} is the cache of another dataset: {reason}, those of this "
            f"one are of type {self.layout.spec}. Delete it, or give this dataset a file of its "
            "own."
        )

    def save(self, rows: list[Row]) -> None:
        """Write the rows to the file, in place of another."""
        folder = os.path.dirname(self.name)
        if folder:
            with file_errors(folder):
                make_synced_folder(folder)
        write_elements(self.name, self.layout, [rows], self.compression)
        super().save(rows)


def cached(
    source: DatasetSource, filename: Any, *, layout: Layout, compression: str
) -> DatasetSource:
    """The rows, kept from the first complete iteration on; in memory if the name is empty."""
    name = os.fsdecode(filename[()])
    store = File(name, layout, compression) if name else Memory()

    def open() -> Rows:
        cached_rows = store.load()
        if cached_rows is not None:
            return iter(cached_rows)
        rows = source.open()
        rows_so_far: list[Row] = []

        def step() -> Row:
            for row in rows:
                rows_so_far.append(row)
                if (
                    len(rows_so_far) == source.size
                ):  # whoever knows the size need not ask for the end
                    store.save(rows_so_far)
                return row
            store.save(rows_so_far)
            raise StopIteration

        return stepping(step)

    return DatasetSource(open, source.size)
