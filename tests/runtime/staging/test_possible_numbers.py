"""Questions about a value that is a Python number on one path and a tensor on another."""

import pytest

import autograph
import runtime as tf


def counted(x, n):
    y, answers = 0.0, 0
    for _ in tf.range(n):
        if isinstance(y, float):
            answers += 1
        y = y + x
    return answers


def joined(x):
    y = 0.0
    if x > 0:
        y = x
    return type(y) is float


def computed(x):
    y = 0.0
    if x > 0:
        y = x
    return isinstance(y * 2.0, float)


@pytest.mark.parametrize(
    ("function", "args"), [(counted, (2.0, 3)), (joined, (1.0,)), (computed, (1.0,))]
)
def test_the_class_of_such_a_value_is_refused(function, args):
    staged = tf.function(function)
    with pytest.raises(autograph.errors.ConcreteValueError, match="a Python number on one path"):
        staged(*map(tf.constant, args))


def test_what_all_paths_agree_about_is_answered():
    @tf.function
    def answered(x):
        number, tensor = 1.0, x
        if x > 0:
            number, tensor = 2.0, x * 2.0
        return isinstance(number, float), isinstance(tensor, float), isinstance(number, str)

    assert [bool(answer) for answer in answered(tf.constant(1.0))] == [True, False, False]
