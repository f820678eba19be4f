"""Derivatives of 60 functions, first and second order, against JAX's.

Prints each function's largest difference relative to the largest number of JAX's answer, and the
largest of all.  Both compute in double precision, from the same numbers.  Needs the extra `bench`.

    python benchmarks/gradients_against_jax.py
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

import runtime as tf

try:
    import jax
    import jax.numpy as jnp
    from jax import lax
    from jax.scipy import special
except ImportError:
    sys.exit("this comparison needs JAX: pip install 'pyautograph[bench]'")

jax.config.update("jax_enable_x64", True)
warnings.simplefilter("ignore", tf.errors.RetracingWarning)  # a function for each row is meant
TOLERANCE = 1e-9
_noise = np.random.default_rng(7)

VECTOR = _noise.uniform(-2, 2, 5)
POSITIVE = _noise.uniform(0.2, 3, 5)
SMALL = _noise.uniform(-0.9, 0.9, 5)
MATRIX = _noise.normal(size=(4, 3))
OTHER = _noise.normal(size=(3, 5))
SQUARE = _noise.normal(size=(3, 3)) + 3 * np.eye(3)
DEFINITE = SQUARE @ SQUARE.T
BATCH = _noise.normal(size=(2, 4, 3))
IMAGE = _noise.normal(size=(2, 3, 4))
ONE_HOT = np.eye(3)[[0, 2, 1, 1]]
CLASSES = np.array([0, 2, 1, 1])

Function = Callable[..., Any]
Row = tuple[str, Function, Function, tuple[np.ndarray, ...]]


def _power(x: Any) -> Any:
    for _ in tf.range(6):
        x = tf.sin(x) * x + 0.1
    return x


def _power_in_jax(x: Any) -> Any:
    return lax.fori_loop(0, 6, lambda _, x: jnp.sin(x) * x + 0.1, x)


def _branches(x: Any) -> Any:
    if tf.reduce_sum(x) > 0.0:
        return x * x
    return tf.exp(x)


def _branches_in_jax(x: Any) -> Any:
    return lax.cond(jnp.sum(x) > 0, lambda x: x * x, jnp.exp, x)


def _states(x: Any) -> Any:
    return tf.scan(lambda a, v: tf.tanh(a * v + v), x, tf.constant(0.5, tf.float64))


def _states_in_jax(x: Any) -> Any:
    def step(a: Any, v: Any) -> tuple[Any, Any]:
        a = jnp.tanh(a * v + v)
        return a, a

    return lax.scan(step, jnp.array(0.5), x)[1]


def _layers(x: Any, w: Any, v: Any) -> Any:
    return tf.nn.log_softmax(tf.matmul(tf.tanh(tf.matmul(x, w)), v))


def _layers_in_jax(x: Any, w: Any, v: Any) -> Any:
    return jax.nn.log_softmax(jnp.tanh(x @ w) @ v)


def _set(x: Any) -> Any:
    x[1] = x[0] * 3.0
    return x * x


UNARY: list[tuple[str, Function, Function, np.ndarray]] = [
    ("abs", tf.abs, jnp.abs, VECTOR),
    ("exp", tf.exp, jnp.exp, VECTOR),
    ("expm1", tf.math.expm1, jnp.expm1, VECTOR),
    ("log", tf.math.log, jnp.log, POSITIVE),
    ("log1p", tf.math.log1p, jnp.log1p, SMALL),
    ("sqrt", tf.sqrt, jnp.sqrt, POSITIVE),
    ("rsqrt", tf.math.rsqrt, lax.rsqrt, POSITIVE),
    ("sin", tf.sin, jnp.sin, VECTOR),
    ("tan", tf.tan, jnp.tan, SMALL),
    ("asin", tf.asin, jnp.arcsin, SMALL),
    ("acos", tf.acos, jnp.arccos, SMALL),
    ("atan", tf.atan, jnp.arctan, VECTOR),
    ("sinh", tf.sinh, jnp.sinh, VECTOR),
    ("cosh", tf.cosh, jnp.cosh, VECTOR),
    ("tanh", tf.tanh, jnp.tanh, VECTOR),
    ("asinh", tf.asinh, jnp.arcsinh, VECTOR),
    ("acosh", tf.acosh, jnp.arccosh, POSITIVE + 1),
    ("atanh", tf.atanh, jnp.arctanh, SMALL),
    ("sigmoid", tf.sigmoid, jax.nn.sigmoid, VECTOR),
    ("softplus", tf.math.softplus, jax.nn.softplus, VECTOR),
    ("erf", tf.math.erf, special.erf, VECTOR),
    ("lgamma", tf.math.lgamma, special.gammaln, POSITIVE),
    ("digamma", tf.math.digamma, special.digamma, POSITIVE),
    ("relu", tf.nn.relu, jax.nn.relu, VECTOR),
    ("elu", tf.nn.elu, jax.nn.elu, VECTOR),
    ("selu", tf.nn.selu, jax.nn.selu, VECTOR),
    ("gelu", tf.nn.gelu, lambda x: jax.nn.gelu(x, approximate=False), VECTOR),
    ("silu", tf.nn.silu, jax.nn.silu, VECTOR),
    ("softmax", tf.nn.softmax, jax.nn.softmax, MATRIX),
    ("logsumexp", lambda x: tf.reduce_logsumexp(x, 1), lambda x: special.logsumexp(x, 1), MATRIX),
    ("prod", lambda x: tf.reduce_prod(x, 0), lambda x: jnp.prod(x, 0), MATRIX),
    ("prod with a zero", tf.reduce_prod, jnp.prod, np.array([2.0, 0.0, 3.0])),
    ("max", lambda x: tf.reduce_max(x, 1), lambda x: jnp.max(x, 1), MATRIX),
    ("mean", lambda x: tf.reduce_mean(x * x, 0), lambda x: jnp.mean(x * x, 0), MATRIX),
    ("variance", lambda x: tf.math.reduce_variance(x, 0), lambda x: jnp.var(x, 0), MATRIX),
    ("norm", tf.norm, jnp.linalg.norm, MATRIX),
    ("cumsum", lambda x: tf.cumsum(x * x), lambda x: jnp.cumsum(x * x), VECTOR),
    ("cumprod", tf.math.cumprod, jnp.cumprod, VECTOR),
    ("cumulative_logsumexp", tf.math.cumulative_logsumexp, lax.cumlogsumexp, VECTOR),
    ("sort", lambda x: tf.sort(x) ** 3.0, lambda x: jnp.sort(x) ** 3, VECTOR),
    ("slice", lambda x: x[1:, ::2] ** 3.0, lambda x: x[1:, ::2] ** 3, MATRIX),
    ("assignment", _set, lambda x: x.at[1].set(x[0] * 3) ** 2, VECTOR),
    ("gather", lambda x: tf.gather(x, [0, 2, 2]) ** 2.0, lambda x: x[np.array([0, 2, 2])] ** 2,
     MATRIX),
    ("pad", lambda x: tf.pad(x, [[1, 0], [0, 2]], "REFLECT") ** 2.0,
     lambda x: jnp.pad(x, [[1, 0], [0, 2]], "reflect") ** 2, MATRIX),
    ("segments", lambda x: tf.math.segment_sum(x, [0, 0, 1, 2]) ** 2.0,
     lambda x: jax.ops.segment_sum(x, jnp.array([0, 0, 1, 2]), 3) ** 2, MATRIX),
    ("inv", tf.linalg.inv, jnp.linalg.inv, SQUARE),
    ("det", tf.linalg.det, jnp.linalg.det, SQUARE),
    ("cholesky", tf.linalg.cholesky, jnp.linalg.cholesky, DEFINITE),
    ("qr", lambda x: tf.linalg.qr(x)[1] ** 2.0, lambda x: jnp.linalg.qr(x)[1] ** 2, MATRIX),
    ("eigenvalues", lambda x: tf.linalg.eigh((x + tf.transpose(x)) / 2.0)[0] ** 2.0,
     lambda x: jnp.linalg.eigh((x + x.T) / 2)[0] ** 2, DEFINITE),
    ("loop", _power, _power_in_jax, VECTOR),
    ("branches", _branches, _branches_in_jax, VECTOR),
    ("scan", _states, _states_in_jax, VECTOR),
]  # fmt: skip

ROWS: list[Row] = [(name, ours, theirs, (x,)) for name, ours, theirs, x in UNARY] + [
    ("pow", tf.pow, jnp.power, (POSITIVE, VECTOR)),
    ("atan2", tf.atan2, jnp.arctan2, (VECTOR, POSITIVE)),
    ("quotient, broadcast", tf.truediv, jnp.divide, (MATRIX, np.array([1.5, -2.0, 0.7]))),
    ("xlogy", tf.math.xlogy, special.xlogy, (VECTOR, POSITIVE)),
    ("matmul, batches", tf.matmul, jnp.matmul, (BATCH, OTHER)),
    ("einsum", lambda x, y: tf.einsum("bij,bkj->bik", x, y),
     lambda x, y: jnp.einsum("bij,bkj->bik", x, y), (BATCH, BATCH + 1)),
    ("tensordot", lambda x, y: tf.tensordot(x, y, [[1, 0], [1, 0]]),
     lambda x, y: jnp.tensordot(x, y, [[1, 0], [1, 0]]), (IMAGE, IMAGE * 2)),
    ("solve", tf.linalg.solve, jnp.linalg.solve, (SQUARE, OTHER)),
    ("softmax loss", lambda x: tf.nn.softmax_cross_entropy_with_logits(ONE_HOT, x),
     lambda x: -jnp.sum(ONE_HOT * jax.nn.log_softmax(x), -1), (MATRIX,)),
    ("sparse softmax loss", lambda x: tf.nn.sparse_softmax_cross_entropy_with_logits(CLASSES, x),
     lambda x: -jnp.take_along_axis(jax.nn.log_softmax(x), CLASSES[:, None], 1), (MATRIX,)),
    ("two layers", _layers, _layers_in_jax, (MATRIX, OTHER, OTHER.T)),
]  # fmt: skip


def ours(function: Function, points: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Value, first and second order, by nested tapes around a traced function."""
    staged = tf.function(lambda *xs: _weighed(function(*xs)))
    xs = [tf.constant(p) for p in points]
    with tf.GradientTape() as outer:
        outer.watch(xs)
        with tf.GradientTape() as tape:
            tape.watch(xs)
            y = staged(*xs)
        first = tape.gradient(y, xs)
        total = tf.add_n([_weighed(g) for g in first])
    second = outer.gradient(total, xs, unconnected_gradients="zero")
    return [np.asarray(v) for v in (y, *first, *second)]


