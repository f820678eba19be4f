"""Checkpoints: what is saved comes back, eagerly and in graphs; what is damaged changes nothing."""

from __future__ import annotations

import os
import random

import numpy as np
import pytest

import runtime as tf
from runtime.state import deferred
from runtime.train.tensor_file import TensorFile, write_tensors


@pytest.fixture(autouse=True)
def nothing_waits():
    for one in list(deferred.WAITING):
        deferred.finish(one)


class Net(tf.Module):
    """Module whose weights are made by the first call."""

    def __init__(self):
        super().__init__()
        self.layers = []
        self.scale = tf.Variable(2.0, name="scale")

    def grow(self):
        self.layers.append(tf.Variable(tf.zeros([2, 2]), name="w"))
        self.head = tf.Variable([1, 2], name="head")


def filled():
    net = Net()
    net.grow()
    net.scale.assign(5.0)
    net.layers[0].assign([[1.0, 2.0], [3.0, 4.0]])
    net.head.assign([7, 8])
    return net


def values(net):
    return [v.numpy().tolist() for v in net.variables]


ARRAYS = {
    "f": np.linspace(0, 1, 6, dtype=np.float32).reshape(2, 3), "scalar": np.float64(-0.0),
    "empty": np.zeros((0, 4), np.int16), "bools": np.array([True, False]),
    "c": np.array([[1 + 2j]], np.complex128), "c64": np.array([3j], np.complex64),
    "text": np.array([[b"a", b""], [b"\xff\x00z", b"bcd"]], object), "u": np.uint64(2**64 - 1),
    "half": np.float16(0.1), "strided": np.arange(12)[::3], "big": np.arange(3, dtype=">i4"),
}  # fmt: skip


def test_files_keep_arrays_of_all_types(tmp_path):
    path = str(tmp_path / "a.safetensors")
    write_tensors(path, ARRAYS, {"note": "hé"})
    file = TensorFile(path)
    assert file.metadata["note"] == "hé" and sorted(file.names) == sorted(ARRAYS)
    for name, found in file.read_all().items():
        wanted = np.asarray(ARRAYS[name])
        np.testing.assert_array_equal(found, wanted)
        np.testing.assert_array_equal(file.read(name), wanted)
        assert found.dtype == wanted.dtype.newbyteorder("=") and found.shape == wanted.shape
        shape, dtype = file.shape_and_dtype(name)
        assert shape == wanted.shape and dtype in (wanted.dtype.name, "string")
    assert np.signbit(file.read("scalar"))


def test_damaged_files_are_told_and_change_nothing(tmp_path):
    net, path = filled(), str(tmp_path / "ckpt")
    tf.train.Checkpoint(net=net).write(path)
    data = (tmp_path / "ckpt.safetensors").read_bytes()
    draw, target = random.Random(1), Net()
    target.grow()
    before = values(target)
    for _ in range(300):
        spoilt = bytearray(data)
        kind = draw.randrange(3)
        place = draw.randrange(len(data))
        if kind == 0:
            del spoilt[place:]
        elif kind == 1:
            spoilt[place] ^= 1 << draw.randrange(8)
        else:
            spoilt[place:place] = draw.randbytes(draw.randrange(1, 9))
        (tmp_path / "ckpt.safetensors").write_bytes(spoilt)
        with pytest.raises(tf.errors.OpError, match="ckpt"):
            tf.train.Checkpoint(net=target).restore(path)
        assert values(target) == before


def test_what_is_saved_comes_back_now_or_later(tmp_path):
    saved = tf.train.Checkpoint(net=filled(), step=tf.Variable(3))
    path = saved.save(tmp_path / "ckpt")
    assert path == str(tmp_path / "ckpt-1") == tf.train.latest_checkpoint(str(tmp_path))
    net, step = Net(), tf.Variable(0)
    status = tf.train.Checkpoint(net=net, step=step).restore(path)
    assert net.scale.numpy() == 5 and step.numpy() == 3
    with pytest.raises(AssertionError, match="values that nothing here takes: .*net/head"):
        status.assert_consumed()
    net.grow()
    assert values(net) == values(filled())
    status.assert_consumed()
    assert "__setattr__" not in vars(tf.Module)
    assert tf.train.list_variables(path) == [
        ("net/head", [2]), ("net/layers/0", [2, 2]), ("net/scale", []), ("save_counter", []),
        ("step", []),
    ]  # fmt: skip
    assert tf.train.load_variable(str(tmp_path), "net/scale") == 5


