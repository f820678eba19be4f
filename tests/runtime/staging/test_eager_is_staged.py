"""Eager and staged execution agree: same value and dtype, or the same class of error."""

import itertools

import numpy as np
import pytest

import runtime as tf
from autograph.errors import ConcreteValueError
from runtime.types.conversion import as_object_scalar

TENSORS = [
    tf.constant(2), tf.constant([1.5, 2.5]), tf.constant([[1.0, 2.0], [3.0, 4.0]]),
    tf.constant([1, 2, 3]), tf.constant(True), tf.constant([1.0], tf.float64), tf.constant("a"),
    tf.constant(3, tf.uint8), tf.constant([], tf.float32), tf.constant(1j),
]  # fmt: skip
VALUES = [1, -1, 2.5, True, 300, 2**40, 1j, "b", [1, 2], [1.5, 2], np.float32(2), np.arange(2)]
BINARY = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "less": lambda x, y: x < y,
    "eq": lambda x, y: x == y,
    "ne": lambda x, y: x != y,
    "equal": lambda x, y: tf.equal(x, y),
    "matmul": lambda x, y: x @ y,
    "stack": lambda x, y: tf.stack([x, y]),
    "getitem": lambda x, y: x[y],
}
UNARY = {
    "neg": lambda x: -x,
    "to int": lambda x: tf.cast(x, tf.int32),
    "to float": lambda x: tf.cast(x, tf.float64),
    "to bool": lambda x: tf.cast(x, tf.bool),
    "to string": lambda x: tf.cast(x, tf.string),
    "sum": lambda x: tf.reduce_sum(x),
    "sum 0": lambda x: tf.reduce_sum(x, axis=0, keepdims=True),
    "row": lambda x: x[0],
    "tail": lambda x: x[1:, None],
    "unstack": lambda x: tf.stack(tf.unstack(x, num=2, axis=-1)),
}


def outcome(build):
    try:
        value = build()
    except Exception as error:
        return type(error)
    array = as_object_scalar(value) if isinstance(value, bytes) else np.asarray(value)
    return (array.dtype, array.shape, array.tolist())


def staged(function, operands, known_shape):
    with tf.Session(graph=tf.Graph()) as sess:
        feeds, arguments = {}, []
        for operand in operands:
            if isinstance(operand, tf.Tensor):
                shape = operand.shape if known_shape else None
                holder = tf.placeholder(operand.dtype, shape)
                feeds[holder] = operand
                arguments.append(holder)
            else:
                arguments.append(operand)
        return sess.run(function(*arguments), feeds)


def disagreements(function, cases):
    for operands in cases:
        eager = outcome(lambda: function(*operands))
        for known in (True, False):
            graph = outcome(lambda: staged(function, operands, known))
            if repr(eager) != repr(graph):
                yield f"{operands}, shapes {'known' if known else 'unknown'}: {eager} / {graph}"


def is_repeated(x, y):
    """Whether an integer tensor meets a list or text, as in ``[0] * n`` (programs/repetitions.py).
    """
    sequence, other = (x, y) if isinstance(x, list | str) else (y, x)
    integer = isinstance(other, tf.Tensor) and (other.dtype.is_integer or other.dtype.is_bool)
    return integer and isinstance(sequence, list | str)


@pytest.mark.parametrize("name", BINARY)
def test_binary(name):
    pairs = itertools.chain(
        itertools.product(TENSORS, TENSORS),
        itertools.product(TENSORS, VALUES),
        itertools.product(VALUES, TENSORS) if name not in ("getitem", "matmul") else (),
    )
    if name == "mul":
        pairs = [pair for pair in pairs if not is_repeated(*pair)]
    assert list(disagreements(BINARY[name], pairs)) == []


def test_a_list_beside_an_integer_of_unknown_rank_is_refused():
    with tf.Graph().as_default():
        holder = tf.placeholder(tf.int32)
        with pytest.raises(ConcreteValueError, match="an integer tensor of unknown rank"):
            [1, 2] * holder
        holder.set_shape([2])
        assert ([1, 2] * holder).shape == [2]


@pytest.mark.parametrize("name", UNARY)
def test_unary(name):
    assert list(disagreements(UNARY[name], ([t] for t in TENSORS))) == []
