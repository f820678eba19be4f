"""What ``print`` shows, and where."""

import sys

import numpy as np
import pytest

import runtime as tf


def numbers():
    return tf.range(10)


SHOWS = {
    "one text": (lambda: [tf.constant("a\n'b'")], "a\n'b'"),
    "a text among others": (lambda: ["x", tf.constant('a\n"b')], 'x "a\\n\\"b"'),
    "texts": (lambda: [tf.constant(["a\nb", "\t", "é\\", "\x01"])],
              '["a\\nb" "\\t" "é\\\\" "\\001"]'),
    "sorted keys": (lambda: [{"b": numbers(), "A": tf.constant(1.5)}],
                    "{'A': 1.5, 'b': [0 1 2 ... 7 8 9]}"),
    "nested texts": (lambda: [["a", tf.constant("c"), None]], "['a', \"c\", None]"),
    "per cent": (lambda: ["%s", {"%d": numbers()[:2]}, "{}"], "%s {'%d': [0 1]} {}"),
    "no tensors": (lambda: [23, [23, 5], {"6": 12}, "a b"], "23 [23, 5] {'6': 12} a b"),
    "an array": (lambda: [np.array([1, 2])], "array([1, 2])"),
    "a tuple": (lambda: [(tf.constant(1), 2)], "(1, 2)"),
    "bool": (lambda: [True, tf.constant([True, False])], "True [1 0]"),
    "nothing": (lambda: [], ""),
}


@pytest.mark.parametrize("name", SHOWS)
def test_shows(name, capsys):
    make, expected = SHOWS[name]
    tf.print(*make(), output_stream=sys.stdout)
    tf.function(lambda: tf.print(*make(), output_stream=sys.stdout))()
    with tf.Graph().as_default(), tf.Session() as session:
        session.run(tf.print(*make(), output_stream=sys.stdout))
    assert capsys.readouterr().out == f"{expected}\n" * 3


def test_long_structures_take_several_lines(capsys):
    tf.print([[numbers()] * 2, "x" * 70], output_stream=sys.stdout, summarize=1)
    assert capsys.readouterr().out == f"[[[0 ... 9], [0 ... 9]],\n '{'x' * 70}']\n"


def test_files(tmp_path):
    path = tmp_path / "out.txt"
    for turn in range(2):
        tf.print("turn", turn, output_stream=f"file://{path}")
    assert path.read_text() == "turn 0\nturn 1\n"
    with pytest.raises(ValueError, match="Unknown output stream"):
        tf.print(1, output_stream="unknown")


def test_ragged_tensors_are_refused():
    with pytest.raises(TypeError, match="print its flat_values"):
        tf.print(tf.ragged.constant([[1], []]))
