"""``is`` of staged values whose identity staging does not know: refused with the line."""

import pytest

import runtime as tf
from autograph.errors import ConcreteValueError


def tensor_is_true(x):
    return 1 if (x > 2) is True else 2


def tensor_is_false_in_a_loop(x):
    done, k = False, 0
    while done is False:
        k += 1
        done = x > 2
    return k


def large_int(x):
    k, limit = 0, 1000
    if x > 2:
        k = 1000
    return k is limit


def float_is_constant(x):
    scale, one = 1.0, 1.0
    if x > 2:
        scale = 2.0
    return scale is one


def int_that_may_be_float(x):
    k, zero = 0, 0
    if x > 2:
        k = 0.5
    return k is zero


def text(x):
    name, word = "one", "one"
    if x > 2:
        name = "two"
    return name is word


def formatted(x):
    name, word = f"{x}", "3"
    return name is word


def two_ints(x):
    a, b = 1, 1
    if x > 2:
        a, b = 2, 3
    return a is b


def number_became_tensor(x):
    k, zero = 0, 0
    if x > 2:
        k = x
    return 1 if k is zero else 2


def matched(x):
    match x > 2:
        case True:
            return 1
        case _:
            return 2


REFUSED = [
    (tensor_is_true, "is True"), (tensor_is_false_in_a_loop, "while done is False"),
    (large_int, "k is limit"), (float_is_constant, "scale is one"),
    (int_that_may_be_float, "k is zero"), (text, "name is word"), (formatted, "name is word"),
    (two_ints, "a is b"), (number_became_tensor, "k is zero"), (matched, "case True"),
]


@pytest.mark.parametrize("program, line", REFUSED, ids=[p.__name__ for p, _ in REFUSED])
def test_what_is_not_known_is_refused(program, line):
    function = tf.function(program)
    for _ in range(3):
        with pytest.raises(ConcreteValueError, match="identity of a staged value") as caught:
            function(tf.constant(3))
        assert "test_identities.py" in str(caught.value) and "==" in str(caught.value)
    with open(__file__, encoding="utf-8") as source:
        named = source.read().splitlines()[caught.value.where[1] - 1]
    assert line in named


def test_values_of_another_type_are_never_the_same():
    @tf.function
    def others(x):
        number, words = x + 1, ["a"]
        return [
            number is True, number is None, number is words, number is print, (x > 2) is words,
            number is ..., words is not number,
        ]  # fmt: skip

    found = others(tf.constant(3))
    assert [bool(t) for t in found] == [False] * 6 + [True]


def test_eager_tensors_are_never_bools():
    x = tf.constant(3)
    assert tensor_is_true(x) == 2 and matched(x) == 2
