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
    OSError of the file system.
    """
    target = os.path.realpath(path)
    around, name = os.path.split(target)
    os.makedirs(around, exist_ok=True)
    prefix = f".{name[:150]}."
    _remove_abandoned(around, prefix)
    new, lock = _new_folder(around, prefix)
    try:
        yield new
        at_home = _is_working_folder(target)
        old = _publish(new, target)
        if at_home:
            os.chdir(target)
        if old is not None:
            for entry in sorted(set(os.listdir(old)) - set(owned)):
                with contextlib.suppress(FileExistsError):
                    os.rename(os.path.join(old, entry), os.path.join(target, entry))
            shutil.rmtree(old)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise
    finally:
        if lock is not None:
            os.close(lock)


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
            return new, _locked(new)
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), new)


def _locked(folder: str) -> int | None:
    """Lock a folder; None where another process has locked it, or none can."""
    if fcntl is None:
        return None
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


def _remove_abandoned(around: str, prefix: str) -> None:
    """Delete temporary folders whose writers are gone: nobody holds their lock."""
    for entry in os.listdir(around):
        if entry.startswith(prefix) and entry.endswith(_PART):
            folder = os.path.join(around, entry)
            with contextlib.suppress(OSError):
                lock = _locked(folder)
                if lock is not None:
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


def _exchanged(one: str, other: str) -> bool:
    """Exchange the names of two folders in one step, where the system can."""
    if sys.platform != "linux":
        return False
    try:
        exchange = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError):  # an old C library
        return False
    names = _AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other)
    return bool(exchange(*names, ctypes.c_uint(_RENAME_EXCHANGE)) == 0)
