"""What functions of ``runtime.jit`` read and write of Python's: as plain Python in every call."""

import numpy as np
import pytest

import runtime as tf
from autograph.errors import EffectError

RATE = 2
SEEN = False
TABLE = [1, 2, 3]


class Meter:
    """What calls change."""

    def __init__(self):
        self.total = 0
        self.rate = 2
        self.mode = "up"
        self.inner = None

    def reset(self):
        self.total = 0
        return None

    def count(self):
        self.total += 1

    def scaled(self, n):
        return n * self.rate

    def add(self, n):
        self.total += n * self.rate
        return self.total

    def by_mode(self, n):
        return n + 1 if self.mode == "up" else n - 1

    @property
    def double(self):
        return self.rate * 2

    def by_property(self, n):
        return n * self.double

    def replace_row(self, n):
        self.row = [n, 0]
        return n


def both():
    return Meter(), Meter()


@pytest.mark.parametrize("start", [0, 5])
def test_a_constant_is_written_in_each_call(start):
    traced, plain = both()
    reset = tf.jit(traced.reset)
    for total in (start, 7, 0, 3):
        traced.total = plain.total = total
        reset()
        plain.reset()
        assert traced.total == plain.total == 0


def test_python_numbers_alone_count():
    traced, plain = both()
    count = tf.jit(traced.count)
    for _ in range(5):
        count()
        plain.count()
        assert traced.total == plain.total
        assert type(traced.total) is int
    assert count.experimental_get_tracing_count() == 1


def test_a_global_is_written_in_each_call():
    global SEEN

    @tf.jit
    def note(n):
        global SEEN
        SEEN = True
        return n

    for _ in range(3):
        SEEN = False
        note(1)
        assert SEEN is True


def test_a_closure_variable_counts():
    calls = 0

    @tf.jit
    def step(n):
        nonlocal calls
        calls += 1
        return n

    for number in range(4):
        step(number)
        assert calls == number + 1


def test_attributes_that_change_are_seen():
    traced, plain = both()
    scaled = tf.jit(traced.scaled)
    for rate in (2, 3, 4, 5, 2.5, 6, 2):
        traced.rate = plain.rate = rate
        got, wanted = scaled(10), plain.scaled(10)
        assert (got, type(got)) == (wanted, type(wanted))
    assert scaled.experimental_get_tracing_count() <= 4


@pytest.mark.parametrize("method", ["by_mode", "by_property", "add"])
def test_other_ways_to_read(method):
    traced, plain = both()
    call = tf.jit(getattr(traced, method))
    for rate, mode in [(2, "up"), (3, "up"), (3, "down"), (2, "up"), (5, "down")]:
        for meter in (traced, plain):
            meter.rate, meter.mode = rate, mode
        assert call(10) == getattr(plain, method)(10)
        assert vars(traced) == vars(plain)


def test_globals_and_items_that_change_are_seen(monkeypatch):
    @tf.jit
    def step(n):
        return n * RATE + TABLE[1]

    assert step(10) == 22
    monkeypatch.setitem(globals(), "RATE", 3)
    assert step(10) == 32
    TABLE[1] = 7
    assert step(10) == 37
    TABLE[1] = 2
    assert step(10) == 32
    monkeypatch.setitem(globals(), "TABLE", [0, 100, 0])
    assert step(10) == 130


def test_arrays_that_change_are_seen():
    weights = np.array([1.0, 2.0])

    @tf.jit
    def step(n):
        return n * weights

    assert step(2.0).tolist() == [2.0, 4.0]
    weights[0] = 5.0
    assert step(2.0).tolist() == [10.0, 4.0]


def test_a_helper_that_is_replaced():
    def one(n):
        return n + 1

    def ten(n):
        return n + 10

    helper = one

    @tf.jit
    def step(n):
        return helper(n)

    assert step(1) == 2
    helper = ten
    assert step(1) == 11
    helper = one
    assert step(1) == 2
    assert step.experimental_get_tracing_count() == 2


def test_a_number_that_tracing_has_to_know():
    meter = Meter()

    @tf.jit
    def step(n):
        return tf.reshape(tf.range(meter.rate * 2), [2, int(meter.rate)])[0][0] + n

    for rate in (2, 3, 2):
        meter.rate = rate
        assert int(step(1)) == 1


def test_new_lists_are_made_in_each_call():
    traced = Meter()
    call = tf.jit(traced.replace_row)
    call(1)
    first = traced.row
    call(2)
    assert (first, traced.row) == ([1, 0], [2, 0])


CALLS = []
BOX = {"made": None}


def grows(n):
    CALLS.append(Meter())
    return n


def makes(n):
    BOX["made"] = Meter()
    return n


@pytest.mark.parametrize("function", [grows, makes])
def test_what_cannot_happen_in_each_call_is_refused(function):
    with pytest.raises(EffectError, match="outlives the call") as caught:
        tf.jit(function)(1)
    assert caught.value.where == (__file__, function.__code__.co_firstlineno + 1)
    assert CALLS == []
    assert BOX == {"made": None}


def test_variables_are_made_once():
    class Layer:
        def __init__(self):
            self.weight = None

        @tf.jit
        def __call__(self, n):
            if self.weight is None:
                self.weight = tf.Variable(2.0)
            return self.weight * n

    layer = Layer()
    assert [float(layer(v)) for v in (1.0, 2.0, 3.0)] == [2.0, 4.0, 6.0]


def test_what_is_read_makes_no_traces():
    meter = Meter()
    call = tf.jit(meter.scaled)
    for number in range(5):
        call(number)
    assert call.experimental_get_tracing_count() == 1


@pytest.mark.parametrize("value", [2**70, np.array(["a", "b"])], ids=["int", "texts"])
def test_values_that_no_tensor_holds_change_from_call_to_call(value):
    class Holder:
        pass

    def doubled(holder, n):
        holder.value = holder.value + holder.value
        return n

    holder, expected = Holder(), Holder()
    holder.value = expected.value = value
    double = tf.jit(doubled, strict=True)
    for _ in range(4):
        assert double(holder, n=1) == doubled(expected, 1)
        assert np.all(holder.value == expected.value)
        assert type(holder.value) is type(expected.value)
