"""Ragged tensors: calls whose values TensorFlow 2.21 gave.

``python -m tests.runtime.composite.ragged_calls``, where TensorFlow is installed, writes them anew.
"""

from __future__ import annotations

import numpy as np

from tests.support.tensorflow_values import StoredCalls


def names(tf):
    return {
        "R": tf.ragged, "Ragged": tf.RaggedTensor,
        "r": tf.ragged.constant([[3, 1, 2], [], [5, 9]]),
        "f": tf.ragged.constant([[3.0, 1.0], [], [5.0], [6.0, 2.0]]),
        "deep": tf.ragged.constant([[[1, 2], [3]], [], [[4, 5, 6]]]),
        "pairs": tf.ragged.constant([[[1, 2], [3, 4]], [], [[5, 6]]], ragged_rank=1),
        "words": tf.ragged.constant([["a", "bc"], ["def"], []]),
        "open_rows": tf.RaggedTensorSpec([None], tf.int32),
        "table": np.arange(20, dtype=np.float32).reshape(10, 2),
        "dense": np.array([[1, 2], [3, 4], [5, 6]], np.int32),
    }  # fmt: skip


CALLS = """
tf.tile(r, [2, 1])
tf.tile(r, [1, 2])
tf.tile(r, [2, 2])
tf.tile(pairs, [1, 2, 2])
tf.tile(deep, [1, 1, 2])
tf.ragged.boolean_mask(r, R.constant([[True, False, True], [], [False, True]]))
tf.ragged.boolean_mask([[1, 2], [3, 4]], [[True, False], [True, True]])
tf.ragged.boolean_mask(r, [True, False, True])
tf.ragged.boolean_mask([1, 2, 3], [True, False, True])
tf.boolean_mask(r, [True, False, True])
tf.nn.embedding_lookup(table, r)
tf.gather(table, r)
tf.gather(r, [2, 0])
tf.gather(r, [[2], [0]])
tf.gather(r, R.constant([[2], [], [0, 0]]))
tf.gather(words, R.constant([[1], [0, 0], []]), batch_dims=1)
tf.gather_nd(r, [[0, 1], [2, 0]])
tf.map_fn(lambda x: x + 1, r, fn_output_signature=tf.RaggedTensorSpec([None], tf.int32, 0))
tf.map_fn(tf.range, tf.constant([2, 0, 1]), fn_output_signature=open_rows)
tf.expand_dims(r, 0)
tf.expand_dims(r, 1)
tf.expand_dims(r, 2)
tf.expand_dims(r, -1)
tf.squeeze(tf.expand_dims(r, 0), 0)
tf.size(r)
tf.rank(deep)
tf.ones_like(r)
tf.zeros_like(f)
tf.reverse(r, [1])
tf.reverse(r, [0])
tf.stack([r, r])
tf.stack([r, r], axis=1)
R.stack([r, [[1]]])
R.stack([[1, 2], [3]])
tf.concat([r, r], 0)
tf.concat([r, dense], 1)
tf.concat([r, [[7]]], 0)
tf.one_hot(R.constant([[0, 2], [1]]), 3)
tf.where(r > 2, r, -r)
tf.where(r > 2)
tf.cast(r, tf.float32)
tf.reduce_sum(r, 1)
tf.reduce_sum(r, 0)
tf.reduce_sum(r)
tf.reduce_sum(deep, 2)
tf.reduce_sum(deep, 1)
tf.reduce_sum(deep, 0)
tf.reduce_sum(deep, [1, 2])
tf.reduce_mean(f, 1)
tf.reduce_max(f, 1)
tf.reduce_any(R.constant([[True], [], [False, False]]), 1)
tf.reduce_sum(r, 1, keepdims=True)
tf.math.reduce_variance(f, 1)
tf.argmax(r, 1)
tf.split(r, 3)
tf.strings.length(words)
tf.strings.join([words, words])
tf.strings.reduce_join(words, axis=-1)
tf.strings.upper(words)
tf.strings.to_number(R.constant([['1', '2'], ['3']]))
tf.strings.unicode_decode(['ab', 'c'], 'UTF-8')
tf.strings.ngrams(words, 2)
tf.nn.relu(-r)
tf.nn.softmax(f)
tf.math.add_n([r, r])
tf.math.unsorted_segment_sum(r, [0, 1, 0], 2)
tf.dynamic_partition(r, [0, 1, 0], 2)
r + 1
r * [[2], [3], [4]]
r + r
-r
abs(-r)
r == 3
r[1:]
r[:, :1]
r[:, -1:]
r[0]
r[2, 1]
deep[0]
deep[0, 1]
deep[:, :1]
deep[:, :, :1]
pairs[:, :, 1]
r[::2]
r[:, ::2]
r[..., :1]
r.to_tensor()
r.to_tensor(-1)
r.to_tensor(shape=[None, 2])
deep.to_tensor()
r.to_sparse()
deep.to_sparse()
Ragged.from_sparse(tf.sparse.from_dense([[1, 2, 0], [3, 0, 0]]))
Ragged.from_tensor(dense)
Ragged.from_tensor([[1, 0, 0], [2, 3, 0]], padding=0)
Ragged.from_tensor([[1, 0, 0], [2, 3, 0]], lengths=[1, 2])
Ragged.from_tensor([[[1, 2], [3, 4]], [[5, 6], [7, 8]]], ragged_rank=2)
Ragged.from_tensor([[[1, 0], [3, 4]], [[5, 6], [0, 0]]], ragged_rank=2, padding=0)
r.row_lengths()
deep.row_lengths(axis=2)
r.nrows()
r.bounding_shape()
deep.bounding_shape()
r.bounding_shape(axis=1)
r.value_rowids()
deep.nested_row_lengths()
deep.nested_value_rowids()
r.merge_dims(0, 1)
deep.merge_dims(0, 1)
deep.merge_dims(1, 2)
deep.merge_dims(0, 2)
R.range([3, 0, 2])
R.range([0, 5], [2, 9], 2)
R.segment_ids_to_row_splits([0, 0, 2])
R.segment_ids_to_row_splits([0, 0, 2], 4)
R.row_splits_to_segment_ids([0, 2, 2, 5])
R.stack_dynamic_partitions([1, 2, 3, 4], [1, 0, 1, 3], 4)
R.map_flat_values(tf.add, r, 1)
Ragged.from_uniform_row_length([1, 2, 3, 4], 2)
Ragged.from_value_rowids([1, 2, 3], [0, 0, 2], 4)
tf.ragged.constant([[1], [2, 3]], dtype=tf.int64)
tf.ragged.constant([])
tf.ragged.constant([[], []])
tf.math.reduce_prod(r, -1)
tf.math.cumsum(r.values)
tf.nn.sigmoid(f)
tf.clip_by_value(r, 2, 5)
tf.math.floordiv(r, 2)
tf.bitwise.bitwise_and(r, 1)
tf.strings.split(['a b', 'c'])
tf.strings.as_string(r)
tf.strings.substr(words, 0, 1)
tf.strings.regex_replace(words, 'b', 'x')
tf.math.log1p(f)
tf.math.minimum(r, 2)
tf.squeeze(tf.expand_dims(r, 2), 2)
tf.math.bincount(r)
tf.sparse.bincount(r, axis=-1)
tf.broadcast_to([[1], [2]], [2, 3])
"""

STORED = StoredCalls(__file__, CALLS, names)

if __name__ == "__main__":
    STORED.write()
