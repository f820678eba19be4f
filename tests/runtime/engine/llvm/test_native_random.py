"""Random numbers in native code: the numbers, and their order, are those of the reference."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

import autograph
import runtime as tf
from runtime.ops.random_seed import PROCESS
from runtime.types.flags import JIT
from tests.runtime.engine.llvm.native_programs import lowered_modules
from tests.support import nightly
from tests.support.extras import needs

pytestmark = needs("jit")


GENERATOR = tf.random.Generator.from_seed(1)


def floats(n, kind):
    total = tf.zeros((), kind)
    for i in tf.range(n):
        total = total * 0.5 + tf.random.uniform((), dtype=kind)
        if i % 2 == 0:
            total += tf.random.normal((), 1.0, 2.5, dtype=kind)
        else:
            total += tf.random.truncated_normal((), -1.0, 0.25, dtype=kind, seed=3)
        total += tf.random.uniform((), -total, total + 1.0, dtype=kind, seed=3)
    return total


def ints(n, kind):
    total = tf.zeros((), kind)
    for _ in tf.range(n):
        total = total // 2 + tf.random.uniform((), 0, 60, dtype=kind)
        total += tf.random.uniform((), total % 5, 5 + total % 3, dtype=kind, seed=8)
    return total, tf.random.uniform((2, 3), 1, 100, dtype=kind)


def arrays(n, kind):
    total = tf.zeros((3, 5), kind)
    for _ in tf.range(n):
        total = total * 0.5 + tf.random.uniform((3, 5), dtype=kind)
        total += tf.random.normal((5,), 0.5, 3.0, dtype=kind)
        total += tf.random.uniform((3, 1), -1.0, tf.reduce_max(total), dtype=kind)
        total += tf.random.truncated_normal((3, 5), dtype=kind)
        total += tf.random.normal((5,), tf.range(5.0, dtype=kind), dtype=kind)
    return total, tf.random.uniform((0, 2), dtype=kind)


def sizes(n, kind):
    found = []
    for size in (1, 7, 8, 4, 33, 0, 100, 5, 16):
        found += [tf.random.uniform((size,), dtype=kind), tf.random.uniform((), dtype="float32")]
        found.append(tf.random.uniform((size,), 2.0, 3.0, dtype="float64"))
    return found


def seeded(n, kind):
    """Draws by seeds of one or two words of 32 bits each, as numbers and as arrays."""
    r, whole = tf.random, tf.as_dtype(kind).is_integer
    found: list = []
    seeds: list = [(0, 0), (7, 0), (0, 9), (-1, 2**40), (2**40 + 1, 3), (2**62, 2**33)]
    total = tf.zeros((5,), kind)
    for i in tf.range(n):
        limits = (0, 20) if whole else (-1.0, 2.5)
        total += r.stateless_uniform((), tf.stack([i, i * 1000 - 3]), *limits, dtype=kind)
    for j, seed in enumerate(seeds):
        limits = (j, j + 100) if whole else (-1.0, 2.5)
        total += r.stateless_uniform((), seed, *limits, dtype=kind)
        found.append(r.stateless_uniform((2, 3), seed, *limits, dtype=kind))
        if whole:
            found += [r.stateless_uniform((s,), seed, None, None, kind) for s in (1, 9)]
        else:
            total += r.stateless_normal((5,), seed, 1.5, 0.5, kind)
            total += r.stateless_normal((), seed, 1.5, 0.5, kind)
            total += r.stateless_truncated_normal((), seed, dtype=kind)
            found.append(r.stateless_truncated_normal((4,), seed, dtype=kind))
    return total, found, r.split(tf.constant([3, 4])), r.fold_in([1, 2], n)


def mixed(n, kind):
    found = tf.zeros((), kind)
    for i in tf.range(n):
        found += tf.random.uniform((), dtype=kind)
        found += tf.cast(tf.reduce_sum(tf.random.shuffle(tf.range(4)) * [1, 2, 3, 4]), kind)
        if i == 3:
            tf.random.set_seed(11)
        found += tf.random.normal((), dtype=kind, seed=2)
        tf.py_function(lambda: tf.random.uniform(()), [], [])
        found += tf.random.gamma((), 2.0, dtype=kind)
    return found


def in_calls(n, kind):
    def walk(m, x):
        if m > 0:
            return walk(m - 1, x + tf.random.uniform((), dtype=kind)) * 0.5
        return x + tf.random.normal((), dtype=kind)

    inner = tf.function(lambda: tf.random.uniform((), dtype=kind, seed=4))
    return walk(n, inner()) + inner()


CASES = [
    *[(program, kind) for program in (floats, arrays, sizes, mixed, in_calls)
      for kind in ("float32", "float64")],
    *[(seeded, kind) for kind in ("float32", "float64", "int32", "int64")],
    (floats, "float16"), (ints, "int8"), (ints, "uint8"), (ints, "int16"), (ints, "int32"),
    (ints, "uint32"), (ints, "int64"), (ints, "uint64"),
]  # fmt: skip


def numbers(result):
    return [np.asarray(part).tolist() for part in tf.nest.flatten(result)]


def in_turn(generator, n):
    total = tf.zeros(())
    for i in tf.range(n):
        total = total * 0.5 + generator.uniform((), -1.0, 1.0) + generator.normal(())
        total += tf.reduce_sum(generator.uniform((3, 2)) * generator.truncated_normal((3, 2)))
        total += tf.cast(generator.uniform((), i, 9, dtype=tf.int32), tf.float32)
        total += tf.cast(generator.uniform_full_int((2,), tf.int16)[1], tf.float32)
    return total


def test_generators_go_on_as_in_the_reference():
    found = []
    for jit in ("never", "always", "eager"):
        generator = tf.random.Generator.from_seed(2**63 + 5)
        run = in_turn if jit == "eager" else tf.function(in_turn)
        with JIT("never" if jit == "eager" else jit):
            results = [numbers(run(generator, tf.constant(5))) for _ in range(2)]
        found.append((results, generator.state.numpy().tolist()))
    assert found[0] == found[1] == found[2]


def as_function(program, kind, jit):
    with JIT(jit):
        staged = tf.function(lambda n: program(n, kind))
        tf.random.set_seed(5)
        return [numbers(staged(tf.constant(7))) for _ in range(2)] + numbers(tf.random.uniform(()))


def in_session(program, kind, jit):
    with JIT(jit), tf.Graph().as_default(), tf.Session() as session:
        tf.random.set_seed(5)
        holder = tf.placeholder(tf.int32, [])
        result = autograph.to_graph(lambda n: program(n, kind))(holder)
        return [numbers(session.run(result, {holder: 7})) for _ in range(2)]


@pytest.mark.parametrize(("program", "kind"), CASES)
def test_numbers_are_those_of_the_reference(program, kind):
    wanted = as_function(program, kind, "never")
    assert as_function(program, kind, "always") == wanted
    if nightly.EVERYTHING or CASES.index((program, kind)) % 2:
        assert in_session(program, kind, "always") == in_session(program, kind, "never")
    tf.random.set_seed(5)
    assert numbers(program(tf.constant(7), kind)) == wanted[0]


def loop_by_seed(n, kind):
    total = tf.zeros((), kind)
    for i in tf.range(n):
        total += tf.random.stateless_normal((), tf.constant([1, 3]) * i, dtype=kind)
    return total


def loop_by_state(n, kind):
    total = tf.zeros((), kind)
    for _ in tf.range(n):
        total += GENERATOR.uniform((), dtype=kind)
    return total


LOOPS = [
    (floats, "float32"), (ints, "int32"), (loop_by_seed, "float64"), (loop_by_state, "float32"),
]  # fmt: skip


@pytest.mark.parametrize(("program", "kind"), LOOPS)
def test_draws_call_no_kernels(program, kind):
    from runtime.engine.llvm.native import why_it_does_not_pay

    with lowered_modules() as modules:
        tf.function(lambda n: program(n, kind))(tf.constant(3))
    assert [why_it_does_not_pay(module) for module in modules] == [""] * len(modules)


def test_the_counter_of_the_generator_carries():
    def f(kind):
        return [tf.random.uniform((), dtype=kind), tf.random.uniform((30,), dtype=kind)] * 3

    found = []
    for jit in ("never", "always"):
        staged = tf.function(f)
        with JIT(jit):
            for kind in ("float32", "float64"):
                tf.random.set_seed(1)
                staged(kind)
                (stream,) = PROCESS.streams.values()
                source = stream._generator.bit_generator
                state = source.state
                state["state"]["counter"][:] = [2**64 - 3, 2**64 - 1, 2**64 - 1, 7]
                source.state = state
                found.append((numbers(staged(kind)), str(source.state)))
    assert found[:2] == found[2:]


def test_wrong_limits_raise_as_in_the_reference():
    def f(low):
        total = tf.random.uniform((), 0, 10, dtype=tf.int32)
        return total + tf.random.uniform((), low, 3, dtype=tf.int32)

    texts = []
    for jit in ("never", "always"):
        staged = tf.function(f)
        tf.random.set_seed(1)
        with JIT(jit), pytest.raises(tf.errors.InvalidArgumentError) as error:
            staged(tf.constant(3))
        texts.append((str(error.value), float(tf.random.uniform(()))))
    assert texts[0] == texts[1]


def test_the_largest_numbers_stay_below_the_limit():
    """Rounding may reach the limit: the number before it is given then."""

    @tf.function
    def f(n, low, high):
        most = low
        for _ in tf.range(n):
            most = tf.maximum(most, tf.random.uniform((), low, high))
        return most

    low, high = np.float32(1.0), np.nextafter(np.float32(1.0), np.float32(2.0))
    found = []
    for jit in ("never", "always"):
        with JIT(jit):
            tf.random.set_seed(1)
            found.append([float(f(50, tf.constant(low), tf.constant(x))) for x in (high, low, 0.5)])
    assert found[0] == found[1]
    assert found[0][0] == 1.0


def test_native_code_waits_for_a_kernel_that_draws():
    started, drawn = threading.Event(), []
    draw = tf.function(lambda: tf.random.uniform((), dtype=tf.float64))

    def kernel():
        (stream,) = PROCESS.streams.values()
        with stream.drawing() as rng:
            started.set()
            time.sleep(0.05)
            drawn.append(rng.random())

    with JIT("always"):
        tf.random.set_seed(6)
        wanted = [float(draw()) for _ in range(3)]
        tf.random.set_seed(6)
        first = float(draw())
        helper = threading.Thread(target=kernel)
        helper.start()
        started.wait()
        last = float(draw())
        helper.join()
    assert [first, *drawn, last] == wanted


def test_threads_share_a_stream():
    """Each number is drawn once, natively or by kernels."""

    @tf.function
    def many(n):
        found = tf.zeros((0,), tf.float64)
        numbers = tf.TensorArray(tf.float64, n)
        for i in tf.range(n):
            numbers = numbers.write(i, tf.random.uniform((), dtype=tf.float64))
        return tf.concat([found, numbers.stack()], 0)

    drawn = []

    def eagerly():
        drawn.extend(tf.random.uniform((500,), dtype=tf.float64).numpy() for _ in range(40))

    with JIT("always"):
        many(tf.constant(1))
        tf.random.set_seed(9)
        threads = [
            threading.Thread(target=lambda: drawn.append(many(tf.constant(20_000)).numpy())),
            threading.Thread(target=lambda: drawn.append(many(tf.constant(20_000)).numpy())),
            threading.Thread(target=eagerly),
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    tf.random.set_seed(9)
    wanted = tf.random.uniform((60_000,), dtype=tf.float64).numpy()
    assert sorted(np.concatenate(drawn).tolist()) == sorted(wanted.tolist())
