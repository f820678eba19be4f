"""Programs that write elements of NumPy's arrays in native code: arrays change as Python does it,
and those of the caller's only when the call returns.
"""

import gc
import re
import sys
import tracemalloc

import numpy as np
import pytest

import runtime as tf
from runtime.engine.llvm.printer import print_module
from tests.runtime.engine.llvm.native_programs import lowered_modules

pytest.importorskip("llvmlite")

DTYPES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32",
    "float64",
)  # fmt: skip


ERRORS = (IndexError, ValueError, TypeError, OverflowError)


def prime_flags(n):
    flags = np.ones(n, dtype=bool)
    flags[0] = False
    flags[-n + 1] = False
    i = 2
    while i * i < n:
        if flags[i]:
            for j in range(i * i, n, i):
                flags[j] = False
        i += 1
    return flags


def prefix_sums(a, n):
    out = np.zeros(n + 1)
    for i in range(n):
        out[i + 1] = out[i] + a[i]
    return out


def product(a, b, n):
    c = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            for k in range(n):
                c[i, j] += a[i, k] * b[k, j]
    return c


def distance(a, b, n, m):
    d = np.zeros((n + 1, m + 1), dtype=np.int64)
    for i in range(n + 1):
        d[i, 0] = i
    for j in range(m + 1):
        d[0, j] = j
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + cost)
    return d[n, m]


def bubbled(a, n):
    for i in range(n):
        for j in range(n - 1 - i):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
    return a


def left(function, args):
    """What a function gives, or raises, and what it leaves in its arguments; with the types."""
    args = [x.copy() if isinstance(x, np.ndarray) else x for x in args]
    try:
        found = function(*args)
    except Exception as error:
        found = type(error), str(error).splitlines()[0]
    return [
        (x.dtype, repr(x.tolist())) if isinstance(x, np.ndarray | np.generic)
        else x if isinstance(x, tuple) else (type(x), repr(x))
        for x in (found, *args)
    ]


def written(a, x, i, n):
    for j in range(n):
        a[i + j] = x
    return a[0]


def copied(a, b, n):
    for i in range(n):
        a[i] = b[i]
    return a[-1]


def transposed(a, n):
    for i in range(n):
        for j in range(i):
            a[i, j], a[j, i] = a[j, i], a[i, j]
    return a


def check_writes(function, *cases):
    """Check that three calls do natively what Python does, and raise what other engines raise."""
    from runtime.engine.llvm.native import why_it_does_not_pay

    with lowered_modules() as modules:
        native = tf.jit(function)
        for case in cases * 3:
            found, expected = left(native, case), left(function, case)
            if expected[0][0] in ERRORS:
                assert issubclass(found[0][0], expected[0][0])
                expected = left(tf.jit(function, jit_compile=False), case)
            assert found == expected, case
    assert modules
    for module in modules:
        assert not why_it_does_not_pay(module)


def test_programs():
    values = np.array([5.0, -1.0, np.nan, 2.0, 2.0, -np.inf, 7.0])
    check_writes(prime_flags, (30,), (2,), (5,))
    check_writes(prefix_sums, (values, 7), (values[::-2], 3))
    check_writes(bubbled, (values, 7), (values, 3), (values, 9), (values, 0))
    square = np.arange(9.0).reshape(3, 3)
    check_writes(product, (square, square.T, 3), (square[::-1], np.asfortranarray(square), 2))
    one, two = np.array([1, 2, 3, 4]), np.array([2, 3, 3, 1])
    check_writes(distance, (one, two, 4, 4), (one, two, 2, 3), (one, two, 5, 3))


VALUES = (True, 0, -1, 127, -129, 2**31, 2**63 - 1, 2.5, -0.7, 1e300, float("nan"), -0.0)


@pytest.mark.filterwarnings("ignore:.*encountered in cast")
@pytest.mark.parametrize("dtype", ["bool", "int8", "int64", "uint16", "uint64", "float32"])
def test_numbers_that_are_converted(dtype):
    limits = np.array([0, 1, -1, -128, 127, 128, 256, 2**31, -(2**31), 2**62])
    floats = np.array([0.5, -0.5, 1e10, np.nan, -np.inf, 1e300, 2.0**63, 2.0**64])
    kinds = "bool", "int64", "int8", "uint32", "uint64"
    sources = [*map(limits.astype, kinds), floats, floats.astype("float32")]
    check_writes(written, *[(np.ones(3, dtype), x, 1, 2) for x in VALUES])
    each = [source[k : k + 1] for source in sources for k in range(len(source))]
    check_writes(copied, *[(np.ones(2, dtype), source, 1) for source in each])


def test_indices():
    def grid(a, i, n):
        for _ in range(n):
            a[1, i] = 7.0
        return a

    indices = 3, -4, -3, -1, 2**31, -(2**40), 2**63 - 1
    check_writes(written, *[(np.ones(3), 2.0, index, 1) for index in indices])
    check_writes(grid, *[(np.ones((3, 3)), index, n) for index in indices for n in (0, 2)])


def ways(a, n):
    for i in range(n):
        row = a[i]
        for j in range(1, n):
            a[i][j] += a[i - 1][j]
            row[j] = row[j] + row[j - 1]
    return a


def cubed(a, n):
    for i in range(n):
        a[i][0][n - 1 - i] = i
        a[i, -1][i] += a[0][i][0]
        a[i][1, i] *= 2
    return a


def last_read_row(a, i, n):
    for j in range(n):
        before = a[j] + 0
        a[j][i + j] = 1.5
        a[j][0] = before[i]
    return a


