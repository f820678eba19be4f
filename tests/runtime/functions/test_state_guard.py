"""Fast calls of functions that read or carry state: they see every change that plain calls see."""

import gc
import threading
import weakref

import pytest

import runtime as tf

RATE = 2.5
NOTHING = None
ITEMS = [1.0, 2.0]


class Meter:
    """What calls read and write."""

    unit = 1.0

    def __init__(self):
        self.total = 0.0
        self.rate = 3.0
        self.calls = 0

    def read(self, x):
        return x * self.rate * RATE * self.unit + ITEMS[0]

    def add(self, x):
        self.total = self.total + x * self.rate
        self.calls += 1
        return self.total

    def checked(self, x):
        self.total = self.total + x
        if x > 5.0:
            raise ValueError("too large")
        self.calls += 1
        return self.total


def warm(call, *args):
    for _ in range(4):
        call(*args)


def both():
    traced, plain = Meter(), Meter()
    return traced, plain


CHANGES = [
    ("rate", 4.0), ("rate", 5), ("rate", 5), ("rate", 2.0), ("unit", 7.0), ("total", 1.0),
    ("total", 2), ("calls", 10), ("calls", 2.5), ("total", True),
]  # fmt: skip


@pytest.mark.parametrize("method", ["read", "add"])
def test_attributes_that_change_after_fast_calls(method):
    traced, plain = both()
    call = tf.jit(getattr(traced, method))
    for name, value in CHANGES:
        for _ in range(4):
            assert call(1.5) == getattr(plain, method)(1.5)
            assert vars(traced) == vars(plain)
            assert [type(v) for v in vars(traced).values()] == [
                type(v) for v in vars(plain).values()
            ]  # fmt: skip
        setattr(traced, name, value)
        setattr(plain, name, value)


def test_globals_items_and_class_attributes_that_change(monkeypatch):
    traced, plain = both()
    read = tf.jit(traced.read)
    warm(read, 2.0)
    for value in (4.0, 4, 4.5):
        monkeypatch.setitem(globals(), "RATE", value)
        ITEMS[0] += 1.0
        assert read(2.0) == plain.read(2.0)
        warm(read, 2.0)
    monkeypatch.setattr(Meter, "unit", 3.0)
    assert read(2.0) == plain.read(2.0)


def test_a_global_that_is_deleted_raises():
    @tf.jit
    def read(x):
        return x if NOTHING is None else -x

    warm(read, 1)
    found = globals().pop("NOTHING")
    try:
        with pytest.raises(NameError, match="NOTHING"):
            read(1)
    finally:
        globals()["NOTHING"] = found
    assert read(1) == 1


def test_state_is_written_when_a_fast_call_raises():
    traced, plain = both()
    call = tf.jit(traced.checked)
    for x in (1.0, 2.0, 3.0, 4.0, 6.0, 1.0, 7.0, 2.0):
        results = []
        for one in (call, plain.checked):
            try:
                results.append(one(x))
            except ValueError as error:
                results.append(str(error))
        assert results[0] == results[1]
        assert vars(traced) == vars(plain)


def test_tensors_in_state_may_change_their_shape():
    traced, plain = both()
    call = tf.function(traced.add)
    traced.total = plain.total = tf.constant(0.0)
    for shape in ((), (), (), (2,), (2,), (2,), (2,)):
        x = tf.ones(shape)
        assert call(x).numpy().tolist() == plain.add(x).numpy().tolist()
        assert traced.total.shape == plain.total.shape


def test_fast_calls_keep_no_object_alive():
    meter = Meter()
    meter.inner = Meter()
    read = tf.jit(meter.read)
    warm(read, 1.0)
    gone = weakref.ref(meter), weakref.ref(meter.inner)
    del meter, read
    gc.collect()
    assert [one() for one in gone] == [None, None]


def test_gradients_are_recorded_after_fast_calls():
    meter = Meter()
    call = tf.function(meter.add)
    x = tf.constant(2.0)
    warm(call, x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = call(x)
    assert float(tape.gradient(y, x)) == 3.0


def test_threads_write_numbers_only():
    meter = Meter()
    call = tf.jit(meter.add)
    warm(call, 1.0)
    failures = []

    def work():
        try:
            for _ in range(200):
                call(1.0)
        except BaseException as error:  # a thread cannot raise it
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures and type(meter.total) is float and type(meter.calls) is int


class Scale:
    """Its method is replaced."""

    def by(self, x):
        return x * 2

    @property
    def size(self):
        return 3


def test_methods_that_are_replaced(monkeypatch):
    one = Scale()

    @tf.jit
    def call(x):
        return one.by(x) + one.size

    warm(call, 1)
    assert call(1) == 5
    monkeypatch.setattr(Scale, "by", lambda self, x: x * 10)
    assert call(1) == 13
    monkeypatch.setattr(Scale, "size", property(lambda self: 7))
    assert call(1) == 17
    one.by = lambda x: x * 100
    assert call(1) == 107


def counted(x):
    counted.total = getattr(counted, "total", 0) + x
    return counted.total


def test_attributes_of_functions_are_state():
    traced = tf.jit(counted)
    assert [traced(x) for x in (1, 2, 3, 4)] == [1, 3, 6, 10]
    assert vars(counted) == {"total": 10}
    counted.total = 100
    assert traced(1) == 101
