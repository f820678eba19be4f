"""Data types of the array API standard: kinds, promotion, limits, and inputs of two dtypes.

TensorFlow never converts a tensor on its own, the standard does within a kind: int8 and int32 meet
as int32, float32 and complex64 as complex64.  What is of two kinds (ints and floats, bools and
numbers) is refused here, too.  Python numbers take the dtype of the array they meet.
"""

from __future__ import annotations

import operator
from typing import Any, NamedTuple

import numpy as np

from runtime.ops import dispatch
from runtime.ops.array import constants
from runtime.types.device_spec import CPU_NAME
from runtime.types.dtypes import (
    DTYPE_OF_NUMPY,
    DType,
    as_dtype,
    bool_,
    complex64,
    complex128,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from runtime.types.value import Value

DEFAULT_FLOAT, DEFAULT_COMPLEX = float32, complex64
DEFAULT_INT, DEFAULT_INDEX = int32, int64
SIGNED, UNSIGNED = (int8, int16, int32, int64), (uint8, uint16, uint32, uint64)
REAL, COMPLEX = (float32, float64), (complex64, complex128)
KINDS: dict[str, tuple[DType, ...]] = {
    "bool": (bool_,),
    "signed integer": SIGNED,
    "unsigned integer": UNSIGNED,
    "integral": SIGNED + UNSIGNED,
    "real floating": REAL,
    "complex floating": COMPLEX,
    "numeric": SIGNED + UNSIGNED + REAL + COMPLEX,
}
DTYPES: dict[str, DType] = {d.name: d for d in (bool_, *KINDS["numeric"])}


def tensor(x: Any, name: str) -> Any:
    """``x`` when it is an array (tensor or variable), else TypeError."""
    if isinstance(x, Value):
        return x
    if dispatch.conversion_for(x) is not None:
        return dispatch.convert(x)
    raise TypeError(f"{name} takes arrays, got {type(x).__name__}; make one with asarray")


def of_kind(x: Any, kinds: str, name: str) -> Any:
    """``x`` as an array whose dtype is of one of the NumPy kind letters; TypeError otherwise."""
    x = tensor(x, name)
    if kinds and np.dtype(x.dtype.as_numpy_dtype).kind not in kinds:
        words = {"b": "bool", "i": "integer", "f": "real floating", "c": "complex floating"}
        expected = ", ".join(word for kind, word in words.items() if kind in kinds)
        raise TypeError(f"{name} takes arrays of {expected} dtypes, got {x.dtype.name}")
    return x


def cast(x: Any, dtype: DType) -> Any:
    """``x``, an array or a Python number, in ``dtype``; itself when it has it."""
    if is_scalar(x):
        return constants.constant(x, dtype)
    return x if x.dtype is dtype else constants.cast(x, dtype)


def _joined(dtypes: list[DType]) -> DType:
    kinds = {np.dtype(d.as_numpy_dtype).kind for d in dtypes}
    if kinds <= {"b"} or kinds <= {"i", "u"} or kinds <= {"f", "c"}:
        joined = DTYPE_OF_NUMPY[np.result_type(*(d.as_numpy_dtype for d in dtypes))]
        if kinds & {"f", "c"} or not joined.is_floating:  # uint64 and int64 have no common int
            return joined
    names = ", ".join(dict.fromkeys(d.name for d in dtypes))
    raise TypeError(f"{names} cannot be promoted to one dtype; convert with astype")


def _scalar_takes(value: Any, dtype: DType) -> DType:
    """The dtype of a Python number beside an array of ``dtype``; TypeError where there is none."""
    if isinstance(value, bool):
        fits = dtype.is_bool
    elif isinstance(value, int):
        fits = not dtype.is_bool
        if fits and dtype.is_integer and not dtype.min <= value <= dtype.max:
            raise OverflowError(f"Python integer {value} is out of bounds for {dtype.name}")
    elif isinstance(value, float):
        fits = dtype.is_floating or dtype.is_complex
    else:
        fits = dtype.is_floating or dtype.is_complex
        if fits and dtype.is_floating:
            return complex128 if dtype is float64 else complex64
    if not fits:
        kind = type(value).__name__
        raise TypeError(f"a Python {kind} does not promote with an array of dtype {dtype.name}")
    return dtype


def is_scalar(value: object) -> bool:
    """Whether it is a Python bool, int, float or complex."""
    return isinstance(value, bool | int | float | complex) and not isinstance(value, np.generic)


def result_type(*arrays_and_dtypes: Any) -> DType:
    """Compute the dtype that arrays, dtypes and Python numbers promote to.

    Args:
        arrays_and_dtypes: arrays, dtypes and Python numbers, at least one of them no number.
    Returns:
        The common dtype.
    Raises:
        ValueError: there is neither an array nor a dtype.
        TypeError: the dtypes are of kinds that do not promote.
        OverflowError: a Python integer does not fit the dtype.
    """
    strong: list[DType] = []
    scalars = []
    for value in arrays_and_dtypes:
        if is_scalar(value):
            scalars.append(value)
        elif isinstance(value, DType):
            strong.append(value)
        else:
            strong.append(tensor(value, "result_type").dtype)
    if not strong:
        raise ValueError("result_type needs at least one array or dtype")
    dtype = _joined(strong)
    for value in scalars:
        dtype = _scalar_takes(value, dtype)
    return dtype


def promoted(values: tuple[Any, ...], name: str, kinds: str = "") -> list[Any]:
    """The inputs as arrays of their common dtype; at least one must be an array."""
    arrays = [v if is_scalar(v) else of_kind(v, kinds, name) for v in values]
    if all(map(is_scalar, arrays)):
        raise TypeError(f"{name} needs at least one array, got Python numbers")
    dtype = result_type(*arrays)
    if kinds and np.dtype(dtype.as_numpy_dtype).kind not in kinds:
        raise TypeError(f"{name} does not take {dtype.name}")
    return [cast(v, dtype) for v in arrays]


def astype(x: Any, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Any:
    """Convert an array to another dtype.

    Args:
        x: array.
        dtype: dtype of the result.
        copy: without effect; tensors are immutable.
        device: None or the CPU.
    Returns:
        Array of the shape of ``x``.
    Raises:
        TypeError: a complex array would become a real one.
        ValueError: there is no such device.
    """
    x, target = tensor(x, "astype"), as_dtype(dtype)
    check_device(device)
    if x.dtype.is_complex and not target.is_complex:
        raise TypeError(f"astype: complex numbers cannot become {target.name}; use real or imag")
    return cast(x, target)


def can_cast(from_: Any, to: Any, /) -> bool:
    """Test whether promotion may convert one dtype to another.

    Args:
        from_: dtype or array.
        to: dtype.
    Returns:
        True or False.
    """
    source = from_ if isinstance(from_, DType) else tensor(from_, "can_cast").dtype
    try:
        return _joined([source, as_dtype(to)]) is as_dtype(to)
    except TypeError:
        return False


class finfo_object(NamedTuple):
    """The limits of a floating-point dtype."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: DType


class iinfo_object(NamedTuple):
    """The limits of an integer dtype."""

    bits: int
    max: int
    min: int
    dtype: DType


def finfo(type: Any, /) -> finfo_object:
    """Describe the limits of a floating-point dtype.

    Args:
        type: floating-point or complex dtype, or an array of one; a complex dtype means its parts.
    Returns:
        Named tuple of ``bits``, ``eps``, ``max``, ``min``, ``smallest_normal`` and ``dtype``.
    Raises:
        TypeError: the dtype is another one.
    """
    dtype = (type if isinstance(type, DType) else as_dtype(getattr(type, "dtype", type))).real_dtype
    if not dtype.is_floating:
        raise TypeError(f"finfo takes floating-point dtypes, got {dtype.name}")
    info = np.finfo(dtype.as_numpy_dtype)
    eps, high, low, least = (float(n) for n in (info.eps, info.max, info.min, info.smallest_normal))
    return finfo_object(info.bits, eps, high, low, least, dtype)


def iinfo(type: Any, /) -> iinfo_object:
    """Describe the limits of an integer dtype.

    Args:
        type: integer dtype, or an array of one.
    Returns:
        Named tuple of ``bits``, ``max``, ``min`` and ``dtype``.
    Raises:
        TypeError: the dtype is another one.
    """
    dtype = type if isinstance(type, DType) else as_dtype(getattr(type, "dtype", type))
    if not dtype.is_integer:
        raise TypeError(f"iinfo takes integer dtypes, got {dtype.name}")
    info = np.iinfo(dtype.as_numpy_dtype)
    return iinfo_object(info.bits, int(info.max), int(info.min), dtype)


def isdtype(dtype: Any, kind: Any) -> bool:
    """Test whether a dtype is of a kind.

    Args:
        dtype: dtype.
        kind: a dtype, the name of a kind such as 'integral', or a tuple of those.
    Returns:
        True or False.
    Raises:
        ValueError: there is no kind of this name.
    """
    if isinstance(kind, tuple):
        return any(isdtype(dtype, alternative) for alternative in kind)
    if isinstance(kind, str):
        if kind not in KINDS:
            raise ValueError(f"unknown kind {kind!r}; expected one of {', '.join(KINDS)}")
        return as_dtype(dtype) in KINDS[kind]
    return as_dtype(dtype) is as_dtype(kind)


def offset_within(k: int) -> int:
    """The number of a diagonal in the range of int32; those beyond hold no elements either."""
    return max(int32.min, min(int32.max, operator.index(k)))


def check_device(device: Any) -> None:
    """ValueError for any device but the CPU."""
    if device is not None and "cpu" not in str(device).lower():
        raise ValueError(f"there is one device, {CPU_NAME!r}, got {device!r}")
