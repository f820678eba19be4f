"""Python's :mod:`math` for ``jax``: computed by JAX, refused at run time where Python refuses.

As in C, the result says where a function has no value: NaN of numbers, or an infinity of finite
ones.  There Python's own function is called with the numbers, and raises what it raises.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from autograph.backends.functional import FunctionalBackend
from autograph.backends.jax_values import Placeholder, cast, scalar
from autograph.errors import ConcreteValueError
from autograph.staging import user_line

Function = Callable[..., Any]


def _remainder(x: Any, y: Any) -> Any:
    """IEEE 754's remainder, exact as ``fmod`` is: what is left by the nearest multiple of ``y``, of
    two that are as near by the even one.
    """
    size = jnp.abs(y)
    remainder = jnp.fmod(jnp.abs(x), 2 * size)
    over = remainder - size
    near = jnp.where(remainder <= size / 2, remainder, over)
    near = jnp.where(over >= size / 2, over - size, near)
    near = jnp.where(jnp.isinf(y), jnp.abs(x), near)
    return jnp.copysign(1, x) * jnp.where((y == 0) | jnp.isinf(x), jnp.nan, near)


_NAMES = """sqrt exp exp2 log1p expm1 cbrt
            sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh"""
_OF_FLOATS: dict[Function, Function] = {
    **{getattr(math, name): getattr(jnp, name) for name in _NAMES.split()},
    math.fmod: jnp.fmod, math.remainder: _remainder, math.pow: jnp.float_power,
    math.log2: jnp.log2, math.log10: jnp.log10,
    math.gamma: jax.scipy.special.gamma, math.lgamma: jax.scipy.special.gammaln,
}  # fmt: skip
"""Functions of floats that give a float, where they have a value."""

_OF_ALL_FLOATS: dict[Function, Function] = {
    math.fabs: jnp.abs, math.copysign: jnp.copysign, math.atan2: jnp.atan2,
    math.degrees: lambda x: x * (180 / math.pi), math.radians: lambda x: x * (math.pi / 180),
    math.erf: jax.scipy.special.erf, math.erfc: jax.scipy.special.erfc,
    math.hypot: lambda *sides: functools.reduce(jnp.hypot, sides, jnp.zeros_like(sides[0])),
}  # fmt: skip
"""Functions of floats that have a value everywhere."""

_QUESTIONS: dict[Function, Function] = {
    math.isnan: jnp.isnan, math.isinf: jnp.isinf, math.isfinite: jnp.isfinite
}
"""Functions of a float that give a bool."""

_TO_INTS: dict[Function, Function] = {
    math.floor: jnp.floor, math.ceil: jnp.ceil, math.trunc: jnp.trunc
}
"""Functions of a float that give an int."""


def _whole_root(n: Any) -> Any:
    """Return a root that may be rounded by one, made the right one."""
    largest = math.isqrt(int(np.iinfo(n.dtype).max))
    root = jnp.minimum(jnp.sqrt(jnp.maximum(n, 0).astype(float)).astype(n.dtype), largest)
    root = root - (root * root > n)
    return root + ((root < largest) & ((root + 1) * (root + 1) <= n)), n >= 0


def _factorial(n: Any) -> Any:
    sizes = [1]
    while sizes[-1] * len(sizes) <= np.iinfo(n.dtype).max:
        sizes.append(sizes[-1] * len(sizes))
    inside = (n >= 0) & (n < len(sizes))
    return jnp.array(sizes, n.dtype)[jnp.clip(n, 0, len(sizes) - 1)], inside


def _subsets(n: Any, k: Any) -> Any:
    """Return binomial coefficients: each step of Pascal's product is one, so none overflows first.
    """

    def step(count: Any, i: Any) -> Any:
        shared = jnp.gcd(count, i + 1)
        return count // shared * ((n - i) // ((i + 1) // shared))

    return _product(n, k, jnp.minimum(k, n - k), step, lambda size, i: size * (n - i) / (i + 1))


def _orders(n: Any, k: Any = None) -> Any:
    if k is None:
        return _factorial(n)
    return _product(n, k, k, lambda count, i: count * (n - i), lambda size, i: size * (n - i))


def _product(n: Any, k: Any, turns: Any, step: Function, float_step: Function) -> Any:
    """Return a product of as many steps, 0 beyond ``n``; a float tells whether ints overflow."""

    def turn(i: Any, state: Any) -> Any:
        return step(state[0], i), float_step(state[1], i)

    turns = jnp.where(k > n, 0, jnp.clip(turns, 0, None))
    count, size = lax.fori_loop(0, turns, turn, (jnp.ones_like(n), jnp.ones((), float)))
    valid = (n >= 0) & (k >= 0) & (size < np.iinfo(n.dtype).max)
    return jnp.where(k > n, 0, count), valid


def _power(base: Any, exponent: Any, modulus: Any) -> Any:
    """Return a power by squares; products of two remainders must not overflow."""
    size = jnp.where(modulus == 0, 1, modulus)

    def step(state: Any) -> Any:
        bits, square, product = state
        product = jnp.where(bits % 2 == 1, product * square % size, product)
        return bits // 2, square * square % size, product

    start = jnp.clip(exponent, 0, None), base % size, jnp.ones_like(base) % size
    power = lax.while_loop(lambda state: state[0] > 0, step, start)[2]
    largest = math.isqrt(int(np.iinfo(base.dtype).max))
    return power, (exponent >= 0) & (modulus != 0) & (jnp.abs(modulus) <= largest)


_OF_INTS: dict[Function, Function] = {
    math.isqrt: _whole_root, math.factorial: _factorial, math.comb: _subsets, math.perm: _orders,
}  # fmt: skip
"""Functions of ints: they return the result and whether it is one."""


def builtins_of(backend: FunctionalBackend) -> dict[Function, Function]:
    """Return the versions of Python's functions for values of JAX."""
    functions = vars(math).values()
    refused = {function: _refusal(function) for function in functions if callable(function)}
    return {**refused, **_Versions(backend).table()}


