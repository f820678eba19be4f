"""The gradient checker: a function's Jacobians by its derivative, and by differences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.autodiff.tape import GradientTape
from runtime.dtypes import Array
from runtime.ops.constants import convert_to_tensor

__all__ = ["compute_gradient", "max_error"]


def compute_gradient(
    f: Callable[..., Any], x: Sequence[Any], delta: float | None = None
) -> tuple[list[Array], list[Array]]:
    """The Jacobians of ``f`` by each argument of the list ``x``: theoretical ones, numeric ones.

    Each is a matrix with a row for each element of the result and a column for each element of the
    argument; complex numbers count as two.  ``delta`` is the step of the (central) differences,
    1/1024 by default.  ValueError when ``x`` is no list or tuple, or when the gradient of an empty
    result is not of the shape of its argument.
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
    """The largest difference between the two lists that ``compute_gradient`` gives, NaN if any."""
    pairs = zip(theoretical, numeric, strict=True)
    return float(np.max([np.max(np.abs(a - b), initial=0.0) for a, b in pairs], initial=0.0))


def _reals(array: Any) -> Array:
    """The elements in a row, complex numbers as pairs."""
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
        found = tape.gradient(result, tensors, convert_to_tensor(seed))
        _check_shapes(found, arguments)
    for place in range(seed.size):
        for unit in (1, 1j) if seed.dtype.kind == "c" else (1,):
            seed.reshape(-1)[place] = unit
            found = tape.gradient(result, tensors, convert_to_tensor(seed.copy()))
            for row, gradient, array in zip(rows, found, arguments, strict=True):
                row.append(_reals(np.zeros_like(array) if gradient is None else gradient.numpy()))
            seed.reshape(-1)[place] = 0
    return [
        np.stack(row) if row else np.zeros((0, _reals(array).size), array.dtype)
        for row, array in zip(rows, arguments, strict=True)
    ]


def _check_shapes(gradients: Sequence[Any], arguments: Sequence[Array]) -> None:
    """ValueError for a gradient that is not of the shape of its argument."""
    for gradient, array in zip(gradients, arguments, strict=True):
        if gradient is not None and gradient.shape != array.shape:
            raise ValueError(
                f"Empty gradient has wrong shape: expected {array.shape}, "
                f"got {tuple(gradient.shape)}"
            )


def _by_differences(
    f: Callable[..., Any], arguments: Sequence[Array], number: int, step: float
) -> Array:
    varied = [a.copy() for a in arguments]
    places = _reals(varied[number])
    if places.base is None or not np.shares_memory(places, varied[number]):
        varied[number] = np.ascontiguousarray(varied[number])
        places = _reals(varied[number])
    columns = []
    for k in range(places.size):
        before = places[k]
        places[k] = before + step
        ahead = _reals(_result(f, varied).numpy())
        places[k] = before - step
        behind = _reals(_result(f, varied).numpy())
        places[k] = before
        columns.append((ahead - behind) / (2 * step))
    rows = _reals(_result(f, arguments).numpy()).size
    return np.stack(columns, 1) if columns else np.zeros((rows, 0), places.dtype)
