"""Gradient checker: Jacobians of a function by derivatives and by differences.

``compute_gradient`` takes a function; ``compute_gradient_error``, of TensorFlow 1, takes tensors of
a graph, which are fed.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from runtime.autodiff.gradients import gradients
from runtime.autodiff.tape import GradientTape
from runtime.engine.session import get_default_session
from runtime.ops.array.constants import constant, convert_to_tensor
from runtime.types.dtypes import Array

__all__ = ["compute_gradient", "compute_gradient_error", "max_error"]


def compute_gradient(
    f: Callable[..., Any], x: Sequence[Any], delta: float | None = None
) -> tuple[list[Array], list[Array]]:
    """Compute Jacobians of a function both by derivatives and by central differences.

    Args:
        f: function of tensors.
        x: list or tuple of arguments.
        delta: step of the differences; 1/1024 by default.
    Returns:
        Pair of lists with a matrix for each argument, the derivatives and the differences: a row
            for each element of the result, a column for each element of the argument.  A complex
            number counts as two elements.
    Raises:
        ValueError: ``x`` is no list or tuple, or the gradient of an empty result has another shape
            than its argument.
    """
    if not isinstance(x, list | tuple):
        raise ValueError(
            "`x` must be a list or tuple of values convertible to a Tensor (arguments to `f`), "
            f"not a {type(x)}"
        )
    arguments = [np.array(convert_to_tensor(v).numpy()) for v in x]
    step = 1.0 / 1024 if delta is None else delta
    theoretical = _by_derivative(f, arguments)
    numeric = [_by_differences(f, arguments, k, step) for k in range(len(arguments))]
    return theoretical, numeric


def max_error(theoretical: Sequence[Array], numeric: Sequence[Array]) -> float:
    """Compute the greatest difference between the lists of ``compute_gradient``, or NaN."""
    pairs = zip(theoretical, numeric, strict=True)
    return float(np.max([np.max(np.abs(a - b), initial=0.0) for a, b in pairs], initial=0.0))


def compute_gradient_error(
    x: Any, x_shape: Any, y: Any, y_shape: Any, x_init_value: Any = None, delta: float = 1e-3,
    init_targets: Any = None, extra_feed_dict: Mapping[Any, Any] | None = None,
) -> float:
    """Compute the greatest difference between derivatives and differences, in a graph.

    Args:
        x: tensor or list of tensors.
        x_shape: shape of ``x``, or list of shapes.
        y: tensor that is computed from ``x``.
        y_shape: shape of ``y``.
        x_init_value: value of ``x``, or list of values; random numbers by default.
        delta: step of the central differences.
        init_targets: operations to run first.
        extra_feed_dict: values of other tensors to feed.
    Returns:
        Greatest absolute difference, a float.
    Raises:
        ValueError: there is no default session, or ``y`` does not depend on an x.
    """
    session = get_default_session()
    if session is None:
        raise ValueError(
            "compute_gradient_error needs a default session: call it within `with "
            "runtime.Session():`"
        )
    several = isinstance(x, list)
    sources, sizes = (x, x_shape) if several else ([x], [x_shape])
    values = x_init_value if several and x_init_value is not None else [x_init_value] * len(sources)
    for target in init_targets if isinstance(init_targets, list | tuple) else [init_targets]:
        if target is not None:
            session.run(target)
    points = [_start(*case) for case in zip(sources, sizes, values, strict=True)]
    feeds = {**(extra_feed_dict or {}), **dict(zip(sources, points, strict=True))}
    with session.graph.as_default():
        seed = constant(np.zeros(tuple(y_shape)), y.dtype)
        derivatives = gradients(y, sources, seed)
    missing = [t for t, g in zip(sources, derivatives, strict=True) if g is None]
    if missing:
        raise ValueError(f"compute_gradient_error: {y!r} does not depend on {missing[0]!r}")
    start = np.zeros(tuple(y_shape), y.dtype.as_numpy_dtype)

    def run(fetch: Any, changed: Any, fed: Array) -> Any:
        return session.run(fetch, {**feeds, changed: fed})

    pairs = []
    for tensor, derivative, array in zip(sources, derivatives, points, strict=True):
        rows = _each_place(start, 1.0, functools.partial(run, derivative, seed))
        ahead = _each_place(array, delta, functools.partial(run, y, tensor))
        behind = _each_place(array, -delta, functools.partial(run, y, tensor))
        if rows and ahead:
            columns = [(a - b) / (2 * delta) for a, b in zip(ahead, behind, strict=True)]
            pairs.append((np.stack(rows), np.stack(columns, 1)))
    return max_error([a for a, _ in pairs], [b for _, b in pairs])


def _start(tensor: Any, shape: Any, value: Any) -> Array:
    """Return the point of comparison: the given value, or random numbers."""
    dtype = tensor.dtype.as_numpy_dtype
    if value is not None:
        return np.array(value, dtype).reshape(tuple(shape))
    point = np.random.random_sample(tuple(shape)).astype(dtype)
    return point + 1j * np.random.random_sample(tuple(shape)) if point.dtype.kind == "c" else point


def _each_place(array: Array, change: float, run: Callable[[Array], Any]) -> list[Array]:
    """What ``run`` gives for an array, of which each number is changed in turn."""
    fed = array.copy()
    places = _reals(fed)
    results = []
    for k in range(places.size):
        before = places[k]
        places[k] = before + change
        results.append(_reals(run(fed)).copy())
        places[k] = before
    return results


def _reals(array: Any) -> Array:
    """Return the elements as a vector, complex numbers as pairs."""
    flat = np.ascontiguousarray(array).reshape(-1)
    return flat.view(flat.real.dtype) if flat.dtype.kind == "c" else flat


def _result(f: Callable[..., Any], arguments: Sequence[Array]) -> Any:
    return convert_to_tensor(f(*[convert_to_tensor(a.copy()) for a in arguments]))


def _by_derivative(f: Callable[..., Any], arguments: Sequence[Array]) -> list[Array]:
    tensors = [convert_to_tensor(a.copy()) for a in arguments]
    with GradientTape(persistent=True) as tape:
        tape.watch(tensors)
        result = convert_to_tensor(f(*tensors))
    seed = np.zeros(result.shape.as_list(), result.dtype.as_numpy_dtype)
    rows: list[list[Array]] = [[] for _ in tensors]
    if not seed.size:
        gradients = tape.gradient(result, tensors, convert_to_tensor(seed))
        _check_shapes(gradients, arguments)
    for index in range(seed.size):
        for unit in (1, 1j) if seed.dtype.kind == "c" else (1,):
            seed.reshape(-1)[index] = unit
            gradients = tape.gradient(result, tensors, convert_to_tensor(seed.copy()))
            for row, gradient, array in zip(rows, gradients, arguments, strict=True):
                row.append(_reals(np.zeros_like(array) if gradient is None else gradient.numpy()))
            seed.reshape(-1)[index] = 0
    return [
        np.stack(row) if row else np.zeros((0, _reals(array).size), array.dtype)
        for row, array in zip(rows, arguments, strict=True)
    ]


def _check_shapes(gradients: Sequence[Any], arguments: Sequence[Array]) -> None:
    """Raise ValueError for a gradient whose shape is not that of its argument."""
    for gradient, array in zip(gradients, arguments, strict=True):
        if gradient is not None and gradient.shape != array.shape:
            raise ValueError(
                f"Empty gradient has wrong shape: expected {array.shape}, "
                f"got {tuple(gradient.shape)}"
            )


def _by_differences(
    f: Callable[..., Any], arguments: Sequence[Array], number: int, step: float
) -> Array:
    reachable = [a.copy() for a in arguments]
    places = _reals(reachable[number])
    if places.base is None or not np.shares_memory(places, reachable[number]):
        reachable[number] = np.ascontiguousarray(reachable[number])
        places = _reals(reachable[number])
    columns = []
    for k in range(places.size):
        before = places[k]
        places[k] = before + step
        ahead = _reals(_result(f, reachable).numpy())
        places[k] = before - step
        behind = _reals(_result(f, reachable).numpy())
        places[k] = before
        columns.append((ahead - behind) / (2 * step))
    rows = _reals(_result(f, arguments).numpy()).size
    return np.stack(columns, 1) if columns else np.zeros((rows, 0), places.dtype)
