"""Programs of NumPy on complex arrays, and on masks: native code does what NumPy does."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from tests.support.extras import needs

pytestmark = needs("jit")


def products(a, b, v):
    return (
        a @ b, a @ v, v @ b, v @ v, a.T @ a.conj(), np.dot(a, v), np.tensordot(a, b, 1),
        a[::2] @ b[:, 1:4], np.vdot(v, v), np.vecdot(a, a), np.einsum("ij,jk->ik", a, b),
    )  # fmt: skip


def elements(z, n):
    total = z[0] * 0
    for k in range(1, n):
        z[k] = z[k - 1] * 2 + 1j
        total = total + abs(z[k]) * z[0]
    return total, z * 2


def rows(a, b, total):
    for k in range(a.shape[0]):
        for i in range(a.shape[1]):
            total[i] += a[k, i] @ b[i] * a[i, k, 0, 0]


def functions(z):
    parts = np.angle(z) + z.real, np.exp(z * 0.1) / np.sqrt(z), z.mean(0), np.conj(z) * 2j
    return *parts, z**2, np.where(z == 1, z, 2), np.concatenate([z, z]), z.astype(bool)


def iterated(z, c, counts):
    for n in range(4):
        inside = np.less(abs(z), 2.0)
        counts[inside] = n
        z[inside] = z[inside] ** 2 + c[inside]


def complexes(*shape, dtype=np.complex128):
    rng = np.random.default_rng(len(shape))
    return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(dtype)


@pytest.mark.parametrize(("program", "inputs"), [
    (products, lambda: (complexes(7, 5), complexes(5, 9), complexes(5))),
    (products, lambda: [complexes(*n, dtype=np.complex64) for n in ((7, 5), (5, 9), (5,))]),
    (elements, lambda: (complexes(6), 6)),
    (rows, lambda: (complexes(3, 3, 3, 3), complexes(3, 3, 3), complexes(3, 3, 3))),
    (functions, lambda: (complexes(4, 7),)),
    (iterated, lambda: (complexes(9, 7), complexes(9, 7), np.zeros((9, 7), int))),
])  # fmt: skip
def test_as_numpy(program, inputs):
    mine, theirs = inputs(), inputs()
    native = tf.jit(program, jit_compile=True)
    found, wanted = native(*mine), program(*theirs)
    for one, other in zip([*(found or ()), *mine], [*(wanted or ()), *theirs], strict=True):
        assert np.asarray(one).dtype == np.asarray(other).dtype
        np.testing.assert_allclose(one, other, 2e-5 if other is wanted or mine[0].itemsize == 8
                                   else 1e-12)  # fmt: skip
    if program not in (products,):
        assert "callback" not in native.kernel_ir(*inputs())


def assigned(a, mask, value):
    a[mask] = value


MASKS = (
    (np.arange(3) % 2 == 0, np.ones((2, 4)) * 5), (np.arange(3) % 2 == 0, np.ones(4) * 5),
    (np.arange(3) % 2 == 0, np.ones((3, 4))), (np.zeros((3, 4), bool), np.ones(0)),
    (np.ones((3, 4), bool), np.ones(11)), (np.ones((3, 4), bool), np.arange(12.0)[::-1]),
    (np.ones((4, 3), bool).T, np.arange(24.0)[::2]), (np.ones(4, bool), np.ones(4)),
    (np.arange(12).reshape(3, 4) % 5 == 1, np.float64(7.0)), (np.ones((4, 3), bool), 2.0),
)  # fmt: skip


@pytest.mark.parametrize(("mask", "value"), MASKS)
def test_assigned_by_a_mask(mask, value):
    def outcome(function):
        a = np.arange(12.0).reshape(3, 4)
        try:
            function(a, mask, value)
        except Exception as error:
            return type(error), str(error), a.tolist()
        return a.tolist()

    assert outcome(tf.jit(assigned, jit_compile=True)) == outcome(assigned)


def test_what_is_assigned_by_a_mask_may_share_memory():
    def turned(a, mask):
        a[mask] = a[::-1][mask]

    mine, theirs = np.arange(12.0).reshape(3, 4), np.arange(12.0).reshape(3, 4)
    mask = theirs % 3 > 0
    tf.jit(turned, jit_compile=True)(mine, mask)
    turned(theirs, mask)
    np.testing.assert_array_equal(mine, theirs)


def test_shapes_are_counted_where_nothing_else_is_known():
    spec = tf.TensorSpec([None, None], "float32")
    native = tf.function(lambda x: tf.math.count_nonzero(tf.shape(x)), [spec], jit_compile=True)
    assert native(tf.zeros([2, 0])).numpy() == 1
