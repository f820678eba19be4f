"""What converted Python costs on JAX, next to ``lax`` code written by hand.

    python -m benchmarks.backends_by_hand

Ten programs, each as plain Python and by hand: the equations of the jaxpr, those of branches and
bodies included; the time to trace it; and the time of a compiled call, the best of several.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax
from jax._src.interpreters import partial_eval

import autograph

# -- as plain Python -------------------------------------------------------------------------------


def collatz(n):
    """Collatz."""
    steps = 0
    while n != 1:
        if n % 2 == 0:  # noqa: SIM108
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


def newton(a):
    """Newton."""
    x = a
    while abs(x * x - a) > 1e-6:
        x = 0.5 * (x + a / x)
    return x


def runge_kutta(y, times):
    """Runge kutta."""
    h = times[1] - times[0]
    for t in times:
        k1 = jnp.sin(t) - y
        k2 = jnp.sin(t + h / 2) - (y + h / 2 * k1)
        k3 = jnp.sin(t + h / 2) - (y + h / 2 * k2)
        k4 = jnp.sin(t + h) - (y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return y


def beam_search(logits, transitions):
    """Beam search."""
    scores = logits[0]
    for step in logits[1:]:
        scores = jnp.max(scores[:, None] + transitions, axis=0) + step
        if jnp.max(scores) > 1000.0:
            break
    return lax.top_k(scores, 4)[0]


def lstm(inputs, h, c, w, u, b):
    """Lstm."""
    for x in inputs:
        z = x @ w + h @ u + b
        i, f, g, o = jnp.split(z, 4)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
    return h


def mandelbrot(a, b):
    """Mandelbrot."""
    x, y, n = a, b, 0
    while n < 200 and x * x + y * y < 4.0:
        x, y = x * x - y * y + a, 2.0 * x * y + b
        n += 1
    return n


def k_means(points, centers, tolerance):
    """K means."""
    moved = tolerance + 1.0
    while moved > tolerance:
        distances = jnp.sum((points[:, None] - centers) ** 2, axis=-1)
        near = jax.nn.one_hot(jnp.argmin(distances, axis=1), centers.shape[0])
        new = near.T @ points / (jnp.sum(near, axis=0)[:, None] + 1e-9)
        moved = jnp.max(jnp.abs(new - centers))
        centers = new
    return centers


def kalman(zs, x, p, q, r):
    """Kalman."""
    for z in zs:
        p = p + q
        if jnp.isfinite(z):
            k = p / (p + r)
            x = x + k * (z - x)
            p = (1.0 - k) * p
    return x, p


def bisection(low, high):
    """Bisection."""
    while high - low > 1e-6:
        middle = 0.5 * (low + high)
        if middle * middle * middle - middle - 2.0 > 0.0:
            high = middle
        else:
            low = middle
    return low


def power_iteration(matrix, v):
    """Power iteration."""
    before, value = 0.0, jnp.linalg.norm(v)
    while abs(value - before) > 1e-3 * value:
        w = matrix @ v
        before = value
        value = jnp.linalg.norm(w)
        v = w / value
    return value


# -- by hand ---------------------------------------------------------------------------------------


def collatz_by_hand(n):
    """Collatz by hand."""
    def body(state):
        n, steps = state
        n = lax.cond(n % 2 == 0, lambda n: n // 2, lambda n: 3 * n + 1, n)
        return n, steps + 1

    return lax.while_loop(lambda state: state[0] != 1, body, (n, 0))[1]


def newton_by_hand(a):
    """Newton by hand."""
    return lax.while_loop(
        lambda x: jnp.abs(x * x - a) > 1e-6, lambda x: 0.5 * (x + a / x), a
    )


def runge_kutta_by_hand(y, times):
    """Runge kutta by hand."""
    h = times[1] - times[0]

    def step(y, t):
        k1 = jnp.sin(t) - y
        k2 = jnp.sin(t + h / 2) - (y + h / 2 * k1)
        k3 = jnp.sin(t + h / 2) - (y + h / 2 * k2)
        k4 = jnp.sin(t + h) - (y + h * k3)
        return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), None

    return lax.scan(step, y, times)[0]


def beam_search_by_hand(logits, transitions):
    """Beam search by hand."""
    def turn(state, step):
        def search(scores):
            scores = jnp.max(scores[:, None] + transitions, axis=0) + step
            return scores, jnp.max(scores) > 1000.0

        scores, stopped = state
        return lax.cond(stopped, lambda s: (s, True), search, scores), None

    (scores, _), _ = lax.scan(turn, (logits[0], False), logits[1:])
    return lax.top_k(scores, 4)[0]


def lstm_by_hand(inputs, h, c, w, u, b):
    """Lstm by hand."""
    def step(state, x):
        h, c = state
        z = x @ w + h @ u + b
        i, f, g, o = jnp.split(z, 4)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        return (jax.nn.sigmoid(o) * jnp.tanh(c), c), None

    return lax.scan(step, (h, c), inputs)[0][0]


def mandelbrot_by_hand(a, b):
    """Mandelbrot by hand."""
    def test(state):
        x, y, n = state
        return (n < 200) & (x * x + y * y < 4.0)

    def body(state):
        x, y, n = state
        return x * x - y * y + a, 2.0 * x * y + b, n + 1

    return lax.while_loop(test, body, (a, b, 0))[2]


def k_means_by_hand(points, centers, tolerance):
    """K means by hand."""
    def body(state):
        centers, _ = state
        distances = jnp.sum((points[:, None] - centers) ** 2, axis=-1)
        near = jax.nn.one_hot(jnp.argmin(distances, axis=1), centers.shape[0])
        new = near.T @ points / (jnp.sum(near, axis=0)[:, None] + 1e-9)
        return new, jnp.max(jnp.abs(new - centers))

    start = centers, tolerance + 1.0
    return lax.while_loop(lambda state: state[1] > tolerance, body, start)[0]


def kalman_by_hand(zs, x, p, q, r):
    """Kalman by hand."""
    def step(state, z):
        def update(x, p):
            k = p / (p + r)
            return x + k * (z - x), (1.0 - k) * p

        x, p = state
        p = p + q
        return lax.cond(jnp.isfinite(z), update, lambda x, p: (x, p), x, p), None

    return lax.scan(step, (x, p), zs)[0]


def bisection_by_hand(low, high):
    """Bisection by hand."""
    def body(state):
        low, high = state
        middle = 0.5 * (low + high)
        return lax.cond(
            middle * middle * middle - middle - 2.0 > 0.0,
            lambda: (low, middle), lambda: (middle, high),
        )  # fmt: skip

    return lax.while_loop(lambda state: state[1] - state[0] > 1e-6, body, (low, high))[0]


def power_iteration_by_hand(matrix, v):
    """Power iteration by hand."""
    def body(state):
        v, value, _ = state
        w = matrix @ v
        new = jnp.linalg.norm(w)
        return w / new, new, value

    start = v, jnp.linalg.norm(v), 0.0

    def test(state):
        return jnp.abs(state[1] - state[2]) > 1e-3 * state[1]

    return lax.while_loop(test, body, start)[1]


# -- measuring -------------------------------------------------------------------------------------


def programs() -> list[tuple[str, Callable[..., Any], Callable[..., Any], tuple[Any, ...]]]:
    """Each program: its name, as plain Python, by hand, and arguments."""
    keys = jax.random.split(jax.random.key(0), 4)
    normal = jax.random.normal
    matrix = normal(keys[0], (16, 16))
    gates = (normal(keys[1], (8, 64)), normal(keys[2], (16, 64)), jnp.zeros(64))
    observed = jnp.where(jnp.arange(100) % 7 == 3, jnp.nan, normal(keys[3], (100,)))
    arguments = {
        "collatz": (6171,),
        "newton": (2.0,),
        "runge_kutta": (1.0, jnp.linspace(0.0, 5.0, 1000)),
        "beam_search": (normal(keys[0], (30, 16)), matrix),
        "lstm": (normal(keys[3], (50, 8)), jnp.zeros(16), jnp.zeros(16), *gates),
        "mandelbrot": (-0.1, 0.65),
        "k_means": (normal(keys[1], (200, 2)), normal(keys[2], (5, 2)), 1e-4),
        "kalman": (observed, 0.0, 1.0, 0.01, 0.1),
        "bisection": (1.0, 2.0),
        "power_iteration": (matrix @ matrix.T, jnp.ones(16)),
    }
    return [(n, globals()[n], globals()[f"{n}_by_hand"], args) for n, args in arguments.items()]


def equations(jaxpr: Any) -> int:
    """Count the equations of a jaxpr, with those of branches, bodies and functions in it.

    Not those that nothing needs: JAX drops them before it compiles.
    """
    jaxpr, _ = partial_eval.dce_jaxpr(jaxpr, [True] * len(jaxpr.outvars))
    count = 0
    for equation in jaxpr.eqns:
        leaves = jax.tree.leaves(list(equation.params.values()), is_leaf=_is_jaxpr)
        count += 1 + sum(
            equations(getattr(leaf, "jaxpr", leaf)) for leaf in leaves if _is_jaxpr(leaf)
        )
    return count


def _is_jaxpr(value: Any) -> bool:
    return hasattr(value, "eqns")


def shortest(call: Callable[[], Any], rounds: int) -> float:
    """Return the shortest time of several calls, in seconds."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def tracing(functions: list[Callable[..., Any]], arguments: tuple[Any, ...]) -> list[float]:
    """Return the processor's times to trace functions, in turns."""
    best = [1e9] * len(functions)
    for _ in range(15):
        for k, function in enumerate(functions):
            def anew(*args: Any, function: Callable[..., Any] = function) -> Any:
                return function(*args)

            start = time.process_time()
            jax.make_jaxpr(anew)(*arguments)
            best[k] = min(best[k], time.process_time() - start)
    return best


