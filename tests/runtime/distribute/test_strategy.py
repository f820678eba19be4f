"""Strategies on one device: scopes, runs, reductions, and training under them."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from runtime.engine.device_registry import REGISTRY
from runtime.types import flags
from tests.support.extras import needs


@pytest.fixture
def gpus(monkeypatch):
    """Two virtual GPUs."""
    monkeypatch.setattr(REGISTRY, "_devices", None)
    with flags.VIRTUAL_GPUS(2):
        yield


def test_the_default_strategy():
    assert not tf.distribute.has_strategy() and not tf.distribute.in_cross_replica_context()
    strategy = tf.distribute.get_strategy()
    assert strategy.num_replicas_in_sync == 1
    assert strategy.run(lambda x, y: x - y, args=(3,), kwargs={"y": 1}) == 2
    assert strategy.reduce("SUM", 1.0, axis=None) == 1.0


def test_contexts():
    strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
    with strategy.scope():
        assert tf.distribute.get_strategy() is strategy and tf.distribute.has_strategy()
        assert tf.distribute.get_replica_context() is None
        assert tf.distribute.in_cross_replica_context()
        with strategy.scope():
            pass
        with pytest.raises(RuntimeError, match="Mixing different tf.distribute.Strategy objects"):
            with tf.distribute.OneDeviceStrategy("/cpu:0").scope():
                pass

    def replica(x):
        context = tf.distribute.get_replica_context()
        assert int(context.replica_id_in_sync_group) == 0 and context.num_replicas_in_sync == 1
        assert context.merge_call(lambda s, v: (s is strategy, v), args=(x,)) == (True, x)
        return context.all_reduce(tf.distribute.ReduceOp.MEAN, x)

    assert strategy.run(replica, args=(5,)) == 5
    assert not tf.distribute.has_strategy()


def test_reductions():
    strategy = tf.distribute.MirroredStrategy(["/cpu:0"])
    rows = tf.constant([[1.0, 2.0], [3.0, 6.0]])
    assert strategy.reduce("SUM", rows, axis=None) is rows
    assert strategy.reduce("SUM", rows, axis=0).numpy().tolist() == [4.0, 8.0]
    assert strategy.reduce(tf.distribute.ReduceOp.MEAN, rows, axis=1).numpy().tolist() == [1.5, 4.5]
    assert strategy.experimental_local_results(rows) == (rows,)
    with pytest.raises(ValueError, match="'FOO' is not a valid ReduceOp"):
        strategy.reduce("FOO", rows, axis=0)


def test_a_program_that_is_written_for_mirrors():
    """The tutorial "Custom training": a global batch, one loss for each replica, their sum."""
    strategy = tf.distribute.MirroredStrategy(["/cpu:0"])
    batch = 4 * strategy.num_replicas_in_sync
    x = np.linspace(0, 1, 16, dtype=np.float32)[:, None]
    dataset = tf.data.Dataset.from_tensor_slices((x, 2 * x + 1)).batch(batch)
    distributed = strategy.experimental_distribute_dataset(dataset)
    with strategy.scope():
        model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="zeros")])
        optimizer = tf.keras.optimizers.SGD(0.5)

    def train_step(inputs):
        features, labels = inputs
        with tf.GradientTape() as tape:
            per_example = tf.reduce_sum((model(features, training=True) - labels) ** 2, axis=1)
            loss = tf.nn.compute_average_loss(per_example, global_batch_size=batch)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss

    @tf.function
    def distributed_train_step(inputs):
        losses = strategy.run(train_step, args=(inputs,))
        return strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)

    losses = [float(distributed_train_step(inputs)) for _ in range(20) for inputs in distributed]
    assert losses[-1] < 1e-2 < losses[0]


@needs("xla")
@pytest.mark.usefixtures("gpus")
def test_on_a_gpu():
    strategy = tf.distribute.OneDeviceStrategy("/gpu:1")
    with strategy.scope():
        v = tf.Variable([1.0, 2.0])
    assert v.device == strategy.device == "/job:localhost/replica:0/task:0/device:GPU:1"

    @tf.function
    def step(x):
        if tf.reduce_sum(x) > 0.0:
            v.assign_add(x)
        return v * 2.0

    found = strategy.run(step, args=(tf.constant([1.0, 1.0]),))
    assert found.device == v.device and found.numpy().tolist() == [4.0, 6.0]


def test_datasets_from_a_function():
    strategy = tf.distribute.OneDeviceStrategy("/cpu:0")

    def make(context):
        size = context.get_per_replica_batch_size(4)
        return tf.data.Dataset.range(8).batch(size).shard(
            context.num_input_pipelines, context.input_pipeline_id
        )

    batches = list(strategy.distribute_datasets_from_function(make))
    assert [batch.numpy().tolist() for batch in batches] == [[0, 1, 2, 3], [4, 5, 6, 7]]
