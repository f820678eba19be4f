"""Kalman filter, k-means, beam search and option prices."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.against_peers.line import BEST_PEER, Line, Target
from benchmarks.against_peers.systems import function, jax, jit, numba, python, tensorflow
from benchmarks.against_peers.systems import torch as torch_eager

ROUNDS = 10
BEAMS = 8


def kalman_in_numpy(seen: Any, move: Any, noise: Any) -> Any:
    """Follow places and speeds in the plane; also numba's program."""
    state, spread = np.zeros((4, 1)), np.eye(4)
    look = np.eye(4)[:2].copy()
    back, onward = look.T.copy(), move.T.copy()
    for t in range(seen.shape[0]):
        state = move @ state
        spread = move @ spread @ onward + noise
        gain = spread @ back @ np.linalg.inv(look @ spread @ back + 0.1 * np.eye(2))
        state = state + gain @ (seen[t].copy().reshape(2, 1) - look @ state)
        spread = spread - gain @ look @ spread
    return state


def kalman_with_tensors(tf: Any) -> Callable[..., Any]:
    """Give the filter as a staged loop."""

    def follow(seen, move, noise):
        state, spread = tf.zeros([4, 1], tf.float64), tf.eye(4, dtype=tf.float64)
        look = tf.eye(2, 4, dtype=tf.float64)
        error = 0.1 * tf.eye(2, dtype=tf.float64)
        for place in seen:
            state = tf.matmul(move, state)
            spread = tf.matmul(tf.matmul(move, spread), move, transpose_b=True) + noise
            across = tf.matmul(spread, look, transpose_b=True)
            gain = tf.matmul(across, tf.linalg.inv(tf.matmul(look, across) + error))
            state = state + tf.matmul(gain, tf.reshape(place, [2, 1]) - tf.matmul(look, state))
            spread = spread - tf.matmul(tf.matmul(gain, look), spread)
        return state

    return follow


def kalman_in_jax(jax: Any) -> Callable[..., Any]:
    """Give the filter as a scan."""
    np = jax.numpy

    def follow(seen: Any, move: Any, noise: Any) -> Any:
        look = np.eye(2, 4)

        def step(state: Any, place: Any) -> Any:
            x, spread = state
            x = move @ x
            spread = move @ spread @ move.T + noise
            gain = spread @ look.T @ np.linalg.inv(look @ spread @ look.T + 0.1 * np.eye(2))
            x = x + gain @ (place.reshape(2, 1) - look @ x)
            return (x, spread - gain @ look @ spread), None

        return jax.lax.scan(step, (np.zeros((4, 1)), np.eye(4)), seen)[0][0]

    return follow


def kalman_inputs(steps: int) -> tuple[Any, ...]:
    """Draw a walk in the plane, seen with errors."""
    draw = np.random.default_rng(0)
    move = np.eye(4) + 0.1 * np.eye(4, k=2)
    return np.cumsum(draw.normal(0, 1, (steps, 2)), 0), move, 0.01 * np.eye(4)


def means_in_numpy(points: Any, centres: Any) -> Any:
    """Move centres to the means of the points next to them."""
    for _ in range(ROUNDS):
        apart = (centres * centres).sum(1) - 2 * points @ centres.T
        nearest = (apart.argmin(1)[:, None] == np.arange(len(centres))).astype(points.dtype)
        centres = nearest.T @ points / nearest.sum(0)[:, None]
    return centres


def means_with_tensors(tf: Any) -> Callable[..., Any]:
    """Give the rounds as a staged loop."""

    def move(points, centres):
        for _ in tf.range(ROUNDS):
            products = tf.matmul(points, centres, transpose_b=True)
            apart = tf.reduce_sum(centres * centres, 1) - 2.0 * products
            nearest = tf.one_hot(tf.argmin(apart, 1), centres.shape[0])
            sums = tf.matmul(nearest, points, transpose_a=True)
            centres = sums / tf.reduce_sum(nearest, 0)[:, None]
        return centres

    return move


def means_in_jax(jax: Any) -> Callable[..., Any]:
    """Give the rounds as a loop of JAX's."""

    def move(points: Any, centres: Any) -> Any:
        def one_round(_: Any, centres: Any) -> Any:
            apart = (centres * centres).sum(1) - 2 * points @ centres.T
            nearest = jax.nn.one_hot(apart.argmin(1), len(centres), dtype=points.dtype)
            return nearest.T @ points / nearest.sum(0)[:, None]

        return jax.lax.fori_loop(0, ROUNDS, one_round, centres)

    return move


def means_in_torch(torch: Any) -> Callable[..., Any]:
    """Give the rounds of torch's operations, one by one."""

    def move(points: Any, centres: Any) -> Any:
        for _ in range(ROUNDS):
            apart = (centres * centres).sum(1) - 2 * points @ centres.T
            nearest = torch.nn.functional.one_hot(apart.argmin(1), len(centres)).to(points.dtype)
            centres = nearest.T @ points / nearest.sum(0)[:, None]
        return centres

    return move


def means_inputs(count: int, width: int, groups: int) -> tuple[Any, ...]:
    """Draw points around centres, and start near these."""
    draw = np.random.default_rng(0)
    centres = draw.normal(0, 5, (groups, width)).astype(np.float32)
    points = centres[np.arange(count) % groups] + draw.normal(0, 1, (count, width))
    return points.astype(np.float32), centres + np.float32(0.5)


def beams_with_tensors(tf: Any) -> Callable[..., Any]:
    """Give the scores of the best paths through a table of steps."""

    def search(scores, steps):
        words = scores.shape[0]
        best, last = tf.math.top_k(scores[0], BEAMS)
        for _ in tf.range(steps):
            candidates = tf.reshape(best[:, None] + tf.gather(scores, last), [BEAMS * words])
            best, places = tf.math.top_k(candidates, BEAMS)
            last = places % words
        return best

    return search


