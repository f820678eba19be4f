"""Arrays that native code makes lie row by row: what uses them looks at no sizes or strides."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf

pytest.importorskip("llvmlite")


def test_sizes_and_strides_of_what_a_loop_makes_are_constants():
    @tf.function(jit_compile=True)
    def turns(x, count):
        for _ in tf.range(count):
            x = tf.tanh(x @ x) + 1.0
        return tf.reduce_sum(x, axis=0)

    x = tf.constant(np.eye(5, dtype=np.float32))
    text = turns.get_concrete_function(x, tf.constant(3)).llvm_ir()
    assert "@view." not in text
    assert "i64 20, i64 4" in text  # strides of a product's argument
    reference = x
    for _ in range(3):
        reference = tf.tanh(reference @ reference) + 1.0
    np.testing.assert_allclose(turns(x, 3), tf.reduce_sum(reference, axis=0), rtol=1e-5)


@pytest.mark.parametrize("make", [
    lambda x: x, lambda x: np.asfortranarray(x), lambda x: x[::-1], lambda x: x[:, ::2],
    lambda x: np.repeat(x, 2, axis=1)[:, ::2], lambda x: x.T,
])  # fmt: skip
def test_arguments_and_variables_of_any_layout(make):
    """Those of other layouts than row by row run the code for any layout, or the kernels."""
    base = np.arange(36, dtype=np.float64).reshape(6, 6)
    given = make(base)
    variable = tf.Variable(given)

    @tf.function(jit_compile=True)
    def f(x):
        y = x * 2.0 + variable
        variable.assign(y - x)
        return tf.reduce_sum(y, axis=0), y @ tf.transpose(y)

    total, square = f(tf.constant(given))
    y = given * 2.0 + given
    np.testing.assert_allclose(total, y.sum(0))
    np.testing.assert_allclose(square, y @ y.T)
    np.testing.assert_allclose(variable, y - given)


def test_state_whose_size_changes_has_no_known_layout():
    @tf.function(jit_compile=True)
    def doubled(x, count):
        for _ in tf.range(count):
            tf.autograph.experimental.set_loop_options(
                shape_invariants=[(x, tf.TensorShape([None]))]
            )
            x = tf.concat([x, x * 2.0], axis=0)
        return x, tf.shape(x)[0], x + 1.0

    found, size, more = doubled(tf.constant([1.0, 3.0]), 3)
    expected = np.array([1.0, 3.0], np.float32)
    for _ in range(3):
        expected = np.concatenate([expected, expected * 2])
    assert found.numpy().tolist() == expected.tolist()
    assert more.numpy().tolist() == (expected + 1).tolist()
    assert size.numpy() == 16


def test_a_branch_that_a_kernel_computes_may_have_another_layout():
    @tf.function(jit_compile=True)
    def chosen(x, flag):
        y = tf.transpose(x) if flag else x * 2.0
        return tf.exp(y) + y, tf.reduce_sum(y, axis=1)

    x = np.arange(9.0).reshape(3, 3) / 10
    for flag in (True, False):
        y = x.T if flag else x * 2
        first, second = chosen(tf.constant(x), tf.constant(flag))
        np.testing.assert_allclose(first, np.exp(y) + y)
        np.testing.assert_allclose(second, y.sum(1))


def test_what_a_fusion_cannot_compute_the_kernels_do_in_order():
    """An integer division by zero: the site of the fusion calls the kernels, which raise."""

    @tf.function(jit_compile=True)
    def divided(x, y):
        return (x * 3 + 1) // y - x, x + y

    x, y = tf.constant([7, 8, 9]), tf.constant([2, 3, 4])
    assert divided(x, y)[0].numpy().tolist() == [4, 0, -2]
    with pytest.raises(tf.errors.InvalidArgumentError, match="test_row_arrays.py"):
        divided(x, tf.constant([1, 0, 1]))
