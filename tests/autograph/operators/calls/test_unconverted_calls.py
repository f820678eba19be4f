"""Why code was not converted: what golden texts in tests/errors/unconverted cannot show."""

from __future__ import annotations

import heapq

import numpy as np
import pytest

import autograph
import runtime as tf


def size(pair):
    number, limit = pair
    return number if number > limit else limit


def first_merged(x):
    return next(heapq.merge([(x, 1)], [(x, 2)], key=size))


def test_a_function_that_a_library_calls():
    with pytest.raises(autograph.UnconvertedError) as caught:
        tf.function(first_merged)(tf.constant(1))
    error = caught.value
    assert "heapq belongs to a library whose functions are not converted" in str(error)
    assert [related.role for related in error.related_lines] == [
        "in first_merged, converted",
        "in merge, not converted",
        "in size, not converted",
    ]


def test_without_any_converted_code_the_text_says_how_to_convert():
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [])
        with pytest.raises(tf.errors.OperatorNotAllowedInGraphError) as caught:
            if x > 0:
                pass
    assert not caught.value.related_lines
    assert caught.value.help.startswith("convert the function with autograph.to_graph")


@pytest.mark.parametrize(
    ("use", "kind"),
    [(np.random.permutation, NotImplementedError), (lambda x: b"ab"[x], TypeError)],
    ids=["array", "index"],
)
def test_no_handler_of_the_user_swallows_it(use, kind):
    def guarded(x):
        try:
            return use(x)
        except kind:
            return -x

    with pytest.raises(autograph.UnconvertedError) as caught:
        tf.function(guarded)(tf.constant(1))
    assert isinstance(caught.value, kind)


def test_recursive_false():
    def helper(x):
        return 1 if x > 0 else 0

    def f(x):
        return helper(x)

    with tf.Graph().as_default():
        with pytest.raises(autograph.UnconvertedError, match="recursive=False"):
            autograph.to_graph(f, recursive=False)(tf.placeholder(tf.float32, []))
