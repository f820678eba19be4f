"""Products of matrices in tiles: all sizes of what is left at the edges, and all layouts."""

import ctypes
from functools import cache
from itertools import product

import numpy as np
import pytest

from tests.support.extras import needs

pytestmark = needs("jit")

SIZES = (  # rows, inner, columns
    (1, 1, 1), (2, 3, 4), (5, 7, 9), (12, 5, 32), (13, 330, 33), (50, 320, 16), (49, 641, 401),
    (100, 321, 385), (7, 1000, 17), (64, 64, 64), (48, 3, 100), (29, 2, 63),
)  # fmt: skip


@cache
def tiled(element, bits):
    """The function, called with arrays."""
    from runtime.engine.llvm.arrays.tile_code import TILED, tiled_code
    from runtime.engine.llvm.machine_code import _llvm
    from runtime.engine.llvm.vector_math.processor import Processor

    name = f"{TILED}_{element}"
    with _llvm() as compiler:
        processor = Processor(bits, has_fma=True)
        declared = "declare ptr @malloc(i64)\ndeclare void @free(ptr)\n"
        address = compiler.functions(declared + tiled_code(element, processor), [name], {})[name]
    pointer, word = ctypes.c_void_p, ctypes.c_int64
    takes = [pointer, word, word, pointer, word, word, pointer, word, word, word]
    function = ctypes.CFUNCTYPE(ctypes.c_bool, *takes)(address)

    def multiply(a, b):
        result = np.full((len(a), b.shape[1]), np.nan, a.dtype)
        data = a.ctypes.data, *a.strides, b.ctypes.data, *b.strides, result.ctypes.data
        assert function(*data, *result.shape, a.shape[1])
        return result

    return multiply


def layouts(x):
    yield x
    yield np.asfortranarray(x)
    yield np.concatenate([x, x], 1)[:, : x.shape[1]]


@pytest.mark.parametrize("element,dtype", [("float", "float32"), ("double", "float64")])
@pytest.mark.parametrize("bits", [128, 256, 512])
def test_tiles(element, dtype, bits):
    multiply, random = tiled(element, bits), np.random.default_rng(0)
    for m, k, n in SIZES:
        a, b = random.normal(size=(m, k)).astype(dtype), random.normal(size=(k, n)).astype(dtype)
        exact = a.astype("longdouble") @ b.astype("longdouble")
        bound = (abs(a) @ abs(b)) * np.finfo(dtype).eps * k
        for one, other in product(layouts(a), layouts(b)):
            assert (abs(multiply(one, other) - exact) <= bound).all()


def test_a_matrix_times_its_transpose_is_symmetric_to_the_bit():
    a = np.random.default_rng(0).normal(size=(67, 700))
    found = tiled("double", 256)(a, a.T)
    np.testing.assert_array_equal(found, found.T)


def test_nan_and_infinities_stay_in_their_rows_and_columns():
    a, b = np.ones((5, 6)), np.ones((6, 7))
    a[1, 2], b[3, 4] = np.nan, np.inf
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(tiled("double", 512)(a, b), a @ b)
