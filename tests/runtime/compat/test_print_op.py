"""Print: shows values on their way."""

import numpy as np
import pytest

import runtime as tf

SHOWN = {
    "scalars": (lambda: [tf.constant(1.5), True, "a\n"], "[1.5][1][a\\n]"),
    "vector": (lambda: [[1, 2, 3, 4]], "[1 2 3...]"),
    "matrix": (lambda: [[[1, 2], [3, 4]]], "[[1 2][3...]...]"),
    "short": (lambda: [[[1], [2]], np.zeros([0, 2])], "[[1][2]][]"),
}


@pytest.mark.parametrize("name", SHOWN)
def test_shows_what_is_computed(name, capsys):
    data, expected = SHOWN[name]
    assert tf.Print(7, data(), "x: ").numpy() == 7
    assert tf.function(lambda x: tf.Print(x, data(), "x: ") + 1)(tf.constant(7)).numpy() == 8
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.int32, [None])
        y = tf.Print(x, data(), "x: ") + 1
        tf.Print(x, data(), "not needed")
        assert session.run(y, {x: [7]}).tolist() == [8] and y.shape.as_list() == [None]
    assert capsys.readouterr().err == f"x: {expected}\n" * 3


def test_how_much_and_how_often(capsys):
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32)
        y = tf.Print(x, [x, x + 1], first_n=2, summarize=-1)
        (slope,) = tf.gradients(y * y, [x])
        for turn in range(4):
            assert session.run([y, slope], {x: turn}) == [turn, 2 * turn]
    assert capsys.readouterr().err == "[0][1]\n[1][2]\n"