def running(
    functions: list[Callable[..., Any]], arguments: tuple[Any, ...]
) -> list[float]:
    """Return the times of compiled calls, taken in turns."""
    calls = [jax.jit(function) for function in functions]
    for call in calls:
        jax.block_until_ready(call(*arguments))
    best = [1e9] * len(calls)
    for _ in range(15):
        for k, call in enumerate(calls):
            def several(call: Callable[..., Any] = call) -> None:
                for _ in range(20):
                    jax.block_until_ready(call(*arguments))

            best[k] = min(best[k], shortest(several, 1))
    return best


def main() -> None:
    """Print a line for each program."""
    print(f"{'program':16} equations  ratio | tracing ms  ratio | run ratio")
    for name, plain, by_hand, arguments in programs():
        converted = autograph.to_graph(plain)
        both = (converted, by_hand)
        counts = [equations(jax.make_jaxpr(one)(*arguments).jaxpr) for one in both]
        traced = tracing([*both], arguments)
        ran = running([*both], arguments)
        results = [jax.tree.leaves(jax.jit(one)(*arguments)) for one in both]
        close = all(jnp.allclose(*pair, 1e-5) for pair in zip(*results, strict=True))
        print(
            f"{name:16} {counts[0]:4} {counts[1]:4}  {counts[0] / counts[1]:5.2f} | "
            f"{traced[0] * 1e3:5.1f} {traced[1] * 1e3:5.1f} {traced[0] / traced[1]:5.2f} | "
            f"{ran[0] / ran[1]:5.2f}{'' if close else '  DIFFERS'}"
        )


if __name__ == "__main__":
    main()
