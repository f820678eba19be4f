"""Losses and their gradients run as loops and products, without calls of kernels; what an operation
is composed of raises as its kernel does.
"""

import numpy as np
import pytest

import runtime as tf
from runtime.ops.nn.convolution import conv_transpose
from runtime.types.flags import JIT
from tests.runtime.engine.llvm.test_array_sweep import callbacks_in
from tests.support.extras import needs

pytestmark = needs("jit")


def gradient(loss):
    """The loss and its gradient by all arguments of a floating dtype."""

    def both(*args):
        wanted = [x for x in args if x.dtype.is_floating]
        with tf.GradientTape() as tape:
            for x in wanted:
                tape.watch(x)
            found = loss(*args)
        return found, *tape.gradient(found, wanted)

    return both


def dense(x, w1, b1, w2, b2):
    return tf.matmul(tf.nn.relu(tf.matmul(x, w1) + b1), w2) + b2


def classifier(x, labels, *weights):
    logits = dense(x, *weights)
    losses = tf.nn.softmax_cross_entropy_with_logits(tf.nn.softmax(labels), logits)
    return tf.reduce_mean(losses)


def sparse_classifier(x, labels, *weights):
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, dense(x, *weights))
    return tf.reduce_mean(losses)


def layer_norm(x, scale, offset):
    mean, variance = tf.nn.moments(x, [-1], keepdims=True)
    normal = (x - mean) * tf.math.rsqrt(variance + 1e-5)
    return tf.reduce_sum(tf.nn.gelu(normal * scale + offset))


def batch_norm(x, scale, offset):
    mean, variance = tf.nn.moments(x, [0])
    return tf.reduce_sum(tf.nn.elu((x - mean) / tf.sqrt(variance + 1e-3) * scale + offset))


def attention(q, k, v):
    weights = tf.nn.softmax(tf.matmul(q, k, transpose_b=True) / 8.0)
    return tf.reduce_sum(tf.square(tf.matmul(weights, v)))


def regression(x, w):
    residue = tf.math.log_sigmoid(tf.linalg.matvec(x, w))
    return tf.reduce_logsumexp(residue) + tf.math.reduce_std(x) + tf.norm(w)


DRAW = np.random.default_rng(3)


def floats(*shape):
    return tf.constant(DRAW.normal(0, 1, shape).astype("f4"))


LABELS = tf.constant(DRAW.integers(0, 5, 12))
WEIGHTS = floats(7, 6), floats(6), floats(6, 5), floats(5)
PROGRAMS = [
    (classifier, (floats(12, 7), floats(12, 5), *WEIGHTS)),
    (sparse_classifier, (floats(12, 7), LABELS, *WEIGHTS)),
    (layer_norm, (floats(12, 9), floats(9), floats(9))),
    (batch_norm, (floats(12, 9), floats(9), floats(9))),
    (attention, (floats(2, 5, 4), floats(2, 5, 4), floats(2, 5, 4))),
    (regression, (floats(12, 7), floats(7))),
]
UNKNOWN = [PROGRAMS[2], PROGRAMS[3], PROGRAMS[5]]
"""Programs of which the batch may have any size."""


def specs(args, known):
    found = [tf.TensorSpec(x.shape, x.dtype) for x in args]
    if not known:
        found[0] = tf.TensorSpec([None, *args[0].shape[1:]], args[0].dtype)
    return found


@pytest.mark.parametrize(
    ("program", "args", "known"),
    [(*one, True) for one in PROGRAMS] + [(*one, False) for one in UNKNOWN],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_losses_and_gradients_call_no_kernels(program, args, known):
    function = tf.function(gradient(program), specs(args, known), jit_compile=True)
    with JIT("never"):
        expected = tf.function(gradient(program), specs(args, known))(*args)
    for found, wanted in zip(function(*args), expected, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)
    assert not callbacks_in(function.get_concrete_function(*args).graph)


@pytest.mark.parametrize("labels", [[0, 5, 1], [-1, 0, 0]])
def test_labels_out_of_range(labels):
    logits, texts = floats(3, 5), []
    for mode in ("never", "always"):
        with JIT(mode):
            function = tf.function(tf.nn.sparse_softmax_cross_entropy_with_logits)
            with pytest.raises(tf.errors.InvalidArgumentError) as caught:
                function(tf.constant(labels), logits)
        texts.append(str(caught.value))
    assert texts[0] == texts[1]
    assert "there are 5 classes" in texts[0]


@pytest.mark.parametrize("taken", [True, False])
def test_shapes_that_passes_find_not_to_fit(taken):
    """The error is that of the kernel, and is raised only where the operation runs."""

    def program(x, filters, takes):
        shape = tf.zeros([3], tf.int32) + [1, 3, 3]
        if takes:
            attrs = {"strides": (1,), "dilations": (1,), "padding": "SAME"}
            return tf.reduce_sum(conv_transpose(x, filters, shape, **attrs))
        return tf.constant(1.0, tf.float16)

    x, filters = np.zeros((7, 9, 1), "float16"), np.zeros((7, 9, 1), "float16")
    texts = []
    for mode in ("never", "always"):
        with JIT(mode):
            function = tf.function(program)
            if not taken:
                assert function(x, filters, tf.constant(False)) == 1
                continue
            with pytest.raises(tf.errors.InvalidArgumentError, match="input depth") as caught:
                function(x, filters, tf.constant(True))
        texts.append(str(caught.value).partition("\n")[0])
    assert not taken or texts[0] == texts[1]


def test_sizes_that_are_one_by_chance():
    """An unknown size may be 1, along which another array is then broadcast."""
    spec = tf.TensorSpec([None, 3], "float32")
    program = gradient(lambda x, y: tf.reduce_sum(tf.square(x + y), 0)[1])
    for shapes in (((1, 3), (4, 3)), ((4, 3), (1, 3)), ((4, 3), (4, 3)), ((1, 3), (1, 3))):
        args = [floats(*shape) for shape in shapes]
        native = tf.function(program, [spec, spec], jit_compile=True)(*args)
        with JIT("never"):
            expected = tf.function(program, [spec, spec])(*args)
        for found, wanted in zip(native, expected, strict=True):
            np.testing.assert_allclose(found, wanted, rtol=1e-5)
            assert found.shape == wanted.shape


@pytest.mark.parametrize("function", [tf.math.conj, tf.math.real])
def test_large_array_that_is_not_needed_any_more(function):
    """An operation that may overwrite its input is composed as any other."""
    x = np.arange(20_000.0)
    with JIT("always"):
        found = tf.function(lambda x: function(x + 1.0))(x)
    np.testing.assert_array_equal(found, x + 1.0)
