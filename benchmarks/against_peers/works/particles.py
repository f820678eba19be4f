"""N bodies with pairwise forces as an array (N, N, 3), and the Lorenz system by Runge and Kutta."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.against_peers.line import BEST_PEER, Line, Target
from benchmarks.against_peers.systems import function, jax, jit, numba, python, tensorflow
from benchmarks.against_peers.systems import torch as torch_eager

STEPS = 10


def bodies(library: Any, loop: Callable[[int], Any]) -> Callable[..., Any]:
    """Give the steps of a system of bodies by a library with TensorFlow's names."""

    def move(places, speeds):
        for _ in loop(STEPS):
            apart = places[None, :, :] - places[:, None, :]
            squares = library.reduce_sum(apart * apart, 2) + 0.01
            forces = library.reduce_sum(apart / (squares * library.sqrt(squares))[:, :, None], 1)
            speeds = speeds + 0.001 * forces
            places = places + 0.001 * speeds
        return places

    return move


def bodies_with_tensors(tf: Any) -> Callable[..., Any]:
    """Give the steps in a staged loop."""
    return bodies(tf, tf.range)


def bodies_in_numpy(places: Any, speeds: Any) -> Any:
    """Move the bodies by whole arrays."""
    for _ in range(STEPS):
        apart = places[None, :, :] - places[:, None, :]
        squares = (apart * apart).sum(2) + 0.01
        speeds = speeds + 0.001 * (apart / (squares * np.sqrt(squares))[:, :, None]).sum(1)
        places = places + 0.001 * speeds
    return places


def bodies_by_loops(places: Any, speeds: Any) -> Any:
    """Move the bodies by loops over pairs."""
    places, speeds = places.copy(), speeds.copy()
    for _ in range(STEPS):
        for i in range(places.shape[0]):
            fx = fy = fz = 0.0
            for j in range(places.shape[0]):
                dx = places[j, 0] - places[i, 0]
                dy = places[j, 1] - places[i, 1]
                dz = places[j, 2] - places[i, 2]
                square = dx * dx + dy * dy + dz * dz + 0.01
                weight = 1.0 / (square * square**0.5)
                fx += dx * weight
                fy += dy * weight
                fz += dz * weight
            speeds[i, 0] += 0.001 * fx
            speeds[i, 1] += 0.001 * fy
            speeds[i, 2] += 0.001 * fz
        for i in range(places.shape[0]):
            for k in range(3):
                places[i, k] += 0.001 * speeds[i, k]
    return places


def bodies_in_jax(jax: Any) -> Callable[..., Any]:
    """Give the steps as a loop of JAX's."""
    np = jax.numpy

    def move(places: Any, speeds: Any) -> Any:
        def step(_: Any, state: Any) -> Any:
            places, speeds = state
            apart = places[None, :, :] - places[:, None, :]
            squares = (apart * apart).sum(2) + 0.01
            speeds = speeds + 0.001 * (apart / (squares * np.sqrt(squares))[:, :, None]).sum(1)
            return places + 0.001 * speeds, speeds

        return jax.lax.fori_loop(0, STEPS, step, (places, speeds))[0]

    return move


def bodies_in_torch(torch: Any) -> Callable[..., Any]:
    """Give the steps of torch's operations, one by one."""

    def move(places: Any, speeds: Any) -> Any:
        for _ in range(STEPS):
            apart = places[None, :, :] - places[:, None, :]
            squares = (apart * apart).sum(2) + 0.01
            forces = (apart / (squares * torch.sqrt(squares))[:, :, None]).sum(1)
            speeds = speeds + 0.001 * forces
            places = places + 0.001 * speeds
        return places

    return move


def drawn_bodies(count: int) -> tuple[Any, ...]:
    """Draw places and speeds."""
    draw = np.random.default_rng(0)
    places, speeds = draw.random((count, 3)), draw.random((count, 3))
    return places.astype(np.float32), speeds.astype(np.float32)


def lorenz(steps: int) -> float:
    """Follow the Lorenz system by the classical method of Runge and Kutta."""
    x, y, z, h = 1.0, 1.0, 1.0, 0.01
    for _ in range(steps):
        ax, ay, az = 10.0 * (y - x), x * (28.0 - z) - y, x * y - 8.0 / 3.0 * z
        p, q, r = x + h / 2 * ax, y + h / 2 * ay, z + h / 2 * az
        bx, by, bz = 10.0 * (q - p), p * (28.0 - r) - q, p * q - 8.0 / 3.0 * r
        p, q, r = x + h / 2 * bx, y + h / 2 * by, z + h / 2 * bz
        cx, cy, cz = 10.0 * (q - p), p * (28.0 - r) - q, p * q - 8.0 / 3.0 * r
        p, q, r = x + h * cx, y + h * cy, z + h * cz
        dx, dy, dz = 10.0 * (q - p), p * (28.0 - r) - q, p * q - 8.0 / 3.0 * r
        x += h / 6 * (ax + 2 * bx + 2 * cx + dx)
        y += h / 6 * (ay + 2 * by + 2 * cy + dy)
        z += h / 6 * (az + 2 * bz + 2 * cz + dz)
    return x + y + z


LINES = [
    Line(
        "256 bodies, 10 steps",
        inputs=lambda: drawn_bodies(256),
        small=lambda: drawn_bodies(5),
        systems={
            "NumPy": python(bodies_in_numpy),
            "numba, by loops": numba(bodies_by_loops),
            "JAX": jax(bodies_in_jax),
            "TensorFlow": tensorflow(bodies_with_tensors),
            "torch": torch_eager(bodies_in_torch),
            "runtime.function": function(bodies_with_tensors),
            "runtime.jit": jit(bodies_in_numpy),
            "runtime.jit, by loops": jit(bodies_by_loops),
        },
        targets=(Target("runtime.function", 0.9, BEST_PEER), Target("runtime.jit", 0.9, BEST_PEER)),
        tolerance=1e-4,
    ),
    Line(
        "Lorenz system, 2,000 steps",
        inputs=lambda: (2_000,),
        small=lambda: (10,),
        systems={"Python": python(lorenz), "numba": numba(lorenz), "runtime.jit": jit(lorenz)},
        targets=(Target("runtime.jit", 0.9, BEST_PEER),),
        tolerance=1e-9,  # chaotic: an operation rounded otherwise would be seen
    ),
]
