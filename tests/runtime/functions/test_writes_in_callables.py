"""Writes in functions that are given to operations: carried, or refused with the line."""

import pytest

import runtime as tf
from autograph.errors import EffectError


class Total:
    """What is written to."""

    def __init__(self):
        self.value = 0


TOTAL = Total()


def add(x):
    TOTAL.value = TOTAL.value + x
    return x * 2


def add_and_test(x):
    TOTAL.value = TOTAL.value + x
    return x > 1


def add_and_sum(total, x):
    TOTAL.value = TOTAL.value + x
    return total + x


def numbers():
    return tf.data.Dataset.from_tensor_slices([1, 2, 3])


DATASETS = [
    (lambda: numbers().map(add), add, "Dataset.map"),
    (lambda: numbers().filter(add_and_test), add_and_test, "Dataset.filter"),
    (lambda: numbers().reduce(0, add_and_sum), add_and_sum, "Dataset.reduce"),
]


@pytest.mark.parametrize(("make", "function", "name"), DATASETS, ids=["map", "filter", "reduce"])
def test_functions_of_datasets_are_refused(make, function, name):
    TOTAL.value = 0
    with pytest.raises(EffectError, match=r"TOTAL\.value.*outlives the call") as caught:
        list(make())
    assert caught.value.where == (__file__, function.__code__.co_firstlineno + 1)
    assert TOTAL.value == 0


def in_cond(x):
    return tf.cond(x > 0, lambda: add(x), lambda: x)


def in_while_loop(x):
    return tf.while_loop(lambda i: i < 3, lambda i: (add(i) - i + 1,), [x])


def in_map_fn(x):
    return tf.map_fn(add, tf.stack([x, x]))


def in_scan(x):
    return tf.scan(lambda a, b: add(a) + b, tf.stack([x, x]))


@pytest.mark.parametrize("function", [in_cond, in_while_loop, in_map_fn, in_scan])
def test_callables_of_control_flow_are_refused_in_functions(function):
    TOTAL.value = 0
    with pytest.raises(EffectError, match=r"TOTAL\.value.*outlives the call") as caught:
        tf.function(function)(tf.constant(1))
    assert caught.value.where == (__file__, add.__code__.co_firstlineno + 1)
    assert TOTAL.value == 0


def test_eager_callables_write_as_python():
    TOTAL.value = 0
    in_cond(tf.constant(1))
    in_map_fn(tf.constant(1))
    assert int(TOTAL.value) == 3


def test_py_function_writes_in_each_run():
    TOTAL.value = 0

    @tf.function
    def step(x):
        return tf.py_function(add, [x], tf.int32)

    for number in (1, 2):
        step(tf.constant(number))
    assert int(TOTAL.value) == 3
