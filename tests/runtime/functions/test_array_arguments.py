"""NumPy arrays changed in place under ``function``: what NumPy gives, or a refusal; never else."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import autograph
import runtime as tf
from autograph.errors import EffectError
from tests.runtime.functions import array_loop_programs, array_programs

REFUSALS = (EffectError,)


def inputs(n):
    return np.array([1.0, 2.0, 0.5, 3.0]), np.arange(12.0).reshape(3, 4), np.array(n)


def values(result):
    if isinstance(result, (tuple, list)):
        return [values(part) for part in result]
    return None if result is None else np.asarray(result).tolist()


def outcome(call, n):
    """What a call gives, or raises, and what it leaves in its arguments."""
    args = inputs(n)
    try:
        result = values(call(*args))
    except REFUSALS:
        raise
    except Exception as error:
        result = type(error), str(error)
    return result, values(list(args))


PROGRAMS = {
    name: f for module in (array_programs, array_loop_programs)
    for name, f in vars(module).items()
    if inspect.isfunction(f) and not name.startswith("_")
}  # fmt: skip

REFUSED = {
    "either_of_two_and_the_other", "either_read_after_source_changed",
    "two_names_made_in_a_branch", "loop_rebinds_after_writing_the_argument",
    "loop_rebinds_and_the_first_is_used", "loop_reads_before_it_is_stale",
    "conditional_expression", "appended_and_read_back",
    "attributes_that_were_one_array", "tuple_of_arrays", "pairs_of_rows", "row_of_a_rebound_array",
    "last_row_of_a_rebound_array", "item_of_a_row_of_swapped_arrays",
}  # fmt: skip
"""The programs where staging does not know which array is changed, or cannot carry it."""


@pytest.mark.parametrize("stage", [tf.function, tf.jit])
@pytest.mark.parametrize("name", PROGRAMS)
def test_as_numpy_or_refused(name, stage):
    program = PROGRAMS[name]
    converted, staged = autograph.to_graph(program), stage(program)
    refused = False
    for n in (1, 3, 1, 3):
        expected = outcome(program, n)
        assert outcome(converted, n) == expected
        try:
            assert outcome(staged, n) == expected
        except REFUSALS as error:
            refused = True
            assert error.where[0] == inspect.getfile(program)
    assert refused == (name in REFUSED)


def changed(function, *args):
    """What a call leaves in its first argument; it is made three times."""
    for _ in range(3):
        function(*args)
    return args[0].tolist()


@tf.function
def double_first(values):
    values[0] *= 2.0


def test_a_call_inside_a_function_changes_the_array_of_that_one():
    @tf.function
    def outer(values):
        local = values + 1.0
        double_first(local)
        double_first(values)
        return local

    values = np.array([1.0, 2.0])
    assert [outer(values).numpy().tolist() for _ in range(2)] == [[4.0, 3.0], [6.0, 3.0]]
    assert values.tolist() == [4.0, 2.0]


def test_arrays_in_collections_keywords_and_methods():
    @tf.function
    def nested(data, *rest, last):
        data["x"][0] += 1.0
        rest[0][1][1] += 1.0
        last[0] = data["x"][0] + rest[0][1][1]

    x, y, z = np.zeros(2), np.zeros(2), np.zeros(1)
    for _ in range(3):
        nested({"x": x}, [0.0, y], last=z)
    assert (x.tolist(), y.tolist(), z.tolist()) == ([3.0, 0.0], [0.0, 3.0], [6.0])

    class Adder:
        amount = 2.0

        @tf.function
        def add(self, values):
            values += self.amount

    adder = Adder()
    assert changed(adder.add, values := np.zeros(2)) == [6.0, 6.0] == values.tolist()


def test_declared_types():
    @tf.function(input_signature=[tf.TensorSpec([None], tf.float64)])
    def first(values):
        values[0] += 1.0
        return values

    assert changed(first, np.zeros(2)) == [3.0, 0.0]
    assert first(tf.constant([1.0, 2.0], tf.float64)).numpy().tolist() == [2.0, 2.0]
    assert changed(first, np.zeros(3)) == [3.0, 0.0, 0.0]


def test_a_tensor_is_a_value_and_an_array_is_not_whichever_comes_first():
    def first(values):
        other = values
        values[0] = 9.0
        other += 1.0
        return values, other

    for order in ((0, 1, 0, 1), (1, 0, 1, 0)):
        function = tf.function(first)
        for is_array in order:
            values = np.zeros(2)
            given = values if is_array else tf.constant(values)
            expected = [[10.0, 1.0]] * 2 if is_array else [[9.0, 0.0], [1.0, 1.0]]
            assert [part.numpy().tolist() for part in function(given)] == expected
            assert values.tolist() == ([10.0, 1.0] if is_array else [0.0, 0.0])
        assert function.experimental_get_tracing_count() == 2


def test_functions_that_change_nothing_have_one_trace_for_read_only_arrays():
    function = tf.function(lambda x: x * 2.0 + tf.reduce_sum(x))
    function(np.zeros(2))
    values = np.zeros(2)
    values.flags.writeable = False
    function(values)
    assert function.experimental_get_tracing_count() == 1


@pytest.mark.parametrize("order", [1, -1])
def test_arrays_and_tensors_do_not_share_a_trace(order):
    """What is an array shows: in its class, its shape, its arithmetic."""

    def shown(x):
        return isinstance(x, np.ndarray), f"{x.shape} {x.dtype}", np.sum(x)

    for wrap in (tf.function, tf.jit):
        wrapped = wrap(shown)
        for x in [np.zeros(2), tf.zeros(2, tf.float64)][::order] * 2:
            is_array, text, _ = wrapped(x)
            as_text = text if isinstance(text, str) else text.numpy().decode()
            assert (bool(is_array), as_text) == shown(x)[:2]


def test_results_of_operations_are_tensors():
    @tf.function
    def values(x):
        c = tf.square(x)
        d = c
        d += 1.0
        e = x * c
        g = e
        g[0] = 7.0
        return c, d, e, g

    x = np.array([2.0, 3.0])
    found = [part.numpy().tolist() for part in values(x)]
    assert found == [[4.0, 9.0], [5.0, 10.0], [8.0, 27.0], [7.0, 27.0]]


def test_overlapping_arguments():
    def shift(left, right):
        left += 1.0
        right *= 2.0

    for one, other in ((slice(0, 3), slice(1, 4)), (slice(None), slice(None))):
        expected, found = np.arange(4.0), np.arange(4.0)
        function = tf.function(shift)
        for _ in range(3):
            shift(expected[one], expected[other])
            function(found[one], found[other])
            assert found.tolist() == expected.tolist()
    base = np.arange(4.0)
    function(base[:2], base[2:])
    assert base.tolist() == [1.0, 2.0, 4.0, 6.0]


def test_overlapping_arguments_of_a_call_inside_a_function():
    @tf.function
    def add_first(values, others):
        values += others[0]

    values, others = np.array([1.0, 2.0]), np.array([3.0, 4.0])
    tf.function(lambda x, y: [add_first(x, y), add_first(y, x)])(values, others)
    assert (values.tolist(), others.tolist()) == ([4.0, 5.0], [7.0, 8.0])
    with pytest.raises(EffectError, match="'values', .* shares memory with another"):
        tf.function(lambda x: add_first(x, x))(values)


def test_strided_and_reversed_arrays_are_written_where_they_lie():
    base = np.zeros(6)
    changed(tf.function(lambda v: v.fill(3.0)), base[::2])
    changed(double_first, base[::-1])
    changed(double_first, base[::2])
    assert base.tolist() == [24.0, 0.0, 3.0, 0.0, 3.0, 0.0]


def test_read_only_arrays():
    values = np.zeros(2)
    double_first(values)
    values.flags.writeable = False
    with pytest.raises(EffectError, match="'values' is changed in place, but is read-only"):
        double_first(values)


def test_integers_keep_their_dtype():
    @tf.function
    def halve(values):
        values /= 2

    with pytest.raises(TypeError, match="Cannot cast"):
        halve(np.array([2, 4]))


def test_shapes_do_not_grow():
    @tf.function
    def add(values, other):
        values += other

    with pytest.raises(ValueError, match="non-broadcastable output operand with shape"):
        add(np.zeros(2), np.zeros((3, 2)))


def test_a_concrete_function_changes_arrays_and_takes_no_tensors():
    trace = double_first.get_concrete_function(np.ones(2))
    values = np.ones(2)
    for expected in (2.0, 4.0, 8.0):
        trace(values)
        assert values.tolist() == [expected, 1.0]
    with pytest.raises(EffectError, match="'values', a NumPy array, in place, but it is no such"):
        trace(tf.ones(2, tf.float64))


def test_an_exception_leaves_what_python_leaves():
    @tf.function
    def fill(values, limit):
        i = 0
        while i < limit:
            values[i] = 1.0
            i += 1

    values = np.zeros(2)
    fill(values, tf.constant(2))
    with pytest.raises(IndexError):
        fill(values := np.zeros(3), tf.constant(5))
    assert values.tolist() == [1.0, 1.0, 1.0]


def test_other_effects_and_an_exception():
    count = tf.Variable(0)

    @tf.function
    def note(values, n):
        count.assign_add(1)
        values[0] = 1.0
        if n > 2:
            raise ValueError("too large")

    with pytest.raises(EffectError, match="changes in place the array 'values' and has other"):
        note(np.zeros(2), tf.constant(1))


def test_explicit_control_flow_and_closures():
    @tf.function
    def chosen(values, n):
        def write():
            values[0] = 1.0
            return 0.0

        return tf.cond(n > 2, write, lambda: 1.0)

    @tf.function
    def inner_trace(values):
        local = values + 1.0

        @tf.function
        def write():
            local[0] = 5.0
            return local[0]

        return write() + write()

    with pytest.raises(EffectError, match="staging cannot carry the change"):
        chosen(np.zeros(2), tf.constant(3))
    with pytest.raises(EffectError, match="staging cannot carry the change"):
        inner_trace(np.zeros(2))


def test_recursion_cannot_change_its_arguments():
    @tf.function
    def outer(values, n):
        def down(array, k):
            if k > 0:
                array[0] += 1.0
                return down(array, k - 1)
            return k

        return down(values, n)

    with pytest.raises(EffectError):
        outer(np.zeros(2), tf.constant(3))


def test_gradients_by_arrays():
    @tf.function
    def gradient(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
            y[0] = 3.0 * x[0]
            total = tf.reduce_sum(y)
        return tape.gradient(total, x)

    x = np.array([1.0, 2.0])
    for _ in range(3):
        assert gradient(x).numpy().tolist() == [3.0, 4.0]


def test_unchanged_arrays_may_be_passed_twice():
    values = np.arange(3.0)
    add = tf.function(lambda x, y: x + y)
    assert [add(values, values).numpy().tolist() for _ in range(3)] == [[0.0, 2.0, 4.0]] * 3


def test_set_loop_options_takes_arrays():
    @tf.function
    def grow(x, n):
        i = 0
        while i < n:
            autograph.set_loop_options(shape_invariants=[(x, tf.TensorShape([None]))])
            x = tf.concat([x, x], 0)
            i += 1
        return x

    assert grow(np.ones(2), tf.constant(2)).shape == (8,)


def test_an_optional_tensor_is_not_changed_in_place():
    def total(n):
        box = {"sum": None}
        while n > 0:
            if box["sum"] is None:
                box["sum"] = n
            else:
                box["sum"] += n
            n -= 1
        return box["sum"]

    function = tf.function(total)
    assert [int(function(tf.constant(n))) for n in (1, 3)] == [total(1), total(3)] == [1, 6]


def rebound_in_a_loop(a, b, n):
    for _ in range(n):
        a = b + 1.0
    a += 2.0


def rebound_on_a_path_in_a_loop(a, b, n):
    for _ in range(n):
        if b[0] > 1.0:
            a = b + 1.0
    a[0] = 2.0


@pytest.mark.parametrize("program", [rebound_in_a_loop, rebound_on_a_path_in_a_loop])
def test_an_array_that_a_loop_may_rebind_is_not_changed_after_it(program):
    with pytest.raises(EffectError, match=r"in place an array that is 'a' on some staged path"):
        tf.jit(program)(np.ones(3), np.zeros(3), 0)