def theirs(function: Function, points: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The same by JAX."""
    every = tuple(range(len(points)))

    def value(*xs: Any) -> Any:
        return _weighed_in_jax(function(*xs))

    def total(*xs: Any) -> Any:
        return sum(_weighed_in_jax(g) for g in jax.grad(value, every)(*xs))

    xs = [jnp.asarray(p) for p in points]
    answers = value(*xs), *jax.grad(value, every)(*xs), *jax.grad(total, every)(*xs)
    return [np.asarray(v) for v in answers]


def _weighed(y: Any) -> Any:
    """The sum of the elements, each with another weight."""
    weights = tf.cos(tf.cast(tf.range(tf.size(y)), tf.float64))
    return tf.reduce_sum(y * tf.reshape(weights, tf.shape(y)))


def _weighed_in_jax(y: Any) -> Any:
    return jnp.sum(y * jnp.cos(jnp.arange(y.size, dtype=float)).reshape(y.shape))


def difference(found: Sequence[np.ndarray], expected: Sequence[np.ndarray]) -> float:
    """The largest difference, relative to the largest number of each expected array."""
    pairs = zip(found, expected, strict=True)
    return max(float(np.max(np.abs(f - e)) / max(np.max(np.abs(e)), 1e-3)) for f, e in pairs)


def main() -> None:
    """Prints the differences; fails when one is above the tolerance."""
    results = {name: difference(ours(f, x), theirs(g, x)) for name, f, g, x in ROWS}
    for name, result in results.items():
        print(f"{name:24} {result:.1e}")
    worst = max(results, key=lambda name: results[name])
    print(f"\n{len(results)} functions, value and two orders: {worst} differs most, "
          f"{results[worst]:.1e} of the largest number")  # fmt: skip
    if not results[worst] < TOLERANCE:
        sys.exit(f"more than {TOLERANCE}")


if __name__ == "__main__":
    main()
