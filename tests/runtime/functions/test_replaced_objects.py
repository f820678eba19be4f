"""State of objects that are replaced between calls: the next call writes to the new object."""

import gc
import weakref

import pytest

import runtime as tf


class Inner:
    """What is replaced."""

    def __init__(self, total=0):
        self.total = total


class Outer:
    """What holds it."""

    def __init__(self):
        self.inner = Inner()
        self.other = self.inner
        self.items = [0]
        self.table = {"k": [0]}

    def add(self, x):
        self.inner.total = self.inner.total + x
        return self.inner.total

    def add_item(self, x):
        self.items[0] = self.items[0] + x
        return self.items[0]

    def add_nested(self, x):
        self.table["k"][0] = self.table["k"][0] + x
        return self.table["k"][0]

    def add_aliased(self, x):
        self.inner.total = self.inner.total + x
        return self.other.total

    def add_if_there(self, x):
        if self.inner is not None:
            self.inner.total = self.inner.total + x
        return x


def replace_inner(outer):
    outer.inner = Inner(100)


def replace_items(outer):
    outer.items = [100]


def replace_nested(outer):
    outer.table["k"] = [100]


def replace_table(outer):
    outer.table = {"k": [100]}


def replace_other(outer):
    outer.other = Inner(-1)


def left(outer):
    totals = [outer.inner.total if outer.inner else None, outer.other.total]
    return [None if v is None else int(v) for v in (*totals, outer.items[0], outer.table["k"][0])]


CASES = [
    ("add", replace_inner), ("add_item", replace_items), ("add_nested", replace_nested),
    ("add_nested", replace_table), ("add_aliased", replace_inner),
    ("add_aliased", replace_other), ("add_if_there", replace_inner),
]  # fmt: skip


@pytest.mark.parametrize(("method", "replace"), CASES)
def test_a_replaced_object_is_written_to(method, replace):
    traced, plain = Outer(), Outer()
    call = tf.function(getattr(traced, method))
    for step in range(6):
        if step in (2, 4):
            replace(traced)
            replace(plain)
        x = tf.constant(step + 1)
        assert int(call(x)) == int(getattr(plain, method)(x))
        assert left(traced) == left(plain)


def test_objects_take_turns_without_further_traces():
    outer, inners = Outer(), [Inner(), Inner()]
    call = tf.function(outer.add)
    for step in range(8):
        outer.inner = inners[step % 2]
        call(tf.constant(1))
    assert [int(inner.total) for inner in inners] == [4, 4]
    assert call.experimental_get_tracing_count() <= 4


def test_none_takes_turns_with_objects():
    traced, plain = Outer(), Outer()
    call = tf.function(traced.add_if_there)
    for inner in (5, None, 6, None, 7):
        for outer in (traced, plain):
            outer.inner = None if inner is None else Inner(inner)
        call(tf.constant(1))
        plain.add_if_there(tf.constant(1))
        assert left(traced) == left(plain)


def test_a_replaced_global():
    namespace = {"Inner": Inner, "held": Inner(), "tf": tf}
    step = defined(namespace)
    step(tf.constant(1))
    old = namespace["held"]
    new = namespace["held"] = Inner(10)
    assert int(step(tf.constant(2))) == 12
    assert (int(old.total), int(new.total)) == (1, 12)


def defined(namespace):
    """A function whose globals are a namespace."""
    import types

    def step(x):
        held.total = held.total + x  # noqa: F821
        return held.total  # noqa: F821

    return tf.function(types.FunctionType(step.__code__, namespace, "step"))


def test_a_replaced_closure_variable():
    held = Inner()

    @tf.function
    def step(x):
        held.total = held.total + x
        return held.total

    step(tf.constant(1))
    old, held = held, Inner(10)
    assert int(step(tf.constant(2))) == 12
    assert (int(old.total), int(held.total)) == (1, 12)


def test_a_trace_of_a_replaced_object_is_refused():
    outer = Outer()
    call = tf.function(outer.add)
    trace = call.get_concrete_function(tf.constant(1))
    outer.inner = Inner(10)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"inner.*another object"):
        trace(tf.constant(1))
    assert int(outer.inner.total) == 10


def test_replaced_objects_are_not_kept_alive():
    outer = Outer()
    outer.other = None
    call = tf.function(outer.add)
    call(tf.constant(1))
    old = weakref.ref(outer.inner)
    outer.inner = Inner()
    call(tf.constant(1))
    gc.collect()
    assert old() is None