def test_elements_of_rows():
    square = np.arange(9.0).reshape(3, 3)
    check_writes(ways, *[(array, 3) for array in layouts(square)])
    check_writes(cubed, (np.arange(27).reshape(3, 3, 3), 3), (np.arange(27).reshape(3, 3, 3), 4))
    with lowered_modules():
        native = tf.jit(last_read_row)
        for i in 0, 1, -1, 2, -4:
            assert left(native, (square, i, 2)) == left(last_read_row, (square, i, 2))


def sized(n):
    table = np.zeros((n, n + 1))
    for i in range(len(table)):
        for j in range(table.shape[1]):
            table[i, j] = len(table) * j - table.shape[-1]
    return table, len(table)


def test_sizes():
    with lowered_modules():
        native = tf.jit(sized)
        for n in 0, 1, 4, 2:
            found, expected = native(n), sized(n)
            assert np.array_equal(found[0], expected[0]) and found[1] == expected[1]


def layouts(array):
    """The array, and others of the same items with other strides; one is read-only."""
    wide = np.repeat(array, 2, axis=0)
    unaligned = np.frombuffer(bytearray(b"x" + array.tobytes()), array.dtype, array.size, 1)
    read_only = array.copy()
    read_only.flags.writeable = False
    return [array, array[::-1], wide[::2], unaligned.reshape(array.shape), read_only, array.T,
            array.astype(array.dtype.newbyteorder(">")), np.asfortranarray(array)]  # fmt: skip


def test_layouts():
    check_writes(bubbled, *[(array, 4) for array in layouts(np.arange(4.0))])
    square = layouts(np.arange(9.0).reshape(3, 3))
    check_writes(transposed, *[(array, 3) for array in square])
    check_writes(product, *[(array, array.T, 3) for array in square])


def shared(a, n):
    b = a.copy()
    c = b.copy()
    before = a.copy()
    for i in range(n):
        b[i] = c[i] + before[-1 - i]
        c[i] = b[i] * 2.0
        a[i] = c[-1]
        if b[i] > 3.0:
            c = b.copy()
    return b, c, a[0]


def test_arrays_that_share_their_items_until_one_changes():
    def check(found, array):
        for mine, its in zip((*found, array), (*shared(whole := np.arange(5.0), 5), whole)):
            assert np.array_equal(mine, its)

    with lowered_modules():
        native = tf.jit(shared)
        for _ in range(3):
            array = np.arange(5.0)
            check(native(array, 5), array)


def test_two_names_for_one_array():
    def both(a, b, n):
        for i in range(n):
            a[i] = b[i - 1] + 1.0
            b[n - 1 - i] = a[i] * 2.0

    with lowered_modules():
        native = tf.jit(both)
        for view in lambda x: x, lambda x: x[::-1], lambda x: x[:4], lambda x: x.copy():
            found, expected = np.arange(5.0), np.arange(5.0)
            native(found, view(found), 4)
            both(expected, view(expected), 4)
            assert np.array_equal(found, expected)


def test_arrays_that_calls_return_are_not_changed_by_later_calls():
    def marked(a, i, n):
        b = a.copy()
        for j in range(n):
            b[i + j] = -1.0
        return b

    with lowered_modules():
        native, array = tf.jit(marked), np.arange(4.0)
        found = [native(array, i, 1) for i in range(4)]
    assert [list(b).index(-1.0) for b in found] == [0, 1, 2, 3]
    assert array.tolist() == [0.0, 1.0, 2.0, 3.0]


def bytes_of_arrays() -> int:
    """The elements of all arrays; what threads of other tests allocate meanwhile does not count."""
    numpys = tracemalloc.DomainFilter(inclusive=True, domain=np.lib.tracemalloc_domain)
    snapshot = tracemalloc.take_snapshot().filter_traces([numpys])
    return sum(trace.size for trace in snapshot.traces)


def test_no_reference_is_lost_or_kept():
    def moved(a, i, n):
        b = a.copy()
        c = b + 0
        for j in range(n):
            c[i + j] = b[j]
            b[j] = 2.5
        return b, c

    array, number = np.arange(2000), 2.5
    with lowered_modules():
        native, stored = tf.jit(moved), tf.jit(written)

        def calls(count):
            for _ in range(count):
                native(array, 5, 10)
                stored(array, number, 1, 2)
                for function, args in (native, (array, 1995, 9)), (stored, (array, 1e300, 0, 2)):
                    with pytest.raises((IndexError, OverflowError)):
                        function(*args)

        def held():
            gc.collect()
            return sys.getrefcount(array), sys.getrefcount(number)

        tracemalloc.start()
        calls(5)
        before, size = held(), bytes_of_arrays()
        calls(50)
        assert held() == before
        grown = bytes_of_arrays() - size
        tracemalloc.stop()
    assert grown < 50_000  # 50 lost arrays take 800,000 bytes


def counted(a, places, n):
    for i in range(n):
        if a[i] > 0:
            for j in range(places[i]):
                a[j] += 1
    return a


def kept_by_others(a, n):
    total = 0.0
    for i in range(n):
        a[i] = total
        total += np.median(a)
    return total


def test_what_loops_know_of_their_arrays(golden):
    with lowered_modules() as modules:
        tf.jit(counted)(np.array([2, 0, 1]), np.array([3, 1, 2]), 3)
        tf.jit(kept_by_others)(np.ones(3), 3)
    text = "\n\n".join(map(print_module, modules))
    golden("engine/loop_arrays_kernel_ir.txt", re.sub(" +#.*", "", text))
