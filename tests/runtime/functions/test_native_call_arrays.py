"""Direct calls of machine code with arrays that it reads, changes and returns."""

import sys

import numpy as np
import pytest

import runtime as tf
from autograph.errors import EffectError
from runtime.types.flags import JIT
from tests.runtime.functions.test_native_call import alike, warm
from tests.support.extras import needs

pytestmark = needs("jit")


@pytest.fixture(autouse=True)
def _at_once():
    with JIT("always"):
        yield


def read(a, n):
    result = 0.0
    for i in range(n):
        result += a[i]
    return result


def bubbled(a, n):
    for i in range(n):
        for j in range(n - 1 - i):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
    return a


def shifted(a, b, n):
    for i in range(n):
        a[i] = b[i] + 1.0
        b[n - 1 - i] = a[i]
    return a[0], {"b": b}


def prefixes(a, n):
    out = np.zeros(n)
    for i in range(n):
        out[i] = out[i - 1] + a[i]
    return out, n


def test_arrays_go_in_as_they_are():
    compiled, array = warm(tf.jit(read), np.arange(4.0), 4), np.arange(4.0)
    for other in array, array[::-1], array[1:], array.astype("f4"), array.view(np.memmap), array:
        alike(compiled(other, len(other)), read(other, len(other)))
    array.flags.writeable = False
    assert compiled(array, 4) == 6.0
    with pytest.raises(IndexError):
        compiled(array, 5)


def test_changed_arrays_are_the_callers():
    compiled = warm(tf.jit(bubbled), np.array([3.0, 1.0, 2.0]), 3)
    direct = compiled._direct[2]
    array = np.array([3.0, 1.0, 2.0])
    assert direct(array, 3) is array and array.tolist() == [1.0, 2.0, 3.0]
    array = np.array([3.0, 1.0, 9.0, 2.0, 9.0])
    assert direct(array[::2], 3).base is array and array.tolist() == [3.0, 1.0, 9.0, 2.0, 9.0]
    array[:] = array[::-1].copy()
    assert compiled(array[::2], 3).base is array and array.tolist() == [3.0, 2.0, 9.0, 1.0, 9.0]
    array.flags.writeable = False
    with pytest.raises(EffectError, match="is read-only"):
        compiled(array[:3], 3)


def test_an_exception_leaves_in_arrays_what_python_leaves():
    compiled = warm(tf.jit(bubbled), np.array([3.0, 1.0, 2.0]), 3)
    found, expected = np.array([3.0, 1.0, 2.0]), np.array([3.0, 1.0, 2.0])
    for function, array in (compiled, found), (bubbled, expected):
        with pytest.raises(IndexError):
            function(array, 4)
    assert found.tolist() == expected.tolist() != [3.0, 1.0, 2.0]


def test_changed_arrays_that_share_memory():
    compiled = warm(tf.jit(shifted), np.zeros(4), np.ones(4), 4)
    for part in slice(None), slice(None, None, -1):
        found, expected = np.arange(4.0), np.arange(4.0)
        for function, array in (compiled, found), (shifted, expected):
            function(array, array[part], 4)
        assert found.tolist() == expected.tolist()
    a, b, c, d = np.zeros(4), np.arange(4.0), np.zeros(4), np.arange(4.0)
    result, wanted = compiled(a, b, 4), shifted(c, d, 4)
    assert result[0] == wanted[0] and type(result[0]) is np.float64 and result[1]["b"] is b
    assert (a.tolist(), b.tolist()) == (c.tolist(), d.tolist())


def test_arrays_that_are_made_are_new_in_each_call():
    compiled = warm(tf.jit(prefixes), np.arange(4.0), 4)
    one, two = compiled(np.arange(4.0), 4), compiled(np.arange(4.0), 3)
    one[0][:] = 7.0
    assert two[0].tolist() == [0.0, 1.0, 3.0] and two[1] == 3
    assert compiled(np.arange(4.0), 4)[0].tolist() == [0.0, 1.0, 3.0, 6.0]
    assert one[0].flags.owndata and one[0].flags.writeable


def chosen(a, b, first):
    found = a.copy()
    if first > 0:
        found[0] = b[1]
    else:
        found = b
    return found


def halves(a):
    made = np.zeros(2)
    made[0] = a[0]
    before = made.copy()
    made[1] = before[0] + a[1]
    before[0] = -1.0
    made[0] += made[1]
    return made, before, made


