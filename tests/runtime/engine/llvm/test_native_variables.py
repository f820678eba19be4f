"""Variables in native code: values, order of effects and errors are those of the reference."""

from __future__ import annotations

import gc
import threading
import time

import numpy as np
import pytest

import autograph
import runtime as tf
from runtime.types.flags import JIT
from tests.runtime.engine.llvm import variable_programs
from tests.runtime.engine.llvm.native_programs import lowered_modules
from tests.runtime.engine.llvm.variable_programs import NATIVE, PROGRAMS, SEEN
from tests.support import nightly
from tests.support.extras import needs

pytestmark = needs("jit")


def world():
    return tf.Variable(0.5), tf.Variable(3), tf.Variable([1.0, 2.0, 4.0])


def outcome(run, values, capfd):
    """What a run gives or raises, what it prints and shows Python, and what the variables hold."""
    SEEN.clear()
    try:
        found = tf.nest.map_structure(lambda t: np.asarray(t).tolist(), run())
    except Exception as error:
        found = type(error), str(error)
    return repr((found, values(), list(SEEN), capfd.readouterr()))


def as_function(program, n, jit, capfd):
    with JIT(jit):
        variables = world()
        staged = tf.function(program)
        argument = tf.constant(n)

        def values():
            return [variable.numpy().tolist() for variable in variables]

        return [outcome(lambda: staged(*variables, argument), values, capfd) for _ in range(2)]


def in_session(program, n, jit, capfd):
    with JIT(jit), tf.Graph().as_default(), tf.Session() as session:
        variables, holder = world(), tf.placeholder(tf.int32, [])
        result = autograph.to_graph(program)(*variables, holder)

        def values():
            try:
                return [value.tolist() for value in session.run(variables)]
            except tf.errors.FailedPreconditionError:
                return "no values"

        def run():
            return session.run(result, {holder: n})

        first = outcome(run, values, capfd)
        session.run(tf.global_variables_initializer())
        return first, [outcome(run, values, capfd) for _ in range(2)]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_programs_do_what_the_reference_does(program, capfd):
    for n in (1, 4):
        wanted = as_function(program, n, "never", capfd)
        assert as_function(program, n, "always", capfd) == wanted
        variables = world()

        def values(variables=variables):
            return [variable.numpy().tolist() for variable in variables]

        eager = outcome(lambda v=variables, n=n: program(*v, tf.constant(n)), values, capfd)
        assert "Error" in eager or eager == wanted[0]
        if program is variable_programs.changed_by_python:  # which assigns in the session
            continue
        if n == 4 or nightly.EVERYTHING:
            assert in_session(program, n, "always", capfd) == in_session(program, n, "never", capfd)


@pytest.mark.parametrize("program", NATIVE, ids=lambda program: program.__name__)
def test_programs_call_no_kernels(program):
    from runtime.engine.llvm.native import why_it_does_not_pay

    with lowered_modules() as modules:
        tf.function(program)(*world(), tf.constant(3))
    assert modules
    assert [why_it_does_not_pay(module) for module in modules] == [""] * len(modules)


def address(variable):
    return variable._storage.array.ctypes.data


def test_an_array_that_nobody_else_holds_is_updated_in_place():
    w = tf.Variable(np.zeros(1000, np.float32))
    grow = tf.function(lambda x: w.assign_add(x * 2.0))
    with JIT("always"):
        grow(tf.ones(1000))
        w.assign(w + 0.0)  # a new array, which the initial value does not hold
        before = address(w)
        grow(tf.ones(1000))
        assert address(w) == before
        held = w.read_value()
        grow(tf.ones(1000))
        assert address(w) != before
        view = w.numpy()[::2]
        grow(tf.ones(1000))
    assert held.numpy()[0] == 4.0
    assert view[0] == 6.0
    assert w.numpy()[0] == 8.0


def test_an_array_that_a_result_holds_is_not_updated_in_place():
    w = tf.Variable([1.0, 2.0])

    @tf.function
    def grow():
        w.assign_add([1.0, 1.0])
        return w.read_value()

    with JIT("always"):
        assert [grow().numpy().tolist() for _ in range(3)] == [[2, 3], [3, 4], [4, 5]]
        kept = [grow() for _ in range(3)]
    assert [one.numpy().tolist() for one in kept] == [[5, 6], [6, 7], [7, 8]]


def test_variables_of_unknown_shape():
    w = tf.Variable([1.0, 2.0], shape=tf.TensorShape(None))
    part = tf.Variable([[1.0, 2.0]], shape=tf.TensorShape([None, 2]))

    def grow(x):
        for _ in tf.range(3):
            w.assign(tf.concat([w.read_value(), x], 0))
            part.assign(tf.concat([part, part * 0.5], 0))
        return w.read_value()

    found = []
    for jit in ("never", "always"):
        w.assign([1.0, 2.0])
        part.assign([[1.0, 2.0]])
        with JIT(jit):
            staged = tf.function(grow)
            found.append([staged(tf.ones(2)).numpy().tolist(), part.numpy().tolist()])
    assert found[0] == found[1]


