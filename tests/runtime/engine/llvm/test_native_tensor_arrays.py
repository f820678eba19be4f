"""Tensor arrays of numbers in native code: results, errors, and that no loop calls Python."""

import random

import numpy as np
import pytest

import runtime as tf
from tests.runtime.engine.llvm.native_programs import lowered_modules

pytest.importorskip("llvmlite")

NUMBERS = random.Random(2)


def recurrence(n):
    """Entries that are read again: their shape is known from the writes before the loop."""
    ta = tf.TensorArray(tf.float32, size=n, clear_after_read=False)
    ta = ta.write(0, 1.0).write(1, 2.0)
    for i in tf.range(2, n):
        ta = ta.write(i, ta.read(i - 1) * 0.5 + ta.read(i - 2))
    return ta.stack(), ta.size()


def totals(xs):
    given = tf.TensorArray(tf.float32, size=0, dynamic_size=True).unstack(xs)
    found = tf.TensorArray(tf.float32, size=tf.shape(xs)[0])
    total = 0.0
    for i in tf.range(tf.shape(xs)[0]):
        total += given.read(i)
        found = found.write(i, total)
    return found.stack()


def collatz(n):
    found = tf.TensorArray(tf.int64, size=0, dynamic_size=True, element_shape=())
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        found = found.write(found.size(), n)
    return found.stack()


def ratios(xs, count):
    """Entries whose shape is known from the writes in the loop before."""
    found = tf.TensorArray(tf.float32, tf.shape(xs)[0])
    for i in tf.range(count - 1, -1, -1):
        for j in tf.range(2):
            found = found.write(i, xs[i] / xs[i - j])
    total = 0.0
    for i in tf.range(tf.shape(xs)[0]):
        total += found.read(i)
    return total


def changes(dynamic, clear, element):
    def run(codes, places, values, size):
        ta = tf.TensorArray(
            tf.float64, size, dynamic, clear_after_read=clear, element_shape=element
        ).write(0, 1.0)
        total = tf.constant(0.0, tf.float64)
        for i in tf.range(tf.shape(codes)[0]):
            if codes[i] < 3:
                ta = ta.write(places[i], values[i])
            elif codes[i] < 5:
                total = total * 0.5 + ta.read(places[i])
            else:
                total += tf.cast(ta.size(), tf.float64)
        return total, ta.stack()

    return run


def outcome(function, args):
    try:
        found = function(*args)
    except tf.errors.OpError as error:
        return type(error).__name__, str(error).splitlines()[0]
    return [(x.dtype, x.numpy().tolist()) for x in tf.nest.flatten(found)]


def check(function, cases):
    """Check native results against the reference engine's; count the kinds of them."""
    from runtime.engine.llvm.native import why_it_does_not_pay

    reference = tf.function(function, jit_compile=False)
    kinds = set()
    with lowered_modules() as modules:
        native = tf.function(function, jit_compile=True)
        for case in cases:
            found = outcome(native, case)
            assert found == outcome(reference, case), case
            kinds.add(type(found))
    assert modules and [why_it_does_not_pay(module) for module in modules] == [""] * len(modules)
    return kinds


def test_loops_run_whole_in_native_code():
    check(recurrence, [(tf.constant(n),) for n in (0, 1, 2, 30)])
    check(totals, [(tf.constant(np.arange(n, dtype="f")),) for n in (1, 20)])
    check(collatz, [(tf.constant(n, tf.int64),) for n in (1, 27)])
    xs = tf.constant([1.0, 2.0, 4.0])
    check(ratios, [(xs, tf.constant(n)) for n in (3, 2, 1, 0)])


@pytest.mark.parametrize(("dynamic", "clear", "element"), [
    (True, True, ()), (False, True, None), (True, False, None), (False, False, ()),
])  # fmt: skip
def test_random_changes(dynamic, clear, element):
    cases = []
    for number in range(150):
        count, size = NUMBERS.choice([2, 5, 20]), NUMBERS.choice([0, 3, 12])
        codes = [NUMBERS.randrange(6) for _ in range(count)]
        if clear and number % 2:
            codes = [code if code < 3 else 5 for code in codes]
        least = -1 if number % 9 == 0 else 0
        places = [NUMBERS.randrange(least, size + 2 * dynamic + (number % 5 == 0) or 1)
                  for _ in codes]  # fmt: skip
        values = tf.constant([NUMBERS.random() for _ in codes], tf.float64)
        cases.append((tf.constant(codes), tf.constant(places), values, tf.constant(size)))
    assert check(changes(dynamic, clear, element), cases) == {list, tuple}


def test_what_leaves_native_code_goes_on_as_it_was():
    @tf.function(jit_compile=True)
    def squares(n):
        ta = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
        for i in tf.range(n):
            ta = ta.write(2 * i, tf.cast(i * i, tf.float32))
        ta.read(2)
        return ta

    found = squares(tf.constant(4))
    assert [found.read(k).numpy() for k in (0, 1, 6)] == [0, 0, 9]
    assert int(found.size()) == 7
    with pytest.raises(tf.errors.InvalidArgumentError, match="index 2 twice"):
        found.read(2)
