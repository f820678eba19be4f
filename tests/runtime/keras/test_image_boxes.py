"""Boxes, labels and masks that go with images, as Keras' layers change them."""

from __future__ import annotations

import numpy as np
import pytest

from runtime import keras
from runtime.keras.layers.images.boxes import FORMATS, convert_format

L = keras.layers
BOXES = np.array(
    [[[2, 1, 4, 3], [6, 4, 8, 6]], [[-1, 2, 3, 12], [0, 0, 0, 0]]], "float32"
)  # fmt: skip
IMAGES = np.random.RandomState(3).rand(2, 10, 8, 3).astype("float32")
MASKS = np.arange(160).reshape(2, 10, 8, 1) % 5


def data(boxes=BOXES):
    return {
        "images": IMAGES, "labels": np.array([1, 2]), "segmentation_masks": MASKS,
        "bounding_boxes": {"boxes": boxes, "labels": np.array([[1, 2], [3, 4]])},
    }  # fmt: skip


def fixed(kind, *args, **kwargs):
    return kind(*args, fill_mode="constant", **kwargs)


# what Keras 3.15 gives: boxes, and the labels, -1 where nothing is left of a box
LAYERS = {
    "stretched": (
        lambda **k: L.Resizing(20, 16, **k),
        [[4, 2, 8, 6], [12, 8, 16, 12], [0, 4, 6, 20], [0, 0, 0, 0]], [1, 2, 3, -1],
    ),
    "margins": (
        lambda **k: L.Resizing(20, 11, pad_to_aspect_ratio=True, **k),
        [[2.75, 4.375, 5.5, 7.125], [8.25, 8.5, 11, 11.25], [0, 5.75, 4.125, 19.5], [0, 0, 0, 0]],
        [1, 2, 3, -1],
    ),
    "cut": (
        lambda **k: L.Resizing(20, 11, crop_to_aspect_ratio=True, **k),
        [[2, 2, 6, 6], [10, 8, 11, 12], [0, 4, 4, 20], [0, 0, 0, 0]], [1, 2, 3, -1],
    ),
    "middle": (
        lambda **k: L.CenterCrop(5, 4, **k),
        [[0, 0, 2, 1], [4, 2, 4, 4], [0, 0, 1, 5], [0, 0, 0, 0]], [1, -1, 3, -1],
    ),
    "larger": (
        lambda **k: L.CenterCrop(15, 14, **k),
        [[3.5, 0, 7, 3.75], [10.5, 5.625, 14, 9.375], [0, 1.875, 5.25, 15], [0, 0, 0, 0]],
        [1, 2, 3, -1],
    ),
    "moved": (
        lambda **k: fixed(L.RandomTranslation, (0.2, 0.2), (0.25, 0.25), **k),
        [[4, 3, 6, 5], [8, 6, 8, 8], [1, 4, 5, 10], [2, 2, 2, 2]], [1, -1, 3, -1],
    ),
    "zoomed": (
        lambda **k: fixed(L.RandomZoom, (0.25, 0.25), (-0.25, -0.25), **k),
        [[1.5, 1.7, 4.167, 3.3], [6.833, 4.1, 8, 5.7], [0, 2.5, 2.833, 10], [0, 0.9, 0, 0.9]],
        [1, 2, 3, -1],
    ),
    "turned": (
        lambda **k: fixed(L.RandomRotation, (0.1, 0.1), interpolation="nearest", **k),
        [[0.2292, 1.375, 3.023, 4.168], [5.229, 1.45, 8, 4.244], [0, 2.771, 7.504, 10],
         [0, 2.917, 0, 2.917]],
        [1, 2, 3, -1],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LAYERS)
@pytest.mark.parametrize("is_alone", [False, True])
def test_boxes_are_those_of_keras(name, is_alone):
    make, boxes, labels = LAYERS[name]
    inputs = data()
    if is_alone:
        boxes, labels = boxes[:2], labels[:2]
        inputs = {key: value[0] for key, value in inputs.items() if key != "bounding_boxes"}
        inputs["bounding_boxes"] = {"boxes": BOXES[0], "labels": np.array([1, 2])}
    outputs = make(bounding_box_format="xyxy")(inputs, training=True)
    shape = inputs["bounding_boxes"]["boxes"].shape
    got = outputs["bounding_boxes"]
    np.testing.assert_allclose(got["boxes"], np.reshape(boxes, shape), atol=1e-3)
    np.testing.assert_array_equal(got["labels"], np.reshape(labels, shape[:-1]))
    np.testing.assert_array_equal(outputs["labels"], inputs["labels"])
    assert list(outputs) == list(inputs)


@pytest.mark.parametrize("name", [name for name in LAYERS if name != "turned"])
@pytest.mark.parametrize("kind", FORMATS)
def test_boxes_keep_their_format(name, kind):
    make, boxes, _ = LAYERS[name]
    inputs = data(convert_format(BOXES, "xyxy", kind, 10, 8))
    layer = make(bounding_box_format=kind)
    outputs = layer(inputs, training=True)
    size = outputs["images"].shape[1:3]
    back = convert_format(outputs["bounding_boxes"]["boxes"], kind, "xyxy", *size)
    np.testing.assert_allclose(np.reshape(back, [-1, 4])[:3], boxes[:3], atol=2e-3)
    assert layer.get_config()["bounding_box_format"] == kind


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("horizontal", [[4, 1, 6, 3], [0, 4, 2, 6]]),
        ("vertical", [[2, 7, 4, 9], [6, 4, 8, 6]]),
        ("horizontal_and_vertical", [[4, 7, 6, 9], [0, 4, 2, 6]]),
    ],
)
def test_boxes_are_flipped_with_their_image(mode, expected):
    layer = L.RandomFlip(mode, bounding_box_format="xyxy")
    flips = np.array([True, False]).reshape(2, 1, 1, 1)
    drawn = {"flips": flips, "input_shape": IMAGES.shape}
    boxes = np.stack([BOXES[0], BOXES[0]])
    given = {"boxes": boxes, "labels": np.array([[1, 2], [3, 4]])}
    moved = layer.transform_bounding_boxes(given, drawn, training=True)
    np.testing.assert_allclose(moved["boxes"], [expected, BOXES[0]], atol=1e-5)
    images = layer.transform_images(IMAGES, drawn, training=True)
    axes = {"horizontal": 1, "vertical": 0}.get(mode, (0, 1))
    np.testing.assert_array_equal(images, [np.flip(IMAGES[0], axes), IMAGES[1]])


