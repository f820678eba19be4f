"""SparseTensor: TensorFlow's values, in functions, sessions and datasets, and derivatives."""

import numpy as np
import pytest

import runtime as tf
from runtime.compat import v1
from tests.runtime.composite.sparse_calls import STORED
from tests.support.tensorflow_values import assert_agree

VALUES = STORED.stored()


@pytest.mark.parametrize("call", STORED.calls)
def test_as_tensorflow(call):
    assert_agree(STORED.run(tf, call), VALUES[call])
    assert_agree(STORED.run(tf, call, tf.function), VALUES[call])


def sparse():
    return tf.SparseTensor([[0, 1], [1, 0]], [1.0, 2.0], [2, 3])


DENSE = [[0.0, 1.0, 0.0], [2.0, 0.0, 0.0]]


def test_what_it_is():
    s = sparse()
    assert s.shape == [2, 3] == s.get_shape() and s.dtype is tf.float32
    assert s.indices.dtype is s.dense_shape.dtype is tf.int64
    assert repr(s).startswith("SparseTensor(indices=tf.Tensor(") and "dense_shape=" in repr(s)
    assert tf.type_spec_from_value(s) == tf.SparseTensorSpec([2, 3], tf.float32)
    assert repr(tf.SparseTensorSpec([2, None])) == (
        "SparseTensorSpec(TensorShape([2, None]), tf.float32)"
    )
    assert tf.SparseTensorSpec([None, 3]).is_compatible_with(s)
    assert not tf.SparseTensorSpec([None, 4]).is_compatible_with(s)
    with pytest.raises(TypeError, match=r"exp does not take sparse tensors.*to_dense"):
        tf.exp(s)


def test_functions_take_and_give_them():
    traced = []

    @tf.function
    def f(x):
        traced.append(x.shape)
        return x * 2.0, tf.sparse.to_dense(x)

    doubled, dense = f(sparse())
    assert isinstance(doubled, tf.SparseTensor) and dense.numpy().tolist() == DENSE
    f(tf.SparseTensor([[0, 0]], [5.0], [2, 3]))
    assert traced == [tf.TensorShape([2, 3])]  # the number of values does not count
    f(tf.SparseTensor([[0, 0]], [5.0], [2, 4]))
    assert len(traced) == 2
    concrete = f.get_concrete_function(tf.SparseTensorSpec([None, 3], tf.float32))
    assert concrete(sparse())[1].numpy().tolist() == DENSE
    with pytest.raises((TypeError, ValueError)):
        concrete(tf.SparseTensor([[0]], [1.0], [3]))


def test_staged_branches_and_loops():
    @tf.function
    def f(x, n):
        for _ in tf.range(n):
            if n > 1:
                x = x * 2.0
            else:
                x = x / 2.0
        return tf.sparse.to_dense(x)

    assert f(sparse(), tf.constant(2)).numpy().tolist() == (4 * np.array(DENSE)).tolist()
    assert f(sparse(), tf.constant(1)).numpy().tolist() == (np.array(DENSE) / 2).tolist()


def test_derivatives():
    def loss(values, dense):
        s = tf.SparseTensor([[0, 1], [1, 0]], values, [2, 3])
        return tf.reduce_sum(tf.square(tf.sparse.to_dense(s * dense)))

    values, dense = tf.constant([1.0, 2.0]), tf.constant(np.full((2, 3), 3.0, np.float32))
    with tf.GradientTape() as tape:
        tape.watch([values, dense])
        total = loss(values, dense)
    by_values, by_dense = tape.gradient(total, [values, dense])
    assert by_values.numpy().tolist() == [18.0, 36.0]
    assert by_dense.numpy().tolist() == [[0, 6, 0], [24, 0, 0]]


def test_sessions():
    with v1.Graph().as_default(), v1.Session() as session:
        value = session.run(tf.SparseTensor([[0, 1]], [1.0], [2, 3]))
        assert isinstance(value, v1.SparseTensorValue)
        assert value.indices.tolist() == [[0, 1]] and value.dense_shape.tolist() == [2, 3]


def test_datasets(tmp_path):
    data = tf.data.Dataset.from_tensor_slices(sparse())
    assert data.element_spec == tf.SparseTensorSpec([3], tf.float32)
    assert [row.tolist() for row in data.as_numpy_iterator()] == DENSE
    assert [row.numpy().tolist() for row in data.map(tf.sparse.to_dense)] == DENSE
    batches = data.repeat(2).batch(3)
    assert batches.element_spec == tf.SparseTensorSpec([None, 3], tf.float32)
    assert [b.shape for b in batches.as_numpy_iterator()] == [(3, 3), (1, 3)]
    assert [row.tolist() for row in batches.unbatch().as_numpy_iterator()] == DENSE * 2
    data.save(str(tmp_path / "data"))
    loaded = tf.data.Dataset.load(str(tmp_path / "data"))
    assert [row.tolist() for row in loaded.as_numpy_iterator()] == DENSE


def test_batches_have_the_largest_sizes():
    rows = [tf.SparseTensor([[0]], [1], [3]), tf.SparseTensor([[4]], [2], [5])]
    spec = tf.SparseTensorSpec([None], tf.int32)
    batch = next(iter(tf.data.Dataset.from_generator(lambda: rows, output_signature=spec).batch(2)))
    assert tf.sparse.to_dense(batch).numpy().tolist() == [[1, 0, 0, 0, 0], [0, 0, 0, 0, 2]]