def test_other_shapes_dtypes_and_names_are_refused(tmp_path):
    path = tf.train.Checkpoint(a=tf.Variable([1.0, 2.0]), b=tf.Variable(1)).write(tmp_path / "c")
    a, b = tf.Variable([9.0, 9.0]), tf.Variable(9.0)
    with pytest.raises(tf.errors.InvalidArgumentError, match="'b' is int32 there.*is float32"):
        tf.train.Checkpoint(a=a, b=b).restore(path)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"the shape \(2,\) there.*\(3,\)"):
        tf.train.Checkpoint(a=tf.Variable([9.0] * 3)).restore(path)
    assert a.numpy().tolist() == [9, 9] and b.numpy() == 9
    status = tf.train.Checkpoint(c=a).restore(path)
    with pytest.raises(AssertionError, match="holds no value for c"):
        status.assert_existing_objects_matched()
    with pytest.raises(AssertionError, match="nothing here takes"):
        status.assert_nontrivial_match()
    with pytest.raises(tf.errors.NotFoundError, match="no checkpoint of this name"):
        tf.train.Checkpoint(a=a).restore(str(tmp_path / "none"))
    with pytest.raises(AssertionError, match="no checkpoint to restore"):
        tf.train.Checkpoint(a=a).restore(None).assert_consumed()
    with pytest.raises(ValueError, match="expecting a to be a variable"):
        tf.train.Checkpoint(a=3)


def test_values_move_between_eager_and_graph(tmp_path):
    eager = {"w": tf.Variable([1.0, 2.0], name="w"), "b": tf.Variable(3.0, name="b")}
    tf.train.Checkpoint(**eager).write(tmp_path / "eager")
    with tf.Graph().as_default(), tf.Session() as session:
        w, b = tf.Variable([0.0, 0.0], name="w"), tf.Variable(0.0, name="b")
        saver = tf.train.Saver()
        with pytest.raises(tf.errors.FailedPreconditionError):
            saver.save(session, str(tmp_path / "unset"))
        assert os.listdir(tmp_path) == ["eager.safetensors"]
        saver.restore(session, str(tmp_path / "eager"))
        assert session.run([w, b])[1] == 3 and session.run(w).tolist() == [1, 2]
        session.run(w.assign([5.0, 6.0]))
        path = saver.save(session, str(tmp_path / "graph"), global_step=4)
        assert path == str(tmp_path / "graph-4")
        session.run(w.assign([0.0, 0.0]))
        tf.train.Checkpoint(w=w).restore(path)
        assert session.run(w).tolist() == [5, 6]
        tf.train.Checkpoint(w=w).write(tmp_path / "again", session=session)
        with pytest.raises(tf.errors.NotFoundError, match="no value for the variable 'b'"):
            saver.restore(session, str(tmp_path / "again"))
    tf.train.Checkpoint(**eager).restore(path).assert_consumed()
    assert eager["w"].numpy().tolist() == [5, 6]


def test_managers_and_savers_keep_the_latest(tmp_path):
    step = tf.Variable(0)
    checkpoint = tf.train.Checkpoint(step=step)
    manager = tf.train.CheckpointManager(checkpoint, str(tmp_path / "m"), max_to_keep=2)
    assert manager.latest_checkpoint is None and manager.restore_or_initialize() is None
    for _ in range(4):
        step.assign_add(1)
        manager.save()
    names = [os.path.basename(path) for path in manager.checkpoints]
    assert names == ["ckpt-3", "ckpt-4"]
    assert sorted(os.listdir(tmp_path / "m")) == [
        "checkpoint", "ckpt-3.safetensors", "ckpt-4.safetensors",
    ]  # fmt: skip
    again = tf.train.CheckpointManager(checkpoint, str(tmp_path / "m"), max_to_keep=2)
    step.assign(0)
    assert again.restore_or_initialize() == manager.latest_checkpoint and step.numpy() == 4
    assert int(checkpoint.save_counter) == 4
    again.save()
    assert [os.path.basename(path) for path in again.checkpoints] == ["ckpt-4", "ckpt-5"]
    by_steps = tf.train.CheckpointManager(
        checkpoint, str(tmp_path / "s"), 3, step_counter=step, checkpoint_interval=2
    )
    assert by_steps.save() and by_steps.save() is None
    step.assign_add(2)
    assert by_steps.save()


