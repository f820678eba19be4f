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


def test_products_are_differentiable():
    sizes = [3, 4]
    indices = np.array([[0, 1], [1, 0], [1, 3], [2, 2]])
    dense = tf.constant(np.linspace(-1, 1, 8).reshape(4, 2))
    values = tf.constant(np.array([0.5, -1.0, 2.0, 3.0]))
    for adjoint in (False, True):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch([values, dense])
            s = tf.SparseTensor(indices, values, sizes)
            matrix = tf.sparse.to_dense(s)
            other = dense[:3] if adjoint else dense
            product = tf.sparse.sparse_dense_matmul(s, other, adjoint_a=adjoint)
            expected = tf.matmul(matrix, other, transpose_a=adjoint)
            losses = [tf.reduce_sum(tf.sin(x)) for x in (product, expected)]
        np.testing.assert_allclose(product, expected)
        for source in (values, dense):
            np.testing.assert_allclose(*[tape.gradient(loss, source) for loss in losses])


def test_large_products_by_scipy_and_without(monkeypatch):
    random = np.random.default_rng(0)
    matrix = random.normal(size=(200, 300)) * (random.random((200, 300)) < 0.05)
    dense = random.normal(size=(300, 40))
    s = tf.sparse.from_dense(matrix)
    found = tf.sparse.sparse_dense_matmul(s, dense).numpy()
    np.testing.assert_allclose(found, matrix @ dense, rtol=1e-10, atol=1e-12)
    monkeypatch.setattr("runtime.composite.sparse.sparse_kernels._scipy", lambda: None)
    np.testing.assert_allclose(tf.sparse.sparse_dense_matmul(s, dense), found, atol=1e-12)


def test_embeddings_learn():
    table = tf.Variable(np.zeros((4, 2), np.float32))
    ids = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [1, 3, 3], [2, 2])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.nn.embedding_lookup_sparse(table, ids, combiner="mean"))
    gradient = tf.convert_to_tensor(tape.gradient(loss, table))
    assert gradient.numpy().tolist() == [[0, 0], [0.5, 0.5], [0, 0], [1.5, 1.5]]


def test_placeholders():
    with v1.Graph().as_default(), v1.Session() as session:
        s = v1.sparse_placeholder(tf.float32, [2, 3])
        doubled = tf.sparse.to_dense(s * 2.0)
        value = v1.SparseTensorValue([[0, 1], [1, 0]], [1.0, 2.0], [2, 3])
        expected = (2 * np.array(DENSE)).tolist()
        assert session.run(doubled, {s: value}).tolist() == expected
        open_one = v1.sparse_placeholder(tf.int32)
        assert open_one.shape.rank is None
        total = v1.sparse_reduce_sum(s, 1)
        assert session.run(total, {s: value}).tolist() == [1.0, 2.0]
