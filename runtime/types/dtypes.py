"""DTypes: the element types of tensors, one object for each, around a NumPy dtype.

At the bottom of the package.  Strings are NumPy object arrays of bytes.  ``bfloat16`` exists from
its first use on: ml_dtypes defines its NumPy dtype (extra ``jit``).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.types.extras import require

__all__ = [
    "DType", "as_dtype", "complex64", "complex128", "double", "float16", "float32", "float64",
    "half", "int8", "int16", "int32", "int64", "resource", "string", "uint8", "uint16", "uint32",
    "uint64", "variant",
]  # fmt: skip

Array = np.ndarray[Any, np.dtype[Any]]


class DType:
    """Element type of a tensor; there is one object for each type.

    A DType equals the NumPy dtype, Python type or name that means the same: ``x.dtype == "int32"``.
    """

    __slots__ = ("_dtype", "_name", "as_numpy_dtype", "kind")

    as_numpy_dtype: Any
    """NumPy's scalar type; ``object`` for string."""
    kind: str
    """NumPy's letter for its kind; f for bfloat16, whose NumPy kind is V."""

    def __init__(self, name: str, dtype: Any) -> None:
        self._name = name
        self._dtype = np.dtype(dtype)
        self.as_numpy_dtype = dtype
        self.kind = "f" if name == "bfloat16" else self._dtype.kind

    @property
    def name(self) -> str:
        """Name of the type, for instance ``'float32'``."""
        return self._name

    @property
    def base_dtype(self) -> DType:
        """This type: there are no reference types."""
        return self

    @property
    def is_floating(self) -> bool:
        """Whether it is a (real) floating-point type."""
        return self.kind == "f"

    @property
    def is_integer(self) -> bool:
        """Whether it is a signed or unsigned integer type."""
        return self.kind in "iu"

    @property
    def is_unsigned(self) -> bool:
        """Whether it is an unsigned integer type."""
        return self.kind == "u"

    @property
    def is_complex(self) -> bool:
        """Whether it is a complex type."""
        return self.kind == "c"

    @property
    def is_bool(self) -> bool:
        """Whether it is bool."""
        return self.kind == "b"

    @property
    def is_quantized(self) -> bool:
        """Whether it is a quantized type: there are none here."""
        return False

    @property
    def as_datatype_enum(self) -> int:
        """TensorFlow's number for the type."""
        return next(number for number, name in _NUMBERS.items() if name == self._name)

    @property
    def is_numpy_compatible(self) -> bool:
        """Whether NumPy can hold it: all but resource and variant."""
        return self._name not in ("resource", "variant")

    @property
    def real_dtype(self) -> DType:
        """Type of the parts of a complex number; this type otherwise."""
        return {"complex64": float32, "complex128": float64}.get(self._name, self)

    @property
    def size(self) -> int:
        """Bytes per element; 0 for types without a fixed size."""
        return self._dtype.itemsize if self.kind != "O" else 0

    @property
    def min(self) -> Any:
        """Smallest value; TypeError for types without an order."""
        return self._limit("min")

    @property
    def max(self) -> Any:
        """Largest value; TypeError for types without an order."""
        return self._limit("max")

    @property
    def limits(self) -> tuple[Any, Any]:
        """``(min, max)``."""
        return self.min, self.max

    def _limit(self, end: str) -> Any:
        if self.is_bool:
            return end == "max"
        if self.is_integer:
            return int(getattr(np.iinfo(self._dtype), end))
        if self.is_floating:
            limits = np.finfo if self._name != "bfloat16" else import_module("ml_dtypes").finfo
            return getattr(limits(self._dtype), end)
        raise TypeError(f"Cannot find {end}imum value of {self}.")

    def is_compatible_with(self, other: Any) -> bool:
        """Return whether ``other`` means this type."""
        return self is as_dtype(other)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if other is None or isinstance(other, DType):
            return False
        try:
            return as_dtype(other) is self
        except (TypeError, ValueError, SyntaxError, OverflowError):  # NumPy's, for other values
            return False

    def __hash__(self) -> int:
        return hash(self._name)

    def __str__(self) -> str:
        return f"<dtype: '{self._name}'>"

    def __repr__(self) -> str:
        return f"tf.{self._name}"

    def __reduce__(self) -> tuple[Any, ...]:
        return as_dtype, (self._name,)


