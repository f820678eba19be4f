"""Texts of several lengths: embedding, masks, recurrent layers, train_on_batch."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(4)
vocab, maxlen = 50, 12
lengths = rng.integers(3, maxlen + 1, 200)
sequences = [list(rng.integers(1, vocab, n)) for n in lengths]
padded = tf.keras.preprocessing.sequence.pad_sequences(sequences, padding="post", maxlen=maxlen)
labels = np.array([sum(s) % 2 for s in sequences])
model = tf.keras.Sequential([
    tf.keras.layers.Embedding(vocab, 8, mask_zero=True),
    tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(6, return_sequences=True)),
    tf.keras.layers.GRU(4),
    tf.keras.layers.Dense(8, activation="relu"),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.build((None, maxlen))
model.set_weights([rng.normal(0, 0.2, w.shape).astype("float32") for w in model.get_weights()])
model.compile(
    loss="binary_crossentropy", optimizer=tf.keras.optimizers.SGD(0.1, momentum=0.9),
    metrics=["accuracy", tf.keras.metrics.AUC()]
)
dataset = tf.data.Dataset.from_tensor_slices((padded, labels)).batch(40)
dataset = dataset.prefetch(tf.data.AUTOTUNE)
LOSSES, EXTRA = [], []
for step in range(10):
    for features, wanted in dataset:
        loss = model.train_on_batch(features, wanted)
        LOSSES.append(float(loss[0]))
history = model.fit(dataset, epochs=2, validation_data=dataset, verbose=0)
EXTRA = [v for k in sorted(history.history) for v in history.history[k]]
