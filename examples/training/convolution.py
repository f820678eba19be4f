"""A convolutional network that reads the digits: `python -m examples.training.convolution`."""

import importlib.util
import time

import numpy as np

from examples.digits.data import digits
from examples.training.pictures import curves
from runtime import keras
from runtime.keras import layers

# Machine code from the first step on: then two runs are equal bit for bit.
COMPILED = importlib.util.find_spec("llvmlite") is not None


def data():
    """Shuffled images [n, 8, 8, 1] and labels: 1400 to train on, 397 to test."""
    images, labels = digits()
    order = np.random.default_rng(0).permutation(len(labels))
    images, labels = images[order].reshape(-1, 8, 8, 1), labels[order]
    return images[:1400], labels[:1400], images[1400:], labels[1400:]


def network(jit_compile=COMPILED):
    keras.utils.set_random_seed(0)
    model = keras.Sequential([
        keras.Input((8, 8, 1)),
        layers.Conv2D(32, 3, padding="same", activation="relu"),
        layers.MaxPooling2D(),
        layers.Conv2D(64, 3, padding="same", activation="relu"),
        layers.Flatten(),
        layers.Dropout(0.4),
        layers.Dense(10),
    ])  # fmt: skip
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    optimizer = keras.optimizers.Adam(2e-3)
    model.compile(optimizer, loss, metrics=["accuracy"], jit_compile=jit_compile)
    return model


def main(epochs=20, picture=None):
    x, y, test_x, test_y = data()
    model = network()
    start = time.perf_counter()
    history = model.fit(x, y, epochs=epochs, verbose=0, validation_data=(test_x, test_y)).history
    print(f"{epochs} epochs in {time.perf_counter() - start:.1f} s")
    print(f"loss {history['loss'][-1]:.4f}, test accuracy {history['val_accuracy'][-1]:.2%}")
    if picture:
        lines = {"training": history["loss"], "test": history["val_loss"]}
        curves(picture, "Convolutional network on digits", lines, "epoch", "cross entropy (nats)")
    return history["val_accuracy"][-1]


if __name__ == "__main__":
    main(picture="convolution.svg")