def filled_columns(a):
    made = np.zeros((3, 2)).T
    made[0, 1] = a[1]
    made[1, 2] = a[2]
    return made


def test_results_that_the_caller_has_are_copied():
    compiled = warm(tf.jit(chosen), np.arange(3.0), np.ones(3), 1)
    for first in 1, 0, 1:
        a, b = np.arange(3.0), np.ones(3)
        direct = compiled._direct[3](a, b, first)
        alike(direct, chosen(np.arange(3.0), b, first))
        direct[:] = 9.0
        assert a.tolist() == [0.0, 1.0, 2.0] and b.tolist() == [1.0, 1.0, 1.0]


def test_results_share_no_memory():
    compiled = warm(tf.jit(halves), np.array([1.0, 2.0]))
    for _ in range(3):
        found = compiled._direct[1](np.array([1.0, 2.0]))
        alike(found, halves(np.array([1.0, 2.0])))
        for array in found:
            array += 1.0  # which the next call must not see


def test_views_that_are_made_and_written():
    compiled = warm(tf.jit(filled_columns), np.arange(3.0))
    array = np.arange(3.0)
    for _ in range(2):
        found = compiled._direct[1](array)
        alike(found, filled_columns(array))
        assert found.flags.owndata and found.flags.c_contiguous
    array.flags.writeable = False
    alike(compiled(array), filled_columns(array))


def test_an_error_beside_results_of_arrays_loses_no_reference():
    def pair(a, n):
        made = np.zeros(2)
        made[n] = a[0]
        return made, a[n], made

    compiled, array = warm(tf.jit(pair), np.ones(2), 0), np.ones(2)
    before = sys.getrefcount(array)
    for n in 1, 5, -2, -3:
        for _ in range(3):
            if -2 <= n < 2:
                alike(compiled(array, n), pair(array, n))
                continue
            with pytest.raises(IndexError):
                compiled(array, n)
    assert sys.getrefcount(array) == before


def scaled(alpha, x, n):
    for i in range(n):
        x[i] = alpha * x[i]
    return x.sum() * alpha, alpha


def test_scalars_of_numpy_go_in_as_numbers():
    args = np.float64(0.5), np.arange(4.0), np.int64(3)
    compiled = warm(tf.jit(scaled), *args)
    for alpha, n in ((np.float64(2.0), np.int64(2)), (np.float64(-0.0), np.int64(4)),
                     (np.float32(2.5), np.int64(1)), (3.0, 2), (True, np.int32(2)),
                     (np.float64(np.nan), np.int64(0))):  # fmt: skip
        x, y = np.arange(4.0), np.arange(4.0)
        alike(compiled(alpha, x, n), scaled(alpha, y, n))
        alike(x, y)
    with pytest.raises(IndexError):
        compiled(np.float64(1.0), np.arange(4.0), np.int64(5))


def of_new_arrays(a, b):
    return np.linalg.cholesky(a + a.T) + np.triu(b, 1), np.cov(np.transpose(b)), b.sum()


def of_rounded(a, b):
    return np.round(b), b.round(), np.where(b > 2, b, 0)


def of_views(a, b):
    return np.transpose(a), np.reshape(b, (9, 1)), b[1:]


def of_a_written_one(a, b):
    c = np.tril(b)
    d = np.transpose(b)
    b[0] = np.cumsum(a)[:3]
    return c, d, np.tril(b)


@pytest.mark.parametrize("function", [of_new_arrays, of_rounded, of_views, of_a_written_one])
def test_arrays_that_kernels_of_numpy_take(function):
    compiled = tf.jit(function)
    for dtype in (np.float64, np.int64):
        a = np.eye(3, dtype=dtype) * 5
        for turn in range(4):
            b = (np.arange(9) + turn).reshape(3, 3).astype(dtype)
            given, expected = (a.copy(), b.copy()), (a.copy(), b.copy())
            wanted = [np.array(one) for one in function(*expected)]
            found = compiled(*given)
            for one, other in zip(given, expected, strict=True):
                np.testing.assert_array_equal(one, other)
            assert not any(np.shares_memory(x, y) for x in found for y in given)
            for one in given:
                one[...] = 77
            for one, other in zip(found, wanted, strict=True):
                np.testing.assert_allclose(one, other, rtol=1e-12, strict=True)
        assert 2 in compiled._direct
