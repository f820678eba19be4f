"""Tickets: a functional model of three inputs and two outputs, with a loss each."""

import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

rng = np.random.default_rng(3)
num_tags, num_words, num_departments = 12, 1000, 4
title_input = keras.Input(shape=(None,), name="title")
body_input = keras.Input(shape=(None,), name="body")
tags_input = keras.Input(shape=(num_tags,), name="tags")
title_features = layers.Embedding(num_words, 16)(title_input)
body_features = layers.Embedding(num_words, 16)(body_input)
title_features = layers.LSTM(16)(title_features)
body_features = layers.LSTM(8)(body_features)
x = layers.concatenate([title_features, body_features, tags_input])
priority_pred = layers.Dense(1, name="priority")(x)
department_pred = layers.Dense(num_departments, name="department")(x)
model = keras.Model(
    inputs=[title_input, body_input, tags_input],
    outputs={"priority": priority_pred, "department": department_pred},
)
model.set_weights([rng.normal(0, 0.1, w.shape).astype("float32") for w in model.get_weights()])
model.compile(
    optimizer=keras.optimizers.RMSprop(1e-3),
    loss={
        "priority": keras.losses.BinaryCrossentropy(from_logits=True),
        "department": keras.losses.CategoricalCrossentropy(from_logits=True),
    },
    loss_weights={"priority": 1.0, "department": 0.2},
)
title_data = rng.integers(num_words, size=(160, 6))
body_data = rng.integers(num_words, size=(160, 10))
tags_data = rng.integers(2, size=(160, num_tags)).astype("float32")
priority_targets = rng.random(size=(160, 1))
dept_targets = keras.utils.to_categorical(rng.integers(num_departments, size=160), num_departments)
losses = []
record = keras.callbacks.LambdaCallback(
    on_train_batch_end=lambda batch, logs: losses.append(logs["loss"])
)
history = model.fit(
    {"title": title_data, "body": body_data, "tags": tags_data},
    {"priority": priority_targets, "department": dept_targets},
    epochs=10, batch_size=32, shuffle=False, callbacks=[record], verbose=0,
)
LOSSES = losses
EXTRA = [v for k in sorted(history.history) for v in history.history[k]]
model.summary(print_fn=lambda text: None)
