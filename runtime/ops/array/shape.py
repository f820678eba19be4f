"""Op definitions about the shape of one tensor: read it, change it, reorder axes.

Ops that join or split tensors are in concat_split.py.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.ops import dispatch
from runtime.ops.array import dynamic_axes
from runtime.ops.op import MEASURES, RESHAPES, OpDef, define, lookup
from runtime.ops.rules import elements, selections
from runtime.ops.rules.inference import (
    broadcast_shapes,
    known_sizes,
    normal_axis,
    same,
    shape_from,
    with_sizes,
)
from runtime.ops.rules.kernels import checked
from runtime.ops.rules.lazy_gradient import lazy_gradient
from runtime.ops.rules.lowering import ByKernel, Composes, LoweringRule, OnArrays
from runtime.ops.rules.never_raises import known, known_values, ranked, shaped
from runtime.ops.rules.samples import OpSample, array, case, spread
from runtime.ops.rules.static_arguments import dims_of, static_int, static_ints, whole_numbers
from runtime.types.aliases import AxisLike, DTypeLike, ShapeLike, TensorLike
from runtime.types.dtypes import Array, DType, as_dtype, int32
from runtime.types.errors import IncompatibleShapesError, InvalidArgumentError
from runtime.types.shapes import UNKNOWN_SHAPE, TensorShape, TensorSpec

__all__ = [
    "broadcast_dynamic_shape", "broadcast_static_shape", "broadcast_to", "ensure_shape",
    "expand_dims", "rank", "reshape", "reverse", "roll", "shape", "shape_n", "size", "squeeze",
    "transpose",
]  # fmt: skip


def _asks(name: str, node_name: str, answer: Any, lower: LoweringRule, doc: str) -> OpDef:
    """Define an op whose result is known when the shape is; ``answer(dims) -> whole numbers``."""

    def kernel(x: Array, *, out_type: DType) -> Any:
        return np.array(answer(x.shape), out_type.as_numpy_dtype)

    def infer(x: TensorSpec, *, out_type: DType) -> TensorSpec:
        dims = x.shape.dims
        if dims is not None and (None not in dims or name == "rank"):
            value = np.array(answer(dims), out_type.as_numpy_dtype)
            return TensorSpec(value.shape, out_type, None, value)
        if name == "shape":
            return with_sizes(TensorSpec([None if dims is None else len(dims)], out_type), dims)
        return TensorSpec((), out_type)

    def samples() -> list[OpSample]:
        inputs = [spread(0, 1, 2, 3), array(5), array(["a", "b"]), np.zeros((0, 2), bool)]
        return [OpSample((x,), {"out_type": int32}) for x in inputs]

    return define(
        name, inputs="input", same_dtype_inputs=None, kernel=kernel, infer=infer, grad=None,
        node_name=node_name, lower=lower,
        never_raises=True, raises=(), traits=(MEASURES,), samples=samples, doc=doc,
    )  # fmt: skip


shape_op = _asks("shape", "Shape", list, OnArrays("array.size"), "Return the shape as a vector.")
size_op = _asks("size", "Size", lambda dims: int(np.prod(dims)), Composes("array.size"),
                "Return the number of elements.")  # fmt: skip
rank_op = _asks("rank", "Rank", len, ByKernel("a rank that is known is a constant"),
                "Return the number of axes.")  # fmt: skip


def shape(input: TensorLike, out_type: DTypeLike = int32, name: str | None = None) -> Any:
    """Return the shape of a tensor.

    Args:
        input: tensor of any dtype, of rank R.
        out_type: dtype of the result, int32 or int64.
    Returns:
        Tensor of shape (R,) and of dtype ``out_type``.
    """
    return shape_op(input, out_type=as_dtype(out_type), name=name)


def shape_n(input: TensorLike, out_type: DTypeLike = int32, name: str | None = None) -> list[Any]:
    """Return the shapes of several tensors.

    Args:
        input: list of tensors.
        out_type: dtype of the results, int32 or int64.
    Returns:
        List of vectors of dtype ``out_type``.
    """
    return [shape(x, out_type, name) for x in input]


def size(input: TensorLike, out_type: DTypeLike = int32, name: str | None = None) -> Any:
    """Return the number of elements of a tensor.

    Args:
        input: tensor of any dtype.
        out_type: dtype of the result, int32 or int64.
    Returns:
        Scalar of dtype ``out_type``.
    """
    return size_op(input, out_type=as_dtype(out_type), name=name)


def rank(input: TensorLike, name: str | None = None) -> Any:
    """Return the number of axes of a tensor.

    Args:
        input: tensor of any dtype.
    Returns:
        Scalar of dtype int32.
    """
    return rank_op(input, out_type=int32, name=name)


def _new_dims(requested: Sequence[int], total: int | None, shape_before: Any) -> list[int | None]:
    """The dimensions of a reshape, -1 resolved as far as ``total`` (the number of elements) is."""
    if requested.count(-1) > 1 or any(d < -1 for d in requested):
        raise IncompatibleShapesError(
            f"reshape: shape may hold one -1 and no other negative size, got {list(requested)}"
        )
    if total is None:
        return [None if d < 0 else d for d in requested]
    if -1 in requested and 0 in requested and total == 0:
        # the zeros meet each other, -1 takes what else there is: shape (0, 6) is (0, 2, 3), too
        count = _product_but_zeros(shape_before) // _product_but_zeros(requested)
        return [count if d < 0 else d for d in requested]
    product = math.prod([d for d in requested if d >= 0])
    fits = (product and total % product == 0) if -1 in requested else total == product
    if not fits:
        need = f"requires a multiple of {product}" if -1 in requested else f"has {product}"
        raise IncompatibleShapesError(
            f"Input to reshape is a tensor with {total} values, but the requested shape "
            f"{list(requested)} {need}. The tensor has shape {shape_before}."
        )
    return [total // product if d < 0 else d for d in requested]


def _product_but_zeros(sizes: Any) -> int:
    return math.prod([d for d in sizes if d > 0])


def _reshape(tensor: Array, shape: Array) -> Any:
    if shape.ndim != 1:
        raise IncompatibleShapesError(
            f"reshape: shape must be a vector, got shape {list(shape.shape)}"
        )
    return tensor.reshape(_new_dims(shape.tolist(), tensor.size, tensor.shape))


def _reshape_infer(tensor: TensorSpec, shape: TensorSpec) -> TensorSpec:
    if shape.shape.dims is not None and len(shape.shape.dims) != 1:
        raise IncompatibleShapesError(
            f"reshape: shape must be a vector, got shape {list(shape.shape.dims)}"
        )
    requested = known_sizes(shape)
    known_dims = [d for d in requested or () if d is not None]
    if requested is None or len(known_dims) < len(requested):
        dims = None if requested is None else [None if d == -1 else d for d in requested]
        return TensorSpec(dims, tensor.dtype)
    dims = _new_dims(known_dims, tensor.shape.num_elements(), tensor.shape)
    return TensorSpec(dims, tensor.dtype)


reshape_op = define(
    "reshape",
    inputs="tensor shape",
    same_dtype_inputs=slice(0, 1),
    kernel=_reshape,
    infer=_reshape_infer,
    grad=lazy_gradient("shape.reshape"),
    node_name="Reshape",
    overloads=(np.reshape,), lower=OnArrays(selects=selections.reshaped),
    never_raises=known_values,
    traits=(RESHAPES,),
    samples=lambda: [
        case(spread(0, 1, 2, 3), [3, -1]),
        case(spread(0, 1, 2, 3), [6]),
        case(5, [1, 1]),
        case(np.zeros((0, 3)), [-1, 3]),
        case(["a", "b"], [2, 1]),
        case([1], array([], np.int32)),
    ],
    doc="Reshape a tensor; one size may be -1, which takes what is left.",
)


def reshape(tensor: TensorLike, shape: ShapeLike, name: str | None = None) -> Any:
    """Reshape a tensor; its elements keep their row-major order.

    Args:
        tensor: tensor of any dtype.
        shape: new shape, integers; one may be -1, which takes what is left. It may be a tensor.
    Returns:
        Tensor of that shape and of the dtype of ``tensor``.
    Raises:
        InvalidArgumentError: the numbers of elements differ, or two sizes are -1 (also a
            ValueError).
    """
    return reshape_op(tensor, whole_numbers(shape), name=name)


def _order(rank: int, perm: Any) -> list[int]:
    if perm is None:
        return list(range(rank))[::-1]
    axes = [int(p) for p in np.asarray(perm).reshape(-1)]
    if sorted(a % rank if -rank <= a < rank else a for a in axes) != list(range(rank)):
        raise InvalidArgumentError(
            f"transpose: perm must hold each of the {rank} axes once, got {axes}"
        )
    return [a % rank for a in axes]


def _transpose(a: Array, *perm: Array) -> Any:
    return np.transpose(a, _order(a.ndim, perm[0] if perm else None))


def _transpose_infer(a: TensorSpec, *perm: TensorSpec) -> TensorSpec:
    dims = a.shape.dims
    if dims is None:
        return TensorSpec(shape_from(TensorSpec(perm[0].shape)) if perm else None, a.dtype)
    if perm and perm[0].value is None:
        return TensorSpec([None] * len(dims), a.dtype)
    order = _order(len(dims), perm[0].value if perm else None)
    return TensorSpec([dims[i] for i in order], a.dtype)


transpose_op = define(
    "transpose",
    inputs="a *perm",
    same_dtype_inputs=slice(0, 1),
    kernel=_transpose,
    infer=_transpose_infer,
    grad=lazy_gradient("shape.transpose"),
    overloads=(np.transpose,), lower=OnArrays(selects=selections.transposed),
    never_raises=known_values,
    samples=lambda: [
        case(spread(0, 1, 2, 3)),
        case(spread(0, 1, 2, 3, 4), [1, 2, 0]),
        case(array([[1, 2]]), [0, 1]),
        case(4),
    ],
    doc="Permute the axes by ``perm``; without it reverse them.",
)


def transpose(
    a: TensorLike, perm: TensorLike | None = None, conjugate: bool = False, name: str = "transpose"
) -> Any:
    """Permute the axes of a tensor.

    Args:
        a: tensor of any dtype, of rank R.
        perm: R integers: axis i of the result is axis ``perm[i]`` of ``a``; by default the reverse
            order.
        conjugate: whether to conjugate the elements, too.
    Returns:
        Tensor of the dtype of ``a``.
    Raises:
        InvalidArgumentError: ``perm`` does not hold each axis once (also a ValueError).
    """
    if conjugate:
        a = lookup("conj")(a)
    order = () if perm is None else (whole_numbers(perm, "perm"),)
    return transpose_op(a, *order, name=name)


def _expand_infer(x: TensorSpec, *, axis: int) -> TensorSpec:
    dims = x.shape.dims
    if dims is None:
        return TensorSpec(UNKNOWN_SHAPE, x.dtype)
    at = normal_axis(axis, len(dims) + 1)
    return TensorSpec((*dims[:at], 1, *dims[at:]), x.dtype)


expand_dims_op = define(
    "expand_dims", inputs="input", infer=_expand_infer, node_name="ExpandDims",
    kernel=lambda x, *, axis: np.expand_dims(x, axis),
    grad=lazy_gradient("shape.same_elements"),
    overloads=(np.expand_dims,), never_raises=ranked, traits=(RESHAPES,),
    lower=OnArrays(selects=selections.expanded),
    samples=lambda: [OpSample((spread(0, 1, 2, 3),), {"axis": a}) for a in (0, 1, -1)]
    + [case(5, axis=0)],
    doc="Insert an axis of size 1.",
)


def expand_dims(input: TensorLike, axis: AxisLike, name: str | None = None) -> Any:
    """Insert an axis of size 1.

    Args:
        input: tensor of any dtype, of rank R.
        axis: position of the new axis in the result, from -(R + 1) to R; it may be a tensor.
    Returns:
        Tensor of rank R + 1 and of the dtype of ``input``.
    Raises:
        InvalidArgumentError: ``axis`` is out of range (also a ValueError).
    """
    if isinstance(axis, list | tuple) and len(axis) == 1:
        (axis,) = axis
    if dynamic_axes.is_computed(axis):
        return dynamic_axes.expanded(input, axis)
    return expand_dims_op(input, axis=static_int(axis, "axis"), name=name)


def _gone(dims: tuple[int | None, ...], axis: tuple[int, ...] | None) -> Any:
    """The axes that squeeze takes away; None when that depends on an unknown size."""
    if axis is None:
        return None if None in dims else [i for i, d in enumerate(dims) if d == 1]
    gone = sorted({normal_axis(a, len(dims)) for a in axis})
    for i in gone:
        if dims[i] not in (1, None):
            raise IncompatibleShapesError(
                f"Can not squeeze dim[{i}], expected a dimension of 1, got {dims[i]}"
            )
    return gone


def _squeeze(x: Array, *, axis: tuple[int, ...] | None) -> Any:
    return np.squeeze(x, tuple(_gone(x.shape, axis)))


def _squeeze_infer(x: TensorSpec, *, axis: tuple[int, ...] | None) -> TensorSpec:
    dims = x.shape.dims
    gone = None if dims is None else _gone(dims, axis)
    if dims is None or gone is None:
        return TensorSpec(UNKNOWN_SHAPE, x.dtype)
    return TensorSpec([d for i, d in enumerate(dims) if i not in gone], x.dtype)


squeeze_op = define(
    "squeeze", inputs="input", kernel=_squeeze, infer=_squeeze_infer, node_name="Squeeze",
    grad=lazy_gradient("shape.same_elements"),
    overloads=(np.squeeze,), never_raises=known, traits=(RESHAPES,),
    lower=OnArrays(selects=selections.squeezed),
    samples=lambda: [
        OpSample((spread(0, 1, 1, 3, 1),), {"axis": a}) for a in (None, (0,), (-1,), (0, 2), ())
    ],
    doc="Remove axes of size 1.",
)


def squeeze(input: TensorLike, axis: AxisLike | None = None, name: str | None = None) -> Any:
    """Remove axes of size 1.

    Args:
        input: tensor of any dtype.
        axis: axis or axes to remove; by default all of size 1.
    Returns:
        Tensor of the dtype of ``input``.
    Raises:
        InvalidArgumentError: an axis is out of range or has another size (also a ValueError).
    """
    axes = None if axis is None else static_ints(axis, "axis") or None
    return squeeze_op(input, axis=axes, name=name)


def _broadcast_to(x: Array, shape: Array) -> Any:
    return np.broadcast_to(x, dims_of(shape))


def _broadcast_to_infer(x: TensorSpec, shape: TensorSpec) -> TensorSpec:
    target = shape_from(shape)
    if target.dims is not None and x.shape.dims is not None:
        joined = broadcast_shapes(x.shape, target)
        if not target.is_compatible_with(joined):
            raise IncompatibleShapesError(
                f"Incompatible shapes: {x.shape} cannot be broadcast to {target}"
            )
    return TensorSpec(target, x.dtype)


broadcast_to_op = define(
    "broadcast_to", inputs="input shape", same_dtype_inputs=slice(0, 1), node_name="BroadcastTo",
    kernel=checked(_broadcast_to, _broadcast_to_infer), infer=_broadcast_to_infer,
    grad=lazy_gradient("shape.broadcast_to"),
    overloads=(np.broadcast_to,), never_raises=known_values, raises=(),
    lower=OnArrays(selects=selections.broadcast, like="backprop.broadcast_to"),
    samples=lambda: [case([1, 2], [3, 2]), case(1.5, [2]), case([[1], [2]], [2, 0])],
    doc="Broadcast to ``shape``, without copying.",
)


def broadcast_to(input: TensorLike, shape: ShapeLike, name: str | None = None) -> Any:
    """Broadcast a tensor to a shape.

    Args:
        input: tensor of any dtype.
        shape: shape of the result; it may be a tensor.
    Returns:
        Tensor of that shape and of the dtype of ``input``.
    Raises:
        InvalidArgumentError: ``input`` does not broadcast to ``shape`` (also a ValueError).
    """
    return broadcast_to_op(input, whole_numbers(shape), name=name)


def _reverse(x: Array, *, axis: tuple[int, ...]) -> Any:
    for a in axis:
        normal_axis(a, x.ndim)
    return np.flip(x, axis) if axis else x


def _reverse_infer(x: TensorSpec, *, axis: tuple[int, ...]) -> TensorSpec:
    for a in axis if x.shape.dims is not None else ():
        normal_axis(a, len(x.shape))
    return same(x)


reverse_op: OpDef = define(
    "reverse",
    inputs="tensor",
    kernel=_reverse,
    infer=_reverse_infer,
    grad=lambda x, y, dy, *, axis: (reverse_op(dy, axis=axis),),
    node_name="ReverseV2",
    overloads=(np.flip,), lower=OnArrays(selects=selections.reversed_along),
    never_raises=ranked,
    samples=lambda: [OpSample((spread(0, 1, 2, 3),), {"axis": a}) for a in ((0,), (0, -1), ())],
    doc="Reverse the order of the entries along axes.",
)


def reverse(tensor: TensorLike, axis: AxisLike, name: str | None = None) -> Any:
    """Reverse the order of the entries along axes.

    Args:
        tensor: tensor of any dtype.
        axis: list of axes; it may be a tensor of one number.
    Returns:
        Tensor of the shape and dtype of ``tensor``.
    Raises:
        InvalidArgumentError: an axis is out of range or named twice (also a ValueError).
    """
    if dynamic_axes.is_computed(axis) and axis.shape.num_elements() == 1:
        return dynamic_axes.along(tensor, axis, lambda x: reverse_op(x, axis=(-1,), name=name))
    return reverse_op(tensor, axis=static_ints(axis, "axis"), name=name)


def _roll(x: Array, shift: Array, *, axis: tuple[int, ...]) -> Any:
    shifts = np.broadcast_to(shift, (len(axis),)).tolist()
    return np.roll(x, shifts, axis)


def _roll_infer(x: TensorSpec, shift: TensorSpec, *, axis: tuple[int, ...]) -> TensorSpec:
    return _reverse_infer(x, axis=axis)


roll_op = define(
    "roll",
    inputs="input shift",
    same_dtype_inputs=slice(0, 1),
    kernel=_roll,
    infer=_roll_infer,
    grad=lazy_gradient("shape.roll"),
    node_name="Roll",
    overloads=(np.roll,), lower=OnArrays(element=elements.rolled),
    samples=lambda: [case([1, 2, 3], 1, axis=(0,)), case(spread(0, 1, 2, 3), [1, -2], axis=(0, 1))],
    doc="Shift the entries along axes; what leaves at one end enters at the other.",
)


def roll(input: TensorLike, shift: TensorLike, axis: AxisLike, name: str | None = None) -> Any:
    """Shift the entries along axes; what leaves at one end enters at the other.

    Args:
        input: tensor of any dtype.
        shift: integer, or one for each axis.
        axis: axis or axes; it may be a tensor of one number.
    Returns:
        Tensor of the shape and dtype of ``input``.
    Raises:
        InvalidArgumentError: an axis is out of range, or the numbers of shifts and axes differ
            (also a ValueError).
    """
    moves = whole_numbers(shift, "shift")
    if dynamic_axes.is_computed(axis) and axis.shape.num_elements() == 1:
        return dynamic_axes.along(input, axis, lambda x: roll_op(x, moves, axis=(-1,), name=name))
    return roll_op(input, moves, axis=static_ints(axis, "axis"), name=name)


def _ensure(x: Array, *, shape: TensorShape) -> Any:
    if not shape.is_compatible_with(x.shape):
        raise IncompatibleShapesError(
            f"Shape of tensor {TensorShape(x.shape)} is not compatible with expected shape {shape}."
        )
    return x


def _ensure_infer(x: TensorSpec, *, shape: TensorShape) -> TensorSpec:
    if not shape.is_compatible_with(x.shape):
        raise IncompatibleShapesError(
            f"Shape of tensor {x.shape} is not compatible with expected shape {shape}."
        )
    return TensorSpec(x.shape.merge_with(shape), x.dtype)


ensure_shape_op = define(
    "ensure_shape",
    kernel=_ensure,
    infer=_ensure_infer,
    grad=lambda x, y, dy, *, shape: (dy,), node_name="EnsureShape",
    never_raises=shaped, lower=Composes("array.ensure_shape"),
    samples=lambda: [case([1.0, 2.0], shape=TensorShape([None])), case(3, shape=TensorShape([]))],
    doc="Return the same value, after a check that its shape is compatible with ``shape``.",
)


def ensure_shape(x: TensorLike, shape: ShapeLike, name: str | None = None) -> Any:
    """Declare the shape of a tensor and check it when it runs.

    Args:
        x: tensor of any dtype.
        shape: shape, in which None stands for any size.
    Returns:
        The tensor ``x``, with the static shape that both say.
    Raises:
        InvalidArgumentError: ``x`` has another shape (also a ValueError).
    """
    return ensure_shape_op(x, shape=TensorShape(shape), name=name)


def broadcast_static_shape(shape_x: ShapeLike, shape_y: ShapeLike) -> TensorShape:
    """Compute the static shape of two tensors broadcast together.

    Args:
        shape_x: static shape of the first tensor.
        shape_y: static shape of the second tensor.
    Returns:
        TensorShape of the result.
    Raises:
        ValueError: the shapes do not broadcast (also an InvalidArgumentError).
    """
    return broadcast_shapes(TensorShape(shape_x), TensorShape(shape_y))


def _broadcast_args(x: Array, y: Array) -> Any:
    return np.array(np.broadcast_shapes(dims_of(x), dims_of(y)), x.dtype)


def _broadcast_args_infer(x: TensorSpec, y: TensorSpec) -> TensorSpec:
    lengths = [s.shape.dims[0] if s.shape.dims else None for s in (x, y)]
    return TensorSpec([None if None in lengths else max(n or 0 for n in lengths)], x.dtype)


broadcast_args_op = define(
    "broadcast_dynamic_shape",
    inputs="shape_x shape_y",
    kernel=_broadcast_args,
    infer=_broadcast_args_infer,
    dtype_kinds="iu",
    grad=None,
    node_name="BroadcastArgs",
    samples=lambda: [case([2, 1], [3]), case(array([], np.int32), [4])],
    doc="Compute the shape, as a vector, of two tensors of these shapes broadcast together.",
)


def broadcast_dynamic_shape(shape_x: ShapeLike, shape_y: ShapeLike) -> Any:
    """Compute the shape of two tensors broadcast together when it runs.

    Args:
        shape_x: shape of the first tensor, a vector of integers.
        shape_y: shape of the second tensor, a vector of integers.
    Returns:
        Vector of integers.
    Raises:
        InvalidArgumentError: the shapes do not broadcast (also a ValueError).
    """
    return broadcast_args_op(whole_numbers(shape_x), whole_numbers(shape_y))


def sizes_of(x: Any) -> list[Any]:
    """The sizes of a tensor of known rank: ints where they are known, else scalar tensors."""
    if x.shape.is_fully_defined():
        return list(x.shape.as_list())
    computed = shape_op(x, out_type=int32)
    return [computed[i] if d is None else d for i, d in enumerate(x.shape.as_list())]


def of_rank(tensor: Any, rank: int) -> Any:
    """``tensor``, whose rank is ``rank`` from here on where it was not known before."""
    x = dispatch.convert(tensor)
    return ensure_shape_op(x, shape=TensorShape([None] * rank)) if x.shape.dims is None else x


def known_rank(tensor: Any, caller: str) -> int:
    """The rank of a tensor; ValueError when it is not known."""
    dims = dispatch.convert(tensor).shape.dims
    if dims is None:
        raise ValueError(f"{caller} needs a tensor of known rank; use ensure_shape or set_shape")
    return len(dims)
