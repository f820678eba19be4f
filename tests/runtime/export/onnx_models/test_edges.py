"""Sizes and numbers at the edges: a model gives what the function gives, or fails where it raises.

The arguments have unknown sizes, so that the model, and not the export, has to decide.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf
from tests.support import onnx_models

exporting = pytest.importorskip("runtime.export.onnx_models.exporting")

VECTOR, INT, INTS = tf.TensorSpec([None]), tf.TensorSpec([], tf.int32), tf.TensorSpec([None],
                                                                                      tf.int32)
ROWS, MATRIX, IMAGE = tf.TensorSpec([None, 2]), tf.TensorSpec([None, None]), tf.TensorSpec(
    [None, None, None, 2])  # fmt: skip
FIVE, NONE = np.arange(5, dtype=np.float32), np.zeros(0, np.float32)
NANS = np.array([1, np.nan, 3, 1], np.float32)
SMALL = np.array([1e-8, -1e-7, -0.5, 50, 100, np.inf], np.float32)
NUMBERS = (3, -1, -2, 99, -99, 0)


def picture(*shape: int) -> np.ndarray:
    return np.cos(np.arange(np.prod(shape))).reshape(shape).astype("float32")


def numbered(x: Any) -> list[Any]:
    return [(x, n) for n in NUMBERS]


CASES: dict[str, tuple[Any, list[Any], list[Any]]] = {
    "x[1:n]": (lambda x, n: x[1:n], [VECTOR, INT], [*numbered(FIVE), (NONE, 2)]),
    "x[n:]": (lambda x, n: x[n:], [VECTOR, INT], numbered(FIVE)),
    "x[n::-2]": (lambda x, n: x[n::-2], [VECTOR, INT], [*numbered(FIVE), (NONE, -1)]),
    "x[:n:-1]": (lambda x, n: x[:n:-1], [VECTOR, INT], numbered(FIVE)),
    "x[-9::-1]": (lambda x: x[-9::-1], [tf.TensorSpec([5])], [(FIVE,)]),
    "x[n]": (lambda x, n: x[n], [VECTOR, INT], numbered(FIVE)),
    "slice": (lambda x, n: tf.slice(x, [n], [2]), [VECTOR, INT], numbered(FIVE)),
    "mask": (lambda x: x[x > 1.0], [VECTOR], [(FIVE,), (NONE,)]),
    "mask of another size": (lambda x, y: x[y > 1.0], [VECTOR] * 2,
                             [(FIVE, FIVE), (FIVE, FIVE[:3])]),
    "reshape": (lambda x, n: tf.reshape(x, [n, -1]), [VECTOR, INT],
                [(FIVE, 5), (FIVE, 2), (FIVE[:4], 2), (NONE, 3)]),
    "broadcast_to": (lambda x, n: tf.broadcast_to(x, [n]), [VECTOR, INT],
                     [(FIVE, 5), (FIVE[:1], 4), (FIVE, 1), (FIVE, 3)]),
    "broadcast": (lambda x, y: x + y, [VECTOR] * 2,
                  [(FIVE, FIVE), (FIVE, FIVE[:1]), (FIVE, FIVE[:3])]),
    "split": (lambda x: tf.split(x, 3), [VECTOR], [(FIVE,), (np.arange(6.0),)]),
    "squeeze": (lambda x: tf.squeeze(x, 0), [ROWS], [(picture(1, 2),), (picture(3, 2),)]),
    "ensure_shape": (lambda x: tf.ensure_shape(x, [3]), [VECTOR], [(FIVE,), (FIVE[:3],)]),
    "tile": (lambda x, n: tf.tile(x, [n]), [VECTOR, INT], [(FIVE, 2), (FIVE, 0), (FIVE, -1)]),
    "repeat": (lambda x: tf.repeat(x, 3), [VECTOR], [(FIVE,), (NONE,)]),
    "concat": (lambda x, y: tf.concat([x, y], 0), [ROWS] * 2, [(picture(0, 2), picture(2, 2))]),
    "matmul": (lambda x, y: x @ y, [MATRIX] * 2,
               [(picture(2, 3), picture(3, 2)), (picture(2, 3), picture(2, 2))]),
    "gather": (lambda x, i: tf.gather(x, i), [VECTOR, INTS],
               [(FIVE, [0, 4]), (FIVE, [5]), (FIVE, [-1]), (FIVE, [])]),
    "scatter": (lambda x, i: tf.tensor_scatter_nd_add(x, i, [1.0, 2.0]),
                [VECTOR, tf.TensorSpec([2, 1], tf.int32)],
                [(FIVE, [[0], [0]]), (FIVE, [[0], [5]]), (FIVE, [[-1], [1]])]),
    "one_hot": (lambda i: tf.one_hot(i, 3), [INTS], [([0, 2, -1, 5],)]),
    "top_k": (lambda x, k: tf.math.top_k(x, k), [VECTOR, INT], [(FIVE, 2), (FIVE, 0), (FIVE, 6)]),
    "segments": (lambda x, i: tf.math.unsorted_segment_sum(x, i, 3), [VECTOR, INTS],
                 [(FIVE, [0, 1, 2, 0, -1]), (FIVE, [0, 1, 2, 0, 3])]),
    "reverse_sequence": (lambda x, n: tf.reverse_sequence(x, n, 1, 0),
                         [tf.TensorSpec([2, None]), tf.TensorSpec([2], tf.int32)],
                         [(picture(2, 3), [2, 3]), (picture(2, 3), [4, 3])]),
    "range": (lambda n: tf.range(n), [INT], [(3,), (0,), (-1,)]),
    "range of floats": (lambda x: tf.range(0.0, x, 0.1), [tf.TensorSpec([])],
                        [(1.0,), (0.3,), (1.1,)]),
    "mean": (lambda x: tf.reduce_mean(x, 0), [ROWS], [(picture(0, 2),), (picture(3, 2),)]),
    "max": (tf.reduce_max, [VECTOR], [(NONE,), (FIVE,), (NANS,)]),
    "max of ints": (tf.reduce_max, [INTS], [([],), ([1, 5],)]),
    "argmax": (tf.argmax, [VECTOR], [(NONE,), (FIVE,), (NANS,)]),
    "logsumexp": (tf.reduce_logsumexp, [VECTOR],
                  [(FIVE,), ([-np.inf, -np.inf],), ([np.inf, 1.0],)]),
    "sort": (lambda x: tf.sort(x, direction="DESCENDING"), [VECTOR], [(NANS,), (NONE,)]),
    "argsort": (tf.argsort, [VECTOR], [(NANS,)]),
    "int32 that overflows": (lambda x: x * x + x, [INTS], [([-3, 70000],)]),
    "log1p": (tf.math.log1p, [VECTOR], [(SMALL,), ([-1.0, -2.0],)]),
    "expm1": (tf.math.expm1, [VECTOR], [(SMALL,)]),
    "round": (tf.round, [VECTOR], [([0.5, 1.5, -0.5, 2.5],)]),
    "convolution": (lambda x: tf.nn.conv2d(x, tf.ones([3, 3, 2, 4]), 2, "SAME"), [IMAGE],
                    [(picture(1, 5, 6, 2),), (picture(2, 4, 9, 2),)]),
    "average pooling": (lambda x: tf.nn.avg_pool2d(x, 3, 2, "SAME"), [IMAGE],
                        [(picture(1, 5, 6, 2),), (picture(2, 4, 9, 2),)]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_gives_the_same_or_fails_where_it_raises(name):
    function, specs, argument_lists = CASES[name]
    staged = tf.function(function, input_signature=specs)
    model = exporting.onnx_model(staged)
    for arguments in argument_lists:
        arrays = [np.asarray(a, s.dtype.as_numpy_dtype)
                  for a, s in zip(arguments, specs, strict=True)]  # fmt: skip
        try:
            wanted = onnx_models.arrays_of(staged(*map(tf.constant, arrays)))
        except (tf.errors.OpError, ValueError):
            for run in onnx_models.RUNNERS.values():
                with pytest.raises(Exception):
                    run(model, onnx_models.feeds(model, arrays))
            continue
        onnx_models.assert_same(model, arrays, wanted)
