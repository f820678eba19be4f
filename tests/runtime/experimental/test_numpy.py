"""``experimental.numpy``: TensorFlow's values, gradients, and NumPy's behaviour of tensors."""

import subprocess
import sys

import numpy as np
import pytest

import runtime as tf
import runtime.experimental.numpy as tnp
from tests.runtime.experimental.numpy_calls import STORED
from tests.support import ROOT
from tests.support.tensorflow_values import assert_agree

VALUES = STORED.stored()
STATIC = ("iscomplexobj", "isscalar", "result_type", "promote", "issubdtype", "finfo", "tnp.pi",
          "random")  # fmt: skip
STAGED = [call for call in STORED.calls if not any(name in call for name in STATIC)]


@pytest.mark.parametrize("call", STORED.calls)
def test_as_tensorflow(call):
    assert_agree(STORED.run(tf, call), VALUES[call])


@pytest.mark.parametrize("call", STAGED)
def test_as_tensorflow_in_a_function(call):
    assert_agree(STORED.run(tf, call, tf.function), VALUES[call])


def test_gradients_go_through():
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tnp.sum(tnp.square(x)) / tnp.mean(x)
    assert np.allclose(tape.gradient(y, x), [2 / 1.5 - 5 * 0.5 / 2.25, 4 / 1.5 - 5 * 0.5 / 2.25])


def test_var_and_average_as_numpy():
    x = np.array([[0.5, -1.5, 2.0], [3.25, 0.0, -0.25]])
    assert np.allclose(tnp.var(x, axis=1, ddof=1), np.var(x, axis=1, ddof=1))
    ours, totals = tnp.average(x, axis=1, weights=[1, 2, 3], returned=True)
    theirs, numbers = np.average(x, axis=1, weights=[1, 2, 3], returned=True)
    assert np.allclose(ours, theirs) and np.allclose(totals, numbers)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: tnp.take([1], [0], mode="raise"), "Invalid mode"),
        (lambda: tnp.reshape([1, 2], [2], order="A"), "Unsupported order"),
        (lambda: tnp.where([True], 1), "either both or neither"),
        (lambda: tnp.select([[True]], []), "must have one length"),
        (lambda: tnp.ix_([[1]]), "Arguments must be 1-d"),
        (lambda: tnp.random.randint(3, dtype=tnp.int8), "Only np.int32 or np.int64"),
        (lambda: tnp.experimental_enable_numpy_behavior(dtype_conversion_mode="all"), "'legacy'"),
    ],
)
def test_mistakes(call, text):
    with pytest.raises(ValueError, match=text):
        call()


BEHAVIOR = """
import numpy as np
import runtime as tf
import runtime.experimental.numpy as tnp
tnp.experimental_enable_numpy_behavior()
x = tf.reshape(tf.range(6), [2, 3])
print((x + tf.constant(1.5)).dtype.name, (x / 2).dtype.name)
print((1 - tf.constant(2, tf.int8)).dtype.name)
print((tf.constant([1.5]) + np.array([1.0])).dtype.name, (x > 2.5).numpy().tolist())
print((x @ [1, 1, 1]).numpy().tolist(), (2.0 ** x)[0].numpy().tolist(), (x // 2 % 2).tolist())
print(x.T.shape, x.reshape(3, -1).shape, x.reshape(-1).tolist(), x.astype(float).dtype.name)
print(x[:, (True, False, True)].tolist(), x[(0, 1), (1, 1)].tolist(), x[[1, 0]].shape)
print(float(np.sum(x)), float(np.max(x)), x.mean().dtype.name, x.transpose(1, 0).shape)
f = tf.function(lambda a, b: (a + b).astype("int32").T)
print(f(tf.constant([[1.5, 2.0]]), tf.constant([[1], [2]])).tolist())
tnp.experimental_enable_numpy_behavior(prefer_float32=True)
print(tnp.asarray(1.0).dtype.name, (x / 2).dtype.name, tnp.add(1.0, 2.0).dtype.name)
tnp.experimental_enable_numpy_behavior(dtype_conversion_mode="off")
try:
    x + tf.constant(1.5)
except tf.errors.InvalidArgumentError:
    print("refused")
"""


def test_numpy_behavior():
    process = subprocess.run(
        [sys.executable, "-c", BEHAVIOR], capture_output=True, text=True, cwd=ROOT, timeout=120
    )
    lines = process.stdout.splitlines()
    assert lines == [
        "float64 float64",
        "int8",
        "float64 [[False, False, False], [True, True, True]]",
        "[3, 12] [1.0, 2.0, 4.0] [[0, 0, 1], [1, 0, 0]]",
        "(3, 2) (3, 2) [0, 1, 2, 3, 4, 5] float64",
        "[[0, 2], [3, 5]] [1, 4] (2, 3)",
        "15.0 5.0 float64 (3, 2)",
        "[[2, 3], [3, 4]]",
        "float32 float32 float32",
        "refused",
    ]
