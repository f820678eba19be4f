"""Eager tensors: operators, NumPy and Python interop, text, errors."""

import copy
import pickle

import numpy as np
import pytest

import runtime as tf
from runtime import errors
from runtime.ops import dispatch


def test_arithmetic_and_text_as_tensorflow_prints_it():
    t = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    assert str(t + t) == "tf.Tensor(\n[[2. 4.]\n [6. 8.]], shape=(2, 2), dtype=float32)"
    assert repr(tf.constant(3.0)) == "<tf.Tensor: shape=(), dtype=float32, numpy=3.0>"
    assert repr(tf.constant([1, 2])) == (
        "<tf.Tensor: shape=(2,), dtype=int32, numpy=array([1, 2], dtype=int32)>"
    )
    assert str(tf.constant("a")) == "tf.Tensor(b'a', shape=(), dtype=string)"
    assert f"{tf.constant(2.5)}" == "2.5" and f"{tf.constant(2.5):.2f}" == "2.50"


@pytest.mark.parametrize("number", [3, 2.0])
def test_python_numbers_take_the_tensors_dtype(number):
    t = tf.constant([1.0, 2.0], dtype=tf.float16)
    for result in (t + number, number - t, t * number):
        assert result.dtype is tf.float16


def test_integers_do_not_take_floats():
    for build in (lambda: tf.constant(1) + 1.5, lambda: 1.5 * tf.constant([1])):
        with pytest.raises(TypeError, match="Cannot convert 1.5 to a tensor of dtype int32"):
            build()
    with pytest.raises(OverflowError, match="does not fit"):
        tf.constant(1, tf.int8) + 300


def test_numpy_arrays_beside_tensors():
    t = tf.constant([1.0, 2.0])
    assert (t + np.array([1.0, 1.0])).dtype is tf.float32
    assert isinstance(np.array([1.0, 1.0]) + t, tf.Tensor)
    assert isinstance(np.add(t, 1), np.ndarray)
    assert isinstance(np.float32(1) + t, tf.Tensor)


def test_mismatched_dtypes_name_both_and_the_remedy():
    with pytest.raises(errors.InvalidArgumentError) as caught:
        tf.constant(1.0) + tf.constant(1)
    assert isinstance(caught.value, TypeError)
    text = str(caught.value)
    assert "'y'" in text and "int32" in text and "float32" in text and "runtime.cast" in text


def test_incompatible_shapes():
    with pytest.raises(errors.InvalidArgumentError, match=r"\[2\] vs\. \[3\].*\[Op:add\]"):
        tf.constant([1, 2]) + tf.constant([1, 2, 3])


def test_integers_wrap_without_warning(recwarn):
    top = tf.constant(2**31 - 1)
    assert (top + 1).numpy() == -(2**31)
    big = tf.constant(3e38)
    assert np.isinf((big + big).numpy()) and np.isinf((big * 10).numpy())
    assert not recwarn.list


def test_comparison_is_elementwise():
    t = tf.constant([1, 2])
    assert (t == [1, 3]).numpy().tolist() == [True, False]
    assert (t != t).numpy().tolist() == [False, False]
    assert (t < 2).dtype is tf.bool
    assert (t == None) is False and (t != None) is True
    assert not (t == tf.constant([1, 2, 3])) and (t != tf.constant([1, 2, 3]))
    with pytest.raises(errors.InvalidArgumentError, match="Incompatible shapes"):
        tf.equal(t, tf.constant([1, 2, 3]))


def test_python_conversions():
    t = tf.constant(3)
    assert int(t) == 3 and float(t) == 3.0 and complex(t) == 3 and [0, 1, 2, 30][t] == 30
    assert bool(tf.constant(1)) and not tf.constant(0.0)
    assert [x.numpy() for x in tf.constant([1, 2])] == [1, 2]
    assert len(tf.constant([[1, 2], [3, 4], [5, 6]])) == 3
    with pytest.raises(ValueError, match="ambiguous"):
        bool(tf.constant([1, 2]))
    with pytest.raises(TypeError, match="Scalar tensor has no"):
        len(t)
    with pytest.raises(TypeError, match="scalar tensor"):
        iter(t)
    with pytest.raises(TypeError, match="integer scalar"):
        [0, 1][tf.constant(1.0)]


