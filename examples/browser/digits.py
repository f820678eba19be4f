"""A page that recognises handwritten digits: trained in Python, run as WebAssembly in a browser.

    python -m examples.browser.digits digits.html

writes one file without a server, weights inside.  It needs the extras ``native`` and ``examples``.
"""

import base64
import re
import sys
import tempfile
from pathlib import Path

import numpy as np

import runtime as tf
from examples.digits.data import digits
from runtime import keras

HERE = Path(__file__).parent


def trained(images, labels, epochs=30):
    """A network of one hidden layer, trained on images of 64 pixels from 0 to 16."""
    keras.utils.set_random_seed(0)
    model = keras.Sequential([
        keras.layers.Input((64,)), keras.layers.Dense(64, activation="relu"),
        keras.layers.Dense(10),
    ])  # fmt: skip
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(keras.optimizers.Adam(0.003), loss, metrics=["accuracy"])
    model.fit(np.asarray(images, "float32") / 16, labels, epochs=epochs, verbose=0)
    return model


def page_of(model):
    """The page, as a text: what it calls is one image's probabilities."""

    def probabilities(image):
        return tf.nn.softmax(model(tf.reshape(image, [1, 64]) / 16.0))

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "digits.wasm"
        signature = [tf.TensorSpec([64], tf.float32)]
        tf.export.native(probabilities, path, input_signature=signature)
        code = base64.b64encode(path.read_bytes()).decode()
        module = path.with_suffix(".mjs").read_text().replace("export async", "async")
    page = (HERE / "page.html").read_text()
    parts = {"MODULE": module, "WASM": code}
    return re.sub(r"/\* (MODULE|WASM) \*/", lambda match: parts[match[1]], page)


if __name__ == "__main__":
    pixels, labels = digits()
    model = trained(16 * pixels, labels)
    path = Path(sys.argv[1] if len(sys.argv) > 1 else "digits.html")
    path.write_text(page_of(model))
    print(f"{path}: {path.stat().st_size / 1000:.0f} kB")
