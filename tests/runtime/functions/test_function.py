"""Functions: traces and their keys, results, variables, effects, captures, methods."""

import functools
import inspect
import linecache
import sys
from unittest.mock import patch

import numpy as np
import pytest

import autograph
import runtime as tf
from autograph.conversion.conversion import staged_version
from autograph.syntax import recursion_limit


def test_control_flow_is_staged():
    @tf.function
    def collatz(n):
        steps = 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        return steps

    result = collatz(tf.constant(27))
    assert result.dtype is tf.int32 and result.numpy() == 111
    assert collatz(tf.constant(6)).numpy() == 8
    assert collatz.experimental_get_tracing_count() == 1


def test_a_trace_for_each_type_of_tensor_and_value_of_python():
    traced = []

    @tf.function
    def f(x, k=1):
        traced.append(k)
        return x * int(k)

    calls = [
        (tf.constant(1), 1), (tf.constant(5), 1), (np.int32(7), 1), (np.array(3, np.int32), 1),
        (tf.constant(1.0), 1), (tf.constant([1]), 1), (tf.constant(1), 2), (tf.constant(1), True),
        (3, 1), (4, 1), (3, 1),
    ]  # fmt: skip
    results = [f(x, k=k).numpy() for x, k in calls]
    assert [r.tolist() for r in results] == [1, 5, 7, 3, 1.0, [1], 2, 1, 3, 4, 3]
    assert len(traced) == f.experimental_get_tracing_count() == 9


def test_floats_are_told_apart_by_bits():
    f = tf.function(lambda x: x)
    assert np.signbit(f(-0.0).numpy()) and not np.signbit(f(0.0).numpy())
    assert np.isnan(f(float("nan")).numpy()) and np.isnan(f(float("nan")).numpy())
    assert f.experimental_get_tracing_count() == 3


def test_objects_are_told_apart_by_identity():
    class Scale:
        def __init__(self, by):
            self.by = by

    f = tf.function(lambda s, x: x * s.by)
    two, three, x = Scale(2), Scale(3), tf.constant(5)
    assert [f(s, x).numpy() for s in (two, three, two)] == [10, 15, 10]
    assert f.experimental_get_tracing_count() == 2


def test_nests_of_arguments_and_results():
    @tf.function
    def f(pair, *rest, scale=3, **named):
        first, second = pair["b"], pair["a"]
        return {"sum": first + sum(rest), "none": None, "rest": [second * scale, named["z"]]}

    one, two = tf.constant(1), tf.constant(2)
    found = f({"b": one, "a": two}, two, 4, z=tf.constant(9))
    assert found["none"] is None and list(found) == ["sum", "none", "rest"]
    assert [v.numpy() for v in (found["sum"], *found["rest"])] == [7, 6, 9]
    assert f({"b": one, "a": two}, two, 4, z=np.int32(9))["sum"].numpy() == 7


def test_python_numbers_become_tensors():
    whole, real, text = tf.function(lambda: (1, 2.5, "a"))()
    assert (whole.dtype, real.dtype, text.dtype) == (tf.int32, tf.float32, tf.string)


def test_a_result_that_is_no_tensor_is_refused():
    with pytest.raises(TypeError, match=r"make\(\) must return tensors, numbers, None or nests"):

        @tf.function
        def make():
            return object()

        make()


def test_the_error_for_an_object_that_is_returned_names_the_remedy():
    with pytest.raises(TypeError, match="return its parts, .* make the object outside of"):
        tf.jit(lambda n: (n, object()))(3)


def test_it_looks_like_the_function():
    def scale(x, by=2):
        """Scales."""
        return x * by

    for made in (tf.function(scale), tf.function()(scale), tf.function(autograph=False)(scale)):
        assert (made.__name__, made.__doc__, made.__wrapped__) == ("scale", "Scales.", scale)
        assert inspect.signature(made) == inspect.signature(scale)
        assert made(tf.constant(4)).numpy() == 8
    with pytest.raises(TypeError, match=r"scale\(\) missing a required argument: 'x'"):
        made()


def test_methods_partials_and_callable_objects():
    class Counter:
        def __init__(self):
            self.total = tf.Variable(0)

        @tf.function
        def add(self, x):
            if x > 0:
                self.total.assign_add(x)
            return self.total

        def __call__(self, x):
            return x * 2 if x > 0 else x

    a, b = Counter(), Counter()
    assert [c.add(tf.constant(2)).numpy() for c in (a, a, b)] == [2, 4, 2]
    assert tf.function(a)(tf.constant(3)).numpy() == 6
    less = tf.function(functools.partial(lambda x, y: x - y, tf.constant(5)))
    assert less(tf.constant(3)).numpy() == 2
    assert tf.function(tf.reduce_sum)(tf.constant([3, 4])).numpy() == 7


