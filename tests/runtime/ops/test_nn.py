"""Activations, losses and string ops: values known by hand."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from runtime import errors
from tests.support.extras import needs


def test_activations():
    x = tf.constant([-2.0, 0.0, 3.0])
    assert tf.nn.relu(x).numpy().tolist() == [0, 0, 3]
    assert tf.nn.leaky_relu(x, alpha=0.5).numpy().tolist() == [-1, 0, 3]
    np.testing.assert_allclose(tf.nn.elu(x).numpy(), [np.exp(-2) - 1, 0, 3], rtol=1e-6)
    np.testing.assert_allclose(tf.nn.gelu(x).numpy(), [-0.04550026, 0, 2.99595031], rtol=1e-6)
    np.testing.assert_allclose(tf.nn.softsign(x).numpy(), [-2 / 3, 0, 0.75], rtol=1e-6)
    np.testing.assert_allclose(tf.sigmoid([-1000.0, 0.0, 1000.0]).numpy(), [0, 0.5, 1])
    assert tf.nn.softplus(tf.constant([-1000.0, 1000.0])).numpy().tolist() == [0, 1000]


def test_softmax_is_stable():
    p = tf.nn.softmax([[1000.0, 1000.0], [0.0, -1000.0]]).numpy()
    np.testing.assert_allclose(p, [[0.5, 0.5], [1, 0]])
    np.testing.assert_allclose(tf.nn.log_softmax([1000.0, 0.0]).numpy(), [0, -1000])


def test_losses_agree_with_each_other():
    logits = np.array([[1.0, -2.0, 0.5], [3.0, 0.0, -1.0]], np.float32)
    labels = [2, 0]
    dense = tf.nn.softmax_cross_entropy_with_logits(tf.one_hot(labels, 3), logits).numpy()
    sparse = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits).numpy()
    expected = -np.log(np.exp(logits)[[0, 1], labels] / np.exp(logits).sum(1))
    np.testing.assert_allclose(dense, expected, rtol=1e-5)
    np.testing.assert_allclose(sparse, expected, rtol=1e-5)
    loss = tf.nn.sigmoid_cross_entropy_with_logits(labels=[1.0, 0.0], logits=[0.0, 500.0]).numpy()
    np.testing.assert_allclose(loss, [np.log(2), 500], rtol=1e-6)
    with pytest.raises(IndexError, match="there are 3 classes"):
        tf.nn.sparse_softmax_cross_entropy_with_logits([3, 0], logits)


def test_normalisation():
    x = tf.constant([[3.0, 4.0], [0.0, 0.0]])
    np.testing.assert_allclose(tf.math.l2_normalize(x, 1).numpy(), [[0.6, 0.8], [0, 0]], rtol=1e-6)
    mean, variance = tf.nn.moments(x, [0])
    assert mean.numpy().tolist() == [1.5, 2] and variance.numpy().tolist() == [2.25, 4]
    assert tf.nn.bias_add(x, [1.0, 2.0]).numpy().tolist() == [[4, 6], [1, 2]]


def test_strings():
    x = tf.constant(["Größe", " b "])
    assert tf.strings.length(x).numpy().tolist() == [7, 3]
    assert tf.strings.length(x, unit="UTF8_CHAR").numpy().tolist() == [5, 3]
    assert tf.strings.upper(x, "utf-8").numpy().tolist() == ["GRÖSSE".encode(), b" B "]
    assert tf.strings.strip(x).numpy()[1] == b"b"
    assert tf.strings.join(["a", ["b", "c"]], separator="-").numpy().tolist() == [b"a-b", b"a-c"]
    joined = tf.strings.reduce_join([["a", "b"], ["c", "d"]], axis=1)
    assert joined.numpy().tolist() == [b"ab", b"cd"]
    assert tf.strings.as_string([1, 2]).numpy().tolist() == [b"1", b"2"]
    assert tf.strings.to_number("2.5").numpy() == 2.5
    assert tf.strings.substr("hello", 1, 3).numpy() == b"ell"
    with pytest.raises(errors.InvalidArgumentError, match="could not correctly convert string: x"):
        tf.strings.to_number("x")


@needs("jit")
def test_labels_of_another_shape_than_logits():
    """Known sizes of 1 are none that broadcast; what is unknown is checked when it is known."""

    def loss(logits, labels):
        return tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits) * 2.0

    one, unknown = tf.TensorSpec([1, 1]), tf.TensorSpec([None, None])
    for signature in [one, unknown], [unknown, one], [unknown, unknown]:
        for jit_compile in False, True:
            staged = tf.function(loss, input_signature=signature, jit_compile=jit_compile)
            assert staged(tf.ones([1, 1]), tf.ones([1, 1])).shape == (1, 1)
            shapes = [(2, 4) if spec is unknown else (1, 1) for spec in signature]
            if shapes[0] == shapes[1]:
                shapes[0] = (2, 1)
            with pytest.raises(errors.InvalidArgumentError, match="must have the same shape"):
                staged(*map(tf.ones, shapes))


def test_paddings_of_one_number():
    message = r"constant_values must be a scalar, got shape \(2,\)"
    with pytest.raises(errors.InvalidArgumentError, match=message):
        tf.pad([[1.0]], [[1, 1], [1, 1]], constant_values=[1.0, 2.0])

    @tf.function(input_signature=[tf.TensorSpec([None]), tf.TensorSpec(None)])
    def padded(x, value):
        return tf.pad(x, [[1, 1]], constant_values=value)

    assert padded([1.0], 2.0).numpy().tolist() == [2.0, 1.0, 2.0]
    with pytest.raises(errors.InvalidArgumentError, match=message):
        padded([1.0], [2.0, 3.0])
