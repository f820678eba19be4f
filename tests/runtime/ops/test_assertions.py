"""debugging.assert_...: what holds, what does not, and how it is said; in every mode."""

import numpy as np
import pytest

import autograph
import runtime as tf

D = tf.debugging
INVALID = tf.errors.InvalidArgumentError
X = tf.constant([1, 2])


def words(error):
    return str(error).partition(" [Op:")[0].partition("\n  in operation")[0]


def outcome(run):
    try:
        run()
    except (ValueError, TypeError, tf.errors.OpError) as error:
        return type(error), words(error)
    return None


def fed(program, *arrays):
    """The program on values that are not known, nor their sizes, before the graph runs."""
    with tf.Graph().as_default() as graph, tf.Session() as session:
        holders = [tf.placeholder(tf.constant(a).dtype) for a in arrays]
        autograph.to_graph(program)(*holders)
        operations = [o for o in graph.operations if o.stateful]
        session.run(operations, dict(zip(holders, arrays)))


def everywhere(program, *arrays):
    eager = outcome(lambda: program(*map(tf.constant, arrays)))

    def traced(*args):
        program(*args)
        return tf.constant(0)

    assert outcome(lambda: tf.function(traced)(*map(tf.constant, arrays))) == eager
    return eager, outcome(lambda: fed(program, *arrays))


VALUES = {
    "equal": (D.assert_equal, ([1, 2], [1, 3]), [1, 2], "x == y"),
    "none_equal": (D.assert_none_equal, ([1, 2], [3, 2]), [3, 3], "x != y"),
    "less": (D.assert_less, ([1, 2], 2), [2, 3], "x < y"),
    "less_equal": (D.assert_less_equal, ([1, 3], 2), [1, 3], "x <= y"),
    "greater": (D.assert_greater, ([3, 2], 2), [0, 1], "x > y"),
    "greater_equal": (D.assert_greater_equal, ([3, 1], 2), [1, 1], "x >= y"),
}


@pytest.mark.parametrize("name", VALUES)
def test_comparisons(name):
    check, wrong, right, condition = VALUES[name]
    assert everywhere(lambda x, y: check(x, y), wrong[0], right) == (None, None)
    eager, staged = everywhere(lambda x, y: check(x, y, message="hm"), *wrong)
    assert eager == staged and eager[0] is INVALID
    assert eager[1].startswith(f"hm\nCondition {condition} did not hold element-wise:\n")
    assert "x = \n[" in eager[1]


def test_where_values_differ_is_shown():
    _, text = outcome(lambda: D.assert_equal([[1, 2], [3, 4]], [[1, 0], [3, 0]], summarize=1))
    assert "Indices of first 1 different values:\n[[0 1]]\n" in text
    assert "Corresponding x values:\n[2]\nCorresponding y values:\n[0]\n" in text


@pytest.mark.parametrize("name, wrong, right, condition", [
    ("positive", [0, 1], [1, 2], "> 0"), ("negative", [0, -1], [-1, -2], "< 0"),
    ("non_negative", [-1, 1], [0, 1], ">= 0"), ("non_positive", [1, -1], [0, -1], "<= 0"),
])  # fmt: skip
def test_signs(name, wrong, right, condition):
    check = getattr(D, f"assert_{name}")
    assert everywhere(check, right) == (None, None)
    eager, staged = everywhere(check, wrong)
    assert eager == staged and f"Condition x {condition} did not hold" in eager[1]


def test_near():
    assert everywhere(lambda x, y: D.assert_near(x, y), 1.0, 1.0000001) == (None, None)
    assert everywhere(lambda x, y: D.assert_near(x, y, atol=0.2), 1.0, 1.1) == (None, None)
    eager, staged = everywhere(lambda x, y: D.assert_near(x, y, message="m"), 1.0, 1.1)
    assert eager == staged and eager[1].startswith("m\nx and y not equal to tolerance rtol = 1.19")


def test_finite():
    for check in (D.assert_all_finite, D.check_numerics, tf.verify_tensor_all_finite):
        assert np.asarray(check([1.0, 2.0], "bad")).tolist() == [1, 2]
        eager, staged = everywhere(lambda x, check=check: check(x, "bad"), [1.0, np.nan, np.inf])
        assert eager == staged == (INVALID, "bad : Tensor had Inf and NaN values")


