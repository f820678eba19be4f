"""Products of arrays in native code: the results are those of the kernels, which NumPy computes."""

import sys
import threading
import time

import numpy as np
import pytest

import runtime as tf
from runtime.engine.llvm.printer import print_module
from tests.runtime.engine.llvm.native_programs import lowered_modules
from tests.support.extras import needs

pytestmark = needs("jit")

SIZES = (  # rows, inner, columns
    (3, 4, 5), (1, 4, 5), (3, 4, 1), (1, 4, 1), (3, 1, 5), (1, 1, 5), (3, 1, 1), (1, 1, 1),
    (0, 4, 5), (3, 0, 5), (3, 4, 0), (0, 0, 0), (1, 0, 1), (40, 70, 33),
)  # fmt: skip


def numbers(shape, dtype="float64", seed=0):
    return np.random.default_rng(seed).normal(size=shape).astype(dtype)


def layouts(x):
    """The same elements, laid out in different ways."""
    yield x
    yield np.asfortranarray(x)
    yield np.repeat(x, 2, axis=-2)[..., ::2, :]
    yield np.repeat(x, 2, axis=-1)[..., ::2]
    yield x[..., ::-1, ::-1].copy()[..., ::-1, ::-1]
    yield x.astype(x.dtype.newbyteorder(">"))
    odd = np.empty(x.nbytes + 1, np.uint8)[1:].view(x.dtype).reshape(x.shape)
    odd[...] = x
    yield odd
    yield np.concatenate([x, x], -1)[..., : x.shape[-1]]


def same(found, expected):
    found, expected = np.asarray(found), np.asarray(expected)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    eps = np.finfo(found.dtype).eps
    np.testing.assert_allclose(found, expected, 100 * eps, 1000 * eps)


def text_of(function, *args):
    """Run a function natively; return the text of its kernel IR."""
    from runtime.engine.llvm.printer import print_module

    with lowered_modules() as modules:
        tf.function(function)(*args)
    return "\n".join(map(print_module, modules))


def check(function, *args):
    """Check that a function calls no kernel on its usual path, and gives what it gives eagerly."""
    text = text_of(function, *args)
    assert "= product" in text or "= add over" in text  # of vectors
    assert "callback" not in text
    same(tf.function(function, jit_compile=True)(*args), function(*map(tf.constant, args)))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("flips", [(False, False), (True, False), (False, True), (True, True)])
def test_matrices_of_all_layouts(dtype, flips):
    spec = tf.TensorSpec([None, None], dtype)
    native = tf.function(
        lambda a, b: tf.matmul(a, b, *flips), [spec, spec], jit_compile=True
    )
    for m, k, n in SIZES:
        a = numbers((k, m) if flips[0] else (m, k), dtype)
        b = numbers((n, k) if flips[1] else (k, n), dtype, 1)
        expected = tf.matmul(tf.constant(a), tf.constant(b), *flips)
        for one in layouts(a):
            for other in layouts(b):
                same(native(one, other), expected)


@pytest.mark.parametrize("m,k,n", SIZES)
def test_matrices_of_known_sizes(m, k, n):
    check(lambda a, b: tf.matmul(a, b), numbers((m, k)), numbers((k, n)))
    check(lambda a, b: tf.matmul(a, b, adjoint_b=True), numbers((m, k)), numbers((n, k)))


@pytest.mark.parametrize("shapes", [
    ((5, 3, 4), (4, 2)), ((3, 4), (5, 4, 2)), ((5, 3, 4), (5, 4, 2)), ((5, 1, 3, 4), (2, 4, 2)),
    ((1, 3, 4), (5, 4, 2)), ((0, 3, 4), (4, 2)), ((2, 3, 1, 4), (4, 2)), ((2, 3, 1, 4), (4, 1)),
    ((2, 3, 4), (2, 4, 1)),
])  # fmt: skip
def test_batches(shapes):
    specs = [tf.TensorSpec([None] * len(shape), "float64") for shape in shapes]
    native = tf.function(tf.matmul, specs, jit_compile=True)
    a, b = (numbers(shape) for shape in shapes)
    expected = np.matmul(a, b)
    for one in layouts(a):
        for other in layouts(b):
            same(native(one, other), expected)
    check(lambda a, b: a @ b, a, b)


