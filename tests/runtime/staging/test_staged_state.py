"""Staged state: joins of branches and turns, loop options, captures, variables in order."""

import pytest

import autograph
import runtime as tf
from tests.support.ways import agree, outcome, staged

# -- joins ---------------------------------------------------------------------------------------


def one_or_tensor(x):
    y = 1
    if x > 0:
        y = x
    return y


def growing(x):
    while len(x) < 10:
        x = tf.concat([x, x], 0)
    return x


def nested_state(n):
    d = {"a": 0, "b": (1.0, [2])}
    while n > 0:
        d = {"a": d["a"] + n, "b": (d["b"][0] * 2, [d["b"][1][0] + 1])}
        n -= 1
    return d


def copied_list(n):
    items = [1]
    for i in range(n):
        items.append(i)
    other = items.copy()
    items[0] = 7
    return items[0], other[0]


@pytest.mark.parametrize(
    "function, arrays",
    [
        (one_or_tensor, (3,)),
        (one_or_tensor, (2.5,)),
        (growing, ([1, 2, 3],)),
        (nested_state, (3,)),
        (copied_list, (3,)),
    ],
)
def test_joins(function, arrays):
    assert agree(function, *arrays)[0] is not None


def test_dtypes_that_cannot_join_are_named():
    def mixed(x):
        y = tf.constant(1)
        if x > 0:
            y = tf.constant(2.0)
        return y

    with tf.Graph().as_default():
        x = tf.placeholder(tf.int32, ())
        with pytest.raises(autograph.StagingError, match="'y'.*float32.* on one path.*int32"):
            autograph.to_graph(mixed)(x)


def test_a_python_float_cannot_become_an_integer_tensor():
    def mixed(x):
        y = 1.5
        if x > 0:
            y = x
        return y

    with tf.Graph().as_default():
        x = tf.placeholder(tf.int32, ())
        with pytest.raises(autograph.StagingError, match="Python float"):
            autograph.to_graph(mixed)(x)


# -- options -------------------------------------------------------------------------------------


def test_maximum_iterations():
    def endless(x):
        while x > 0:
            autograph.set_loop_options(maximum_iterations=5)
            x += 1
        return x

    def over(x):
        n = 0
        for _ in x:
            autograph.set_loop_options(maximum_iterations=2)
            n += 1
        return n

    assert staged(endless, (1,)) == 6
    assert staged(over, ([1, 2, 3],)) == 2


def test_shape_invariants():
    def grow(x):
        while tf.size(x) < 10:
            autograph.set_loop_options(shape_invariants=[(x, tf.TensorShape([None, 2]))])
            x = tf.concat([x, x], 0)
        assert x.shape.as_list() == [None, 2]
        return x

    assert staged(grow, ([[1, 2]],)).shape == (8, 2)


def test_a_shape_invariant_that_does_not_hold():
    def grow(x):
        while tf.size(x) < 10:
            autograph.set_loop_options(shape_invariants=[(x, tf.TensorShape([None, 2]))])
            x = tf.concat([x, x], 1)
        return x

    with pytest.raises(autograph.ShapeJoinError, match="'x' has shape .* shape invariant"):
        staged(grow, ([[1, 2]],))


# -- captures and effects ------------------------------------------------------------------------


def test_tensors_of_enclosing_graphs_are_captured():
    def deep(x, y):
        z = y * 2
        s = 0
        while x > 0:
            for i in range(x):
                if i > 1:
                    s = s + z + y
                else:
                    s = s - y
            x -= 1
        return s

    agree(deep, 4, 3)


def test_variables_in_branches_and_loops_keep_program_order():
    v = tf.Variable(0)

    def count(n):
        for i in range(n):
            if i % 2 == 0:
                v.assign_add(i)
            else:
                v.assign(v * 2)
            print(v.read_value())
        return v + 0

    def fresh(run):
        v.assign(0)
        return run()

    eager = outcome(lambda: fresh(lambda: count(tf.constant(5))))
    assert outcome(lambda: fresh(lambda: staged(count, (5,)))) == eager
    assert eager[0] == ("int32", 8)


def test_a_condition_of_several_elements_is_ambiguous_as_in_numpy():
    def check(x):
        if x:
            return 1
        return 2

    for value in ([True, False], [5]):
        eager = outcome(lambda: check(tf.constant(value)))
        found = outcome(lambda: staged(check, (value,)))
        assert found[0] == eager[0]
        if eager[2] is not None:
            assert found[2] is not None and issubclass(found[2][0], eager[2][0])


def test_code_outside_of_the_graph_is_staged_in_the_graph_of_its_tensors(capsys):
    def count(x, n):
        assert n > 0
        total = 0
        if x > 0:
            x = x + 1
        while n > 0:
            total += n
            n -= 1
        for i in range(x):
            total += i
        print(total)
        return total

    with tf.Graph().as_default() as graph:
        x, n = tf.placeholder(tf.int32, ()), tf.placeholder(tf.int32, ())
    result = autograph.to_graph(count)(x, n)
    assert tf.Session(graph=graph).run(result, {x: 3, n: 4}) == 16
    assert capsys.readouterr().out == "tf.Tensor(16, shape=(), dtype=int32)\n"
    with pytest.raises(AssertionError):
        tf.Session(graph=graph).run(result, {x: 3, n: 0})


def test_none_is_not_fetched_as_a_number():
    def number_or_none(none, x):
        found = x
        if none:
            found = None
        return found

    with tf.Graph().as_default(), tf.Session() as session:
        none, x = tf.placeholder(tf.bool, []), tf.constant(2)
        for outer in (x, 7):
            found = autograph.to_graph(number_or_none)(none, outer)
            tensor = tf.convert_to_tensor(found)
            fetched = session.run([found, tensor, tensor + 1], {none: False})
            assert fetched == ([2, 2, 3] if outer is x else [7, 7, 8])
            assert session.run(found, {none: True}) is None
            for fetch in (tensor, tensor + 1, tf.add(found, x)):
                with pytest.raises(TypeError, match="the value is None"):
                    session.run(fetch, {none: True})


def nested_functions(values):
    function = lambda: 1  # noqa: E731
    for value in values:
        inner = function
        function = lambda inner=inner: inner() + 1  # noqa: E731
    return function()


def test_a_loop_that_never_settles_is_refused():
    text = f"{__file__}:{nested_functions.__code__.co_firstlineno + 2}: this loop assigns a new "
    with pytest.raises(autograph.JoinError) as caught:
        tf.function(nested_functions)(tf.constant([1, 2]))
    assert str(caught.value).startswith(text)
