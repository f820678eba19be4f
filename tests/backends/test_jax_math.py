"""Functions of :mod:`math` under JAX: Python's values, and Python's exceptions at run time."""

from __future__ import annotations

import math

import pytest

import autograph
from autograph.backends import jax_math
from autograph.errors import ConcreteValueError

jax = pytest.importorskip("jax")

FLOATS = {
    "sqrt exp exp2 log log2 log10 log1p cbrt gamma lgamma": (2.5, 0.25),
    "expm1 sin cos tan asin acos atan sinh cosh tanh asinh atanh fabs erf erfc degrees radians":
        (-0.5, 0.75),
    "acosh": (1.5, 3.0), "floor ceil trunc isnan isinf isfinite": (2.5, -2.5),
}  # fmt: skip
PAIRS = {
    "atan2 hypot copysign": (3.0, -4.0), "fmod remainder": (-7.5, 2.0), "pow": (2.5, -1.5),
    "log isclose": (2.5, 2.5), "gcd lcm comb perm": (12, 8),
}  # fmt: skip
NO_VALUES = [
    ("sqrt", -1.0), ("log", 0.0), ("exp", 1000.0), ("acos", 2.0), ("atanh", 1.0), ("gamma", -1.0),
    ("sin", math.inf), ("floor", math.nan), ("ceil", math.inf), ("isqrt", -1), ("factorial", -1),
    ("fmod", 1.0, 0.0), ("remainder", 1.0, 0.0), ("pow", 0.0, -1.0), ("pow", -8.0, 0.5),
    ("log", 8.0, 1.0), ("log", 8.0, -1.0), ("comb", -1, 2), ("perm", 3, -1),
]  # fmt: skip


def source(name: str, count: int) -> str:
    """Return the text of a function that calls one of ``math``."""
    names = ", ".join("abcd"[:count])
    return f"def {name}_{count}({names}):\n    return math.{name}({names})\n"


def converted(name: str, count: int):
    """Return the converted function."""
    namespace = {"math": math}
    autograph.exec_source(source(name, count), namespace)
    return autograph.to_graph(namespace[f"{name}_{count}"])


def every_call():
    """All functions with arguments of which they have a value."""
    calls = [(n, (x,)) for names, xs in FLOATS.items() for n in names.split() for x in xs]
    calls += [(n, xs) for names, xs in PAIRS.items() for n in names.split()]
    return [*calls, ("isqrt", (99,)), ("factorial", (12,)), ("hypot", (1.0, 2.0, 2.0))]


@pytest.mark.parametrize("wide", [True, False], ids=["x64", "x32"])
def test_values(wide):
    calls = every_call()
    functions = [converted(name, len(args)) for name, args in calls]

    def all_of_them(arguments):
        return [f(*args) for f, args in zip(functions, arguments, strict=True)]

    with jax.enable_x64(wide):
        results = jax.jit(all_of_them)([args for _, args in calls])
    for (name, args), result in zip(calls, results, strict=True):
        expected = getattr(math, name)(*args)
        assert result.item() == pytest.approx(expected, rel=1e-12 if wide else 1e-5), (name, args)
        assert type(result.item()) is type(expected), name
        assert result.weak_type or result.dtype == bool, name


@pytest.mark.parametrize(("name", "args"), [(name, args) for name, *args in NO_VALUES])
def test_python_raises_where_there_is_no_value(name, args):
    with pytest.raises(Exception) as expected:  # noqa: PT011
        getattr(math, name)(*args)
    with jax.enable_x64(True), pytest.raises(expected.type) as caught:
        jax.block_until_ready(jax.jit(converted(name, len(args)))(*args))
    assert caught.value.args == expected.value.args
    assert any("raised at" in note for note in caught.value.__notes__)


def test_what_does_not_fit():
    for name, *args in [("exp", 100.0), ("factorial", 13), ("comb", 40, 20), ("perm", 20, 10)]:
        with pytest.raises(OverflowError, match=rf"{name}\(.*does not fit in JAX's \w+32"):
            jax.block_until_ready(jax.jit(converted(name, len(args)))(*args))


def test_powers_of_a_modulus():
    @jax.jit
    @autograph.to_graph
    def power(base, exp, mod):
        return pow(base, exp, mod)

    for args in [(7, 0, 13), (7, 10, 13), (-7, 11, 13), (7, 10, -13), (7, 5, 1)]:
        assert power(*args).item() == pow(*args)
    with pytest.raises(ValueError, match="3rd argument cannot be 0"):
        jax.block_until_ready(power(2, 3, 0))
    with pytest.raises(OverflowError, match="does not fit"):
        jax.block_until_ready(power(2, -1, 7))


@autograph.to_graph
def root_where_positive(x):
    return math.sqrt(x) if x > 0 else math.exp(x)


def test_under_transformations():
    points = jax.numpy.array([4.0, -1.0])
    slopes = jax.jit(jax.vmap(jax.grad(root_where_positive)))(points)
    assert slopes == pytest.approx([0.25, math.exp(-1)])
    with pytest.raises(ValueError, match="math domain error"):
        jax.block_until_ready(jax.jit(jax.vmap(converted("sqrt", 1)))(points))


@autograph.to_graph
def of_a_list(x, y):
    return math.prod([x, y, 2]), math.dist([x, y], (0, 0))


def test_lists_of_numbers():
    product, distance = jax.jit(of_a_list)(3, 4)
    assert (product.item(), distance.item()) == (24, 5.0)


def test_checkify_is_told():
    from jax.experimental import checkify

    error, _ = checkify.checkify(jax.jit(converted("sqrt", 1)))(-1.0)
    assert "sqrt(-1.0) is no number" in error.get()


def test_what_is_refused_names_the_line():
    with pytest.raises(ConcreteValueError, match="math.fsum") as caught:
        jax.jit(autograph.to_graph(lambda x: math.fsum([x, x])))(1.0)
    assert "test_jax_math.py" in str(caught.value)


@pytest.mark.parametrize("function", [hex, bin, oct, chr])
def test_texts_are_refused_with_the_line(function):
    with pytest.raises(ConcreteValueError, match="JAX has no texts") as caught:
        jax.jit(autograph.to_graph(lambda n: function(n)))(7)
    assert "test_jax_math.py" in str(caught.value)


def test_complex_numbers_are_none():
    with pytest.raises(TypeError, match="must be real number, not complex"):
        jax.jit(converted("sqrt", 1))(1j)


def test_each_function_is_computed_or_refused():
    from autograph.backends.jax import BACKEND

    functions = {function for function in vars(math).values() if callable(function)}
    assert functions <= jax_math.builtins_of(BACKEND).keys()
