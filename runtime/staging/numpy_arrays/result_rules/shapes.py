"""Functions that give an array another shape, or its axes another order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.staging.numpy_arrays.result_rules.operands import (
    ArrayType,
    NoRuleError,
    axes_of,
    axis_of,
    known,
    product,
    sizes_of,
    typed,
    whole,
    without,
)


def view_of(array: ArrayType, dims: Sequence[int | None]) -> ArrayType:
    """What has the elements of an array: an array, but of NumPy's scalars a scalar."""
    is_array = array.is_array or array.rank > 0 or array.python is not None
    return ArrayType(tuple(dims), array.dtype, is_array=is_array, source=array.source)


def reshape(
    a: Any, /, shape: Any = None, order: Any = "C", *, copy: Any = None
) -> ArrayType:
    """Another shape, in which one size may be -1."""
    return _reshaped(typed(a), shape)


def reshape_method(a: Any, *shape: Any, order: Any = "C", copy: Any = None) -> ArrayType:
    """``a.reshape(2, 3)`` or ``a.reshape((2, 3))``."""
    return _reshaped(typed(a), shape[0] if len(shape) == 1 else shape)


def _reshaped(array: ArrayType, shape: Any) -> ArrayType:
    if isinstance(shape, ArrayType) and shape.rank == 1:
        return view_of(array, sizes_of(shape))
    sizes = [whole(size) for size in (shape if type(shape) is tuple else (shape,))]
    count = product(array.dims)
    if any(size is not None and size < -1 for size in sizes) or sizes.count(-1) > 1:
        raise NoRuleError
    if -1 in sizes:
        others = product([size for size in sizes if size != -1])
        size = None
        if count is not None and others:
            size, rest = divmod(count, others)
            if rest:
                raise NoRuleError
        elif others == 0:
            raise NoRuleError
        sizes[sizes.index(-1)] = size
    elif None not in (count, product(sizes)) and count != product(sizes):
        raise NoRuleError
    elif sizes.count(None) == 1 and count is not None:
        pass  # a size of which only a run tells whether it fits
    return view_of(array, sizes)


def ravel(a: Any, order: Any = "C") -> ArrayType:
    """All elements in a row."""
    array = typed(a)
    return view_of(array, (product(array.dims),))


def resize(a: Any, new_shape: Any) -> ArrayType:
    """The elements, repeated as often as a shape takes them."""
    return typed(a).with_dims(sizes_of(new_shape))._replace(is_array=True)


def squeeze(a: Any, axis: Any = None) -> ArrayType:
    """Without axes of size 1: which these are has to be known."""
    array = typed(a)
    if axis is None:
        if None in array.dims:
            return view_of(array, ()).of_unknown_rank()
        return view_of(array, [size for size in array.dims if size != 1])
    axes = axes_of(axis, array.rank)
    if any(array.dims[n] not in (1, None) for n in axes):
        raise NoRuleError
    return view_of(array, without(array.dims, axes))


def expand_dims(a: Any, axis: Any) -> ArrayType:
    """With axes of size 1."""
    array = typed(a)
    rank = array.rank + (len(axis) if type(axis) is tuple else 1)
    axes = axes_of(axis, rank)
    sizes = iter(array.dims)
    return view_of(array, [1 if n in axes else next(sizes) for n in range(rank)])._replace(
        is_array=True
    )


def transpose(a: Any, axes: Any = None) -> ArrayType:
    """Axes in another order."""
    array = typed(a)
    order = [*range(array.rank)][::-1] if axes is None else axes_of(axes, array.rank)
    if len(order) != array.rank:
        raise NoRuleError
    return view_of(array, [array.dims[n] for n in order])


def transpose_method(a: Any, *axes: Any) -> ArrayType:
    """``a.transpose(1, 0)`` or ``a.transpose((1, 0))``."""
    if len(axes) == 1 and (axes[0] is None or type(axes[0]) is tuple):
        (axes,) = axes
    return transpose(a, axes or None)


def matrix_transpose(x: Any, /) -> ArrayType:
    """The last two axes exchanged."""
    return swapaxes(x, -1, -2)


def swapaxes(a: Any, axis1: Any, axis2: Any) -> ArrayType:
    """Two axes exchanged."""
    array = typed(a)
    dims, one, two = [*array.dims], axis_of(axis1, array.rank), axis_of(axis2, array.rank)
    dims[one], dims[two] = dims[two], dims[one]
    return view_of(array, dims)


def moveaxis(a: Any, source: Any, destination: Any) -> ArrayType:
    """Axes at other places."""
    array = typed(a)
    sources, places = axes_of(source, array.rank), axes_of(destination, array.rank)
    if len(sources) != len(places):
        raise NoRuleError
    order = [n for n in range(array.rank) if n not in sources]
    for place, axis in sorted(zip(places, sources, strict=True)):
        order.insert(place, axis)
    return view_of(array, [array.dims[n] for n in order])


def rollaxis(a: Any, axis: Any, start: Any = 0) -> ArrayType:
    """An axis before another place."""
    array = typed(a)
    place, before = axis_of(axis, array.rank), axis_of(start, array.rank + 1)
    if known(start) < 0:
        before = known(start) + array.rank
    before -= place < before
    order = [n for n in range(array.rank) if n != place]
    order.insert(before, place)
    return view_of(array, [array.dims[n] for n in order])


def flip(m: Any, axis: Any = None) -> ArrayType:
    """Elements in the opposite order along axes."""
    array = typed(m)
    axes_of(axis, array.rank)
    return view_of(array, array.dims)._replace(is_array=False)


def turned(least_rank: int) -> Callable[..., ArrayType]:
    """Rule of ``fliplr`` and ``flipud``."""

    def rule(m: Any) -> ArrayType:
        array = typed(m)
        if array.rank < least_rank:
            raise NoRuleError
        return view_of(array, array.dims)

    return rule


def rot90(m: Any, k: Any = 1, axes: Any = (0, 1)) -> ArrayType:
    """Turned by quarters in a plane."""
    array, turns = typed(m), whole(k)
    one, two = axes_of(axes, array.rank)
    dims = [*array.dims]
    if turns is None:
        dims[one] = dims[two] = dims[one] if dims[one] == dims[two] else None
    elif turns % 2:
        dims[one], dims[two] = dims[two], dims[one]
    return view_of(array, dims)


def roll(a: Any, shift: Any, axis: Any = None) -> ArrayType:
    """Elements moved along axes."""
    array = typed(a)
    if axis is not None:
        axes_of(axis, array.rank)
    return array.of(array.dtype)._replace(is_array=True)


def atleast(count: int) -> Callable[..., Any]:
    """Rule of ``atleast_1d`` and the like."""

    def rule(*arrays: Any) -> Any:
        results = []
        for array in map(typed, arrays):
            dims = array.dims
            if count == 3 and len(dims) < 3:
                dims = {0: (1, 1, 1), 1: (1, *dims, 1), 2: (*dims, 1)}[len(dims)]
            dims = (1,) * (count - len(dims)) + dims
            results.append(view_of(array, dims))
        return results[0] if len(results) == 1 else tuple(results)

    return rule


def broadcast_to(array: Any, shape: Any, subok: Any = False) -> ArrayType:
    """As many copies as a shape asks for."""
    operand, dims = typed(array), sizes_of(shape)
    if operand.rank > len(dims):
        raise NoRuleError
    for size, asked in zip(reversed(operand.dims), reversed(dims), strict=False):
        if None not in (size, asked) and size not in (1, asked):
            raise NoRuleError
    return view_of(operand, dims)._replace(is_array=True)
