"""Functions of ``experimental.numpy`` that shape, choose and compare, with NumPy's arguments."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.experimental.numpy.elementwise import FUNCTIONS as BY_ELEMENT
from runtime.experimental.numpy.promotion import array, common, floats, joint_dtype, numpy_dtype
from runtime.keras import ops
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.shape import reshape as reshape_op
from runtime.ops.array.shape import shape as shape_of
from runtime.ops.array.where import boolean_mask
from runtime.ops.array.where import where as where_op
from runtime.ops.linalg.products import einsum as einsum_op
from runtime.ops.math.clipping import clip_by_value
from runtime.ops.math.reduction import reduce_all
from runtime.types.dtypes import DType, as_dtype, bool_
from runtime.types.value import Value

__all__ = [
    "around", "array_equal", "atleast_1d", "atleast_2d", "atleast_3d", "broadcast_arrays",
    "compress", "divmod", "einsum", "fabs", "finfo", "fix", "flatten", "float_power", "iinfo",
    "iscomplex", "iscomplexobj", "isrealobj", "isscalar", "issubdtype", "ix_", "ndim", "nonzero",
    "pad", "polyval", "promote_types", "reshape", "result_type", "round", "select", "shape", "size",
    "take", "where",
]  # fmt: skip


def around(a: Any, decimals: int = 0) -> Any:
    """Return the nearest numbers with so many digits behind the point; halves go to even ones."""
    tensor = array(a)
    if not tensor.dtype.is_floating:
        return tensor if decimals >= 0 else cast(around(floats(tensor)[0], decimals), tensor.dtype)
    factor = 10.0**decimals
    rounded = BY_ELEMENT["floor"](tensor * 0) + ops.round(tensor * factor)
    return rounded / factor


round = around


def array_equal(a1: Any, a2: Any) -> Any:
    """Return whether two arrays have one shape and equal elements."""
    first, second = common(a1, a2)
    if not first.shape.is_compatible_with(second.shape):
        return convert_to_tensor(False)
    return reduce_all(first == second)


def _of_rank(arrays: Any, grow: Any) -> Any:
    results = [grow(array(value)) for value in arrays]
    return results[0] if len(results) == 1 else results


def atleast_1d(*arys: Any) -> Any:
    """Return arrays of at least one axis; a list of several."""
    return _of_rank(arys, lambda x: x if x.shape.rank else reshape_op(x, [1]))


def atleast_2d(*arys: Any) -> Any:
    """Return arrays of at least two axes, new ones in front; a list of several."""

    def grow(x: Any) -> Any:
        return reshape_op(x, [1, -1]) if len(x.shape) < 2 else x

    return _of_rank(arys, grow)


def atleast_3d(*arys: Any) -> Any:
    """Return arrays of at least three axes; a list of several."""

    def grow(x: Any) -> Any:
        rank = len(x.shape)
        return x[..., None] if rank == 2 else reshape_op(x, [1, -1, 1]) if rank < 2 else x

    return _of_rank(arys, grow)


def broadcast_arrays(*args: Any, **kwargs: Any) -> list[Any]:
    """Return arrays broadcast to one shape.

    ValueError: an argument is unknown.
    """
    if set(kwargs) - {"subok"}:
        raise ValueError(f"Received unsupported arguments {sorted(kwargs)}")
    arrays = [array(value) for value in args]
    sizes = arrays[0].shape
    for tensor in arrays[1:]:
        sizes = np.broadcast_shapes(tuple(sizes), tuple(tensor.shape))
    return [ops.broadcast_to(tensor, sizes) for tensor in arrays]


def compress(condition: Any, a: Any, axis: int | None = None) -> Any:
    """Return the entries along an axis, or of all elements in a row, that are asked for."""
    tensor, mask = array(a), cast(array(condition), bool_)
    if axis is None:
        tensor, axis = reshape_op(tensor, [-1]), 0
    axis = axis % len(tensor.shape)
    key = (*[slice(None)] * axis, slice(0, mask.shape[0]))
    return boolean_mask(tensor[key], mask, axis=axis)


def divmod(x1: Any, x2: Any) -> tuple[Any, Any]:
    """Return the quotients, rounded down, and the remainders."""
    return BY_ELEMENT["floor_divide"](x1, x2), BY_ELEMENT["mod"](x1, x2)


def einsum(subscripts: str, *operands: Any, **kwargs: Any) -> Any:
    """Return the sum of products that Einstein's notation says.

    ValueError: an argument is unknown.
    """
    if set(kwargs) - {"casting", "order", "optimize"}:
        raise ValueError(f"einsum: unknown arguments {sorted(kwargs)}")
    return einsum_op(subscripts, *common(*operands))


def fix(x: Any) -> Any:
    """Return the numbers rounded towards 0, as floats."""
    return ops.trunc(floats(x)[0])


def float_power(x1: Any, x2: Any) -> Any:
    """Return powers; of ints, as TensorFlow's function does and NumPy's does not, ints."""
    return BY_ELEMENT["power"](x1, x2)


def fabs(x: Any) -> Any:
    """Return absolute values; of ints, as TensorFlow's function does and NumPy's does not, ints."""
    return BY_ELEMENT["absolute"](x)


def result_type(*arrays_and_dtypes: Any) -> DType:
    """Return the dtype that values and dtypes have together, by NumPy's rules.

    Args:
        arrays_and_dtypes: tensors, arrays, numbers and dtypes.
    Returns:
        DType.
    """
    return as_dtype(joint_dtype(*arrays_and_dtypes))


def finfo(dtype: Any) -> Any:
    """Return NumPy's limits of a dtype of floats."""
    return np.finfo(numpy_dtype(dtype))


