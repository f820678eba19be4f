"""Quantiles, averages, histograms and the like of ``keras.ops``."""

from __future__ import annotations

from typing import Any

from runtime.keras.ops.compositions import as_exact_float
from runtime.keras.ops.promotion import as_float, promoted
from runtime.keras.ops.shapes import moveaxis, rank_of, ravel, take_along_axis
from runtime.ops.array import partitions, sorting
from runtime.ops.array.concat_split import pad
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.creation import linspace, ones_like
from runtime.ops.array.shape import expand_dims, reshape, sizes_of
from runtime.ops.array.where import boolean_mask, where
from runtime.ops.docstrings import documented
from runtime.ops.linalg import products
from runtime.ops.math import clipping, elementwise, reduction
from runtime.ops.math.comparison import equal, not_equal
from runtime.ops.math.logical import logical_and, logical_not
from runtime.types.dtypes import bool_, float64, int32

_X = "tensor, array or number"
_AXIS = "an axis, several, or None for all"
_KEEPDIMS = "whether the axes stay, with size 1"
_REDUCED = "Tensor of floats without the axes, unless ``keepdims``"
_QUANTILES = f"{_REDUCED}; a vector ``q`` makes a first axis"
_METHOD = "between two elements: 'linear', 'lower', 'higher', 'midpoint' or 'nearest'"
_METHODS = ("linear", "lower", "higher", "midpoint", "nearest")


def axes_of(x: Any, axis: Any) -> list[int]:
    """Return the axes, counted from the front, that an argument names; None: all."""
    rank = rank_of(x)
    if axis is None:
        return list(range(rank))
    return sorted([a % rank for a in (axis if isinstance(axis, list | tuple) else [axis])])


def _joined_last(x: Any, axes: list[int]) -> Any:
    """Return a tensor in which axes are one axis, the last."""
    front = rank_of(x) - len(axes)
    x = moveaxis(x, axes, list(range(front, rank_of(x))))
    return reshape(x, [*sizes_of(x)[:front], -1])


def _between(ordered: Any, places: Any, method: str) -> Any:
    """Return elements of the last axis at places between them, which are float64."""
    below, above = elementwise.floor(places), elementwise.ceil(places)
    if method == "nearest":
        below = above = elementwise.round(places)
    low, high = (take_along_axis(ordered, cast(p, int32), -1) for p in (below, above))
    if method in ("lower", "nearest"):
        return low
    if method == "higher":
        return high
    share = 0.5 if method == "midpoint" else cast(places - below, ordered.dtype)
    # infinities that are equal have no difference
    return where(equal(low, high), low, low * (1.0 - share) + high * share)


def quantiles(
    x: Any, q: Any, axis: Any, method: str, keepdims: bool, is_nan_left_out: bool
) -> Any:
    """Compute quantiles; NaN is left out, or makes the quantile NaN."""
    if method not in _METHODS:
        raise ValueError(f"method must be one of {_METHODS}, got {method!r}")
    x, shares = as_float(x), cast(convert_to_tensor(q), float64)
    if rank_of(shares) > 1:
        raise ValueError(f"q must be a number or a vector, got the shape {shares.shape}")
    axes = axes_of(x, axis)
    rows = _joined_last(x, axes)
    nans = elementwise.is_nan(rows)
    ordered = sorting.sort(where(nans, ones_like(rows) * float("inf"), rows))
    count = reduction.reduce_sum(cast(logical_not(nans), float64), -1, keepdims=True)
    has_nan = reduction.reduce_any(nans, -1, keepdims=True)
    is_unknown = equal(count, 0.0) if is_nan_left_out else has_nan
    places = elementwise.maximum(count - 1.0, 0.0) * reshape(shares, [-1])
    values = where(is_unknown, ones_like(ordered[..., :1]) * float("nan"),
                  _between(ordered, places, method))  # fmt: skip
    values = values[..., 0] if rank_of(shares) == 0 else moveaxis(values, -1, 0)
    for place in axes if keepdims else []:
        values = expand_dims(values, place + rank_of(shares))
    return values


@documented(_QUANTILES, "ValueError: the method is another one", x=_X, q="from 0 to 1, or several",
            axis=_AXIS, method=_METHOD, keepdims=_KEEPDIMS)  # fmt: skip
def quantile(
    x: Any, q: Any, axis: Any = None, method: str = "linear", keepdims: bool = False
) -> Any:
    """Compute quantiles along axes."""
    return quantiles(x, q, axis, method, keepdims, is_nan_left_out=False)


