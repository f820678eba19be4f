"""cond, case, switch_case, while_loop, map_fn, scan, folds, group: eagerly and in graphs."""

import functools

import numpy as np
import pytest

import runtime as tf


def agree(build, *values):
    """The result of ``build``, which must be the same eagerly, in a session and as a function."""
    as_array = lambda value: np.asarray(tf.convert_to_tensor(value))
    eager = tf.nest.map_structure(as_array, build(*map(tf.constant, values)))
    with tf.Graph().as_default(), tf.Session() as session:
        holders = [tf.placeholder(tf.constant(v).dtype, [None] * np.ndim(v)) for v in values]
        staged = session.run(build(*holders), dict(zip(holders, values)))
    traced = tf.function(build)(*map(tf.constant, values))
    for other in (staged, tf.nest.map_structure(np.asarray, traced)):
        tf.nest.map_structure(
            lambda e, o: np.testing.assert_array_equal(e, np.asarray(o), strict=True), eager, other
        )
    return tf.nest.map_structure(lambda array: array.tolist(), eager)


@pytest.fixture
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


@pytest.fixture
def x(graph):
    return tf.placeholder(tf.int32, (), name="x")


# -- branches ------------------------------------------------------------------------------------


@pytest.mark.parametrize("value, expected", [(3, (4, {"a": [3]})), (-3, (-4, {"a": [-6]}))])
def test_cond(value, expected):
    def build(x):
        return tf.cond(x > 0, lambda: (x + 1, {"a": [x]}), lambda: (x - 1, {"a": [x * 2]}))

    assert agree(build, value) == expected


def test_cond_runs_the_effects_of_one_branch(capsys):
    import sys

    def build(x):
        def say(text):
            tf.print(text, x, output_stream=sys.stdout)
            return x

        return tf.cond(x > 0, lambda: say("yes"), lambda: say("no"))

    agree(build, 3)
    assert capsys.readouterr().out == "yes 3\n" * 3


def test_cond_of_effects_alone(graph, x, capsys):
    import sys

    done = tf.cond(x > 0, lambda: tf.print("on", output_stream=sys.stdout), lambda: tf.no_op())
    with tf.Session() as session:
        assert [session.run(done, {x: n}) for n in (1, -1)] == [None, None]
    assert capsys.readouterr().out == "on\n"


def test_cond_with_a_python_bool_decides_at_once(graph):
    assert tf.cond(True, lambda: 1, lambda: 2) == 1
    assert graph.get_operations() == []


def test_cond_joins_shapes(graph, x):
    result = tf.cond(x > 0, lambda: tf.zeros([2, 3]), lambda: tf.zeros([4, 3]))
    assert result.shape.as_list() == [None, 3]


def test_cond_says_what_does_not_fit(x):
    with pytest.raises(TypeError, match=r"the result\['a'\] has dtype int32 in true_fn, but float"):
        tf.cond(x > 0, lambda: {"a": 1}, lambda: {"a": 1.0})
    with pytest.raises(TypeError, match="true_fn and false_fn must return the same structure"):
        tf.cond(x > 0, lambda: (1, 2), lambda: (1, 2, 3))
    with pytest.raises(TypeError, match="None in the other"):
        tf.cond(x > 0, lambda: 1, lambda: None)
    with pytest.raises(TypeError, match="false_fn must be callable, got 3"):
        tf.cond(x > 0, lambda: 1, 3)


def test_switch_case():
    def build(x):
        return tf.switch_case(x, [lambda: x * 10, lambda: x + 1, lambda: x - 1])

    assert [agree(build, k) for k in (0, 1, 2, 3, -1)] == [0, 2, 1, 2, -2]

    def gaps(x):
        return tf.switch_case(x, {0: lambda: 1, 2: lambda: 3}, default=lambda: -1)

    assert [agree(gaps, k) for k in (0, 1, 2, 3, -5)] == [1, -1, 3, -1, -1]


def test_case():
    def build(x):
        return tf.case([(x < 1, lambda: 1), (x < 5, lambda: 2)], default=lambda: 3)

    assert [agree(build, k) for k in (0, 3, 9)] == [1, 2, 3]

    def no_default(x):
        return tf.case([(x < 1, lambda: 1), (x < 5, lambda: 2)])

    assert agree(no_default, 3) == 2
    with pytest.raises(tf.errors.InvalidArgumentError, match="no predicate holds"):
        no_default(tf.constant(9))
    with pytest.raises(tf.errors.InvalidArgumentError, match="no predicate holds"):
        tf.function(no_default)(tf.constant(9))
    with pytest.raises(tf.errors.InvalidArgumentError, match="more than one"):
        tf.case([(tf.constant(True), lambda: 1)] * 2, exclusive=True)


# -- loops ---------------------------------------------------------------------------------------