def iinfo(type: Any) -> Any:
    """Return NumPy's limits of a dtype of ints."""
    return np.iinfo(numpy_dtype(type))


def iscomplex(x: Any) -> Any:
    """Return where the imaginary part is not 0."""
    return BY_ELEMENT["imag"](x) != 0


def iscomplexobj(x: Any) -> bool:
    """Return whether the dtype is complex."""
    return bool(array(x).dtype.is_complex)


def isrealobj(x: Any) -> bool:
    """Return whether the dtype is not complex."""
    return not iscomplexobj(x)


def isscalar(num: Any) -> bool:
    """Return whether a value is a number, or a tensor without axes."""
    return num.shape.rank == 0 if isinstance(num, Value) else bool(np.isscalar(num))  # type: ignore


def issubdtype(arg1: Any, arg2: Any) -> bool:
    """Return whether a dtype is below another in NumPy's hierarchy."""
    dtypes = [getattr(argument, "as_numpy_dtype", argument) for argument in (arg1, arg2)]
    return bool(np.issubdtype(*dtypes))


def promote_types(type1: Any, type2: Any) -> Any:
    """Return the dtype that two dtypes have together."""
    return np.promote_types(numpy_dtype(type1), numpy_dtype(type2))


def ix_(*args: Any) -> list[Any]:
    """Return index arrays of a grid: each along an axis of its own.

    ValueError: an array has not one axis.
    """
    vectors = [array(value) for value in args]
    wrong = [x for x in vectors if x.shape.rank != 1]
    if wrong:
        raise ValueError(f"Arguments must be 1-d, got arg 0 of rank {wrong[0].shape.rank}")
    result = []
    for axis, vector in enumerate(vectors):
        if vector.dtype is bool_:
            vector = ops.nonzero(vector)[0]
        result.append(reshape_op(vector, [-1 if k == axis else 1 for k in range(len(vectors))]))
    return result


def ndim(a: Any) -> int:
    """Return the number of axes."""
    return len(array(a).shape)


