"""Inverses, determinants and systems of two rows: native code against NumPy."""

import numpy as np
import pytest

import runtime as tf

pytest.importorskip("llvmlite")

FUNCTIONS = {
    "inv": (lambda x, b: tf.linalg.inv(x), lambda x, b: np.linalg.inv(x)),
    "det": (lambda x, b: tf.linalg.det(x), lambda x, b: np.linalg.det(x)),
    "solve": (lambda x, b: tf.linalg.solve(x, b), np.linalg.solve),
}
SPECIAL = {
    "zeros": [[0.0, 0.0], [0.0, 0.0]],
    "singular": [[1.0, 2.0], [2.0, 4.0]],
    "large": [[1e200, 0.0], [0.0, 1e200]],
    "small": [[1e-200, 0.0], [0.0, 1e-200]],
    "NaN": [[np.nan, 0.0], [0.0, 1.0]],
    "infinite": [[np.inf, 0.0], [0.0, 1.0]],
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("batch", [(), (5,), (3, 4)])
def test_results_are_near_numpys(name, dtype, batch):
    draw = np.random.default_rng(0)
    x = draw.normal(0, 1, (*batch, 2, 2)).astype(dtype)
    b = draw.normal(0, 1, (*batch, 2, 3)).astype(dtype)
    ours, numpys = FUNCTIONS[name]
    found, wanted = tf.function(ours, jit_compile=True)(x, b).numpy(), numpys(x, b)
    assert found.dtype == wanted.dtype and found.shape == wanted.shape
    np.testing.assert_allclose(found, wanted, 0, 20 * np.finfo(dtype).eps * np.abs(wanted).max())


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("matrix", SPECIAL)
def test_the_kernel_computes_or_refuses_what_is_out_of_range(name, matrix):
    def outcome(function):
        try:
            return function(np.array(SPECIAL[matrix]), np.ones((2, 1))).numpy()
        except tf.errors.InvalidArgumentError as error:
            return str(error).splitlines()[0]

    eager = outcome(FUNCTIONS[name][0])
    native = outcome(tf.function(FUNCTIONS[name][0], jit_compile=True))
    np.testing.assert_array_equal(native, eager)


def test_a_loop_over_small_matrices_calls_no_kernel():
    from runtime.engine.llvm.native import why_it_does_not_pay
    from tests.runtime.engine.llvm.native_programs import lowered_modules

    @tf.function
    def repeated(x, n):
        for _ in tf.range(n):
            x = tf.linalg.inv(x) + tf.linalg.det(x)
        return x

    with lowered_modules() as modules:
        repeated(tf.constant([[1.0, 2.0], [3.0, 5.0]]), tf.constant(3))
    assert [why_it_does_not_pay(module) for module in modules] == [""] * len(modules)


@pytest.mark.parametrize("name", ["inv", "det", "solve"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64])
def test_numpys_functions_give_and_raise_as_numpy(name, dtype):
    function = getattr(np.linalg, name)
    native = tf.jit(lambda *arrays: function(*arrays), jit_compile=True)

    def outcome(function, *arrays):
        try:
            return function(*arrays)
        except ValueError as error:  # LinAlgError, too
            return type(error), str(error).splitlines()[0]

    matrices = [[[1, 2], [3, 5]], [[1, 2], [2, 4]], [[0, 0], [0, 0]], [[1, 2, 3], [4, 5, 6]]]
    for matrix in matrices:
        for rhs in ([1, 2], [[1, 2, 3], [4, 5, 6]]):
            arrays = [np.array(x, dtype) for x in (matrix, rhs)][: 1 + (name == "solve")]
            result, wanted = outcome(native, *arrays), outcome(function, *arrays)
            if isinstance(wanted, tuple):
                assert result == wanted
            else:
                assert type(result) is type(wanted) and result.dtype == wanted.dtype
                np.testing.assert_allclose(result, wanted, 1e-5, 1e-30)
