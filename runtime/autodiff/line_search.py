"""Search along a line for a step that satisfies Wolfe's conditions, for a batch of functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.named_tuples import NamedTuple
from runtime.control_flow.while_loop import while_loop
from runtime.ops.array.constants import cast
from runtime.ops.array.creation import fill, ones_like, zeros_like
from runtime.ops.array.shape import expand_dims
from runtime.ops.array.where import where
from runtime.ops.math.clipping import clip_by_value
from runtime.ops.math.elementwise import is_finite
from runtime.ops.math.logical import logical_and, logical_not, logical_or
from runtime.ops.math.reduction import reduce_any, reduce_sum

_DECREASE, _CURVATURE = 1e-4, 0.9


class Step(NamedTuple):
    """Step that was found: its size, the position, value and gradient there, and what it cost."""

    size: Any
    succeeded: Any
    position: Any
    value: Any
    gradient: Any
    evaluations: Any


class _Search(NamedTuple):
    """State: brackets with value and slope at the lower end and value at the upper, next size."""

    low: Any
    low_value: Any
    low_slope: Any
    high: Any
    high_value: Any
    bounded: Any
    active: Any
    turn: Any
    step: Any


def dot(x: Any, y: Any) -> Any:
    """Return the products of vectors, which lie along the last axis."""
    return reduce_sum(x * y, axis=-1)


def select_vectors(flags: Any, yes: Any, no: Any) -> Any:
    """Return vectors of one tensor where flags hold, of another one elsewhere."""
    return where(expand_dims(flags, -1), yes, no)


def wolfe_step(
    function: Callable[[Any], Any], position: Any, value: Any, slope: Any, direction: Any,
    first: Any, active: Any, turns: int,
) -> Step:  # fmt: skip
    """Find steps along directions by which functions decrease enough, and flatten.

    A bracket is narrowed by parabolas, kept away from its ends; where it has no upper end yet, the
    step is doubled.  Source: Lewis and Overton, Nonsmooth optimization via quasi-Newton methods,
    2013, algorithm 2.6.

    Args:
        function: function of positions that returns values and gradients.
        position: tensor of shape ``[..., n]``.
        value: values there, of shape ``[...]``.
        slope: products of gradients and directions, of shape ``[...]``.
        direction: tensor of shape ``[..., n]``.
        first: size that is tried first, of shape ``[...]``.
        active: bool, of shape ``[...]``: which steps are looked for.
        turns: greatest number of evaluations.
    """
    zero = zeros_like(value)
    nothing = Step(zero, zeros_like(active), position, value, direction, fill([], cast(0, "int32")))
    start = _Search(
        zero, value, slope, zero, value, zeros_like(active), active, nothing.evaluations,
        nothing._replace(size=first),
    )  # fmt: skip

    def turn(*flat: Any) -> _Search:
        now = _Search(*flat)
        size = now.step.size
        place = position + expand_dims(size, -1) * direction
        new_value, gradient = function(place)
        along = dot(gradient, direction)
        fits = logical_and(is_finite(new_value), new_value <= value + _DECREASE * size * slope)
        flat_enough = along >= _CURVATURE * slope
        done = logical_and(now.active, logical_and(fits, flat_enough))
        too_far = logical_and(now.active, logical_not(fits))
        too_near = logical_and(now.active, logical_and(fits, logical_not(flat_enough)))
        low = where(too_near, size, now.low)
        low_value = where(too_near, new_value, now.low_value)
        low_slope = where(too_near, along, now.low_slope)
        high, high_value = where(too_far, size, now.high), where(too_far, new_value, now.high_value)
        bounded = logical_or(now.bounded, too_far)
        inside = _within(low, low_value, low_slope, high, high_value)
        following = where(bounded, inside, 2.0 * size)
        unfinished = logical_and(now.active, logical_not(done))
        took = logical_or(done, too_near)  # the best so far, should none be found
        step = Step(
            where(unfinished, following, size), logical_or(now.step.succeeded, took),
            select_vectors(took, place, now.step.position), where(took, new_value, now.step.value),
            select_vectors(took, gradient, now.step.gradient), now.step.evaluations + 1,
        )  # fmt: skip
        return _Search(
            low, low_value, low_slope, high, high_value, bounded, unfinished, now.turn + 1, step
        )

    def goes_on(*flat: Any) -> Any:
        return logical_and(reduce_any(_Search(*flat).active), _Search(*flat).turn < turns)

    return Step(*_Search(*while_loop(goes_on, turn, start)).step)


def _within(low: Any, low_value: Any, low_slope: Any, high: Any, high_value: Any) -> Any:
    """Return the least point of the parabola through both ends, in the inner part of a bracket."""
    width = high - low
    bend = high_value - low_value - low_slope * width
    usable = logical_and(is_finite(bend), bend > 0.0)
    least = -0.5 * low_slope * width / where(usable, bend, ones_like(bend))
    share = where(usable, least, 0.5 * ones_like(bend))
    return low + width * clip_by_value(share, 0.1, 0.9)
