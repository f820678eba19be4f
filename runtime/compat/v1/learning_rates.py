"""Learning rates that fall with the step, with TensorFlow 1's names.

In a graph, and in a function, each is a tensor; eagerly it is a function without arguments, which
computes the rate of the step as it is then.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from runtime.graph.trace import current_graph
from runtime.keras.optimizers import schedules
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.where import where
from runtime.ops.math.elementary import cos, exp
from runtime.ops.math.elementwise import floor, minimum
from runtime.types.dtypes import int64

__all__ = [
    "cosine_decay", "exponential_decay", "inverse_time_decay", "natural_exp_decay",
    "piecewise_constant", "piecewise_constant_decay", "polynomial_decay",
]  # fmt: skip


def _now_or_later(rate: Callable[[], Any]) -> Any:
    return rate if current_graph() is None else rate()


def _check_step(step: Any, name: str) -> None:
    if step is None:
        raise ValueError(f"global_step is required for {name}.")


def exponential_decay(
    learning_rate: Any, global_step: Any, decay_steps: Any, decay_rate: Any,
    staircase: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """Compute ``learning_rate * decay_rate ** (global_step / decay_steps)``.

    Args:
        learning_rate: float scalar, the rate at step 0.
        global_step: integer scalar.
        decay_steps: number of steps.
        decay_rate: factor for that many steps.
        staircase: whether the exponent is rounded down.
    Returns:
        Scalar of the dtype of ``learning_rate``; eagerly a function that returns it.
    Raises:
        ValueError: ``global_step`` is None.
    """
    _check_step(global_step, "exponential_decay")
    rate = schedules.ExponentialDecay(learning_rate, decay_steps, decay_rate, staircase)
    return _now_or_later(lambda: rate(global_step))


def natural_exp_decay(
    learning_rate: Any, global_step: Any, decay_steps: Any, decay_rate: Any,
    staircase: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """Compute ``learning_rate * exp(-decay_rate * global_step / decay_steps)``.

    Args:
        learning_rate: float scalar, the rate at step 0.
        global_step: integer scalar.
        decay_steps: number of steps.
        decay_rate: exponent for that many steps.
        staircase: whether the quotient is rounded down.
    Returns:
        Scalar of the dtype of ``learning_rate``; eagerly a function that returns it.
    Raises:
        ValueError: ``global_step`` is None.
    """
    _check_step(global_step, "natural_exp_decay")

    def rate() -> Any:
        first = convert_to_tensor(learning_rate)
        turns = cast(global_step, first.dtype) / cast(decay_steps, first.dtype)
        turns = floor(turns) if staircase else turns
        return first * exp(-cast(decay_rate, first.dtype) * turns)

    return _now_or_later(rate)


def inverse_time_decay(
    learning_rate: Any, global_step: Any, decay_steps: Any, decay_rate: Any,
    staircase: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """Compute ``learning_rate / (1 + decay_rate * global_step / decay_steps)``.

    Args:
        learning_rate: float scalar, the rate at step 0.
        global_step: integer scalar.
        decay_steps: number of steps.
        decay_rate: what is added to the divisor in that many steps.
        staircase: whether the quotient is rounded down.
    Returns:
        Scalar of the dtype of ``learning_rate``; eagerly a function that returns it.
    Raises:
        ValueError: ``global_step`` is None.
    """
    _check_step(global_step, "inverse_time_decay")
    rate = schedules.InverseTimeDecay(learning_rate, decay_steps, decay_rate, staircase)
    return _now_or_later(lambda: rate(global_step))


def polynomial_decay(
    learning_rate: Any, global_step: Any, decay_steps: Any, end_learning_rate: Any = 0.0001,
    power: Any = 1.0, cycle: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """Go from one rate to another along a power of the part of the steps that are left.

    Args:
        learning_rate: float scalar, the rate at step 0.
        global_step: integer scalar.
        decay_steps: number of steps.
        end_learning_rate: rate after that many steps.
        power: exponent.
        cycle: whether the steps begin anew, with as many more, when they are over.
    Returns:
        Scalar of the dtype of ``learning_rate``; eagerly a function that returns it.
    Raises:
        ValueError: ``global_step`` is None.
    """
    _check_step(global_step, "polynomial_decay")
    rate = schedules.PolynomialDecay(learning_rate, decay_steps, end_learning_rate, power, cycle)
    return _now_or_later(lambda: rate(global_step))


def cosine_decay(
    learning_rate: Any, global_step: Any, decay_steps: Any, alpha: Any = 0.0,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Go from a rate to a share of it along half a cosine.

    Args:
        learning_rate: float scalar, the rate at step 0.
        global_step: integer scalar.
        decay_steps: number of steps.
        alpha: share of the rate after that many steps.
    Returns:
        Scalar of the dtype of ``learning_rate``; eagerly a function that returns it.
    Raises:
        ValueError: ``global_step`` is None.
    """
    _check_step(global_step, "cosine_decay")

    def rate() -> Any:
        first = convert_to_tensor(learning_rate)
        steps = cast(decay_steps, first.dtype)
        share = minimum(cast(global_step, first.dtype), steps) / steps
        return first * ((1.0 - alpha) * 0.5 * (1.0 + cos(math.pi * share)) + alpha)

    return _now_or_later(rate)


def piecewise_constant(
    x: Any, boundaries: Sequence[Any], values: Sequence[Any], name: str | None = None
) -> Any:
    """Choose a value by the interval that a step is in.

    Args:
        x: scalar, such as the global step.
        boundaries: increasing numbers; a boundary belongs to the interval before it.
        values: floats, one more than boundaries.
    Returns:
        Scalar of the values' dtype; eagerly a function that returns it.
    Raises:
        ValueError: the number of values is another, or a boundary does not fit the dtype of ``x``.
    """
    if len(boundaries) != len(values) - 1:
        raise ValueError("The length of boundaries should be 1 less than the length of values")
    is_integer = getattr(x, "dtype", int64).is_integer
    for boundary in boundaries:
        if is_integer and isinstance(boundary, float) and boundary != int(boundary):
            raise ValueError(f"Boundaries ({boundary}) must have the same dtype as x ({x.dtype}).")

    def choose() -> Any:
        step = convert_to_tensor(x)
        chosen = convert_to_tensor(values[0])
        for boundary, value in zip(boundaries, values[1:], strict=True):
            chosen = where(step > cast(boundary, step.dtype), cast(value, chosen.dtype), chosen)
        return chosen

    return _now_or_later(choose)


piecewise_constant_decay = piecewise_constant
