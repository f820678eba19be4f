"""Ragged tensors: TensorFlow's values, eagerly and in functions, and derivatives."""

import numpy as np
import pytest

import runtime as tf
from tests.runtime.composite.ragged_calls import STORED
from tests.support.tensorflow_values import assert_agree

VALUES = STORED.stored()


@pytest.mark.parametrize("call", STORED.calls)
def test_as_tensorflow(call):
    assert_agree(STORED.run(tf, call), VALUES[call])
    assert_agree(STORED.run(tf, call, tf.function), VALUES[call])


def test_embeddings_of_ragged_ids_learn():
    table = tf.Variable(np.zeros((4, 2), np.float32))
    ids = tf.ragged.constant([[1, 3], [], [3]])
    with tf.GradientTape() as tape:
        rows = tf.nn.embedding_lookup(table, ids)
        loss = tf.reduce_sum(tf.reduce_mean(rows, 1)[0]) + tf.reduce_sum(rows.flat_values)
    gradient = tf.convert_to_tensor(tape.gradient(loss, table))
    assert gradient.numpy().tolist() == [[0, 0], [1.5, 1.5], [0, 0], [2.5, 2.5]]


def test_places_outside_of_a_row_are_refused():
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.gather_nd(tf.ragged.constant([[1, 2], [3]]), [[1, 1]])
