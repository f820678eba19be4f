"""Programs with ``tf.device`` as people wrote them for TensorFlow 1 and 2, on virtual GPUs."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from tests.support.extras import needs
from tests.support.nightly import NIGHTLY

pytestmark = [needs("xla"), pytest.mark.usefixtures("gpus")]


def test_tensorflow_1_using_a_gpu(capsys):
    """The page "Using GPUs": a product on one device, and its log."""
    graph = tf.Graph()
    with graph.as_default():
        with tf.device("/cpu:0"):
            a = tf.constant([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], shape=[2, 3], name="a")
            b = tf.constant([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], shape=[3, 2], name="b")
        with tf.device("/device:GPU:1"):
            c = tf.matmul(a, b)
        sess = tf.Session(config=tf.ConfigProto(log_device_placement=True))
        assert sess.run(c).tolist() == [[22.0, 28.0], [49.0, 64.0]]
    assert "MatMul: (MatMul): /job:localhost/replica:0/task:0/device:GPU:1" in (
        capsys.readouterr().err
    )


def test_tensorflow_1_towers():
    """The same page: the model in towers, a tower for each GPU, and the sum on the CPU."""
    with tf.Graph().as_default():
        c = []
        for d in ["/device:GPU:0", "/device:GPU:1"]:
            with tf.device(d):
                a = tf.constant([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], shape=[2, 3])
                b = tf.constant([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], shape=[3, 2])
                c.append(tf.matmul(a, b))
        with tf.device("/cpu:0"):
            total = tf.add_n(c)
        with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as sess:
            assert sess.run(total).tolist() == [[44.0, 56.0], [98.0, 128.0]]


def test_tensorflow_1_towers_that_share_variables_on_the_cpu():
    """Averaged gradients of two towers, with a device function for variables, equal one tower's."""
    ps_ops = ["Variable", "VariableV2", "AutoReloadVariable", "VarHandleOp", "AssignVariableOp"]
    rng = np.random.RandomState(0)
    data, labels = rng.rand(8, 3).astype("f"), rng.rand(8, 1).astype("f")

    def assign_to_device(device, ps_device="/cpu:0"):
        def _assign(op):
            node_def = op if isinstance(op, str) else op.node_def
            return ps_device if node_def.op in ps_ops else device

        return _assign

    def average_gradients(tower_grads):
        average_grads = []
        for grad_and_vars in zip(*tower_grads):
            grads = [tf.expand_dims(g, 0) for g, _ in grad_and_vars]
            grad = tf.reduce_mean(tf.concat(grads, 0), 0)
            average_grads.append((grad, grad_and_vars[0][1]))
        return average_grads

    def train(devices):
        with tf.Graph().as_default():
            X = tf.placeholder(tf.float32, [None, 3])
            Y = tf.placeholder(tf.float32, [None, 1])
            opt = tf.train.GradientDescentOptimizer(0.5)
            tower_grads, size = [], 8 // len(devices)
            for i, device in enumerate(devices):
                with tf.device(assign_to_device(device)):
                    with tf.variable_scope("model", reuse=i > 0):
                        w = tf.get_variable("w", [3, 1], initializer=tf.zeros_initializer())
                    x, y = X[i * size : (i + 1) * size], Y[i * size : (i + 1) * size]
                    loss = tf.reduce_mean((tf.matmul(x, w) - y) ** 2)
                    tower_grads.append(opt.compute_gradients(loss))
            train_op = opt.apply_gradients(average_gradients(tower_grads))
            with tf.Session() as sess:
                sess.run(tf.global_variables_initializer())
                for _ in range(5):
                    sess.run(train_op, feed_dict={X: data, Y: labels})
                return sess.run(w)

    expected = train(["/cpu:0"])
    np.testing.assert_allclose(train(["/gpu:0", "/gpu:1"]), expected, rtol=2e-5)


def test_tensorflow_1_training_on_one_gpu():
    rng = np.random.RandomState(1)
    images, digits = rng.rand(32, 6).astype("f"), np.eye(3)[rng.randint(0, 3, 32)].astype("f")

    def losses(device):
        with tf.Graph().as_default(), tf.device(device):
            x = tf.placeholder("float", [None, 6])
            y = tf.placeholder("float", [None, 3])
            W = tf.Variable(tf.zeros([6, 3]))
            b = tf.Variable(tf.zeros([3]))
            logits = tf.matmul(x, W) + b
            cost = tf.reduce_mean(
                tf.nn.softmax_cross_entropy_with_logits(logits=logits, labels=y)
            )
            optimizer = tf.train.MomentumOptimizer(0.5, 0.9).minimize(cost)
            init = tf.global_variables_initializer()
            config = tf.ConfigProto(allow_soft_placement=True)
            config.gpu_options.allow_growth = True
            with tf.Session(config=config) as sess:
                sess.run(init)
                return [
                    sess.run([optimizer, cost], feed_dict={x: images, y: digits})[1]
                    for _ in range(10)
                ]

    np.testing.assert_allclose(losses("/gpu:0"), losses("/cpu:0"), rtol=2e-5)


