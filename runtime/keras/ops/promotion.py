"""Promotion of dtypes as Keras has it: floats win over ints, the wider one of a kind wins.

Python's numbers take the dtype of the tensors; a float among ints makes ``floatx``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.keras.config import floatx
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.types.dtypes import DType, as_dtype, bool_, complex128, float32

_INT = "int32"


def promoted(*values: Any) -> tuple[Any, ...]:
    """Convert values to tensors of one dtype."""
    numbers = [type(v) if type(v) in (bool, int, float, complex) else None for v in values]
    tensors = [
        v if kind is not None else convert_to_tensor(v)
        for v, kind in zip(values, numbers, strict=True)
    ]
    dtypes = [v.dtype for v, kind in zip(tensors, numbers, strict=True) if kind is None]
    dtype = _with_numbers(common_dtype(dtypes), [kind for kind in numbers if kind is not None])
    return tuple([as_tensor(v, dtype) for v in tensors])


def as_tensor(value: Any, dtype: DType) -> Any:
    """Convert a value to a tensor of a dtype."""
    if type(value) in (bool, int, float, complex):
        return convert_to_tensor(value, dtype)
    return cast(value, dtype)


def as_wide_float(value: Any) -> Any:
    """Convert a value to a tensor of a float dtype of 32 bits or more."""
    tensor = convert_to_tensor(value)
    return cast(tensor, _common(tensor.dtype, float32))


def common_dtype(dtypes: list[DType]) -> DType | None:
    """Return the dtype that all take; None for no dtypes."""
    common: DType | None = None
    for dtype in dtypes:
        common = dtype if common is None else _common(common, dtype)
    return common


def _common(dtype: DType, second_dtype: DType) -> DType:
    if dtype is second_dtype:
        return dtype
    for first, second in ((dtype, second_dtype), (second_dtype, dtype)):
        if first.is_complex and not second.is_complex:
            return complex128 if second.name == "float64" else first
        if first.is_floating and not (second.is_floating or second.is_complex):
            return first
    if "bfloat16" in (dtype.name, second_dtype.name):
        return float32 if dtype.name == "float16" or second_dtype.name == "float16" else max(
            dtype, second_dtype, key=lambda d: d.size
        )  # fmt: skip
    joined = np.promote_types(dtype.as_numpy_dtype, second_dtype.as_numpy_dtype)
    both_ints = not (dtype.is_floating or dtype.is_complex)
    return as_dtype(floatx() if both_ints and joined.kind == "f" else joined)


def _with_numbers(dtype: DType | None, kinds: list[type]) -> DType:
    """Return the dtype that Python's numbers and tensors of ``dtype`` have together."""
    if dtype is not None and (dtype.is_complex or dtype.is_floating and complex not in kinds):
        return dtype
    if complex in kinds:
        return as_dtype("complex128" if dtype is not None and dtype.size == 8 else "complex64")
    if float in kinds:
        return as_dtype(floatx())
    if dtype is None or dtype is bool_:
        return as_dtype(_INT) if int in kinds else bool_
    return dtype


def as_float(value: Any) -> Any:
    """Convert a value to a floating tensor: ints and bools become ``floatx``."""
    tensor = convert_to_tensor(value)
    if tensor.dtype.is_floating or tensor.dtype.is_complex:
        return tensor
    return cast(tensor, floatx())
