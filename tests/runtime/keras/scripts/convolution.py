"""Images: convolutions, batch normalization, a schedule, early stopping."""

import numpy as np
from tensorflow import keras
from tensorflow.keras import callbacks, layers, models, optimizers

rng = np.random.default_rng(5)
images = rng.random((160, 12, 12, 3)).astype("float32")
labels = keras.utils.to_categorical(rng.integers(0, 5, 160), 5)
val_images, val_labels = images[:32] * 0.9, labels[:32]

model = models.Sequential()
model.add(layers.Input((12, 12, 3)))
model.add(layers.Rescaling(2.0, offset=-1.0))
model.add(layers.Conv2D(8, (3, 3), padding="same"))
model.add(layers.BatchNormalization())
model.add(layers.Activation("relu"))
model.add(layers.MaxPooling2D((2, 2)))
model.add(layers.SeparableConv2D(8, 3, activation="relu"))
model.add(layers.Dropout(0))
model.add(layers.GlobalAveragePooling2D())
model.add(layers.Dense(5, activation="softmax", kernel_regularizer=keras.regularizers.l2(1e-3)))
weights = model.get_weights()
model.set_weights([
    rng.normal(0, 0.3, w.shape).astype("float32") if w.ndim > 1 else w for w in weights
])
schedule = optimizers.schedules.ExponentialDecay(0.1, decay_steps=5, decay_rate=0.9, staircase=True)
model.compile(
    optimizer=optimizers.SGD(schedule, momentum=0.9, nesterov=True),
    loss=keras.losses.CategoricalCrossentropy(label_smoothing=0.1),
    metrics=["accuracy", keras.metrics.TopKCategoricalAccuracy(k=2, name="top2")],
)
LOSSES = []


class Losses(callbacks.Callback):
    def on_batch_end(self, batch, logs=None):
        LOSSES.append(float(logs.get("loss")))


history = model.fit(
    images, labels, epochs=10, batch_size=32, shuffle=False, verbose=0,
    validation_data=(val_images, val_labels),
    callbacks=[
        Losses(),
        callbacks.EarlyStopping(monitor="val_loss", patience=8, restore_best_weights=True),
    ],
)
EXTRA = [v for k in sorted(history.history) for v in history.history[k]]
model.summary(print_fn=lambda text: None)