@pytest.mark.parametrize("equation,shapes", [
    ("ij,jk->ik", ((3, 4), (4, 5))), ("bij,bjk->bik", ((2, 3, 4), (2, 4, 5))),
    ("ijk,kjl->il", ((3, 1, 4), (4, 1, 5))), ("...ij,j->...i", ((2, 3, 4), (4,))),
    ("i,i->", ((7,), (7,))), ("bi,bi->b", ((3, 4), (3, 4))), ("ib,bj->bij", ((2, 3), (3, 4))),
    ("i,j->ij", ((3,), (4,))), ("ijk,jkl->il", ((3, 4, 2), (4, 2, 5))),
])  # fmt: skip
def test_sums_by_einsteins_convention(equation, shapes):
    check(lambda a, b: tf.einsum(equation, a, b), *map(numbers, shapes))


@pytest.mark.parametrize(
    "equation", ["ij,jk->ki", "ij,ij->i", "ii,ij->j", "ij,kl->", "ij,jk,kl->il"]
)
def test_other_sums_by_einsteins_convention(equation):
    count = equation.count(",") + 1
    args = [numbers((3, 3), seed=seed) for seed in range(count)]

    def f(*args):
        return tf.einsum(equation, *args)

    same(tf.function(f, jit_compile=True)(*args), f(*args))


@pytest.mark.parametrize("axes,shapes", [
    (1, ((3, 4), (4, 5))), (2, ((3, 4, 2), (4, 2, 5))), (0, ((3, 2), (4,))),
    (((0,), (1,)), ((4, 3), (5, 4))), (((1, 0), (0, 1)), ((2, 3, 4), (3, 2, 5))),
])  # fmt: skip
def test_tensordot(axes, shapes):
    def f(a, b):
        return tf.tensordot(a, b, axes)

    check(f, *map(numbers, shapes))
    specs = [tf.TensorSpec([None] * len(shape), "float32") for shape in shapes]
    native = tf.function(f, specs, jit_compile=True)
    a, b = (numbers(shape, "float32") for shape in shapes)
    for one in (a, a.T.copy().T, np.repeat(a, 2, 0)[::2]):
        same(native(one, b), f(tf.constant(a), tf.constant(b)))


def _numpys():
    vector, matrix, batch = (4,), (4, 4), (2, 4, 4)
    both = [(x, y) for x in (vector, matrix, batch) for y in (vector, matrix, batch)]
    for function in (np.dot, np.matmul, np.inner, np.vecdot, lambda a, b: a @ b):
        for shapes in both:
            yield function, shapes
    for shape in (vector, matrix, batch):
        yield np.vdot, (shape, shape)
    yield lambda a, b: a.dot(b), (matrix, vector)
    if hasattr(np, "matvec"):
        yield np.matvec, (batch, (2, 4))
        yield np.vecmat, ((2, 4), batch)


@pytest.mark.parametrize("function,shapes", list(_numpys()))
def test_numpys_functions(function, shapes):
    a, b = numbers(shapes[0]), numbers(shapes[1], seed=1)
    found = tf.jit(lambda a, b: function(a, b))(a, b)
    expected = function(a, b)
    assert np.ndim(found) == np.ndim(expected)
    np.testing.assert_allclose(found, expected, 1e-13)


@pytest.mark.parametrize("shapes", [((4,), (4, 3)), ((3, 4), (4,)), ((2, 3, 4), (4,))])
def test_numpys_operator_on_vectors_is_one_product(shapes):
    from runtime.engine.llvm.printer import print_module

    a, b = map(numbers, shapes)
    with lowered_modules() as modules:
        np.testing.assert_allclose(tf.jit(lambda a, b: a @ b)(a, b), a @ b, 1e-13)
    text = "\n".join(map(print_module, modules))
    assert "callback" not in text


@pytest.mark.parametrize("flip", [False, True])
def test_matrices_times_vectors(flip):
    check(lambda a, b: tf.linalg.matvec(a, b, flip), numbers((5, 5)), numbers((5,)))
    check(lambda a, b: tf.linalg.matvec(a, b, adjoint_a=flip), numbers((5, 5)), numbers((5,)))


def test_what_blas_does_not_compute_is_left_to_the_kernel():
    a = np.arange(6).reshape(2, 3)
    for dtype in ("int64", "complex128", "float16"):
        native = tf.function(lambda a, b: tf.matmul(a, b, transpose_b=True), jit_compile=True)
        one = a.astype(dtype)
        np.testing.assert_array_equal(native(one, one), one @ one.T, strict=True)


def test_a_matrix_times_its_transpose_is_symmetric_to_the_bit():
    a = numbers((90, 70), "float32")
    found = tf.jit(lambda a: a @ a.T)(a)
    np.testing.assert_array_equal(found, found.T)
    np.testing.assert_array_equal(found, a @ a.T)


