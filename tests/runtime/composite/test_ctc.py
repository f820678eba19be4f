"""CTC losses are those of all alignments, one by one; their gradients are the slopes."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import runtime as tf

LABELS = np.array([[1, 2, 1], [1, 1, 0], [0, 0, 0], [2, 2, 2], [2, 9, -5]])
LABEL_LENGTHS = np.array([3, 2, 0, 3, 1])  # what comes after is not read
FRAMES = np.array([5, 4, 5, 5, 1])
LOGITS = np.random.default_rng(0).normal(size=(5, 5, 3))


def loss(logits, labels=LABELS, frames=FRAMES, **arguments):
    return tf.nn.ctc_loss(
        labels, logits, LABEL_LENGTHS, frames, logits_time_major=False, **arguments
    )


def loss_of_alignments(logits, labels, blank):
    """Minus the logarithm of the sum over all sequences of classes that become the labels."""
    probabilities = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    total = 0.0
    for classes in itertools.product(range(logits.shape[1]), repeat=len(logits)):
        merged = [c for c, _ in itertools.groupby(classes)]
        if [c for c in merged if c != blank] == list(labels):
            total += np.prod(probabilities[range(len(logits)), classes])
    return -np.log(total)


@pytest.mark.parametrize("blank", [0, 1, 2, -1])
def test_losses_are_those_of_all_alignments(blank):
    place = blank % 3
    labels = (place + 1 + (LABELS != 1)) % 3  # one of the two classes that are not the blank
    wanted = [
        loss_of_alignments(LOGITS[row, :frames], labels[row, :length], place)
        for row, (length, frames) in enumerate(zip(LABEL_LENGTHS, FRAMES))
    ]
    np.testing.assert_allclose(loss(LOGITS, labels, blank_index=blank), wanted, rtol=1e-9)
    by_time = tf.nn.ctc_loss(
        labels, LOGITS.transpose(1, 0, 2), LABEL_LENGTHS, FRAMES, blank_index=blank
    )
    np.testing.assert_allclose(by_time, wanted, rtol=1e-9)


@pytest.mark.parametrize("way", [lambda f: f, tf.function, tf.jit])
@pytest.mark.parametrize("frames", [FRAMES, np.array([4, 2, 0, 3, 0])])
def test_gradients_are_slopes(way, frames):
    @way
    def gradient(logits):
        with tf.GradientTape() as tape:
            tape.watch(logits)
            total = tf.reduce_sum(loss(logits, frames=frames) * [1.0, 2.0, 3.0, 4.0, 5.0])
        return tape.gradient(total, logits)

    weights, step = np.arange(1.0, 6.0), 1e-5
    slopes = np.zeros_like(LOGITS)
    for place in np.ndindex(LOGITS.shape):
        more, less = LOGITS.copy(), LOGITS.copy()
        more[place] += step
        less[place] -= step
        rise = np.asarray(loss(more, frames=frames) - loss(less, frames=frames))
        slopes[place] = rise @ weights / (2 * step)
    np.testing.assert_allclose(gradient(tf.constant(LOGITS)), slopes, rtol=1e-4, atol=1e-6)


def test_too_few_frames_give_what_tensorflow_gives():
    found = loss(LOGITS.astype("float32"), frames=[0] * 5)
    np.testing.assert_allclose(found, [706.8936] * 2 + [0.0] + [706.8936] * 2, rtol=1e-6)
    assert loss(LOGITS.astype("float16")).dtype == tf.float16


def test_a_batch_of_any_size_is_traced_once():
    specs = [tf.TensorSpec([None, None], tf.int64), tf.TensorSpec([None, None, 3], tf.float64),
             tf.TensorSpec([None], tf.int64), tf.TensorSpec([None], tf.int64)]  # fmt: skip
    traced = tf.function(
        lambda *args: tf.nn.ctc_loss(*args, logits_time_major=False), input_signature=specs
    )
    for count in (5, 2):
        found = traced(LABELS[:count], LOGITS[:count], LABEL_LENGTHS[:count], FRAMES[:count])
        np.testing.assert_allclose(found, loss(LOGITS)[:count], rtol=1e-12)


@pytest.mark.parametrize(
    ("labels", "logits", "arguments", "error", "match"),
    [
        (np.full([5, 3], 3), LOGITS, {}, tf.errors.InvalidArgumentError, "is not in"),
        (np.full([5, 3], -1), LOGITS, {}, tf.errors.InvalidArgumentError, "is not in"),
        (LABELS, LOGITS, {"blank_index": 3}, ValueError, "blank_index"),
        (LABELS, LOGITS[0], {}, ValueError, "logits must have rank 3"),
        (LABELS[0], LOGITS, {}, ValueError, "labels must have rank 2"),
        (LABELS.astype("float32"), LOGITS, {}, TypeError, "integer dtype"),
    ],
)
def test_what_is_refused(labels, logits, arguments, error, match):
    with pytest.raises(error, match=match):
        loss(logits, labels, **arguments)


def test_decoding_refuses_what_it_does_not_do():
    decode = tf.keras.ops.ctc_decode
    with pytest.raises(ValueError, match="strategy"):
        decode(LOGITS, FRAMES, strategy="beam_search")
    with pytest.raises(ValueError, match="mask_index"):
        decode(LOGITS, FRAMES, mask_index=3)
    with pytest.raises(tf.errors.InvalidArgumentError):
        decode(LOGITS, FRAMES + 1)
