"""Folders whose contents nobody but this user can have put there; the object cache links from them.

object_cache.py opens its folders here.  A path is walked folder by folder from the root, each
opened inside of the one before and looked at after it is open, so that no exchange of a folder on
the way changes what was looked at.
"""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

HAS_OWNERS = hasattr(os, "geteuid") and os.open in os.supports_dir_fd
"""Whether folders have owners, and files can be opened relative to an open folder."""
NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_FOLDER = NO_LINK | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
_WAY = _FOLDER | getattr(os, "O_PATH", os.O_RDONLY)  # a folder on the way need not be readable


def open_private(folder: Path, make: bool = False) -> int:
    """Return a descriptor of a folder that this user alone can write to.

    Args:
        folder: path of the folder; links on the way to it are resolved first.
        make: whether to make what is missing of the path, for this user alone.

    Raises:
        PermissionError: where another account could write to the folder, or put another one in
            its place: a folder above is another account's (root's may be), or others may write
            to it and delete what is not theirs.
        OSError: where the folder cannot be opened or made.
    """
    root, *names = Path(os.path.realpath(folder)).parts
    descriptor = os.open(root, _WAY)
    try:
        for place, name in enumerate(names):
            if not _is_safe_way(os.fstat(descriptor)):
                raise PermissionError(f"{Path(root, *names[:place])} may be changed by others")
            flags = _WAY if place < len(names) - 1 else _FOLDER | os.O_RDONLY
            inner = _open_in(descriptor, name, flags, make)
            os.close(descriptor)
            descriptor = inner
        if not is_own(os.fstat(descriptor)):
            raise PermissionError(f"{folder} may be changed by others")
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _open_in(around: int, name: str, flags: int, make: bool) -> int:
    try:
        return os.open(name, flags, dir_fd=around)
    except FileNotFoundError:
        if not make:
            raise
    with contextlib.suppress(FileExistsError):  # another process was faster
        os.mkdir(name, 0o700, dir_fd=around)
    return os.open(name, flags, dir_fd=around)


def is_own(status: os.stat_result) -> bool:
    """Return whether a file or folder is this user's, and no other account may write to it."""
    return status.st_uid == os.geteuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _is_safe_way(status: os.stat_result) -> bool:
    """Return whether nobody else can exchange what a folder holds of ours or root's."""
    if status.st_uid not in (0, os.geteuid()):
        return False
    return bool(status.st_mode & stat.S_ISVTX) or not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
