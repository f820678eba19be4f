"""Functions made of several ops on tensors whose sizes, or even rank, are not known yet."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from runtime import errors
from tests.runtime.ops.tensorflow_calls import numbers

CALLS = {
    "matrix_transpose": (lambda x: tf.linalg.matrix_transpose(x), numbers(2, 3, 4)),
    "adjoint": (lambda x: tf.linalg.adjoint(x), numbers(3, 4) + 1j),
    "space_to_depth": (lambda x: tf.nn.space_to_depth(x, 2), numbers(2, 4, 2, 3)),
    "depth_to_space": (lambda x: tf.nn.depth_to_space(x, 2), numbers(2, 2, 1, 8)),
    "space_to_batch": (
        lambda x: tf.space_to_batch(x, [2, 1], [[1, 0], [0, 0]]), numbers(2, 3, 2, 1),
    ),
    "batch_to_space": (
        lambda x: tf.batch_to_space(x, [2, 1], [[1, 0], [0, 0]]), numbers(4, 2, 3, 1),
    ),
    "conv2d": (lambda x: tf.nn.conv2d(x, numbers(2, 2, 3, 1), 1, "SAME"), numbers(2, 4, 5, 3)),
    "conv1d": (lambda x: tf.nn.conv1d(x, numbers(2, 3, 1), 1, "VALID"), numbers(2, 5, 3)),
    "frame": (lambda x: tf.signal.frame(tf.ensure_shape(x, [None]), 3, 2), numbers(8)),
    "frame to the end": (
        lambda x: tf.signal.frame(tf.ensure_shape(x, [None]), 3, 2, pad_end=True), numbers(8),
    ),
    "stft": (lambda x: tf.abs(tf.signal.stft(tf.ensure_shape(x, [None, None]), 4, 2)),
             numbers(2, 9)),
    "average_loss": (lambda x: tf.nn.compute_average_loss(x), numbers(5)),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("known", ["batch unknown", "sizes unknown", "rank unknown"])
def test_gives_what_it_gives_for_known_shapes(name, known):
    call, value = CALLS[name]
    dims = {
        "batch unknown": [None, *value.shape[1:]],
        "sizes unknown": [None] * value.ndim,
        "rank unknown": None,
    }[known]
    staged = tf.function(call, input_signature=[tf.TensorSpec(dims, value.dtype)])
    expected = call(tf.constant(value)).numpy()
    np.testing.assert_allclose(staged(value).numpy(), expected, rtol=1e-6)
    assert staged.get_concrete_function().output_shapes.is_compatible_with(expected.shape)


def test_ranks_are_known_where_other_arguments_say_them():
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32)
        for found, shape in [
            (tf.slice(x, [0, 1], [2, -1]), [2, None]),
            (tf.tile(x, [2, 0]), [None, 0]),
            (tf.pad(x, [[1, 2], [0, 0]]), [None, None]),
            (tf.where(x > 0), [None, None]),
            (tf.einsum("ij,jk->ik", x, tf.zeros([3, 4])), [None, 4]),
            (tf.einsum("ij->", x), []),
        ]:
            assert found.shape.as_list() == shape
        assert tf.einsum("...i->...", x).shape.rank is None
        with pytest.raises(ValueError, match="2 inputs"):
            tf.einsum("ij,jk->ik", x)


def test_sizes_of_an_einsum_that_may_repeat_are_not_known():
    with tf.Graph().as_default():
        x, y, z = (tf.placeholder(tf.float32, dims) for dims in ([None, None], [1, None], None))
        for one, other in [(x, y), (y, x)]:
            assert tf.einsum("...i,...i->...", one, other).shape.as_list() == [None]
        assert tf.einsum("ij,ij->i", y, z).shape.as_list() == [None]
        assert tf.einsum("ij,ij->i", tf.zeros([3, 2]), z).shape.as_list() == [3]


def test_what_does_not_fit_is_refused_when_it_runs():
    signature = [tf.TensorSpec(None, tf.float32)]
    halved = tf.function(lambda x: tf.nn.space_to_depth(x, 2), input_signature=signature)
    for shape in [(1, 3, 4, 1), (2, 4, 4)]:
        with pytest.raises(errors.InvalidArgumentError):
            halved(numbers(*shape))


REFUSED = {
    "expand_dims": lambda: tf.expand_dims([1, 2, 3], 5),
    "squeeze": lambda: tf.squeeze([[1, 2]], [3]),
    "reverse": lambda: tf.reverse([1, 2], [1]),
    "getitem": lambda: tf.constant([1, 2])[2],
    "pad": lambda: tf.pad([1, 2], [[-1, 0]]),
    "tile": lambda: tf.tile([1, 2], [2, 2]),
    "gather": lambda: tf.gather([1, 2], [0], axis=1),
    "one_hot": lambda: tf.one_hot([1], -3),
    "split": lambda: tf.split([1, 2, 3], [1, 2], num=3),
    "boolean_mask": lambda: tf.boolean_mask([1, 2], [True, True, False]),
    "transpose": lambda: tf.transpose([[1, 2]], [0, 0]),
    "unstack": lambda: tf.unstack([[1, 2]], axis=2),
    "a list of axes": lambda: tf.cumsum([1, 2], axis=[0]),
    "einsum": lambda: tf.einsum("ij,jk->il", [[1.0]], [[2.0]]),
    "strided_slice": lambda: tf.strided_slice([1, 2], [0, 0], [1]),
    "strided_slice by a scalar": lambda: tf.strided_slice([1, 2], 0, 1),
    "a step of 0": lambda: tf.constant([1, 2])[::0],
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_refusal_is_a_value_error_as_in_a_graph_and_an_invalid_argument_as_eagerly(name):
    for run in (REFUSED[name], tf.function(REFUSED[name])):
        with pytest.raises(errors.InvalidArgumentError) as caught:
            run()
        assert isinstance(caught.value, ValueError)


def test_numbers_that_are_not_whole_are_refused_with_both_classes():
    for kind in (TypeError, errors.InvalidArgumentError):
        with pytest.raises(kind, match="indices must hold whole numbers"):
            tf.gather([1, 2], [0.5])


def test_norms_of_whole_numbers_are_refused():
    for kind in (TypeError, errors.InvalidArgumentError):
        with pytest.raises(kind, match="norm does not take dtype int32"):
            tf.norm([1, 1])


def test_texts_are_scattered():
    found = tf.scatter_nd([[2], [0]], ["a", "b"], [4])
    assert found.numpy().tolist() == [b"b", b"", b"a", b""]


def test_silu_learns_its_beta():
    def slope(x, beta):
        with tf.GradientTape() as tape:
            tape.watch([x, beta])
            y = tf.nn.silu(x, beta)
        return tape.gradient(y, [x, beta])

    x, beta = tf.constant([-1.0, 2.0]), tf.constant(1.5)
    step = 1e-3
    wanted = (tf.nn.silu(x, beta + step) - tf.nn.silu(x, beta - step)) / (2 * step)
    for run in (slope, tf.function(slope)):
        np.testing.assert_allclose(run(x, beta)[1], np.sum(wanted), rtol=1e-3)


def test_the_square_of_a_complex_difference_is_real():
    x, y = tf.constant(numbers(3) + 2j * numbers(3)), tf.constant(1 + 1j, tf.complex64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        z = tf.reduce_sum(tf.math.real(tf.math.squared_difference(x, y)))
    np.testing.assert_allclose(tape.gradient(z, x), 2 * (x - y), rtol=1e-6)
