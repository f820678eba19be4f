"""Saved models: the exceptions that loaded functions raise are those of the program."""

from __future__ import annotations

import pytest

import runtime as tf


def root_of(x, limit):
    """A program with assertions, an exception, prints and random numbers."""
    assert x >= 0.0, f"{x:.2f} is negative"
    tf.debugging.assert_less(x, 100.0, message="too large")
    if limit == 0:
        raise ValueError("no limit", limit)
    guess = x + tf.random.uniform([], seed=3) * 0.0
    for _ in range(limit):
        guess = 0.5 * (guess + x / guess)
    tf.print("root of", x, "is", guess, output_stream="file:///dev/null")
    return guess


def test_exceptions_are_those_of_the_program(tmp_path):
    net = tf.Module()
    net.f = tf.function(
        root_of, input_signature=[tf.TensorSpec([], tf.float32), tf.TensorSpec([], tf.int32)]
    )
    tf.saved_model.save(net, tmp_path / "m")
    loaded = tf.saved_model.load(tmp_path / "m")
    assert loaded.f(9.0, 20).numpy() == 3.0
    for arguments in ((-1.0, 3), (200.0, 3), (4.0, 0)):
        texts = []
        for function in (net.f, loaded.f):
            with pytest.raises((AssertionError, ValueError, tf.errors.OpError)) as caught:
                function(*map(tf.constant, arguments))
            texts.append((type(caught.value), str(caught.value).split("\n")[0]))
        assert texts[0] == texts[1]


def last_row(rows):
    for row in rows:
        last = row
    return last


def test_undefined_variables_are_named_by_what_is_loaded(tmp_path):
    net = tf.Module()
    net.f = tf.function(last_row, input_signature=[tf.TensorSpec([None, 2])])
    tf.saved_model.save(net, tmp_path / "m")
    loaded = tf.saved_model.load(tmp_path / "m")
    assert loaded.f([[1, 2], [3, 4]]).numpy().tolist() == [3, 4]
    errors = []
    for function in (net.f, loaded.f):
        with pytest.raises(UnboundLocalError) as caught:
            function(tf.zeros([0, 2]))
        errors.append((str(caught.value), caught.value.__notes__[0]))
    assert errors[0] == errors[1] and "'last' is assigned only at" in errors[1][1]
