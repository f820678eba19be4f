"""Op definitions of joining and splitting: stack, concat, split, tile, pad, repeat."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops import dispatch
from runtime.ops.array import dynamic_axes
from runtime.ops.op import CONCATENATES, define, lookup
from runtime.ops.rules import elements, selections
from runtime.ops.rules.inference import folding, known_sizes, normal_axis, with_sizes
from runtime.ops.rules.kernels import checked
from runtime.ops.rules.lazy_gradient import lazy_gradient
from runtime.ops.rules.lowering import OnArrays
from runtime.ops.rules.never_raises import known
from runtime.ops.rules.samples import array, case, spread
from runtime.ops.rules.static_arguments import listed, static_int, static_ints, whole_numbers
from runtime.types.aliases import AxisLike, TensorLike
from runtime.types.dtypes import Array, string
from runtime.types.errors import IncompatibleShapesError, InvalidArgumentError
from runtime.types.shapes import UNKNOWN_SHAPE, TensorShape, TensorSpec

__all__ = ["concat", "pad", "repeat", "split", "stack", "tile", "unstack"]


def _stack_infer(*values: TensorSpec, axis: int) -> TensorSpec:
    shape = values[0].shape
    for i, value in enumerate(values):
        if not shape.is_compatible_with(value.shape):
            raise IncompatibleShapesError(
                f"Shapes of all inputs must match: values[0].shape = {shape} != "
                f"values[{i}].shape = {value.shape}"
            )
        shape = shape.merge_with(value.shape)
    if shape.dims is None:
        return TensorSpec(UNKNOWN_SHAPE, values[0].dtype)
    at = normal_axis(axis, len(shape.dims) + 1)
    dims = (*shape.dims[:at], len(values), *shape.dims[at:])
    spec = TensorSpec(TensorShape(dims), values[0].dtype)
    if shape.dims or not spec.dtype.is_integer:
        return spec
    return with_sizes(spec, [None if v.value is None else int(v.value) for v in values])


def _stack(*values: Array, axis: int) -> Any:
    dims = values[0].shape
    if any(value.shape != dims for value in values):
        return np.stack(values, axis=axis)  # raises
    at = normal_axis(axis, len(dims) + 1)
    place = (slice(None),) * at + (None,)
    return np.concatenate([value[place] for value in values], at)  # a third of ``stack``'s time


stack_op = define(
    "stack",
    inputs="*values",
    kernel=_stack,
    infer=folding(_stack, _stack_infer),
    grad=lazy_gradient("concat_split.stack"),
    overloads=(np.stack,), lower=OnArrays(places=selections.stacked),
    never_raises=known,
    type_name="Pack",
    samples=lambda: [
        case(spread(0, 1, 2, 3), spread(2, 3, 2, 3), axis=1),
        case(1, 2, 3, axis=0),
        case(["a"], ["b"], axis=-1),
        case([[1]], axis=0),
    ],
    doc="Stack tensors of one shape along a new axis.",
)


def stack(values: TensorLike, axis: int = 0, name: str = "stack") -> Any:
    """Stack tensors along a new axis.

    Args:
        values: sequence of tensors of one shape and dtype and of rank R; a tensor is unstacked
            first.
        axis: position of the new axis in the result, from -(R + 1) to R.
    Returns:
        Tensor of rank R + 1 and of the dtype of ``values``.
    Raises:
        InvalidArgumentError: the shapes differ or ``axis`` is out of range (also a ValueError); the
            dtypes differ (also a TypeError).
    """
    if dispatch.conversion_for(values) is not None:  # a list whose length is not known yet
        stacked = dispatch.convert(values)
        places = [*range(1, len(stacked.shape))]
        at = normal_axis(static_int(axis, "axis"), len(stacked.shape))
        order = [*places[:at], 0, *places[at:]]
        return stacked if at == 0 else lookup("transpose")(stacked, order)
    if not isinstance(values, list | tuple):
        values = unstack(values)
    if not values:  # TensorFlow makes an empty vector of it, whatever the axis
        return dispatch.convert(values)
    return stack_op(*values, axis=static_int(axis, "axis"), name=name)


def _unstack(value: Array, *, num: int, axis: int) -> tuple[Any, ...]:
    at = normal_axis(axis, value.ndim)
    if value.shape[at] != num:
        raise ValueError(f"axis {axis} has {value.shape[at]} entries, expected {num}")
    return tuple(np.moveaxis(value, at, 0))


def _unstack_infer(value: TensorSpec, *, num: int, axis: int) -> tuple[TensorSpec, ...]:
    dims = value.shape.dims
    if dims is None:
        return (TensorSpec(UNKNOWN_SHAPE, value.dtype),) * num
    at = normal_axis(axis, len(dims))
    if dims[at] not in (None, num):
        raise IncompatibleShapesError(f"axis {axis} has {dims[at]} entries, expected {num}")
    return (TensorSpec(TensorShape(dims[:at] + dims[at + 1 :]), value.dtype),) * num


unstack_op = define(
    "unstack",
    inputs="value",
    kernel=_unstack,
    infer=_unstack_infer,
    grad=lazy_gradient("concat_split.unstack"),
    never_raises=known,
    type_name="Unpack",
    samples=lambda: [
        case(spread(0, 1, 2, 3), num=2, axis=0),
        case(spread(0, 1, 2, 3), num=3, axis=-1),
        case(array([4, 5]), num=2, axis=0),
    ],
    doc="Split a tensor into its slices along an axis, which is removed.",
)


def unstack(
    value: TensorLike, num: int | None = None, axis: int = 0, name: str = "unstack"
) -> list[Any]:
    """Split a tensor into its slices along an axis.

    Args:
        value: tensor of any dtype, of rank 1 or more.
        num: number of slices; by default the size of the axis.
        axis: axis that is removed, from -R to R - 1.
    Returns:
        List of ``num`` tensors of the dtype of ``value``, each without the axis.
    Raises:
        ValueError: ``num`` is not given and the size of the axis is unknown.
        InvalidArgumentError: ``num`` is not the size of the axis, or ``axis`` is out of range.
    """
    tensor = dispatch.convert(value)
    if num is None and tensor.shape.dims is not None:
        num = tensor.shape[normal_axis(axis, len(tensor.shape))]
    if num is None:
        raise ValueError(f"Cannot infer argument `num` from shape {tensor.shape}; pass num=...")
    if num == 0:  # an operation without outputs would not run: the size must be known now
        dims = tensor.shape.dims
        if dims is None or dims[normal_axis(axis, len(dims))] is None:
            raise ValueError(f"unstack: num=0 needs a known size, got shape {tensor.shape}")
        _unstack_infer(TensorSpec(tensor.shape, tensor.dtype), num=0, axis=axis)
        return []
    return list(unstack_op(tensor, num=num, axis=axis, name=name))


def _concat_infer(*values: TensorSpec, axis: int) -> TensorSpec:
    known_dims = [v.shape.dims for v in values if v.shape.dims is not None]
    if not known_dims:
        return TensorSpec(UNKNOWN_SHAPE, values[0].dtype)
    rank = len(known_dims[0])
    at = normal_axis(axis, rank, "concat: axis")
    shape_around = TensorShape([None] * (rank - 1))
    total: int | None = 0
    for i, value in enumerate(values):
        dims = value.shape.dims
        if dims is None:
            total = None
            continue
        dims_around = TensorShape(dims[:at] + dims[at + 1 :])
        if len(dims) != rank or not shape_around.is_compatible_with(dims_around):
            shapes = ", ".join(str(v.shape) for v in values)
            raise IncompatibleShapesError(
                f"concat: dimensions of inputs should match except along axis {at}; "
                f"input {i} does not fit: {shapes}"
            )
        shape_around = shape_around.merge_with(dims_around)
        size = dims[at]
        total = None if total is None or size is None else total + size
    assert shape_around.dims is not None
    spec = TensorSpec((*shape_around.dims[:at], total, *shape_around.dims[at:]), values[0].dtype)
    sizes = [known_sizes(v) for v in values] if rank == 1 and spec.dtype.is_integer else [None]
    return spec if None in sizes else with_sizes(spec, [n for s in sizes for n in s or ()])


def _concat(*values: Array, axis: int) -> Any:
    return np.concatenate(values, axis=axis)


concat_op = define(
    "concat",
    inputs="*values",
    kernel=_concat,
    infer=folding(_concat, _concat_infer),
    grad=lazy_gradient("concat_split.concat"),
    overloads=(np.concatenate,), lower=OnArrays(places=selections.concatenated),
    traits=(CONCATENATES,),
    never_raises=known,
    type_name="ConcatV2",
    samples=lambda: [
        case(spread(0, 1, 2, 3), spread(2, 3, 1, 3), axis=0),
        case(spread(0, 1, 2, 3), spread(2, 3, 2, 1), axis=-1),
        case(["a"], ["b", "c"], axis=0),
        case([1, 2], array([], np.int32), axis=0),
    ],
    doc="Concatenate tensors along an axis.",
)


def concat(values: TensorLike, axis: AxisLike, name: str = "concat") -> Any:
    """Concatenate tensors along an existing axis.

    Args:
        values: sequence of tensors of one dtype and rank; all sizes but that of ``axis`` agree.
        axis: axis along which to join; it may be a tensor.
    Returns:
        Tensor of the inputs' dtype; its size along ``axis`` is the sum of theirs.
    Raises:
        InvalidArgumentError: other sizes differ or ``axis`` is out of range (also a ValueError);
            the dtypes differ (also a TypeError).
    """
    values = values if isinstance(values, list | tuple) else [values]
    if isinstance(axis, list | tuple) and len(axis) == 1:
        (axis,) = axis
    if dynamic_axes.is_computed(axis):
        tensors = listed(values, "values")
        return dynamic_axes.together(tensors, axis, lambda v: concat_op(*v, axis=-1, name=name))
    return concat_op(*listed(values, "values"), axis=static_int(axis, "axis"), name=name)


def _part_sizes(sizes: tuple[int, ...] | None, num: int, total: int | None) -> list[int | None]:
    """The sizes of the parts of a split; -1 takes what is left."""
    if sizes is None:
        if total is not None and total % num:
            raise IncompatibleShapesError(
                f"split: the size of the axis must be a multiple of the number of parts, but "
                f"{total} is no multiple of {num}. Give the sizes as a list."
            )
        return [None if total is None else total // num] * num
    if total is None:
        return [None if s < 0 else s for s in sizes]
    remaining = total - sum(s for s in sizes if s >= 0)
    strange = sizes.count(-1) > 1 or min(sizes, default=0) < -1
    if strange or remaining < 0 or (remaining > 0 and -1 not in sizes):
        raise IncompatibleShapesError(
            f"split: the sizes {list(sizes)} must sum up to the size of the axis, {total}; "
            "one of them may be -1"
        )
    return [remaining if s < 0 else s for s in sizes]


def _split(value: Array, *, sizes: tuple[int, ...] | None, num: int, axis: int) -> Any:
    at = normal_axis(axis, value.ndim)
    section_sizes: Any = _part_sizes(sizes, num, value.shape[at])
    return tuple(np.split(value, np.cumsum(section_sizes)[:-1], axis=at)) if section_sizes else ()


def _split_infer(value: TensorSpec, *, sizes: tuple[int, ...] | None, num: int, axis: int) -> Any:
    dims = value.shape.dims
    if dims is None:
        return (TensorSpec(UNKNOWN_SHAPE, value.dtype),) * num
    at = normal_axis(axis, len(dims))
    section_sizes = _part_sizes(sizes, num, dims[at])
    return tuple(TensorSpec((*dims[:at], p, *dims[at + 1 :]), value.dtype) for p in section_sizes)


split_op = define(
    "split",
    inputs="value",
    kernel=_split,
    infer=_split_infer,
    grad=lazy_gradient("concat_split.split"), lower=OnArrays(parts=selections.split),
    never_raises=known,
    samples=lambda: [
        case(spread(0, 1, 2, 6), sizes=None, num=3, axis=1),
        case(spread(0, 1, 4), sizes=(1, -1), num=2, axis=0),
        case(spread(0, 1, 4, 2), sizes=(1, 3), num=2, axis=-2),
    ],
    doc="Split a tensor along an axis.",
)


def _split_by(value: Array, sizes: Array, *, num: int, axis: int) -> Any:
    if sizes.shape != (num,):
        raise IncompatibleShapesError(
            f"split: the sizes must be a vector of num={num} numbers, got shape "
            f"{list(sizes.shape)}"
        )
    return _split(value, sizes=tuple(sizes.tolist()), num=num, axis=axis)


def _split_by_infer(value: TensorSpec, sizes: TensorSpec, *, num: int, axis: int) -> Any:
    if not sizes.shape.is_compatible_with([num]):
        raise IncompatibleShapesError(
            f"split: the sizes must be a vector of num={num} numbers, got shape {sizes.shape}"
        )
    if sizes.value is not None:
        return _split_infer(value, sizes=tuple(sizes.value.tolist()), num=num, axis=axis)
    dims = value.shape.dims
    if dims is None:
        return (TensorSpec(UNKNOWN_SHAPE, value.dtype),) * num
    at = normal_axis(axis, len(dims))
    return (TensorSpec((*dims[:at], None, *dims[at + 1 :]), value.dtype),) * num


split_by_op = define(
    "split_by_sizes",
    inputs="value sizes",
    same_dtype_inputs=slice(0, 1),
    kernel=_split_by,
    infer=_split_by_infer,
    grad=lazy_gradient("concat_split.split_by_sizes"),
    node_name="SplitV",
    samples=lambda: [
        case(spread(0, 1, 2, 6), [1, -1, 2], num=3, axis=1),
        case(spread(0, 1, 4), [0, 4], num=2, axis=0),
    ],
    doc="Split a tensor along an axis into parts of sizes that only the run knows.",
)


def split(value: TensorLike, num_or_size_splits: Any, axis: AxisLike = 0, num: int | None = None,
          name: str = "split") -> list[Any]:  # fmt: skip
    """Split a tensor into parts along an axis.

    Args:
        value: tensor of any dtype.
        num_or_size_splits: number of equal parts, or a vector of sizes, one of which may be -1.
        axis: axis to split; it may be a tensor.
        num: number of parts, where a tensor of sizes does not show it.
    Returns:
        List of tensors of the dtype of ``value`` that differ from it in the size of ``axis`` only.
    Raises:
        ValueError: the number of parts is less than 1, or not known; the size of the axis is not
            their multiple, or not the sum of the sizes (also an InvalidArgumentError).
        InvalidArgumentError: ``num`` contradicts the number of sizes, or ``axis`` is out of range.
    """
    if dynamic_axes.is_computed(axis):
        return dynamic_axes.apart(value, axis, lambda x: split(x, num_or_size_splits, -1, num))
    at = static_int(axis, "axis")
    if dynamic_axes.is_computed(num_or_size_splits) and num_or_size_splits.shape.rank != 0:
        sizes = whole_numbers(num_or_size_splits, "num_or_size_splits")
        count = num if sizes.shape.dims is None else sizes.shape[0]
        if count is None:
            raise ValueError(
                f"split: give num where the number of sizes is not known, got {sizes!r}"
            )
        return list(split_by_op(value, sizes, num=count, axis=at, name=name) or ())
    if isinstance(num_or_size_splits, list | tuple) or np.ndim(num_or_size_splits):
        sizes = static_ints(num_or_size_splits, "num_or_size_splits")
        if num not in (None, len(sizes)):
            raise IncompatibleShapesError(
                f"split: num is {num}, but there are {len(sizes)} sizes: {list(sizes)}"
            )
        return list(split_op(value, sizes=sizes, num=len(sizes), axis=at, name=name) or ())
    count = static_int(num_or_size_splits, "num_or_size_splits")
    if count < 1:
        raise ValueError(f"split: the number of parts must be 1 or more, got {count}")
    return list(split_op(value, sizes=None, num=count, axis=at, name=name))


def _check_multiples(multiples: Any, rank: int) -> list[int]:
    counts = np.asarray(multiples).reshape(-1).tolist()
    if len(counts) != rank or any(c < 0 for c in counts):
        raise InvalidArgumentError(
            f"tile: multiples must be one number of 0 or more for each of the {rank} axes, "
            f"got {counts}"
        )
    return counts


def _tile(x: Array, multiples: Array) -> Any:
    return np.tile(x, _check_multiples(multiples, x.ndim))


def _tile_infer(x: TensorSpec, multiples: TensorSpec) -> TensorSpec:
    dims = x.shape.dims
    if dims is None and multiples.value is not None:
        dims = (None,) * np.size(multiples.value)  # as many as there are numbers
    if dims is None:
        return TensorSpec(UNKNOWN_SHAPE, x.dtype)
    if multiples.value is None:
        return TensorSpec([None] * len(dims), x.dtype)
    counts = _check_multiples(multiples.value, len(dims))
    pairs = zip(dims, counts, strict=True)
    return TensorSpec([0 if not c else None if d is None else d * c for d, c in pairs], x.dtype)


tile_op = define(
    "tile",
    inputs="input multiples",
    same_dtype_inputs=slice(0, 1),
    kernel=_tile,
    infer=_tile_infer,
    grad=lazy_gradient("concat_split.tile"),
    node_name="Tile", lower=OnArrays(element=elements.tiled),
    overloads=(np.tile,),
    samples=lambda: [case([[1, 2]], [2, 3]), case([1.5], [0]), case(["a"], [2])],
    doc="Repeat a tensor as a whole along each axis.",
)


def tile(input: TensorLike, multiples: TensorLike, name: str | None = None) -> Any:
    """Repeat a tensor as a whole along each axis.

    Args:
        input: tensor of any dtype, of rank R.
        multiples: R integers of 0 or more: the number of copies along each axis.
    Returns:
        Tensor of the dtype of ``input``; its size along axis i is ``multiples[i]`` times as large.
    Raises:
        InvalidArgumentError: ``multiples`` has another length or a negative number (also a
            ValueError).
    """
    return tile_op(input, whole_numbers(multiples, "multiples"), name=name)


MODES = {"CONSTANT": "constant", "REFLECT": "reflect", "SYMMETRIC": "symmetric"}


def _check_scalar(value: TensorShape) -> None:
    if value.rank not in (None, 0):
        raise InvalidArgumentError(f"pad: constant_values must be a scalar, got shape {value}")


def _pad(x: Array, paddings: Array, value: Array, *, mode: str) -> Any:
    _check_scalar(TensorShape(np.shape(value)))
    if paddings.shape != (x.ndim, 2) or (paddings < 0).any():
        raise InvalidArgumentError(
            f"pad: paddings must be {x.ndim} pairs of numbers of 0 or more, one for each axis, "
            f"got {paddings.tolist()}"
        )
    if not x.ndim:
        return x.copy()
    if mode == "CONSTANT":
        return np.pad(x, paddings, constant_values=value)
    room = np.array(x.shape) - (1 if mode == "REFLECT" else 0)
    if (paddings > room[:, None]).any():
        raise InvalidArgumentError(
            f"pad: mode {mode} takes at most {room.tolist()} elements at each end of the axes, "
            f"got {paddings.tolist()}"
        )
    return np.pad(x, paddings, mode=MODES[mode])  # type: ignore[call-overload]


def _pad_infer(x: TensorSpec, paddings: TensorSpec, value: TensorSpec, *, mode: str) -> TensorSpec:
    _check_scalar(value.shape)
    dims = x.shape.dims
    if dims is None and paddings.shape.dims is not None and paddings.shape.rank == 2:
        dims = None if paddings.shape[0] is None else (None,) * paddings.shape[0]
    if dims is None:
        return TensorSpec(UNKNOWN_SHAPE, x.dtype)
    if paddings.value is None:
        return TensorSpec([None] * len(dims), x.dtype)
    pairs = np.asarray(paddings.value)
    if pairs.shape != (len(dims), 2) or (pairs < 0).any():
        raise InvalidArgumentError(
            f"pad: paddings must be {len(dims)} pairs of numbers of 0 or more, one for each axis, "
            f"got {pairs.tolist()}"
        )
    sizes = zip(dims, pairs.sum(1).tolist(), strict=True)
    return TensorSpec([None if d is None else d + added for d, added in sizes], x.dtype)


pad_op = define(
    "pad",
    inputs="tensor paddings constant_values",
    same_dtype_inputs=None,
    kernel=_pad,
    infer=_pad_infer,
    grad=lazy_gradient("concat_split.pad"),
    node_name="PadV2", lower=OnArrays(element=elements.padded),
    overloads=(np.pad,),
    samples=lambda: [
        case([[1, 2]], [[1, 0], [0, 2]], 9, mode="CONSTANT"),
        case([1.0, 2.0, 3.0], [[2, 1]], 0.0, mode="REFLECT"),
        case([1.0, 2.0, 3.0], [[2, 3]], 0.0, mode="SYMMETRIC"),
    ],
    doc="Add elements at both ends of each axis.",
)


def pad(tensor: TensorLike, paddings: TensorLike, mode: str = "CONSTANT",
        constant_values: TensorLike = 0, name: str | None = None) -> Any:  # fmt: skip
    """Add elements at both ends of each axis.

    Args:
        tensor: tensor of any dtype, of rank R.
        paddings: integers of shape (R, 2): how many elements go before and after each axis.
        mode: 'CONSTANT' adds ``constant_values``; 'REFLECT' and 'SYMMETRIC' mirror the tensor,
            without and with its edge.
        constant_values: scalar of the dtype of ``tensor``; 0, or the empty string, by default.
    Returns:
        Tensor of the dtype of ``tensor``, of ``paddings[i, 0] + paddings[i, 1]`` more along axis i.
    Raises:
        ValueError: ``mode`` is unknown, or ``paddings`` does not fit (also an
            InvalidArgumentError).
        InvalidArgumentError: there are fewer elements to mirror than ``paddings`` asks for, or
            ``constant_values`` is no scalar.
    """
    if mode.upper() not in MODES:
        raise ValueError(f"pad: unknown mode {mode!r}; expected one of {', '.join(MODES)}")
    x = dispatch.convert(tensor)
    if type(constant_values) is int and constant_values == 0:  # the default, for any dtype
        constant_values = b"" if x.dtype is string else np.zeros((), x.dtype.as_numpy_dtype)
    value = dispatch.convert(constant_values, x.dtype)
    return pad_op(x, whole_numbers(paddings, "paddings"), value, mode=mode.upper(), name=name)


def _repeat(x: Array, repeats: Array, *, axis: int | None) -> Any:
    return np.repeat(x, repeats, axis=axis)


def _repeat_infer(x: TensorSpec, repeats: TensorSpec, *, axis: int | None) -> TensorSpec:
    dims = x.shape.dims
    if axis is None:
        dims, at = (x.shape.num_elements(),), 0
    elif dims is None:
        return TensorSpec(UNKNOWN_SHAPE, x.dtype)
    else:
        at = normal_axis(axis, len(dims))
    length = dims[at]
    if repeats.value is None or length is None:
        size = None
    else:
        counts = np.asarray(repeats.value)
        if counts.shape not in ((), (1,), (length,)) or (counts < 0).any():
            raise IncompatibleShapesError(
                f"repeat: repeats must be one number of 0 or more, or one for each of the {length} "
                f"entries, got {counts.tolist()}"
            )
        size = int(np.broadcast_to(counts, (length,)).sum())
    return TensorSpec((*dims[:at], size, *dims[at + 1 :]), x.dtype)


repeat_op = define(
    "repeat",
    inputs="input repeats",
    same_dtype_inputs=slice(0, 1),
    kernel=checked(_repeat, _repeat_infer),
    infer=_repeat_infer,
    grad=lazy_gradient("concat_split.repeat"),
    overloads=(np.repeat,), lower=OnArrays(element=elements.repeated),
    samples=lambda: [
        case([[1, 2], [3, 4]], 2, axis=None),
        case([[1, 2], [3, 4]], [1, 0], axis=0),
        case(["a", "b"], [2], axis=-1),
    ],
    doc="Repeat each entry along an axis.",
)


def repeat(
    input: TensorLike, repeats: TensorLike, axis: AxisLike | None = None, name: str | None = None
) -> Any:
    """Repeat each entry along an axis.

    Args:
        input: tensor of any dtype.
        repeats: integer of 0 or more, or a vector with one for each entry.
        axis: axis of the entries; by default the tensor is flattened first.
    Returns:
        Tensor of the dtype of ``input``; its size along ``axis`` is the sum of the repeats.
    Raises:
        InvalidArgumentError: ``repeats`` has another length or a negative number, or ``axis`` is
            out of range (also a ValueError).
    """
    at = None if axis is None else static_int(axis, "axis")
    return repeat_op(input, whole_numbers(repeats, "repeats"), axis=at, name=name)
