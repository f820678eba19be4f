"""Attributes of older objects that a call sets on one path only: state, as in plain Python."""

import functools
import inspect
import sys

import pytest

import runtime as tf
from autograph.errors import EffectError


class Meter:
    """What calls change; its class has a default."""

    total = 0

    def add(self, x):
        if x > 0:
            self.total += x
        return self.total

    def first(self, x):
        if x > 2:
            self.extra = x * 2
        return x

    def read(self, x):
        if x > 2:
            self.extra = x * 2
        return self.extra

    def loop(self, n):
        for i in range(n):
            self.last = i
        return n

    def deleted(self, x):
        if x > 2:
            self.q = x
        elif hasattr(self, "q"):
            del self.q
        return hasattr(self, "q")

    def deleted_or_missing(self, x):
        if x > 2:
            self.q = x
        del self.q
        return hasattr(self, "q")

    def raising(self, x):
        if x > 2:
            self.q = x
        if x > 5:
            raise ValueError("big")
        return x

    @functools.cached_property
    def lazy(self):
        return 7

    def with_lazy(self, x):
        if x > 2:
            return self.lazy + x
        return 0

    def none_or_number(self, x):
        if x > 2:
            self.q = None
        elif x > 1:
            self.q = x
        return hasattr(self, "q")

    def new_list(self, x):
        if x > 2:
            self.q = [x, 1]
        return hasattr(self, "q")

    def new_set(self, x):
        if x > 2:
            self.s = set()
        return x

    def text(self, x):
        if x > 2:
            self.name = "big"
        return x

    def new_object(self, x):
        if x > 2:
            self.inner = Meter()
        return x

    def new_function(self, x):
        if x > 2:
            self.f = lambda: x
        return x


CALLS = (1, 3, 0, 4, -1, 9, 2, 3)


def number(value):
    return value.numpy().item() if isinstance(value, tf.Tensor) else value


def attributes(meter):
    return {
        name: [number(item) for item in value] if isinstance(value, list) else number(value)
        for name, value in vars(meter).items()
    }


def outcome(function, x):
    try:
        return number(function(x))
    except (AttributeError, ValueError) as error:
        return type(error), str(error)


@pytest.mark.parametrize("stage", [tf.jit, tf.function])
@pytest.mark.parametrize(
    "name",
    ["add", "first", "read", "loop", "deleted", "deleted_or_missing", "raising", "with_lazy",
     "none_or_number", "new_list", "new_set", "text"],
)  # fmt: skip
def test_calls_leave_what_python_leaves(stage, name):
    meter, plain = Meter(), Meter()
    staged = stage(getattr(meter, name))
    for x in CALLS:
        given = x if stage is tf.jit else tf.constant(x)
        assert outcome(staged, given) == outcome(getattr(plain, name), x)
        assert attributes(meter) == attributes(plain)
    assert staged.experimental_get_tracing_count() <= 3
    if sys.version_info < (3, 13):
        assert not any("Optional" in type(value).__name__ for value in vars(Meter).values())


@pytest.mark.parametrize("stage", [tf.jit, tf.function])
@pytest.mark.parametrize("name, what", [("new_object", "a new Meter"), ("new_function", "a func")])
def test_what_each_call_would_make_anew_is_refused(stage, name, what):
    meter = Meter()
    staged = stage(getattr(meter, name))
    with pytest.raises(EffectError, match=f"which is given {what}"):
        staged(3 if stage is tf.jit else tf.constant(3))
    assert vars(meter) == {}


def test_sets_of_different_calls_are_different_objects():
    meter = Meter()
    new_set = tf.jit(meter.new_set)
    new_set(3)
    first = meter.s
    new_set(3)
    assert meter.s == first == set()
    assert meter.s is not first


def test_a_global_that_is_first_set_on_one_path():
    def store(x):
        global STORED
        if x > 2:
            STORED = x
        return x

    staged = tf.jit(store)
    staged(1)
    assert "STORED" not in globals()
    staged(3)
    assert STORED == 3
    staged(0)
    assert globals().pop("STORED") == 3


def test_attributes_of_a_function():
    def count(n):
        def helper():
            helper.calls += 1

        helper.calls = 0
        for _ in range(n):
            helper()
        return helper.calls

    def first(x):
        def helper():
            return 1

        if x > 2:
            helper.calls = x
        return helper.calls

    assert [tf.jit(count)(n) for n in (3, 0)] == [3, 0]
    with pytest.raises(EffectError, match="exists on only one path"):
        tf.jit(first)(3)


def test_a_library_that_reads_one_is_refused():
    def read(x):
        meter = Meter()
        if x > 2:
            meter.extra = x
        return len(inspect.getmembers(meter))

    with pytest.raises(EffectError, match="of inspect reads the attribute 'extra'"):
        tf.jit(read)(3)


def test_a_dict_that_a_call_makes_and_later_ones_change():
    class Squares:
        def of(self, x):
            if not hasattr(self, "cache"):
                self.cache = {}
            if x not in self.cache:
                self.cache[x] = x * x
            return self.cache[x]

    made = Squares()
    of = tf.jit(made.of)
    assert [of(x) for x in (3, 1, 3, 4)] == [9, 1, 9, 16]
    assert made.cache == {3: 9, 1: 1, 4: 16}
    assert of.experimental_get_tracing_count() == 2


def test_a_list_that_is_replaced_or_changed_in_one_trace_is_refused():
    class Holder:
        def step(self, x, new):
            if new:
                self.c = [x]
            else:
                self.c[0] += x
            return len(self.c)

    holder = Holder()
    step = tf.jit(holder.step)
    assert step(1, True) == 1
    with pytest.raises(EffectError, match="'self.c.0.', which changes in place and is replaced"):
        step(1, False)
    assert holder.c == [1]


def test_a_dict_that_each_call_replaces():
    class Holder:
        def fresh(self, x):
            self.c = {}
            self.c["a"] = x
            return x

    holder = Holder()
    fresh = tf.function(holder.fresh)
    for x in range(5):
        fresh(tf.constant(x))
        assert int(holder.c["a"]) == x


class Held:
    def __init__(self, value):
        self.value = value


def test_a_default_of_one_of_several_objects():
    def read(n):
        a, b = Held(1), Held(2)
        c = a if n > 2 else b
        return getattr(c, "missing", 0), hasattr(c, "missing")

    for n in (1, 3):
        assert tf.jit(read, strict=True)(n) == (0, False)
