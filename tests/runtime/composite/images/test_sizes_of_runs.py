"""Images are resized alike where only a run knows the sizes."""

import numpy as np
import pytest

import runtime as tf

X = np.random.default_rng(0).integers(0, 255, (7, 5, 3)).astype("uint8")
ANY = tf.TensorSpec([None, None, 3], tf.uint8)


@pytest.mark.parametrize("method", ["bilinear", "nearest"])
@pytest.mark.parametrize("keeps_ratio", [False, True])
@pytest.mark.parametrize("size", [(4, 9), (14, 3), (7, 5)])
def test_resize(method, keeps_ratio, size):
    known = tf.image.resize(X, size, method, keeps_ratio)

    @tf.function(input_signature=[ANY])
    def of_image(image):
        return tf.image.resize(image, size, method, keeps_ratio)

    @tf.function(input_signature=[ANY, tf.TensorSpec([2], tf.int32)])
    def of_both(image, size):
        return tf.image.resize(image, size, method, keeps_ratio)

    for result in (of_image(X), of_both(X, size)):
        assert result.dtype == known.dtype and result.shape == known.shape
        np.testing.assert_allclose(result, known, atol=1e-4)


def test_shapes_and_refusals():
    rows = tf.data.Dataset.from_generator(lambda: iter([X]), output_signature=ANY)
    assert rows.map(lambda image: tf.image.resize(image, [8, 6])).element_spec.shape == (8, 6, 3)
    with pytest.raises(ValueError, match="antialias=True the sizes must be known"):
        rows.map(lambda image: tf.image.resize(image, [8, 6], antialias=True))
