"""Operations that fail when a graph runs: class, operation, types, and the user's line."""

import inspect

import numpy as np
import pytest

import autograph
import runtime as tf
from runtime import errors


def place(function, text):
    """How messages name a line of a function here."""
    lines, first = inspect.getsourcelines(function)
    offset = next(n for n, line in enumerate(lines) if line.strip().startswith(text))
    return f"{__file__}:{first + offset}", lines[offset].strip()


def product(x, y):
    return tf.matmul(x, y)


def branch(x, y):
    if tf.reduce_sum(x) > 0:
        z = tf.matmul(x, y)
    else:
        z = x
    return z


def loop(x, y):
    z = x
    for _ in tf.range(3):
        z = tf.matmul(z, y)
    return z


def nested(x, y):
    for _ in tf.range(2):
        if tf.reduce_sum(x) > 0:
            x = branch(x, y)
    return x


@tf.function
def called(x, y):
    return product(x, y)


def calling(x, y):
    return called(x, y)


A, B = np.ones((2, 3), np.float32), np.ones((4, 5), np.float32)


def run_in_session(function, *arrays):
    with tf.Session(graph=tf.Graph()) as session:
        holders = [tf.placeholder(tf.constant(a).dtype) for a in arrays]
        result = autograph.to_graph(function)(*holders)
        return session.run(result, dict(zip(holders, arrays)))


def run_as_function(function, *arrays):
    specs = [tf.TensorSpec(None, tf.constant(a).dtype) for a in arrays]
    return tf.function(function, input_signature=specs)(*map(tf.constant, arrays))


@pytest.mark.parametrize("run", [run_in_session, run_as_function])
@pytest.mark.parametrize(
    ("function", "inner", "line"),
    [
        (product, product, "return tf.matmul"),
        (branch, branch, "z = tf.matmul"),
        (loop, loop, "z = tf.matmul"),
        (nested, branch, "z = tf.matmul"),
        (calling, product, "return tf.matmul"),
    ],
)
def test_the_operation_the_types_and_the_line(run, function, inner, line):
    with pytest.raises(errors.InvalidArgumentError) as caught:
        run(function, A, B)
    where, text = place(inner, line)
    first, made, *callers, inputs = str(caught.value).splitlines()
    assert "3 and 4" in first
    assert made == f"  in operation 'MatMul' (matmul), made at {where}, in {inner.__name__}: {text}"
    assert inputs == "  inputs: a float32[2, 3], b float32[4, 5]"
    assert bool(callers) == (function in (nested, calling))
    assert caught.value.op.name == "MatMul" and caught.value.error_code == 3


def test_in_plain_code():
    with tf.Session(graph=tf.Graph()) as session:
        x = tf.placeholder(tf.int32, [None])
        parts = tf.split(x, 2, name="halves")  # the line
        with pytest.raises(errors.InvalidArgumentError) as caught:
            session.run(parts, {x: [1, 2, 3]})
    where, text = place(test_in_plain_code, "parts = ")
    assert str(caught.value).splitlines()[1:] == [
        f"  in operation 'halves' (split), made at {where}: {text}",
        "  inputs: value int32[3]",
    ]


CLASSES = [
    (lambda x: tf.gather(tf.constant([1, 2]), x), 5, IndexError),
    (lambda x: 7 // x, 0, errors.InvalidArgumentError),
    (lambda x: tf.zeros([3])[x], 9, IndexError),
    (lambda x: tf.reshape(tf.zeros([4]), [x, 3]), 2, ValueError),
    (lambda x: tf.concat([tf.zeros([1, 2]), tf.zeros(tf.stack([1, x]))], 0), 3, ValueError),
    (lambda x: tf.fill([x], 1.0), -1, errors.InvalidArgumentError),
]


@pytest.mark.parametrize(("function", "value", "python"), CLASSES)
def test_classes_are_those_of_eager_execution(function, value, python):
    with pytest.raises(errors.InvalidArgumentError) as eager:
        function(tf.constant(value))
    with pytest.raises(type(eager.value)) as staged:
        run_in_session(function, np.int32(value))
    assert type(staged.value) is type(eager.value) and isinstance(staged.value, python)
    assert "in operation " in str(staged.value) and __file__ in str(staged.value)


def test_a_variable_without_a_value():
    with tf.Session(graph=tf.Graph()) as session:
        v = tf.Variable(1.0, name="speed")
        twice = v * 2.0  # the line
        with pytest.raises(errors.FailedPreconditionError) as caught:
            session.run(twice)
    text = str(caught.value)
    assert "the variable 'speed:0': it has no value yet" in text
    assert place(test_a_variable_without_a_value, "twice = ")[0] in text
    assert caught.value.op.type == "ReadVariableOp" and caught.value.error_code == 9


def test_the_programs_own_exceptions_keep_their_message():
    def check(x):
        tf.debugging.Assert(x > 0, [x])
        if x > 5:
            raise errors.OutOfRangeError(None, None, "too far")
        return x

    for value, kind in ((-1, errors.InvalidArgumentError), (6, errors.OutOfRangeError)):
        with pytest.raises(kind) as caught:
            run_in_session(check, np.int32(value))
        assert "in operation" not in str(caught.value)
        assert __file__ in caught.value.__notes__[0]


def test_the_run_after_a_failure_is_as_any_other():
    with tf.Session(graph=tf.Graph()) as session:
        x = tf.placeholder(tf.int32, [])
        v = tf.Variable(0)
        session.run(v.initializer)
        with tf.control_dependencies([v.assign_add(1)]):
            y = 12 // x
        with tf.control_dependencies([y]):
            z = v.assign_add(10)
        for _ in range(20):  # plans change how they run when they are run often
            with pytest.raises(errors.InvalidArgumentError):
                session.run(z, {x: 0})
        assert session.run(v) == 20
        assert session.run(z, {x: 1}) == 31
