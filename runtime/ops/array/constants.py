"""Op definitions of sources of values: constant, placeholder, identity, cast.

The public conversions ``constant`` and ``convert_to_tensor`` stand here, too; the current
interpreter carries them out.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from runtime.ops import dispatch
from runtime.ops import inputs as op_inputs
from runtime.ops.op import (
    ARITHMETIC,
    CAST,
    ELEMENTWISE,
    FORWARD,
    TAKES_WEAK,
    Missing,
    define,
    lookup,
)
from runtime.ops.rules.inference import folding, same
from runtime.ops.rules.lowering import ByKernel, Native
from runtime.ops.rules.raising import ANYTHING
from runtime.ops.rules.samples import OpSample, array, case, numbers
from runtime.types import promotion
from runtime.types.aliases import DTypeLike, ShapeLike, TensorLike
from runtime.types.conversion import to_array
from runtime.types.dtypes import (
    DTYPE_OF_NUMPY,
    Array,
    DType,
    as_dtype,
    bool_,
    float32,
    float64,
    int32,
    string,
)  # fmt: skip
from runtime.types.errors import InvalidArgumentError, UnimplementedError
from runtime.types.shapes import TensorShape, TensorSpec
from runtime.types.value import Value

__all__ = ["cast", "constant", "convert_to_tensor", "identity", "is_tensor", "stop_gradient"]


def _constant_infer(*, value: Array) -> TensorSpec:
    return TensorSpec(value.shape, DTYPE_OF_NUMPY.get(value.dtype, value.dtype), value=value)


constant_op = define(
    "constant",
    inputs="",
    kernel=lambda *, value: value, lower=ByKernel("it is known before the graph runs"),
    infer=_constant_infer,
    grad=None,
    node_name="Const",
    raises=(),
    samples=lambda: [OpSample((), {"value": array(v)}) for v in (1.5, [1, 2], ["a"])],
    doc="Return a value that is known when the graph is built.",
)


def _unfed(*, shape: TensorShape, dtype: DType) -> Array:
    raise InvalidArgumentError(
        f"You must feed a value for placeholder with dtype {dtype.name} and shape {shape}"
    )


placeholder_op = define(
    "placeholder",
    inputs="",
    kernel=_unfed, lower=ByKernel("it is an argument of machine code"),
    infer=lambda *, shape, dtype: TensorSpec(shape, dtype),
    grad=None,
    node_name="Placeholder",
    raises=(),
    samples=Missing("it has no value of its own"),
    doc="Return the value that is fed when the graph runs.",
)

identity = define(
    "identity",
    inputs="input",
    kernel=lambda x: x,
    infer=same,
    grad=lambda x, y, dy: (dy,),
    node_name="Identity",
    traits=(ELEMENTWISE, ARITHMETIC, FORWARD), lower=Native("copy"),
    raises=(),
    samples=lambda: [*numbers(), case(["a"]), case(True)],
    doc="Return a tensor with the same value.",
)


stop_gradient = define(
    "stop_gradient",
    inputs="input",
    kernel=lambda x: x,
    infer=same,
    grad=None,
    node_name="StopGradient",
    traits=(ELEMENTWISE, FORWARD), lower=Native("copy"),
    raises=(),
    samples=numbers,
    doc="Return the tensor unchanged; derivatives treat it as a constant.",
)


def _check_cast(old: DType, new: DType) -> None:
    if old is not new and (old is string or new is string):
        remedy = "strings.to_number" if old is string else "strings.as_string"
        raise UnimplementedError(
            f"Cast {old.name} to {new.name} is not supported. Use runtime.{remedy}."
        )


def _cast(x: Array, *, dtype: DType) -> Array:
    only_real, target = _conversion(x.dtype, dtype)
    return (x.real if only_real else x).astype(target)


@functools.cache
def _conversion(source: np.dtype[Any], dtype: DType) -> tuple[bool, Any]:
    """How to cast an array: whether its real part alone counts, and to which type of NumPy's."""
    _check_cast(DTYPE_OF_NUMPY[source], dtype)
    target = dtype.as_numpy_dtype
    return source.kind == "c" and np.dtype(target).kind not in "cb", target


def _cast_infer(x: TensorSpec, *, dtype: DType) -> TensorSpec:
    _check_cast(x.dtype, dtype)
    return TensorSpec(x.shape, dtype)


def _casts() -> list[OpSample]:
    inputs = [array([1.9, -1.9, 0.0]), array([3, 0]), np.array([True, False]), array(2.5)]
    return [OpSample((x,), {"dtype": d}) for x in inputs for d in (float32, float64, int32, bool_)]


def _cast_back(x: Any, y: Any, dy: Any, *, dtype: DType) -> tuple[Any, ...]:
    """Between floating-point and complex numbers; others have no slope."""
    return (cast(dy, x.dtype) if x.dtype.is_floating or x.dtype.is_complex else None,)


cast_op = define(
    "cast",
    kernel=_cast,
    infer=folding(_cast, _cast_infer),
    grad=_cast_back,
    node_name="Cast",
    traits=(ELEMENTWISE, TAKES_WEAK, CAST),
    raises=(),
    lower=Native("cast"),
    samples=_casts,
    doc="Convert the elements to ``dtype``.",
)

