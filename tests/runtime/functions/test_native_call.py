"""Direct calls of machine code: the same results, errors and effects as calls with arrays."""

from __future__ import annotations

import collections
import warnings

import numpy as np
import pytest

import runtime as tf
from runtime.engine.llvm import engine as llvm_engine
from runtime.types.flags import JIT

pytestmark = pytest.mark.skipif(not llvm_engine.is_available(), reason="needs llvmlite")


@pytest.fixture(autouse=True)
def _at_once():
    with JIT("always"):
        yield


def warm(function, *args):
    """Call a function until its direct call is made; return it."""
    for _ in range(2):
        function(*args)
    assert function._direct[len(args)](*args) is not None or function(*args) is None
    return function


def alike(found, wanted):
    assert repr(found) == repr(wanted)
    assert type(found) is type(wanted)


def add(x, y):
    return x + y


def several(x, y):
    return x + y, {"less": x < y, "parts": [x * 2, None]}


def collatz(n):
    count = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        count += 1
    return count


def prefix_sums(xs):
    for i in range(1, len(xs)):
        xs[i] += xs[i - 1]


def total(xs):
    result = 0
    for x in xs:
        result += x
    return result


def running(xs):
    out = [0]
    for x in xs:
        out.append(out[-1] + x)
    return out


def swapped(pairs):
    out = [(0.0, 0)]
    for a, b in pairs:
        out.append((b, a))
    return out


@pytest.mark.parametrize(("function", "args"), [
    (add, (1, 2)), (add, (1.5, 2.5)), (add, (True, True)), (add, (1, 2.5)),
    (several, (1, 2)), (several, (-0.0, 2.0)), (collatz, (27,)), (running, ([1, 2, 3],)),
    (swapped, ([(1, 2.0), (3, 4.5)],)), (total, ([1, 2, 3],)),
])  # fmt: skip
def test_results_are_those_of_python(function, args):
    compiled = warm(tf.jit(function), *args)
    alike(compiled(*args), function(*args))
    assert compiled.cache_info().misses == 1


def test_types_of_arguments_alternate():
    compiled = tf.jit(add)
    cases = [(1, 2), (1.5, 2.0), (True, False), (1, 2.5), ("a", "b"), (2**62, 1)]
    for _ in range(4):
        for args in cases:
            alike(compiled(*args), add(*args))
    assert compiled.experimental_get_tracing_count() == 5


def test_runs_are_counted():
    compiled = warm(tf.jit(add), 1, 2)
    before = compiled.cache_info().hits
    for _ in range(5):
        compiled(3, 4)
    assert compiled.cache_info().hits == before + 5


def test_ints_beyond_64_bits():
    compiled = warm(tf.jit(add), 1, 2)
    with pytest.raises(OverflowError, match="an argument is 9223372036854775808, in 'x' of add"):
        compiled(2**63, 1)
    with pytest.raises(OverflowError, match="known only at run time has 64 bits"):
        compiled(2**63 - 1, 1)
    assert compiled(-(2**63), 0) == -(2**63)


def divided(x, y):
    return x / y


def test_errors_name_the_line():
    cold, hot = tf.jit(divided, jit_compile=False), warm(tf.jit(divided), 1, 2)
    messages = []
    for compiled in (cold, hot):
        with pytest.raises(ZeroDivisionError) as caught:
            compiled(1, 0)
        messages.append((str(caught.value), caught.value.__notes__))
        assert "return x / y" in caught.value.__notes__[0]
    assert messages[0] == messages[1]


def test_warnings_of_numpy_stay_off():
    compiled = warm(tf.jit(scaled), 2.0, 3)
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        assert compiled(1e30, 3) == 3


def scaled(x, n):
    count, pair = 0, tf.stack([x, x])  # for which kernels of NumPy are called
    for _ in range(n):
        pair = pair * pair
        if tf.reduce_sum(pair) > 1.0:
            count += 1
    return count


# -- lists ----------------------------------------------------------------------------------------


def test_a_list_changes_in_place():
    compiled = warm(tf.jit(prefix_sums), [1, 2, 3])
    given = [1, 2, 3, 4]
    assert compiled(given) is None
    assert given == [1, 3, 6, 10]


def test_the_list_itself_is_returned():
    def double(xs):
        for i in range(len(xs)):
            xs[i] *= 2
        return xs

    compiled = warm(tf.jit(double), [1])
    given = [1, 2]
    assert compiled(given) is given
    assert given == [2, 4]


