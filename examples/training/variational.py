"""A variational autoencoder of the digits: `python -m examples.training.variational`."""

import importlib.util
import time

import numpy as np

import runtime as tf
from examples.digits.data import digits
from examples.training.pictures import images as draw
from runtime import keras
from runtime.keras import layers

# Machine code from the first step on: then two runs are equal bit for bit.
COMPILED = importlib.util.find_spec("llvmlite") is not None


def data():
    """Shuffled images [n, 64]: 1400 to train on, 397 to test."""
    images, labels = digits()
    images = images[np.random.default_rng(0).permutation(len(labels))]
    return images[:1400], images[1400:]


@keras.saving.register_keras_serializable("examples")
class Sampling(layers.Layer):
    """A draw from the normal distribution of each code, as a function of mean and log variance.

    Adds the divergence of that distribution from the standard one to the loss.
    """

    def __init__(self, **options):
        super().__init__(**options)
        self.seeds = keras.random.SeedGenerator(1)

    def call(self, inputs):
        mean, log_variance = inputs
        divergence = tf.square(mean) + tf.exp(log_variance) - log_variance - 1.0
        self.add_loss(tf.reduce_mean(tf.reduce_sum(0.5 * divergence, axis=1)))
        noise = keras.random.normal(tf.shape(mean), seed=self.seeds)
        return mean + tf.exp(0.5 * log_variance) * noise


@keras.saving.register_keras_serializable("examples")
def cross_entropy(images, decoded):
    """In nats for an image: the sum over its pixels."""
    return 64.0 * keras.losses.binary_crossentropy(images, decoded, from_logits=True)


def network(codes=2, jit_compile=COMPILED):
    keras.utils.set_random_seed(0)
    encoder = keras.Sequential([keras.Input((64,)), layers.Dense(128, "relu")], name="encoder")
    decoder = keras.Sequential(
        [keras.Input((codes,)), layers.Dense(128, "relu"), layers.Dense(64)], name="decoder"
    )
    images = keras.Input((64,))
    hidden = encoder(images)
    mean = layers.Dense(codes, name="mean")(hidden)
    log_variance = layers.Dense(codes, name="log_variance")(hidden)
    model = keras.Model(images, decoder(Sampling()([mean, log_variance])))
    model.compile(keras.optimizers.Adam(2e-3), cross_entropy, jit_compile=jit_compile)
    return model


def decoded(model, codes):
    """Images of codes."""
    images = tf.sigmoid(model.get_layer("decoder")(codes))
    return images.numpy().reshape(-1, 8, 8)  # noqa: AG401 - it is called eagerly


def main(epochs=100, picture=None):
    x, test_x = data()
    model = network()
    start = time.perf_counter()
    history = model.fit(x, x, epochs=epochs, verbose=0, validation_data=(test_x, test_x)).history
    print(f"{epochs} epochs in {time.perf_counter() - start:.1f} s")
    print(f"loss {history['loss'][-1]:.3f}, of test images {history['val_loss'][-1]:.3f}")
    if picture:
        places = np.linspace(-2, 2, 13, dtype=np.float32)
        rows = {
            f"{y:.1f}": decoded(model, np.array([[x, y] for x in places], np.float32))
            for y in places[::-3]
        }
        draw(picture, "Digits of codes: across and up from -2 to 2", rows)
    return history["val_loss"][-1]


if __name__ == "__main__":
    main(picture="variational.svg")
