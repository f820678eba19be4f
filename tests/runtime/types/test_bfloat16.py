"""bfloat16: every op that takes floats takes it, computes in float32 and rounds once."""

import pickle

import numpy as np
import pytest

import runtime as tf
from runtime.graph.parser import graph_from_text
from runtime.graph.printer import GraphPrinter
from runtime.ops.op import HIGHER_ORDER, STATEFUL, TABLE
from runtime.types.dtypes import DTYPE_OF_NUMPY
from tests.support.extras import installed, marked, needs
from tests.support.ways import everywhere

pytestmark = needs("jit")
if installed("jit"):
    import ml_dtypes

    NARROW = ml_dtypes.bfloat16


def is_float(x):
    return isinstance(x, np.ndarray) and x.dtype in (np.float32, np.float64)


def floating(op):
    """Whether an op has samples with floats that it computes with; random ones apart."""
    plain = "f" in op.dtype_kinds and callable(op.samples)
    plain = plain and not op.traits & {STATEFUL, HIGHER_ORDER}
    return plain and any(is_float(x) for case in op.samples() for x in case.inputs)


OPS = [name for name, op in TABLE.items() if floating(op)]


def as_arrays(result):
    return [np.asarray(r) for r in (result if isinstance(result, tuple) else (result,))]


def rounded(array):
    return array.astype(NARROW) if array.dtype == np.float32 else array


@pytest.mark.parametrize("name", marked(OPS))
def test_computes_in_float32_and_rounds_once(name):
    op, taken = TABLE[name], 0
    for number, case in enumerate(op.samples()):
        if not any(map(is_float, case.inputs)):
            continue
        narrow = [x.astype(NARROW) if is_float(x) else x for x in case.inputs]
        wide = [x.astype(np.float32) if x.dtype == NARROW else x for x in narrow]
        attrs = [op.samples()[number].attrs for _ in range(3)]  # random streams start afresh
        expected = as_arrays(op(*map(tf.constant, wide), **attrs[0]))
        found = as_arrays(op(*map(tf.constant, narrow), **attrs[1]))
        with tf.Graph().as_default(), tf.Session() as session:
            tensors = [tf.placeholder(DTYPE_OF_NUMPY[x.dtype]) for x in narrow]
            result = op(*tensors, **attrs[2])
            fetches = result if isinstance(result, tuple) else (result,)
            staged = session.run(list(fetches), dict(zip(tensors, narrow)))
        for one, other, tensor, exact in zip(found, staged, fetches, expected, strict=True):
            assert tensor.dtype == one.dtype == np.asarray(other).dtype
            exact = rounded(exact) if one.dtype == NARROW else exact
            for array in (one, other):
                np.testing.assert_array_equal(as_floats(array), as_floats(exact), f"{number}")
        taken += 1
    assert taken


def as_floats(array):
    array = np.asarray(array)
    return array.astype(np.float32) if array.dtype == NARROW else array


def test_the_dtype():
    b = tf.bfloat16
    assert b is tf.as_dtype("bfloat16") is tf.as_dtype(NARROW) is tf.as_dtype(14)
    assert b is tf.dtypes.bfloat16 is tf.as_dtype(np.dtype(NARROW))
    assert b == NARROW and pickle.loads(pickle.dumps(b)) is b
    assert (b.name, b.size, b.kind, b.is_floating, b.as_numpy_dtype) == (
        "bfloat16", 2, "f", True, NARROW)  # fmt: skip
    assert float(b.max) == -float(b.min) == 3.3895313892515355e38
    assert repr(b) == "tf.bfloat16" and b != tf.float16


def test_constants_casts_and_numpy():
    x = tf.constant([1.5, -2.25], tf.bfloat16)
    assert x.dtype is tf.bfloat16 and x.numpy().dtype == NARROW
    assert str(x) == "tf.Tensor([1.5 -2.25], shape=(2,), dtype=bfloat16)"
    assert tf.constant(x.numpy()).dtype is tf.constant(NARROW(3)).dtype is tf.bfloat16
    assert tf.cast([1.00390625, 3.14159265], tf.bfloat16).numpy().tolist() == [1.0, 3.140625]
    for dtype in (tf.int32, tf.float32, tf.float64, tf.float16, tf.complex64):
        assert tf.cast(tf.cast([2, -3], dtype), tf.bfloat16).numpy().tolist() == [2, -3]
        assert tf.cast(tf.constant([2.0, -3.0], tf.bfloat16), dtype).numpy().tolist() == [2, -3]
    assert float(x[0]) == 1.5 and int(x[1]) == -2 and bool(x[0])
    assert tf.strings.as_string(x).numpy().tolist() == [b"1.500000", b"-2.250000"]
    assert tf.strings.format("{}", x).numpy() == b"[1.5 -2.25]"


