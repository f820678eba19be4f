"""NumPy arrays that outlive a call of ``runtime.jit``: replaced as in Python, or refused."""

from fractions import Fraction

import numpy as np
import pytest

import runtime as tf
from autograph.errors import EffectError

WEIGHTS = np.arange(4.0)


class Store:
    """What calls write."""

    def __init__(self):
        self.found = np.ones(3)
        self.scalar = np.float64(2.0)

    def fresh(self, x):
        self.found = np.zeros(3)
        return x

    def nested(self, x):
        self.found = [np.zeros(2), {"a": np.ones(2)}, (np.full(1, 3.0),)]
        return x

    def others(self, x):
        self.found = [{1, 2}, bytearray(b"ab"), Fraction(1, 2), range(3), None]
        return x

    def staged(self, x):
        self.found = np.array([x, 2.0, 3.0])
        return x

    def scaled(self, x):
        self.found = self.found * x
        return self.found

    def on_a_path(self, x):
        if x > 1.0:
            self.found = np.add(self.found, x)
        return self.found.sum()

    def number(self, x):
        self.scalar = self.scalar * x
        return self.scalar


def shown(value):
    """Classes and contents."""
    if isinstance(value, np.ndarray):
        return type(value), value.dtype, value.tolist()
    if isinstance(value, list | tuple):
        return type(value), [shown(item) for item in value]
    return type(value), {k: shown(v) for k, v in value.items()} if type(value) is dict else value


@pytest.mark.parametrize(
    "method", ["fresh", "nested", "others", "staged", "scaled", "on_a_path", "number"]
)
def test_what_is_written_is_what_python_writes(method):
    traced, plain = Store(), Store()
    call = tf.jit(getattr(traced, method))
    for x in (1.0, 2.0, 3.0):
        assert shown(call(x)) == shown(getattr(plain, method)(x))
        for name, value in vars(plain).items():
            assert shown(getattr(traced, name)) == shown(value)


@pytest.mark.parametrize("method", ["fresh", "nested", "others", "staged"])
def test_each_call_writes_another_object(method):
    store = Store()
    call = tf.jit(getattr(store, method))
    found = []
    for x in (1.0, 1.0, 1.0):
        call(x)
        found.append(store.found)
    assert len(set(map(id, found))) == 3
    inner = found[0] if isinstance(found[0], list) else [found[0]]
    others = found[1] if isinstance(found[1], list) else [found[1]]
    changing = (np.ndarray, set, bytearray, dict)
    assert not any(a is b for a, b in zip(inner, others) if isinstance(a, changing))


def by_item(x):
    WEIGHTS[1] = x
    return x


def by_index(x):
    WEIGHTS[int(x)] = 5.0
    return x


def by_operator(x):
    values = WEIGHTS
    values += x
    return values


def by_python(x):
    WEIGHTS[1] = WEIGHTS[1] + 1.0
    return x


def by_method(x):
    WEIGHTS.sort()
    WEIGHTS[0] = 7.0
    return x


@pytest.mark.parametrize("program", [by_item, by_index, by_operator, by_python, by_method])
def test_changes_of_an_array_from_outside_are_refused(program):
    with pytest.raises(EffectError, match=r"test_outside_arrays.py:\d+: .*arra"):
        tf.jit(program)(2.0)
    assert WEIGHTS.tolist() == [0.0, 1.0, 2.0, 3.0]