def test_ranks():
    assert everywhere(lambda x: D.assert_rank(x, 1), [1, 2]) == (None, None)
    assert everywhere(lambda x: D.assert_rank_at_least(x, 1), [1, 2]) == (None, None)
    assert everywhere(lambda x: D.assert_rank_in(x, (1, 2)), [1, 2]) == (None, None)
    for check, wanted in (
        (lambda x: D.assert_rank(x, 2, message="mm"), "rank 2"),
        (lambda x: D.assert_rank_at_least(x, 2, message="mm"), "rank at least 2"),
        (lambda x: D.assert_rank_in(x, (2, 3), message="mm"), "rank in (2, 3)"),
    ):
        with pytest.raises(ValueError, match="^mm.  Tensor tensor must have") as raised:
            check(X)
        assert f"must have {wanted}.  Received rank 1, shape (2,)" in str(raised.value)
        kind, text = outcome(lambda check=check: fed(check, [1, 2]))
        assert kind is INVALID and f"must have {wanted}.  Received rank 1, shape (2,)" in text


def test_scalars():
    assert D.assert_scalar(3).numpy() == 3
    with pytest.raises(ValueError, match=r"Expected scalar shape, saw shape: \(2,\)"):
        D.assert_scalar(X)


def test_shapes():
    def program(x, y, z):
        D.assert_shapes([(x, ("N", "Q")), (y, ("Q",)), (z, (..., "Q")), (x, (2, None))])

    assert everywhere(program, np.zeros((2, 3)), np.zeros(3), np.zeros((4, 1, 3))) == (None, None)
    with pytest.raises(ValueError, match=r"dimension 1 is 'Q'.  Tensor tensor number 1 of"):
        program(tf.zeros([2, 3]), tf.zeros([4]), tf.zeros([3]))
    with pytest.raises(ValueError, match="must have size 2.  Received size 5"):
        program(tf.zeros([5, 3]), tf.zeros([3]), tf.zeros([3]))
    with pytest.raises(ValueError, match="must have rank 1"):
        program(tf.zeros([2, 3]), tf.zeros([1, 3]), tf.zeros([3]))
    for mark in (..., "*"):
        with pytest.raises(ValueError, match="stands for any axes at the front only"):
            D.assert_shapes([(tf.zeros([2, 3]), (2, mark))])
    kind, text = outcome(lambda: fed(program, np.zeros((2, 3)), np.zeros(4), np.zeros(3)))
    assert kind is INVALID and "must have size 3.  Received size 4" in text


def test_types():
    D.assert_integer(X)
    D.assert_type(X, tf.int32)
    with pytest.raises(TypeError, match='Expected "x" to be integer type.  Found: tensor of dtype'):
        D.assert_integer(1.0)
    with pytest.raises(TypeError, match="m.  tensor must be of type tf.float32; got tf.int32"):
        D.assert_type(X, tf.float32, "m")
    assert D.assert_same_float_dtype([tf.constant(1.0), tf.constant([2.0])]) is tf.float32
    with pytest.raises(ValueError, match="must be of the same type"):
        D.assert_same_float_dtype([tf.constant(1.0), tf.constant(1.0, tf.float64)])
    with pytest.raises(ValueError, match="Expected floating point type"):
        D.assert_same_float_dtype([X])
    assert D.is_numeric_tensor(X) and not D.is_numeric_tensor(tf.constant("a"))
    assert not D.is_numeric_tensor(3)
    D.assert_proper_iterable([X])
    for wrong, words_ in ((3, "to be iterable"), (X, "proper"), ("ab", "proper")):
        with pytest.raises(TypeError, match=words_):
            D.assert_proper_iterable(wrong)


def test_shapes_that_do_not_broadcast():
    eager, staged = everywhere(lambda x, y: D.assert_equal(x, y), [1, 2], [1, 2, 3])
    assert issubclass(eager[0], INVALID) and "Incompatible shapes" in eager[1]
    assert issubclass(staged[0], INVALID)


def test_in_the_order_of_the_program():
    def program(x):
        seen = tf.Variable(0) if x is None else x
        for i in tf.range(3):
            seen.assign_add(1)
            D.assert_less(seen.read_value(), 2, message="too many")
        return seen.read_value()

    for run in (program, tf.function(program)):
        v = tf.Variable(0)
        with pytest.raises(INVALID, match="too many"):
            run(v)
        assert v.numpy() == 2
