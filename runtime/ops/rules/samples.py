"""Sample inputs: the table-wide tests draw from them, and they show an op at work.

A definition says ``samples=floats`` or ``samples=lambda: [case(x, y, axis=0), ...]``.  Samples are
made on demand: importing the table makes none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.named_tuples import NamedTuple
from runtime.types.conversion import to_array
from runtime.types.dtypes import Array


class OpSample(NamedTuple):
    """One application of an op: its input arrays and its attributes."""

    inputs: tuple[Any, ...]
    attrs: dict[str, Any]


Samples = Callable[[], list[OpSample]]


def case(*inputs: Any, **attrs: Any) -> OpSample:
    """A case; lists become arrays as ``runtime.constant`` would make them."""
    return OpSample(tuple(x if isinstance(x, np.ndarray) else array(x) for x in inputs), attrs)


def array(value: Any, dtype: Any = None) -> Array:
    """Python values as an array: ints int32, floats float32, text bytes."""
    return to_array(value) if dtype is None else np.array(value, dtype)


def spread(low: float, high: float, *shape: int, dtype: Any = np.float32) -> Array:
    """Numbers from ``low`` to ``high``, far from evenly spaced, in the given shape."""
    size = int(np.prod(shape))
    steps = (np.arange(size) * 7 % max(size, 1) + 0.37) / max(size, 1)
    return (low + (high - low) * steps).reshape(shape).astype(dtype)


def unary(low: float, high: float, *extra: Any) -> Samples:
    """One float input with values between ``low`` and ``high``; single values of ``extra`` too."""

    def make() -> list[OpSample]:
        cases = [case(spread(low, high, *s)) for s in ((), (5,), (2, 3), (0, 2))]
        cases.append(case(spread(low, high, 3, dtype=np.float64)))
        return cases + [case(array(value)) for value in extra]

    return make


def floats() -> list[OpSample]:
    """One float input, of several ranks, with the special values."""
    special = array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0])
    return [*unary(-3, 3)(), case(special)]


def numbers() -> list[OpSample]:
    """One input, floating or integer."""
    return [*floats(), *integers()]


def integers() -> list[OpSample]:
    """One integer input."""
    return [case(array([[3, -1, 0], [7, 2, -5]])), case(array(4)), case(np.array([1, -9]))]


def booleans() -> list[OpSample]:
    """One boolean input."""
    return [case(np.array([[True, False], [True, True]])), case(np.array(False))]


def float_pairs() -> list[OpSample]:
    """Two float inputs that broadcast; the second is never zero."""
    return [
        case(spread(-3, 3, 2, 3), spread(0.5, 2, 3)),
        case(spread(-3, 3, 2, 1), spread(-2, -1, 4)),
        case(spread(-3, 3), spread(1, 2)),
        case(spread(-3, 3, 3, dtype=np.float64), spread(1, 2, dtype=np.float64)),
        case(spread(-3, 3, 0, 3), spread(1, 2, 1, 3)),
    ]


def integer_pairs() -> list[OpSample]:
    """Two integer inputs that broadcast; the second is positive."""
    return [
        case([[7, -7, 0], [5, 3, -2]], [2, 3, 4]),
        case(9, 4),
        case(np.array([-(2**40), 2**40]), np.array([3, 3])),
    ]


def number_pairs() -> list[OpSample]:
    """Two inputs, floating or integer, that broadcast."""
    return [*float_pairs(), *integer_pairs()]


def boolean_pairs() -> list[OpSample]:
    """Two boolean inputs that broadcast."""
    return [
        case(np.array([[True], [False]]), np.array([True, False])),
        case(np.array(True), np.array(False)),
    ]
