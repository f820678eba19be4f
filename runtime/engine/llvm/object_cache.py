"""Object cache on disk: machine code that one process compiled is linked by the next.

machine_code.py asks it before it compiles.  An entry is one file, named by the hash of everything
that the code depends on.  Several processes may use the folder at once: a file is written under
another name and then renamed.  What is damaged, foreign or not accessible counts as missing.
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterable
from pathlib import Path

from runtime.types.digest import sha256
from runtime.types.flags import JIT_CACHE

SHARDS = 16
"""Folders that the entries are spread over; each is bounded by itself."""
LIMIT = 256 << 20
"""Most bytes of all entries."""
BLOCK = 4096
"""Disks hold files in blocks of about this size, which counts for small files."""
MAGIC = b"pyautograph object 1\n"


def default_folder() -> Path:
    """Return ``pyautograph`` in the user's cache folder."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    root = Path(base) if os.path.isabs(base) else Path.home() / ".cache"
    return root / "pyautograph"


def current_cache() -> ObjectCache | None:
    """Return the cache that RUNTIME_JIT_CACHE chooses; None if it is switched off."""
    chosen = JIT_CACHE.value
    if chosen in ("", "0"):
        return None
    try:
        return ObjectCache(default_folder() if chosen is None else Path(chosen))
    except RuntimeError:  # the user has no home folder
        return None


def key_of(parts: Iterable[str]) -> str:
    """Return the key of machine code: the hash of the texts that it depends on."""
    digest = sha256()
    for part in parts:
        data = part.encode()
        digest.update(b"%d:" % len(data))
        digest.update(data)
    return digest.hexdigest()


class ObjectCache:
    """Bounded folder of object files; the least recently used go first."""

    def __init__(self, folder: Path, limit: int = LIMIT) -> None:
        self.folder = folder
        self._shard_limit = limit // SHARDS

    def get(self, key: str) -> bytes | None:
        """Return the object file of a key; None if there is no valid one."""
        path = self._path(key)
        try:
            if not _is_private(path.parent):
                return None
            data = path.read_bytes()
        except OSError:
            return None
        head = _head(key, data[len(MAGIC) + 32 :])
        if not data.startswith(head):
            return None
        with contextlib.suppress(OSError):  # a folder that can only be read
            os.utime(path)
        return data[len(head) :]

    def put(self, key: str, code: bytes) -> None:
        """Store an object file; do nothing where that is not possible."""
        path = self._path(key)
        if _size(len(code)) > self._shard_limit:
            return
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not _is_private(path.parent):
                return
            _write(path, _head(key, code) + code)
            self._evict(path)
        except OSError:
            return

    def _path(self, key: str) -> Path:
        return self.folder / f"{int(key[:2], 16) % SHARDS:x}" / f"{key}.o"

    def _evict(self, newest: Path) -> None:
        """Remove the least recently used files of a shard until the others fit its bound."""
        found = []
        with os.scandir(newest.parent) as entries:
            for entry in entries:
                with contextlib.suppress(FileNotFoundError):  # another process evicts, too
                    status = entry.stat(follow_symlinks=False)
                    if stat.S_ISREG(status.st_mode):
                        age = (entry.name == newest.name, status.st_mtime_ns)
                        found.append((age, _size(status.st_size), entry.path))
        total = sum(size for _, size, _ in found)
        for _, size, path in sorted(found):
            if total <= self._shard_limit:
                return
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path)
            total -= size


def _write(path: Path, data: bytes) -> None:
    """Write a file that other processes see complete or not at all."""
    handle, temporary = tempfile.mkstemp(prefix="new-", dir=path.parent)
    try:
        with open(handle, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _head(key: str, code: bytes) -> bytes:
    """Return what stands before the code in a file: the format and a checksum."""
    return MAGIC + sha256(key.encode() + code).digest()


def _size(count: int) -> int:
    """Return how much of a disk a file of so many bytes takes."""
    return -(-count // BLOCK) * BLOCK


def _is_private(folder: Path) -> bool:
    """Return whether only this user can write to a folder: its code will run in the process."""
    if not hasattr(os, "getuid"):
        return True
    status = folder.stat()
    return status.st_uid == os.getuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
