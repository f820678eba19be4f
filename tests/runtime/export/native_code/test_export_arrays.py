"""Functions of arrays: buffers of the caller's, sizes as arguments, what has no size yet."""

from __future__ import annotations

import ctypes
import platform

import numpy as np
import pytest

import runtime as tf
from tests.runtime.export.native_code import programs
from tests.runtime.export.native_code.exports import Exported, Heap, int32, needs_cc

pytestmark = needs_cc
vector, matrix = tf.TensorSpec([None], tf.float32), tf.TensorSpec([None, None], tf.float64)


def exported(tmp_path, function, *signature):
    trace = tf.function(function).get_concrete_function(*signature)
    return trace, Exported(trace, tmp_path / "f.so", target="native")


def test_sizes_are_arguments_and_results(tmp_path):
    trace, native = exported(tmp_path, programs.scaled, vector, tf.TensorSpec([], tf.float32))
    for size in (0, 1, 7, 1000):
        x = np.arange(size, dtype=np.float32)
        status, (result,), _ = native(x, 1.5)
        assert status == 0
        assert np.array_equal(result, trace(tf.constant(x), tf.constant(1.5)).numpy())
    assert not native.heap.blocks


def test_a_small_buffer_is_refused_and_sizes_are_written(tmp_path):
    _, native = exported(tmp_path, programs.scaled, vector, tf.TensorSpec([], tf.float32))
    status, _, call = native(np.zeros(9, np.float32), 1.0, room=8)
    assert status == 4
    x, size = np.zeros(9, np.float32), ctypes.c_int64()
    args = x.ctypes.data_as(ctypes.c_void_p), ctypes.c_int64(9), ctypes.c_float(1)
    call = Heap().call()
    none = ctypes.c_void_p(), ctypes.c_int64(0), ctypes.byref(size), ctypes.byref(call)
    assert native._function(*args, *none) == 0
    assert size.value == 9


def test_wrong_sizes_are_refused(tmp_path):
    _, native = exported(tmp_path, programs.scaled, vector, tf.TensorSpec([], tf.float32))
    for size in (-1, 1 << 62):
        call, sizes = Heap().call(), ctypes.c_int64()
        status = native._function(
            None, ctypes.c_int64(size), ctypes.c_float(1), None, ctypes.c_int64(0),
            ctypes.byref(sizes), ctypes.byref(call),
        )  # fmt: skip
        assert (status, call.exception) == (3, b"ValueError")
        assert call.message == b"the sizes of x must be 0 or more, and those of an array"


def test_an_index_out_of_range_is_told_with_its_number(tmp_path):
    trace, native = exported(tmp_path, programs.entry, vector, int32)
    x = np.array([3, 4, 5], np.float32)
    for index in (0, 2, -1, -3):
        assert native(x, index)[:2] == (0, [x[index]])
    status, _, call = native(x, 113)
    with pytest.raises(tf.errors.InvalidArgumentError) as error:
        trace(tf.constant(x), tf.constant(113))
    assert status == 1
    words = call.message.decode()
    assert words.startswith("slice index 113 of dimension"), words
    assert str(error.value).startswith("slice index 113 of dimension")


SHAPES = [
    ((3, 4), (4, 5)), ((1, 7), (7, 1)), ((9, 40), (40, 33)), ((0, 2), (2, 3)), ((2, 0), (0, 3)),
]  # fmt: skip


@pytest.mark.parametrize("target", ["native", "x86-64"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128"])
def test_products(tmp_path, target, dtype):
    if target == "x86-64" and platform.machine().lower() not in ("x86_64", "amd64"):
        pytest.skip("another processor")
    kinds = [tf.TensorSpec([None, None], tf.as_dtype(dtype))] * 2
    trace = tf.function(lambda a, b: tf.matmul(a, b)).get_concrete_function(*kinds)
    native = Exported(trace, tmp_path / "f.so", target=target, name="product")
    random = np.random.default_rng(1)
    tolerance = 1e-5 if dtype == "float32" else 1e-12
    for shapes in SHAPES:
        a, b = (random.normal(size=shape).astype(dtype) for shape in shapes)
        if dtype == "complex128":
            a, b = a + 1j * a[::-1], b - 2j * b
        status, (result,), _ = native(a, b)
        assert status == 0
        assert result.shape == (a @ b).shape
        assert np.allclose(result, a @ b, tolerance, tolerance)
        assert not native.heap.blocks


def test_what_python_has_to_compute_is_refused_with_all_lines(tmp_path):
    function = tf.function(programs.solved)
    with pytest.raises(tf.errors.UnimplementedError) as error:
        tf.export.native(function, tmp_path / "f.o", input_signature=[matrix, matrix])
    lines = open(programs.__file__).read().splitlines()
    text = str(error.value)
    assert text.startswith("export.native: solved needs Python for 2 operations:\n")
    for wanted in ("inverse = tf.linalg.inv(a)", "return tf.linalg.solve(a, b) + inverse"):
        number = lines.index(f"    {wanted}") + 1
        assert f"{programs.__file__}:{number}: {wanted}" in text
    assert not [*tmp_path.iterdir()], "something was written"


@pytest.mark.parametrize("name", ["transposed", "row", "every_second", "flat", "in_pairs"])
def test_views_are_copies(tmp_path, name):
    views = {
        "transposed": lambda x: tf.transpose(x), "row": lambda x: x[1],
        "every_second": lambda x: x[:, ::2], "flat": lambda x: tf.reshape(x, [-1]),
        "in_pairs": lambda x: tf.reshape(x, [-1, 2]),
    }  # fmt: skip
    trace, native = exported(tmp_path, views[name], matrix)
    for shape in ((2, 4), (3, 6)):
        x = np.arange(np.prod(shape), dtype=float).reshape(shape)
        status, (result,), _ = native(x)
        assert status == 0
        assert np.array_equal(result, views[name](tf.constant(x)).numpy())
        assert not native.heap.blocks
    if name == "in_pairs":
        assert native(np.zeros((3, 3)))[0] == 1, "nine numbers are no pairs"
