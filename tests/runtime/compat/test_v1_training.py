"""TensorFlow 1's way to train: layers, scopes, losses and optimizers of a graph, in a session."""

from __future__ import annotations

import numpy as np
import pytest

import runtime
import runtime.compat.v1 as tf
from runtime import keras

X = np.linspace(-1, 1, 24).reshape(4, 6).astype("float32")
IMAGES = np.linspace(0, 1, 192).reshape(4, 4, 4, 3).astype("float32")


def test_layers_name_and_share_weights_by_scopes():
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [None, 6])
        with tf.variable_scope("tower"):
            tf.layers.dense(tf.layers.dense(x, 3), 2, name="out")
        with tf.variable_scope("tower", reuse=True):
            tf.layers.dense(x, 3, name="dense")
        names = [v.name for v in tf.trainable_variables()]
        assert names == [
            f"tower/{layer}/{weight}:0"
            for layer in ("dense", "out") for weight in ("kernel", "bias")
        ]  # fmt: skip
        with tf.variable_scope("tower"), pytest.raises(ValueError, match="already exists"):
            tf.layers.dense(x, 3, name="out")
        with pytest.raises(ValueError, match="does not exist"):
            tf.layers.dense(x, 3, name="other", reuse=True)
        layer = tf.layers.Dense(2)
        with pytest.raises(ValueError, match="has not been used yet"):
            _ = layer.scope_name
        layer(x)
        assert layer.scope_name == "dense" and len(layer.weights) == 2
        for wrong in ({"foo": 1}, {"units": 2}):
            with pytest.raises(TypeError):
                tf.layers.dense(x, 3, **wrong)


@pytest.mark.parametrize(
    ("function", "layer"),
    [
        (lambda m: m.conv2d(IMAGES, 2, [2, 2], (1, 1), "same", "channels_last", (1, 1), tf.nn.relu),
         lambda m: m.Conv2D(2, 2, padding="same", activation="relu")),
        (lambda m: m.conv2d_transpose(IMAGES, 2, 2, 2, "valid", "channels_last", tf.tanh),
         lambda m: m.Conv2DTranspose(2, 2, 2, activation="tanh")),
        (lambda m: m.separable_conv2d(IMAGES, 2, 2), lambda m: m.SeparableConv2D(2, 2)),
        (lambda m: m.max_pooling2d(IMAGES, 2, 2), lambda m: m.MaxPooling2D()),
        (lambda m: m.average_pooling2d(IMAGES, 3, 1, "same"),
         lambda m: m.AveragePooling2D(3, 1, "same")),
        (lambda m: m.flatten(IMAGES), lambda m: m.Flatten()),
        (lambda m: m.batch_normalization(IMAGES), lambda m: m.BatchNormalization()),
        (lambda m: m.dense(X, 3, None, False), lambda m: m.Dense(3, use_bias=False)),
        (lambda m: m.dropout(X), lambda m: m.Dropout(0.5)),
    ],
)  # fmt: skip
def test_layers_compute_what_keras_layers_compute(function, layer):
    with tf.Graph().as_default(), tf.Session() as session:
        output = function(tf.layers)
        session.run(tf.global_variables_initializer())
        found, weights = session.run([output, tf.global_variables()])
    wanted = layer(keras.layers)
    x = IMAGES if found.ndim == 4 or found.shape[-1] == 48 else X
    wanted(x)
    wanted.set_weights(weights)
    np.testing.assert_allclose(found, wanted(x), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("make", [tf.layers.BatchNormalization, keras.layers.BatchNormalization])
@pytest.mark.parametrize("staged", [False, True])
def test_updates_of_batch_normalization_are_collected(make, staged):
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 6])
        training = tf.placeholder_with_default(True, []) if staged else True
        layer = make(momentum=0.5)
        loss = tf.reduce_sum(tf.square(layer(x, training=training)))
        updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
        assert len(updates) == 2 and layer.updates == updates
        with tf.control_dependencies(updates):
            step = tf.train.GradientDescentOptimizer(0.0).minimize(loss)
        session.run(tf.global_variables_initializer())
        session.run(loss, {x: X})
        assert not session.run(layer.moving_mean).any()
        session.run([step, loss], {x: X})
        np.testing.assert_allclose(session.run(layer.moving_mean), X.mean(0) / 2, rtol=1e-5)
        if staged:
            session.run(step, {x: X, training: False})
            np.testing.assert_allclose(session.run(layer.moving_mean), X.mean(0) / 2, rtol=1e-5)