class _Versions:
    """What computes Python's functions, and checks the results."""

    def __init__(self, backend: FunctionalBackend) -> None:
        self.backend = backend

    def table(self) -> dict[Function, Function]:
        """Return the versions by function."""
        tables: list[tuple[Function, dict[Function, Any]]] = [
            (self.of_floats, _OF_FLOATS), (self.of_all_floats, _OF_ALL_FLOATS),
            (self.question, _QUESTIONS), (self.to_int, _TO_INTS), (self.of_ints, _OF_INTS),
            (self.of_many_ints, {math.gcd: (jnp.gcd, 0), math.lcm: (jnp.lcm, 1)}),
        ]  # fmt: skip
        return {
            **{function: functools.wraps(function)(functools.partial(version, function, compute))
               for version, table in tables for function, compute in table.items()},
            math.log: self.log, math.isclose: self.isclose, math.prod: self.prod,
            math.dist: self.dist, pow: self.pow,
        }  # fmt: skip

    def check(self, function: Function, values: Sequence[Any], result: Any, holds: Any) -> Any:
        """Return a result; where it is none, call Python's function when the graph runs."""

        def fail(numbers: list[Any]) -> None:
            if any(isinstance(number, Placeholder) for number in numbers):  # for ``checkify``
                raise ValueError(f"{call_text(function, numbers)} is no number")
            numbers = [number.item() for number in numbers]
            function(*numbers)
            raise OverflowError(
                f"{call_text(function, numbers)} does not fit in JAX's {result.dtype}"
            )

        raises = (ValueError, OverflowError, ZeroDivisionError)
        self.backend.act_unless(holds, fail, values, raises)
        return result

    def of_floats(self, function: Function, compute: Function, *args: Any) -> Any:
        """A float, checked."""
        if not any(map(is_traced, args)):
            return function(*args)
        numbers = list(map(real, args))
        result = cast(compute(*numbers), float, True)
        of_numbers = functools.reduce(operator.and_, [~jnp.isnan(x) for x in numbers])
        of_finite = functools.reduce(operator.and_, [jnp.isfinite(x) for x in numbers])
        fails = (jnp.isnan(result) & of_numbers) | (jnp.isinf(result) & of_finite)
        return self.check(function, numbers, result, ~fails)

    def of_all_floats(self, function: Function, compute: Function, *args: Any) -> Any:
        """A float."""
        if not any(map(is_traced, args)):
            return function(*args)
        return cast(compute(*map(real, args)), float, True)

    def question(self, function: Function, compute: Function, x: Any) -> Any:
        """A bool."""
        return compute(real(x)) if is_traced(x) else function(x)

    def to_int(self, function: Function, compute: Function, x: Any) -> Any:
        """An int of a float, checked."""
        if not is_traced(x):
            return function(x)
        number = scalar(x, float)
        if number.dtype.kind in "iub":
            return cast(number, int, True)
        result = compute(real(number))
        limits = np.iinfo(jax.typeof(0).dtype)
        holds = (result >= float(limits.min)) & (result < -float(limits.min))
        return self.check(function, [number], cast(result, int, True), holds)

    def of_ints(self, function: Function, compute: Function, *args: Any) -> Any:
        """An int of ints, checked."""
        if not any(map(is_traced, args)):
            return function(*args)
        numbers = [jnp.asarray(self.integer(arg)) for arg in args]
        result, holds = compute(*numbers)
        return self.check(function, numbers, cast(result, int, True), holds)

    def of_many_ints(self, function: Function, fold: tuple[Function, int], *args: Any) -> Any:
        """An int of any number of ints."""
        compute, start = fold
        if not any(map(is_traced, args)):
            return function(*args)
        return cast(functools.reduce(compute, map(self.integer, args), start), int, True)

    def integer(self, value: Any) -> Any:
        """Return a whole number as Python's int; TypeError for others."""
        is_array = isinstance(value, jax.Array)
        number = self.backend.number(value) if is_array else operator.index(value)
        return cast(number, int, True)

    def log(self, x: Any, base: Any = math.e) -> Any:
        """``math.log``, which divides two logarithms if a base is given."""
        if not is_traced(x) and not is_traced(base):
            return math.log(x, base)
        x, b = real(x), real(base)
        if base is math.e:
            return self.check(math.log, [x], jnp.log(x), ~(x <= 0))
        fails = (x <= 0) | (b <= 0) | (b == 1)
        return self.check(math.log, [x, b], jnp.log(x) / jnp.log(b), ~fails)

    def isclose(self, a: Any, b: Any, *, rel_tol: Any = 1e-09, abs_tol: Any = 0.0) -> Any:
        """``math.isclose``."""
        for tolerance in (rel_tol, abs_tol):
            if not is_traced(tolerance) and tolerance < 0:
                raise ValueError("tolerances must be non-negative")
        a, b = real(a), real(b)
        near = jnp.maximum(rel_tol * jnp.maximum(jnp.abs(a), jnp.abs(b)), abs_tol)
        return (a == b) | (jnp.isfinite(a) & jnp.isfinite(b) & (jnp.abs(a - b) <= near))

    def prod(self, iterable: Any, /, *, start: Any = 1) -> Any:
        """``math.prod``."""
        return functools.reduce(operator.mul, sequence(iterable, math.prod), start)

    def dist(self, p: Any, q: Any, /) -> Any:
        """``math.dist``."""
        p, q = sequence(p, math.dist), sequence(q, math.dist)
        if len(p) != len(q):
            raise ValueError("both points must have the same number of dimensions")
        hypot = _OF_ALL_FLOATS[math.hypot]
        return self.of_all_floats(math.hypot, hypot, *map(operator.sub, p, q))

    def pow(self, base: Any, exp: Any, mod: Any = None) -> Any:
        """``pow``."""
        return base**exp if mod is None else self.of_ints(pow, _power, base, exp, mod)


def call_text(function: Function, numbers: Sequence[Any]) -> str:
    """Return the text of a call."""
    return f"{function.__name__}({', '.join(map(repr, numbers))})"


def is_traced(value: Any) -> bool:
    """Whether a value is a tracer, of which the number is not known."""
    return isinstance(value, jax.core.Tracer)


def real(value: Any) -> Any:
    """Return a number as Python's float; TypeError for a complex one."""
    number = scalar(value, float)
    if jnp.iscomplexobj(number):
        raise TypeError("must be real number, not complex")
    return cast(number, float, True)


def sequence(values: Any, function: Function) -> Sequence[Any]:
    """Return values whose number is known; refuse others, naming the function."""
    if isinstance(values, (list, tuple)):
        return values
    if isinstance(values, (jax.Array, np.ndarray)) and np.ndim(values) == 1:
        return [values[k] for k in range(len(values))]
    return _refusal(function)()


def _refusal(function: Function) -> Function:
    def refuse(*values: Any, **options: Any) -> Any:
        name = f"math.{function.__name__}"
        raise ConcreteValueError(
            f"{name} needs a value that is known while tracing", where=user_line(),
            help=f"write it in Python, or use what jax.numpy has instead of {name}",
        )  # fmt: skip

    return refuse