def test_items_of_other_types():
    compiled = warm(tf.jit(total), [1, 2])
    cases = [[1.5, 2.5], [True, True], [1, 2.5], [1, True], [], [2**62, 1], ["a"], (1, 2)]
    for _ in range(3):
        for given in cases:
            try:
                wanted = total(given)
            except TypeError:
                with pytest.raises(TypeError):
                    compiled(given)
            else:
                alike(compiled(given), wanted)


def test_ints_in_lists_beyond_64_bits():
    errors = []
    for compiled in (tf.jit(total, jit_compile=False), warm(tf.jit(total), [1, 2])):
        with pytest.raises(OverflowError) as caught:
            compiled([1, 2**63])
        errors.append(str(caught.value))
    assert errors[0] == errors[1]


def test_a_changed_list_and_ints_beyond_64_bits():
    def last_doubled(xs):
        return xs.pop() * 2

    for compiled in (tf.jit(last_doubled, jit_compile=False), warm(tf.jit(last_doubled), [1, 2])):
        given = [1, 2**62]
        assert (compiled(given), given) == (2**63, [1])


def test_tuples_of_other_lengths_and_classes():
    def firsts(pairs):
        result = 0
        for pair in pairs:
            result += pair[0]
        return result

    compiled = warm(tf.jit(firsts), [(1, 2), (3, 4)])
    point = collections.namedtuple("point", "x y")
    for given in ([(1, 2, 3), (4, 5, 6)], [(1, 2.0)], [point(1, 2)]):
        alike(compiled(given), firsts(given))


def test_a_list_that_is_passed_twice():
    def move(xs, ys):
        for i in range(len(xs)):
            ys[i] = ys[i] + xs[i]

    compiled = warm(tf.jit(move), [1, 2], [3, 4])
    given = [1, 2]
    compiled(given, given)
    assert given == [2, 4]


# -- what calls depend on besides their arguments -------------------------------------------------


STEP = 1


def stepped(x):
    return x + STEP


def test_globals_are_looked_up(monkeypatch):
    compiled = warm(tf.jit(stepped), 1)
    monkeypatch.setitem(stepped.__globals__, "STEP", 10)
    assert compiled(1) == 11
    for _ in range(4):
        assert compiled(1) == 11
    monkeypatch.undo()
    assert compiled(1) == 2


def test_state_is_carried():
    class Counter:
        total = 0

    counter = Counter()

    def count(x):
        counter.total += x
        return counter.total

    compiled = tf.jit(count)
    assert [compiled(k) for k in range(6)] == [0, 1, 3, 6, 10, 15]
    assert counter.total == 15


def test_flags_that_change():
    compiled = warm(tf.jit(collatz), 27)
    with JIT("never"):
        assert compiled(27) == 111
        assert compiled.get_concrete_function(27).executable.engine == "python_codegen"
    assert compiled(27) == 111


def test_functions_that_run_eagerly():
    compiled = warm(tf.jit(collatz), 27)
    before = compiled.cache_info().hits
    tf.config.run_functions_eagerly(True)
    try:
        assert compiled(27) == 111
    finally:
        tf.config.run_functions_eagerly(False)
    assert compiled.cache_info().hits == before


def test_calls_in_other_traces():
    inner = warm(tf.jit(collatz), 27)
    outer = tf.jit(lambda n: inner(n) + inner(n + 1))
    for _ in range(3):
        assert outer(27) == collatz(27) + collatz(28)


def test_calls_under_a_tape():
    compiled = warm(tf.jit(collatz), 27)
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * compiled(27)
    assert tape.gradient(y, x).numpy() == 111.0


def test_defaults_and_keywords():
    compiled = tf.jit(lambda x, y=2: x + y)
    for _ in range(3):
        assert [compiled(1), compiled(1, 5), compiled(1, y=7), compiled(x=3)] == [3, 6, 8, 5]


def test_clearing_the_cache():
    compiled = warm(tf.jit(add), 1, 2)
    compiled.cache_clear()
    assert not compiled._direct
    assert compiled(1, 2) == 3


def test_promoted_functions_are_called_directly(monkeypatch):
    monkeypatch.setattr(llvm_engine.Promotion, "COMPILE_SECONDS", 0.0)
    with JIT("auto"):
        compiled = tf.jit(collatz)
        for _ in range(5):
            assert compiled(27) == 111
        assert compiled._direct[1](27) == 111


def test_printing_functions(capsys):
    def shown(n):
        for k in range(n):
            if k % 2 == 0:
                print(k)
        return n

    compiled = tf.jit(shown)
    for _ in range(3):
        assert compiled(4) == 4
        assert capsys.readouterr().out == "0\n2\n"
