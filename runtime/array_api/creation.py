"""Arrays from nothing, from Python and from other libraries, as the array API standard has them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.array_api.promotion import (
    DEFAULT_COMPLEX,
    DEFAULT_FLOAT,
    DEFAULT_INT,
    cast,
    check_device,
    is_scalar,
    of_kind,
    offset_within,
    tensor,
)
from runtime.eager.interop import array_of
from runtime.eager.tensor import wrap
from runtime.ops import dispatch
from runtime.ops.array import concat_split
from runtime.ops.array import creation as creation_ops
from runtime.ops.array.constants import constant, identity
from runtime.ops.array.shape import shape as shape_op
from runtime.ops.docstrings import documented
from runtime.ops.numpy_functions import triangle
from runtime.ops.numpy_names import FILLED, NumpyName, rows_of
from runtime.types.dtypes import DType, as_dtype, bool_, int64, uint64
from runtime.types.value import Value


def _as_result(array: Any, dtype: Any, device: Any) -> Any:
    check_device(device)
    return constant(np.asarray(array, as_dtype(dtype).as_numpy_dtype))


def _default(array: Any) -> DType:
    """The dtype of what Python values became: the default one of its kind."""
    if array.dtype.kind == "b":
        return bool_
    if array.dtype.kind == "f":
        return DEFAULT_FLOAT
    if array.dtype.kind == "c":
        return DEFAULT_COMPLEX
    if array.dtype == np.uint64:
        return uint64
    fits = not array.size or DEFAULT_INT.min <= array.min() and array.max() <= DEFAULT_INT.max
    return DEFAULT_INT if fits else int64


def _holds_arrays(obj: Any) -> bool:
    return isinstance(obj, list | tuple) and any(
        isinstance(o, Value) or _holds_arrays(o) for o in obj
    )


def asarray(obj: Any, /, *, dtype: Any = None, device: Any = None, copy: bool | None = None) -> Any:
    """Make an array of Python numbers, an array, or an object with a buffer or DLPack.

    Args:
        obj: Python number, nest of Python numbers or arrays, or array, also of another library.
        dtype: dtype of the result; by default that of the array, or for Python numbers bool, int32
            (int64 if a number needs it), float32 or complex64.
        device: None or the CPU.
        copy: False forbids a copy; tensors are immutable, so that arrays of others are copied.
    Returns:
        Array of the shape of ``obj``.
    Raises:
        ValueError: ``copy`` is False and a copy is needed, or there is no such device.
        OverflowError: an integer does not fit the dtype.
        TypeError: an object is neither a number nor an array of numbers.
    """
    check_device(device)
    target = None if dtype is None else as_dtype(dtype)
    if isinstance(obj, Value):
        obj = tensor(obj, "asarray")
        if copy is False and target is not None and target is not obj.dtype:
            raise ValueError(f"{obj.dtype.name} cannot become {target.name} without a copy")
        return identity(obj) if target is None else cast(obj, target)
    if copy is False:
        raise ValueError("asarray copies what is no tensor yet; give copy=None or True")
    if _holds_arrays(obj):
        stacked = concat_split.stack([asarray(o, dtype=dtype) for o in obj])
        return stacked if target is None else cast(stacked, target)
    foreign = not (is_scalar(obj) or isinstance(obj, list | tuple | range))
    if foreign and not isinstance(obj, np.ndarray | np.generic) and hasattr(obj, "__dlpack__"):
        return asarray(array_of(obj, True), dtype=dtype)
    return _copied(np.array(obj), obj, target, foreign)


def _copied(array: Any, obj: Any, target: DType | None, foreign: bool) -> Any:
    """``asarray`` of what became this NumPy array; OverflowError for numbers that do not fit."""
    if not foreign and array.size and array.dtype.kind not in "biu" and _whole(obj):
        raise OverflowError(f"{obj!r} is out of bounds for all integer dtypes")
    if array.dtype.kind not in "biufc":
        raise TypeError(f"asarray takes numbers and bools, got {obj!r}")
    if target is None:
        target = as_dtype(array.dtype) if foreign else _default(array)
    if array.dtype.kind == "c" and not target.is_complex:
        if not foreign:
            raise TypeError(f"asarray: {obj!r} cannot become {target.name}")
        array = array.real  # as ``cast`` and ``asarray`` of a tensor
    if not foreign and target.is_integer and array.size:
        least, most = (0, 1) if array.dtype.kind == "b" else (array.min(), array.max())
        if not (least >= target.min and most <= target.max):  # NaN does not fit
            raise OverflowError(f"{obj!r} is out of bounds for {target.name}")
    with np.errstate(over="ignore"):  # numbers too great for a floating-point dtype are infinite
        return constant(array.astype(target.as_numpy_dtype))


def _whole(obj: Any) -> bool:
    """Whether it is a Python integer, or a nest of nothing else."""
    return all(map(_whole, obj)) if isinstance(obj, list | tuple) else isinstance(obj, int)


def from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None) -> Any:
    """Make an array of an object that another library exports by DLPack.

    Args:
        x: object with ``__dlpack__``; a tensor is taken as it is.
        device: None or the CPU.
        copy: False promises that nobody writes to the memory, which is then shared; by default
            writable memory is copied.
    Returns:
        Array of the shape and dtype of ``x``.
    Raises:
        ValueError: there is no such device.
    """
    check_device(device)
    if isinstance(x, Value):
        return identity(x)
    array = array_of(x, copy)
    return wrap(array) if copy is False else constant(array)


def arange(start: Any, /, stop: Any = None, step: Any = 1, *, dtype: Any = None,
           device: Any = None) -> Any:  # fmt: skip
    """Make a vector of evenly spaced numbers from ``start`` to before ``stop``.

    Args:
        start: first number; with ``stop=None`` the end, and the first number is 0.
        stop: end, which is left out.
        step: difference of neighbours.
        dtype: dtype of the result; by default int32 (int64 if a number needs it) for Python
            integers,
            float32 otherwise.
        device: None or the CPU.
    Returns:
        Vector of ``ceil((stop - start) / step)`` numbers.
    Raises:
        OverflowError: an integer does not fit the dtype.
        ValueError: there is no such device.
    """
    first, end = (0, start) if stop is None else (start, stop)
    asked = dtype
    if dtype is None:
        are_ints = all(isinstance(v, int) for v in (first, end, step))
        dtype = DEFAULT_INT if are_ints else DEFAULT_FLOAT
    if any(isinstance(v, Value) for v in (first, end, step)):
        check_device(device)
        values = [cast(dispatch.convert(v), as_dtype(dtype)) for v in (first, end, step)]
        return creation_ops.range(*values)
    exact = all(isinstance(v, int) for v in (first, end, step))
    count = max(0, -((first - end) // step) if exact else math.ceil((end - first) / step))
    ends = [first, first + (count - 1) * step] if count else [0]
    target = as_dtype(dtype)
    if exact and asked is None and not DEFAULT_INT.min <= min(ends) <= max(ends) <= DEFAULT_INT.max:
        target = int64
    if exact and target.is_integer:
        if not target.min <= min(ends) <= max(ends) <= target.max:
            raise OverflowError(f"arange: {ends} do not fit {target.name}")
        # numbers may wrap around on the way: modulo 2 ** 64 they are right in the end
        places = np.arange(count, dtype=np.uint64) * np.uint64(step % 2**64)
        places = places + np.uint64(first % 2**64)
        return _as_result(places if target is uint64 else places.view(np.int64), target, device)
    return _as_result(first + np.arange(count, dtype=np.float64) * step, target, device)


def linspace(start: Any, stop: Any, /, num: int, *, dtype: Any = None, device: Any = None,
             endpoint: bool = True) -> Any:  # fmt: skip
    """Make a vector of ``num`` evenly spaced numbers from ``start`` to ``stop``.

    Args:
        start: first number.
        stop: last number.
        num: number of elements.
        dtype: dtype of the result; by default float32, or complex64 if an end is complex.
        device: None or the CPU.
        endpoint: False leaves ``stop`` out.
    Returns:
        Vector of ``num`` numbers.
    Raises:
        ValueError: ``num`` is negative, or there is no such device.
    """
    if dtype is None:
        dtype = DEFAULT_COMPLEX if complex in (type(start), type(stop)) else DEFAULT_FLOAT
    return _as_result(np.linspace(start, stop, num, endpoint=endpoint), dtype, device)


def full(shape: Any, fill_value: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """Make an array filled with one value.

    Args:
        shape: a size, a sequence of sizes, or a vector, which may be symbolic.
        fill_value: Python number or scalar array.
        dtype: dtype of the result; by default that of ``asarray(fill_value)``.
        device: None or the CPU.
    Returns:
        Array of ``shape``.
    Raises:
        ValueError: there is no such device.
    """
    check_device(device)
    value = asarray(fill_value, dtype=dtype)
    return creation_ops.fill([shape] if isinstance(shape, int) else shape, value)


def full_like(x: Any, /, fill_value: Any, *, dtype: Any = None, device: Any = None) -> Any:
    """Make an array of the shape of another one, filled with one value.

    Args:
        x: array.
        fill_value: Python number or scalar array.
        dtype: dtype of the result; by default that of ``x``.
        device: None or the CPU.
    Returns:
        Array of the shape of ``x``.
    """
    x = tensor(x, "full_like")
    target = x.dtype if dtype is None else as_dtype(dtype)
    shape = x.shape if x.shape.is_fully_defined() else shape_op(x)
    return full(shape, fill_value, dtype=target, device=device)


def _filled(row: NumpyName) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """The functions of a row: of a shape, and of the shape of another array."""
    name, elements = row.standard, _ELEMENTS[row.standard]

    def element(dtype: DType) -> Any:
        return bool(int(row.op)) if dtype.is_bool else int(row.op)

    @documented("Array of ``shape``", shape=_SHAPE, dtype=_DTYPE, device=_DEVICE)
    def filled(shape: Any, *, dtype: Any = None, device: Any = None) -> Any:
        target = DEFAULT_FLOAT if dtype is None else as_dtype(dtype)
        return full(shape, element(target), dtype=target, device=device)

    @documented("Array of the shape of ``x``", x="array", dtype=_DTYPE_OF_X, device=_DEVICE)
    def filled_like(x: Any, /, *, dtype: Any = None, device: Any = None) -> Any:
        target = tensor(x, f"{name}_like").dtype if dtype is None else as_dtype(dtype)
        return full_like(x, element(target), dtype=target, device=device)

    filled.__name__ = filled.__qualname__ = name
    filled_like.__name__ = filled_like.__qualname__ = f"{name}_like"
    filled.__doc__ = f"Make an array {elements}.{filled.__doc__}"
    filled_like.__doc__ = (
        f"Make an array {elements}, in the shape of another one.{filled_like.__doc__}"
    )
    return filled, filled_like


_SHAPE = "a size, a sequence of sizes, or a vector, which may be symbolic"
_DTYPE, _DTYPE_OF_X = "dtype of the result; by default float32", "dtype; by default that of ``x``"
_DEVICE = "None or the CPU"
_ELEMENTS = {
    "empty": "whose elements do not matter: zeros", "ones": "of ones", "zeros": "of zeros",
}  # fmt: skip
globals().update({
    function.__name__: function for row in rows_of(FILLED) for function in _filled(row)
})  # fmt: skip

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...


def eye(n_rows: int, n_cols: int | None = None, /, *, k: int = 0, dtype: Any = None,
        device: Any = None) -> Any:  # fmt: skip
    """Make a matrix with ones on a diagonal and zeros elsewhere.

    Args:
        n_rows: number of rows.
        n_cols: number of columns; by default that of the rows.
        k: number of the diagonal; 0 is the main one, those above are positive.
        dtype: dtype of the result; by default float32.
        device: None or the CPU.
    Returns:
        Array of shape ``[n_rows, n_cols]``.
    """
    target = DEFAULT_FLOAT if dtype is None else as_dtype(dtype)
    return _as_result(np.eye(n_rows, n_cols, k), target, device)


def meshgrid(*arrays: Any, indexing: str = "xy") -> list[Any]:
    """Make coordinate arrays of vectors, one for each axis.

    Args:
        arrays: vectors of one dtype, of sizes ``n1, n2, ...``.
        indexing: 'xy' (the second vector runs along the first axis) or 'ij'.
    Returns:
        List of as many arrays, of shape ``[n2, n1, ...]`` for 'xy', ``[n1, n2, ...]`` for 'ij'.
    Raises:
        ValueError: the dtypes differ, or ``indexing`` is another text.
    """
    vectors = [tensor(a, "meshgrid") for a in arrays]
    if len({v.dtype for v in vectors}) > 1:
        raise ValueError("meshgrid: all arrays must have the same dtype")
    return list(creation_ops.meshgrid(*vectors, indexing=indexing)) if vectors else []


def _triangle(x: Any, name: str, k: int, is_lower: bool) -> Any:
    x = of_kind(x, "biufc", name)
    if len(x.shape) < 2:
        raise ValueError(f"{name} takes arrays of rank 2 or more, got shape {x.shape}")
    return triangle(x, offset_within(k), is_lower)


def tril(x: Any, /, *, k: int = 0) -> Any:
    """Set the elements above a diagonal to zero.

    Args:
        x: array of matrices, shape ``[..., M, N]``.
        k: number of the diagonal; 0 is the main one, those above are positive.
    Returns:
        Array of the shape and dtype of ``x``.
    Raises:
        ValueError: ``x`` has a rank below 2.
    """
    return _triangle(x, "tril", k, is_lower=True)


def triu(x: Any, /, *, k: int = 0) -> Any:
    """Set the elements below a diagonal to zero.

    Args:
        x: array of matrices, shape ``[..., M, N]``.
        k: number of the diagonal; 0 is the main one, those above are positive.
    Returns:
        Array of the shape and dtype of ``x``.
    Raises:
        ValueError: ``x`` has a rank below 2.
    """
    return _triangle(x, "triu", k, is_lower=False)
