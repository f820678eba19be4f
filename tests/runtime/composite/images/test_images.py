"""Functions of images: TensorFlow's numbers, the same in graphs and machine code, and errors."""

import numpy as np
import pytest

import runtime as tf

SMALL = (np.arange(24).reshape(1, 3, 4, 2) ** 2 % 17 / 16).astype("float32")
COLORS = (np.arange(12).reshape(1, 2, 2, 3) ** 3 % 23 / 22).astype("float32")
INTS = (np.arange(36).reshape(3, 4, 3) * 7 % 256).astype("uint8")

# What TensorFlow 2.21 gives, rounded.
RESIZED = {
    "bilinear": [0.2396, 0.2839, 0.6484, 0.5391, 0.3411, 0.7422,
                 0.2552, 0.2057, 0.4141, 0.6094, 0.5208, 0.2969],
    "nearest": [0.0, 0.0625, 1.0, 0.5, 0.125, 0.9375, 0.0625, 0.0, 0.5625, 1.0, 0.5, 0.125],
    "bicubic": [0.1912, 0.2503, 0.7094, 0.5383, 0.2941, 0.7866,
                0.2218, 0.1672, 0.3941, 0.6715, 0.5268, 0.2425],
    "area": [0.3229, 0.3385, 0.6562, 0.5417, 0.4115, 0.6979,
             0.3229, 0.2552, 0.4479, 0.6042, 0.526, 0.375],
    "lanczos3": [0.3522, 0.3597, 0.7341, 0.5367, 0.4356, 0.7264,
                 0.381, 0.1968, 0.459, 0.6529, 0.5498, 0.4287],
    "gaussian": [0.2637, 0.3019, 0.6502, 0.5397, 0.3726, 0.728,
                 0.2712, 0.2181, 0.4218, 0.6082, 0.5228, 0.3341],
    "mitchellcubic": [0.2361, 0.2843, 0.6833, 0.5394, 0.3411, 0.7518,
                      0.2537, 0.1985, 0.4113, 0.6411, 0.5262, 0.2942],
}  # fmt: skip
COLORED = {
    "hue": [0.3636, 0.0, 0.3364, 0.1818, 0.4182, 0.8182,
            0.2727, 0.9545, 0.9545, 0.9091, 0.5, 0.6],
    "saturation": [0.1818, 0.2045, 0.3636, 0.5, 0.8182, 0.6364,
                   0.6818, 0.9545, 0.6136, 0.8182, 0.7045, 0.9091],
    "hsv": [0.6458, 1.0, 0.3636, 0.4048, 0.7778, 0.8182,
            0.3, 0.7143, 0.9545, 0.7593, 0.45, 0.9091],
}  # fmt: skip
CHANGES = {
    "hue": lambda x: tf.image.adjust_hue(x, 0.2),
    "saturation": lambda x: tf.image.adjust_saturation(x, 0.5),
    "hsv": tf.image.rgb_to_hsv,
}


@pytest.mark.parametrize("method", RESIZED)
def test_resized_as_tensorflow(method):
    result = tf.image.resize(SMALL, (2, 3), method=method, antialias=method == "lanczos3")
    assert result.dtype == tf.float32 and result.shape == [1, 2, 3, 2]
    np.testing.assert_allclose(np.ravel(result), RESIZED[method], atol=6e-5)


@pytest.mark.parametrize("name", COLORED)
def test_colors_as_tensorflow(name):
    np.testing.assert_allclose(np.ravel(CHANGES[name](COLORS)), COLORED[name], atol=6e-5)


def test_whole_numbers_stay_and_are_clipped():
    contrast = tf.image.adjust_contrast(INTS, 1.5)
    assert contrast.dtype == tf.uint8
    assert np.ravel(contrast).tolist() == [
        0, 0, 0, 0, 0, 0, 5, 12, 19, 36, 43, 50, 68, 75, 82, 99, 106, 113, 131, 138, 145, 163, 170,
        177, 194, 201, 208, 226, 233, 240, 255, 255, 255, 255, 255, 255,
    ]  # fmt: skip
    gray = tf.image.rgb_to_grayscale(INTS)
    assert np.ravel(gray).tolist() == [5, 26, 47, 68, 89, 110, 131, 152, 174, 195, 216, 237]
    dark = tf.image.adjust_brightness(INTS, -0.2)
    assert np.ravel(dark).tolist()[:12] == [0, 0, 0, 0, 0, 0, 0, 0, 5, 12, 19, 26]


def test_alikeness_as_tensorflow():
    x = (np.arange(2 * 144).reshape(2, 12, 12, 1) ** 2 % 251 / 250).astype("float32")
    y = x[:, ::-1] * np.float32(0.9)
    np.testing.assert_allclose(tf.image.ssim(x, y, 1.0), [0.181931, -0.360875], atol=2e-6)
    np.testing.assert_allclose(tf.image.psnr(x, y, 1.0), [7.722886, 7.540304], atol=2e-6)
    assert tf.image.psnr(x, x, 1.0).numpy().tolist() == [np.inf, np.inf]
    edges = tf.image.sobel_edges(SMALL)[0, 1, 1]
    np.testing.assert_allclose(edges, [[-0.75, 0.875], [-0.1875, 1.8125]], atol=1e-6)