def test_input_signature():
    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def total(x):
        return tf.reduce_sum(x)

    assert [total(v).numpy() for v in ([1, 2.5], np.ones(3, np.float32))] == [3.5, 3.0]
    assert total.experimental_get_tracing_count() == 2  # a tensor and an array
    with pytest.raises(TypeError, match=r"'x' does not fit the input_signature: .*\(1, 1\)"):
        total(tf.constant([[1.0]]))
    with pytest.raises(TypeError, match="input_signature must be a possibly nested sequence"):
        tf.function(lambda x: x, input_signature=[3])


def test_reduce_retracing_forgets_sizes():
    f = tf.function(lambda x: x + 1, reduce_retracing=True)
    shapes = [f(tf.zeros([n])).shape for n in (1, 2, 3, 4)]
    assert [s.as_list() for s in shapes] == [[1], [2], [3], [4]]
    assert f.experimental_get_tracing_count() == 2


def test_concrete_functions():
    @tf.function
    def scale(x, by=2):
        return {"y": x * by}

    concrete = scale.get_concrete_function(tf.TensorSpec([None], tf.int32))
    assert [t.name for t in concrete.inputs] == ["x:0"]
    assert concrete.outputs == [concrete.structured_outputs["y"]]
    assert concrete.structured_input_signature[0][0] == tf.TensorSpec([None], tf.int32, "x")
    assert concrete.graph.get_operations()[0].type == "Placeholder"
    for result in (concrete(tf.constant([1, 2])), concrete(x=tf.constant([1, 2]))):
        assert result["y"].numpy().tolist() == [2, 4]
    with pytest.raises(ValueError, match="requested dtype int32"):
        concrete(tf.constant([1.0]))
    with pytest.raises(ValueError, match=r"'x' has shape \(\), but this trace takes \(None,\)"):
        concrete(tf.constant(1))
    with pytest.raises(TypeError, match=r"takes 1 tensors \(x\), .*it got no value for 'x'"):
        concrete()
    scale(tf.constant([1, 2, 3]))  # takes the trace that fits
    assert scale.experimental_get_tracing_count() == 1


def test_variables_are_read_and_written_in_program_order():
    v = tf.Variable(1.0)

    @tf.function
    def step(x):
        before = v.read_value()
        if x > 0:
            v.assign_add(x)
        else:
            v.assign(0.0)
        middle = v + 0
        while v < 10.0:
            v.assign(v * 2)
        return before, middle, v

    results = [t.numpy() for t in step(tf.constant(1.5))]
    assert results == [1.0, 2.5, 10.0] and v.numpy() == 10.0
    assert [t.numpy() for t in step(tf.constant(5.0))] == [10.0, 15.0, 15.0]


def test_variables_as_arguments():
    @tf.function
    def bump(w, x):
        w.assign_add(x)
        return w

    one, ten = tf.Variable(1.0), tf.Variable(10.0)
    assert [bump(w, tf.constant(1.0)).numpy() for w in (one, ten, one)] == [2.0, 11.0, 3.0]


def test_variables_are_made_on_the_first_call_only():
    class Lazy:
        v = None

        @tf.function
        def add(self, x):
            if self.v is None:
                self.v = tf.Variable(lambda: 10.0)
            return self.v.assign_add(x)

    lazy = Lazy()
    assert [lazy.add(tf.constant(1.0)).numpy() for _ in range(2)] == [11.0, 12.0]

    @tf.function
    def always(x):
        return tf.Variable(1.0) + x

    with pytest.raises(ValueError, match="may create variables on its first call only"):
        always(tf.constant(1.0))

    @tf.function
    def in_branch(x):
        if x > 0:
            x = tf.Variable(1.0) + x
        return x

    with pytest.raises(ValueError, match="may create variables on its first call only"):
        in_branch(tf.constant(1.0))
    with pytest.raises(ValueError, match="depends on arguments of the function"):
        tf.function(lambda x: tf.Variable(x) + 1).get_concrete_function(tf.TensorSpec([]))


def test_variables_start_from_what_is_known_while_tracing():
    class Layer:
        w = None

        @tf.function
        def __call__(self, x):
            if self.w is None:
                self.w = tf.Variable(tf.ones([x.shape[-1]]) * 2.0)
            return self.w * x

    layer = Layer()
    assert layer(tf.constant([1.0, 3.0])).numpy().tolist() == [2.0, 6.0]
    assert layer.w.numpy().tolist() == [2.0, 2.0]


@pytest.mark.parametrize("wrap", [tf.function, lambda f: f])
def test_recursion_on_a_tensor(wrap):
    @wrap
    def factorial(n):
        if n <= 1:
            return 1
        return n * factorial(n - 1)

    assert int(tf.function(factorial)(tf.constant(5))) == 120