def test_while_loop():
    def build(n):
        return tf.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, s + i * 0.5), (0, 0.0))[1]

    def build_cast(n):
        half = lambda i: tf.cast(i, tf.float32) * 0.5
        return tf.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, s + half(i)), (0, 0.0))

    assert agree(build_cast, 4) == (4, 3.0)
    assert agree(build_cast, 0) == (0, 0.0)
    with pytest.raises(TypeError):
        build(tf.constant(4))


def test_while_loop_with_nests_and_one_variable():
    assert agree(lambda x: tf.while_loop(lambda i: i < 10, lambda i: i + 3, [x]), 3) == [12]
    assert agree(lambda x: tf.while_loop(lambda i: i < 10, lambda i: [i + 3], (x,)), 3) == (12,)

    def build(x):
        start = (x, {"a": [x, x * 2]})
        return tf.while_loop(
            lambda i, d: i < 5, lambda i, d: (i + 1, {"a": [d["a"][1], d["a"][0]]}), start
        )

    assert agree(build, 2) == (5, {"a": [4, 2]})


def test_maximum_iterations():
    def build(x, most):
        return tf.while_loop(lambda i: i < 10, lambda i: i + 1, [x], maximum_iterations=most)

    assert [agree(lambda x, m=m: build(x, m), 3) for m in (0, 2, 100)] == [[3], [5], [10]]
    assert agree(build, 3, 4) == [7]


def test_a_choice_waits_for_the_operations_around_it(graph):
    v, p = tf.Variable(0), tf.placeholder(tf.bool, [])
    with tf.control_dependencies([v.assign(5)]):
        chosen = tf.cond(p, lambda: tf.constant(1), lambda: tf.constant(2))
    with tf.Session() as session:
        session.run(v.initializer)
        assert session.run(chosen, {p: False}) == 2
        assert session.run(v) == 5


def test_shape_invariants():
    def build(v):
        return tf.while_loop(
            lambda v: tf.size(v) < 10, lambda v: tf.concat([v, v], 0), [v],
            shape_invariants=[tf.TensorShape([None])],
        )

    assert agree(build, [1, 2]) == [[1, 2] * 8]


def test_a_shape_that_shrinks_is_not_taken_for_the_first_one():
    def build(step):
        return tf.while_loop(
            lambda i, v, seen: i < 2,
            lambda i, v, seen: (i + 1, v[step:], seen + tf.size(v)),
            (0, tf.constant([1, 2, 3]), 0),
            shape_invariants=(tf.TensorShape([]), tf.TensorShape([None]), tf.TensorShape([])),
        )

    assert agree(build, 1) == (2, [3], 5)


def test_while_loop_says_what_does_not_fit(x):
    with pytest.raises(TypeError, match=r"loop_vars\[0\] enters the loop with dtype int32, but"):
        tf.while_loop(lambda i: i < 3, lambda i: tf.cast(i, tf.float32), [x])
    v = tf.zeros([2])
    with pytest.raises(ValueError, match=r"loop_vars\[0\] enters .* shape \(2,\), but .* \(4,\)"):
        tf.while_loop(lambda v: tf.size(v) < 9, lambda v: tf.concat([v, v], 0), [v])
    with pytest.raises(ValueError, match="must return the structure of 'loop_vars'"):
        tf.while_loop(lambda i, j: i < 3, lambda i, j: (i, j, i), (x, x))
    with pytest.raises(ValueError, match="not compatible with the initial shape"):
        tf.while_loop(lambda v: True, lambda v: v, [v], [tf.TensorShape([3])])
    with pytest.raises(TypeError, match="'cond' must return a bool"):
        tf.while_loop(lambda i: i, lambda i: i, [x])
    with pytest.raises(ValueError, match="'loop_vars' must be"):
        tf.while_loop(lambda: True, lambda: (), [])


def test_a_loop_turn_that_fails_names_the_line(x):
    loop = tf.while_loop(lambda i: i > -2, lambda i: i - 12 // i, [x])
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError) as caught:
        session.run(loop, {x: 0})
    assert "division by zero" in str(caught.value) and __file__ in str(caught.value)


def test_nested_loops_capture_from_outside():
    def build(n, k):
        def inner(i, s):
            return tf.while_loop(lambda j, t: j < i, lambda j, t: (j + 1, t + j * k), (0, s))[1]

        return tf.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, inner(i, s)), (0, 0))

    assert agree(build, 5, 3) == (5, 30)


# -- functions over elements -----------------------------------------------------------------------


