"""``config``: which devices there are, and what is configured of them, in TensorFlow's words."""

from __future__ import annotations

import subprocess
import sys

import pytest

import runtime as tf
from runtime.types import flags
from tests.support.extras import needs

CPU = tf.config.PhysicalDevice("/physical_device:CPU:0", "CPU")
PART = tf.config.LogicalDeviceConfiguration()


def test_the_cpu_is_known_without_jax():
    program = """
import sys, runtime as tf
x = tf.constant(1.0) + 1.0
assert tf.config.list_physical_devices("CPU")[0].name == "/physical_device:CPU:0"
with tf.device("/cpu:0"):
    v = tf.Variable(x)
assert v.device == x.device == "/job:localhost/replica:0/task:0/device:CPU:0"
print([name for name in sys.modules if name == "jax" or name == "runtime.devices.interpreter"])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_import_leaves_devices_alone():
    program = "import sys, runtime; print('runtime.devices' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "False\n"


def test_names_are_tensorflows(fresh_devices):
    assert repr(CPU) == "PhysicalDevice(name='/physical_device:CPU:0', device_type='CPU')"
    assert repr(PART).startswith("LogicalDeviceConfiguration(memory_limit=None, experimental_prio")
    assert tf.config.list_physical_devices("CPU") == [CPU]
    assert tf.config.list_logical_devices("CPU") == [("/device:CPU:0", "CPU")]
    assert tf.config.get_visible_devices("CPU") == [CPU]
    assert tf.config.list_physical_devices("TPU") == []
    assert tf.config.experimental.get_device_details(CPU) == {}
    with pytest.raises(ValueError, match="device must be a tf.config.PhysicalDevice, but got: x"):
        tf.config.experimental.get_device_details("x")
    with pytest.raises(ValueError, match="Cannot set memory growth on non-GPU and non-Pluggable"):
        tf.config.experimental.set_memory_growth(CPU, True)
    with pytest.raises(KeyError):
        tf.config.experimental.get_memory_growth(CPU)


def test_what_is_no_device_is_refused(fresh_devices):
    with pytest.raises(ValueError, match="Unrecognized device: 'x'"):
        tf.config.set_visible_devices(["x"])
    with pytest.raises(ValueError, match="Unrecognized device: PhysicalDevice"):
        tf.config.set_visible_devices(CPU, "GPU")
    with pytest.raises(ValueError, match="Unrecognized device: 'x'"):
        tf.config.set_logical_device_configuration("x", [PART])
    part = tf.config.LogicalDeviceConfiguration(memory_limit=3)
    with pytest.raises(ValueError, match="memory limit on CPU virtual devices is currently not"):
        tf.config.set_logical_device_configuration(CPU, [part, part])


@needs("xla")
def test_the_cpu_is_divided_before_its_first_use(fresh_devices):
    tf.config.set_logical_device_configuration(CPU, [PART] * 4)
    tf.config.set_visible_devices(CPU, "CPU")
    assert tf.config.get_logical_device_configuration(CPU) == [PART] * 4
    names = [f"/device:CPU:{n}" for n in range(4)]
    assert [name for name, _ in tf.config.list_logical_devices("CPU")] == names
    tf.config.set_logical_device_configuration(CPU, [PART] * 4)  # no change
    with pytest.raises(RuntimeError, match="Virtual devices cannot be modified after being init"):
        tf.config.set_logical_device_configuration(CPU, [PART] * 3)
    with pytest.raises(RuntimeError, match="Visible devices cannot be modified after being init"):
        tf.config.set_visible_devices([], "CPU")
    with tf.device("/cpu:3"):
        assert tf.constant(1.0).device == "/job:localhost/replica:0/task:0/device:CPU:3"


@needs("xla")
def test_gpus(gpus):
    first, second = tf.config.list_physical_devices("GPU")
    assert first == ("/physical_device:GPU:0", "GPU")
    assert tf.config.list_logical_devices("GPU")[1] == ("/device:GPU:1", "GPU")
    assert tf.test.is_gpu_available() and tf.test.gpu_device_name() == "/device:GPU:0"
    tf.config.experimental.set_memory_growth(first, True)
    assert tf.config.experimental.get_memory_growth(first)
    assert not tf.config.experimental.get_memory_growth(second)
    assert tf.Session(graph=tf.Graph()).list_devices()[2].name == (
        "/job:localhost/replica:0/task:0/device:GPU:1"
    )


@needs("xla")
def test_hidden_and_divided_gpus(fresh_devices):
    with flags.VIRTUAL_GPUS(2):
        _, second = tf.config.list_physical_devices("GPU")
        tf.config.set_visible_devices(second, "GPU")
        tf.config.set_logical_device_configuration(second, [PART] * 3)
        assert len(tf.config.list_logical_devices("GPU")) == 3
        with tf.device("/gpu:2"):
            assert tf.constant(1).device.endswith("GPU:2")


def test_without_a_gpu(fresh_devices):
    assert tf.test.gpu_device_name() == "" and not tf.test.is_gpu_available()
    with tf.device("/gpu:0"):
        assert tf.constant(1.0).device == "/job:localhost/replica:0/task:0/device:CPU:0"
    with pytest.raises(RuntimeError, match="GPU:0 unknown device"):
        tf.constant(1.0).gpu()
    tf.config.set_soft_device_placement(False)
    assert not tf.config.get_soft_device_placement()
    absent = (
        "Could not satisfy device specification '/job:localhost/replica:0/task:0/device:GPU:0'. "
        "enable_soft_placement=0. Supported device types [CPU]. All available devices "
        "[/job:localhost/replica:0/task:0/device:CPU:0]."
    )
    with pytest.raises(tf.errors.InvalidArgumentError) as caught, tf.device("/gpu:0"):
        tf.constant(1.0)
    assert caught.value.message == absent


def test_devices_of_other_processes_are_unknown():
    with pytest.raises(tf.errors.InvalidArgumentError, match="/job:worker/replica:0/task:0/dev"):
        with tf.device("/job:worker/cpu:0"):
            tf.constant(1.0)


def test_placement_is_logged(capsys):
    tf.debugging.set_log_device_placement(True)
    try:
        assert tf.debugging.get_log_device_placement()
        tf.constant(1.0) + 2.0
    finally:
        tf.debugging.set_log_device_placement(False)
    line = "Executing op AddV2 in device /job:localhost/replica:0/task:0/device:CPU:0\n"
    assert capsys.readouterr().err == line
    assert not tf.debugging.get_log_device_placement()