def test_masks_are_changed_as_images_and_between_no_two_of_their_values():
    layer = fixed(L.RandomTranslation, 0.0, (0.25, 0.25), bounding_box_format="xyxy")
    outputs = layer(data(), training=True)
    moved = np.zeros_like(MASKS)
    moved[:, :, 2:] = MASKS[:, :, :-2]
    np.testing.assert_array_equal(outputs["segmentation_masks"], moved)
    assert outputs["segmentation_masks"].dtype == "int64"
    outputs = L.Resizing(20, 16, bounding_box_format="xyxy")(data())
    np.testing.assert_array_equal(outputs["segmentation_masks"][:, ::2, ::2], MASKS)
    bright = L.RandomBrightness(0.5, bounding_box_format="xyxy")(data(), training=True)
    np.testing.assert_array_equal(bright["segmentation_masks"], MASKS)
    np.testing.assert_array_equal(bright["bounding_boxes"]["boxes"], BOXES)


def test_nothing_changes_outside_of_training():
    layer = fixed(L.RandomZoom, (0.25, 0.25), bounding_box_format="xyxy")
    outputs = layer(data(), training=False)
    np.testing.assert_array_equal(outputs["images"], IMAGES)
    np.testing.assert_array_equal(outputs["bounding_boxes"]["boxes"], BOXES)


def test_images_of_sizes_that_are_not_known_yet_are_moved():
    inputs = L.Input((None, None, 3))
    layer = fixed(L.RandomTranslation, (0.2, 0.2), (0.25, 0.25))
    model = keras.Model(inputs, layer(inputs, training=True))
    np.testing.assert_array_equal(model(IMAGES), layer(IMAGES, training=True))
    for kind in (L.RandomFlip(), L.RandomRotation(0.1), L.RandomZoom(0.2, fill_mode="wrap")):
        assert kind(inputs).shape == (None, None, None, 3)


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: L.Resizing(2, 2)(data()), "bounding_box_format='xyxy'"),
        (lambda: L.RandomCrop(2, 2, bounding_box_format="xyxy")(data()), "does not cut boxes"),
        (lambda: L.RandomRotation(0.1, bounding_box_format="xywh")(data()), "'xyxy' alone"),
        (lambda: L.Resizing(2, 2, bounding_box_format="xyz")(data()), "Supported formats"),
        (lambda: L.Resizing(2, 2, bounding_box_format="xyxy")(data(BOXES[..., :3])), "of 4"),
        (
            lambda: L.Resizing(2, 2, bounding_box_format="xyxy")(
                {"images": IMAGES, "bounding_boxes": BOXES}
            ),
            "'boxes' and 'labels'",
        ),
    ],
)
def test_what_is_refused(make, match):
    with pytest.raises(ValueError, match=match):
        make()
