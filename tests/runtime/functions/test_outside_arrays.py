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


TABLE = np.arange(6).reshape(2, 3)


@pytest.mark.parametrize(
    "function",
    [
        lambda n: (TABLE[n] * 2.5, TABLE[n].sum(), TABLE[n].shape, type(TABLE[n]) is np.ndarray),
        lambda n: (TABLE[n, 1] / 2, TABLE[0, n] * 1.5, -TABLE[n][n]),
        lambda n: (TABLE[:, n], TABLE[n, 0:2], TABLE[..., n], TABLE[1, :n]),
        lambda n: (WEIGHTS[n:] * 2, WEIGHTS[:n].sum(), WEIGHTS[[n, 0]]),
        lambda n: WEIGHTS[n + 4],
        lambda n: [w * 2 for w in TABLE[n]],
    ],
)
def test_parts_of_a_constant_are_arrays(function):
    jitted = tf.jit(function)
    for n in (1, 0, 1):
        try:
            wanted = function(n)
        except IndexError as error:
            with pytest.raises(IndexError, match=str(error)):
                jitted(n)
        else:
            assert repr(jitted(n)) == repr(wanted)


def test_a_change_of_a_part_is_one_of_the_constant():
    def of_a_global(n):
        row = TABLE[n]
        row[0] = 7
        return row

    def of_its_own(n):
        table = np.arange(6).reshape(2, 3)
        row = table[n]
        row[0] = 7
        return table

    with pytest.raises(EffectError, match="'TABLE' refers to"):
        tf.jit(of_a_global)(1)
    jitted = tf.jit(of_its_own)
    for n in (1, 0, 1):
        assert np.array_equal(jitted(n), of_its_own(n))