strengthen = define(
    "strengthen",
    kernel=promotion.strengthen,
    infer=lambda x, *, dtype: TensorSpec(x.shape, dtype),
    grad=_cast_back,
    node_name="Cast",
    traits=(ELEMENTWISE, TAKES_WEAK, CAST),
    never_raises=lambda x, *, dtype: not dtype.is_integer or dtype is x.dtype,
    raises=ANYTHING,
    lower=Native("cast.exact"),
    samples=lambda: [case(np.array([3, -4]), dtype=int32), case(np.array(1.5), dtype=float32)],
    doc="Convert a Python number that the run knows to a tensor of ``dtype`` (see promotion.py).",
)


def cast(x: TensorLike, dtype: DTypeLike, name: str | None = None) -> Any:
    """Convert the elements of a tensor to another dtype.

    Floats are truncated towards zero; numbers other than 0 are true.

    Args:
        x: tensor of any dtype.
        dtype: dtype of the result.
    Returns:
        Tensor of the shape of ``x`` and of dtype ``dtype``; ``x`` itself if it has this dtype.
    Raises:
        UnimplementedError: one of the two dtypes is string and the other is not.
    """
    target = as_dtype(dtype)
    try:
        tensor: Any = x if isinstance(x, Value) else dispatch.convert(x)
    except dispatch.OpOverride:
        return cast_op(x, dtype=target, name=name)
    if tensor.dtype is target and not promotion.is_weak(tensor):
        return tensor
    return cast_op(tensor, dtype=target, name=name)


def constant(value: TensorLike, dtype: DTypeLike | None = None, shape: ShapeLike | None = None,
             name: str = "Const") -> Any:  # fmt: skip
    """Make a tensor of a value.

    Args:
        value: number, string, array, tensor, or nested lists of them.
        dtype: dtype of the result; by default int32 and float32 for Python's numbers, the value's
            own otherwise.
        shape: shape of the result, which one element fills; by default the value's own.
    Returns:
        Tensor of that shape and dtype; in a graph the output of a new operation.
    Raises:
        TypeError: the value does not fit ``dtype``, or its number of elements not ``shape``.
        ValueError: the value is a nested list whose rows differ in length.
    """
    requested = None if dtype is None else as_dtype(dtype)
    value = op_inputs.convert_input(value, requested)
    if isinstance(value, Value):
        tensor = dispatch.convert(value, requested)
        return tensor if shape is None else _shaped_tensor(tensor, TensorShape(shape))
    array = to_array(value, requested)
    if shape is not None:
        filling = _is_filling(array.size, TensorShape(shape))
        dims = [d or 0 for d in TensorShape(shape).as_list()]
        array = np.broadcast_to(array.reshape(()), dims).copy() if filling else array.reshape(dims)
    if dispatch.executing_eagerly():
        return dispatch.convert(array, None, name)
    # Recorded as any op is: what the user writes under control_dependencies waits for them.
    return constant_op(value=array, name=name)


def _is_filling(size: int | None, shape: TensorShape) -> bool:
    """Whether one value fills ``shape``; TypeError when ``size`` values do not make it up."""
    if size not in (1, shape.num_elements()):
        raise TypeError(
            f"Eager execution of tf.constant with unsupported shape. Tensor has {size} "
            f"elements, but got `shape` {shape}: give as many, or one to repeat."
        )
    return size == 1


def _shaped_tensor(tensor: Any, shape: TensorShape) -> Any:
    dims = np.array(shape.as_list(), np.int64)
    if _is_filling(tensor.shape.num_elements(), shape):
        alone = lookup("reshape")(tensor, np.zeros(0, np.int64))
        return lookup("broadcast_to")(alone, dims)
    return lookup("reshape")(tensor, dims)


def is_tensor(x: Any) -> bool:
    """Test whether a value is a tensor, a variable, or of a class that is registered as
    convertible.

    Args:
        x: any value.
    Returns:
        Python's True or False.
    """
    return isinstance(x, Value) or dispatch.conversion_for(x) is not None


def convert_to_tensor(value: TensorLike, dtype: DTypeLike | None = None,
                      dtype_hint: DTypeLike | None = None,
                      name: str | None = None) -> Any:  # fmt: skip
    """Convert a value to a tensor.

    Args:
        value: tensor, variable, number, string, array, or nested lists of them.
        dtype: dtype of the result; by default the value's own.
        dtype_hint: dtype of the result where the value can be converted to it and ``dtype`` is
            None.
    Returns:
        Tensor; ``value`` itself if it is a tensor.
    Raises:
        ValueError: ``value`` is a tensor of a dtype other than ``dtype``.
        TypeError: the value is no tensor, or does not fit ``dtype``.
    """
    if dtype is None and dtype_hint is not None and not isinstance(value, Value):
        try:
            return dispatch.convert(value, as_dtype(dtype_hint), name)
        except (TypeError, ValueError, OverflowError):
            return dispatch.convert(value, None, name)
    return dispatch.convert(value, None if dtype is None else as_dtype(dtype), name)
