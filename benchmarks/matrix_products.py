"""Time native products of matrices against NumPy's, for matrices of many shapes.

    taskset -c 0 python -m benchmarks.matrix_products [float64]

Products are timed in batches, so that calls from Python do not count.
"""

from __future__ import annotations

import sys
import time

import numpy as np

import runtime as tf
from runtime.engine.llvm.arrays import tile_choice
from runtime.engine.llvm.machine_code import _compiler

SHAPES = (  # rows, inner, columns
    (2, 2, 2), (3, 3, 3), (4, 4, 4), (6, 6, 6), (8, 8, 8), (10, 10, 10), (12, 12, 12),
    (16, 16, 16), (20, 20, 20), (24, 24, 24), (32, 32, 32), (48, 48, 48), (64, 64, 64),
    (128, 128, 128), (256, 256, 256), (2, 10, 10), (2, 100, 100), (2, 500, 500), (4, 32, 4),
    (4, 4, 32), (32, 4, 4), (8, 128, 8), (10, 100, 10), (100, 10, 100), (32, 128, 512),
    (200, 900, 100), (64, 784, 128), (128, 784, 64), (784, 64, 10), (64, 10, 784),
)  # fmt: skip


def best(function, args, rounds=9):
    """Return the least time of a call."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        function(*args)
        times.append(time.perf_counter() - start)
    return min(times)


def native(m, k, n):
    """Return a native product of batches of matrices of known sizes, made anew."""
    specs = [tf.TensorSpec([None, *sizes], DTYPE) for sizes in ((m, k), (k, n))]
    function = tf.function(lambda a, b: tf.matmul(a, b), specs, jit_compile=True)
    function(*map(tf.constant, operands(1, m, k, n)))
    return function


def without_tiles(m, k, n):
    """Return a native product that calls BLAS alone."""
    compiler, width = _compiler(), tile_choice.vector_bits
    kept, compiler._of_arrays = compiler._of_arrays, {}
    tile_choice.vector_bits = lambda: 1 << 20
    try:
        return native(m, k, n)
    finally:
        tile_choice.vector_bits, compiler._of_arrays = width, kept


def operands(batch, m, k, n):
    """Return two batches of matrices."""
    random = np.random.default_rng(0)
    return [random.normal(size=(batch, *s)).astype(DTYPE) for s in ((m, k), (k, n))]


def main():
    """Print a row for each shape: the time of a product by NumPy, by BLAS from native code, and by
    native code as it is, in microseconds.
    """
    print(f"{DTYPE:18} NumPy  native with BLAS  native  GFLOP/s")
    for shape in SHAPES:
        work = 2 * np.prod(shape)
        batch = max(2, min(1000, int(3e7 // work)))
        a, b = operands(batch, *shape)
        by_blas, by_both = without_tiles(*shape), native(*shape)
        tensors = tf.constant(a), tf.constant(b)  # arrays would be copied
        given = [(np.matmul, (a, b)), (by_blas, tensors), (by_both, tensors)]
        times = [best(*one) / batch * 1e6 for one in given]
        row = "  ".join(f"{one:9.3f}" for one in times)
        print(f"{shape!s:16} {row}  {work / times[-1] / 1e3:7.1f}")


DTYPE = "float64" if "float64" in sys.argv else "float32"

if __name__ == "__main__":
    main()
