"""Products of matrices in tiles: all sizes of what is left at the edges, and all layouts."""

import ctypes
from functools import cache
from itertools import product

import numpy as np
import pytest

import runtime as tf
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
        declared = "declare ptr @rt_take(i64)\ndeclare void @rt_give(ptr)\n"
        code, symbols = declared + tiled_code(element, processor), compiler.support()
        address = compiler.functions(code, [name], symbols)[name]
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


def test_chosen_tiles():
    from runtime.engine.llvm.arrays import tile_choice
    from runtime.engine.llvm.kernel_types import Scalar
    from runtime.engine.llvm.vector_math.processor import Processor

    def chosen(rows, columns, inner, bits=512):
        patch.setattr(tile_choice, "host", lambda: Processor(bits, has_fma=True))
        return tile_choice.faster_in_tiles(Scalar("f", 32), [str(rows), str(columns), str(inner)])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tile_choice, "vector_bits", lambda: 512)
        assert chosen(32, 512, 192) and chosen(192, 512, 32) and chosen(4000, 96, 900)
        assert not chosen(512, 512, 512) and not chosen(64, 64, 64) and not chosen(512, 512, 16)
        assert not chosen("%rows", 512, 192)
        assert not chosen(32, 512, 192, bits=256)
        patch.setattr(tile_choice, "vector_bits", lambda: 256)
        assert not chosen(32, 512, 192)


@pytest.mark.parametrize("transposed", [(False, False), (True, False), (False, True)])
def test_products_in_chosen_tiles(transposed, monkeypatch):
    from runtime.engine.llvm.arrays import product_code

    random, (turn_a, turn_b) = np.random.default_rng(0), transposed
    a, b = random.normal(size=(33, 130)), random.normal(size=(130, 70))
    given = np.ascontiguousarray(a.T if turn_a else a), np.ascontiguousarray(b.T if turn_b else b)
    monkeypatch.setattr(product_code, "faster_in_tiles", lambda *known: True)
    tf.config.threading.set_intra_op_parallelism_threads(1)
    try:
        product = tf.function(
            lambda a, b: tf.matmul(a, b, turn_a, turn_b), jit_compile=True
        )(*map(tf.constant, given))
    finally:
        tf.config.threading.set_intra_op_parallelism_threads(0)
    np.testing.assert_allclose(product, a @ b, rtol=1e-12, atol=1e-12)
