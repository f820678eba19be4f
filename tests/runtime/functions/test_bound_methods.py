"""Methods of containers as values: what a staged path changes through them is changed."""

import functools

import pytest

import runtime as tf


def chosen_method(n):
    a, b = [1, 2, 3], [4, 5]
    add = a.append if n > 2 else b.append
    add(n)
    return a, b


def method_wrapper(n):
    a = [1, 2, 3]
    put = a.__setitem__
    if n > 2:
        put(0, n)
    return a


def partial_call(n):
    a = [1, 2, 3]
    insert = functools.partial(a.insert, 0)
    if n > 2:
        insert(n)
    return a


def partial_keyword(n):
    a = [0]

    def keep(x, to):
        to.append(x)

    add = functools.partial(keep, to=a)
    if n > 2:
        add(n)
    return a


def default_value(n):
    a = [0]

    def put(x, append=a.append):
        append(x)

    for i in range(n):
        put(i)
    return a


def keyword_default(n):
    a = {}

    def keep(x, *, to=a):
        to["last"] = x

    keep(0)
    if n > 2:
        keep(n)
    return a


def methods_in_a_dict(n):
    a = [1, 2, 3]
    methods = {"add": a.append, "drop": a.remove}
    if n > 2:
        methods["add"](n)
    else:
        methods["drop"](2)
    return a


CASES = [
    chosen_method, method_wrapper, partial_call, partial_keyword, default_value, keyword_default,
    methods_in_a_dict,
]  # fmt: skip


@pytest.mark.parametrize("function", CASES)
def test_changes_through_methods_and_defaults(function):
    staged = tf.jit(function, strict=True)
    for n in (1, 5):
        assert staged(n) == function(n)