def beams_in_jax(jax: Any) -> Callable[..., Any]:
    """Give the search as a loop of JAX's."""

    def search(scores: Any, steps: Any) -> Any:
        def step(_: Any, state: Any) -> Any:
            best, last = state
            best, places = jax.lax.top_k((best[:, None] + scores[last]).reshape(-1), BEAMS)
            return best, places % scores.shape[0]

        start = tuple(jax.lax.top_k(scores[0], BEAMS))
        return jax.lax.fori_loop(0, steps, step, start)[0]

    return search


def beams_in_torch(torch: Any) -> Callable[..., Any]:
    """Give the search of torch's operations, one by one."""

    def search(scores: Any, steps: Any) -> Any:
        best, last = torch.topk(scores[0], BEAMS)
        for _ in range(int(steps)):
            best, places = torch.topk((best[:, None] + scores[last]).reshape(-1), BEAMS)
            last = places % scores.shape[0]
        return best

    return search


def beam_inputs(words: int, steps: int) -> tuple[Any, ...]:
    """Draw the scores of each word after each."""
    draw = np.random.default_rng(0)
    return draw.normal(0, 1, (words, words)).astype(np.float32), np.int32(steps)


def prices(log: Any, sqrt: Any, exp: Any, erf: Any) -> Callable[..., Any]:
    """Give the formula of Black and Scholes for calls, by these functions."""

    def price(spot, strike, years):
        spread = 0.2 * sqrt(years)
        near = log(spot / strike) / spread + (0.03 / 0.04 + 0.5) * spread
        far = near - spread
        paid = strike * exp(-0.03 * years)
        return spot * (0.5 + 0.5 * erf(near * 0.7071068)) - paid * (
            0.5 + 0.5 * erf(far * 0.7071068)
        )

    return price


def prices_with_tensors(tf: Any) -> Callable[..., Any]:
    """Give the formula by TensorFlow's names."""
    return prices(tf.math.log, tf.sqrt, tf.exp, tf.math.erf)


def prices_in_jax(jax: Any) -> Callable[..., Any]:
    """Give the formula by JAX."""
    return prices(jax.numpy.log, jax.numpy.sqrt, jax.numpy.exp, jax.lax.erf)


def prices_in_torch(torch: Any) -> Callable[..., Any]:
    """Give the formula by torch."""
    return prices(torch.log, torch.sqrt, torch.exp, torch.erf)


def prices_by_loop(spot: Any, strike: Any, years: Any) -> Any:
    """Compute price by price."""
    result = np.empty_like(spot)
    for i in range(len(spot)):
        spread = 0.2 * math.sqrt(years[i])
        near = math.log(spot[i] / strike[i]) / spread + (0.03 / 0.04 + 0.5) * spread
        far = near - spread
        paid = strike[i] * math.exp(-0.03 * years[i])
        first = spot[i] * (0.5 + 0.5 * math.erf(near * 0.7071068))
        result[i] = first - paid * (0.5 + 0.5 * math.erf(far * 0.7071068))
    return result


def options(count: int) -> tuple[Any, ...]:
    """Draw prices of shares, prices to pay, and years."""
    draw = np.random.default_rng(0)
    spot, strike, years = 1 + draw.random((3, count))
    return spot.astype(np.float32), strike.astype(np.float32), years.astype(np.float32)


TARGETS = (Target("runtime.function", 0.9, BEST_PEER),)
LINES = [
    Line(
        "Kalman filter, 1,000 steps of 4 states",
        inputs=lambda: kalman_inputs(1_000),
        small=lambda: kalman_inputs(3),
        systems={
            "NumPy": python(kalman_in_numpy),
            "numba": numba(kalman_in_numpy),
            "JAX": jax(kalman_in_jax, wide=True),
            "TensorFlow": tensorflow(kalman_with_tensors),
            "runtime.function": function(kalman_with_tensors),
            "runtime.jit": jit(kalman_in_numpy),
        },
        targets=TARGETS,
        tolerance=1e-8,
    ),
    Line(
        "k-means, 10 rounds, 5,000 points of 8 numbers, 16 groups",
        inputs=lambda: means_inputs(5_000, 8, 16),
        small=lambda: means_inputs(60, 3, 4),
        systems={
            "NumPy": python(means_in_numpy),
            "JAX": jax(means_in_jax),
            "TensorFlow": tensorflow(means_with_tensors),
            "torch": torch_eager(means_in_torch),
            "runtime.function": function(means_with_tensors),
            "runtime.jit": jit(means_in_numpy),
        },
        targets=TARGETS,
        tolerance=1e-3,
    ),
    Line(
        "beam search, 50 steps, 8 beams, 1,000 words",
        inputs=lambda: beam_inputs(1_000, 50),
        small=lambda: beam_inputs(10, 3),
        systems={
            "JAX": jax(beams_in_jax),
            "TensorFlow": tensorflow(beams_with_tensors),
            "torch": torch_eager(beams_in_torch),
            "runtime.function": function(beams_with_tensors),
        },
        targets=TARGETS,
        tolerance=1e-5,
    ),
    Line(
        "option prices of Black and Scholes, 1,000,000",
        inputs=lambda: options(1_000_000),
        small=lambda: options(10),
        systems={
            "JAX": jax(prices_in_jax),
            "TensorFlow": tensorflow(prices_with_tensors),
            "torch": torch_eager(prices_in_torch),
            "numba, by loop": numba(prices_by_loop),
            "runtime.function": function(prices_with_tensors),
            "runtime.jit, by loop": jit(prices_by_loop),
        },
        targets=TARGETS,
        tolerance=1e-4,
    ),
]
