"""Converted Python on TensorFlow: programs, effects, gradients, datasets, Keras."""

from __future__ import annotations

import numpy as np
import pytest

import autograph
from autograph.errors import ConcreteValueError
from tests.backends import constructs, harness
from tests.support.nightly import NIGHTLY

tf = pytest.importorskip("tensorflow", reason="tensorflow is not installed")


def traced(function):
    """A function of tensors, converted."""
    return tf.function(autograph.to_graph(function), autograph=False)


def on_numbers(function):
    """A program that takes Python numbers known at run time."""
    from autograph.backends.concrete import Concrete
    from autograph.backends.tensorflow import BACKEND

    converted = autograph.to_graph(function)
    templates = {}

    @tf.function(autograph=False)
    def run(*tensors):
        result = whole(*[BACKEND.scalar(tensor) for tensor in tensors])
        template = templates[tuple(tensor.dtype for tensor in tensors)] = Concrete(BACKEND, result)
        return [BACKEND.tensor(leaf) for leaf in template.leaves]

    def whole(*args):
        with BACKEND.results_as_they_are():
            return converted(*args)

    def call(*args):
        tensors = [BACKEND.constant(arg) for arg in args]
        leaves = run(*tensors)
        return templates[tuple(tensor.dtype for tensor in tensors)].make(leaves)

    return call


def test_a_slice_of_the_programs():
    harness.check("tensorflow", on_numbers, 12)


def test_the_table_of_constructs(request):
    constructs.check("TensorFlow", on_numbers, request)


@NIGHTLY
def test_all_programs():
    harness.check("tensorflow", on_numbers, None)


def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def test_a_loop_on_tensors_of_any_dtype():
    function = traced(collatz)
    for dtype in (tf.int32, tf.int64):
        assert function(tf.constant(27, dtype)) == 111


def test_lists_become_tensors():
    @traced
    def evens(n):
        found = []
        for i in range(n):
            if i % 2 == 0:
                found.append(i * 1.5)
        return found

    assert evens(tf.constant(7)).numpy().tolist() == [0, 3, 6, 9]


def test_numbers_in_lists_become_tensors():
    @traced
    def shapes(n):
        v = tf.constant([7])
        i = 0
        while i < n:
            v = tf.concat([v, [i]], 0)
            i += 1
        return v, tf.zeros([i, 2]), tf.stack([i, n])

    v, zeros, both = shapes(tf.constant(3))
    assert v.numpy().tolist() == [7, 0, 1, 2]
    assert zeros.shape == (3, 2)
    assert both.numpy().tolist() == [3, 3] and both.dtype == tf.int32


def test_none_on_one_path_is_an_optional():
    @traced
    def first_above(x, limit):
        for item in x:
            if item > limit:
                return item
        return None

    x = tf.constant([1.0, 5.0, 3.0])
    assert first_above(x, 4.0).get_value() == 5
    assert not first_above(x, 9.0).has_value()


def test_exceptions_have_their_class_and_print_their_text(capsys):
    @traced
    def checked(x):
        print("x is", x, [x])
        if x < 0:
            raise ValueError(f"{x} is negative")
        assert x < 9, "too large"
        return x

    assert checked(tf.constant(3)) == 3
    assert capsys.readouterr().out == "x is 3 [3]\n"
    with pytest.raises(ValueError, match="-2 is negative") as raised:
        checked(tf.constant(-2))
    assert any("test_tensorflow.py" in note for note in raised.value.__notes__)
    with pytest.raises(AssertionError, match="too large"):
        checked(tf.constant(10))


def test_a_handler_runs_at_run_time():
    @traced
    def safe(x):
        y = 0
        try:
            y = 1
            if x < 0:
                raise ValueError("negative")
            y = 2
        except ValueError:
            y = -y
        return y

    assert safe(tf.constant(1)) == 2
    assert safe(tf.constant(-1)) == -1


def test_gradients():
    function = traced(lambda x, n: _power(x, n))
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x, tf.constant(4))
    assert tape.gradient(y, x) == 108


def _power(x, n):
    result = x
    for _ in range(n - 1):
        if x > 0:
            result = result * x
    return result


def test_datasets():
    @traced
    def total(dataset):
        result = tf.constant(0, tf.int64)
        for item in dataset:
            if item == 5:
                break
            result += item
        return result

    assert total(tf.data.Dataset.range(100)) == 10


