"""Images and texts as files: TensorFlow's pixels, datasets of folders, Keras' data sets."""

import gzip

import numpy as np
import pytest

import runtime as tf
from runtime import keras
from tests.support.extras import needs

utils = keras.utils
COLORS = np.array([[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 0], [10, 200, 30],
                   [100, 50, 150]], np.uint8)[None]  # fmt: skip


@needs("images")
def test_png_there_and_back():
    for array in (COLORS, COLORS[..., :1], np.concatenate([COLORS, COLORS[..., :1]], -1)):
        image = tf.io.decode_png(tf.io.encode_png(array))
        assert image.dtype is tf.uint8 and (image.numpy() == array).all()
    wide = np.arange(6, dtype=np.uint16).reshape(2, 3, 1) * 9000
    assert (tf.io.decode_png(tf.io.encode_png(wide), dtype=tf.uint16).numpy() == wide).all()
    floats = tf.io.decode_image(tf.io.encode_png(COLORS), dtype=tf.float32)
    np.testing.assert_allclose(floats, COLORS / 255, rtol=1e-6)


@needs("images")
def test_grey_is_tensorflows():
    grey = tf.io.decode_png(tf.io.encode_png(COLORS), 1)
    assert grey.numpy().ravel().tolist() == [76, 149, 29, 225, 123, 76]  # TensorFlow 2.21


@needs("images")
def test_jpeg_and_bmp():
    smooth = np.full((8, 8, 3), 120, np.uint8)
    data = tf.io.encode_jpeg(smooth)
    assert tf.io.is_jpeg(data) and not tf.io.is_jpeg(tf.io.encode_png(smooth))
    np.testing.assert_allclose(tf.io.decode_jpeg(data).numpy().astype(int), smooth, atol=2)
    assert tf.io.decode_jpeg(data, 1).shape == [8, 8, 1]
    assert tf.io.extract_jpeg_shape(data).numpy().tolist() == [8, 8, 3]


@needs("images")
def test_decoding_in_functions_and_datasets():
    data = [tf.io.encode_png(COLORS + k).numpy() for k in range(2)]

    @tf.function
    def decoded(text):
        image = tf.io.decode_png(text, 3)
        assert image.shape.as_list() == [None, None, 3]
        return image

    assert (decoded(data[0]).numpy() == COLORS).all()
    images = tf.data.Dataset.from_tensor_slices(data).map(decoded).batch(2)
    assert next(iter(images)).shape == [2, 1, 6, 3]


@needs("images")
def test_what_is_no_image():
    for data, match in ((b"xx", "Unknown image file format"), (b"\x89PNG\r\n\x1a\nxx", "damaged")):
        with pytest.raises(tf.errors.InvalidArgumentError, match=match):
            tf.io.decode_image(data)
    with pytest.raises(ValueError, match="channels must be one of"):
        tf.io.decode_png(b"", 2)
    with pytest.raises(TypeError, match="uint8 or uint16"):
        tf.io.encode_png(np.zeros((2, 2, 3), np.float32))
    with pytest.raises(tf.errors.InvalidArgumentError, match="channels"):
        tf.io.encode_png(np.zeros((2, 2, 5), np.uint8))


@pytest.fixture
def folder(tmp_path):
    for number, name in enumerate("ab"):
        (tmp_path / name).mkdir()
        for k in range(4):
            tf.io.write_file(str(tmp_path / name / f"{k}.txt"), f"{name}{k}" * (k + 1))
            pixels = np.full((4 + k, 5, 3), 10 * k + number, np.uint8)
            utils.save_img(tmp_path / name / f"{k}.png", pixels, scale=False)
    return tmp_path


@needs("images")
def test_images_of_a_folder(folder, capsys):
    data = utils.image_dataset_from_directory(folder, image_size=(3, 4), batch_size=3,
                                              shuffle=False)  # fmt: skip
    assert capsys.readouterr().out == "Found 8 files belonging to 2 classes.\n"
    assert data.class_names == ["a", "b"] and len(data.file_paths) == 8
    assert data.element_spec[0] == tf.TensorSpec([None, 3, 4, 3], tf.float32)
    images, labels = (np.concatenate(parts) for parts in zip(*data.as_numpy_iterator()))
    assert labels.tolist() == [0] * 4 + [1] * 4
    assert images[:, 0, 0, 0].tolist() == [0, 10, 20, 30, 1, 11, 21, 31]


@needs("images")
def test_folders_are_divided(folder, capsys):
    train, validation = utils.image_dataset_from_directory(
        folder, image_size=(3, 4), seed=1, validation_split=0.25, subset="both",
        label_mode="categorical",
    )  # fmt: skip
    assert "Using 6 files for training.\nUsing 2 files for validation." in capsys.readouterr().out
    assert not {*train.file_paths} & {*validation.file_paths}
    assert train.element_spec[1] == tf.TensorSpec([None, 2], tf.float32)
    for arguments, match in (({"validation_split": 0.5}, "subset"), ({"label_mode": "x"}, "label"),
                             ({"class_names": ["c"]}, "did not match"), ({"labels": [1]}, "length"),
                             ({"pad_to_aspect_ratio": True}, "resize_with_pad")):  # fmt: skip
        with pytest.raises(ValueError, match=match):
            utils.image_dataset_from_directory(folder, **arguments)


