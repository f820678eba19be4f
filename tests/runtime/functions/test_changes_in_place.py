"""Direct calls of machine code that changes large arrays in place: what callers see of it."""

import signal
import sys

import numpy as np
import pytest

import runtime as tf
from autograph.errors import EffectError
from runtime.engine.llvm.native import NativeCode
from runtime.types.flags import JIT, JIT_LEVEL
from tests.runtime.functions.test_native_call import alike, warm
from tests.support.extras import needs

pytestmark = needs("jit")
SIZE = 600


@pytest.fixture(autouse=True)
def _at_once():
    with JIT("always"), JIT_LEVEL("auto"):  # it is LLVM that finds out what changes in place
        yield


@pytest.fixture
def made(monkeypatch):
    """Whether entries that change arrays in place were made, by the order of the requests."""
    found, make = [], NativeCode.in_place

    def noting(*args):
        entry = make(*args)
        found.append(entry is not None)
        return entry

    monkeypatch.setattr(NativeCode, "in_place", noting)
    return found


def numbers():
    return np.arange(float(SIZE))


def grown(a):
    first = a[0]
    for i in range(len(a)):
        a[i] = a[i] * 2.0 + first
    return a


def grown_with_copies(a):
    before = a.copy()
    for i in range(len(a)):
        a[i] = a[i] * 2.0 + before[i - 1]
    return before, a, a.copy(), a[1]


def summed_first(a, b):
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    for i in range(len(a)):
        a[i] = total + b[i]


def replaced(a):
    for i in range(len(a)):
        a[i] = a[i] + 1.0
    a[:] = a[::-1] * 2.0
    return a[3]


def moved(a, b):
    for i in range(1, len(a)):
        a[i] = b[i - 1] + 1.0


def counted(a, n):
    for i in range(n):
        a[i] += 1.0


def test_changes_in_place_are_those_of_python(made):
    for function in grown, grown_with_copies, replaced:
        compiled = warm(tf.jit(function), numbers())
        array, wanted = numbers(), numbers()
        for _ in range(3):
            alike(compiled(array), function(wanted))
            np.testing.assert_array_equal(array, wanted)
    assert made[0] and len(made) == 3


def test_results_are_copies_of_what_is_changed_in_place():
    compiled, array = warm(tf.jit(grown_with_copies), numbers()), numbers()
    before, same, after, _ = compiled(array)
    assert same is array
    assert not any(np.shares_memory(x, y) for x, y in [(before, array), (after, array)])


def test_other_layouts_and_read_only_arrays(made):
    compiled = warm(tf.jit(grown), numbers())
    assert made == [True]
    for whole, key in [
        (np.arange(2.0 * SIZE), slice(None, None, 2)), (numbers(), slice(None, None, -1)),
        (np.arange(SIZE + 5.0), slice(5, None)),
    ]:  # fmt: skip
        wanted = whole.copy()
        assert compiled(whole[key]).base is whole
        grown(wanted[key])
        np.testing.assert_array_equal(whole, wanted)
    array = numbers()
    array.flags.writeable = False
    with pytest.raises(EffectError, match="read-only"):
        compiled(array)
    assert array.tolist() == numbers().tolist()


def test_arrays_that_overlap_others():
    compiled = warm(tf.jit(moved), numbers(), numbers())
    for shift in 0, 1, 2:
        array, wanted = np.arange(SIZE + 2.0), np.arange(SIZE + 2.0)
        for function, whole in (compiled, array), (moved, wanted):
            function(whole[shift:][:SIZE], whole[:SIZE])
        np.testing.assert_array_equal(array, wanted)


def test_arrays_that_are_read_before():
    compiled = warm(tf.jit(summed_first), numbers(), numbers())
    array, wanted = numbers(), numbers()
    for _ in range(3):
        compiled(array, numbers())
        summed_first(wanted, numbers())
    np.testing.assert_array_equal(array, wanted)


def test_code_that_may_raise_changes_a_copy(made):
    compiled = warm(tf.jit(counted), numbers(), 5)
    assert made == [False]
    array, wanted = numbers(), numbers()
    for function, value in (compiled, array), (counted, wanted):
        with pytest.raises(IndexError):
            function(value, SIZE + 1)
    np.testing.assert_array_equal(array, wanted)


def test_an_exception_of_a_signal_is_raised_amid_the_changes(made):
    rounds = 1_000_000_000

    def repeated(a, n):
        for _ in range(n):
            for i in range(len(a)):
                a[i] += 1.0

    def stop(*_):
        raise ArithmeticError("stopped")

    compiled, array = warm(tf.jit(repeated), numbers(), 2), numbers()
    assert made == [True]
    before = signal.signal(signal.SIGALRM, stop)
    try:
        for _ in range(3):
            signal.setitimer(signal.ITIMER_REAL, 0.3)
            with pytest.raises(ArithmeticError, match="stopped"):
                compiled(array, rounds)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    turns = array - numbers()
    assert 0 < turns.max() < 3 * rounds and turns.max() - turns.min() <= 3


def test_no_reference_is_lost_or_kept():
    compiled, array = warm(tf.jit(grown_with_copies), numbers()), numbers()
    count = sys.getrefcount(array)
    for _ in range(3):
        compiled(array)
    assert sys.getrefcount(array) == count