@documented(_QUANTILES, "ValueError: the method is another one", x=_X,
            q="from 0 to 100, or several", axis=_AXIS, method=_METHOD,
            keepdims=_KEEPDIMS)  # fmt: skip
def percentile(
    x: Any, q: Any, axis: Any = None, method: str = "linear", keepdims: bool = False
) -> Any:
    """Compute percentiles along axes."""
    shares = cast(convert_to_tensor(q), float64) / 100.0
    return quantiles(x, shares, axis, method, keepdims, is_nan_left_out=False)


@documented(_REDUCED, x=_X, axis=_AXIS, keepdims=_KEEPDIMS)
def median(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Compute medians along axes."""
    return quantiles(x, 0.5, axis, "linear", keepdims, is_nan_left_out=False)


@documented("Tensor without the axes, unless ``keepdims``", x=_X, axis=_AXIS, keepdims=_KEEPDIMS)
def ptp(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Compute the greatest element minus the least along axes."""
    x = convert_to_tensor(x)
    return reduction.reduce_max(x, axis, keepdims) - reduction.reduce_min(x, axis, keepdims)


@documented("Tensor of floats without the axes", "ValueError: the weights do not fit",
            x=_X, axis=_AXIS,
            weights="tensor of the shape of ``x``, or a vector along the axis; None: equal ones")
def average(x: Any, axis: Any = None, weights: Any = None) -> Any:
    """Compute weighted means along axes."""
    if weights is None:
        return reduction.reduce_mean(as_float(x), axis)
    x, weights = (as_float(v) for v in promoted(x, weights))
    if rank_of(x) != rank_of(weights):
        if axis is None or isinstance(axis, list | tuple) or rank_of(weights) != 1:
            raise ValueError(
                "weights must have the shape of x, or be a vector along one axis; got the shapes "
                f"{x.shape} and {weights.shape} and axis={axis}"
            )
        total = products.tensordot(x, weights, [[axis % rank_of(x)], [0]])
        return total / reduction.reduce_sum(weights)
    return reduction.reduce_sum(x * weights, axis) / reduction.reduce_sum(weights, axis)


@documented("Matrix", x="vector, or matrix with a variable in each row")
def corrcoef(x: Any) -> Any:
    """Compute Pearson's coefficients of correlation."""
    x = as_float(x)
    if rank_of(x) == 0:
        return ones_like(x) * float("nan")
    centred = x - reduction.reduce_mean(x, -1, keepdims=True)
    rows = expand_dims(centred, 0) if rank_of(x) == 1 else centred
    covariances = products.matmul(rows, rows, transpose_b=True)
    norms = elementwise.sqrt(reduction.reduce_sum(elementwise.square(rows), -1))
    coefficients = covariances / (norms[..., :, None] * norms[..., None, :])
    coefficients = clipping.clip_by_value(coefficients, -1.0, 1.0)
    return coefficients[0, 0] if rank_of(x) == 1 else coefficients


@documented("Vector of floats", "ValueError: the mode is another one, or an input is no vector",
            x1="vector", x2="vector", mode="'valid', 'same' or 'full'")  # fmt: skip
def correlate(x1: Any, x2: Any, mode: str = "valid") -> Any:
    """Correlate two vectors: sums of products at each shift."""
    from runtime.ops.nn import convolution_api

    signal, weights = (as_exact_float(x) for x in promoted(x1, x2))
    if mode not in ("valid", "same", "full") or rank_of(signal) != 1 or rank_of(weights) != 1:
        raise ValueError(
            "correlate takes two vectors and the mode 'valid', 'same' or 'full', got the shapes "
            f"{signal.shape} and {weights.shape} and {mode!r}"
        )
    size, width = sizes_of(signal)[0], sizes_of(weights)[0]
    if mode != "valid":
        signal = pad(signal, [[width - 1, width - 1]])
    sums = convolution_api.conv1d(
        signal[None, :, None], weights[:, None, None], 1, "VALID"
    )[0, :, 0]  # fmt: skip
    if mode != "same":
        return sums
    count = elementwise.maximum(size, width)
    begin = (size + width - 1 - count) // 2
    return sums[begin : begin + count]


@documented("Tensor of dtype int32 in the shape of ``x``", x=_X, bins="limits in ascending order")
def digitize(x: Any, bins: Any) -> Any:
    """Return in which interval each element lies."""
    x, limits = promoted(x, cast(convert_to_tensor(bins), "float32"))
    places = sorting.searchsorted(limits, reshape(x, [-1]), "right", int32)
    return reshape(places, sizes_of(x))


@documented("Tensor of dtype int32 in the shape of ``values``",
            "ValueError: ``sorted_sequence`` is no vector", sorted_sequence="ascending vector",
            values="tensor", side="'left', or 'right' for behind equal elements")  # fmt: skip
def searchsorted(sorted_sequence: Any, values: Any, side: str = "left") -> Any:
    """Return where values would have to be inserted."""
    sequence, values = promoted(sorted_sequence, values)
    if rank_of(sequence) != 1:
        raise ValueError(
            "`searchsorted` only supports 1-D sorted sequences. Received: "
            f"sorted_sequence.shape={sequence.shape}"
        )
    places = sorting.searchsorted(sequence, reshape(values, [-1]), side, int32)
    return reshape(places, sizes_of(values))


@documented("Pair of vectors: counts and limits, of floats", "ValueError: there are no intervals",
            x=_X, bins="number of intervals",
            range="pair of the least and the greatest number; None: those of ``x``")  # fmt: skip
def histogram(x: Any, bins: int = 10, range: Any = None) -> tuple[Any, Any]:
    """Count elements in intervals of equal width."""
    if not isinstance(bins, int) or bins < 1:
        raise ValueError(f"bins must be an int of 1 or more, got {bins!r}")
    x = ravel(as_float(x))
    if range is None:
        low, high = reduction.reduce_min(x), reduction.reduce_max(x)
    else:
        low, high = (cast(convert_to_tensor(limit), x.dtype) for limit in range)
    x = boolean_mask(x, logical_and(x >= low, x <= high))
    limits = linspace(low, high, bins + 1)
    places = sorting.searchsorted(limits[1:-1], x, "right", int32)
    counts = partitions.bincount(places, minlength=bins, maxlength=bins)
    return cast(counts, x.dtype), limits


@documented("Tensor of floats without the axis", y="heights",
            x="places; None: at equal distances", dx="distance", axis="the axis")  # fmt: skip
def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Any:
    """Integrate by trapezoids."""
    y = moveaxis(as_float(y), axis, -1)
    if x is None:
        widths = cast(convert_to_tensor(dx), y.dtype)
    else:
        places = cast(convert_to_tensor(x), y.dtype)
        places = places if rank_of(places) == 1 else moveaxis(places, axis, -1)
        widths = places[..., 1:] - places[..., :-1]
    return reduction.reduce_sum((y[..., 1:] + y[..., :-1]) * 0.5 * widths, -1)


@documented("Tensor with ``n`` elements less along the axis",
            "ValueError: ``n`` is negative, or ``a`` has no axes", a="tensor", n="how many times",
            axis="the axis")  # fmt: skip
def diff(a: Any, n: int = 1, axis: int = -1) -> Any:
    """Compute differences of neighbours along an axis."""
    a = convert_to_tensor(a)
    if n < 0:
        raise ValueError(f"Order `n` must be non-negative. Received n={n}")
    if n and rank_of(a) == 0:
        raise ValueError("`diff` requires input that is at least one dimensional")
    for _ in range(n):
        a = moveaxis(a, axis, -1)
        later, earlier = a[..., 1:], a[..., :-1]
        a = moveaxis(not_equal(later, earlier) if a.dtype is bool_ else later - earlier, -1, axis)
    return a


@documented("Vector, or a matrix for rows; of dtype int32 without weights",
            "ValueError: ``sparse`` is set", x="ints",
            weights="numbers to add up in place of ones", minlength="least number of counts",
            sparse="only False")  # fmt: skip
def bincount(x: Any, weights: Any = None, minlength: int = 0, sparse: bool = False) -> Any:
    """Count how often each int occurs along the last axis."""
    if sparse:
        raise ValueError("bincount: sparse counts are not available; leave sparse out")
    x = cast(convert_to_tensor(x), int32)
    weights = None if weights is None else convert_to_tensor(weights)
    return partitions.bincount(x, weights, minlength=minlength, axis=-1)


@documented("Tensor of dtype bool in the shape of ``x1``", x1=_X, x2="what is looked for",
            assume_unique="without effect", invert="whether the answers are inverted")  # fmt: skip
def isin(x1: Any, x2: Any, assume_unique: bool = False, invert: bool = False) -> Any:
    """Return which elements are among others."""
    elements, wanted = promoted(x1, x2)
    is_equal = equal(expand_dims(elements, -1), ravel(wanted))
    is_among = reduction.reduce_any(is_equal, -1)
    return logical_not(is_among) if invert else is_among
