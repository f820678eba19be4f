"""Proof of life in seconds: one function, every way, from source to graph to command line.

Run this first after a change: `pytest tests/test_tiny.py`.
"""

from __future__ import annotations

import numpy as np
import pytest

import autograph
import runtime as tf
from autograph.cli.main import main


def digits(n):
    """The sum of the decimal digits of n, or -1 below zero."""
    if n < 0:
        return -1
    total = 0
    while n > 0:
        total += n % 10
        n //= 10
    return total


def test_shows_code() -> None:
    code = autograph.to_code(digits)
    compile(code, "digits", "exec")
    assert "ag__.while_stmt(" in code


@pytest.mark.parametrize(("n", "expected"), [(1729, 19), (0, 0), (-5, -1)])
def test_means_the_same_every_way(n: int, expected: int) -> None:
    converted = autograph.to_graph(digits)
    assert digits(n) == converted(n) == expected
    assert int(converted(tf.constant(n))) == expected
    assert tf.function(digits)(tf.constant(n)).numpy() == expected
    with tf.Graph().as_default(), tf.Session() as session:
        handle = tf.placeholder(tf.int32, [])
        assert session.run(converted(handle), {handle: n}) == expected


def test_arrays_and_numpy_meet() -> None:
    a = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    np.testing.assert_array_equal(a @ a + 1, np.array([[8.0, 11.0], [16.0, 23.0]]))
    assert str(a[0]) == "tf.Tensor([1. 2.], shape=(2,), dtype=float32)"


def test_a_variable_counts_in_a_graph() -> None:
    count = tf.Variable(0)
    step = tf.function(lambda: count.assign_add(2))
    step()
    step()
    assert count.numpy() == 4


def test_an_error_names_the_line() -> None:
    def text_or_number(x):
        y = 1
        if x > 0:
            y = "text"
        return y

    with pytest.raises(autograph.StagingError, match=r"test_tiny\.py:\d+: .*'y'"):
        tf.function(text_or_number)(tf.constant(1))


def test_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", f"{__file__}:digits", "1729"]) == 0
    assert "19" in capsys.readouterr().out
