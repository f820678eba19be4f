"""Norms of vectors and matrices, ``keras.ops.norm``."""

from __future__ import annotations

import math
from typing import Any

from runtime.keras.ops.promotion import as_float
from runtime.keras.ops.shapes import moveaxis, rank_of
from runtime.ops.array.constants import cast
from runtime.ops.array.shape import expand_dims
from runtime.ops.docstrings import documented
from runtime.ops.linalg.decompositions import svd
from runtime.ops.math.comparison import not_equal
from runtime.ops.math.elementary import conj
from runtime.ops.math.elementwise import abs, pow, sqrt
from runtime.ops.math.reduction import reduce_max, reduce_min, reduce_sum


@documented(
    "Tensor without the axes, unless ``keepdims``",
    "ValueError: for axes that are none, more than two of them, and orders that do not fit",
    x="tensor, array or number",
    ord="a number, or infinity; of matrices also 'fro' and 'nuc'; None: the Euclidean norm",
    axis="axis of vectors, or a pair of those of matrices; None: all axes, of which there are two "
    "at most",
    keepdims="whether the axes stay, with size 1",
)
def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """Compute norms of vectors, along one axis, or of matrices, along two."""
    if isinstance(ord, str) and ord not in ("fro", "nuc"):
        raise ValueError(
            "Invalid `ord` argument. Expected one of {'fro', 'nuc'} when using string. Received: "
            f"ord={ord}"
        )
    x = as_float(x)
    rank = rank_of(x)
    axes = tuple(range(rank)) if axis is None else (axis,) if isinstance(axis, int) else tuple(axis)
    if any(not -rank <= number < rank for number in axes):
        raise ValueError(
            "All `axis` values must be in the range [-ndim, ndim). Received inputs with "
            f"ndim={rank}, while axis={axes}"
        )
    axes = tuple(number % rank for number in axes)
    if len(axes) == 1:
        return _of_vectors(x, ord, axes[0], keepdims)
    if len(axes) != 2 or axes[0] == axes[1]:
        raise ValueError(f"Invalid axis values. Received: axis={axis}")
    return _of_matrices(x, ord, axes, keepdims)


def _euclidean(x: Any, axes: Any, keepdims: bool) -> Any:
    square = x * conj(x) if x.dtype.is_complex else x * x
    return sqrt(reduce_sum(square, axes, keepdims))


def _of_vectors(x: Any, ord: Any, axis: int, keepdims: bool) -> Any:
    if ord is None or ord == 2:
        return _euclidean(x, axis, keepdims)
    if isinstance(ord, str):
        raise ValueError(f"Invalid `ord` argument for vector norm. Received: ord={ord}")
    if ord in (math.inf, -math.inf):
        return (reduce_max if ord > 0 else reduce_min)(abs(x), axis, keepdims)
    if ord == 0:
        return reduce_sum(cast(not_equal(x, 0), x.dtype), axis, keepdims)
    return pow(reduce_sum(pow(abs(x), float(ord)), axis, keepdims), 1.0 / ord)


def _of_matrices(x: Any, ord: Any, axes: tuple[int, ...], keepdims: bool) -> Any:
    if ord is None or ord == "fro":
        return _euclidean(x, axes, keepdims)
    if ord in (1, -1, math.inf, -math.inf):
        summed = axes[0] if ord in (1, -1) else axes[1]
        extreme = reduce_max if ord > 0 else reduce_min
        sums = reduce_sum(abs(x), summed, keepdims=True)
        return extreme(sums, axes, keepdims)
    if ord not in (2, -2, "nuc"):
        raise ValueError(f"Invalid `ord` argument for matrix norm. Received: ord={ord}")
    values = svd(moveaxis(x, axes, (-2, -1)), compute_uv=False)
    total = reduce_sum if ord == "nuc" else reduce_max if ord > 0 else reduce_min
    norms = total(values, -1)
    for axis in sorted(axes) if keepdims else ():
        norms = expand_dims(norms, axis)
    return norms
