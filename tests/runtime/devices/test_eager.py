"""Eager tensors and variables on virtual GPUs: where they are, and that values are the CPU's."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import runtime as tf
from runtime.types import flags
from tests.support.extras import needs

pytestmark = [needs("xla"), pytest.mark.usefixtures("gpus")]

PROCESS = "/job:localhost/replica:0/task:0"


def place(value):
    """`GPU:0` of a tensor's or variable's device."""
    assert value.device.startswith(f"{PROCESS}/device:")
    return value.device.removeprefix(f"{PROCESS}/device:")


@pytest.mark.parametrize("name", ["/gpu:0", "/GPU:0", "/device:GPU:0", "gpu", f"{PROCESS}/gpu:0"])
def test_spellings_of_a_device(name):
    with tf.device(name):
        assert place(tf.constant([1.0, 2.0])) == "GPU:0"
    with tf.device(tf.DeviceSpec.from_string(name)):
        assert place(tf.constant(1)) == "GPU:0"


def test_nested_scopes():
    with tf.device("/gpu:1"):
        with tf.device("/cpu:0"):
            assert place(tf.constant(1.0)) == "CPU:0"
            with tf.device("/job:localhost"):
                assert place(tf.constant(1.0)) == "CPU:0"
        with tf.device(None):
            assert place(tf.constant(1.0)) == "CPU:0"
        assert place(tf.constant(1.0)) == "GPU:1"
    assert place(tf.constant(1.0)) == "CPU:0"


def test_functions_choose_devices_in_graphs_only():
    with pytest.raises(RuntimeError, match="tf.device does not support functions"):
        with tf.device(lambda op: "/gpu:0"):
            pass


def test_operands_are_copied_to_the_device_of_the_scope():
    x = tf.constant([1.0, 2.0])
    with tf.device("/gpu:0"):
        y = x * 2.0
        z = tf.identity(x)
    assert [place(v) for v in (x, y, z)] == ["CPU:0", "GPU:0", "GPU:0"]
    with tf.device("/gpu:1"):
        assert place(y + x) == place(tf.identity(y)) == "GPU:1"
    with tf.device("/cpu:0"):
        assert place(y + x) == place(tf.identity(y)) == "CPU:0"
    assert place(y + x) == place(x + y) == place(-y) == place(y[0]) == "GPU:0"
    assert (y + x).numpy().tolist() == [3.0, 6.0]
    assert place(y.cpu()) == "CPU:0" and place(y.gpu(1)) == "GPU:1" and y.gpu().cpu().cpu() is not y
    assert place(x.to_device(f"{PROCESS}/device:GPU:1")) == "GPU:1" and x.cpu() is x


def test_makers_of_tensors_obey_the_scope():
    with tf.device("/gpu:0"):
        made = [tf.zeros([2]), tf.ones([2, 3]), tf.fill([2], 3), tf.range(4), tf.eye(2)]
        made += [tf.random.normal([2]), tf.linspace(0.0, 1.0, 3), tf.convert_to_tensor([1, 2])]
        assert {place(value) for value in made} == {"GPU:0"}
        assert place(tf.strings.upper("a")) == place(tf.constant("a")) == "CPU:0"


def test_random_streams_are_the_same():
    tf.random.set_seed(5)
    expected = tf.random.normal([3]).numpy()
    tf.random.set_seed(5)
    with tf.device("/gpu:0"):
        assert (tf.random.normal([3]).numpy() == expected).all()


def test_values_leave_the_device_as_python_and_numpy_ask():
    with tf.device("/gpu:0"):
        x = tf.constant([[1.5, 2.5], [3.5, 4.5]])
        n = tf.constant(3)
    assert repr(x) == repr(tf.constant(x.numpy())) and str(x) == str(x.cpu())
    assert f"{n:03}" == "003" and [0, 1, 2, 3][n] == 3 and bool(n) and int(n) == 3
    assert np.add(x, 1).tolist() == [[2.5, 3.5], [4.5, 5.5]] and len(x) == 2
    assert np.from_dlpack(x).tolist() == x.numpy().tolist() == [row.numpy().tolist() for row in x]
    assert place(pickle.loads(pickle.dumps(x))) == "CPU:0" and copy.deepcopy(x) is x
    assert isinstance(x, tf.Tensor) and tf.is_tensor(x) and x.shape == (2, 2) and x.ndim == 2
    assert x.dtype is tf.float32 and x.size == 4 and place(x.T) == "GPU:0"


def test_what_the_cpu_raises_is_raised():
    with tf.device("/gpu:0"):
        x = tf.constant([7, 8])
        for wrong, text in (
            (lambda: x // 0, "Integer division by zero"),
            (lambda: tf.gather(x, [5]), "not in|out of range|out of bounds"),
            (lambda: tf.reshape(x, [3]), "reshape"),
            (lambda: tf.constant([1.0]) + x, "dtype|expected to be"),
            (lambda: x + tf.constant([1, 2, 3]), "shape|Incompatible"),
        ):
            with pytest.raises((tf.errors.OpError, TypeError, ValueError)) as on_gpu:
                wrong()
            with tf.device("/cpu:0"), pytest.raises(type(on_gpu.value), match=text):
                wrong()
        assert (x // 2).numpy().tolist() == [3, 4]


def test_without_soft_placement_an_op_without_kernel_is_refused():
    tf.config.set_soft_device_placement(False)
    with tf.device("/gpu:0"):
        x = tf.constant([[4.0, 0.0], [0.0, 9.0]])
        with pytest.raises(tf.errors.InvalidArgumentError, match="Could not satisfy device spec"):
            tf.linalg.sqrtm(x)
    tf.config.set_soft_device_placement(True)
    with tf.device("/gpu:0"):
        assert place(tf.linalg.sqrtm(x)) == "CPU:0"


def test_variables():
    with tf.device("/gpu:1"):
        v = tf.Variable([1.0, 2.0])
    w = tf.Variable([1.0])
    assert place(v) == "GPU:1" and place(w) == "CPU:0"
    v.assign_add([1.0, 1.0])
    v.assign_sub(tf.constant([0.5, 0.5]))
    assert v.numpy().tolist() == [1.5, 2.5] and place(v) == "GPU:1"
    v.assign([4.0, 5.0])
    tf.compat.v1.scatter_add(v, [1], [1.0]) if hasattr(tf, "compat") else None
    with tf.device("/gpu:1"):
        assert place(v + 1.0) == place(v.read_value()) == place(w + v) == "GPU:1"
    with tf.device("/cpu:0"):
        assert place(v * 1.0) == "CPU:0"
    assert pickle.loads(pickle.dumps(v)).numpy().tolist() == v.numpy().tolist()
    with pytest.raises(ValueError, match="hape"):
        v.assign_add([1.0])
    with pytest.raises(ValueError, match="hape"):
        v.assign([1.0, 2.0, 3.0])
    v[0].assign(9.0)
    assert v.numpy()[0] == 9.0 and "numpy=array([9." in repr(v)


def test_gradients_are_those_of_the_cpu():
    def loss(x, v):
        return tf.reduce_sum(tf.tanh(tf.matmul(x, v)) ** 2.0)

    x, start = tf.random.stateless_normal([4, 3], [1, 2]), tf.ones([3, 2])

    def gradients():
        v, y = tf.Variable(start), tf.identity(x)
        with tf.GradientTape() as tape:
            tape.watch(y)
            value = loss(y, v)
        return [value, *tape.gradient(value, [v, y])]

    expected = gradients()
    with tf.device("/gpu:0"):
        found = gradients()
    assert {place(value) for value in found} == {"GPU:0"}
    for one, two in zip(expected, found):
        np.testing.assert_allclose(one, two, rtol=2e-5, atol=1e-6)


def test_calls_of_functions():
    v = tf.Variable([2.0, 3.0])

    @tf.function
    def f(x, n):
        total = tf.zeros([2])
        for k in tf.range(n):
            total += x * v
            if tf.reduce_sum(total) > 100.0:
                total = total / 2.0
        v.assign_add(x)
        return total

    expected = [f(tf.constant([1.0, 2.0]), tf.constant(5)).numpy() for _ in range(2)]
    v.assign([2.0, 3.0])
    with tf.device("/gpu:0"):
        x = tf.constant([1.0, 2.0])
        found = f(x, tf.constant(5))
    assert place(found) == "GPU:0" and (found.numpy() == expected[0]).all()
    found = f(x, tf.constant(5))
    assert place(found) == "GPU:0" and (found.numpy() == expected[1]).all()
    with tf.GradientTape() as tape:
        tape.watch(x)
        result = f(x, tf.constant(2))
    gradient = tape.gradient(result, x)
    assert place(gradient) == "GPU:0"


def test_a_checkpoint_restores_variables_where_they_are(tmp_path):
    with tf.device("/gpu:0"):
        v = tf.Variable([1.0, 2.0])
    saved = tf.train.Checkpoint(v=v)
    path = saved.save(str(tmp_path / "ckpt"))
    v.assign([0.0, 0.0])
    saved.restore(path)
    assert v.numpy().tolist() == [1.0, 2.0] and place(v) == "GPU:0"


def test_a_saved_model_of_variables_on_a_device(tmp_path):
    class Scaled(tf.Module):
        def __init__(self):
            super().__init__()
            with tf.device("/gpu:1"):
                self.factor = tf.Variable([2.0, 3.0])

        @tf.function(input_signature=[tf.TensorSpec([None, 2])])
        def __call__(self, x):
            self.factor.assign_add([1.0, 1.0])
            return x * self.factor

    model = Scaled()
    x = tf.ones([1, 2])
    assert model(x).numpy().tolist() == [[3.0, 4.0]]
    tf.saved_model.save(model, str(tmp_path / "model"))
    assert model.factor.numpy().tolist() == [3.0, 4.0] and place(model.factor) == "GPU:1"
    loaded = tf.saved_model.load(str(tmp_path / "model"))
    assert loaded(x).numpy().tolist() == [[4.0, 5.0]]
    with tf.device("/gpu:0"):
        on_gpu = tf.saved_model.load(str(tmp_path / "model"))
        assert on_gpu(x).numpy().tolist() == [[4.0, 5.0]]
    assert [place(v) for v in (*loaded.variables, *on_gpu.variables)] == ["CPU:0", "GPU:0"]


def test_a_changed_setting_leaves_no_compiled_operation():
    with tf.device("/gpu:0"):
        x = tf.constant([1.0, 2.0])
        assert (x + x).numpy().tolist() == [2.0, 4.0]
        home = x._interpreter
        before = len(home._direct)
        assert before
        with flags.CHECK_KERNELS(not flags.CHECK_KERNELS.value):
            assert (x + x).numpy().tolist() == [2.0, 4.0]
            assert len(home._direct) == before + 1
        assert (x + x).numpy().tolist() == [2.0, 4.0]
        assert len(home._direct) == before + 1


def test_derivatives_on_a_device_leave_no_constants_for_the_cpu():
    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(x[1:5, 2] ** 2)
        return tape.gradient(y, x)

    with tf.device("/gpu:0"):
        assert place(slope(tf.ones([23, 7]))) == "GPU:0"
    assert place(slope(tf.ones([23, 7]))) == "CPU:0"
