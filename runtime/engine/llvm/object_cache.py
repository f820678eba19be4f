"""Object cache on disk: machine code that one process compiled is linked by the next.

machine_code.py asks it before it compiles.  An entry is one file, named by the hash of everything
that the code depends on.  Several processes may use the folder at once: a file is written under
another name and then renamed.  What is damaged or not accessible, or what another account could
have put there, counts as missing.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Iterable
from pathlib import Path

from runtime.types.digest import sha256
from runtime.types.flags import JIT_CACHE

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


def key_of(texts: Iterable[str]) -> str:
    """Return the key of machine code: the hash of the texts that it depends on."""
    digest = sha256()
    for text in texts:
        data = text.encode()
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
        try:
            with _Shard(self._path(key).parent) as shard:
                data = shard.read(self._path(key).name)
        except OSError:
            return None
        head = _head(key, data[len(MAGIC) + 32 :])
        return data[len(head) :] if data.startswith(head) else None

    def put(self, key: str, code: bytes) -> None:
        """Store an object file; do nothing where that is not possible."""
        path = self._path(key)
        if _size(len(code)) > self._shard_limit:
            return
        with contextlib.suppress(OSError), _Shard(path.parent, make=True) as shard:
            shard.write(path.name, _head(key, code) + code)
            shard.evict(path.name, self._shard_limit)

    def _path(self, key: str) -> Path:
        return self.folder / f"{int(key[:2], 16) % SHARDS:x}" / f"{key}.o"


class _Shard:
    """One open folder of entries; what it reads and writes is inside of the folder it has opened.

    Where folders have no owners its files are opened by their paths.
    """

    def __init__(self, folder: Path, make: bool = False) -> None:
        self._folder = folder
        self._descriptor: int | None = None
        if HAS_OWNERS:
            self._descriptor = open_private(folder, make)
        elif make:
            folder.mkdir(parents=True, exist_ok=True)

    def __enter__(self) -> _Shard:
        return self

    def __exit__(self, *_: object) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)

    def _name(self, entry: str) -> str:
        return entry if self._descriptor is not None else str(self._folder / entry)

    def _open(self, entry: str, flags: int) -> int:
        flags |= NO_LINK | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
        return os.open(self._name(entry), flags, 0o600, dir_fd=self._descriptor)

    def read(self, entry: str) -> bytes:
        """Return the contents of this user's file, which counts as used now; OSError if it is not.
        """
        with open(self._open(entry, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode) or HAS_OWNERS and not is_own(status):
                raise PermissionError(f"{entry} may be changed by others")
            data = file.read()
        with contextlib.suppress(OSError):  # a folder that can only be read
            os.utime(self._name(entry), dir_fd=self._descriptor)
        return data

    def write(self, entry: str, data: bytes) -> None:
        """Write a file that other processes see complete or not at all."""
        temporary = f"new-{os.getpid()}-{secrets.token_hex(8)}"
        with open(self._open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL), "wb") as file:
            try:
                file.write(data)
                file.flush()
                os.replace(self._name(temporary), self._name(entry),
                           src_dir_fd=self._descriptor, dst_dir_fd=self._descriptor)
            except BaseException:
                self._unlink(temporary)
                raise

    def _unlink(self, entry: str) -> None:
        with contextlib.suppress(FileNotFoundError):  # another process evicts, too
            os.unlink(self._name(entry), dir_fd=self._descriptor)

    def evict(self, newest: str, limit: int) -> None:
        """Remove the least recently used files until the others fit the bound of the shard."""
        ages = []
        with os.scandir(self._folder if self._descriptor is None else self._descriptor) as entries:
            for entry in entries:
                with contextlib.suppress(FileNotFoundError):  # another process evicts, too
                    status = entry.stat(follow_symlinks=False)
                    if stat.S_ISREG(status.st_mode):
                        age = (entry.name == newest, status.st_mtime_ns)
                        ages.append((age, _size(status.st_size), entry.name))
        total = sum(size for _, size, _ in ages)
        for _, size, name in sorted(ages):
            if total <= limit:
                return
            self._unlink(name)
            total -= size


def _head(key: str, code: bytes) -> bytes:
    """Return what stands before the code in a file: the format and a checksum."""
    return MAGIC + sha256(key.encode() + code).digest()


def _size(count: int) -> int:
    """Return how much of a disk a file of so many bytes takes."""
    return -(-count // BLOCK) * BLOCK
