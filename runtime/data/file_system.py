"""``io.gfile``: files and folders, with TensorFlow's names and errors.

Files of this machine alone; ``compat.v1.gfile`` has TensorFlow 1's names of these functions.
"""

from __future__ import annotations

import glob as _glob
import os
import shutil
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any

from runtime.types.atomic_files import file_errors
from runtime.types.errors import AlreadyExistsError, FailedPreconditionError, NotFoundError

__all__ = [
    "GFile", "copy", "exists", "get_registered_schemes", "glob", "isdir", "join", "listdir",
    "makedirs", "mkdir", "remove", "rename", "rmtree", "stat", "walk",
]  # fmt: skip


def _path(path: Any) -> str:
    """A name as text; InvalidArgumentError's place is the file system's own."""
    text: str = os.fsdecode(path)
    scheme, separator, _ = text.partition("://")
    if separator and scheme.isalnum():
        if scheme == "file":
            return text.removeprefix("file://")
        raise NotFoundError(f"{text}: there are no files of {scheme}:// here, only this machine's")
    return text


class GFile:
    """File that is opened when it is first used; ``with`` closes it.

    ``mode`` is Python's: r, w, a, with b for bytes and + for both.  NotFoundError and other
    OpErrors for what the file system reports.
    """

    def __init__(self, name: Any, mode: str = "r") -> None:
        self._name, self._mode = _path(name), mode
        self._file: Any = None

    @property
    def name(self) -> str:
        """Name of the file."""
        return self._name

    @property
    def mode(self) -> str:
        """Mode of the file."""
        return self._mode

    def _opened(self) -> Any:
        if self._file is None:
            with file_errors(self._name):
                encoding = None if "b" in self._mode else "utf-8"
                self._file = open(self._name, self._mode, encoding=encoding)  # noqa: SIM115
        return self._file

    def read(self, n: int = -1) -> Any:
        """Return so many bytes or characters, or all that follow."""
        return self._opened().read(n)

    def readline(self) -> Any:
        """Return the next line."""
        return self._opened().readline()

    def readlines(self) -> Any:
        """Return the lines that follow."""
        return self._opened().readlines()

    def write(self, file_content: Any) -> None:
        """Write bytes or a text."""
        content = file_content
        if "b" in self._mode and isinstance(content, str):
            content = content.encode()
        elif "b" not in self._mode and isinstance(content, bytes):
            content = content.decode()
        with file_errors(self._name):
            self._opened().write(content)

    def seek(self, offset: int, whence: int = 0) -> None:
        """Go to a position."""
        self._opened().seek(offset, whence)

    def tell(self) -> int:
        """Return the position."""
        position: int = self._opened().tell()
        return position

    def size(self) -> int:
        """Return the number of bytes of the file."""
        self.flush()
        with file_errors(self._name):
            return os.path.getsize(self._name)

    def seekable(self) -> bool:
        """Return whether there are positions: yes."""
        return True

    def flush(self) -> None:
        """Bring what was written to the file."""
        if self._file is not None and self._mode != "r":
            self._file.flush()

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def __iter__(self) -> Iterator[Any]:
        return iter(self._opened())

    def __enter__(self) -> GFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def exists(path: Any) -> bool:
    """Return whether there is a file or folder of this name.

    Args:
        path: name.
    Returns:
        True or False.
    """
    return os.path.exists(_path(path))


def isdir(path: Any) -> bool:
    """Return whether there is a folder of this name.

    Args:
        path: name.
    Returns:
        True or False.
    """
    return os.path.isdir(_path(path))


def listdir(path: Any) -> list[str]:
    """Return the names in a folder, in order.

    Args:
        path: name of the folder.
    Returns:
        List of texts.
    Raises:
        NotFoundError: there is no such folder.
    """
    name = _path(path)
    if not os.path.isdir(name):
        raise NotFoundError(f"Could not find directory {name}")
    return sorted(os.listdir(name))


def glob(pattern: Any) -> list[str]:
    """Return the names of files that match a pattern, or one of several, in order.

    Args:
        pattern: name with ``*``, ``?`` and ``[...]``, or a list of them.
    Returns:
        List of texts.
    """
    patterns = pattern if isinstance(pattern, list | tuple) else [pattern]
    return [name for text in patterns for name in sorted(_glob.glob(_path(text)))]


