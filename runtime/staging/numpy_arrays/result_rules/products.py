"""Products and differences of arrays."""

from __future__ import annotations

from typing import Any

from runtime.staging.numpy_arrays.result_rules.operands import (
    ArrayType,
    NoRuleError,
    axes_of,
    axis_of,
    broadcast,
    common,
    inexact,
    known,
    product,
    same_size,
    total,
    typed,
    without,
)


def dot(a: Any, b: Any) -> ArrayType:
    """Sums of products along the last axis and the last but one."""
    a, b = typed(a), typed(b)
    dtype = common(a.dtype, b.dtype)
    if not a.rank or not b.rank:
        return ArrayType((*a.dims, *b.dims), dtype)
    same_size(a.dims[-1], b.dims[-2] if b.rank > 1 else b.dims[-1])
    rest = b.dims[:-2] + b.dims[-1:] if b.rank > 1 else ()
    return ArrayType((*a.dims[:-1], *rest), dtype)


def inner(a: Any, b: Any, /) -> ArrayType:
    """Sums of products along the last axes."""
    a, b = typed(a), typed(b)
    if not a.rank or not b.rank:
        return dot(a, b)
    same_size(a.dims[-1], b.dims[-1])
    return ArrayType((*a.dims[:-1], *b.dims[:-1]), common(a.dtype, b.dtype))


def outer(a: Any, b: Any) -> ArrayType:
    """Products of all pairs."""
    a, b = typed(a), typed(b)
    return ArrayType((product(a.dims), product(b.dims)), common(a.dtype, b.dtype))


def vdot(a: Any, b: Any, /) -> ArrayType:
    """The sum of products of all elements."""
    a, b = typed(a), typed(b)
    same_size(product(a.dims), product(b.dims))
    return ArrayType((), common(a.dtype, b.dtype))


def tensordot(a: Any, b: Any, axes: Any = 2) -> ArrayType:
    """Sums of products along axes."""
    a, b, axes = typed(a), typed(b), known(axes)
    if type(axes) is tuple:
        of_a, of_b = axes_of(axes[0], a.rank), axes_of(axes[1], b.rank)
    else:
        of_a, of_b = tuple(range(a.rank - axes, a.rank)), tuple(range(axes))
        axes_of(of_a, a.rank), axes_of(of_b, b.rank)
    for one, two in zip(of_a, of_b, strict=True):
        same_size(a.dims[one], b.dims[two])
    rest = [size for n, size in enumerate(a.dims) if n not in of_a]
    rest += [size for n, size in enumerate(b.dims) if n not in of_b]
    return ArrayType(tuple(rest), common(a.dtype, b.dtype), is_array=True)


_DIGITS = "0123456789"


def einsum(subscripts: Any, *operands: Any) -> ArrayType:
    """Sums of products along axes with letters."""
    if type(subscripts) is not str:
        raise NoRuleError
    left, arrow, right = subscripts.replace(" ", "").partition("->")
    names = left.split(",")
    arrays = [typed(x) for x in operands]
    if len(names) != len(arrays):
        raise NoRuleError
    # an ellipsis stands for the axes without a letter, which are numbered from the last one
    counts = [x.rank - len(n.replace("...", "")) for n, x in zip(names, arrays, strict=True)]
    names = [n.replace("...", _DIGITS[-k:] if k else "") for n, k in zip(names, counts)]
    most = _DIGITS[-max(counts) :] if max(counts) > 0 else ""
    right = right.replace("...", most)
    sizes: dict[str, set[int | None]] = {}
    for letters, array in zip(names, arrays, strict=True):
        if len(letters) != array.rank:
            raise NoRuleError
        for letter, size in zip(letters, array.dims, strict=True):
            sizes.setdefault(letter, set()).add(size)
    if not arrow:
        letters = "".join(sorted(c for c in sizes if left.count(c) == 1 and c.isalpha()))
        right = most * ("..." in left) + letters
    dims = [broadcast(*[(size,) for size in sizes[letter]])[0] for letter in right]
    source = arrays[0].source if len(arrays) == 1 else None  # of one array it may be a view
    return ArrayType(tuple(dims), common(*[x.dtype for x in arrays]), source=source)


def kron(a: Any, b: Any) -> ArrayType:
    """Products of all pairs, in blocks."""
    a, b = typed(a), typed(b)
    rank = max(a.rank, b.rank)
    shapes = [(1,) * (rank - x.rank) + x.dims for x in (a, b)]
    dims = [product(pair) for pair in zip(*shapes, strict=True)]
    return ArrayType(tuple(dims), common(a.dtype, b.dtype), is_array=bool(rank))


def cross(
    a: Any, b: Any, axisa: Any = -1, axisb: Any = -1, axisc: Any = -1, axis: Any = None
) -> ArrayType:
    """Cross products of vectors of three numbers."""
    a, b = typed(a), typed(b)
    if axis is not None:
        axisa = axisb = axisc = axis
    of_a, of_b = axis_of(axisa, a.rank), axis_of(axisb, b.rank)
    dims = broadcast(without(a.dims, (of_a,)), without(b.dims, (of_b,)))
    sizes = {a.dims[of_a], b.dims[of_b]}
    if None in sizes:
        raise NoRuleError("whether its vectors have 2 or 3 elements is known only at run time")
    dtype = common(a.dtype, b.dtype)
    if sizes == {2}:
        return ArrayType(dims, dtype)
    if not sizes <= {2, 3}:
        raise NoRuleError
    place = axis_of(axisc, len(dims) + 1)
    return ArrayType((*dims[:place], 3, *dims[place:]), dtype)


_MODES = {0: "valid", 1: "same", 2: "full"}


def convolve(a: Any, v: Any, mode: Any = "full") -> ArrayType:
    """Sums of products with a moved vector."""
    return _moved(a, v, mode)


def correlate(a: Any, v: Any, mode: Any = "valid") -> ArrayType:
    """Sums of products with a moved vector, not turned around."""
    return _moved(a, v, mode)


def _moved(a: Any, v: Any, mode: Any) -> ArrayType:
    sizes = [typed(x).dims if typed(x).rank else (1,) for x in (a, v)]
    if any(len(dims) != 1 for dims in sizes):
        raise NoRuleError
    one, two = sizes[0][0], sizes[1][0]
    size = None
    if one is not None and two is not None:
        few, many = sorted((one, two))
        if not few:
            raise NoRuleError
        by_mode = {"full": many + few - 1, "same": many, "valid": many - few + 1}
        size = by_mode[_MODES.get(mode, mode)]
    return ArrayType((size,), common(typed(a).dtype, typed(v).dtype))


def gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: Any = 1) -> Any:
    """Slopes along the axes."""
    array = typed(f)
    axes = axes_of(axis, array.rank)
    if not axes:
        raise NoRuleError
    dtype = inexact(array.dtype)
    if any(typed(step).python is None for step in varargs):
        dtype = common(dtype, *[inexact(typed(step).dtype) for step in varargs])
    slopes = ArrayType(array.dims, dtype)
    return slopes if len(axes) == 1 else (slopes,) * len(axes)


def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> ArrayType:
    """Differences of neighbours in a row."""
    array = typed(ary)
    ends = [product(typed(x).dims) for x in (to_end, to_begin) if x is not None]
    size = product(array.dims)
    return array.with_dims((total(None if size is None else max(size - 1, 0), *ends),))
