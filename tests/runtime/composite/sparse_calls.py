"""Sparse tensors: calls whose values TensorFlow 2.21 gave.

``python -m tests.runtime.composite.sparse_calls``, where TensorFlow is installed, writes them anew.
"""

from __future__ import annotations

import numpy as np

from tests.support.tensorflow_values import StoredCalls


def names(tf):
    def sparse(indices, values, shape):
        return tf.SparseTensor(np.array(indices, np.int64).reshape(-1, len(shape)), values, shape)

    return {
        "S": tf.sparse, "sparse": sparse, "Sparse": tf.SparseTensor,
        "s": sparse([[0, 1], [1, 0], [1, 2]], [1.0, 2.0, -3.0], [2, 3]),
        "t": sparse([[0, 0], [0, 1], [1, 2]], [5.0, -1.0, 4.0], [2, 3]),
        "mixed": sparse([[1, 2], [0, 1], [1, 0]], [-3, 1, 2], [2, 3]),
        "cube": sparse([[0, 0, 1], [0, 1, 0], [1, 1, 1]], [1.0, 2.0, 3.0], [2, 2, 2]),
        "words": sparse([[0, 0], [1, 1]], ["a", "b"], [2, 2]),
        "none": sparse([], np.zeros(0, np.float32), [2, 3]),
        "dense": np.arange(6, dtype=np.float32).reshape(2, 3),
        "tall": np.arange(6, dtype=np.float32).reshape(3, 2),
    }  # fmt: skip


CALLS = """
s
s * 2.
s / 2.
s * dense
s / (dense + 1)
s + t
-s
tf.abs(s)
tf.square(s)
tf.tanh(s)
tf.sign(s)
tf.exp(s)
tf.cast(s, tf.int32)
tf.shape(s)
tf.size(s)
tf.rank(s)
tf.reduce_sum(s)
tf.convert_to_tensor(s)
Sparse([0, 1], [1, 2], [2])
Sparse([[0, 1]], [1, 2], [2, 2])
Sparse([[0, 1]], [1], [2])
S.to_dense(s)
S.to_dense(s, -1)
S.to_dense(none)
S.to_dense(words)
S.to_dense(words, '?')
S.to_dense(cube)
S.to_dense(sparse([[0, 5]], [1], [2, 2]))
S.to_dense(sparse([[1, 1], [0, 0]], [1, 2], [2, 2]))
S.to_dense(sparse([[0, 0], [0, 0]], [1, 2], [2, 2]))
S.to_dense(sparse([[0, 0], [0, 0]], [1, 2], [2, 2]), validate_indices=False)
S.to_dense(dense)
S.from_dense(dense)
S.from_dense([[0, 0]])
S.from_dense([['', 'a'], ['b', '']])
S.from_dense([True, False])
S.reorder(mixed)
S.eye(2)
S.eye(2, 3, tf.int32)
S.to_indicator(sparse([[0, 0], [1, 1]], [1, 4], [2, 2]), 5)
S.map_values(tf.add, s, 1)
S.map_values(tf.add, s, s)
"""

STORED = StoredCalls(__file__, CALLS, names)

if __name__ == "__main__":
    STORED.write()