@needs("images")
def test_texts_of_a_folder(folder):
    data = utils.text_dataset_from_directory(folder, batch_size=8, shuffle=False, max_length=4,
                                             label_mode="binary", verbose=False)  # fmt: skip
    texts, labels = next(data.as_numpy_iterator())
    assert texts.tolist() == [b"a0", b"a1a1", b"a2a2", b"a3a3", b"b0", b"b1b1", b"b2b2", b"b3b3"]
    assert labels.tolist() == [[0.0]] * 4 + [[1.0]] * 4


@needs("images")
def test_images_of_pillow(tmp_path):
    utils.save_img(tmp_path / "x.png", COLORS, scale=False)
    image = utils.load_img(tmp_path / "x.png")
    assert image.size == (6, 1) and (utils.img_to_array(image) == COLORS).all()
    assert utils.load_img(tmp_path / "x.png", target_size=(2, 3)).size == (3, 2)
    assert utils.load_img(tmp_path / "x.png", color_mode="grayscale").mode == "L"
    assert utils.array_to_img(COLORS / 255.0).getpixel((1, 0)) == (0, 255, 0)
    with pytest.raises(ValueError, match="color_mode"):
        utils.load_img(tmp_path / "x.png", color_mode="hsv")


def test_data_sets_are_local(tmp_path, monkeypatch):
    monkeypatch.setenv("KERAS_HOME", str(tmp_path))
    with pytest.raises(FileNotFoundError, match=r"mnist\.npz; nothing is downloaded.*https"):
        keras.datasets.mnist.load_data()
    (tmp_path / "datasets" / "fashion-mnist").mkdir(parents=True)
    images, labels = np.zeros((3, 28, 28), np.uint8), np.arange(3, dtype=np.uint8)
    np.savez(tmp_path / "datasets" / "mnist.npz", x_train=images, y_train=labels, x_test=images,
             y_test=labels)  # fmt: skip
    (x, y), (x_test, _) = keras.datasets.mnist.load_data()
    assert x.shape == x_test.shape == (3, 28, 28) and y.tolist() == [0, 1, 2]
    for part in ("train", "t10k"):
        for name, offset, array in (("labels-idx1", 8, labels), ("images-idx3", 16, images)):
            path = tmp_path / "datasets" / "fashion-mnist" / f"{part}-{name}-ubyte.gz"
            path.write_bytes(gzip.compress(bytes(offset) + array.tobytes()))
    assert keras.datasets.fashion_mnist.load_data()[0][0].shape == (3, 28, 28)
    np.savez(tmp_path / "datasets" / "boston_housing.npz", x=np.arange(20).reshape(10, 2),
             y=np.arange(10))  # fmt: skip
    (x, y), (_, y_test) = keras.datasets.boston_housing.load_data()
    assert len(x) == len(y) == 8 and sorted([*y, *y_test]) == [*range(10)]


def test_pickled_batches_run_no_code(tmp_path, monkeypatch):
    import pickle

    monkeypatch.setenv("KERAS_HOME", str(tmp_path))
    folder = tmp_path / "datasets" / "cifar-100-python"
    folder.mkdir(parents=True)
    pixels = np.arange(2 * 3072, dtype=np.uint32).astype(np.uint8).reshape(2, 3072)
    for name in ("train", "test"):
        content = {b"data": pixels, b"fine_labels": [3, 4], b"coarse_labels": [0, 1]}
        (folder / name).write_bytes(pickle.dumps(content))
    (x, y), _ = keras.datasets.cifar100.load_data()
    assert x.shape == (2, 32, 32, 3) and y.tolist() == [[3], [4]]
    assert x[0, 0, 0].tolist() == [pixels[0, 0], pixels[0, 1024], pixels[0, 2048]]
    (folder / "test").write_bytes(pickle.dumps(print))
    with pytest.raises(tf.errors.DataLossError, match="no batch of images"):
        keras.datasets.cifar100.load_data()


def test_options_of_saved_models(tmp_path):
    module = tf.Module()
    module.v = tf.Variable(1.0)
    options = tf.saved_model.SaveOptions(experimental_custom_gradients=True)
    tf.saved_model.save(module, str(tmp_path / "m"), options=options)
    assert tf.saved_model.load(str(tmp_path / "m"), options=tf.saved_model.LoadOptions()).v == 1.0
    with pytest.raises(ValueError, match="experimental_io_device"):
        options = tf.saved_model.SaveOptions(experimental_io_device="/job:localhost")
        tf.saved_model.save(module, str(tmp_path / "n"), options=options)
