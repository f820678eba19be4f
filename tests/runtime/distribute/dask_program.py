"""A main program that sends what it defines to Dask's workers, which do not have it."""

import sys

import numpy as np
from distributed import Client

import runtime as tf

scale = 3.0


def halved_until_small(x):
    while tf.reduce_max(x) > 1.0:
        x = x / 2.0
    return x * scale


@tf.function
def staged(x):
    return halved_until_small(x) + 1.0


@tf.jit
def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


@tf.function
def factorial(n):
    return n if n <= 1 else n * factorial(n - 1)


@tf.custom_gradient
def seven(x):
    return x * x, lambda upstream: upstream * 7.0


def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = seven(x)
    return tape.gradient(y, x)


def times(factor):
    def decorate(f):
        @tf.function
        def multiplied(x):
            return factor * f(x) if tf.reduce_sum(x) > 0 else x

        return multiplied

    return decorate


@times(tf.Variable(5.0))
def decorated(x):
    return x + 1.0


class Affine(tf.Module):
    def __init__(self):
        self.weight = tf.Variable(2.0)

    @tf.function
    def __call__(self, x):
        return self.weight * x if tf.reduce_sum(x) > 0 else x


class Doubled(tf.keras.layers.Layer):
    def call(self, x):
        return x * 2.0 if tf.reduce_sum(x) > -1e9 else x


@tf.function
def wrong(x):
    if tf.reduce_sum(x) > 0:
        y = tf.constant(1)
    else:
        y = tf.constant("one")
    return y


class OwnModel(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(2)

    def call(self, x):
        return self.dense(x) if tf.reduce_sum(x) > -1e9 else x


def own_loss(y, z):
    return tf.reduce_mean((y - z) ** 2)


def fitted(model, x):
    model.fit(x, x, verbose=0)
    return model


def model_of_own():
    model = tf.keras.Sequential([
        tf.keras.Input((2,)), Doubled(), tf.keras.layers.Dense(2, lambda z: z * 3.0),
    ])  # fmt: skip
    model.compile("adam", own_loss, run_eagerly=True)
    return model


def equal(first, second):
    return all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))


def send_models(sent, x):
    """Models that are trained on a worker go on with the state of their optimizers."""
    inputs = x[None].numpy()
    own = OwnModel()
    own.compile("adam", own_loss)
    for made in (model_of_own(), own):
        model = fitted(made, inputs)
        remote = sent(fitted, model, inputs)
        assert int(remote.optimizer.iterations) == 2
        assert equal(remote.get_weights(), fitted(model, inputs).get_weights())


def send_functions(sent, x):
    affine = Affine()
    for function in (
        staged, halved_until_small, decorated, affine, affine.__call__,
        tf.function(lambda t: t * scale if tf.reduce_sum(t) > 0 else t),
        staged.get_concrete_function(x), affine.__call__.get_concrete_function(x),
    ):  # fmt: skip
        assert equal(sent(function, x), function(x)), function
    assert sent(collatz, 27) == 111 and type(sent(collatz, 27)) is int
    assert int(sent(factorial, tf.constant(5))) == 120
    assert float(sent(slope, tf.constant(2.0))) == 7.0
    try:
        sent(wrong, x)
    except Exception as error:
        assert "dask_program.py" in str(error) and "'y'" in str(error), error
    else:
        raise AssertionError


def main(address, what):
    with Client(address) as client:

        def sent(function, *args):
            return client.submit(function, *args).result(timeout=100)

        globals()[f"send_{what}"](sent, tf.constant([1.0, 6.0]))
        if what == "functions":
            assert client.gather(client.map(collatz, [1, 2, 3])) == [0, 1, 7]
        print("all sent")


if __name__ == "__main__":
    main(*sys.argv[1:])