def test_nan_and_infinities():
    a, b = numbers((5, 6)), numbers((6, 7))
    a[1, 2], a[2, 3], b[4, 5], b[0, 0] = np.nan, np.inf, -np.inf, np.inf
    a[3] = 0
    for one, other in ((a, b), (a, b[:, :1]), (a[2:3], b), (a[1:2], b[:, 5:6])):
        with np.errstate(all="ignore"):
            expected = one @ other
        same(tf.function(tf.matmul, jit_compile=True)(one, other), expected)


def test_sizes_that_do_not_fit_raise_as_the_kernel_does():
    spec = tf.TensorSpec([None, None], "float64")
    native = tf.function(lambda a, b: tf.matmul(a, b), [spec, spec], jit_compile=True)
    with pytest.raises(tf.errors.InvalidArgumentError, match="test_products.py"):
        native(np.ones((2, 3)), np.ones((4, 5)))
    spec = tf.TensorSpec([None, 3, 3], "float64")
    native = tf.function(lambda a, b: tf.matmul(a, b), [spec, spec], jit_compile=True)
    with pytest.raises(tf.errors.InvalidArgumentError, match="test_products.py"):
        native(np.ones((2, 3, 3)), np.ones((4, 3, 3)))
    with pytest.raises(ValueError, match="matmul"):
        tf.jit(lambda a, b: np.matmul(a, b))(np.ones((2, 3)), np.ones((4, 5)))


def test_products_in_loops_read_what_they_gave():
    def f(a, x, n):
        for _ in tf.range(n):
            x = tf.matmul(a, x) / 2.0 + x
        return x

    a, x = numbers((4, 4)), numbers((4, 2))
    text = text_of(f, a, x, 5)
    assert "callback matmul" not in text
    same(tf.function(f, jit_compile=True)(a, x, 5), f(tf.constant(a), tf.constant(x), 5))


def test_gradients():
    def f(a, b):
        with tf.GradientTape() as tape:
            tape.watch([a, b])
            y = tf.reduce_sum(tf.matmul(a, b, transpose_b=True) * 2.0)
        return tape.gradient(y, [a, b])

    a, b = tf.constant(numbers((3, 4))), tf.constant(numbers((5, 4)))
    for found, expected in zip(tf.function(f, jit_compile=True)(a, b), f(a, b), strict=True):
        same(found, expected)


def test_other_threads_run_during_long_products():
    a = np.ones((1500, 1500))
    native = tf.function(lambda a, b: tf.matmul(a, b), jit_compile=True)
    native(a, a[:, :2])
    ran, done = [], threading.Event()

    def count():
        while not done.is_set():
            ran.append(None)
            time.sleep(0)  # gives up the lock

    interval = sys.getswitchinterval()
    thread = threading.Thread(target=count, daemon=True)
    try:
        thread.start()
        sys.setswitchinterval(20)  # a thread runs only where another gives up the lock
        before = len(ran)
        found = native(a, a + 1)
        during = len(ran) - before
    finally:
        sys.setswitchinterval(interval)
        done.set()
        thread.join()
    assert during > 0
    assert found.numpy()[0, 0] == 3000


def test_products_do_not_leak():
    import gc

    a = np.ones((8, 8))
    native = tf.function(lambda a: tf.matmul(a, a), jit_compile=True)
    native(a)
    gc.collect()
    count, blocks = sys.getrefcount(a), sys.getallocatedblocks()
    for _ in range(1000):
        native(a)
    assert sys.getrefcount(a) == count
    assert sys.getallocatedblocks() - blocks < 200


def test_without_the_library_the_kernels_compute_products(monkeypatch):
    from runtime.engine.llvm.arrays import blas

    monkeypatch.setattr(blas, "blas_functions", dict)
    a = numbers((3, 3))
    assert "callback matmul" in text_of(lambda a: tf.matmul(a, a), a)


def test_batches_that_are_known_to_be_empty():
    x, y = tf.zeros([0, 3, 2], "float32"), tf.zeros([0, 2, 2], "float32")
    assert tf.function(tf.matmul, jit_compile=True)(x, y).shape == (0, 3, 2)


def test_functions_of_numpy_with_several_results_are_no_products():
    def f(a, n):
        counts, edges = np.histogram(a, n)
        values, vectors = np.linalg.eigh(a @ a.T)
        return counts, edges * 2.0, values, abs(vectors)

    a = numbers((4, 4), "float64")
    for found, wanted in zip(tf.jit(f, jit_compile=True)(a, 3), f(a, 3), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-9)


def test_squares_are_products_as_for_numpy():
    def f(a):
        return a**2 + a[0] ** 2.0, 2**a, a.astype(int) ** 2

    a = numbers((3, 3), "float64")
    with lowered_modules() as modules:
        found = tf.jit(f, jit_compile=True)(a)
    assert "f64 = square" in print_module(modules[0])
    for one, other in zip(found, f(a), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-15)
