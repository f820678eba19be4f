"""Minimization of functions of vectors by the limited-memory BFGS method."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.named_tuples import NamedTuple
from runtime.autodiff.line_search import dot, select_vectors, wolfe_step
from runtime.autodiff.tape import GradientTape
from runtime.control_flow.while_loop import while_loop
from runtime.ops.array.concat_split import concat
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.creation import fill, ones_like, zeros, zeros_like
from runtime.ops.array.shape import expand_dims, shape
from runtime.ops.array.where import where
from runtime.ops.math.elementwise import abs, is_finite, maximum, minimum, sqrt
from runtime.ops.math.logical import logical_and, logical_not, logical_or
from runtime.ops.math.reduction import reduce_all, reduce_any, reduce_max
from runtime.staging.conversion import converted_in_turn
from runtime.types.dtypes import int32

__all__ = [
    "LBfgsOptimizerResults", "converged_all", "converged_any", "lbfgs_minimize",
    "value_and_gradient",
]  # fmt: skip


class LBfgsOptimizerResults(NamedTuple):
    """What ``lbfgs_minimize`` found.

    converged                  bool: whether a tolerance was reached; of shape ``[...]``
    failed                     bool: whether no step was found, or a value is not finite
    num_iterations             int32 scalar
    num_objective_evaluations  int32 scalar
    position                   where the least values are, of shape ``[..., n]``
    objective_value            the values there
    objective_gradient         the gradients there
    position_deltas            last steps, of shape ``[m, ..., n]``, the newest last
    gradient_deltas            changes of the gradient in these steps
    """

    converged: Any
    failed: Any
    num_iterations: Any
    num_objective_evaluations: Any
    position: Any
    objective_value: Any
    objective_gradient: Any
    position_deltas: Any
    gradient_deltas: Any


def value_and_gradient(f: Callable[[Any], Any], x: Any) -> tuple[Any, Any]:
    """Compute a function and its gradient, for ``lbfgs_minimize``.

    Args:
        f: function of a tensor of shape ``[..., n]`` that returns one of shape ``[...]``.
        x: tensor of floats.
    Returns:
        Pair of the values, and of the gradient of their sum, of the shape of ``x``.
    """
    x = convert_to_tensor(x)
    with GradientTape() as tape:
        tape.watch(x)
        value = converted_in_turn(f)(x)
    return value, tape.gradient(value, x)


def converged_all(converged: Any, failed: Any) -> Any:
    """Return whether each member of a batch has converged or failed.

    Args:
        converged: bool tensor.
        failed: bool tensor of the same shape.
    Returns:
        Scalar bool tensor.
    """
    return reduce_all(logical_or(converged, failed))


def converged_any(converged: Any, failed: Any) -> Any:
    """Return whether a member of a batch has converged, or all have failed.

    Args:
        converged: bool tensor.
        failed: bool tensor of the same shape.
    Returns:
        Scalar bool tensor.
    """
    return logical_or(reduce_any(converged), reduce_all(failed))


def lbfgs_minimize(
    value_and_gradients_function: Callable[[Any], Any], initial_position: Any,
    previous_optimizer_results: LBfgsOptimizerResults | None = None,
    num_correction_pairs: int = 10, tolerance: float = 1e-8, x_tolerance: float = 0,
    f_relative_tolerance: float = 0, initial_inverse_hessian_estimate: Any = None,
    max_iterations: int = 50, parallel_iterations: int = 1,
    stopping_condition: Callable[[Any, Any], Any] | None = None,
    max_line_search_iterations: int = 50, f_absolute_tolerance: float = 0,
    name: str | None = None,
) -> LBfgsOptimizerResults:  # fmt: skip
    """Search for the least value of a function by the limited-memory BFGS method.

    Eagerly, and in a graph as one loop.  Source: Nocedal and Wright, Numerical Optimization, 2006,
    algorithm 7.4.

    Args:
        value_and_gradients_function: function of a tensor of shape ``[..., n]`` that returns values
            of shape ``[...]`` and gradients of shape ``[..., n]``; see ``value_and_gradient``.
        initial_position: floats of shape ``[..., n]``, where searches begin; each member of the
            batch is searched on its own.
        previous_optimizer_results: results to go on from, instead of ``initial_position``.
        num_correction_pairs: number of steps that directions are computed from.
        tolerance: bound of the greatest element of a gradient.
        x_tolerance: bound of the greatest element of a step.
        f_relative_tolerance: bound of the change of a value, divided by the value.
        initial_inverse_hessian_estimate: must be None.
        max_iterations: greatest number of steps.
        parallel_iterations: without effect.
        stopping_condition: function of ``converged`` and ``failed``; ``converged_all`` by default.
        max_line_search_iterations: greatest number of evaluations for one step.
        f_absolute_tolerance: bound of the change of a value.
        name: without effect.
    Returns:
        LBfgsOptimizerResults.
    Raises:
        NotImplementedError: ``initial_inverse_hessian_estimate`` is given.
        ValueError: both a position and results are given, or none of them.
    """
    if initial_inverse_hessian_estimate is not None:
        raise NotImplementedError("Support of initial_inverse_hessian_estimate is not implemented")
    if (initial_position is None) == (previous_optimizer_results is None):
        raise ValueError("give `initial_position`, or `previous_optimizer_results`")
    function = converted_in_turn(value_and_gradients_function)
    stop = converted_in_turn(stopping_condition or converged_all)
    start = previous_optimizer_results
    if start is None:
        start = _start(function, initial_position, num_correction_pairs, tolerance)
    bounds = tolerance, x_tolerance, f_relative_tolerance, f_absolute_tolerance

    def goes_on(*flat: Any) -> Any:
        now = LBfgsOptimizerResults(*flat)
        ended = stop(now.converged, now.failed)
        return logical_and(logical_not(ended), now.num_iterations < last_iteration)

    def turn(*flat: Any) -> LBfgsOptimizerResults:
        now = LBfgsOptimizerResults(*flat)
        return _take_step(function, now, bounds, max_line_search_iterations)

    last_iteration = start.num_iterations + cast(max_iterations, int32)
    return LBfgsOptimizerResults(*while_loop(goes_on, turn, start))


def _start(
    function: Callable[[Any], Any], position: Any, pairs: int, tolerance: float
) -> LBfgsOptimizerResults:
    """Return the results before the first step."""
    position = convert_to_tensor(position)
    value, gradient = function(position)
    failed = logical_not(is_finite(value))
    sizes = concat([[pairs], shape(position)], 0)
    deltas = zeros(sizes, position.dtype)
    deltas.set_shape([pairs, *position.shape])
    return LBfgsOptimizerResults(
        _greatest(gradient) <= tolerance, failed, cast(0, int32), cast(1, int32), position, value,
        gradient, deltas, zeros_like(deltas),
    )  # fmt: skip


def _take_step(
    function: Callable[[Any], Any], now: LBfgsOptimizerResults, bounds: tuple[float, ...],
    turns: int,
) -> LBfgsOptimizerResults:  # fmt: skip
    """Return the results after one more step."""
    active = logical_not(logical_or(now.converged, now.failed))
    gradient = now.objective_gradient
    direction = -_direction(gradient, now.position_deltas, now.gradient_deltas)
    downwards = dot(direction, gradient) < 0.0  # rounding may turn it
    direction = select_vectors(downwards, direction, -gradient)
    slope = dot(direction, gradient)
    has_history = now.num_iterations > 0
    length = sqrt(dot(gradient, gradient))
    first = where(has_history, ones_like(length), minimum(1.0, 1.0 / maximum(length, 1e-30)))
    step = wolfe_step(
        function, now.position, now.objective_value, slope, direction, first, active, turns
    )
    moved = logical_and(active, step.succeeded)
    position = select_vectors(moved, step.position, now.position)
    value = where(moved, step.value, now.objective_value)
    after = select_vectors(moved, step.gradient, gradient)
    change, bend = position - now.position, after - gradient
    by_gradient, by_step, relative, absolute = bounds
    fall = abs(value - now.objective_value)
    still = logical_or(fall <= relative * abs(now.objective_value), fall <= absolute)
    near = logical_or(_greatest(after) <= by_gradient, _greatest(change) <= by_step)
    keeps = logical_and(moved, dot(change, bend) > 0.0)
    return LBfgsOptimizerResults(
        logical_or(now.converged, logical_and(moved, logical_or(near, still))),
        logical_or(now.failed, logical_and(active, logical_not(step.succeeded))),
        now.num_iterations + 1, now.num_objective_evaluations + step.evaluations, position, value,
        after, _push(now.position_deltas, change, keeps),
        _push(now.gradient_deltas, bend, keeps),
    )  # fmt: skip


def _greatest(vectors: Any) -> Any:
    """Return the greatest absolute elements of vectors."""
    return reduce_max(abs(vectors), axis=-1)


def _push(queue: Any, vectors: Any, keeps: Any) -> Any:
    """Put vectors at the end of a queue, from which the first ones fall, where ``keeps`` holds."""
    return select_vectors(keeps, concat([queue[1:], expand_dims(vectors, 0)], 0), queue)


def _direction(gradient: Any, steps: Any, bends: Any) -> Any:
    """Multiply gradients by the inverse Hessian that steps and changes of gradients tell.

    What has not been filled yet is zero, and changes nothing.
    """
    count = shape(steps)[0]
    curves = dot(steps, bends)
    used = curves > 0.0
    inverse = where(used, 1.0 / where(used, curves, ones_like(curves)), zeros_like(curves))

    def back(number: Any, along: Any, shares: Any) -> Any:
        at = count - 1 - number
        share = inverse[at] * dot(steps[at], along)
        return number + 1, along - expand_dims(share, -1) * bends[at], concat(
            [expand_dims(share, 0), shares[:-1]], 0
        )

    def forth(number: Any, along: Any, shares: Any) -> Any:
        back = inverse[number] * dot(bends[number], along)
        return number + 1, along + expand_dims(shares[number] - back, -1) * steps[number], shares

    state = (fill([], cast(0, int32)), gradient, zeros_like(curves))
    _, along, shares = while_loop(lambda n, *_: n < count, back, state)
    squares = dot(bends[-1], bends[-1])
    has_curvature = squares > 0.0
    scale = where(
        has_curvature,
        curves[-1] / where(has_curvature, squares, ones_like(squares)),
        ones_like(squares),
    )
    along = along * expand_dims(scale, -1)
    _, along, _ = while_loop(lambda n, *_: n < count, forth, (state[0], along, shares))
    return along