@NIGHTLY
def test_tensorflow_1_eager_execution():
    """The eager guide of TensorFlow 1.7: tensors are moved by methods."""
    x = tf.random_normal([10, 10])
    x_gpu0 = x.gpu()
    x_gpu1 = x.gpu(1)
    x_cpu = x.cpu()
    _ = tf.matmul(x_cpu, x_cpu)
    product = tf.matmul(x_gpu0, x_gpu0)
    assert product.device.endswith("GPU:0") and x_gpu1.device.endswith("GPU:1")
    np.testing.assert_allclose(product.numpy(), x.numpy() @ x.numpy(), rtol=2e-5, atol=1e-5)

    class Model:
        def __init__(self):
            self.W = tf.Variable(5.0, name="weight")
            self.B = tf.Variable(10.0, name="bias")

        def predict(self, inputs):
            return inputs * self.W + self.B

    def loss(model, inputs, targets):
        return tf.reduce_mean(tf.square(model.predict(inputs) - targets))

    with tf.device("/gpu:0"):
        model = Model()
        inputs = tf.linspace(-1.0, 1.0, 50)
        targets = inputs * 3.0 + 2.0
        for _ in range(60):
            with tf.GradientTape() as tape:
                value = loss(model, inputs, targets)
            dW, dB = tape.gradient(value, [model.W, model.B])
            model.W.assign_sub(dW * 0.3)
            model.B.assign_sub(dB * 0.3)
    assert model.W.device.endswith("GPU:0")
    assert abs(float(model.W) - 3.0) < 1e-3 and abs(float(model.B) - 2.0) < 1e-3


def test_tensorflow_2_logical_gpus():
    """The guide "Use a GPU": the same product on each logical GPU, and their sum."""
    gpus = tf.config.list_physical_devices("GPU")
    for gpu in gpus:
        tf.config.experimental.set_memory_growth(gpu, True)
    c = []
    for gpu in tf.config.list_logical_devices("GPU"):
        with tf.device(gpu.name):
            a = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
            b = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
            c.append(tf.matmul(a, b))
    with tf.device("/CPU:0"):
        matmul_sum = tf.add_n(c)
    assert len(c) == 2 and matmul_sum.numpy().tolist() == [[44.0, 56.0], [98.0, 128.0]]
    assert matmul_sum.device.endswith("CPU:0") and c[1].device.endswith("GPU:1")


@NIGHTLY
def test_tensorflow_2_own_training_loop():
    rng = np.random.RandomState(2)
    x_train, y_train = rng.rand(16, 4).astype("f"), rng.randint(0, 3, 16)

    def train(device):
        tf.random.set_seed(0)
        with tf.device(device):
            model = tf.keras.Sequential([
                tf.keras.layers.Dense(8, activation="relu", kernel_initializer="ones"),
                tf.keras.layers.Dense(3, kernel_initializer="zeros"),
            ])  # fmt: skip
            loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
            optimizer = tf.keras.optimizers.Adam(0.05)

            @tf.function
            def train_step(x, y):
                with tf.GradientTape() as tape:
                    loss = loss_fn(y, model(x, training=True))
                gradients = tape.gradient(loss, model.trainable_variables)
                optimizer.apply_gradients(zip(gradients, model.trainable_variables))
                return loss

            losses = [float(train_step(tf.constant(x_train), y_train)) for _ in range(4)]
        return losses, model.trainable_variables[0]

    on_gpu, weight = train("/GPU:0")
    on_cpu, _ = train("/CPU:0")
    np.testing.assert_allclose(on_gpu, on_cpu, rtol=1e-5)
    assert weight.device.endswith("GPU:0")


def test_keras_fit_and_predict():
    rng = np.random.RandomState(3)
    x, y = rng.rand(32, 4).astype("f"), rng.rand(32, 1).astype("f")

    def fitted(device):
        with tf.device(device):
            model = tf.keras.Sequential([
                tf.keras.layers.Dense(5, activation="tanh", kernel_initializer="ones"),
                tf.keras.layers.Dense(1, kernel_initializer="ones"),
            ])  # fmt: skip
            model.compile("sgd", "mse")
            history = model.fit(x, y, batch_size=8, epochs=3, shuffle=False, verbose=0)
            return history.history["loss"], model.predict(x, verbose=0), model.weights[0].device

    losses, predicted, device = fitted("/gpu:1")
    expected = fitted("/cpu:0")
    np.testing.assert_allclose(losses, expected[0], rtol=2e-5)
    np.testing.assert_allclose(predicted, expected[1], rtol=2e-4, atol=1e-5)
    assert device.endswith("GPU:1")
