"""Recurrent networks and ``contrib.layers`` of TensorFlow 1: values, names, mistakes."""

import json

import numpy as np
import pytest

import runtime as tf2
import runtime.compat.v1 as tf
from tests.runtime.compat import rnn_golden

GOLDEN = json.loads(rnn_golden.PAGE.read_text(encoding="utf-8"))
CELL = tf.nn.rnn_cell


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


@pytest.mark.parametrize("name", sorted(rnn_golden.CASES))
def test_as_tensorflow(name, monkeypatch):
    monkeypatch.setattr(rnn_golden, "CASES", {name: rnn_golden.CASES[name]})
    names, values = rnn_golden.facts(tf, tf2.nest)[name]
    assert names == GOLDEN[name][0]
    for ours, theirs in zip(values, GOLDEN[name][1], strict=True):
        assert np.shape(ours) == np.shape(theirs)
        np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-6)


def test_a_network_learns_over_sequences_of_any_length():
    x, lengths = tf.placeholder(tf.float32, [None, None, 3]), tf.placeholder(tf.int32, [None])
    cell = CELL.DropoutWrapper(CELL.BasicLSTMCell(4), output_keep_prob=1.0)
    outputs, state = tf.nn.dynamic_rnn(cell, x, lengths, dtype=tf.float32)
    assert outputs.shape.as_list() == [None, None, 4] and state.h.shape.as_list() == [None, 4]
    loss = tf.reduce_mean((state.h - 0.5) ** 2)
    step = tf.train.GradientDescentOptimizer(1.0).minimize(loss)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for size in (3, 5):
            feed = {x: np.ones((2, size, 3)), lengths: [1, size]}
            losses = [session.run([loss, step], feed)[0] for _ in range(5)]
            assert losses[-1] < losses[0]


def test_dropout_keeps_the_memory_of_an_lstm():
    cell = CELL.DropoutWrapper(CELL.BasicLSTMCell(50), state_keep_prob=0.5, seed=1)
    _, state = cell(tf.ones([1, 3]), cell.zero_state(1, tf.float32))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        memory, output = session.run(state)
    assert np.all(memory != 0) and 5 < np.sum(output == 0) < 45


def test_a_cell_of_the_users_own():
    class Sum(CELL.RNNCell):
        state_size = output_size = 3

        def call(self, inputs, state):
            total = inputs + state
            return total, total

    outputs, last = tf.nn.dynamic_rnn(Sum(), tf.ones([2, 4, 3]), dtype=tf.float32)
    with tf.Session() as session:
        assert session.run(outputs)[0, :, 0].tolist() == [1, 2, 3, 4]
        assert session.run(last).tolist() == [[4] * 3] * 2


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: tf.nn.dynamic_rnn(CELL.GRUCell(2), tf.ones([2, 3, 4])), ValueError, "a dtype"),
        (lambda: tf.nn.dynamic_rnn(CELL.GRUCell(2), tf.ones([2]), dtype=tf.float32), ValueError,
         "batch and time"),
        (lambda: tf.nn.static_rnn(CELL.GRUCell(2), tf.ones([2, 3])), TypeError, "sequence"),
        (lambda: tf.nn.static_rnn(CELL.GRUCell(2), []), ValueError, "not be empty"),
        (lambda: CELL.MultiRNNCell([]), ValueError, "at least one"),
        (lambda: CELL.MultiRNNCell([CELL.GRUCell(1)] * 2), ValueError, "stands twice"),
        (lambda: CELL.DropoutWrapper(CELL.GRUCell(1), 0.0), ValueError, "between 0 and 1"),
        (lambda: CELL.DropoutWrapper(3), TypeError, "not an RNNCell"),
        (lambda: CELL.GRUCell(2)(tf.placeholder(tf.float32, [2, None]), tf.ones([2, 2])),
         ValueError, "to be known"),
        (lambda: tf.contrib.layers.l2_regularizer(1), ValueError, "cannot be an integer"),
        (lambda: tf.contrib.layers.fully_connected(tf.ones([2, 3]), 2.5), ValueError, "num_outp"),
        (lambda: tf.contrib.slim, AttributeError, "contrib.layers"),
    ],
)  # fmt: skip
def test_mistakes(call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_layers_of_contrib():
    layers = tf.contrib.layers
    x = tf.placeholder(tf.float32, [None, 8, 8, 3])
    hidden = layers.conv2d(x, 4, 3, weights_regularizer=layers.l2_regularizer(0.5))
    hidden = layers.batch_norm(layers.max_pool2d(hidden, 2))
    hidden = layers.fully_connected(layers.flatten(hidden), 5, normalizer_fn=layers.batch_norm)
    result = layers.stack(hidden, layers.fully_connected, [3, 2], scope="top")
    assert [variable.name for variable in tf.global_variables()] == [
        "Conv/weights:0", "Conv/biases:0", "BatchNorm/beta:0", "BatchNorm/moving_mean:0",
        "BatchNorm/moving_variance:0", "fully_connected/weights:0",
        "fully_connected/BatchNorm/beta:0", "fully_connected/BatchNorm/moving_mean:0",
        "fully_connected/BatchNorm/moving_variance:0", "top/fully_connected_1/weights:0",
        "top/fully_connected_1/biases:0", "top/fully_connected_2/weights:0",
        "top/fully_connected_2/biases:0",
    ]  # fmt: skip
    assert result.shape.as_list() == [None, 2]
    assert len(tf.get_collection(tf.GraphKeys.UPDATE_OPS)) == 4
    (loss,) = tf.losses.get_regularization_losses()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        weights, value = session.run([tf.global_variables()[0], loss])
        assert np.isclose(value, 0.25 * np.sum(weights**2))
        assert session.run(result, {x: np.ones((2, 8, 8, 3))}).shape == (2, 2)