def shape(a: Any) -> tuple[Any, ...]:
    """Return the sizes along the axes."""
    tensor = array(a)
    return tuple(tensor.shape) if tensor.shape.is_fully_defined() else shape_of(tensor)


def size(x: Any, axis: int | None = None) -> Any:
    """Return the number of elements, or along an axis."""
    tensor = array(x)
    if tensor.shape.is_fully_defined():
        sizes = tensor.shape.as_list()
        return int(np.prod(sizes, dtype=np.int64)) if axis is None else sizes[axis]
    return ops.size(tensor) if axis is None else shape_of(tensor)[axis]


def reshape(a: Any, newshape: Any, order: str = "C") -> Any:
    """Return the elements in another shape.

    ValueError: the order is neither C nor F.
    """
    if order not in "CF":
        raise ValueError(f"Unsupported order argument {order}")
    tensor = array(a)
    sizes = [newshape] if isinstance(newshape, int | np.integer) else newshape
    if order == "C":
        return reshape_op(tensor, sizes)
    return ops.transpose(reshape_op(ops.transpose(tensor), [*reversed(list(sizes))]))


def flatten(a: Any, order: str = "C") -> Any:
    """Return all elements in a row."""
    return reshape(a, -1, order)


def nonzero(a: Any) -> list[Any]:
    """Return the places of elements that are not 0: a vector of int64 for each axis."""
    places = ops.nonzero(atleast_1d(a))
    return [array(place, np.int64) for place in places]


def pad(array: Any, pad_width: Any, mode: str = "constant", **kwargs: Any) -> Any:
    """Return an array with values in front and behind, along each axis.

    ValueError: the mode or an argument is unknown.
    """
    if set(kwargs) - {"constant_values"}:
        raise ValueError(f"pad: unknown arguments {sorted(kwargs)}")
    if mode not in ("constant", "reflect", "symmetric"):
        raise ValueError(f"Unsupported padding mode: {mode}")
    return ops.pad(_as_array(array), pad_width, mode, kwargs.get("constant_values"))


_as_array = array


def polyval(p: Any, x: Any) -> Any:
    """Return the values of a polynomial, whose coefficients begin with that of the highest power.
    """
    coefficients, places = common(p, x)
    result = places * 0
    for number in range(coefficients.shape[0]):
        result = result * places + coefficients[number]
    return result


def select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    """Choose by the first condition that holds.

    ValueError: there are more or fewer choices than conditions.
    """
    if len(condlist) != len(choicelist):
        raise ValueError("select: condlist and choicelist must have one length, got "
                         f"{len(condlist)} and {len(choicelist)}")  # fmt: skip
    *choices, result = common(*choicelist, default)
    for condition, choice in zip(reversed(list(condlist)), reversed(choices), strict=True):
        result = where_op(cast(array(condition), bool_), choice, result)
    return result


def take(
    a: Any, indices: Any, axis: int | None = None, out: None = None, mode: str = "clip"
) -> Any:
    """Return entries along an axis; places outside are clipped, or with ``wrap`` go round.

    ValueError: the mode is unknown.
    """
    if mode not in ("clip", "wrap"):
        raise ValueError(f"Invalid mode '{mode}' for take.")
    tensor, places = array(a), array(indices)
    if axis is None:
        tensor, axis = reshape_op(tensor, [-1]), 0
    count = cast(shape_of(tensor)[axis], places.dtype)
    places = places % count if mode == "wrap" else clip_by_value(places, count * 0, count - 1)
    return ops.take(tensor, places, axis)


def where(condition: Any, x: Any = None, y: Any = None) -> Any:
    """Return ``x`` where a condition holds and ``y`` elsewhere; without them the places.

    ValueError: one of ``x`` and ``y`` is given without the other.
    """
    test = cast(array(condition), bool_)
    if (x is None) != (y is None):
        raise ValueError("either both or neither of x and y should be given")
    return nonzero(test) if x is None else where_op(test, *common(x, y))