@patch.object(recursion_limit, "LIMIT", 2503)  # deep stacks are walked again and again
def test_endless_tracing_says_why():
    def halve(n):
        return tf.cond(n <= 1, lambda: n, lambda: halve(n // 2))

    with tf.Graph().as_default(), pytest.raises(RecursionError, match="every branch is traced"):
        halve(tf.placeholder(tf.int32, []))


@patch.object(recursion_limit, "LIMIT", 2503)
def test_deep_nesting_is_not_taken_for_recursion():
    def choose(depth, x):
        return tf.cond(x > depth, lambda: x, lambda: choose(depth - 1, x)) if depth else x

    with tf.Graph().as_default(), pytest.raises(RecursionError, match="every branch is traced"):
        choose(2000, tf.placeholder(tf.int32, []))
    text = "def chain(x):\n    if x == 0:\n        return 0\n"
    text += "".join(f"    elif x == {k}:\n        return -x\n" for k in range(120))
    linecache.cache["<chain>"] = (len(text), None, text.splitlines(True), "<chain>")
    exec(compile(text, "<chain>", "exec"), names := {})
    chain, limit = autograph.to_graph(names["chain"]), sys.getrecursionlimit()
    staged_version(chain)  # which needs room, too, is made beforehand
    with tf.Graph().as_default():
        x = tf.placeholder(tf.int32, [])
        sys.setrecursionlimit(len(inspect.stack(0)) + 300)
        try:
            with pytest.raises(RecursionError, match=r"nested too deeply.*sys\.setrecursionlimit"):
                chain(x)
        finally:
            sys.setrecursionlimit(limit)


def test_bare_print_shows_the_handle_once(capsys):
    @tf.function
    def show(x):
        print(x)
        tf.print("now", x, output_stream=sys.stdout)
        return x

    show(tf.constant(1))
    show(tf.constant(2))
    assert capsys.readouterr().out == 'Tensor("x:0", shape=(), dtype=int32)\nnow 1\nnow 2\n'


@pytest.mark.parametrize("feature", ["ALL", "BUILTIN_FUNCTIONS", "PRINT"])
def test_bare_print_prints_values_where_options_ask_for_it(capsys, feature):
    option = tf.autograph.experimental.Feature[feature]

    @tf.function(experimental_autograph_options=option)
    def show(x):
        tf.autograph.trace("traced", x)
        print(x)
        return x

    show(tf.constant(1))
    show(tf.constant(2))
    first, *rest = capsys.readouterr().out.splitlines()
    assert first == 'traced Tensor("x:0", shape=(), dtype=int32)'
    assert rest == [str(tf.constant(1)), str(tf.constant(2))]


def test_the_programs_exceptions_are_raised():
    @tf.function
    def positive(x):
        if x < 0:
            raise ValueError("negative", x)
        assert x != 0, "zero"
        return x

    assert positive(tf.constant(1)).numpy() == 1
    with pytest.raises(ValueError) as caught:
        positive(tf.constant(-2))
    assert caught.value.args[0] == "negative" and caught.value.args[1].numpy() == -2
    with pytest.raises(AssertionError, match="zero"):
        positive(tf.constant(0))


def test_functions_call_functions():
    @tf.function
    def twice(x):
        if x > 0:
            return x * 2
        return x

    @tf.function
    def both(x):
        @tf.function
        def inner(y):
            return y + x

        return twice(x) + inner(x) + inner(tf.constant(1))

    assert [both(tf.constant(v)).numpy() for v in (3, -3)] == [16, -11]
    graph = both.get_concrete_function(tf.constant(3)).graph
    types = {o.op_def.name for o in graph.get_operations()}
    assert "call" in types


def test_in_a_session():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, ())
        scale = tf.function(lambda y: y * x)  # uses a tensor of this graph
        results = [scale(tf.constant(2.0)), scale(x)]
        assert session.run(results, {x: 3.0}) == [6.0, 9.0]
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, ())
        scale = tf.function(lambda y: y * 2)
        assert session.run(scale(x), {x: 3.0}) == 6.0
    assert scale(tf.constant(4.0)).numpy() == 8.0
    assert scale.experimental_get_tracing_count() == 1


def test_a_tensor_stored_while_tracing_is_out_of_scope():
    stored = []
    tf.function(stored.append)(tf.constant(1.0))
    with pytest.raises(tf.errors.InvalidArgumentError, match="out of scope"):
        stored[0] + 1


def test_a_python_number_known_at_run_time_is_passed_as_a_tensor():
    @tf.function(autograph=False)
    def half(x):
        return x

    @tf.function
    def f(n):
        total = 0.5
        for _ in tf.range(n):
            total = total * 2.0
        return half(total)

    concrete = f.get_concrete_function(tf.TensorSpec([], tf.int32))
    assert concrete.outputs[0].dtype == tf.float32
    assert f(tf.constant(3)).numpy() == 4
