"""Files are replaced whole: after a kill, a full disk, beside a reader or a second writer."""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import sys
import threading
import time

import pytest

import runtime as tf
from runtime.types import atomic_files
from tests.support import ROOT
from tests.support.nightly import NIGHTLY
from tests.support.ways import elements

D = tf.data.Dataset
SIZE = 40_000
KILLS = [pytest.param(4, id="few"), pytest.param(60, id="many", marks=NIGHTLY)]

WRITER = """
import sys
import runtime as tf
way, path = sys.argv[1:]
print("ready", flush=True)
for k in range(1_000_000):
    if way == "write_file":
        tf.io.write_file(path + "/file", b"%d" % (k % 10) * {size})
    elif way == "save":
        tf.data.Dataset.from_tensors(tf.fill([{size}], k)).repeat(3).save(path)
    else:
        list(tf.data.Dataset.from_tensors(tf.fill([{size}], k)).repeat(3).cache(path + "/file"))
        import os; os.unlink(path + "/file.cache")
"""


def is_whole(way, folder):
    """Whether the folder holds nothing, or one whole version."""
    if way == "write_file":
        data = (folder / "file").read_bytes() if (folder / "file").exists() else b"0" * SIZE
        return len(data) == SIZE and len(set(data)) == 1
    if way == "save":
        data = D.load(folder) if (folder / "dataset.saved").exists() else D.range(0)
    else:
        fallback = D.from_tensors(tf.fill([SIZE], 0)).repeat(3)
        data = fallback.cache(str(folder / "file"))
    found = [part.numpy() for part in data]
    return len({row.tobytes() for row in found}) <= 1 and len(found) in (0, 3)


@pytest.mark.parametrize("kills", KILLS)
@pytest.mark.parametrize("way", ["write_file", "save", "cache"])
def test_a_killed_writer_leaves_old_or_new_data(tmp_path, way, kills):
    rng = random.Random(way)
    for _ in range(kills):
        command = [sys.executable, "-c", WRITER.format(size=SIZE), way, str(tmp_path)]
        child = subprocess.Popen(
            command, stdout=subprocess.PIPE, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}
        )
        assert child.stdout is not None and child.stdout.readline() == b"ready\n"
        time.sleep(rng.uniform(0.0, 0.3))
        child.send_signal(signal.SIGKILL)
        child.communicate()
        assert is_whole(way, tmp_path)
        (tmp_path / "file.cache").unlink(missing_ok=True)
    if way == "write_file":
        tf.io.write_file(str(tmp_path / "file"), "last")
    elif way == "save":
        D.range(3).save(tmp_path)
    else:
        list(D.range(3).cache(str(tmp_path / "file")))
    assert len(list(tmp_path.iterdir())) == 1, "temporary files stay"


@pytest.fixture
def small_disk():
    """Files of this process end at 20,000 bytes."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, limits[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def test_a_full_disk_leaves_the_old_data(tmp_path, small_disk):
    file, saved = tmp_path / "file", tmp_path / "saved"
    tf.io.write_file(str(file), "old")
    with pytest.raises(tf.errors.ResourceExhaustedError, match="file; "):
        tf.io.write_file(str(file), b"n" * SIZE)
    assert file.read_bytes() == b"old"
    D.range(3).save(saved)
    large = D.from_tensors(tf.random.uniform([SIZE]))
    for write in (lambda: large.save(saved), lambda: large.save(saved, "GZIP")):
        with pytest.raises(tf.errors.ResourceExhaustedError):
            write()
        assert elements(D.load(saved)) == [0, 1, 2]
    with pytest.raises(tf.errors.ResourceExhaustedError):
        list(large.cache(str(tmp_path / "c")))
    with pytest.raises(tf.errors.ResourceExhaustedError):
        list(large.snapshot(str(tmp_path / "s")))
    names = sorted(path.name for path in tmp_path.rglob("*") if path.is_file())
    assert names == ["dataset.saved", "file"], "temporary files stay"


@pytest.mark.parametrize("unnamed", [True, False])
def test_readers_and_writers_at_once(tmp_path, monkeypatch, unnamed):
    if not unnamed:
        monkeypatch.setattr(atomic_files, "fcntl", None)
    path = str(tmp_path / "file")
    tf.io.write_file(path, b"0" * SIZE)
    wrong, errors = [], []
    done = threading.Event()

    def write(digit):
        try:
            for _ in range(40):
                tf.io.write_file(path, digit * SIZE)
        except Exception as error:
            errors.append(error)

    def read():
        while not done.is_set():
            with open(path, "rb") as file:
                data = file.read()
            if len(data) != SIZE or len(set(data)) != 1:
                wrong.append(data)

    reader = threading.Thread(target=read)
    writers = [threading.Thread(target=write, args=(digit,)) for digit in (b"1", b"2", b"3")]
    for thread in (reader, *writers):
        thread.start()
    for thread in writers:
        thread.join()
    done.set()
    reader.join()
    assert not errors and not wrong
    assert os.listdir(tmp_path) == ["file"]


def test_what_a_dead_writer_left_is_removed_and_not_what_is_in_use(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    left = tmp_path / ".file.0.part"
    left.write_bytes(b"half")
    tf.io.write_file(str(path), "new")
    assert os.listdir(tmp_path) == ["file"] and path.read_bytes() == b"new"
    fcntl = pytest.importorskip("fcntl")
    left.write_bytes(b"in use")
    with open(left, "rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        tf.io.write_file(str(path), "newer")
    assert left.read_bytes() == b"in use" and path.read_bytes() == b"newer"


def test_permissions_links_and_what_is_no_file(tmp_path):
    path, link = tmp_path / "file", tmp_path / "link"
    tf.io.write_file(str(path), "a")
    mask = os.umask(0)
    os.umask(mask)
    assert path.stat().st_mode & 0o777 == 0o666 & ~mask
    path.chmod(0o640)
    link.symlink_to(path)
    tf.io.write_file(str(link), "b")
    assert link.is_symlink() and path.read_bytes() == b"b"
    assert path.stat().st_mode & 0o777 == 0o640
    tf.io.write_file(os.devnull, "gone")
    assert not os.path.isfile(os.devnull)
    with pytest.raises(tf.errors.FailedPreconditionError, match="Is a directory"):
        tf.io.write_file(str(tmp_path), "c")
    with pytest.raises(tf.errors.AlreadyExistsError, match="File exists"):
        tf.io.write_file(str(path / "below"), "c")
    with pytest.raises(tf.errors.NotFoundError, match="null byte"):
        tf.io.read_file("a\0b")
    long = str(tmp_path / ("x" * 250))
    for text in ("a", "b"):
        tf.io.write_file(long, text)
    assert sorted(os.listdir(tmp_path)) == ["file", "link", "x" * 250]


def test_a_write_that_raises_leaves_nothing(tmp_path):
    path = str(tmp_path / "file")
    for old in (False, True):
        if old:
            tf.io.write_file(path, "old")
        with pytest.raises(KeyboardInterrupt), atomic_files.replacing(path) as file:
            file.write(b"half")
            raise KeyboardInterrupt
        assert os.listdir(tmp_path) == (["file"] if old else [])
