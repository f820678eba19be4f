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
        "ids": sparse([[0, 0], [0, 1], [2, 0]], [0, 2, 1], [4, 2]),
        "weights": sparse([[0, 0], [0, 1], [2, 0]], [0.5, 2.0, 3.0], [4, 2]),
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
S.add(s, t)
S.add(s, t, 3.5)
S.add(s, dense)
S.add(dense, s)
S.add(s, none)
S.add(dense, dense)
S.maximum(s, t)
S.minimum(s, t)
S.reduce_sum(s)
S.reduce_sum(s, 0)
S.reduce_sum(s, [1], keepdims=True)
S.reduce_sum(cube, [0, 2])
S.reduce_sum(cube, -1)
S.reduce_sum(cube, 1, output_is_sparse=True)
S.reduce_sum(s, 0, keepdims=True, output_is_sparse=True)
S.reduce_sum(none, 1)
S.reduce_max(s, 1)
S.reduce_max(s, 0)
S.reduce_max(s)
S.reduce_max(s, 0, output_is_sparse=True)
S.concat(0, [s, t])
S.concat(1, [s, t])
S.concat(-1, [s, t, none])
S.concat(0, [s, sparse([[0, 0]], [9.0], [1, 1])])
S.concat(0, [s, sparse([[0, 0]], [9.0], [1, 1])], expand_nonconcat_dims=True)
S.slice(s, [0, 1], [2, 2])
S.slice(s, [1, 0], [9, 2])
S.split(sp_input=s, num_split=2, axis=1)
S.split(sp_input=s, num_split=2, axis=0)
S.reshape(s, [3, 2])
S.reshape(s, [-1])
S.reshape(cube, [4, -1])
S.reshape(s, [5, 2])
S.transpose(s)
S.transpose(cube, [1, 2, 0])
S.expand_dims(s)
S.expand_dims(s, 0)
S.expand_dims(s, 1)
S.reset_shape(sparse([[0, 1]], [1.0], [4, 4]))
S.reset_shape(s, [3, 4])
S.reset_shape(s, [1, 4])
S.retain(s, [True, False, True])
S.fill_empty_rows(sparse([[0, 1], [2, 0]], [1, 2], [4, 3]), -1)
S.softmax(s)
S.softmax(cube)
S.sparse_dense_matmul(s, tall)
S.sparse_dense_matmul(s, dense, adjoint_a=True)
S.sparse_dense_matmul(s, dense, adjoint_b=True)
S.sparse_dense_matmul(tall, s)
S.sparse_dense_matmul(tall, s, adjoint_a=True, adjoint_b=True)
S.sparse_dense_matmul(s, dense)
S.sparse_dense_matmul(none, tall)
S.segment_sum(tall, [0, 1, 2], [0, 0, 1])
S.segment_mean(tall, [0, 2, 1], [0, 0, 2])
S.segment_sqrt_n(tall, [0, 2, 1], [0, 0, 2], num_segments=4)
S.bincount([1, 1, 3])
S.bincount([[1, 1, 3], [0, 1, 0]], axis=-1)
S.bincount([[1, 1, 3], [0, 1, 0]], axis=-1, binary_output=True)
S.bincount([1, 1, 3], minlength=6)
S.bincount([1, 1, 3], maxlength=2)
S.bincount([1, 1, 3], weights=[.5, 1., 2.])
S.bincount(sparse([[0, 0], [1, 1]], [1, 4], [2, 2]), axis=-1)
tf.nn.embedding_lookup_sparse(tall, ids, None)
tf.nn.embedding_lookup_sparse(tall, ids, None, combiner='sum')
tf.nn.embedding_lookup_sparse(tall, ids, None, combiner='sqrtn')
tf.nn.embedding_lookup_sparse(tall, ids, weights)
tf.nn.embedding_lookup_sparse(tall, ids, weights, combiner='sum')
tf.nn.embedding_lookup_sparse(tall, ids, weights, combiner='sqrtn')
tf.nn.embedding_lookup_sparse(tall, ids, None, max_norm=1.)
tf.nn.embedding_lookup_sparse(tall, ids, None, combiner='max')
tf.nn.safe_embedding_lookup_sparse(tall, ids)
tf.nn.safe_embedding_lookup_sparse(tall, ids, weights, 'sum')
tf.nn.safe_embedding_lookup_sparse(tall, ids, default_id=1)
tf.compat.v1.sparse_to_dense([[0, 1], [1, 0]], [2, 2], [5, 6], 9)
tf.compat.v1.sparse_to_dense([1, 3], [4], 7)
"""

STORED = StoredCalls(__file__, CALLS, names)

if __name__ == "__main__":
    STORED.write()
