"""The ways to run a function on tensors, and what to compare: for the tests of staging."""

import contextlib
import io

import numpy as np

import autograph
import runtime as tf
from runtime.types import flags


def described(value):
    if isinstance(value, tuple | list):
        return [described(item) for item in value]
    if isinstance(value, dict):
        return {key: described(item) for key, item in value.items()}
    array = np.asarray(tf.convert_to_tensor(value))
    return array.dtype.name, array.tolist()


def outcome(run):
    printed = io.StringIO()
    value = error = None
    with contextlib.redirect_stdout(printed):
        try:
            value = described(run())
        except (AssertionError, ArithmeticError, LookupError, ValueError, TypeError) as raised:
            error = type(raised), () if type(raised) is TypeError else raised.args
    return value, printed.getvalue(), error


def staged(function, arrays, known=True):
    with tf.Session(graph=tf.Graph()) as session:
        holders = [
            tf.placeholder(tf.constant(a).dtype, np.shape(a) if known else [None] * np.ndim(a))
            for a in arrays
        ]
        result = autograph.to_graph(function)(*holders)
        result = tf.nest.map_structure(tf.convert_to_tensor, result)
        return session.run(result, dict(zip(holders, arrays)))


def agree(function, *arrays):
    eager = outcome(lambda: function(*[tf.constant(a) for a in arrays]))
    assert outcome(lambda: staged(function, arrays)) == eager
    assert outcome(lambda: staged(function, arrays, known=False)) == eager
    with flags.OPTIMIZE(False):
        assert outcome(lambda: staged(function, arrays)) == eager
    return eager


def plain(value):
    if isinstance(value, tf.RaggedTensor):
        return value.to_list()
    if isinstance(value, tuple | list):
        return type(value)(map(plain, value))
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return np.asarray(value).tolist()


def given(run):
    """The values of a run, or the class of what it raised and the first words about it."""
    try:
        return plain(run())
    except (ArithmeticError, LookupError, ValueError, TypeError, tf.errors.OpError) as error:
        words = str(error).partition("\n")[0].partition(" [Op:")[0]
        return type(error), words.partition("<tf.T")[0]


def everywhere(program):
    """What a program without arguments gives, the same eagerly, as a function, in a session."""

    def in_session():
        with tf.Graph().as_default(), tf.Session() as session:
            return session.run(autograph.to_graph(program)())

    eager = given(program)
    assert given(tf.function(program)) == eager
    assert given(in_session) == eager
    return eager
