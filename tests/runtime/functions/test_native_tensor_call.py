"""Direct calls of machine code by functions of tensors: the same as calls by way of a cache key."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from runtime.engine.llvm import engine as llvm_engine
from tests.runtime.functions.test_native_call import alike

pytestmark = pytest.mark.skipif(not llvm_engine.is_available(), reason="needs llvmlite")


def compiled(python, *args, **options):
    """Return a function with a direct call for the arguments."""
    function = tf.function(python, jit_compile=True, **options)
    function(*args)
    function(*args)
    assert len(args) in function._direct
    return function


def increment(x):
    return x + 1


GIVEN = [
    *(np.array(value, dtype) for dtype in ("f4", "f8", "i4", "u1", "u8") for value in (3, [1, 2])),
    np.float32(-0.0) - 1, np.float64("nan"), np.int64(-5), np.ones((2, 3), np.int16)[:, ::2],
]  # fmt: skip


@pytest.mark.parametrize("given", GIVEN, ids=lambda x: f"{type(x).__name__}-{x.dtype}-{x.shape}")
@pytest.mark.parametrize("make", [lambda x: x, tf.constant], ids=["array", "tensor"])
def test_results_have_value_dtype_and_shape(given, make):
    function = compiled(increment, make(given))
    alike(function(make(given)), tf.function(increment)(make(given)))


@pytest.mark.parametrize("value", [-0.0, 0.0, 1e-42, float("inf"), float("nan")])
def test_numbers_keep_their_bits(value):
    function = compiled(lambda x: -x, np.float32(1))
    found = function(np.float32(value)).numpy()
    assert found.tobytes() == np.float32(-np.float32(value)).tobytes() and found.dtype == "f4"


def test_bools_are_numpys():
    function = compiled(lambda x: x > 1, tf.constant(2.0))
    alike(function(tf.constant(0.0)).numpy(), np.False_)


def test_other_types_take_other_traces():
    function = compiled(increment, tf.constant(1.0))
    assert function(tf.constant(1)).dtype == tf.int32
    assert function(tf.constant([1.0, 2.0])).shape == (2,)
    assert function(np.float64(1)).dtype == tf.float64
    assert function(1).numpy() == 2 and function(2).numpy() == 3
    with pytest.raises(TypeError):
        function("text")


def test_literals_choose_the_trace():
    def scaled(x, times, mode, negate=False):
        found = x * times if mode == "scale" else x
        return -found if negate else found

    x = tf.constant(2.0)
    function = compiled(scaled, x, 3, "scale")
    assert [function(x, n, mode).numpy() for n in (3, 4, 3) for mode in ("scale", None)] == [
        6, 2, 8, 2, 6, 2,
    ]  # fmt: skip
    assert function(x, True, "scale").numpy() == 2 and function(x, 3.5, "scale").numpy() == 7
    assert function(x, 3, "scale", True).numpy() == -6 and function(x, 3, "scale").numpy() == 6


def test_a_changed_argument_leaves_results_alone():
    given = np.array([1.0, 2.0])
    function = compiled(lambda x: x[:1], given)
    found = function(given)
    given[0] = 5
    assert found.numpy()[0] == 1 and function(given).numpy()[0] == 5


def test_unknown_sizes_take_all_shapes():
    spec = tf.TensorSpec([None, 2], tf.float32)
    function = compiled(lambda x: tf.reduce_sum(x * 2), tf.ones((3, 2)), input_signature=[spec])
    assert [function(tf.ones((n, 2))).numpy() for n in (0, 1, 4)] == [0, 4, 16]
    for shape in [(2, 3), (2,), ()]:
        with pytest.raises((TypeError, ValueError)):
            function(tf.ones(shape))


def test_several_results_and_effects(capsys):
    @tf.function(jit_compile=True)
    def both(x, y):
        tf.print("sum", x + y)
        return {"sum": x + y, "parts": (x, None, [y])}

    x, y = tf.constant(1), tf.constant([2, 3])
    for _ in range(4):
        alike(both(x, y), {"sum": x + y, "parts": (x, None, [y])})
    assert capsys.readouterr().err.count("sum") == 4


def test_variables_are_updated():
    variable = tf.Variable(1.0)

    @tf.function(jit_compile=True)
    def step(x):
        variable.assign_add(x)
        return variable * 2

    assert [step(tf.constant(1.0)).numpy() for _ in range(4)] == [4, 6, 8, 10]
    assert variable.numpy() == 5


def test_tapes_graphs_and_eager_runs_see_the_call():
    function = compiled(lambda x: x * x, tf.constant(3.0))
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    assert tape.gradient(y, x).numpy() == 6
    assert tf.function(lambda x: function(x) + 1)(x).numpy() == 10
    tf.config.run_functions_eagerly(True)
    try:
        assert function(x).numpy() == 9
    finally:
        tf.config.run_functions_eagerly(False)


def test_errors_are_those_of_the_general_way():
    def checked(x):
        assert x < 3, "too large"
        return x // (x - 2)

    function = compiled(checked, tf.constant(1))
    general = tf.function(checked, jit_compile=False)
    for value in (2, 3):
        with pytest.raises(Exception) as found:
            function(tf.constant(value))
        with pytest.raises(type(found.value)) as wanted:
            general(tf.constant(value))
        assert str(found.value) == str(wanted.value)


def test_calls_are_counted():
    function = compiled(increment, tf.constant(1.0))
    before = function.cache_info().hits
    for _ in range(5):
        function(tf.constant(1.0))
    assert function.cache_info().hits == before + 5
