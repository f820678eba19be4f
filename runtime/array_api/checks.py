"""What a known shape refuses at once, and an unknown one when the graph runs, in the same words."""

from __future__ import annotations

from typing import Any

from runtime.array_api.shapes import rank_of
from runtime.graph.default_graph import control_dependencies
from runtime.ops.array.constants import identity
from runtime.ops.array.shape import ensure_shape
from runtime.ops.array.shape import shape as shape_op
from runtime.ops.control_flow.print_assert import assert_op
from runtime.ops.math.reduction import reduce_prod
from runtime.types.errors import IncompatibleShapesError
from runtime.types.shapes import TensorShape


def some_elements(x: Any, axes: Any, name: str) -> Any:
    """``x``, in which there must be elements along the axes (None: all).

    ValueError otherwise, of which there is no greatest or least.
    """
    dims = x.shape.dims

    def fail(shape: Any) -> BaseException:
        sizes = TensorShape([None if d is None else int(d) for d in shape])
        return IncompatibleShapesError(f"{name} of no elements: the shape is {sizes}")

    sizes = [None] if dims is None else list(dims) if axes is None else [dims[a] for a in axes]
    if 0 in sizes:
        raise fail(dims)
    if None not in sizes:
        return x
    found = shape_op(x)
    along = found if axes is None else [found[a] for a in axes]
    check = assert_op(reduce_prod(along) > 0, found, fail=fail)
    with control_dependencies([check]):
        return identity(x)


def size_along(x: Any, axis: int, size: int, name: str) -> Any:
    """``x``, whose size along an axis must be ``size``; ValueError otherwise."""
    dims = list(x.shape)
    rank = rank_of(x, name)
    if dims[axis] not in (size, None):
        raise ValueError(f"{name}: axis {axis} must have size {size}, got shape {x.shape}")
    dims[axis % rank] = size
    return x if x.shape[axis] is not None else ensure_shape(x, dims)
