"""Finds the files of a command: the given paths, and the Python files below given folders,
notebooks among them.

Used by ``convert`` and ``check``.  Folders are walked in order of name.  Links
to folders are not followed, so there are no loops.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch

from autograph.cli.outputs import failed, real, special_kind
from autograph.conversion.module_source import FileError
from autograph.diagnostics.printable import printable

SUFFIXES = (".py", ".pyw", ".ipynb")
SKIPPED = frozenset(("__pycache__", "__pypackages__", "node_modules"))
"""Folders that are left out, with those whose name begins with a dot, and virtual environments."""


@dataclass(frozen=True)
class Found:
    """File to work on: how to open it, its path below the given one, whether it is Python."""

    name: str
    below: str
    is_python: bool = True


@dataclass
class Tree:
    """Walk over paths; errors on the way are kept for the end."""

    exclude: Sequence[str] = ()
    output: str | None = None
    """A folder inside of a tree that is not part of it: where the results go."""
    others: bool = False
    """Whether files that are not Python are found, too."""
    errors: list[FileError] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def files(self, path: str) -> list[Found]:
        """Yield the file of that name, or the files in the folder."""
        if not os.path.isdir(path):
            return [Found(path, os.path.basename(path))]
        files = list(self._folder(path, ""))
        if not any(file.is_python for file in files):
            self.notes.append(f"{printable(path)}: no Python files")
        return files

    def _folder(self, folder: str, below: str) -> Iterator[Found]:
        try:
            with os.scandir(folder) as listed:
                entries = sorted(listed, key=lambda entry: entry.name)
        except OSError as error:
            self.errors.append(failed(error, folder))
            return
        for entry in entries:
            name, path = os.path.join(folder, entry.name), os.path.join(below, entry.name)
            if self._is_excluded(entry.name, path):
                continue
            if _is_folder(entry, follow_symlinks=False):
                if not self._is_left_out(name, entry.name):
                    yield from self._folder(name, path)
            elif _is_folder(entry):
                self.notes.append(f"{printable(name)}: a link to a folder, not followed")
            elif entry.name.endswith(SUFFIXES) or self.others:
                yield from self._file(name, path, entry.name.endswith(SUFFIXES))

    def _file(self, name: str, below: str, is_python: bool) -> Iterator[Found]:
        try:
            kind = special_kind(name)
        except OSError:
            return  # a broken link
        if kind is None:
            yield Found(name, below, is_python)
        elif is_python:
            self.errors.append(FileError(f"is {kind}, not a file", name))

    def _is_excluded(self, name: str, path: str) -> bool:
        path = path.replace(os.sep, "/")
        return any(fnmatch(name, pattern) or fnmatch(path, pattern) for pattern in self.exclude)

    def _is_left_out(self, path: str, name: str) -> bool:
        return (
            name in SKIPPED
            or name.startswith(".")
            or os.path.exists(os.path.join(path, "pyvenv.cfg"))
            or (self.output is not None and real(path) == self.output)
        )


def _is_folder(entry: os.DirEntry[str], follow_symlinks: bool = True) -> bool:
    try:
        return entry.is_dir(follow_symlinks=follow_symlinks)
    except OSError:
        return False  # a link to a file that may not be read