def test_numbers_follow_it_and_other_tensors_do_not():
    x = tf.constant([1.5, -2.25], tf.bfloat16)
    assert (x + 1).dtype is (2.5 * x).dtype is tf.maximum(x, 0).dtype is tf.bfloat16
    assert (x > 0).numpy().tolist() == [True, False]
    for other in (tf.constant(1.0), tf.constant(1), tf.constant(1.0, tf.float16)):
        with pytest.raises(tf.errors.InvalidArgumentError, match="bfloat16"):
            x + other
    with pytest.raises(TypeError, match="Cannot convert"):
        tf.constant(1j, tf.bfloat16)
    for refuses in (tf.bitwise.invert, tf.strings.lower):
        with pytest.raises(tf.errors.InvalidArgumentError, match="does not take dtype bfloat16"):
            refuses(x)


def test_sums_and_products_are_exact_until_the_end():
    ones = tf.ones([1000], tf.bfloat16)
    assert tf.reduce_sum(ones) == 1000 and tf.reduce_mean(ones) == 1
    row = tf.fill([1, 1000], tf.cast(1.0078125, tf.bfloat16))
    product = tf.matmul(row, row, transpose_b=True)
    assert product.dtype is tf.bfloat16 and product.numpy().item() == 1016.0
    wide = tf.matmul(row, row, transpose_b=True, output_type=tf.float32)
    assert wide.dtype is tf.float32 and wide.numpy().item() == pytest.approx(1015.6860, rel=1e-6)


def program(x):
    total = tf.zeros([], tf.bfloat16)
    for k in x:
        if k > 1.6:
            total = total + tf.tanh(k) * k
        else:
            total -= k
    return total, tf.reduce_max(x), x[::-1], tf.sort(x), tf.where(x > 0, x, 0)


def test_staged_as_eager():
    found = everywhere(lambda: program(tf.constant([1.5, 2.25, -0.5], tf.bfloat16)))
    assert found[1:] == (2.25, [-0.5, 2.25, 1.5], [-0.5, 1.5, 2.25], [1.5, 2.25, 0.0])


def test_gradients():
    x = tf.constant([0.5, -1.25], tf.bfloat16)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.tanh(x) * x)
    found = tape.gradient(y, x)
    assert found.dtype is tf.bfloat16
    exact = np.tanh([0.5, -1.25]) + np.array([0.5, -1.25]) / np.cosh([0.5, -1.25]) ** 2
    np.testing.assert_allclose(found.numpy().astype(float), exact, rtol=0.02)
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.bfloat16, [2])
        gradient = tf.gradients(tf.reduce_sum(tf.tanh(x) * x), x)[0]
        again = session.run(gradient, {x: [0.5, -1.25]})
    assert again.dtype == NARROW and again.tolist() == found.numpy().tolist()


def test_variables():
    variable = tf.Variable([1.0, 2.0], dtype=tf.bfloat16)
    variable.assign_add([0.5, 0.5])
    variable.assign_sub(tf.constant([1.0, 0.25], tf.bfloat16))
    variable.scatter_nd_add([[0]], [4.0])
    assert variable.dtype is tf.bfloat16 and variable.numpy().dtype == NARROW
    assert variable.numpy().tolist() == [4.5, 2.25]
    for drawn in (tf.random.normal, tf.random.uniform, tf.random.truncated_normal):
        assert drawn([3], dtype=tf.bfloat16).dtype is tf.bfloat16


def test_feeds_and_texts_of_graphs():
    with tf.Graph().as_default() as graph, tf.Session() as session:
        x = tf.placeholder(tf.bfloat16, [2])
        y = x * tf.constant([2.0, 3.0], tf.bfloat16)
        for value in ([1, 2], [1.0, 2.0], np.array([1.0, 2.0]), np.array([1, 2], NARROW)):
            assert session.run(y, {x: value}).tolist() == [2.0, 6.0]
    writer = GraphPrinter(full=True)
    text = writer.graph(graph)
    again = graph_from_text(text, writer.objects)
    assert "bfloat16[2]" in text and GraphPrinter(full=True).graph(again) == text
    assert tf.Session(graph=again).run(y.name, {x.name: [1, 2]}).tolist() == [2.0, 6.0]


def test_of_test_cases():
    class OpSample(tf.test.TestCase):
        def runTest(self):
            x = tf.constant([1.0, float("nan")], tf.bfloat16)
            self.assertAllEqual(x, x)
            self.assertAllClose(x, [1.0, float("nan")])
            self.assertAllCloseAccordingToType(x[:1], [1.009])
            self.assertAllInRange(x[:1], 0.0, 2.0)

    OpSample().debug()


def test_in_arrays_of_tensors():
    x = tf.constant([1.0, 2.0, 0.5], tf.bfloat16)
    with tf.GradientTape() as tape:
        tape.watch(x)
        entries = tf.TensorArray(tf.bfloat16, 3).unstack(x * x)
        y = tf.reduce_sum(entries.write(1, x[0]).stack())
    assert tape.gradient(y, x).numpy().tolist() == [3.0, 0.0, 1.0]