FUNCTIONS = {
    "resize": lambda x: tf.image.resize(x, (5, 3), "bicubic"),
    "with_pad": lambda x: tf.image.resize_with_pad(x, 7, 9),
    "crop_or_pad": lambda x: tf.image.resize_with_crop_or_pad(x, 3, 9),
    "central_crop": lambda x: tf.image.central_crop(x, 0.5),
    "turned": lambda x: tf.image.rot90(tf.image.flip_left_right(x), 3),
    "contrast": lambda x: tf.image.adjust_contrast(x, 0.3),
    "hue": lambda x: tf.image.adjust_hue(x, -0.3),
    "standardized": tf.image.per_image_standardization,
    "gamma": lambda x: tf.image.adjust_gamma(x + 0.1, 2.2),
    "gradients": lambda x: tf.image.image_gradients(x)[0],
    "variation": tf.image.total_variation,
    "boxes": lambda x: tf.image.crop_and_resize(
        x, [[0.1, 0.2, 0.8, 0.9], [0.5, 0.9, -0.1, 0.2]], [0, 1], (4, 3)
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FUNCTIONS)
def test_graphs_and_machine_code_agree(name):
    x = tf.constant(np.random.default_rng(0).random((2, 6, 5, 3)).astype("float32"))
    expected = FUNCTIONS[name](x)
    for options in ({"jit_compile": False}, {"jit_compile": True}):
        np.testing.assert_allclose(tf.function(FUNCTIONS[name], **options)(x), expected, atol=2e-6)


def test_batches_and_single_images_agree():
    x = np.random.default_rng(0).random((2, 6, 5, 3)).astype("float32")
    for name in ("resize", "with_pad", "crop_or_pad", "central_crop", "turned", "contrast", "hue"):
        result = FUNCTIONS[name](x)
        np.testing.assert_allclose(FUNCTIONS[name](x[1]), result[1], atol=1e-6)


def test_sizes_of_run_time():
    spec = tf.TensorSpec([None, None, None, 3], tf.float32)
    x = np.random.default_rng(0).random((2, 7, 4, 3)).astype("float32")
    for name in ("crop_or_pad", "central_crop", "turned", "standardized", "variation"):
        traced = tf.function(FUNCTIONS[name], input_signature=[spec])
        np.testing.assert_allclose(traced(x), FUNCTIONS[name](x), atol=1e-6)


def test_gradients_flow():
    x = tf.constant(COLORS)
    with tf.GradientTape() as tape:
        tape.watch(x)
        loss = tf.reduce_sum(tf.image.resize(x, (5, 4)) ** 2)
    assert tape.gradient(loss, x).shape == x.shape


def test_random_changes_are_within_bounds_and_seeded():
    x = np.full((4, 4, 4, 3), 0.5, "float32")
    for seed in ([1, 2], [3, 4]):
        change = tf.image.stateless_random_brightness(x, 0.2, seed)
        np.testing.assert_array_equal(change, tf.image.stateless_random_brightness(x, 0.2, seed))
        assert np.ptp(change.numpy()) == 0 and abs(change.numpy() - 0.5).max() <= 0.2
    tf.random.set_seed(1)
    ramp = np.tile(np.arange(4, dtype="float32").reshape(1, 1, 4, 1), [40, 2, 1, 1])
    flipped = tf.image.random_flip_left_right(ramp).numpy()
    turned = (flipped[:, 0, 0, 0] == 3.0).sum()
    assert 5 < turned < 35 and set(map(tuple, flipped[:, 0, :, 0])) == {(0, 1, 2, 3), (3, 2, 1, 0)}
    for change in (tf.image.random_contrast, tf.image.random_saturation):
        assert change(x, 0.5, 1.5).shape == x.shape
        with pytest.raises(ValueError, match="upper must be > lower"):
            change(x, 1.5, 0.5)
    assert tf.image.random_hue(x, 0.1).shape == x.shape
    with pytest.raises(ValueError, match="max_delta must be <= 0.5"):
        tf.image.random_hue(x, 0.6)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: tf.image.resize(SMALL[0, 0], (2, 2)), "resize: images must have shape"),
        (lambda: tf.image.resize(SMALL, (2, 2), "quick"), "method must be one of area, bicubic"),
        (lambda: tf.image.resize(SMALL, (2, 2, 2)), "size must be two ints"),
        (lambda: tf.image.crop_to_bounding_box(SMALL, 2, 0, 2, 2), "height must be at least"),
        (lambda: tf.image.pad_to_bounding_box(SMALL, 0, 0, 2, 9), "height must be at least"),
        (lambda: tf.image.central_crop(SMALL, 0.0), "central_fraction must be within"),
        (lambda: tf.image.ssim(SMALL, SMALL, 1.0), "images must be 11 pixels large"),
        (lambda: tf.image.grayscale_to_rgb(COLORS), "one channel"),
        (lambda: tf.image.adjust_gamma(COLORS, -1), "non-negative"),
    ],
)
def test_errors(call, message):
    with pytest.raises(ValueError, match=message):
        call()
