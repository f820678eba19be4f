"""Eager variables may have any name, also in functions: what reads them has a valid one."""

from __future__ import annotations

import pytest

import runtime as tf


@pytest.mark.parametrize("name", ["a/b c", "имя", "_w", "-", "x:y", "ok.1"])
def test_variables_of_any_name_are_read_in_functions(name):
    v = tf.Variable(2.0, name=name)
    assert v.name == f"{name}:0"
    f = tf.function(lambda x: x * v)
    assert f(tf.constant(3.0)).numpy() == 6
    v.assign(5.0)
    assert f(tf.constant(3.0)).numpy() == 15
