"""Axes of the ops that are products of matrices, or amount to one: rules of their lowering."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.ops.array.indexing import KeyInput
from runtime.ops.rules.inference import normal_axis
from runtime.ops.rules.lowering import ProductAxes

Ranks = Sequence[int]
Axes = tuple[tuple[int, ...], tuple[int, ...]]


def dot_axes(axes: int | Axes, a: int, b: int) -> Axes:
    """The axes summed over, counted from the front, for inputs of ranks ``a`` and ``b``."""
    if isinstance(axes, int):
        return tuple(range(a - axes, a)), tuple(range(axes))
    axes_of_a = tuple(normal_axis(i, a) for i in axes[0])
    return axes_of_a, tuple(normal_axis(i, b) for i in axes[1])


def of_matmul(attrs: dict[str, Any], ranks: Ranks) -> ProductAxes | None:
    """Axes of a product of matrices, or batches of them."""
    if min(ranks) < 2:
        return None
    a = ranks[0] - 2 if attrs.get("transpose_a", False) else ranks[0] - 1
    b = ranks[1] - 1 if attrs.get("transpose_b", False) else ranks[1] - 2
    return ProductAxes(((a,), (b,)), (range(ranks[0] - 2), range(ranks[1] - 2)))


def of_tensordot(attrs: dict[str, Any], ranks: Ranks) -> ProductAxes | None:
    """Axes of a contraction."""
    return ProductAxes(dot_axes(attrs["axes"], *ranks))


def of_terms(terms: Sequence[str], out: str) -> ProductAxes | None:
    """Axes of a sum of products by Einstein's convention; None unless its result has the axes of
    both inputs first, then the others of each.
    """
    if len(terms) != 2 or any(len(set(term)) < len(term) for term in (*terms, out)):
        return None
    a, b = terms
    shared_labels = [label for label in a if label in b]
    batch = [label for label in out if label in shared_labels]
    inner = [label for label in shared_labels if label not in out]
    own_labels = [label for term in terms for label in term if label not in shared_labels]
    if "".join([*batch, *own_labels]) != out:
        return None
    return ProductAxes(
        (tuple(map(a.index, inner)), tuple(map(b.index, inner))),
        (tuple(map(a.index, batch)), tuple(map(b.index, batch))),
    )


# -- NumPy's functions ----------------------------------------------------------------------------


def _dot(a: int, b: int) -> ProductAxes:
    return ProductAxes(((a - 1,), (max(b - 2, 0),)))


def _matmul(a: int, b: int) -> ProductAxes:
    batch = range(max(a - 2, 0)), range(max(b - 2, 0))
    return ProductAxes(((a - 1,), (max(b - 2, 0),)), batch)


def _matvec(a: int, b: int) -> ProductAxes | None:
    return ProductAxes(((a - 1,), (b - 1,)), (range(a - 2), range(b - 1))) if a > 1 else None


def _vecmat(a: int, b: int) -> ProductAxes | None:
    if b < 2:
        return None
    return ProductAxes(((a - 1,), (b - 2,)), (range(a - 1), range(b - 2)), conjugates=True)


def _vdot(a: int, b: int) -> ProductAxes | None:
    return ProductAxes(((0,), (0,)), conjugates=True) if a == b == 1 else None


def _vecdot(a: int, b: int) -> ProductAxes:
    return ProductAxes(((a - 1,), (b - 1,)), (range(a - 1), range(b - 1)), conjugates=True)


_OF_NUMPY: dict[str, Callable[[int, int], ProductAxes | None]] = {
    "numpy.dot": _dot,
    "ndarray.dot": _dot,
    "numpy.matmul": _matmul,
    "numpy.matvec": _matvec,
    "numpy.vecmat": _vecmat,
    "numpy.inner": lambda a, b: ProductAxes(((a - 1,), (b - 1,))),
    "numpy.vdot": _vdot,
    "numpy.vecdot": _vecdot,
}
"""By NumPy's function of two arrays: the axes for their ranks."""


def of_numpy(attrs: dict[str, Any], ranks: Ranks) -> ProductAxes | None:
    """Axes of a call of one of NumPy's functions, if it is a product of two arrays."""
    function = _OF_NUMPY.get(attrs["function"])
    is_plain = attrs["args"] == (KeyInput(0), KeyInput(1)) and not attrs["keywords"]
    if function is None or not is_plain or {*attrs["kinds"]} != {"array"} or min(ranks) < 1:
        return None
    return function(*ranks)
