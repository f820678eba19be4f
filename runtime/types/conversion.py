"""Conversion of Python and NumPy values to arrays with a dtype of the runtime.

Python ints become int32 (int64 when they do not fit), floats float32, text bytes in object arrays;
NumPy values keep their dtype.  Used by eager tensors, graphs and feeds alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from runtime.types.dtypes import (
    DTYPE_OF_NUMPY,
    Array,
    DType,
    bool_,
    complex128,
    float32,
    int32,
    int64,
    string,
)
from runtime.types.errors import UnfitValueError
from runtime.types.shapes import TensorShape

INT32_MIN, INT32_MAX = -(2**31), 2**31 - 1
DEFAULTS = {"bool": bool_, "int": int32, "float": float32, "complex": complex128, "str": string}
_SCALARS = {bool: "bool", int: "int", float: "float", complex: "complex", str: "str", bytes: "str"}
_KINDS = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex", "O": "str"}
# Kinds that convert implicitly to each kind of dtype: a Python number takes the other dtype.
_TAKES = {
    "b": ("bool",),
    "i": ("bool", "int"),
    "u": ("bool", "int"),
    "f": ("bool", "int", "float"),
    "c": ("bool", "int", "float", "complex"),
    "O": ("str",),
}


def _leaves(value: Any) -> Iterator[Any]:
    for item in value:
        if isinstance(item, list | tuple | range):
            yield from _leaves(item)
        else:
            yield item


def python_kind(value: Any) -> str | None:
    """Return 'bool', 'int', 'float', 'complex' or 'str' for Python scalars and lists of them.

    Such values have no dtype: they take that of the tensor they meet.  None for other values.
    """
    kind = _SCALARS.get(type(value))
    if kind is not None:
        return kind
    if isinstance(value, range | TensorShape):
        return "int"
    if isinstance(value, list | tuple):
        kinds = {_SCALARS.get(type(leaf)) for leaf in _leaves(value)}
        return join_kinds(kinds)
    if isinstance(value, bool | int | float | complex | str | bytes) and not isinstance(
        value, np.generic
    ):  # a subclass: IntEnum ...
        return next(k for t, k in _SCALARS.items() if isinstance(value, t))
    return None


def join_kinds(kinds: set[str | None]) -> str | None:
    """Return the kind that holds all kinds: int and float give float; None without one."""
    if not kinds:
        return "float"  # an empty list
    if len(kinds) == 1:
        return next(iter(kinds))
    for kind in ("float", "complex"):
        if kinds <= set(_TAKES[kind[0]]) - {"bool"}:  # a list of bools and numbers is a mistake
            return kind
    return None


def to_array(value: Any, dtype: DType | None = None) -> Array:
    """Convert a value to a new array, which nobody else refers to.

    With ``dtype``, Python numbers convert where that is safe (int to float, not float to int), and
    NumPy arrays within their kind.  TypeError for values that cannot become tensors, ValueError for
    None and ragged lists, OverflowError for numbers that do not fit.
    """
    if dtype is None:  # the common cases, at a third of the time
        if type(value) is float:
            return np.array(value, np.float32)
        if type(value) is int and INT32_MIN <= value <= INT32_MAX:
            return np.array(value, np.int32)
    kind = python_kind(value)
    if kind is not None:
        return _from_python(value, kind, dtype)
    array = _from_numpy(value)
    if dtype is None or array.dtype == dtype.as_numpy_dtype:
        return array
    if _KINDS[DTYPE_OF_NUMPY[array.dtype].kind] not in _TAKES[dtype.kind]:
        array_dtype = DTYPE_OF_NUMPY[array.dtype]
        raise TypeError(
            f"Cannot convert a value of dtype {array_dtype.name} to a tensor of dtype "
            f"{dtype.name}: "
            f"{_short(value)}. Use {conversion_call('value', array_dtype, dtype)}."
        )
    result = array.astype(dtype.as_numpy_dtype)
    if array.dtype.kind in "iu" and result.dtype.kind in "iu" and (result != array).any():
        raise OverflowError(f"{_short(value)} does not fit dtype {dtype.name}")
    return result


def _from_python(value: Any, kind: str, dtype: DType | None) -> Array:
    if isinstance(value, TensorShape):
        if not value.is_fully_defined():
            raise ValueError(
                f"Cannot convert a partially known TensorShape {value} to a Tensor. "
                "Use runtime.shape(x) for sizes known only at run time."
            )
        value = value.as_list() or np.zeros(0, np.int64)
    if dtype is None:
        return _integers(value) if kind == "int" else _build(value, DEFAULTS[kind])
    if kind not in _TAKES[dtype.kind] and np.size(value):
        raise TypeError(
            f"Cannot convert {_short(value)} to a tensor of dtype {dtype.name}. Give a value of "
            f"that type, or convert the other side with {_converter(kind, dtype)}."
        )
    return _build(value, dtype)


def _converter(kind: str, dtype: DType) -> str:
    """The function that converts a tensor of ``dtype`` to what a Python value is."""
    return conversion_call("", dtype, DEFAULTS[kind]).partition("(")[0]


def _integers(value: Any) -> Array:
    array = _build(value, int64)
    if array.size and (array.min() < INT32_MIN or array.max() > INT32_MAX):
        return array
    return array.astype(np.int32)


def _build(value: Any, dtype: DType) -> Array:
    if isinstance(value, list | tuple):
        _check_rectangular(value)
    if dtype is string:
        if type(value) is str:  # a tenth of the time
            return as_object_scalar(value.encode())
        return _encode(np.array(value, dtype=object))
    try:
        return np.array(value, dtype=dtype.as_numpy_dtype)
    except OverflowError:
        raise OverflowError(f"{_short(value)} does not fit dtype {dtype.name}") from None


def _check_rectangular(value: Any) -> tuple[int, ...]:
    if not isinstance(value, list | tuple | range):
        return np.shape(value)
    if not any(isinstance(item, list | tuple | range | np.ndarray) for item in value):
        return (len(value),)
    shapes = {_check_rectangular(item) for item in value}
    if len(shapes) > 1:
        raise ValueError(
            f"Can't convert non-rectangular Python sequence to Tensor: {_short(value)}. "
            "All rows need one length; pad the shorter ones."
        )
    return (len(value), *shapes.pop())


def _from_numpy(value: Any) -> Array:
    if value is None:
        raise ValueError("None values not supported. Give a number, a list, an array or a tensor.")
    if isinstance(value, list | tuple):
        if any(leaf is None for leaf in _leaves(value)):
            raise UnfitValueError(f"None values not supported, in {_short(value)}")
        kinds = {_SCALARS.get(type(leaf), type(leaf).__name__) for leaf in _leaves(value)}
        if {"bool", "str"} & kinds and len(kinds) > 1:
            raise UnfitValueError(
                f"A tensor has one dtype, but {_short(value)} mixes {sorted(kinds)}"
            )
        _check_rectangular(value)
        return native(_mixed(value), value)
    elif not isinstance(value, np.ndarray | np.generic) and not hasattr(value, "__array__"):
        raise UnfitValueError(
            f"Attempt to convert a value ({_short(value)}) with an unsupported type "
            f"({type(value)}) to a Tensor."
        )
    return native(np.array(value), value)


def _mixed(value: Any) -> Array:
    """Convert a list with NumPy values, whose dtype its Python numbers take if they can."""
    array = np.array(value)
    dtypes = [leaf.dtype for leaf in _leaves(value) if isinstance(leaf, np.ndarray | np.generic)]
    if dtypes and array.dtype.kind in "iufc":
        common = np.result_type(*dtypes)
        return array.astype(common) if common.kind == array.dtype.kind else array
    return array


def native(array: Array, value: Any) -> Array:
    """Convert an array to native byte order, text to bytes; TypeError for other dtypes."""
    if array.dtype.kind in "SUO":
        return _encode(array.astype(object))
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    if array.dtype not in DTYPE_OF_NUMPY:
        raise TypeError(
            f"NumPy dtype {array.dtype} has no counterpart in the runtime: {_short(value)}"
        )
    return array


def _encode(array: Array) -> Array:
    """Encode text as UTF-8 bytes, element by element; TypeError for other objects."""
    flat = array.reshape(-1)
    for i, item in enumerate(flat):
        if isinstance(item, str):
            flat[i] = item.encode("utf-8")
        elif not isinstance(item, bytes):
            raise UnfitValueError(
                f"Attempt to convert a value ({_short(item)}) with an unsupported type "
                f"({type(item)}) to a Tensor."
            )
    return flat.reshape(array.shape)


def conversion_call(name: str, source: DType, target: DType) -> str:
    """The call that error messages propose to convert a tensor: no cast reads or writes text."""
    if source is string:
        if target is bool_:
            return f"runtime.not_equal({name}, '')"
        return f"runtime.strings.to_number({name}, runtime.{target.name})"
    if target is string:
        return f"runtime.strings.as_string({name})"
    return f"runtime.cast({name}, runtime.{target.name})"


def truth(array: Any) -> bool:
    """Return the truth value of an array of one element; ValueError for any other."""
    try:
        return bool(array)
    except ValueError:
        raise ambiguous_truth(array.shape) from None


def ambiguous_truth(dims: tuple[int, ...] | None) -> ValueError:
    """The error for a condition that is not one truth value; None if its shape is not known."""
    shape = "" if dims is None else f" of shape {dims}"
    number = "does not have one element" if dims is None else "has more than one element"
    test = "runtime.reduce_any(x) or runtime.reduce_all(x)"
    if dims is not None and 0 in dims:
        number, test = "has no elements", f"{test}, or test runtime.size(x) > 0"
    return ValueError(
        f"The truth value of a tensor{shape} is ambiguous, because it {number}. Use {test}."
    )


def as_object_scalar(text: bytes) -> Array:
    """Return one string as an array of shape (), for which NumPy would return bare bytes."""
    array: Array = np.empty((), object)
    array[()] = text
    return array


_BY_VALUE = frozenset((int, bool, str, bytes, type(None), type(...), DType))
_COMPARED = 1024
"""Arrays of up to so many bytes are compared."""


def literal_key(value: Any) -> Any:
    """Return a hashable key of an attribute's value: equal keys mean equal values of one type.

    None for values that are compared by identity, such as a large array.
    """
    kind = type(value)
    if kind in _BY_VALUE:
        return kind, value
    if kind is float:
        return kind, value.hex()
    if kind is np.ndarray or isinstance(value, np.generic):
        if value.nbytes > _COMPARED or value.dtype.kind == "O":
            return None
        return kind, value.dtype, value.shape, value.tobytes()
    if kind is tuple or kind is list:
        keys = tuple(map(literal_key, value))
        return None if None in keys else (kind, keys)
    if kind is slice:
        keys = tuple(map(literal_key, (value.start, value.stop, value.step)))
        return None if None in keys else (kind, keys)
    if kind is TensorShape:
        return kind, value.dims
    return (kind, value) if getattr(kind, "counts_by_value", False) else None


def _short(value: Any) -> str:
    try:
        text = repr(value)
    except ValueError:  # Python prints no integer of more than some thousand digits
        return f"a {type(value).__name__} with a very long integer"
    return text if len(text) <= 80 else text[:77] + "..."
