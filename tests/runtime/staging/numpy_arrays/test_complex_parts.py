"""``real`` and ``imag`` of NumPy's arrays in traces: views, as in NumPy."""

import numpy as np
import pytest

import runtime as tf


def changed(z, w):
    z.real[1:] += 2
    z.imag *= w.real
    sums = np.real(z).sum(0) + np.imag(w)
    return sums, z.real[0], abs(w).real, w.real.imag, z.conj().imag, z[0, 0].real


def in_a_loop(z, n):
    for k in range(n):
        z.imag[k] = z.real[k] * 2
    return z.imag.sum()


@pytest.mark.parametrize("stage", [tf.function, tf.jit])
def test_parts_are_views(stage):
    def inputs():
        return np.arange(12).reshape(3, 4) * (1 + 0.5j), np.arange(4) - 2j

    mine, theirs = inputs(), inputs()
    found, wanted = stage(changed)(*mine), changed(*theirs)
    for one, other in zip([*mine, *found], [*theirs, *wanted], strict=True):
        np.testing.assert_array_equal(one, other)


def test_parts_change_in_a_staged_loop():
    mine, theirs = (np.arange(3, dtype="float64").reshape(3, 1) + 1j for _ in range(2))
    assert tf.jit(in_a_loop)(mine, 2) == in_a_loop(theirs, 2)
    np.testing.assert_array_equal(mine, theirs)


def test_zeros_are_the_imaginary_part_of_real_numbers():
    np.testing.assert_array_equal(tf.jit(lambda x: x.imag + x.real)(np.arange(3.0)), np.arange(3.0))
