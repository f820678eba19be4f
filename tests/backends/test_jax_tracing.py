"""What converted Python costs on JAX while it is traced, and that this changes nothing."""

from __future__ import annotations

import pytest

import autograph
from autograph.errors import ConcreteValueError
from autograph.operators.control.traced_loop import TracedLoop

jax = pytest.importorskip("jax", reason="jax is not installed")
jnp = jax.numpy


def test_bodies_are_traced_again_only_where_python_could_see_that(monkeypatch):
    calls = []

    def body(*args):
        calls.append(args)
        return trace_body(*args)

    trace_body = TracedLoop.body
    monkeypatch.setattr(TracedLoop, "body", body)

    def traces(function, *args):
        calls.clear()
        jax.make_jaxpr(autograph.to_graph(function))(*args)
        return len(calls)

    def total(xs, y):
        for x in xs:
            y = y + x
        return y

    def until_large(xs, y):
        for x in xs:
            if x > y:
                break
            y = y + 2 * x
        return y

    def product(xs, y, z):
        for x in xs:
            y = y + x
            z = y * z  # of a dtype that depends on whether y is a number of Python's
        return z

    def counted(xs, y):
        floats = 0
        for x in xs:
            if isinstance(y, float):
                floats += 1
            y = y + x
        return floats

    def constant(xs, y, z):
        for x in xs:
            y = y + x
            z = 3
        return y + z

    def late(xs, a, b):
        for x in xs:
            b = a
            a = a + x
        return b

    xs = jnp.arange(1.0, 5.0)
    assert traces(total, xs, 2.0) == traces(until_large, xs, 2.0) == 1
    assert traces(product, xs, 2.0, jnp.bfloat16(1.5)) > 1
    with pytest.raises(ConcreteValueError):  # its first trace would say that all are floats
        traces(counted, xs, 2.0)
    assert traces(late, xs, 2.0, 3.0) > 1
    assert traces(constant, xs, 2.0, 4) == 1
    cases = ((total, (2.0,)), (constant, (2.0, 4)), (until_large, (2.5,)), (late, (2.0, 3.0)))
    for function, args in cases:
        call = jax.jit(autograph.to_graph(function))
        result, expected = call(xs, *args), function(xs, *args)
        assert result == expected
        assert jax.typeof(result) == jax.typeof(expected)


def test_what_joins_numbers_is_a_number():
    def chosen(x, c):
        y = 1 if x > 0 else 2.5
        return y * c

    product = jax.jit(autograph.to_graph(chosen))
    assert product(-1, jnp.bfloat16(3)) == 7.5
    assert product(1, jnp.bfloat16(3)).dtype == jnp.bfloat16


def test_what_would_change_is_traced_by_jax():
    def halved(x):
        while x.sum() > 1:
            x = x / 2 if x[0] > 0 else -x / 2
        return x

    function = jax.jit(autograph.to_graph(halved))
    x = jnp.array([3.0, 4.0])
    expected = function(x)
    with jax.enable_checks(True):
        assert (jax.make_jaxpr(function)(x).eqns[-1].primitive.name, *function(x)) == (
            "jit", *expected
        )  # fmt: skip
    with jax.disable_jit():
        assert jnp.array_equal(jax.vmap(autograph.to_graph(halved))(x[None])[0], expected)