def mkdir(path: Any) -> None:
    """Make a folder.

    Args:
        path: name.
    Returns:
        None.
    Raises:
        NotFoundError: the folder above is not there.
        AlreadyExistsError: there is such a file or folder.
    """
    name = _path(path)
    if os.path.exists(name):
        raise AlreadyExistsError(f"{name}; File exists")
    with file_errors(name):
        os.mkdir(name)


def makedirs(path: Any) -> None:
    """Make a folder and those above it, where they are not there.

    Args:
        path: name.
    Returns:
        None.
    Raises:
        FailedPreconditionError: a file is in the way.
    """
    name = _path(path)
    if os.path.isfile(name):
        raise FailedPreconditionError(f"{name}; Not a directory")
    with file_errors(name):
        os.makedirs(name, exist_ok=True)


def remove(path: Any) -> None:
    """Remove a file.

    Args:
        path: name.
    Returns:
        None.
    Raises:
        NotFoundError: there is no such file.
        FailedPreconditionError: it is a folder.
    """
    name = _path(path)
    if os.path.isdir(name):
        raise FailedPreconditionError(f"{name}; Is a directory")
    with file_errors(name):
        os.remove(name)


def rmtree(path: Any) -> None:
    """Remove a folder with all that is in it.

    Args:
        path: name.
    Returns:
        None.
    Raises:
        NotFoundError: there is no such folder.
    """
    name = _path(path)
    with file_errors(name):
        shutil.rmtree(name)


def _free(target: str, overwrite: bool) -> None:
    if os.path.exists(target) and not overwrite:
        raise AlreadyExistsError(f"file already exists: {target}")


def rename(src: Any, dst: Any, overwrite: bool = False) -> None:
    """Give a file or folder another name.

    Args:
        src: name.
        dst: new name.
        overwrite: whether a file of that name is replaced.
    Returns:
        None.
    Raises:
        AlreadyExistsError: there is one, and ``overwrite`` is false.
        NotFoundError: there is no such file.
    """
    target = _path(dst)
    _free(target, overwrite)
    with file_errors(_path(src)):
        os.replace(_path(src), target)


def copy(src: Any, dst: Any, overwrite: bool = False) -> None:
    """Copy a file.

    Args:
        src: name.
        dst: name of the copy.
        overwrite: whether a file of that name is replaced.
    Returns:
        None.
    Raises:
        AlreadyExistsError: there is one, and ``overwrite`` is false.
        NotFoundError: there is no such file.
    """
    target = _path(dst)
    _free(target, overwrite)
    with file_errors(_path(src)):
        shutil.copyfile(_path(src), target)


class FileStatistics:
    """Size of a file in bytes, time of its last change in nanoseconds, whether it is a folder."""

    def __init__(self, length: int, mtime_nsec: int, is_directory: bool) -> None:
        self.length, self.mtime_nsec, self.is_directory = length, mtime_nsec, is_directory

    def __repr__(self) -> str:
        return (f"FileStatistics(length={self.length}, mtime_nsec={self.mtime_nsec}, "
                f"is_directory={self.is_directory})")  # fmt: skip


def stat(path: Any) -> FileStatistics:
    """Return facts about a file.

    Args:
        path: name.
    Returns:
        Object with ``length``, ``mtime_nsec`` and ``is_directory``.
    Raises:
        NotFoundError: there is no such file.
    """
    name = _path(path)
    with file_errors(name):
        facts = os.stat(name)
    return FileStatistics(facts.st_size, facts.st_mtime_ns, os.path.isdir(name))


def walk(top: Any, topdown: bool = True,
         onerror: Callable[[Any], Any] | None = None) -> Iterator[Any]:  # fmt: skip
    """Yield the name, the folders and the files of a folder, and of those in it.

    Args:
        top: name of the folder.
        topdown: whether a folder comes before those in it.
        onerror: function of the error where a folder cannot be read.
    Returns:
        Iterator of triples.
    """
    for place, folders, files in os.walk(_path(top), topdown, onerror):
        folders.sort()
        yield place, folders, sorted(files)


def join(path: Any, *paths: Any) -> str:
    """Join parts of a name.

    Args:
        path: first part.
        paths: others.
    Returns:
        Text.
    """
    return os.path.join(_path(path), *map(os.fsdecode, paths))


def get_registered_schemes() -> list[str]:
    """Return the kinds of addresses that files may have.

    Returns:
        List of texts: those of this machine alone.
    """
    return ["", "file"]


def __dir__() -> list[str]:
    return __all__
