"""Atomic writing of files, and errors of the file system as errors of the runtime.

Below all that writes files: ``io.write_file``, saved datasets and caches.  A reader, a second
writer, a full disk or a killed process never meet half a file: what is written goes into a new
file, which takes the place of the old one when it is complete.
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import stat
from collections.abc import Iterator
from typing import Any, BinaryIO

from runtime.types.errors import (
    AlreadyExistsError,
    FailedPreconditionError,
    NotFoundError,
    OpError,
    PermissionDeniedError,
    ResourceExhaustedError,
    UnknownError,
)

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_CLASSES: dict[int, type[OpError]] = {
    errno.ENOENT: NotFoundError,
    errno.EEXIST: AlreadyExistsError,
    errno.EISDIR: FailedPreconditionError,
    errno.ENOTDIR: FailedPreconditionError,
    errno.ELOOP: FailedPreconditionError,
    errno.EACCES: PermissionDeniedError,
    errno.EPERM: PermissionDeniedError,
    errno.EROFS: PermissionDeniedError,
    errno.ENOSPC: ResourceExhaustedError,
    errno.EDQUOT: ResourceExhaustedError,
    errno.EFBIG: ResourceExhaustedError,
    errno.EMFILE: ResourceExhaustedError,
    errno.ENFILE: ResourceExhaustedError,
}


@contextlib.contextmanager
def file_errors(path: str) -> Iterator[None]:
    """Turn an OSError of the block into the OpError of its kind, which names ``path``."""
    try:
        yield
    except OSError as error:
        kind = _CLASSES.get(error.errno or 0, UnknownError)
        raise kind(f"{path}; {error.strerror or error}") from None
    except ValueError as error:
        if "null byte" not in str(error):
            raise
        raise NotFoundError(f"{path!r}; a file name holds no null byte") from None


@contextlib.contextmanager
def replacing(path: str, durable: bool = False) -> Iterator[BinaryIO]:
    """Open a new file that takes the place of ``path`` once the block has ended.

    When the block raises, or the process dies, the old file stays, and the new one vanishes.  A
    link keeps pointing where it points, and a file keeps its permissions.  What is no regular file
    (a pipe, a device) is written as it is.  ``durable``: the data are on the disk before the name,
    and the name when this ends.
    """
    target = os.path.realpath(path)
    mode = _mode(target)
    if mode is not None and not stat.S_ISREG(mode):
        with open(target, "wb") as file:
            yield file
        return
    if mode is not None and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
    new = _NewFile(target)
    try:
        with open(new.descriptor, "wb", closefd=False) as file:
            yield file
        if mode is not None:
            os.chmod(new.descriptor, stat.S_IMODE(mode))
        if durable:
            os.fsync(new.descriptor)
        new.publish()
        if durable:
            sync_folder(new.folder)
    finally:
        new.close()


def sync_folder(path: str) -> None:
    """Wait until the names in a folder are on the disk: a power cut may undo them until then."""
    if fcntl is None:  # Windows opens no folders
        return
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except PermissionError:  # a folder to put files into, but not to list
        return
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.EOPNOTSUPP):  # a file system that cannot
            raise
    finally:
        os.close(descriptor)


def make_synced_folder(path: str) -> None:
    """Make a folder and those above that are missing; their names are on the disk afterwards."""
    missing = os.path.abspath(path)
    above = []
    while not os.path.isdir(missing):
        missing = os.path.dirname(missing)
        above.append(missing)
    os.makedirs(path, exist_ok=True)
    for folder in above:
        sync_folder(folder)


def _mode(path: str) -> int | None:
    """The type and permissions of a file; None when there is none."""
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None


class _NewFile:
    """A new file beside ``target``: without a name while it is written, where the system can.

    A file without a name vanishes with its process.  In the instant between having a temporary
    name and the final one it is locked, so that the next writer can tell, and delete, the file of
    a process that died just there.
    """

    def __init__(self, target: str) -> None:
        self.target = target
        self.folder, name = os.path.split(target)
        self._prefix = os.fsdecode(b"." + os.fsencode(name)[:200])
        self._temporary: str | None = None
        unnamed = getattr(os, "O_TMPFILE", 0)
        try:
            if not (unnamed and fcntl and os.path.isdir("/proc/self/fd")):
                raise OSError(errno.EOPNOTSUPP, "no files without a name")
            self.descriptor = os.open(self.folder, unnamed | os.O_RDWR, 0o666)
            self._lock()
        except OSError as error:
            if error.errno not in (errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL):
                raise
            self._open_named()

    def _lock(self) -> None:
        fcntl.flock(self.descriptor, fcntl.LOCK_EX)

    def _names(self) -> Iterator[str]:
        """Temporary names, the same for each writer of a target."""
        return (os.path.join(self.folder, f"{self._prefix}.{k}.part") for k in itertools.count())

    def _open_named(self) -> None:
        """Open a file that has a temporary name from the beginning."""
        for name in self._names():
            with contextlib.suppress(FileExistsError):
                flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
                self.descriptor = os.open(name, flags, 0o666)
                self._temporary = name
                return

    def publish(self) -> None:
        """Give the file its name, in place of another that has it."""
        if self._temporary is None:
            with contextlib.suppress(FileExistsError):
                self._link(self.target)
                return
            for name in self._names():
                try:
                    self._link(name)
                except FileExistsError:
                    _remove_if_abandoned(name)
                    with contextlib.suppress(FileExistsError):
                        self._link(name)
                        self._temporary = name
                        break
                else:
                    self._temporary = name
                    break
        assert self._temporary is not None
        os.replace(self._temporary, self.target)
        self._temporary = None

    def _link(self, name: str) -> None:
        # a descriptor of a folder is given so that Python calls linkat, which follows the link
        os.link(f"/proc/self/fd/{self.descriptor}", name, src_dir_fd=0, follow_symlinks=True)

    def close(self) -> None:
        """Close the file, and delete it unless it was published."""
        os.close(self.descriptor)
        if self._temporary is not None:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self._temporary)


def _remove_if_abandoned(name: str) -> None:
    """Delete a temporary file whose writer is gone: nobody holds its lock."""
    file: Any
    try:
        with open(name, "rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(file.fileno()), os.stat(name)):
                os.unlink(name)  # else its writer has published it in the meantime
    except (BlockingIOError, FileNotFoundError):
        return
