"""The object cache on disk: what it stores, ignores and forgets, and when nothing is compiled."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from runtime.engine.llvm import object_cache
from runtime.engine.llvm.object_cache import SHARDS, ObjectCache, key_of
from runtime.types import flags
from tests.support import ROOT
from tests.support.extras import needs
from tests.support.nightly import NIGHTLY

PROGRAM = """
import runtime
from runtime.engine.llvm import machine_code

compiled = []
compile = machine_code._Compiler._compile
machine_code._Compiler._compile = lambda *args: compiled.append(1) or compile(*args)

@runtime.function
def total(n):
    found = 0
    for i in runtime.range(n):
        found = found + i * i
    return found

print(int(total(runtime.constant(10))), len(compiled))
"""

posix = pytest.mark.skipif(not hasattr(os, "getuid"), reason="POSIX permissions")


def run(folder: object) -> str:
    """Output of the program in a process of its own."""
    env = dict(os.environ, RUNTIME_JIT_CACHE=str(folder), RUNTIME_JIT="always",
               PYTHONPATH=str(ROOT))  # fmt: skip
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=env, capture_output=True,
                          text=True, timeout=120)  # fmt: skip
    assert done.stderr == ""
    return done.stdout.strip()


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def keys(count: int) -> list[str]:
    """Keys of one shard."""
    found = [key_of([str(n)]) for n in range(count * SHARDS * 3)]
    return [key for key in found if key[1] == "0"][:count]


@needs("jit")
def test_a_second_process_compiles_nothing_or_what_is_damaged(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    assert run(cache) == "285 2"  # the support code, and the graph
    assert run(cache) == "285 0"
    damaged = files(cache)[0]
    damaged.write_bytes(damaged.read_bytes()[:-1])
    assert run(cache) == "285 1"


@pytest.mark.parametrize("damage", ["empty", "cut", "changed", "exchanged"])
def test_damaged_files_count_as_missing(tmp_path: Path, damage: str) -> None:
    cache, (first, second) = ObjectCache(tmp_path), keys(2)
    cache.put(first, b"x" * 100)
    cache.put(second, b"y" * 100)
    data, other = (cache._path(key).read_bytes() for key in (first, second))
    cache._path(first).write_bytes({
        "empty": b"", "cut": data[:-1], "exchanged": other, "changed": data[:-9] + b"z" + data[-8:],
    }[damage])  # fmt: skip
    assert cache.get(first) is None
    assert cache.get(second) == b"y" * 100
    cache.put(first, b"x" * 100)
    assert cache.get(first) == b"x" * 100


@NIGHTLY
@needs("jit")
def test_damaged_files_are_compiled_again(tmp_path: Path) -> None:
    run(tmp_path)
    for path in files(tmp_path):
        path.write_bytes(path.read_bytes()[:-1])
    assert run(tmp_path) == "285 2"
    assert run(tmp_path) == "285 0"


@needs("jit")
def test_zero_switches_it_off(tmp_path: Path) -> None:
    assert run("0") == "285 2"
    for text in ("0", ""):
        with flags.JIT_CACHE(text):
            assert object_cache.current_cache() is None


def test_the_default_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert object_cache.default_folder() == tmp_path / "pyautograph"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")  # must be ignored, says the standard
    assert object_cache.default_folder() == Path.home() / ".cache" / "pyautograph"
    with flags.JIT_CACHE(None):
        cache = object_cache.current_cache()
        assert cache is not None
        assert cache.folder == object_cache.default_folder()


def test_the_least_recently_used_go(tmp_path: Path) -> None:
    cache = ObjectCache(tmp_path, limit=4 * object_cache.BLOCK * SHARDS)
    names = keys(5)
    for number, key in enumerate(names[:4]):
        cache.put(key, b"x" * 100)
        os.utime(cache._path(key), (1000 + number, 1000 + number))
    assert cache.get(names[0]) == b"x" * 100  # used now
    cache.put(names[4], b"y")
    assert [cache.get(key) for key in names] == [b"x" * 100, None, b"x" * 100, b"x" * 100, b"y"]


def test_an_entry_above_the_bound_is_not_stored(tmp_path: Path) -> None:
    cache = ObjectCache(tmp_path, limit=2 * object_cache.BLOCK * SHARDS)
    cache.put(keys(1)[0], b"x" * 3 * object_cache.BLOCK)
    assert files(tmp_path) == []


def test_temporary_files_of_killed_processes_go(tmp_path: Path) -> None:
    cache = ObjectCache(tmp_path, limit=2 * object_cache.BLOCK * SHARDS)
    first, second = keys(2)
    cache.put(first, b"1")
    left = cache._path(first).parent / "new-left"
    left.write_bytes(b"half")
    os.utime(left, (1000, 1000))
    cache.put(second, b"2")
    assert not left.exists()
    assert (cache.get(first), cache.get(second)) == (b"1", b"2")


def test_a_folder_that_cannot_be_made_is_ignored(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    cache = ObjectCache(tmp_path / "file" / "folder")
    cache.put(keys(1)[0], b"x")
    assert cache.get(keys(1)[0]) is None


@posix
def test_a_folder_that_others_can_write_is_ignored(tmp_path: Path) -> None:
    cache = ObjectCache(tmp_path)
    (key,) = keys(1)
    cache.put(key, b"x")
    assert cache.get(key) == b"x"
    os.chmod(cache._path(key).parent, 0o777)
    assert cache.get(key) is None
    cache.put(key, b"y")
    os.chmod(cache._path(key).parent, 0o700)
    assert cache.get(key) == b"x"


as_root = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away"
)
STRANGER = 12345


@as_root
@pytest.mark.parametrize("above", range(4))
def test_folders_above_that_another_account_owns_are_refused(tmp_path: Path, above: int) -> None:
    cache = ObjectCache(tmp_path / "way" / "cache")
    (key,) = keys(1)
    cache.put(key, b"x")
    assert cache.get(key) == b"x"
    folder = [cache._path(key), *cache._path(key).parents][above]
    os.chown(folder, STRANGER, STRANGER)
    assert cache.get(key) is None
    if above:
        cache.put(key, b"y")
    os.chown(folder, 0, 0)
    assert cache.get(key) == b"x"


@posix
@pytest.mark.parametrize(("mode", "seen"), [(0o775, None), (0o777, None), (0o1777, b"x"),
                                            (0o711, b"x")])  # fmt: skip
def test_folders_above_that_others_may_write_need_the_sticky_bit(
    tmp_path: Path, mode: int, seen: bytes | None
) -> None:
    cache = ObjectCache(tmp_path / "way" / "cache")
    (key,) = keys(1)
    cache.put(key, b"x")
    os.chmod(tmp_path / "way", mode)
    assert cache.get(key) == seen


@posix
def test_links_in_the_cache_are_not_followed(tmp_path: Path) -> None:
    cache, other = ObjectCache(tmp_path / "cache"), ObjectCache(tmp_path / "other")
    (key,) = keys(1)
    cache.put(key, b"x")
    other.put(key, b"y")
    cache._path(key).unlink()
    cache._path(key).symlink_to(other._path(key))
    assert cache.get(key) is None
    cache.put(key, b"z")
    assert (cache.get(key), other.get(key)) == (b"z", b"y")
    (tmp_path / "link").symlink_to(tmp_path / "cache")  # the user's own link to the whole folder
    assert ObjectCache(tmp_path / "link").get(key) == b"z"


@posix
def test_a_pipe_in_place_of_an_entry_is_missing(tmp_path: Path) -> None:
    cache, (key,) = ObjectCache(tmp_path), keys(1)
    cache.put(key, b"x")
    cache._path(key).unlink()
    os.mkfifo(cache._path(key), 0o600)
    assert cache.get(key) is None


@as_root
def test_a_folder_that_is_exchanged_while_it_is_opened_plants_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At each step of the way another account exchanges the next folder by its own."""
    cache, planted = ObjectCache(tmp_path / "way" / "cache"), ObjectCache(tmp_path / "planted")
    (key,) = keys(1)
    planted.put(key, b"evil")
    for path in (planted.folder, *planted.folder.rglob("*")):
        os.chown(path, STRANGER, STRANGER)
    opened = os.open
    for step in range(3):
        cache.put(key, b"x")
        target = [tmp_path / "way", cache.folder, cache._path(key).parent][step]
        source = [tmp_path / "planted", tmp_path / "planted",
                  planted._path(key).parent][step]  # fmt: skip
        for link in (True, False):
            def exchanging(path, *args, target=target, source=source, link=link, **kwargs):
                if path == target.name and kwargs.get("dir_fd") is not None:
                    target.rename(tmp_path / "kept")
                    if link:
                        target.symlink_to(source)
                    else:
                        source.rename(target)
                return opened(path, *args, **kwargs)

            with monkeypatch.context() as patch:
                patch.setattr(os, "open", exchanging)
                assert cache.get(key) != b"evil"
            if link:
                target.unlink()
            else:
                target.rename(source)
            (tmp_path / "kept").rename(target)


def test_threads_that_write_and_evict_at_once_read_whole_entries(tmp_path: Path) -> None:
    cache = ObjectCache(tmp_path, limit=3 * object_cache.BLOCK * SHARDS)
    names, wrong = keys(6), []

    def work(seed: int) -> None:
        for turn in range(60):
            key = names[(seed + turn) % len(names)]
            cache.put(key, key.encode() * 20)
            found = cache.get(key)
            if found not in (None, key.encode() * 20):
                wrong.append(found)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert len(files(tmp_path)) <= 4
    assert not [path for path in files(tmp_path) if path.name.startswith("new-")]


def test_keys_tell_where_texts_end() -> None:
    assert key_of(["ab", "c"]) != key_of(["a", "bc"])
