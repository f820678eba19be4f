"""DType: identity, text, equality with NumPy's and Python's types."""

import pickle

import numpy as np
import pytest

import runtime as tf
from runtime.types.dtypes import DTYPES


def test_text_is_tensorflows():
    assert str(tf.float32) == "<dtype: 'float32'>"
    assert repr(tf.float32) == "tf.float32"
    assert tf.bool.name == "bool"


@pytest.mark.parametrize(
    "same", ["float32", np.float32, np.dtype("float32"), np.dtype(">f4"), "float", float]
)
def test_as_dtype_finds_the_one_object(same):
    assert tf.as_dtype(same) is tf.float32
    assert tf.float32 == same


def test_numpy_types_round_trip():
    for dtype in DTYPES:
        if dtype.name not in ("string", "resource", "variant"):
            assert tf.as_dtype(dtype.as_numpy_dtype) is dtype
        assert pickle.loads(pickle.dumps(dtype)) is dtype


def test_unlike_types_differ():
    assert tf.float32 != tf.float64
    assert tf.float32 != "int32"
    assert tf.float32 != None
    assert tf.float32 != 3


def test_unknown_type_says_what_there_is():
    with pytest.raises(TypeError, match=r"Cannot convert 'flaot32'.*Expected one of float16"):
        tf.as_dtype("flaot32")


def test_facts():
    assert tf.int8.min == -128 and tf.uint8.max == 255 and tf.bool.limits == (False, True)
    assert tf.float16.is_floating and tf.int64.is_integer and not tf.int64.is_floating
    assert tf.uint8.is_unsigned
    assert tf.complex64.is_complex and tf.complex64.real_dtype is tf.float32
    assert tf.float64.size == 8
    with pytest.raises(TypeError, match="minimum"):
        _ = tf.string.min


@pytest.mark.parametrize(
    "value",
    [{"name": "a", "n": 1.5}, {}, [], [1], ("f4", -1), ",", {"names": ["a"], "itemsize": 1 << 70}],
    ids=repr,
)
def test_what_names_no_dtype_is_unequal(value):
    assert not (tf.float32 == value)
    assert tf.float32 != value
    assert value not in (tf.float32, tf.int32)
