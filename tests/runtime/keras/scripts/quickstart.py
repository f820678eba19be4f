"""Digits: a Sequential model, compiled and fitted."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
x_train = rng.random((1000, 28, 28)).astype("float32")
y_train = (x_train.mean(axis=(1, 2)) * 4000 % 10).astype("int64")
x_test, y_test = x_train[:200], y_train[:200]

model = tf.keras.models.Sequential([
    tf.keras.layers.Flatten(input_shape=(28, 28)),
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dropout(0.0),
    tf.keras.layers.Dense(10),
])
model.set_weights([rng.normal(0, 0.05, w.shape).astype("float32") for w in model.get_weights()])
predictions = model(x_train[:1]).numpy()
tf.nn.softmax(predictions).numpy()
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
loss_fn(y_train[:1], predictions).numpy()
model.compile(optimizer="adam", loss=loss_fn, metrics=["accuracy"])


class Record(tf.keras.callbacks.Callback):
    def on_train_begin(self, logs=None):
        self.losses = []

    def on_train_batch_end(self, batch, logs=None):
        self.losses.append(logs["loss"])


record = Record()
history = model.fit(
    x_train, y_train, batch_size=100, epochs=5, shuffle=False, verbose=0,
    callbacks=[record],
)
results = model.evaluate(x_test, y_test, verbose=0)
probability_model = tf.keras.Sequential([model, tf.keras.layers.Softmax()])
probs = probability_model(x_test[:5])
LOSSES = record.losses
EXTRA = [*history.history["loss"], *history.history["accuracy"], *results, *np.ravel(probs)]
