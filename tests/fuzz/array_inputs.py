"""Random arrays to feed: of all dtypes, of sizes that fit one another, however they lie in memory.

``arguments(seed, run)`` gives the arrays of one run; the same seed has the same dtypes and static
shapes in all runs.  ``signature(seed)`` is what the graph knows of them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

import runtime as tf

DTYPES = (
    "float64", "float64", "float32", "float32", "int64", "int64", "int32", "int16", "int8",
    "uint8", "uint16", "uint32", "uint64", "bool", "bool",
)  # fmt: skip
MORE_DTYPES = (*DTYPES, "complex64", "complex128", "complex128", "float16")
WIDE = 60_000
"""From this seed on, graphs have complex numbers and halves, too."""
NARROW_DTYPES = (*MORE_DTYPES, *["float16", "bfloat16"] * 5)
NARROW = 100_000
"""From this seed on, many floats are narrow."""
ALL_DTYPES = (*MORE_DTYPES, "bfloat16", "float64", "int64")
TABLE = 2_000_000
"""From this seed on, any definition may occur (``table_maker``), and any dtype."""
SIZES = (0, 1, 1, 2, 3, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65, 130)
SHAPES = ("", "n", "n", "n", "m n", "m n", "m n", "1 n", "m 1", "n m", "k m n", "k 1 n", "1", "1 1")
LONG = 4200
"""Beyond the strips by which a fusion takes sums."""


def plan(seed: int) -> list[tuple[str, list[str]]]:
    """The dtypes and dimensions, by name, of the arguments of a seed."""
    rng = random.Random(f"plan {seed}")
    dtypes = MORE_DTYPES if seed >= WIDE else DTYPES
    dtypes = NARROW_DTYPES if seed >= NARROW else dtypes
    dtypes = ALL_DTYPES if seed >= TABLE else dtypes
    common = rng.sample(dtypes, 3)
    return [
        (rng.choice(common if rng.random() < 0.8 else dtypes), rng.choice(SHAPES).split())
        for _ in range(rng.randint(3, 7))
    ]


def sizes(seed: int, run: int) -> dict[str, int]:
    """The sizes of the dimensions in one run: those that the graph does not know change."""
    unknown = unknown_dimensions(seed)
    found = {"1": 1}
    for name in "kmn":
        rng = random.Random(f"size {seed} {name} {run if name in unknown else ''}")
        found[name] = rng.choice(SIZES[:10] if name == "k" else SIZES)
        if name == "n" and rng.random() < 0.02:
            found[name] = LONG
    return found


def unknown_dimensions(seed: int) -> str:
    """The names of the dimensions whose sizes the graph does not know."""
    return random.Random(f"unknown {seed}").choice(("", "", "n", "m", "mn", "kmn", "1n"))


def signature(seed: int) -> list[Any]:
    """What the graph knows of the arguments."""
    unknown, known = unknown_dimensions(seed), sizes(seed, 0)
    return [
        tf.TensorSpec([None if name in unknown else known[name] for name in names], dtype)
        for dtype, names in plan(seed)
    ]


def arguments(seed: int, run: int, special: bool = True) -> list[np.ndarray]:
    """The arrays of a run; some overlap, and some cannot be written to."""
    rng = random.Random(f"arguments {seed} {run}")
    known, unknown, found = sizes(seed, run), unknown_dimensions(seed), []
    for dtype, names in plan(seed):
        shape = [known[name] for name in names]
        for axis, name in enumerate(names):  # not as large as the others
            if name in unknown and rng.random() < 0.01:
                shape[axis] = rng.choice((1, known[name] + 1))
        found.append(laid_out(elements(rng, dtype, shape, special), rng))
    overlap(found, rng)
    for array in found:
        if rng.random() < 0.15:
            array.flags.writeable = False
    return found


def elements(rng: random.Random, dtype: str, shape: list[int], special: bool) -> np.ndarray:
    """Small numbers, whose sums are exact; among them special ones, if wanted."""
    draw = np.random.default_rng(rng.randrange(2**32))
    kind = tf.as_dtype(dtype).kind
    if dtype == "bfloat16":  # which NumPy does not know
        found = elements(rng, "float32", shape, special)
        return found.astype(tf.bfloat16.as_numpy_dtype)
    if kind == "c":
        part = np.zeros(0, dtype).real.dtype.name
        found = np.empty(shape, dtype)
        found.real, found.imag = (elements(rng, part, shape, special) for _ in range(2))
        return found
    if kind == "b":
        return draw.integers(0, 2, shape) > 0
    values = draw.integers(0 if kind == "u" else -8, 9, shape).astype(dtype)
    if kind == "f":
        values = (values / np.array(2, dtype)).astype(dtype)
    if not special or rng.random() < 0.6:
        return np.asarray(values)
    odd: list[Any] = [np.inf, -np.inf, np.nan, -0.0, 0.0]
    if kind != "f":
        odd = [np.iinfo(dtype).max, np.iinfo(dtype).min, 0, 1]
    chosen = np.array([odd[k] for k in draw.integers(0, len(odd), values.size)], dtype)
    return np.asarray(np.where(draw.random(shape) < 0.2, chosen.reshape(shape), values))


def laid_out(array: np.ndarray, rng: random.Random) -> np.ndarray:
    """The same elements, laid out in some way."""
    return rng.choice([array, array, *layouts(array)])[...]


def layouts(x: np.ndarray) -> Iterator[np.ndarray]:
    """The same elements in Fortran's order, with gaps, backwards, swapped, unaligned, repeated."""
    yield np.asfortranarray(x) if x.ndim else x.copy()
    if x.dtype.isbuiltin == 1:
        yield x.astype(x.dtype.newbyteorder(">"))
    odd = np.empty(x.nbytes + 1, np.uint8)[1:].view(x.dtype).reshape(x.shape)
    odd[...] = x
    yield odd
    for axis in range(x.ndim):
        gaps = np.repeat(x, 2, axis)
        index: list[slice] = [slice(None)] * x.ndim
        index[axis] = slice(None, None, 2)
        yield gaps[tuple(index)]
        yield np.flip(np.flip(x, axis).copy(), axis)
        if x.shape[axis] > 0 and axis == x.ndim - 1:
            yield np.broadcast_to(x.take([0], axis), x.shape)


def overlap(arrays: list[np.ndarray], rng: random.Random) -> None:
    """Let two arrays of one dtype be parts of one buffer, at times."""
    pairs = [
        (i, j) for i, one in enumerate(arrays) for j, other in enumerate(arrays[:i])
        if one.dtype == other.dtype and one.size and other.size
    ]  # fmt: skip
    if not pairs or rng.random() < 0.7:
        return
    i, j = rng.choice(pairs)
    one, other = arrays[i], arrays[j]
    buffer = np.resize(np.concatenate([one.ravel(), other.ravel()]), one.size + other.size + 1)
    arrays[i] = buffer[: one.size].reshape(one.shape)
    arrays[j] = buffer[1 : 1 + other.size].reshape(other.shape)
