"""Operators, slices, reductions and joins of ragged tensors, against Python lists, in all modes."""

import itertools

import numpy as np
import pytest

import runtime as tf
from tests.support.extras import needs

ROWS = [[3, 1, 4, 1], [], [5, 9, 2], [6], []]
DEEP = [[[1, 2], [3]], [], [[4]]]


def lists(value):
    if isinstance(value, tf.RaggedTensor):
        return value.to_list()
    return np.asarray(value).tolist()


def everywhere(program, *rows):
    """The result of a program of ragged tensors, the same eagerly, in a function and a session."""
    eager = lists(program(*map(tf.ragged.constant, rows)))
    assert lists(tf.function(program)(*map(tf.ragged.constant, rows))) == eager
    with tf.Graph().as_default(), tf.Session() as session:
        assert lists(session.run(program(*map(tf.ragged.constant, rows)))) == eager
    return eager


def each(function):
    return [[function(x) for x in row] for row in ROWS]


ELEMENTWISE = {
    "left": (lambda r: r + 1, lambda x: x + 1),
    "right": (lambda r: 10 - r, lambda x: 10 - x),
    "both": (lambda r: r * r + r, lambda x: x * x + x),
    "tensor first": (lambda r: tf.constant(2) * r, lambda x: 2 * x),
    "divided": (lambda r: r / 2 + tf.cast(r // 2, tf.float64), lambda x: x / 2 + x // 2),
    "unary": (lambda r: abs(-r) ** 2 % 3, lambda x: x**2 % 3),
    "compared": (lambda r: (r > 2) & ~(r >= 6) | (r != 3), lambda x: 2 < x < 6 or x != 3),
    "equal": (lambda r: r == 3, lambda x: x == 3),
    "functions": (lambda r: tf.maximum(tf.square(r), 9), lambda x: max(x * x, 9)),
    "cast": (lambda r: tf.cast(r, tf.float32), float),
}


@pytest.mark.parametrize("name", ELEMENTWISE)
def test_elementwise(name):
    program, function = ELEMENTWISE[name]
    assert everywhere(program, ROWS) == each(function)


@needs("text")
def test_regular_expressions():
    replaced = everywhere(lambda r: tf.strings.regex_replace(r, "a", "xx"), [["a", "b"], []])
    assert replaced == [[b"xx", b"b"], []]


def test_other_shapes():
    column = np.arange(5, dtype=np.int32)[:, None] * 10
    assert everywhere(lambda r: r + column, ROWS) == [
        [x + 10 * k for x in row] for k, row in enumerate(ROWS)
    ]
    assert everywhere(lambda r: r * [[2]], ROWS) == each(lambda x: 2 * x)
    assert everywhere(lambda r: r + r, DEEP) == [[[2, 4], [6]], [], [[8]]]
    wide = tf.RaggedTensor.from_row_lengths([[1, 2], [3, 4]], [2, 0])
    assert (wide * [10, 100]).to_list() == [[[10, 200], [30, 400]], []]
    words = [["a", "b"], []]
    assert everywhere(tf.strings.upper, words) == [[b"A", b"B"], []]
    strings = tf.strings
    assert everywhere(lambda r: strings.join([r, r], "-"), words) == [[b"a-a", b"b-b"], []]
    assert everywhere(lambda r: strings.to_hash_bucket_fast(r, 10), words) == [[9, 2], []]
    with pytest.raises(TypeError, match="cannot be spread over a ragged tensor"):
        tf.ragged.constant(ROWS) + [1, 2, 3]
    with pytest.raises(TypeError, match="to_tensor"):
        tf.reshape(tf.ragged.constant(ROWS), [-1])
    with pytest.raises(TypeError, match="unhashable"):
        hash(tf.ragged.constant(ROWS))


def test_other_rows_are_refused():
    others = ([[1], [2]], [[1, 2], [0, 0], [3, 4, 5], [], [6]])  # as many rows; as many values
    for other in others:
        with pytest.raises(tf.errors.InvalidArgumentError, match="incompatible row splits"):
            tf.ragged.constant(ROWS) + tf.ragged.constant(other)
        with tf.Graph().as_default(), tf.Session() as session:
            with pytest.raises(tf.errors.InvalidArgumentError, match="incompatible row splits"):
                session.run((tf.ragged.constant(ROWS) + tf.ragged.constant(other)).flat_values)
    with pytest.raises(tf.errors.InvalidArgumentError, match="levels of rows"):
        tf.ragged.constant(ROWS) + tf.ragged.constant(DEEP)


COLUMNS = [[row[k] for row in ROWS if len(row) > k] for k in range(4)]
REDUCED = {
    "rows": (lambda r: tf.reduce_sum(r, 1), [sum(row) for row in ROWS]),
    "the last axis": (lambda r: tf.reduce_prod(r, axis=[-1]), [12, 1, 90, 6, 1]),
    "columns": (lambda r: tf.reduce_max(r, 0), [max(c) for c in COLUMNS]),
    "all": (lambda r: tf.reduce_min(r), 1),
    "both axes": (lambda r: tf.reduce_sum(r, [0, 1], keepdims=True), [[31]]),
    "kept": (lambda r: tf.reduce_sum(r, 1, keepdims=True), [[sum(row)] for row in ROWS]),
    "means": (lambda r: tf.reduce_mean(r[::2], 1)[:2], [9 / 4, 16 / 3]),
    "mean of all": (tf.reduce_mean, 31 / 8),
    "any": (lambda r: tf.reduce_any(r > 4, 1), [False, False, True, True, False]),
    "every": (lambda r: tf.reduce_all(r > 1, 1), [False, True, True, True, True]),
}


@pytest.mark.parametrize("name", REDUCED)
def test_reduced(name):
    program, expected = REDUCED[name]
    assert everywhere(program, ROWS) == expected


def test_reduced_deep():
    assert everywhere(lambda r: tf.reduce_sum(r, 2), DEEP) == [[3, 3], [], [4]]
    assert everywhere(lambda r: tf.reduce_mean(r, -1), DEEP) == [[1.5, 3], [], [4]]
    wide = tf.RaggedTensor.from_row_lengths([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [2, 0, 1])
    assert tf.reduce_sum(wide, 1).numpy().tolist() == [[4, 6], [0, 0], [5, 6]]
    assert tf.reduce_sum(wide, 2).to_list() == [[3, 7], [], [11]]
    with pytest.raises(ValueError, match="axis 3"):
        tf.reduce_sum(tf.ragged.constant(DEEP), 3)


def test_slices():
    r, ends = tf.ragged.constant(ROWS), (None, 0, 1, 3, -1, -2, 9, -9)
    for begin, end, step in itertools.product(ends, ends, (None, 2, -1, -2)):
        part = slice(begin, end, step)
        assert r[part].to_list() == ROWS[part]
        assert r[:, part].to_list() == [row[part] for row in ROWS]
    assert everywhere(lambda r: r[1:4, 1:], ROWS) == [row[1:] for row in ROWS[1:4]]
    assert everywhere(lambda r: r[-3, :2], ROWS) == ROWS[-3][:2]
    assert everywhere(lambda r: r[tf.constant(1) :, : -tf.constant(1)], ROWS) == [
        row[:-1] for row in ROWS[1:]
    ]
    assert everywhere(lambda r: r[::-1, :, :1], DEEP) == [[[4]], [], [[1], [3]]]
    with pytest.raises(ValueError, match="inner ragged dimension"):
        r[:, 0]
    with pytest.raises(ValueError, match="step cannot be zero"):
        r[::0]


def test_joined():
    other = [[7], [8, 8], [], [], [9]]
    by_rows = [a + b for a, b in zip(ROWS, other, strict=True)]
    assert everywhere(lambda r, s: tf.concat([r, s], 0), ROWS, other) == ROWS + other
    assert everywhere(lambda r, s: tf.concat([r, s], -1), ROWS, other) == by_rows
    ones = np.ones([5, 2], np.int32)
    assert everywhere(lambda r: tf.concat([r, ones], 1), ROWS) == [[*row, 1, 1] for row in ROWS]
    assert everywhere(lambda r: tf.concat([r, r], 1), DEEP) == [row + row for row in DEEP]
    assert everywhere(lambda r: tf.concat([r, r], 2), DEEP) == [[[1, 2] * 2, [3, 3]], [], [[4, 4]]]
    with pytest.raises(tf.errors.InvalidArgumentError, match="cannot join by rows"):
        tf.concat([tf.ragged.constant(ROWS), tf.ragged.constant(DEEP[:1])[0][:, :]], 1)


def test_derivatives():
    v = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(v)
        r = tf.RaggedTensor.from_row_lengths(v, [2, 0, 1])
        y = tf.reduce_sum(tf.reduce_sum(tf.concat([r * r, r[:, :1]], 1), 1) * [1.0, 5.0, 10.0])
    assert tape.gradient(y, v).numpy().tolist() == [3, 4, 70]


def test_nothing_equals_none() -> None:
    rows = tf.ragged.constant([[1, 2], [3]])
    assert (rows == None) is False and (rows != None) is True  # noqa: E711