def test_regularizers_and_losses_are_collected():
    with tf.Graph().as_default(), tf.Session() as session:
        hidden = tf.layers.dense(
            X, 3, kernel_initializer=tf.ones_initializer(),
            kernel_regularizer=lambda w: 0.5 * tf.reduce_sum(w),
        )  # fmt: skip
        tf.losses.mean_squared_error(hidden * 0.0, hidden)
        session.run(tf.global_variables_initializer())
        wanted = np.mean(np.square(X.sum(1))) + 9.0
        assert session.run(tf.losses.get_regularization_loss()) == 9.0
        np.testing.assert_allclose(session.run(tf.losses.get_total_loss()), wanted, rtol=1e-5)


def test_slots_are_saved_and_restored(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        w = tf.Variable([1.0, 2.0], name="w")
        step = tf.train.AdamOptimizer(0.1).minimize(tf.reduce_sum(w * w))
        saver = tf.train.Saver()
        session.run(tf.global_variables_initializer())
        session.run(step)
        path = saver.save(session, str(tmp_path / "model"))
        session.run(step)
        wanted = session.run(tf.global_variables())
        saver.restore(session, path)
        session.run(step)
        for found, value in zip(session.run(tf.global_variables()), wanted):
            np.testing.assert_array_equal(found, value)


def test_wrong_arguments_of_optimizers():
    w, descent = tf.Variable(1.0), tf.train.GradientDescentOptimizer(0.1)
    for error, wrong in (
        (RuntimeError, lambda: descent.minimize(tf.constant(1.0))),
        (ValueError, lambda: descent.minimize(lambda: tf.constant(1.0), var_list=[w])),
        (ValueError, lambda: descent.apply_gradients([])),
        (ValueError, lambda: descent.apply_gradients([(None, w)])),
        (ValueError, lambda: descent.compute_gradients(lambda: w * w, gate_gradients=7)),
        (ValueError, lambda: tf.train.GradientDescentOptimizer(0.1, name="")),
        (ValueError, lambda: tf.train.AdagradOptimizer(0.1, 0.0)),
        (ValueError, lambda: tf.train.FtrlOptimizer(0.1, 1.0)),
    ):
        with pytest.raises(error):
            wrong()
    with tf.Graph().as_default(), pytest.raises(ValueError, match="No variables"):
        descent.minimize(tf.constant(1.0))


def test_optimizers_of_ones_own():
    class Signs(tf.train.Optimizer):
        def __init__(self):
            super().__init__(False, "Signs")

        def _create_slots(self, var_list):
            for var in var_list:
                self._zeros_slot(var, "count", self._name)

        def _resource_apply_dense(self, grad, handle):
            self.get_slot(handle, "count").assign_add(tf.ones_like(grad))
            return handle.assign_sub(tf.sign(grad))

    w, optimizer = tf.Variable([3.0, -3.0]), Signs()
    for _ in range(2):
        optimizer.minimize(lambda: tf.reduce_sum(w * w), var_list=[w])
    assert w.numpy().tolist() == [1.0, -1.0]
    assert optimizer.get_slot(w, "count").numpy().tolist() == [2.0, 2.0]


def test_constraints_hold_after_a_step():
    w = tf.Variable([1.0, -1.0], constraint=lambda w: tf.maximum(w, 0.0))
    tf.train.GradientDescentOptimizer(0.5).apply_gradients([([4.0, -1.0], w)])
    assert w.numpy().tolist() == [0.0, 0.0]


def test_older_arguments():
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    assert tf.reduce_sum(x, reduction_indices=1, keep_dims=True).shape == (2, 1)
    assert tf.argmax(x, dimension=1).numpy().tolist() == [1, 1]
    assert tf.expand_dims(x, dim=0).shape == (1, 2, 2) and tf.gather(x, [0], axis=1).shape == (2, 1)
    assert tf.nn.dropout(x, 1.0).numpy().tolist() == x.numpy().tolist()
    assert tf.nn.in_top_k(x, [1, 0], 1).numpy().tolist() == [True, False]
    assert tf.nn.max_pool(IMAGES, [1, 2, 2, 1], [1, 2, 2, 1], "VALID").shape == (4, 2, 2, 3)
    with runtime.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.softmax_cross_entropy_with_logits(labels=x, logits=tf.zeros([2, 2]))
    assert tape.gradient(y, x) is None
    for error, wrong in (
        (ValueError, lambda: tf.reduce_sum(x, axis=0, reduction_indices=0)),
        (TypeError, lambda: tf.argmax(x, along=1)),
        (ValueError, lambda: tf.nn.softmax_cross_entropy_with_logits(x, x)),
        (ValueError, lambda: tf.nn.dropout(x)),
    ):
        with pytest.raises(error):
            wrong()


def test_networks_have_the_layers_that_they_were_told():
    class Tower(tf.Network):
        def __init__(self):
            super().__init__(name="tower")
            self.rows = [self.track_layer(tf.layers.Dense(n, name=f"d{n}")) for n in (3, 1)]

        def call(self, x):
            for layer in self.rows:
                x = layer(x)
            return x

    tower = Tower()
    assert tower(X).shape == (4, 1)
    assert [v.name for v in tower.variables][::2] == ["d3/kernel:0", "d1/kernel:0"]
    assert [layer.name for layer in tower.layers] == ["d3", "d1"]
    descent = tf.train.GradientDescentOptimizer(0.01)
    losses = tf.implicit_value_and_gradients(lambda x: tf.reduce_mean(tf.square(tower(x) - 1.0)))
    values = []
    for _ in range(5):
        value, pairs = losses(X)
        descent.apply_gradients(pairs)
        values.append(float(value))
    assert values == sorted(values, reverse=True)
    with pytest.raises(TypeError, match="track_layer"):
        tower.track_layer(lambda x: x)
    with pytest.raises(ValueError, match="two Layers"):
        tower.track_layer(tf.layers.Dense(3, name="d3"))


def test_averages_follow_variables():
    w, moving = tf.Variable([1.0, 2.0], name="w"), tf.train.ExponentialMovingAverage(0.5)
    follow = runtime.function(lambda: moving.apply([w]))
    follow()
    w.assign([3.0, 4.0])
    follow()
    assert moving.average(w).numpy().tolist() == [2.0, 3.0]
    assert moving.average(tf.Variable(1.0)) is None
    with tf.Graph().as_default(), tf.Session() as session:
        w, n = tf.Variable([1.0, 2.0], name="w"), tf.Variable(0, trainable=False, name="n")
        moving = tf.train.ExponentialMovingAverage(0.9, num_updates=n)
        step = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(w * w))
        with tf.control_dependencies([step]):
            follow = moving.apply()
        session.run(tf.global_variables_initializer())
        for _ in range(3):
            session.run(follow)
        found = session.run(moving.average(w))
        np.testing.assert_allclose(found, [0.5266, 1.0532], rtol=1e-5)  # TensorFlow's
        assert sorted(moving.variables_to_restore()) == ["n", "w/ExponentialMovingAverage"]
        assert tf.moving_average_variables() == [w]
    with pytest.raises(TypeError, match="variables of floats"):
        moving.apply([tf.constant(1.0)])
    with pytest.raises(NotImplementedError):
        tf.train.ExponentialMovingAverage(0.5, zero_debias=True)
