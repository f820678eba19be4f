"""What datasets do at run time to keep rows: in memory, or in a file for the next program."""

from __future__ import annotations

import os
import pickle
import tempfile
import threading
from typing import Any

from runtime.data.sources import Rows, stepping
from runtime.ops.resource.dataset import DatasetSource, Row
from runtime.types.errors import DataLossError

ENDING = ".cache"
"""What is added to the name that the user gives."""


class Memory:
    """Keeps rows as long as the dataset lives."""

    def __init__(self) -> None:
        self.rows: list[Row] | None = None
        self.lock = threading.Lock()

    def load(self) -> list[Row] | None:
        """The rows, or None before an iteration came to its end."""
        return self.rows

    def save(self, rows: list[Row]) -> None:
        """Keep the rows of a complete iteration; those of the first remain."""
        with self.lock:
            if self.rows is None:
                self.rows = rows


class File(Memory):
    """Keeps rows in a file."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name + ENDING

    def load(self) -> list[Row] | None:
        """The rows in the file, or None; DataLossError for what is no such file."""
        if self.rows is None and os.path.exists(self.name):
            try:
                with open(self.name, "rb") as file:
                    self.rows = pickle.load(file)
            except (pickle.UnpicklingError, EOFError) as error:
                raise DataLossError(
                    f"Dataset.cache: {self.name} is damaged ({error}). Delete it."
                ) from None
        return self.rows

    def save(self, rows: list[Row]) -> None:
        """Write the rows at once, so that nobody finds half a file."""
        super().save(rows)
        folder = os.path.dirname(self.name) or "."
        os.makedirs(folder, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=folder)
        with open(handle, "wb") as file:
            pickle.dump(rows, file)
        os.replace(temporary, self.name)


def cached(source: DatasetSource, filename: Any) -> DatasetSource:
    """The rows, kept from the first complete iteration on; in memory if the name is empty."""
    name = filename[()].decode() if filename is not None else ""
    store = File(name) if name else Memory()

    def open() -> Rows:
        known = store.load()
        if known is not None:
            return iter(known)
        rows = source.open()
        made: list[Row] = []

        def step() -> Row:
            for row in rows:
                made.append(row)
                if len(made) == source.size:  # whoever knows the size need not ask for the end
                    store.save(made)
                return row
            store.save(made)
            raise StopIteration

        return stepping(step)

    return DatasetSource(open, source.size)
