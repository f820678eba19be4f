"""Atomic replacement of folders: a reader meets the old one or the new one, and never half of one.

Beside atomic_files.py, for saved models.  What is written goes into a new folder beside the old
one, which takes its name when it is complete.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import shutil
import sys
from collections.abc import Collection, Iterator

from runtime.types.atomic_files import make_synced_folder, sync_folder

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_PART = ".part"


@contextlib.contextmanager
def replacing_folder(path: str, owned: Collection[str]) -> Iterator[str]:
    """Make a new folder that takes the place of ``path`` once the block has ended; yield its path.

    When the block raises, the old folder stays, and the new one is deleted.  Entries of the old
    folder that are not among ``owned`` go into the new one.  The folder around is made if needed.
    A link keeps pointing where it points, and a process that works in the folder stays there.
    Files and names are on the disk when this ends.
    OSError of the file system.
    """
    target = os.path.realpath(path)
    around, name = os.path.split(target)
    make_synced_folder(around)
    prefix = f".{name[:150]}."
    _remove_abandoned(around, prefix)
    new, lock = _new_folder(around, prefix)
    try:
        yield new
        _sync(new)
        at_home = _is_working_folder(target)
        with _held(target):  # no other writer takes the old folder for an abandoned one
            old = _publish(new, target)
            sync_folder(around)
            if at_home:
                os.chdir(target)
            if old is not None:
                for entry in sorted(set(os.listdir(old)) - set(owned)):
                    with contextlib.suppress(FileExistsError):
                        os.rename(os.path.join(old, entry), os.path.join(target, entry))
                sync_folder(target)
                shutil.rmtree(old)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise
    finally:
        if lock is not None:
            os.close(lock)


def _sync(folder: str) -> None:
    """Wait until all files of a folder, and their names, are on the disk."""
    for path, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(path, name), "rb") as file:
                if fcntl is not None:  # Windows syncs only files open to write
                    os.fsync(file.fileno())
        sync_folder(path)


def _is_working_folder(path: str) -> bool:
    try:
        return os.path.samefile(path, os.curdir)
    except OSError:
        return False


def _new_folder(around: str, prefix: str) -> tuple[str, int | None]:
    """Make a folder with a temporary name, which is locked while its writer lives."""
    for number in range(10_000):
        new = os.path.join(around, f"{prefix}{number}{_PART}")
        with contextlib.suppress(FileExistsError):
            os.mkdir(new)
            with contextlib.suppress(FileNotFoundError, BlockingIOError):
                lock = _locked(new)
                if lock is None or _is_at(lock, new):
                    return new, lock
                os.close(lock)  # another writer has just taken it for an abandoned one
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), new)


def _locked(folder: str, wait: bool = False) -> int | None:
    """Return a descriptor that locks a folder; None where the file system has no locks.

    BlockingIOError where another one has locked it, unless ``wait``.
    """
    if fcntl is None:
        return None
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError as error:
        os.close(descriptor)
        if isinstance(error, BlockingIOError):
            raise
        return None
    return descriptor


def _is_at(descriptor: int, path: str) -> bool:
    """Whether a path leads to what a descriptor has opened."""
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    except FileNotFoundError:
        return False


@contextlib.contextmanager
def _held(target: str) -> Iterator[None]:
    """Keep a folder locked, if there is one, whatever its name becomes."""
    lock = None
    while os.path.lexists(target):
        with contextlib.suppress(FileNotFoundError):
            lock = _locked(target, wait=True)
            if lock is None or _is_at(lock, target):
                break
            os.close(lock)  # another writer was faster
            lock = None
    try:
        yield
    finally:
        if lock is not None:
            os.close(lock)


def _remove_abandoned(around: str, prefix: str) -> None:
    """Delete temporary folders whose writers are gone: nobody holds their lock."""
    for entry in os.listdir(around):
        if entry.startswith(prefix) and entry.endswith(_PART):
            folder = os.path.join(around, entry)
            with contextlib.suppress(OSError):
                lock = _locked(folder)
                if lock is not None:
                    if _is_at(lock, folder):
                        shutil.rmtree(folder, ignore_errors=True)
                    os.close(lock)


def _publish(new: str, target: str) -> str | None:
    """Give a folder its name; return the path of the folder that had it, or None."""
    if not os.path.lexists(target):
        os.rename(new, target)
        return None
    if _exchanged(new, target):
        return new
    old = f"{new}.old"
    os.rename(target, old)
    try:
        os.rename(new, target)
    except OSError:
        os.rename(old, target)
        raise
    return old


_AT_FDCWD, _RENAME_EXCHANGE = -100, 2


def _exchanged(first: str, second: str) -> bool:
    """Exchange the names of two folders in one step, where the system can."""
    if sys.platform != "linux":
        return False
    try:
        exchange = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError):  # an old C library
        return False
    names = _AT_FDCWD, os.fsencode(first), _AT_FDCWD, os.fsencode(second)
    return bool(exchange(*names, ctypes.c_uint(_RENAME_EXCHANGE)) == 0)
