"""``prefetch_to_device`` and ``copy_to_device``: where elements are, and what they are."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from runtime import keras
from runtime.engine.device_registry import REGISTRY
from runtime.types import flags
from tests.support.extras import needs

experimental = tf.data.experimental
GPU_1 = "/job:localhost/replica:0/task:0/device:GPU:1"


@pytest.fixture
def gpus(monkeypatch):
    """Two virtual GPUs."""
    monkeypatch.setattr(REGISTRY, "_devices", None)
    with flags.VIRTUAL_GPUS(2):
        yield


def pairs():
    return tf.data.Dataset.range(5).map(lambda n: {"n": n, "rows": tf.fill([2, 2], n)})


@needs("xla")
@pytest.mark.usefixtures("gpus")
@pytest.mark.parametrize("transformation", [
    experimental.copy_to_device, experimental.prefetch_to_device,
    lambda device: experimental.prefetch_to_device(device, buffer_size=3),
])  # fmt: skip
def test_elements_are_on_the_device(transformation):
    dataset = pairs().apply(transformation("/gpu:1"))
    assert int(dataset.cardinality()) == 5 and dataset.element_spec == pairs().element_spec
    elements = list(dataset)
    assert {x.device for element in elements for x in element.values()} == {GPU_1}
    for element, expected in zip(elements, pairs(), strict=True):
        with tf.device("/gpu:1"):
            assert (element["rows"] + 1).device == GPU_1
        np.testing.assert_array_equal(element["rows"], expected["rows"])
    batches = list(dataset.batch(3))
    assert [x["n"].numpy().tolist() for x in batches] == [[0, 1, 2], [3, 4]]
    assert batches[0]["n"].device.endswith("CPU:0")


@needs("xla")
@pytest.mark.usefixtures("gpus")
def test_graphs_take_the_elements_too():
    numbers = tf.data.Dataset.range(4)
    dataset = numbers.apply(experimental.prefetch_to_device("/gpu:0"))

    @tf.function
    def total(dataset):
        result = tf.constant(0, tf.int64)
        for n in dataset:
            result += n
        return result

    assert total(dataset).numpy() == 6
    with tf.device("/gpu:0"):
        assert total(dataset).numpy() == 6
    texts = tf.data.Dataset.from_tensors("abc").apply(experimental.prefetch_to_device("/gpu:0"))
    assert next(iter(texts)).numpy() == b"abc"


@needs("xla")
@pytest.mark.usefixtures("gpus")
def test_a_model_is_trained_on_what_is_prefetched():
    x = np.random.default_rng(0).normal(size=(32, 4)).astype("float32")
    dataset = tf.data.Dataset.from_tensor_slices((x, x.sum(1))).batch(8)
    losses = []
    for transformation in (
        experimental.prefetch_to_device("/cpu:0"), experimental.prefetch_to_device("/gpu:0"),
    ):  # fmt: skip
        keras.utils.set_random_seed(0)
        with tf.device("/cpu:0" if not losses else "/gpu:0"):
            model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
            model.compile("sgd", "mse")
            history = model.fit(dataset.apply(transformation), epochs=2, verbose=0).history
        losses.append(history["loss"])
    np.testing.assert_allclose(losses[0], losses[1], rtol=1e-5)


def test_what_is_refused():
    with pytest.raises(tf.errors.InvalidArgumentError, match="/gpu:7 unknown device. All availab"):
        experimental.prefetch_to_device("/gpu:7")
    with pytest.raises(tf.errors.InvalidArgumentError, match="unknown device|are on the CPU"):
        experimental.copy_to_device("/cpu:0", source_device="/gpu:0")
    with pytest.raises(TypeError):
        experimental.prefetch_to_device("/cpu:0", buffer_size="two")
