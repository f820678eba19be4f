"""py_function and numpy_function: eager inside, dtypes, exceptions, order; in every mode."""

import numpy as np
import pytest

import runtime as tf
from tests.support.ways import everywhere

X = [1.0, 2.0]


def eager_inside(a):
    assert tf.executing_eagerly() and a.numpy().tolist() == X
    return tf.reduce_sum(a) if float(a[0]) > 0 else a


def numpy_inside(a, b):
    assert type(a) is np.ndarray and a.flags.writeable and type(b) is np.int32
    a *= b
    return a


def nothing(a):
    return None


def missing(a):
    raise KeyError("no such")


GIVES = {
    "eager": (lambda: tf.py_function(eager_inside, [X], tf.float32), 3),
    "several": (lambda: tf.py_function(lambda a: (a + 1, 5), [X], [tf.float32, tf.int32]),
                [[2, 3], 5]),
    "a list of one": (lambda: tf.py_function(lambda a: [a], [X], [tf.float32]), [X]),
    "spec": (lambda: tf.py_function(lambda a: a, [X], tf.TensorSpec([2], tf.float32)), X),
    "numbers": (lambda: tf.py_function(lambda a: 3, [X], tf.float32), 3.0),
    "numpy": (lambda: tf.numpy_function(numpy_inside, [X, 3], tf.float32), [3, 6]),
    "numpy numbers": (lambda: tf.numpy_function(lambda a: 3.5, [X], tf.float32), 3.5),
    "numpy lists": (lambda: tf.numpy_function(lambda a: [1, 2], [X], tf.int64), [1, 2]),
    "numpy several": (lambda: tf.numpy_function(lambda a: (a, a > 1), [X], [tf.float32, tf.bool]),
                      [X, [False, True]]),
    "strings": (lambda: tf.numpy_function(lambda a: a + b"!", ["x"], tf.string), b"x!"),
    "py_func": (lambda: tf.py_func(np.sum, [X], tf.float32), 3),
    "no inputs": (lambda: tf.numpy_function(lambda: np.float32(7), [], tf.float32), 7),
}  # fmt: skip


@pytest.mark.parametrize("name", GIVES)
def test_gives(name):
    program, expected = GIVES[name]
    assert everywhere(program) == expected


INVALID = tf.errors.InvalidArgumentError
REFUSES = {
    "dtype": (lambda: tf.py_function(lambda a: a, [X], tf.int32), INVALID, "requested dtype int32"),
    "numpy dtype": (lambda: tf.numpy_function(np.float64, [X], tf.float32), INVALID,
                    "0-th value returned by float64 is float64, but expects float32"),
    "count": (lambda: tf.py_function(lambda a: (a, a), [X], [tf.float32]), INVALID,
              "<lambda> returns 2 values, but expects to see 1 values"),
    "numpy count": (lambda: tf.numpy_function(lambda a: a, [X], [tf.float32, tf.float32]), INVALID,
                    "returns 1 values, but expects to see 2 values"),
    "None": (lambda: tf.numpy_function(nothing, [X], tf.float32), INVALID, "nothing returned None"),
    "its own": (lambda: tf.py_function(lambda a: 1 // 0, [X], tf.float32), ZeroDivisionError,
                "integer division or modulo by zero"),
    "its own too": (lambda: tf.numpy_function(missing, [X], tf.float32), KeyError, "no such"),
    "no Tout": (lambda: tf.py_function(nothing, [X]), TypeError, "'Tout'"),
    "no inp": (lambda: tf.numpy_function(nothing, Tout=[]), TypeError, "'inp'"),
    "no function": (lambda: tf.py_function(3, [X], []), ValueError, "callable"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSES)
def test_refuses(name):
    program, kind, words = REFUSES[name]
    given, text = everywhere(program)
    assert issubclass(given, kind) and words in text


def test_effects_keep_the_order_of_the_program():
    for wrapper in (tf.py_function, tf.numpy_function):
        seen = []

        def note(i, seen=seen):
            seen.append(int(i))

        v = tf.Variable(0)

        def program(n, wrapper=wrapper, note=note, v=v):
            v.assign(0)
            for i in tf.range(n):
                wrapper(note, [v], [])
                v.assign_add(10)
                if i % 2 == 0:
                    wrapper(note, [i], [])
            wrapper(note, [-1], [])
            return v.read_value()

        expected = [0, 0, 10, 20, 2, -1]
        assert program(tf.constant(3)).numpy() == 30 and seen == expected
        del seen[:]
        assert tf.function(program)(tf.constant(3)).numpy() == 30 and seen == expected


def test_each_run_of_a_graph_calls_again():
    seen = []
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None])
        y = tf.py_function(lambda a: seen.append(a.numpy().tolist()) or a * 2, [x], tf.float32)
        done = tf.py_func(lambda a: seen.append("done"), [y], [])
        assert session.run(y, {x: [1.0]}).tolist() == [2]
        session.run(done, {x: [3.0]})
    assert seen == [[1.0], [3.0], "done"]
    assert y.shape.dims is None


def test_as_decorators():
    @tf.numpy_function(Tout=tf.float32)
    def double(a):
        """Twice."""
        return a * 2

    assert double(tf.constant(X)).numpy().tolist() == [2, 4] and double.__doc__ == "Twice."


def test_the_line_is_named():
    @tf.function
    def f(x):
        return tf.py_function(missing, [x], tf.float32)

    with pytest.raises(KeyError) as raised:
        f(tf.constant(X))
    assert any("test_py_function.py" in note for note in raised.value.__notes__)
