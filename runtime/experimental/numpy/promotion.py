"""Dtypes as NumPy has them: of Python's numbers, of several values together, of results.

Python's ints are int64 and its floats float64, float32 with ``prefer_float32``; what meets gets the
dtype that NumPy's ``result_type`` says, numbers of Python's giving way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.types.dtypes import DType, as_dtype
from runtime.types.value import Value

_NUMBERS = (bool, int, float, complex)


class _Preference:
    """Whether float32 is the dtype of Python's floats."""

    float32 = False


_preference = _Preference()


def prefer_float32(enabled: bool) -> None:
    """Set whether Python's floats, and what ints become, are float32."""
    _preference.float32 = enabled


def default_float() -> np.dtype[Any]:
    """Return the dtype of Python's floats."""
    return np.dtype(np.float32 if _preference.float32 else np.float64)


def _typed(value: Any) -> Any:
    """Return what ``np.result_type`` takes for a value: a dtype, or a number of Python's."""
    if isinstance(value, Value):
        return value.dtype.as_numpy_dtype  # type: ignore[attr-defined]
    if isinstance(value, DType):
        return value.as_numpy_dtype
    if isinstance(value, np.dtype):
        return value
    if isinstance(value, type):
        return default_float() if value is float else np.dtype(value)
    if type(value) in (float, complex) and _preference.float32:
        return np.float32(value) if type(value) is float else np.complex64(value)
    if type(value) in _NUMBERS:
        return value
    if isinstance(value, list | tuple):
        return array(value).dtype.as_numpy_dtype
    return np.asarray(value).dtype


def joint_dtype(*arrays_and_dtypes: Any) -> np.dtype[Any]:
    """Return the dtype that values and dtypes have together, by NumPy's rules.

    Args:
        arrays_and_dtypes: tensors, arrays, numbers and dtypes.
    Returns:
        NumPy's dtype.
    """
    return np.result_type(*map(_typed, arrays_and_dtypes))


def numpy_dtype(dtype: Any) -> np.dtype[Any]:
    """Return NumPy's dtype of a dtype, a name, or a class of Python's such as ``float``."""
    if dtype is float:
        return default_float()
    return np.dtype(dtype.as_numpy_dtype if isinstance(dtype, DType) else dtype)


def array(value: Any, dtype: Any = None) -> Any:
    """Return a value as a tensor, of the dtype that NumPy gives it."""
    if isinstance(value, Value):
        tensor = convert_to_tensor(value)
    elif isinstance(value, list | tuple) and _holds_tensor(value):
        common = joint_dtype(*_leaves(value)) if dtype is None else numpy_dtype(dtype)
        tensor = convert_to_tensor(_each(value, common))
    else:
        held = np.asarray(value)
        if held.dtype.kind in "fc" and _preference.float32 and not isinstance(
            value, np.ndarray | np.generic
        ):  # fmt: skip
            held = held.astype(np.complex64 if held.dtype.kind == "c" else np.float32)
        tensor = convert_to_tensor(held)
    return tensor if dtype is None else cast(tensor, as_dtype(numpy_dtype(dtype)))


def _holds_tensor(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(map(_holds_tensor, value))
    return isinstance(value, Value)


def _leaves(value: Any) -> list[Any]:
    if isinstance(value, list | tuple):
        return [leaf for item in value for leaf in _leaves(item)]
    return [value]


def _each(value: Any, dtype: np.dtype[Any]) -> Any:
    if isinstance(value, list | tuple):
        return [_each(item, dtype) for item in value]
    return array(value, dtype)


def common(*values: Any) -> list[Any]:
    """Return values as tensors of the dtype that they have together."""
    dtype = joint_dtype(*values)
    return [array(value, dtype) for value in values]


def floats(*values: Any) -> list[Any]:
    """Return values as tensors of one dtype, ints and bools as floats."""
    dtype = joint_dtype(*values)
    if dtype.kind not in "fc":
        dtype = default_float()
    return [array(value, dtype) for value in values]


def wide(value: Any) -> Any:
    """Return a tensor whose sums fit: bools and narrow ints are int64, or uint64."""
    tensor = array(value)
    held = np.dtype(tensor.dtype.as_numpy_dtype)
    if held.kind not in "bui" or held.itemsize == 8:
        return tensor
    return array(tensor, np.uint64 if held.kind == "u" else np.int64)