float16 = DType("float16", np.float16)
float32 = DType("float32", np.float32)
float64 = DType("float64", np.float64)
int8 = DType("int8", np.int8)
int16 = DType("int16", np.int16)
int32 = DType("int32", np.int32)
int64 = DType("int64", np.int64)
uint8 = DType("uint8", np.uint8)
uint16 = DType("uint16", np.uint16)
uint32 = DType("uint32", np.uint32)
uint64 = DType("uint64", np.uint64)
bool_ = DType("bool", np.bool_)
string = DType("string", object)
complex64 = DType("complex64", np.complex64)
complex128 = DType("complex128", np.complex128)
resource = DType("resource", object)
variant = DType("variant", object)
half, double = float16, float64
if TYPE_CHECKING:
    bfloat16: DType

DTYPES = (
    float16, float32, float64, int8, int16, int32, int64, uint8, uint16, uint32, uint64,
    bool_, string, complex64, complex128, resource, variant,
)  # fmt: skip
_NUMBERS = {
    1: "float32", 2: "float64", 3: "int32", 4: "uint8", 5: "int16", 6: "int8", 7: "string",
    8: "complex64", 9: "int64", 10: "bool", 14: "bfloat16", 17: "uint16", 18: "complex128",
    19: "float16", 20: "resource", 21: "variant", 22: "uint32", 23: "uint64",
}  # fmt: skip
_BY_NAME = {d.name: d for d in DTYPES} | {"half": half, "float": float32, "double": double}


class _ByNumpy(dict[Any, DType]):
    """Dictionary from NumPy dtypes to DTypes; values that are no arrays have ``variant``."""

    def __missing__(self, key: Any) -> DType:
        if key is variant:
            return variant
        if getattr(key, "name", None) == "bfloat16":
            return _bfloat16()
        raise KeyError(key)

    def __contains__(self, key: object) -> bool:
        return super().__contains__(key) or getattr(key, "name", None) == "bfloat16"


DTYPE_OF_NUMPY = _ByNumpy({d._dtype: d for d in DTYPES if d is not resource and d is not variant})
DTYPE_OF_NUMPY[np.dtype(object)] = string
_BY_PYTHON = {float: float32, bool: bool_, str: string, bytes: string, object: string}


NARROW: list[DType] = []
"""bfloat16, once it is in use: NumPy's own functions do not know it."""
SMOOTH = "fcV"
"""NumPy's letters for the dtypes that have derivatives; V is bfloat16."""


def _bfloat16() -> DType:
    """Return bfloat16; ModuleNotFoundError without the extra ``jit``."""
    if not NARROW:
        scalar = require("ml_dtypes", extra="jit", for_="bfloat16").bfloat16
        dtype = DType("bfloat16", scalar)
        _BY_NAME["bfloat16"] = DTYPE_OF_NUMPY[dtype._dtype] = dtype
        NARROW.append(dtype)
    return NARROW[0]


def as_dtype(type_value: Any) -> DType:
    """Convert a value to a DType.

    Args:
        type_value: DType, name, number of TensorFlow's enumeration, NumPy dtype or Python type.
    Returns:
        DType.
    Raises:
        TypeError: the value names no dtype.
    """
    if isinstance(type_value, DType):
        return type_value
    if type(type_value) is int and type_value in _NUMBERS:
        type_value = _NUMBERS[type_value]
    if isinstance(type_value, str):
        if type_value in _BY_NAME:
            return _BY_NAME[type_value]
        if type_value == "bfloat16":
            return _bfloat16()
    if isinstance(type_value, type) and type_value in _BY_PYTHON:
        return _BY_PYTHON[type_value]
    try:
        has_dtype = not isinstance(type_value, type) and hasattr(type_value, "dtype")
        dtype = np.dtype(type_value.dtype if has_dtype else type_value)
    except (TypeError, ValueError):  # the latter for texts that begin like fields
        dtype = None
    if dtype is not None and type_value is not None:
        if dtype.kind in "SU":
            return string
        dtype = dtype.newbyteorder("=")
        if dtype in DTYPE_OF_NUMPY:
            return DTYPE_OF_NUMPY[dtype]
    raise TypeError(
        f"Cannot convert {type_value!r} to a TensorFlow DType. "
        f"Expected one of {', '.join(d.name for d in DTYPES)}, or NumPy's type for one of them."
    )


def __getattr__(name: str) -> Any:
    """Return ``dtypes.bfloat16``, which needs an extra."""
    if name == "bfloat16":
        return _bfloat16()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
