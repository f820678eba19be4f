"""A staged union of two objects hides none of their attributes: its own have reserved names."""

import pytest

import runtime as tf


class Left:
    """Its attributes have names that a union could want for itself."""

    def __init__(self, x):
        self.value, self.index, self.present = x, x + 1.0, x + 2.0
        self.alternatives, self.facts = x + 3.0, x + 4.0

    def known(self):
        return self.value

    def learn(self, x):
        return self.index * x

    def operand(self):
        return self.present

    def apply_to_each(self, x):
        return self.facts + x

    def possible_objects(self):
        return self.alternatives


class Right(Left):
    def known(self):
        return -self.value


def read(x):
    left, right = Left(x), Right(x * 2.0)
    one = left if x > 0.0 else right
    return (
        one.value, one.index, one.present, one.alternatives, one.facts, one.known(),
        one.learn(x), one.operand(), one.apply_to_each(x), one.possible_objects(),
    )  # fmt: skip


def write(x):
    left, right = Left(x), Right(x * 2.0)
    if x > 0.0:
        one = left
    else:
        one = right
    one.value = x * 10.0
    one.index += 7.0
    one.present = one.alternatives
    one.facts = one.index
    return (
        left.value, left.index, left.present, left.facts,
        right.value, right.index, right.present, right.facts, one.value, one.index,
    )  # fmt: skip


@pytest.mark.parametrize("program", [read, write])
@pytest.mark.parametrize("x", [3.0, -3.0])
def test_attributes_of_two_classes(program, x):
    traced = tf.function(program)
    for _ in range(3):
        assert [float(part) for part in traced(tf.constant(x))] == list(program(x))


def read_optional(x):
    one = None
    if x > 0.0:
        one = Left(x)
        one.backend = x * 3.0
    if one is None:
        return 0.0
    one.value = one.value + one.present
    return one.value + one.facts * one.backend


@pytest.mark.parametrize("x", [3.0, -3.0])
def test_attributes_of_an_object_that_may_be_none(x):
    traced = tf.function(read_optional)
    for _ in range(3):
        assert float(traced(tf.constant(x))) == read_optional(x)
