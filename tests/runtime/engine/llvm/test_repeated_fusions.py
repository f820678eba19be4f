"""Loops whose body is one fusion run all turns of a block of elements before the next block.

Each element has the bits that it has where each turn goes over the whole arrays.
"""

import numpy as np
import pytest

import runtime as tf
from runtime.engine.llvm.codegen import generate
from runtime.engine.llvm.vector_math import processor
from tests.runtime.engine.llvm.native_arrays import agree, layouts, numbers
from tests.runtime.engine.llvm.native_programs import lowered_modules

pytest.importorskip("llvmlite")


def mandelbrot(a, b, n):
    x, y, found = tf.zeros_like(a), tf.zeros_like(a), tf.zeros_like(a, dtype=tf.int32)
    for _ in tf.range(n):
        inside = x * x + y * y <= 4.0
        found += tf.cast(inside, tf.int32)
        x, y = tf.where(inside, x * x - y * y + a, x), tf.where(inside, 2.0 * x * y + b, y)
    return x, y, found


def rows(a, b, n):
    x, fixed, column = a * 1.0, b[:1], b[:, :1]
    for _ in tf.range(n):
        x = tf.tanh(x * fixed + column) - 0.5
    return x, fixed


def mixed(a, b, n):
    small, large, flags = tf.cast(a * 9, tf.int8), tf.cast(b, tf.float64), a > b
    for _ in tf.range(n):
        flags = tf.math.logical_xor(flags, small > 3)
        small = tf.where(flags, small * 3, small + 1)
        large = large * 0.5 + tf.cast(a, tf.float64)
    return small, large, flags


def by_strips(a, b, n):
    x, last = a, b
    for _ in tf.range(n):
        x = tf.where(x > 1.0, x - 1.0, x * 1.5 + b)
        last = x * 2.0
    return x, last


def of_complex(a, b, n):
    z, c = tf.complex(a, b) * 0.1, tf.complex(b, a) * 0.1
    for _ in tf.range(n):
        z = z * z + c
    return z


PROGRAMS = [mandelbrot, rows, mixed, by_strips, of_complex]
SHAPES = [(0, 3), (1, 1), (5, 3), (4, 32), (3, 67), (1, 200)]


def repeats(f, *args):
    """Whether the native code of a function runs turns by blocks."""
    with lowered_modules() as modules:
        tf.function(f, jit_compile=True)(*args)
        return any("_turns(" in generate(module) for module in modules)


def inputs(shape, turns=5):
    a, b = (numbers(shape, "float32", seed) / 9 for seed in (1, 2))
    return tf.constant(a), tf.constant(b), tf.constant(turns)


def results(function):
    """The results for all inputs, however they lie in memory."""
    found = []
    for shape in SHAPES:
        for turns in (0, 1, 2, 7):
            a, b, n = inputs(shape, turns)
            for one in layouts(a.numpy()):
                found += [v.numpy() for v in tf.nest.flatten(function(one, b, n))]
    return found


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_blocks_have_the_bits_of_whole_arrays(program, monkeypatch):
    assert repeats(program, *inputs((5, 3))) == (processor.host().vector_bits > 0)
    spec = [tf.TensorSpec([None, None])] * 2 + [tf.TensorSpec([], tf.int32)]
    found = results(tf.function(program, spec, jit_compile=True))
    if program is rows:  # tanh has not the bits of NumPy's
        monkeypatch.setattr("runtime.engine.llvm.arrays.instructions.lanes_of", lambda fusion: 1)
    wanted = results(tf.function(program, spec, jit_compile=program is rows))
    for one, other in zip(found, wanted, strict=True):
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        assert one.tobytes() == other.tobytes()


@pytest.mark.parametrize("work", [1, 4000])
def test_turns_go_on_after_a_look_at_signals(work, monkeypatch):
    monkeypatch.setattr("runtime.engine.llvm.arrays.repeated_code.WORK", work)
    for program in PROGRAMS[2:]:
        agree(program, *inputs((4, 33), 20))


def test_large_arrays_are_shared_by_threads():
    agree(mandelbrot, *inputs((700, 900), 9))


def swapped(a, b, n):
    for _ in tf.range(n):
        a, b = b, a * 0.5 + b
    return a, b


def numbered(a, b, n):
    for k in tf.range(n):
        a = a + tf.cast(k, tf.float32)
    return a


def peaks(a, b, n):
    for _ in tf.range(n):
        a = a * 0.5 + tf.reduce_max(a)
    return a


def shifted(a, b, n):
    for _ in tf.range(n):
        a = a * 0.5 + a[::-1]
    return a


def growing(a, b, n):
    x = a[:1]
    for _ in tf.range(n):
        tf.autograph.experimental.set_loop_options(
            shape_invariants=[(x, tf.TensorShape([None, None]))]
        )
        x = x * 0.5 + a
    return x


@pytest.mark.parametrize("program", [swapped, numbered, peaks, shifted, growing],
                         ids=lambda f: f.__name__)  # fmt: skip
def test_other_loops_go_over_whole_arrays(program):
    agree(program, *inputs((5, 40)))
    assert program is growing or not repeats(program, *inputs((5, 40)))


def test_arguments_do_not_change():
    def f(a, b, n):
        for _ in tf.range(n):
            a = a * 0.5 + b
        return a

    a, b, n = inputs((4, 50))
    before = a.numpy().copy()
    native = tf.function(f, jit_compile=True)
    first = native(a, b, n)
    kept = first.numpy().copy()
    native(first, first, n)
    np.testing.assert_array_equal(a, before)
    np.testing.assert_array_equal(first, kept)