def test_builtins_on_datasets():
    def numbered(dataset):
        result = tf.constant(0, tf.int64)
        for number, item in enumerate(dataset, 2):
            if number > 5:
                break
            result += item * number
        return result

    def products(left, right):
        return [x * y for x, y in zip(left, right) if x > 1]  # noqa: B905

    def doubled(dataset):
        return list(map(lambda x: x * 2 if x > 1 else x, dataset))

    dataset = tf.data.Dataset.range(9)
    assert traced(numbered)(dataset) == 26
    for right in (dataset.skip(2).take(4), tf.range(2, 6, dtype=tf.int64), [2, 3, 4, 5]):
        assert traced(products)(dataset, right).numpy().tolist() == [8, 15]
    assert traced(doubled)(dataset.take(4)).numpy().tolist() == [0, 1, 4, 6]
    with pytest.raises(ConcreteValueError, match="zip"):
        traced(products)(iter(dataset), dataset)


def test_rows_of_ragged_tensors():
    def squares(ragged):
        with tf.GradientTape() as tape:
            tape.watch(ragged.flat_values)
            result = 0.0
            for row in ragged:
                if tf.size(row) > 1:
                    result += tf.reduce_sum(row * row)
        return result, tape.gradient(result, ragged.flat_values)

    total, gradient = traced(squares)(tf.ragged.constant([[1.0, 2.0], [3.0], [4.0, 5.0]]))
    assert total == 46
    assert gradient.numpy().tolist() == [2, 4, 0, 8, 10]


def test_distributed_datasets():
    strategy = tf.distribute.get_strategy()

    def total(batches):
        result = 0.0
        for batch in batches:
            result += strategy.reduce("SUM", strategy.run(tf.reduce_sum, (batch,)), axis=None)
            if result > 5:
                break
        return result

    dataset = tf.data.Dataset.from_tensor_slices(tf.range(10.0)).batch(4)
    distributed = strategy.experimental_distribute_dataset(dataset)
    assert traced(total)(distributed) == 6
    iterator = iter(distributed)
    assert [float(traced(total)(iterator)) for _ in range(2)] == [6, 22]


def test_numbers_for_functions_that_ask_python():
    @traced
    def padded(n):
        x = tf.constant([1.0])
        for i in range(n):
            tf.autograph.experimental.set_loop_options(
                shape_invariants=[(x, tf.TensorShape([None]))]
            )
            x = tf.pad(x, [[1, 1]], constant_values=i)
        return x

    assert padded(tf.constant(3)).numpy().tolist() == [2, 1, 0, 1, 0, 1, 2]


def test_variables():
    count = tf.Variable(0)

    @traced
    def step(x):
        if x > 0:
            count.assign_add(2)
        return count + 0

    step(tf.constant(-1))
    assert step(tf.constant(1)) == 2 == count.numpy()


def test_a_keras_model():
    keras = pytest.importorskip("keras")

    class Model(keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = keras.layers.Dense(1, kernel_initializer="ones")
            self.call = autograph.to_graph(self.call)

        def call(self, x):
            y = self.dense(x)
            while tf.reduce_sum(y) > 1:
                y = y / 2
            return y

    class Stepping(keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = keras.layers.Dense(1, kernel_initializer="zeros")
            self.train_step = autograph.to_graph(self.train_step)

        def call(self, x):
            return self.dense(x)

        def train_step(self, data):
            x, y = data
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((self(x, training=True) - y) ** 2)
            if loss > 0.5:
                gradients = tape.gradient(loss, self.trainable_variables)
                self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
            return {"loss": loss}

    stepping = Stepping()
    stepping(tf.ones([1, 3]))
    stepping.compile(keras.optimizers.SGD(0.01))
    stepping.optimizer.build(stepping.trainable_variables)
    stepping.fit(np.ones((8, 3)), np.ones((8, 1)), 8, epochs=9, verbose=0)
    bias = stepping.trainable_variables[1].numpy()
    assert bias == pytest.approx(0.0852296)  # of Keras itself, eagerly: five steps of nine

    model = Model()
    found = tf.function(model, autograph=False)(tf.ones([1, 3]))
    assert found.numpy().tolist() == [[0.75]]
