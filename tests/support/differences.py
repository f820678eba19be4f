"""Derivatives by recording and going back, in the fewest lines, and by differences.

What sweep tests compare rows with: it needs nothing of the runtime but the rows themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import runtime as tf
from runtime.ops import dispatch
from runtime.ops.gradients.dynamic_shapes import summed_to
from runtime.ops.op import ELEMENTWISE, OpDef

STEP = 1e-5


class Record:
    """A watcher that writes down every op."""

    def __init__(self) -> None:
        self.lines: list[tuple[OpDef, Sequence[Any], dict[str, Any], tuple[Any, ...]]] = []

    def record(self, op: OpDef, inputs: Sequence[Any], attrs: dict[str, Any], outputs: Any) -> None:
        """Take note of one op."""
        several = outputs if isinstance(outputs, tuple) else (outputs,)
        self.lines.append((op, inputs, attrs, several))


def is_smooth(tensor: Any) -> bool:
    """Whether a tensor holds numbers that have derivatives."""
    return bool(tensor.dtype.is_floating or tensor.dtype.is_complex)


def backward(
    record: Record, outputs: Sequence[Any], seeds: Sequence[Any], sources: Sequence[Any]
) -> list[Any]:
    """The gradients of the sum of ``seeds * outputs``; zeros where there is no path."""
    found: dict[int, Any] = {}

    def add(tensor: Any, gradient: Any) -> None:
        before = found.get(id(tensor))
        found[id(tensor)] = gradient if before is None else before + gradient

    varied = {id(s) for s in sources}
    for _, inputs, _, results in record.lines:
        if any(id(x) in varied for x in inputs):
            varied.update(map(id, results))
    for output, seed in zip(outputs, seeds, strict=True):
        add(output, seed)
    for op, inputs, attrs, results in reversed(list(record.lines)):
        here = [found.get(id(r)) for r in results]
        if all(g is None for g in here) or op.grad is None:
            continue
        assert callable(op.grad), f"{op.name} has no derivative"
        filled = [tf.zeros_like(r) if g is None else g for r, g in zip(results, here)]
        entries = op.grad(*inputs, *results, *filled, **attrs)
        assert isinstance(entries, tuple) and len(entries) == len(inputs), op.name
        for x, entry in zip(inputs, entries, strict=True):
            if entry is None or not is_smooth(x) or id(x) not in varied:
                continue
            if callable(entry):
                entry = entry()
            if ELEMENTWISE in op.traits:
                entry = summed_to(entry, x)
            assert entry.dtype is x.dtype, f"{op.name}: {entry.dtype} for {x.dtype}"
            assert entry.shape == x.shape, f"{op.name}: {entry.shape} for {x.shape}"
            add(x, entry)
    return [tf.zeros_like(s) if id(s) not in found else found[id(s)] for s in sources]


def gradient(function: Callable[..., Sequence[Any]], seeds: Any, *sources: Any) -> list[Any]:
    """The gradients of the sum of ``seeds * function(*sources)``, themselves made of ops."""
    record = Record()
    with dispatch.listening(record):
        outputs = function(*sources)
    return backward(record, outputs, seeds, sources)


def inner(left: Any, right: Any) -> float:
    """The real inner product of two lists of arrays, of complex numbers as pairs of reals."""
    pairs = zip(left, right, strict=True)
    return float(sum(np.sum((np.conj(np.asarray(a)) * np.asarray(b)).real) for a, b in pairs))


def slope(function: Callable[..., float], points: list[Any], along: list[Any]) -> float:
    """The central difference of a function of arrays in a direction."""
    with np.errstate(all="ignore"):
        ahead = function(*[p + STEP * v for p, v in zip(points, along, strict=True)])
        behind = function(*[p - STEP * v for p, v in zip(points, along, strict=True)])
    return (ahead - behind) / (2 * STEP)


def differences(function: Callable[..., Any], args: Any) -> list[Any]:
    """The derivatives of the sum of a function's result, by central differences."""
    step = 1e-6
    points = [np.array(x, np.float64) for x in args]

    def total() -> float:
        result = function(*[tf.constant(p.copy()) for p in points])
        return float(sum(np.sum(np.asarray(leaf)) for leaf in tf.nest.flatten(result)))

    slopes = []
    for point in points:
        slope = np.zeros_like(point)
        for index in np.ndindex(point.shape):
            before = point[index]
            point[index] = before + step
            ahead = total()
            point[index] = before - step
            slope[index] = (ahead - total()) / (2 * step)
            point[index] = before
        slopes.append(slope)
    return slopes
