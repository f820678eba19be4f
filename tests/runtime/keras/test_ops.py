"""``keras.ops`` and ``keras.random``: NumPy's numbers, Keras' dtypes, eagerly and in functions."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from runtime import keras
from runtime.keras import ops
from tests.runtime.keras.op_cases import TABLE

DRAW = np.random.default_rng(5)
A = DRAW.normal(size=(3, 4)).astype(np.float32)
B = DRAW.normal(size=(3, 4)).astype(np.float32)
P = np.abs(A) % 0.9 + 0.05
I = DRAW.integers(-5, 6, (3, 4)).astype(np.int32)  # noqa: E741 - ints
S = (A[:, :3] @ A[:, :3].T + 3 * np.eye(3)).astype(np.float32)
V = A[0]

SAME = {  # the function of NumPy of the same name
    "absolute": [(A,), (I,)], "arccos": [(P,)], "arccosh": [(P + 1,)], "arcsin": [(P,)],
    "arcsinh": [(A,)], "arctan": [(A,)], "arctanh": [(P,)], "ceil": [(A,)], "cos": [(A,), (I,)],
    "cosh": [(A,)], "exp": [(A,), (I,)], "exp2": [(A,)], "expm1": [(A,)], "floor": [(A,)],
    "isfinite": [(A,), (I,)], "isinf": [(A,)], "isnan": [(A,)], "log": [(P,)], "log10": [(P,)],
    "log1p": [(P,)], "log2": [(P,)], "logical_not": [(A > 0,)], "negative": [(A,), (I,)],
    "reciprocal": [(A,)], "sign": [(A,), (I,)], "sin": [(A,)], "sinh": [(A,)], "sqrt": [(P,)],
    "square": [(A,), (I,)], "tan": [(A,)], "tanh": [(A,)],
    "add": [(A, B), (A, I), (A, 2), (I, 2.5), (I, I)], "arctan2": [(A, B)],
    "divide": [(A, B), (I, 2)], "equal": [(I, I.T.reshape(3, 4))], "floor_divide": [(A, B)],
    "greater": [(A, B), (A, I)], "greater_equal": [(A, 0)], "less": [(A, I)],
    "less_equal": [(A, B)], "logaddexp": [(A, B)], "logical_and": [(A > 0, B > 0)],
    "logical_or": [(A > 0, B > 0)], "logical_xor": [(A > 0, B > 0)], "maximum": [(A, B), (I, 0)],
    "minimum": [(A, I)], "mod": [(A, B), (I, 3)], "multiply": [(A, I)], "not_equal": [(A, B)],
    "power": [(P, B), (A, 2)], "subtract": [(A, B), (1, I)], "clip": [(A, -0.5, 0.5), (I, -1, 2)],
    "round": [(A,), (A, 2), (I,)], "where": [(A > 0, A, I)],
    "sum": [(A,), (A, 0), (A, (0, 1)), (A > 0,)], "prod": [(A, 1)], "mean": [(A,), (I, 0)],
    "std": [(A, 1)], "var": [(A,)], "max": [(A, 1), (I,)], "min": [(A, (0, 1))],
    "all": [(A > -9, 0)], "any": [(A > 0, 1)], "count_nonzero": [(I,), (I, 1)],
    "argmax": [(A,), (A, 1)], "argmin": [(A, 0)], "cumsum": [(A,), (A, 1)], "cumprod": [(A, 0)],
    "sort": [(A,), (A, 0)], "argsort": [(A,), (A, 0)],
    "reshape": [(A, (2, 6)), (A, -1)], "ravel": [(A,)], "transpose": [(A,), (A[None], (1, 0, 2))],
    "moveaxis": [(A[None], 0, -1), (A[None], (0, 1), (2, 0))], "swapaxes": [(A[None], 0, 2)],
    "expand_dims": [(A, 1), (A, (0, -1))], "squeeze": [(A[None],), (A[None], 0)],
    "concatenate": [([A, I],), ([A, B], 1)], "stack": [([A, B],), ([A, B], -1)],
    "hstack": [([A, B],), ([V, V],)], "vstack": [([A, B],), ([V, V],)],
    "split": [(A, 2, 1), (A, [1, 3], 1)], "tile": [(A, (2, 1)), (A, 2), (V, (2, 3))],
    "repeat": [(A, 2), (A, 3, 1)], "roll": [(A, 2), (A, 1, 1)], "flip": [(A,), (A, 1)],
    "broadcast_to": [(V, (2, 4))], "pad": [(A, 1), (A, ((1, 0), (0, 2))), (A, 1, "reflect")],
    "take": [(A, [1, -1]), (A, [[0, 2]], 1)], "take_along_axis": [(A, np.argsort(A, 0), 0),
        (A, np.argsort(A, 1), 1)], "nonzero": [(I,)], "meshgrid": [(V, V)],
    "linspace": [(0, 1, 5), (V, V + 1, 3), (0, 2, 4, False)], "triu": [(A,), (A, 1)],
    "tril": [(A,), (A, -1)], "trace": [(A,), (A, 1)],
    "zeros": [((2, 3),)], "ones": [((2,),)], "full": [((2, 3), 2.5)], "zeros_like": [(A,)],
    "ones_like": [(I,)], "full_like": [(A, 3)], "eye": [(3,), (3, 4, 1)],
    "arange": [(5,), (1, 9, 3), (0.0, 1.0, 0.25)],
    "matmul": [(A, B.T), (V, B.T), (A, V), (V, V)], "dot": [(A, V), (V, V), (A, 2.0)],
    "tensordot": [(A, B, [[0], [0]])], "einsum": [("ij,kj->ik", A, B)], "outer": [(V, V)],
    "inner": [(A, B)], "diag": [(V,), (A,), (A, 1)],
}  # fmt: skip
CASES = [(name, args) for name, several in SAME.items() for args in several]


def float_of(array):
    """Keras' dtype for NumPy's: floats have 32 bits, and so have ints that NumPy widens."""
    found = np.asarray(array)
    return found.astype({"f": np.float32, "i": np.int32}.get(found.dtype.kind, found.dtype))


def check(found, wanted):
    if isinstance(wanted, list | tuple):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            check(one, other)
        return
    wanted = float_of(wanted)
    assert found.dtype.as_numpy_dtype == wanted.dtype
    np.testing.assert_allclose(found.numpy(), wanted, rtol=2e-6, atol=2e-6)


@pytest.mark.parametrize("name, args", CASES)
def test_as_numpy(name, args):
    wanted = getattr(np, name)(*args)
    function = getattr(ops, name)
    check(function(*args), wanted)
    staged = tf.function(lambda: function(*args))()
    check(staged, list(wanted) if isinstance(staged, list) else wanted)


def test_every_name_has_a_case():
    others = set("""
        abs conj conjugate true_divide imag real erf erfc erfinv rsqrt logsumexp norm get_item
        unstack array batch_normalization moments normalize one_hot multi_hot top_k max_pool
        average_pool conv binary_crossentropy categorical_crossentropy
        sparse_categorical_crossentropy cholesky det inv solve solve_triangular qr svd eigh
        convert_to_tensor convert_to_numpy cast shape ndim size dtype stop_gradient cond switch
        while_loop fori_loop map vectorized_map scan slice slice_update scatter scatter_update
        custom_gradient is_tensor ctc_loss ctc_decode
    """.split())
    activations = {name for name in dir(ops) if hasattr(keras.activations, name)}
    cases = {*SAME, *TABLE, "eig", "polar", "empty", "empty_like"}  # these in test_op_golden.py
    assert set(dir(ops)) - activations - cases == others - activations


@pytest.mark.parametrize("one, other, wanted", [
    ("int32", "float16", "float16"), ("int64", "float32", "float32"), ("bool", "int8", "int8"),
    ("uint8", "int8", "int16"), ("uint32", "int32", "int64"), ("int64", "uint64", "float32"),
    ("float16", "float64", "float64"), ("int32", "complex64", "complex64"),
    ("float64", "complex64", "complex128"),
])  # fmt: skip
def test_dtypes_promote(one, other, wanted):
    x, y = tf.ones([2], one), tf.ones([2], other)
    assert ops.maximum(x, y).dtype.name == wanted if "complex" not in wanted else True
    assert ops.add(x, y).dtype.name == ops.add(y, x).dtype.name == wanted if one != "bool" else True
    assert ops.where([True, False], x, y).dtype.name == wanted
    assert ops.add(tf.ones([2], "int32"), 1).dtype.name == "int32"
    assert ops.add(tf.ones([2], "int32"), 1.5).dtype.name == "float32"


def test_linear_algebra():
    np.testing.assert_allclose(ops.cholesky(S), np.linalg.cholesky(S), rtol=1e-5)
    np.testing.assert_allclose(ops.inv(S), np.linalg.inv(S), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(ops.det(S), np.linalg.det(S), rtol=1e-5)
    np.testing.assert_allclose(ops.solve(S, S[0]), np.linalg.solve(S, S[0]), atol=1e-5)
    lower = np.linalg.cholesky(S)
    found = ops.solve_triangular(lower, S[0], lower=True)
    np.testing.assert_allclose(lower @ found.numpy(), S[0], atol=1e-4)
    q, r = ops.qr(A)
    np.testing.assert_allclose(q.numpy() @ r.numpy(), A, atol=1e-5)
    u, s, vh = ops.svd(A, full_matrices=False)
    np.testing.assert_allclose((u * s).numpy() @ vh.numpy(), A, atol=1e-5)
    np.testing.assert_allclose(ops.eigh(S)[0], np.linalg.eigvalsh(S), rtol=1e-4)
    np.testing.assert_allclose(ops.norm(A), np.linalg.norm(A), rtol=1e-6)
    np.testing.assert_allclose(ops.norm(A, 1, axis=1), np.abs(A).sum(1), rtol=1e-6)
    np.testing.assert_allclose(ops.logsumexp(A, 0), np.log(np.exp(A).sum(0)), rtol=1e-5)


def test_control_flow():
    assert int(ops.while_loop(lambda i: i < 10, lambda i: i * 2, ops.convert_to_tensor(1))) == 16
    i, x = ops.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * 2.0), (0, 1.5))
    assert (int(i), float(x)) == (3, 12.0)
    assert int(ops.fori_loop(0, 5, lambda i, total: total + i, 0)) == 10
    assert float(ops.cond(tf.constant(True), lambda: 1.0, lambda: 2.0)) == 1.0
    assert float(ops.switch(5, [lambda x: x, lambda x: -x], tf.constant(3.0))) == -3.0
    np.testing.assert_allclose(ops.map(lambda row: ops.sum(row), A), A.sum(1), rtol=1e-6)
    np.testing.assert_allclose(ops.vectorized_map(lambda row: row * 2.0, tf.constant(A)), A * 2)
    carry, sums = ops.scan(lambda c, x: (c + x, c + x), tf.zeros([4]), A)
    np.testing.assert_allclose(sums, A.cumsum(0), rtol=1e-5)
    np.testing.assert_allclose(carry, A.sum(0), rtol=1e-5)
    carry, products = tf.function(
        lambda x: ops.scan(lambda c, x: (c * x, c), 2.0, x, reverse=True)
    )(tf.constant([1.0, 3.0, 5.0]))
    assert float(carry) == 30 and products.numpy().tolist() == [30.0, 10.0, 2.0]
    assert ops.scan(lambda c, i: (c + i, None), 0, length=5)[1] is None


def test_slices_and_places():
    np.testing.assert_array_equal(ops.slice(A, [1, 0], [2, 2]), A[1:3, :2])
    updated = A.copy()
    updated[1:3, 1:3] = 0
    np.testing.assert_array_equal(ops.slice_update(A, [1, 1], np.zeros((2, 2), "f")), updated)
    assert ops.scatter([[0], [2], [0]], [1.0, 2.0, 3.0], [4]).numpy().tolist() == [4, 0, 2, 0]
    found = ops.scatter_update(V, [[1]], [9.0], "add")
    assert found.numpy()[1] == V[1] + 9
    with pytest.raises(ValueError, match="reduction"):
        ops.scatter_update(V, [[1]], [9.0], "mul")
    assert ops.shape(A) == (3, 4) and ops.ndim(A) == 2 and int(ops.size(A)) == 12
    assert ops.dtype(A) == "float32"
    assert isinstance(ops.convert_to_numpy(tf.constant(A)), np.ndarray)


def test_networks():
    images = DRAW.normal(size=(2, 6, 5, 3)).astype(np.float32)
    kernel = DRAW.normal(size=(3, 2, 3, 4)).astype(np.float32)
    layer = keras.layers.Conv2D(4, (3, 2), strides=2, padding="same", use_bias=False)
    layer.build(images.shape)
    layer.set_weights([kernel])
    np.testing.assert_allclose(
        ops.conv(images, kernel, 2, "same"), layer(images), rtol=1e-5, atol=1e-5
    )
    for function, kind in (
        (ops.max_pool, keras.layers.MaxPooling2D), (ops.average_pool, keras.layers.AveragePooling2D)
    ):  # fmt: skip
        np.testing.assert_allclose(function(images, 2), kind(2)(images), rtol=1e-6)
    assert ops.one_hot([1, 0], 3).numpy().tolist() == [[0, 1, 0], [1, 0, 0]]
    assert ops.one_hot(np.array([1.0, 0.0], "float32"), 2).numpy().tolist() == [[0, 1], [1, 0]]
    assert ops.multi_hot(np.array([[1.0, 0.0]]), 3).numpy().tolist() == [[1, 1, 0]]
    assert ops.multi_hot([[1, 0], [2, 2]], 3).numpy().tolist() == [[1, 1, 0], [0, 0, 1]]
    mean, variance = ops.moments(A, 0)
    found = ops.batch_normalization(A, mean, variance, -1)
    np.testing.assert_allclose(found, (A - A.mean(0)) / np.sqrt(A.var(0) + 1e-3), atol=1e-5)
    np.testing.assert_allclose(
        ops.normalize(A), A / np.linalg.norm(A, axis=1, keepdims=True), rtol=1e-5
    )
    target, output = (A > 0).astype(np.float32), P
    np.testing.assert_allclose(
        ops.binary_crossentropy(target, output),
        -(target * np.log(output) + (1 - target) * np.log(1 - output)), rtol=1e-4,
    )  # fmt: skip
    with pytest.raises(ValueError, match="channels_last"):
        ops.max_pool(images, 2, data_format="channels_first")


def test_layers_of_ops_run_in_models():
    class Scaled(keras.layers.Layer):
        def build(self, shape):
            self.scale = self.add_weight(shape=(shape[-1],), initializer="ones")

        def call(self, x):
            batch = ops.shape(x)[0]
            return ops.reshape(x, (batch, -1)) * self.scale + ops.mean(x, axis=-1, keepdims=True)

    inputs = keras.Input((4,))
    model = keras.Model(inputs, ops.softmax(Scaled()(inputs)))
    model.compile("sgd", "mse")
    model.fit(A, np.abs(A), epochs=1, verbose=0)
    np.testing.assert_allclose(model(A).numpy().sum(1), 1, rtol=1e-5)


def test_random():
    random = keras.random
    np.testing.assert_array_equal(random.normal((3,), seed=4), random.normal((3,), seed=4))
    seeds = random.SeedGenerator(4)
    first, second = random.uniform((3,), seed=seeds), random.uniform((3,), seed=seeds)
    assert (first.numpy() != second.numpy()).any()
    again = random.SeedGenerator.from_config(seeds.get_config())
    np.testing.assert_array_equal(first, random.uniform((3,), seed=again))
    ints = random.randint((100,), 2, 5, seed=1).numpy()
    assert ints.dtype == np.int32 and set(ints) == {2, 3, 4}
    dropped = random.dropout(tf.ones([1000]), 0.25, seed=2).numpy()
    assert set(np.round(dropped.astype(float), 4)) == {0.0, 1.3333}
    assert 180 < (dropped == 0).sum() < 320
    assert sorted(random.shuffle(np.arange(9), seed=1).numpy()) == list(range(9))
    assert abs(random.truncated_normal((500,), 1.0, 0.1, seed=3).numpy() - 1).max() <= 0.2001
    assert random.categorical(np.log([[0.0001, 0.9999]]), 5, seed=1).numpy().tolist() == [[1] * 5]

    @tf.function
    def drawn():
        return random.normal((3,), seed=seeds)

    assert (drawn().numpy() != drawn().numpy()).any()
    with pytest.raises(ValueError, match="must be an integer"):
        random.SeedGenerator("x")


ORDERS = [None, "fro", "nuc", -np.inf, -2, -1, 0, 1, 2, np.inf, 3, 0.5]


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("axis", [None, 0, -1, (0, 1), (-1, 0), (2, 1), (0, 1, 2), 3])
def test_norms_of_vectors_and_matrices_are_those_of_numpy(axis, keepdims):
    for x in A[0], A, DRAW.normal(size=(2, 3, 4)).astype(np.float32):
        for order in ORDERS:
            try:
                wanted = np.linalg.norm(x, order, axis, keepdims)
            except (ValueError, np.exceptions.AxisError):
                with pytest.raises(ValueError, match="ord|axis"):
                    ops.norm(x, order, axis, keepdims)
                continue
            if axis is None and x.ndim == 3:
                continue  # NumPy takes all axes as one here, Keras refuses them
            np.testing.assert_allclose(ops.norm(x, order, axis, keepdims), wanted, rtol=1e-5)