def test_map_fn():
    assert agree(lambda x: tf.map_fn(lambda e: e * 2, x), [1, 2, 3]) == [2, 4, 6]
    assert agree(lambda x: tf.map_fn(tf.reduce_sum, x), [[1, 2], [3, 4]]) == [3, 7]
    pairs = lambda x, y: tf.map_fn(
        lambda p: {"sum": p[0] + p[1], "big": p[0] > 1.5}, (x, y),
        fn_output_signature={"sum": tf.float32, "big": tf.bool},
    )
    assert agree(pairs, [1.0, 2.0], [3.0, 4.0]) == {"sum": [4.0, 6.0], "big": [False, True]}
    assert agree(lambda x: tf.map_fn(lambda e: e * 2, x), np.zeros((0,), np.float32)) == []


def test_scan():
    add = lambda a, e: a * 2 + e
    assert agree(lambda x: tf.scan(add, x), [1, 2, 3]) == [1, 4, 11]
    assert agree(lambda x: tf.scan(add, x, reverse=True), [1, 2, 3]) == [17, 8, 3]
    assert agree(lambda x: tf.scan(add, x, initializer=10), [1, 2, 3]) == [21, 44, 91]
    fibonacci = lambda x: tf.scan(lambda a, _: (a[1], a[0] + a[1]), x, initializer=(0, 1))
    assert agree(fibonacci, [0] * 5) == ([1, 1, 2, 3, 5], [1, 2, 3, 5, 8])
    assert agree(lambda x: tf.scan(add, x, initializer=10), np.zeros((0,), np.int32)) == []


def test_folds():
    less = lambda a, e: a * 2 - e
    assert agree(lambda x: tf.foldl(less, x), [1, 2, 3]) == -3
    assert agree(lambda x: tf.foldr(less, x), [1, 2, 3]) == 7
    assert agree(lambda x: tf.foldl(less, x, initializer=10), [1, 2, 3]) == 69
    both = lambda a, e: (a[0] + e, a[1] * e)
    assert agree(lambda x: tf.foldr(both, x, initializer=(0, 1)), [1, 2, 3]) == (6, 6)


def test_folds_say_what_does_not_fit():
    with pytest.raises(TypeError, match="fn returned dtype float32 for an accumulated value of"):
        tf.foldl(lambda a, e: 0.5, tf.constant([1, 2]))
    with pytest.raises(ValueError, match="without an initializer, elems must not be empty"):
        tf.scan(lambda a, e: a, tf.zeros([0]))
    with pytest.raises(ValueError, match="one length"):
        tf.map_fn(lambda p: p[0], (tf.zeros([2]), tf.zeros([3])))
    with pytest.raises(ValueError, match="not scalars"):
        tf.map_fn(lambda e: e, tf.constant(1))


# -- groups --------------------------------------------------------------------------------------


def test_group_and_tuple(graph):
    v, w = tf.Variable(1), tf.Variable(2)
    both = tf.group(v.assign_add(1), [w.assign_add(1), None])
    waiting = tf.tuple([tf.constant(7)], control_inputs=[v.assign(100)])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run(both) is None and session.run([v, w]) == [2, 3]
        assert session.run(waiting) == [7] and session.run(v) == 100
    with tf.init_scope():
        assert isinstance(tf.group(), tf.Operation)


def test_group_is_nothing_under_eager_execution():
    assert tf.group(tf.constant(1)) is None and tf.no_op() is None
    assert tf.tuple([tf.constant(7)])[0].numpy() == 7


def test_text_of_a_graph_shows_the_branches(graph, x):
    tf.cond(x > 0, lambda: x + 1, lambda: x)
    text = str(graph)
    assert "true_graph: true_fn(" in text and "return add" in text


@pytest.mark.parametrize("wrong", [
    [tf.TensorShape([None])], tf.TensorShape([None]), [[tf.TensorShape([])], tf.TensorShape([])],
    [[], (tf.TensorShape([]),)], None,
])  # fmt: skip
def test_shape_invariants_of_another_structure(wrong, x):
    if wrong is None:
        wrong = [x.shape, x.shape, x.shape]
    with pytest.raises(ValueError, match="'shape_invariants' must have the structure"):
        tf.while_loop(lambda i, pair: i < 3, lambda i, pair: (i + 1, pair), (x, (x, x)), wrong)


def limited(limit, x):
    if x > limit:
        return x
    return x * 2


class Limited:
    def __init__(self, limit, x):
        self.limit = limit
        self.x = x

    def __call__(self):
        return limited(self.limit, self.x)


def test_partials_and_objects_are_converted():
    @tf.function
    def by_partials(x):
        low, high = functools.partial(limited, 1, x), functools.partial(limited, x=x, limit=5)
        return tf.cond(x > 2, high, low), tf.cond(x > 2, Limited(5, x), Limited(1, x))

    for number in (1, 2, 3, 6):
        expected = limited(5 if number > 2 else 1, number)
        assert [int(t) for t in by_partials(tf.constant(number))] == [expected, expected]
