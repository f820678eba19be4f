"""What is saved outlives a power cut: files and names are synced, in the right order."""

from __future__ import annotations

import os
import stat

import pytest

import autograph.cli.outputs
import runtime as tf
from runtime import keras
from runtime.types.atomic_files import replacing

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows syncs no folders")


class Disk:
    """The calls that matter, in order: ("sync", inode) and ("name", path)."""

    def __init__(self, patch):
        self.calls = []
        patch.setattr(os, "fsync", self.sync)
        for name in ("link", "replace", "rename"):
            patch.setattr(os, name, self.naming(getattr(os, name)))

    def sync(self, descriptor):
        self.calls.append(("sync", os.fstat(descriptor).st_ino))

    def naming(self, call):
        def named(source, target, **options):
            call(source, target, **options)
            self.calls.append(("name", os.path.realpath(target)))

        return named

    def check(self, folder):
        """Every file below the folder was synced before a name was given, its folder afterwards."""
        names = [at for at, (kind, _) in enumerate(self.calls) if kind == "name"]
        before = {what for _, what in self.calls[: names[0]]} if names else set()
        before |= {what for kind, what in self.calls if kind == "sync"}
        for around, _, files in os.walk(folder):
            for file in files:
                path = os.path.join(around, file)
                assert os.stat(path).st_ino in before, path
            if files:
                assert os.stat(around).st_ino in before, around
        if names:
            last = os.path.dirname(self.calls[names[-1]][1])
            assert ("sync", os.stat(last).st_ino) in self.calls[names[-1] :]
        top = os.path.dirname(folder)
        assert ("sync", os.stat(top).st_ino) in self.calls, "the new folder itself"


def save_checkpoint(folder):
    tf.train.Checkpoint(v=tf.Variable(1.0)).save(folder / "ckpt")


def save_model(folder):
    module = tf.Module()
    module.v = tf.Variable([1.0, 2.0])
    tf.saved_model.save(module, str(folder))


def save_dataset(folder):
    tf.data.Dataset.range(3).save(str(folder))


def back_up(folder):
    model = keras.Sequential([keras.layers.Input((1,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    backup = keras.callbacks.BackupAndRestore(str(folder), delete_checkpoint=False)
    model.fit(tf.ones([2, 1]), tf.ones([2, 1]), verbose=0, callbacks=[backup])


@pytest.mark.parametrize("save", [save_checkpoint, save_model, save_dataset, back_up])
@pytest.mark.parametrize("deep", [False, True])
def test_saved_files_and_their_names_are_on_the_disk(tmp_path, monkeypatch, save, deep):
    folder = tmp_path / "above" / "folder" if deep else tmp_path / "folder"
    disk = Disk(monkeypatch)
    save(folder)
    disk.check(folder)
    if deep:
        assert ("sync", os.stat(tmp_path).st_ino) in disk.calls


def test_a_saved_model_that_replaces_another(tmp_path, monkeypatch):
    save_model(tmp_path / "folder")
    (tmp_path / "folder" / "note").write_text("of the user")
    disk = Disk(monkeypatch)
    save_model(tmp_path / "folder")
    assert (tmp_path / "folder" / "note").read_text() == "of the user"
    kinds = [kind for kind, _ in disk.calls]
    assert kinds[-1] == "sync"


def test_data_come_before_the_name_and_the_folder_after(tmp_path, monkeypatch):
    disk = Disk(monkeypatch)
    with replacing(str(tmp_path / "file"), durable=True) as file:
        file.write(b"x")
    inodes = [os.stat(path).st_ino for path in (tmp_path / "file", tmp_path)]
    assert disk.calls == [
        ("sync", inodes[0]), ("name", str(tmp_path / "file")), ("sync", inodes[1]),
    ]  # fmt: skip


def test_sources_converted_in_place(tmp_path, monkeypatch):
    target = tmp_path / "f.py"
    target.write_text("old")
    disk = Disk(monkeypatch)
    autograph.cli.outputs.write(str(target), b"new")
    assert disk.calls == [
        ("sync", target.stat().st_ino), ("name", str(target)), ("sync", tmp_path.stat().st_ino),
    ]  # fmt: skip
    assert stat.S_ISREG(target.stat().st_mode)
