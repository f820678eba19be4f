"""Python's arithmetic on numbers known at run time, where libraries have another one."""

from __future__ import annotations

import numpy as np
import pytest

from autograph.errors import ConcreteValueError
from tests.backends.libraries import library

OWN_NUMBERS = ["tensorflow", "torch"]  # JAX's numbers have JAX's arithmetic


def counted(x):
    """A loop's number of Python's, staged because the test is."""
    y = -2.0
    while x > 0:
        y, x = y + 1.0, x - 1
    return y


def root(x):
    return counted(x) ** 0.5


def reciprocal(x):
    return counted(x) ** -1.0


def between(x):
    y = counted(x)
    return (y ** 2, y ** 3.0, 2.0 ** y, (y < 0) < (y < 9), (y < 0) + (y < 9), -(y < 0))


@pytest.mark.parametrize("name", OWN_NUMBERS)
def test_powers_that_are_no_floats(name):
    kit = library(name)

    def of(function, x):
        return float(kit.traced(function, kit.array(np.int32(x))))

    assert of(root, 4) == root(4)
    assert of(reciprocal, 1) == reciprocal(1)
    with pytest.raises(ConcreteValueError, match=r"test_numbers\.py.*complex"):
        of(root, 1)
    with pytest.raises(ZeroDivisionError):
        of(reciprocal, 2)


@pytest.mark.parametrize("name", OWN_NUMBERS)
def test_bools_are_ints(name):
    kit = library(name)
    for x in (0, 4):
        results = kit.traced(between, kit.array(np.int32(x)))
        assert [float(value) for value in results] == [float(value) for value in between(x)]


def number_of_types(x):
    s = 0
    if x > 1:
        s = 0.5
    return s * 2


def is_float(x):
    return isinstance(number_of_types(x), float)


def is_number(x):
    return isinstance(number_of_types(x), (int, float))


@pytest.mark.parametrize("name", ["jax", *OWN_NUMBERS])
def test_the_type_of_a_number_of_several(name):
    kit = library(name)
    x = kit.array(np.float32(0.5))
    assert bool(kit.traced(is_number, x)) is True
    if name == "jax":
        with pytest.raises(ConcreteValueError, match="a number of another type"):
            kit.traced(is_float, x)
    else:
        assert bool(kit.traced(is_float, x)) is False