def test_a_shape_that_does_not_fit_is_refused():
    w = tf.Variable(np.zeros((2, 2), np.float32), shape=tf.TensorShape([None, 2]))
    spec = tf.TensorSpec(None, tf.float32)
    texts = []
    for jit in ("never", "always"):
        for change in ("assign", "assign_add"):
            staged = tf.function(lambda x, c=change: getattr(w, c)(x), input_signature=[spec])
            with JIT(jit), pytest.raises(ValueError, match="shape") as error:
                staged(tf.ones((3, 3)))
            texts.append(str(error.value))
    assert texts[:2] == texts[2:]
    assert w.shape.as_list() == [None, 2]


def in_threads(*functions):
    threads = [threading.Thread(target=function) for function in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_variables_of_a_long_loop_over_arrays_are_those_that_python_sees_and_sets():
    """Their cells lie in memory, because the loop uses arrays: one function stores all of them."""

    def outcomes(jit):
        counts, rows = [tf.Variable(float(n)) for n in range(6)], tf.Variable([1.0, 2.0, 4.0])
        step, seen = tf.Variable(0, dtype=tf.int64), []

        def look():
            seen.append([variable.numpy().tolist() for variable in (*counts, step, rows)])
            counts[2].assign(counts[2] * 2.0)

        @tf.function(jit_compile=jit)
        def train(n):
            for i in tf.range(n):
                for number, count in enumerate(counts):
                    rows.assign(rows * 0.5 + count)
                    count.assign_add(tf.reduce_sum(rows) / (number + 1.0))
                step.assign_add(1)
                tf.py_function(look, [], [])
                tf.debugging.assert_less(step, tf.constant(4, tf.int64))
            return counts[0] + rows[0]

        found = [train(tf.constant(2)).numpy().tolist()]
        with pytest.raises(tf.errors.InvalidArgumentError):
            train(tf.constant(9))
        look()
        return found, seen

    assert outcomes(True) == outcomes(False)


def test_threads_lose_no_update():
    v, w = tf.Variable(0.0, dtype=tf.float64), tf.Variable(np.zeros(300))

    @tf.function
    def many(n):
        for _ in tf.range(n):
            v.assign_add(1.0)
            w.assign_add(tf.ones(300, tf.float64))

    def natively():
        many(tf.constant(30_000))

    def eagerly():
        for _ in range(1500):
            v.assign_add(1.0)
            w.assign_add(np.ones(300))

    with JIT("always"):
        many(tf.constant(0))
        in_threads(natively, natively, eagerly, eagerly)
    assert v.numpy() == 63_000
    assert set(w.numpy().tolist()) == {63_000}


@pytest.mark.parametrize("start", [0.0, [0.0, 1.0]])
@pytest.mark.parametrize("change", ["assign", "assign_add", "element"])
def test_native_code_waits_for_a_kernel_that_changes_the_variable(start, change):
    v, started = tf.Variable(start), threading.Event()

    @tf.function
    def grow():
        if change == "element" and v.shape.rank:
            v[0].assign(9.0)
        else:
            getattr(v, "assign" if change == "assign" else "assign_add")(v.read_value() * 0.0 + 1.0)

    def kernel():
        with v._storage.lock:
            before = v._storage.read()
            started.set()
            time.sleep(0.05)
            v._storage.write(before + np.float32(5.0))

    with JIT("always"):
        grow()
        v.assign(np.zeros_like(start))
        helper = threading.Thread(target=kernel)
        helper.start()
        started.wait()
        grow()
        helper.join()
    wanted = {"assign": 1.0, "assign_add": 6.0, "element": 9.0 if v.shape.rank else 6.0}
    assert v.numpy().flat[0] == wanted[change] if v.shape.rank else v.numpy() == wanted[change]


def test_a_loop_sees_what_another_thread_assigns_and_shows_what_it_assigns():
    going, count = tf.Variable(True), tf.Variable(0, dtype=tf.int64)

    @tf.function
    def wait():
        while going:
            count.assign_add(1)
        return count.read_value()

    def stop():
        while count.numpy() < 100_000:
            pass
        going.assign(False)

    with JIT("always"):
        results = []
        in_threads(lambda: results.append(wait()), stop)
    assert results[0].numpy() == count.numpy() >= 100_000


def test_signals_leave_the_value_of_the_last_assignment():
    import signal

    first, second, rows = tf.Variable(0), tf.Variable(0), tf.Variable(np.zeros(64))

    @tf.function
    def endless():
        while second >= 0:
            first.assign_add(1)
            rows.assign_add(tf.ones(64, tf.float64))
            second.assign_add(1)

    def interrupt():
        while second.numpy() < 1000:
            pass
        signal.raise_signal(signal.SIGINT)

    with JIT("always"):
        helper = threading.Thread(target=interrupt)
        helper.start()
        with pytest.raises(KeyboardInterrupt):
            endless()
        helper.join()
    assert second.numpy() >= 1000
    assert 0 <= first.numpy() - second.numpy() <= 1
    assert len(set(rows.numpy().tolist())) == 1
    assert 0 <= first.numpy() - rows.numpy()[0] <= 1


def test_arrays_are_released():
    w = tf.Variable(np.zeros((100, 1000)))

    @tf.function
    def grow(x):
        for _ in tf.range(20):
            w.assign_add(x)
            w.assign(tf.reverse(w, [0]))
        return tf.reduce_sum(w)

    import tracemalloc

    with JIT("always"):
        grow(tf.ones((100, 1000), tf.float64))
        gc.collect()
        tracemalloc.start()
        for _ in range(5):
            grow(tf.ones((100, 1000), tf.float64))
        left, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert left < 3 * w.numpy().nbytes
