"""Element types: dtypes and the numbers that ONNX gives them."""

from __future__ import annotations

from runtime.types import dtypes
from runtime.types.dtypes import DType, as_dtype

NUMBERS = {
    "float32": 1, "uint8": 2, "int8": 3, "uint16": 4, "int16": 5, "int32": 6, "int64": 7,
    "string": 8, "bool": 9, "float16": 10, "float64": 11, "uint32": 12, "uint64": 13,
    "bfloat16": 16,
}  # fmt: skip
"""Name of a dtype -> the value of ``TensorProto.DataType``."""

_NAMES = {number: name for name, number in NUMBERS.items()}


def number_of(dtype: DType) -> int | None:
    """Return ONNX' number of a dtype; None for one that its operators do not take."""
    return NUMBERS.get(dtype.name)


def dtype_of(number: int) -> DType | None:
    """Return the dtype of ONNX' number; None for one that the runtime has not."""
    name = _NAMES.get(number)
    return None if name is None else getattr(dtypes, name, None) or as_dtype(name)