def test_hash_by_reference():
    t = tf.constant(1)
    with pytest.raises(TypeError, match=r"tensor\.ref\(\)"):
        hash(t)
    assert {t.ref(): 5}[t.ref()] == 5 and t.ref().deref() is t


def test_arrays_seen_by_numpy_cannot_be_written():
    t = tf.constant([1, 2])
    with pytest.raises(ValueError, match="read-only"):
        np.asarray(t)[0] = 5
    assert np.from_dlpack(t).tolist() == [1, 2]


def test_copies_and_pickles():
    t = tf.constant([1.5, 2.5])
    assert copy.copy(t) is t and copy.deepcopy(t) is t
    again = pickle.loads(pickle.dumps(t))
    assert again.numpy().tolist() == [1.5, 2.5] and again.dtype is tf.float32


def test_graph_attributes_are_undefined():
    assert not hasattr(tf.constant(1), "graph") and not hasattr(tf.constant(1), "op")
    with pytest.raises(AttributeError, match="eager"):
        _ = tf.constant(1).name


def test_watchers_see_every_op():
    seen = []

    class OpListener:
        def record(self, op, inputs, attrs, outputs):
            seen.append((op.name, [i.numpy() for i in inputs], outputs.numpy()))

    a = tf.constant(2.0)
    with dispatch.listening(OpListener()):
        a * a + 1.0
    a * a
    assert seen == [("multiply", [2, 2], 4), ("add", [4, 1], 5)]


def test_constants_of_tensors():
    mixed = tf.constant([tf.constant(1.0), 2])
    assert mixed.dtype == tf.float32 and mixed.numpy().tolist() == [1.0, 2.0]
    assert tf.constant(tf.Variable(3)).numpy() == 3
    assert tf.constant(tf.constant(1), shape=[2]).numpy().tolist() == [1, 1]
    assert tf.constant([tf.constant(1), 2], shape=[2, 1]).numpy().tolist() == [[1], [2]]
    for three in ([1, 2, 3], tf.constant([1, 2, 3])):
        with pytest.raises(TypeError, match="has 3 elements"):
            tf.constant(three, shape=[2, 2])


def test_what_is_a_tensor():
    assert tf.is_tensor(tf.constant(1)) and tf.is_tensor(tf.Variable(1))
    assert not tf.is_tensor(1) and not tf.is_tensor(np.ones(2))
    with tf.Graph().as_default():
        assert tf.is_tensor(tf.placeholder(tf.int32))


def test_printed_digits(capsys):
    third, tenth = 1 / 3, 0.1
    tf.print(tf.constant(third), tf.constant(third, tf.double), tf.constant(tenth, tf.half))
    assert capsys.readouterr().err == "0.333333343 0.33333333333333331 0.0999755859\n"


def test_strings():
    t = tf.constant(["a", "é"])
    assert (t + "!").numpy().tolist() == [b"a!", "é!".encode()]
    assert str(t[0] + t[1]) == f"tf.Tensor({'aé'.encode()!r}, shape=(), dtype=string)"
    assert [x.numpy() for x in t] == [b"a", "é".encode()]
    assert (t[0] == "a").numpy() and bool(t[0] != "b")
    assert tf.unstack(t)[0].shape == ()
    with pytest.raises(TypeError, match="does not take dtype string"):
        t - t
    with tf.Session(graph=tf.Graph()) as sess:
        x = tf.placeholder(tf.string, [None])
        first = x[0] + "?"
        assert sess.run([first, first + first, x == "b"], {x: ["a", "b"]})[:2] == [b"a?", b"a?a?"]


def test_multiple_outputs_and_attrs():
    first, second = tf.unstack(tf.constant([[1, 2], [3, 4]]), axis=1)
    assert first.numpy().tolist() == [1, 3] and second.numpy().tolist() == [2, 4]
    assert tf.reduce_sum([[1, 2], [3, 4]], axis=-1, keepdims=True).numpy().tolist() == [[3], [7]]
    assert tf.matmul([[1.0, 2.0]], [[3.0, 4.0]], transpose_b=True).numpy().tolist() == [[11.0]]


def test_arguments_by_name():
    assert tf.add(x=1, y=2).numpy() == 3
    with pytest.raises(TypeError, match="missing its argument 'y'"):
        tf.add(1)
    with pytest.raises(TypeError, match="takes 2 tensors"):
        tf.add(1, 2, 3)
