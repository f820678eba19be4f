"""Converted Python on JAX: control flow, derivatives, vectorization, effects, lists, refusals."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import autograph
from autograph.errors import AutoGraphError, ConcreteValueError, EffectError, StagingError
from tests.backends import constructs, programs_on_jax
from tests.support.jaxprs import interpreted
from tests.support.nightly import NIGHTLY

jax = pytest.importorskip("jax", reason="jax is not installed")
jnp = jax.numpy
lax = jax.lax


def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


def root(a):
    x = a
    while abs(x * x - a) > 1e-6:
        x = 0.5 * (x + a / x)
    return x


def bounded_root(a):
    x = a
    while abs(x * x - a) > 1e-6:
        autograph.set_loop_options(maximum_iterations=20)
        x = 0.5 * (x + a / x)
    return x


def polynomial(coefficients, x):
    y = 0.0
    for c in coefficients:
        y = y * x + c
        if y > 100.0:
            break
    return y


def test_compiled():
    assert jax.jit(autograph.to_graph(collatz))(27) == 111


def test_known_values_stay_in_python():
    converted = autograph.to_graph(collatz)
    assert type(converted(27)) is int
    assert jax.make_jaxpr(lambda: converted(27))().jaxpr.eqns == []


def primitives(function, *args):
    return [e.primitive.name for e in jax.make_jaxpr(autograph.to_graph(function))(*args).eqns]


def test_loops_become_what_lax_has():
    assert "while" in primitives(root, 2.0)
    assert "scan" in primitives(bounded_root, 2.0)
    assert "scan" in primitives(polynomial, jnp.arange(3.0), 2.0)

    def choose(x):
        if x > 0:
            x = x + 1
        return x

    assert primitives(choose, 1.0)[-1] == "cond"


def test_items_of_an_array_are_handed_to_the_turns():
    def total(xs):
        s = 0.0
        for x in xs:
            s = s + x
        return s

    (scan,) = jax.make_jaxpr(autograph.to_graph(total))(jnp.arange(5.0)).eqns[-1:]
    names = [equation.primitive.name for equation in scan.params["jaxpr"].eqns]
    assert names in (["add"], ["convert_element_type", "add"])  # of a weak number


@pytest.mark.parametrize("transform", [
    lambda f: jax.grad(f, 1), lambda f: jax.jacfwd(f, 1), lambda f: jax.grad(jax.checkpoint(f), 1),
    lambda f: lambda c, x: jax.value_and_grad(f, 1)(c, x)[1],
])  # fmt: skip
def test_derivatives_of_a_loop_that_is_left(transform):
    coefficients = jnp.array([1.0, 2.0, 3.0, 40.0, 5.0])
    derivative = interpreted(transform(autograph.to_graph(polynomial)))
    for x in (0.5, 2.0, 4.0):
        h = 1e-2
        above, below = (polynomial(list(coefficients), x + d) for d in (h, -h))
        assert np.allclose(derivative(coefficients, x), (above - below) / (2 * h), rtol=1e-2)


def test_reverse_mode_needs_a_bound():
    assert np.isclose(jax.grad(autograph.to_graph(bounded_root))(2.0), 0.5 / np.sqrt(2.0))
    tangent = jax.jvp(jax.jit(autograph.to_graph(root)), (2.0,), (1.0,))[1]
    assert np.isclose(tangent, 0.5 / np.sqrt(2.0))
    with pytest.raises(StagingError, match=r"test_jax\.py:\d+: .*\n.*maximum_iterations") as caught:
        jax.grad(jax.jit(autograph.to_graph(root)))(2.0)
    assert caught.value.where[1] == root.__code__.co_firstlineno + 2
    with pytest.raises(ValueError, match="Reverse-mode"):  # of JAX's own loops
        jax.grad(lambda x: lax.while_loop(lambda x: x < 9.0, lambda x: x * 2.0, x))(1.0)


def test_derivatives_alone_run_in_python():
    assert np.isclose(jax.grad(autograph.to_graph(root))(2.0), 0.5 / np.sqrt(2.0), atol=1e-3)


def test_vectorized():
    converted = jax.vmap(autograph.to_graph(collatz))
    assert converted(jnp.array([1, 6, 27])).tolist() == [0, 8, 111]


def shout(x):
    if x > 2:
        print("big", x)
    i = 0
    while i < x:
        print("turn", i)
        i = i + 1
    return x


def test_prints_what_python_prints(capsys):
    jax.jit(autograph.to_graph(shout))(3)
    jax.effects_barrier()
    assert capsys.readouterr().out == "big 3\nturn 0\nturn 1\nturn 2\n"


def test_vectorized_prints_of_taken_paths(capsys):
    jax.vmap(autograph.to_graph(shout))(jnp.array([0, 3, 1]))
    jax.effects_barrier()
    assert capsys.readouterr().out == "big 3\nturn 0\nturn 0\nturn 1\nturn 2\n"


def checked(x):
    if x < 0:
        raise ValueError(f"negative: {x}")
    assert x < 10, "too large"
    return x * 2


@pytest.mark.parametrize("transform", [jax.jit, lambda f: jax.jit(jax.grad(f))])
def test_raises_the_programs_exception(transform):
    call = transform(autograph.to_graph(checked))
    call(3.0)
    line = checked.__code__.co_firstlineno
    for x, kind, offset in ((-3.0, ValueError, 2), (13.0, AssertionError, 3)):
        with pytest.raises(kind) as caught:
            jax.block_until_ready(call(x))
        assert f"test_jax.py:{line + offset}" in caught.value.__notes__[0]
    assert np.isfinite(call(3.0))


def test_vectorized_raises_only_for_taken_paths():
    call = jax.vmap(autograph.to_graph(checked))
    assert call(jnp.array([1.0, 2.0])).tolist() == [2.0, 4.0]
    with pytest.raises(ValueError, match="negative: -5.0"):
        jax.block_until_ready(call(jnp.array([1.0, -5.0])))


def test_many_elements_are_one_callback():
    call = jax.make_jaxpr(jax.vmap(autograph.to_graph(checked)))(jnp.ones(1000))
    assert len(call.jaxpr.eqns) < 30
    with pytest.raises(ValueError, match="negative: -1.0"):
        interpreted(jax.vmap(jax.vmap(autograph.to_graph(checked))))(jnp.array([[1.0], [-1.0]]))


def test_checkify_gets_checks():
    from jax.experimental import checkify

    call = checkify.checkify(jax.jit(autograph.to_graph(checked)))
    assert call(3.0)[0].get() is None
    assert call(-3.0)[0].get().startswith("ValueError: negative: -3.0\nraised at ")


def test_lists_that_grow():
    def squares(xs):
        items = []
        for x in xs:
            items.append(x * x)
        return items

    assert interpreted(autograph.to_graph(squares))(jnp.arange(3.0)).tolist() == [0.0, 1.0, 4.0]

    def countdown(n):
        items = []
        while n > 0:
            autograph.set_loop_options(maximum_size=4)
            items.append(n)
            n -= 1
        return items

    items, length = interpreted(autograph.to_graph(countdown))(3)
    assert (items.tolist(), int(length)) == ([3, 2, 1, 0], 3)
    with pytest.raises(ConcreteValueError, match="outgrows its bound of 4"):
        interpreted(autograph.to_graph(countdown))(5)

    def unbounded(n):
        items = []
        while n > 0:
            items.append(n)
            n -= 1
        return items

    with pytest.raises(ConcreteValueError, match=r"test_jax\.py:\d+: .*\n.*maximum_size"):
        jax.make_jaxpr(autograph.to_graph(unbounded))(3)


def test_lists_in_lists_that_grow():
    def triangle(xs):
        rows = []
        for x in xs:
            row = []
            i = 0
            while i < x:
                autograph.set_loop_options(maximum_size=3)
                row.append(i)
                i = i + 1
            rows.append(row)
        return rows

    rows, lengths = interpreted(autograph.to_graph(triangle))(jnp.array([1, 0, 3]))
    assert lengths.tolist() == [1, 0, 3]
    assert [row[:n] for row, n in zip(rows.tolist(), lengths.tolist(), strict=True)] == [
        [0], [], [0, 1, 2]
    ]  # fmt: skip


def test_sharded():
    mesh = jax.make_mesh((1,), ("d",), axis_types=(jax.sharding.AxisType.Auto,))
    spec = jax.sharding.PartitionSpec("d")
    roots = jax.shard_map(
        jax.vmap(autograph.to_graph(root)), mesh=mesh, in_specs=spec, out_specs=spec
    )
    assert np.allclose(jax.jit(roots)(jnp.arange(1.0, 4.0)), np.sqrt(np.arange(1.0, 4.0)))


@dataclasses.dataclass
class Walker:
    key: object
    place: object

    def step(self):
        self.key, part = jax.random.split(self.key)
        self.place = self.place + jax.random.normal(part)


def walk(seed, n):
    walker, farthest = Walker(jax.random.key(seed), 0.0), None
    for _ in range(n):
        walker.step()
        if farthest is None or abs(walker.place) > farthest:
            farthest = abs(walker.place)
    return walker.place, farthest


def test_objects_keys_and_none_as_state():
    with jax.disable_jit(False):
        place, farthest = jax.jit(autograph.to_graph(walk))(0, 5)
    expected = walk(0, 5)
    assert np.allclose(place, expected[0], atol=1e-5)
    assert np.allclose(farthest, expected[1], atol=1e-5)
    assert jax.jit(autograph.to_graph(walk))(0, 0)[1] is None


def refused(function, *args):
    with pytest.raises(AutoGraphError) as caught:
        jax.make_jaxpr(autograph.to_graph(function))(*args)
    assert "test_jax.py" in caught.value.where[0]
    assert caught.value.help
    return caught.value


def test_refusals_name_the_line_and_a_remedy():
    def text(x):
        word = "small"
        if x > 3:
            word = "big"
        return word

    def shape(x):
        if x > 3:
            y = jnp.ones(2)
        else:
            y = jnp.ones(3)
        return y

    def caught(x):
        try:
            if x > 3:
                raise ValueError
        except ValueError:
            x = 0
        return x

    def divided(x):
        try:
            y = 6 // x
        except ZeroDivisionError:
            y = 0
        return y

    def transformed_on_a_path(x):
        if x > 3:
            x = jax.jit(autograph.to_graph(checked))(x)
        return x

    for function in (text, shape, caught, divided, transformed_on_a_path):
        refused(function, 1)
    assert isinstance(refused(caught, 1), EffectError)


def test_recursion_is_refused():
    def factorial(n):
        return 1 if n <= 1 else n * factorial(n - 1)

    refused(factorial, 3)


def test_a_slice_of_the_programs():
    programs_on_jax.check(slice(0, None, 80), 5)


def on_numbers(function):
    """A program that takes Python numbers known at run time."""
    from autograph.backends.bounded_lists import maximum_size

    traced = interpreted(autograph.to_graph(function))

    def call(*args):
        with jax.enable_x64(True), maximum_size(64):
            return programs_on_jax.plain(traced(*args))

    return call


def test_the_table_of_constructs(request):
    constructs.check("JAX", on_numbers, request)


@NIGHTLY
def test_all_programs():
    programs_on_jax.check(slice(None), 455)