def test_objects_that_are_made_later_get_their_values_when_they_are_used(tmp_path):
    saved = tf.Module()
    saved.listed, saved.mapped = [tf.Variable(3.0)], {"x": tf.Variable([4.0])}
    path = tf.train.Checkpoint(saved).save(tmp_path / "ckpt")
    module = tf.Module()
    status = tf.train.Checkpoint(module).restore(path)  # the checkpoint itself is gone
    module.listed, module.mapped = [], {}
    module.listed.append(tf.Variable(0.0, name="v"))
    assert module.listed[0].name == "v:0" and type(module.listed[0]) is not tf.Variable
    assert module.listed[0].numpy() == 3 and type(module.listed[0]) is tf.Variable
    module.mapped["x"] = tf.Variable([0.0])
    assert (module.mapped["x"] + 1.0).numpy() == [5]
    status.assert_consumed()
    assert "__setattr__" not in vars(tf.Module) and type(tf.Variable(1.0)) is tf.Variable
    late = tf.train.Checkpoint()
    status = late.restore(path)
    late.listed = [tf.Variable(0.0)]
    late.mapped = {}
    late.mapped["x"] = tf.Variable([0.0])
    late.mapped["x"].assign([9.0])  # comes after the value of the file, as in program order
    assert late.listed[0].numpy() == 3 and late.mapped["x"].numpy() == [9]
    status.assert_consumed()


def test_a_value_goes_to_all_paths_of_a_shared_variable(tmp_path):
    saved, half, apart = tf.Module(), tf.Module(), tf.Module()
    saved.a = saved.b = tf.Variable(1.0)
    path = tf.train.Checkpoint(m=saved).write(tmp_path / "shared")
    half.b = tf.Variable(0.0)
    tf.train.Checkpoint(m=half).restore(path).assert_consumed()
    apart.a, apart.b = tf.Variable(0.0), tf.Variable(0.0)
    tf.train.Checkpoint(m=apart).restore(path).assert_consumed()
    assert half.b.numpy() == apart.a.numpy() == apart.b.numpy() == 1
    apart.b.assign(2.0)
    path = tf.train.Checkpoint(m=apart).write(tmp_path / "apart")
    tf.train.Checkpoint(m=saved).restore(path).assert_consumed()
    assert saved.a.numpy() == 1  # the first of its paths counts, as in TensorFlow


def test_values_that_do_not_fit_later_are_told_once(tmp_path):
    path = tf.train.Checkpoint(v=tf.Variable(3.0)).write(tmp_path / "c")
    target, other = tf.train.Checkpoint(), tf.Module()
    status = target.restore(path)
    with pytest.raises(tf.errors.InvalidArgumentError, match="the shape .. there"):
        target.v = tf.Variable([0.0, 1.0])
    other.v = tf.Variable(1.0)
    with pytest.raises(tf.errors.InvalidArgumentError, match="the shape .. there"):
        status.assert_consumed()
    for _ in range(3):  # later restorations take the place of earlier ones
        waiting = tf.train.Checkpoint(m=other).restore(path)
    assert len(deferred.WAITING) == 1
    with pytest.raises(AssertionError, match="nothing here takes: v"):
        waiting.assert_consumed()


def test_graphs_are_restored_in_the_session_that_is_given(tmp_path):
    path = tf.train.Checkpoint(w=tf.Variable([1.0, 2.0])).save(tmp_path / "new" / "ckpt")
    with tf.Graph().as_default():
        w, b = tf.Variable([0.0, 0.0]), tf.Variable(7.0)
        checkpoint = tf.train.Checkpoint(w=w, b=b)
        status = checkpoint.restore(path)
        for _ in range(2):
            with tf.Session() as session:
                status.initialize_or_restore(session)
                assert session.run(w).tolist() == [1, 2] and session.run(b) == 7
                session.run(w.assign([5.0, 5.0]))
        with tf.Session() as session:
            checkpoint.restore(None).initialize_or_restore(session)
            assert session.run(w).tolist() == [0, 0] and session.run(b) == 7


def test_strings_and_paths_of_other_types(tmp_path):
    texts = {"one": tf.Variable("hé\0"), "many": tf.Variable(["a", ""])}
    path = tf.train.Checkpoint(t=texts).write(os.fsencode(tmp_path / "dé" / "c"))
    assert path == str(tmp_path / "dé" / "c")
    again = {"one": tf.Variable(""), "many": tf.Variable(["", ""])}
    tf.train.Checkpoint(t=again).read(os.fsencode(path)).assert_consumed()
    assert again["one"].numpy() == "hé\0".encode() and again["many"].numpy().tolist() == [b"a", b""]


def test_managers_tell_what_is_wrong_with_their_folder(tmp_path):
    (tmp_path / "file").write_text("no folder")
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(), tmp_path / "file" / "m", 1)
    with pytest.raises(tf.errors.OpError, match="file/m"):
        manager.save()
