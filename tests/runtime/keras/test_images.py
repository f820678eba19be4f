"""Layers of images: what is drawn, single images, whole numbers, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from runtime import keras

IMAGES = np.arange(2 * 4 * 5 * 3, dtype="float32").reshape(2, 4, 5, 3)
L = keras.layers
RANDOM = [
    lambda: L.RandomFlip(seed=1), lambda: L.RandomCrop(2, 3, seed=1),
    lambda: L.RandomTranslation(0.5, 0.5, seed=1), lambda: L.RandomRotation(0.5, seed=1),
    lambda: L.RandomZoom(0.5, seed=1), lambda: L.RandomContrast(0.5, seed=1),
    lambda: L.RandomBrightness(0.5, seed=1),
]  # fmt: skip


@pytest.mark.parametrize("make", RANDOM)
def test_images_change_while_training_and_not_else(make):
    layer = make()
    np.testing.assert_array_equal(layer(IMAGES, training=False), IMAGES)
    drawn = [np.asarray(layer(IMAGES, training=True)) for _ in range(8)]
    assert any(not np.array_equal(drawn[0], other) for other in drawn[1:])
    staged = tf.function(lambda x: layer(x, training=True))
    assert staged(IMAGES).shape == drawn[0].shape
    assert np.asarray(layer(IMAGES[0], training=True)).shape == drawn[0].shape[1:]
    copy = type(layer).from_config(layer.get_config())
    assert copy.get_config() == layer.get_config()


def test_each_image_is_flipped_whole_or_not_at_all():
    layer = L.RandomFlip("horizontal", seed=3)
    images = np.repeat(IMAGES[:1], 64, 0)
    flipped = np.asarray(layer(images, training=True))
    ways = [np.array_equal(one, IMAGES[0]) + 2 * np.array_equal(one, IMAGES[0][:, ::-1])
            for one in flipped]  # fmt: skip
    assert set(ways) == {1, 2} and 16 < ways.count(2) < 48


def test_crops_are_parts():
    layer = L.RandomCrop(2, 3, seed=1)
    for _ in range(5):
        part = np.asarray(layer(IMAGES[:1], training=True))[0]
        places = [(r, c) for r in range(3) for c in range(3)
                  if np.array_equal(part, IMAGES[0, r : r + 2, c : c + 3])]  # fmt: skip
        assert len(places) == 1


@pytest.mark.parametrize("fill", ["reflect", "wrap", "nearest", "constant"])
@pytest.mark.parametrize("interpolation", ["bilinear", "nearest"])
@pytest.mark.parametrize(
    "make",
    [
        lambda **how: L.RandomTranslation((0.3, 0.3), (-0.7, -0.7), **how),
        lambda **how: L.RandomZoom((0.4, 0.4), (-0.2, -0.2), **how),
        lambda **how: L.RandomRotation((0.13, 0.13), **how),
    ],
)
def test_gradients_of_maps_of_places_are_the_derivatives(make, interpolation, fill):
    layer = make(fill_mode=fill, interpolation=interpolation, fill_value=0.5, seed=1)
    images, step = np.random.default_rng(3).random((2, *IMAGES.shape), dtype="float32")
    with tf.GradientTape() as tape:
        tape.watch(x := tf.constant(images))
        total = tf.reduce_sum(layer(x, training=True) * IMAGES)
    # what a map of places adds is linear in what the image adds
    change = np.sum((layer(images + step, training=True) - layer(images, training=True)) * IMAGES)
    np.testing.assert_allclose(np.sum(tape.gradient(total, x) * step), change, rtol=1e-4)


def test_whole_numbers_stay_whole():
    images = (IMAGES * 2).astype("uint8")
    resized = L.Resizing(3, 3)(images)
    assert resized.dtype == tf.uint8
    floats = L.Resizing(3, 3)(images.astype("float32"))
    np.testing.assert_array_equal(resized, np.round(floats))
    # where halves go depends on the order of sums: numbers of Keras 3.15
    larger = L.UpSampling2D((2, 3), interpolation="bilinear")(
        np.array([[[[-46], [46], [9]], [[3], [-20], [7]]]])
    )
    rows = "-46 -46 -15 15 46 34 21 9 9 -34 -34 -13 8 30 22 15 8 8 -9 -9 -7 -5 -4 0 4 8 8"
    assert np.ravel(larger)[:27].tolist() == [int(n) for n in rows.split()]


def test_models_augment_while_training():
    model = keras.Sequential([
        keras.Input((4, 5, 3)), L.RandomFlip(), L.RandomRotation(0.1), L.Rescaling(1 / 255),
        L.Resizing(2, 2), L.Flatten(), L.Dense(1),
    ])  # fmt: skip
    model.compile("sgd", "mse")
    model.fit(IMAGES, np.ones([2, 1]), verbose=0)
    again = keras.Sequential.from_config(model.get_config())
    again.set_weights(model.get_weights())
    np.testing.assert_array_equal(again(IMAGES, training=False), model(IMAGES, training=False))


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: L.Resizing(2, 2, "bilinear", True, True), "Only one of"),
        (lambda: L.Resizing(2, 2, "cubic"), "interpolation"),
        (lambda: L.RandomFlip("diagonal"), "mode"),
        (lambda: L.RandomContrast(2.0), "factor"),
        (lambda: L.RandomBrightness(0.1, value_range=3), "value_range"),
        (lambda: L.RandomZoom((0.1, 0.2, 0.3)), "height_factor"),
        (lambda: L.RandomTranslation(0.1, 0.1, fill_mode="mirror"), "fill_mode"),
        (lambda: L.CenterCrop(2, 2)(np.ones([2, 2])), "rank 3 or 4"),
    ],
)
def test_what_is_refused(make, match):
    with pytest.raises(ValueError, match=match):
        make()
