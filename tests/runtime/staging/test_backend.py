"""Python on tensors means the same staged as eagerly: builtins, loops, joins, texts, errors."""

import numpy as np
import pytest

import autograph
import runtime as tf
from autograph.errors import ConcreteValueError
from tests.support.ways import agree, outcome, staged

# -- iteration -----------------------------------------------------------------------------------


def over_rows(x):
    total = 0
    for row in x:
        total = total + row
    return total


def enumerated(x):
    total = 0
    for i, item in enumerate(x, 1):
        if i % 2 == 0:
            continue
        total += i * item
    return total


def zipped(x, y):
    total = 0
    for a, b in zip(x, reversed(y)):
        total += a * b
        if total > 100:
            break
    return total


def mapped(x):
    total = 0
    for v in map(lambda v: v * 2 if v > 1 else v, x):
        total += v
    return total


def backwards(x):
    last = 0
    for i in reversed(range(len(x))):
        last = last * 10 + x[i]
    return last


def pairs_in_python(x):
    a, b = list(x)
    return b, a


@pytest.mark.parametrize(
    "function, arrays",
    [
        (over_rows, ([[1, 2], [3, 4]],)),
        (over_rows, (np.zeros((0,), np.int32),)),
        (enumerated, ([1, 2, 3],)),
        (zipped, ([1, 2, 3], [4, 5])),
        (zipped, ([90, 20, 3], [4, 5, 6])),
        (mapped, ([1, 2, 3],)),
        (backwards, ([1, 2, 3],)),
    ],
)
def test_iteration(function, arrays):
    value, _, error = agree(function, *arrays)
    assert value is not None and error is None


def test_a_loop_over_an_eager_tensor_while_tracing_is_staged():
    data = tf.range(1000)
    with tf.Graph().as_default() as graph, tf.Session() as session:
        result = autograph.to_graph(over_rows)(data)
        assert "While" in [o.type for o in graph.get_operations()]
        assert len(graph.get_operations()) < 20
        assert session.run(result) == 499500


def test_range_is_not_materialised():
    def count(n):
        k = 0
        for i in range(n):
            k = i
            if i >= 3:
                break
        return k

    with tf.Session(graph=tf.Graph()) as session:
        n = tf.placeholder(tf.int64, ())
        assert session.run(autograph.to_graph(count)(n), {n: 10**15}) == 3


def test_what_a_staged_range_cannot_do_is_said():
    def sliced(n):
        return range(n)[1:]

    n = tf.constant(1)
    with tf.Graph().as_default():
        n = tf.placeholder(tf.int32, ())
        with pytest.raises(ConcreteValueError, match="staged value cannot be sliced"):
            autograph.to_graph(sliced)(n)


def test_list_of_a_tensor_of_known_length():
    eager = outcome(lambda: pairs_in_python(tf.constant([1, 2])))
    assert outcome(lambda: staged(pairs_in_python, ([1, 2],))) == eager


# -- builtins ------------------------------------------------------------------------------------

BUILTINS = [
    (lambda x: len(x), ([1, 2, 3],)),
    (lambda x: int(x), (2.7,)),
    (lambda x: int(x), (-2.7,)),
    (lambda x: int(x), (float("nan"),)),
    (lambda x: int(x), (float("inf"),)),
    (lambda x: int(x) * 2**31 // 2**30, (3,)),
    (lambda x: float(x) / 3, (1,)),
    (lambda x: float(x), (0.1,)),
    (lambda x: bool(x), (0.0,)),
    (lambda x: not x, (3,)),
    (lambda x: abs(x), (-3,)),
    (lambda x: sum(x), ([1, 2, 3],)),
    (lambda x: sum(x, 10), ([1.5, 2.5],)),
    (lambda x: max(x), ([1.0, float("nan"), 2.0],)),
    (lambda x: min(x), ([3, 1, 2],)),
    (lambda x: max(x), (np.zeros((0,), np.int32),)),
    (lambda x: max(x, 2), (1,)),
    (lambda x: min(x, 2, x - 5), (1,)),
    (lambda x: max(x, key=lambda v: -v), ([3, 1, 2],)),
    (lambda x: any(x), ([0, 0, 2],)),
    (lambda x: all(x), ([1, 0, 2],)),
    (lambda x: all(x), (np.zeros((0,), np.int32),)),
    (lambda x: divmod(x, 3), (-7,)),
    (lambda x: pow(x, 3), (2,)),
    (lambda x: round(x), (2.5,)),
    (lambda x: range(x), (2.5,)),
]


@pytest.mark.parametrize("number", range(len(BUILTINS)))
def test_builtins(number):
    function, arrays = BUILTINS[number]
    agree(function, *arrays)


def test_a_step_of_zero():
    def steps(n):
        k = 0
        for i in range(0, 3, n):
            k += i
        return k

    assert agree(steps, 0)[2] == (ValueError, ("range() arg 3 must not be zero",))


# -- texts ---------------------------------------------------------------------------------------


def prints(x):
    word = "big" if x > 2 else "small"
    print(word, x, [x, 1], {"k": (x, None)}, x > 2, not x, sep="|")
    for i in range(x):
        print(i, i + 0.5, i > 0, end=";")
    print(len(word), word == "big", int(x), float(x))
    return x


@pytest.mark.parametrize("value", [0, 3])
def test_prints_what_python_prints(value):
    assert agree(prints, value)[1].startswith(("big|tf.Tensor(3", "small|tf.Tensor(0"))


def test_errors_carry_concrete_values():
    def check(x):
        if x > 2:
            raise KeyError("too big", x * 2, [x])
        if x == 1:
            raise AssertionError(("no", x))
        return x

    for value in (3, 1, 0):
        eager = outcome(lambda: check(tf.constant(value)))
        found = outcome(lambda: staged(check, (value,)))
        assert repr(found) == repr(eager)


class Refused(Exception):
    """Its constructor takes something else than its arguments."""

    def __init__(self, code, *, reason):
        super().__init__(f"refused: {reason}")
        self.code = code


def test_an_exception_with_its_own_constructor():
    def refuse(x):
        if x > 0:
            raise Refused(7, reason="why not")
        return x

    with pytest.raises(Refused, match="refused: why not") as caught:
        staged(refuse, (1,))
    assert caught.value.code == 7
    assert staged(refuse, (-1,)) == -1


def checked_constant(x):
    assert x > 0, "must be positive"
    return 7


def undefined_on_a_path(x):
    if x > 0:
        y = x
    y = y + 1
    return 7


@pytest.mark.parametrize(
    "function, error",
    [(checked_constant, AssertionError), (undefined_on_a_path, UnboundLocalError)],
)
def test_a_python_number_returned_behind_effects_can_be_fetched(function, error):
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.int32, [])
        result = autograph.to_graph(function)(x)
        assert session.run(result, {x: 1}) == 7
        with pytest.raises(error):
            session.run(result, {x: -1})
