"""Windows of series, masks that layers compute, vectors as inputs, names of preprocessing."""

import numpy as np
import pytest

import runtime as tf
from runtime import keras

DATA, TARGETS = np.arange(60).reshape(20, 3), np.arange(20) * 10
windows = keras.utils.timeseries_dataset_from_array


@pytest.mark.parametrize(
    "options",
    [{}, {"sequence_stride": 3}, {"sampling_rate": 2}, {"start_index": 2, "end_index": 15}],
)
def test_windows(options):
    first, end = options.get("start_index", 0), options.get("end_index", 20)
    rate, stride = options.get("sampling_rate", 1), options.get("sequence_stride", 1)
    starts = range(first, end - 3 * rate, stride)
    rows = list(windows(DATA, TARGETS, 4, batch_size=5, **options))
    assert [len(x) for x, _ in rows[:-1]] == [5] * (len(rows) - 1)
    expected = [DATA[start : start + 4 * rate : rate] for start in starts]
    assert np.array_equal(np.concatenate([x for x, _ in rows]), expected)
    assert np.concatenate([y for _, y in rows]).tolist() == [10 * start for start in starts]


def test_shuffled_windows_keep_their_targets():
    rows = windows(DATA, TARGETS, 2, batch_size=None, shuffle=True, seed=3)
    pairs = [(int(x[0, 0]), int(y)) for x, y in rows]
    assert sorted(pairs) == [(3 * k, 10 * k) for k in range(19)] != pairs
    assert len(list(windows(DATA, None, 20, batch_size=None))) == 1


@pytest.mark.parametrize(
    "options",
    [{"sequence_length": 0}, {"sequence_stride": 20}, {"sampling_rate": 0}, {"start_index": 20},
     {"end_index": 20}, {"start_index": 5, "end_index": 5}, {"format": "grain"}],
)  # fmt: skip
def test_mistakes(options):
    with pytest.raises(ValueError, match=next(reversed(options))):
        windows(DATA, TARGETS, **{"sequence_length": 2, **options})


def test_names_of_preprocessing():
    assert keras.preprocessing.timeseries_dataset_from_array is windows
    assert keras.preprocessing.image.load_img is keras.utils.load_img


def test_a_layer_that_computes_masks_supports_them():
    class Halves(keras.layers.Layer):
        def call(self, x):
            return tf.split(x, 2, axis=1)

        def compute_mask(self, x, mask=None):
            return None if mask is None else tf.split(mask, 2, axis=1)

    class Embedded(keras.layers.Layer):
        def call(self, x):
            return tf.one_hot(x, 5)

        def compute_mask(self, x, mask=None):
            return keras.ops.not_equal(x, 0)

    rows = Embedded()(np.array([[1, 2, 0, 0], [3, 0, 0, 0]]))
    first, second = Halves()(rows)
    assert first._keras_mask.numpy().tolist() == [[True, True], [True, False]]
    assert not second._keras_mask.numpy().any()


def test_a_sequential_model_takes_a_vector_for_a_column():
    column = np.arange(10.0)
    scale = keras.layers.Normalization(input_shape=[1], axis=None)
    scale.adapt(column)
    model = keras.Sequential([scale, keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(column, column, epochs=1, verbose=0)
    assert np.allclose(model.predict(column, verbose=0), model.predict(column[:, None], verbose=0))
