"""Promotion: the dtype that the inputs of an op share, and the dtypes of weak values.

Used by both interpreters.  Tensors are never converted implicitly; Python numbers take the dtype
of the tensor that they meet.  A *weak* tensor is symbolic and stands for a Python number that only
the run knows: it has dtype int64 or float64, so that arithmetic among weak values is Python's, it
takes the dtype of any tensor that it meets, and becomes int32 or float32 where a tensor is needed.
Bools, complex numbers and texts may be weak, too, which is visible when they are printed.
"""

from __future__ import annotations

import enum
import types
from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.types.conversion import (
    DEFAULTS,
    conversion_call,
    join_kinds,
    python_kind,
    to_array,
)
from runtime.types.dtypes import (
    DTYPE_OF_NUMPY,
    DType,
    as_dtype,
    bool_,
    complex128,
    float32,
    float64,
    int32,
    int64,
    string,
)
from runtime.types.errors import MismatchedTypesError
from runtime.types.value import Value

WEAK_DTYPE = {
    "bool": bool_, "int": int64, "float": float64, "complex": complex128, "str": string,
}  # fmt: skip
KINDS = {carrier: kind for kind, carrier in WEAK_DTYPE.items()}
DEFAULT_DTYPE = {
    int64: int32, float64: float32, bool_: bool_, complex128: complex128, string: string,
}  # fmt: skip
"""Dtype that a weak tensor of a dtype gets where a tensor is needed."""


def is_weak(value: object) -> bool:
    """Return whether the value is a symbolic tensor that stands for a Python number."""
    return getattr(value, "weak", False)


_OTHERS = (
    bytes, bytearray, list, tuple, dict, set, frozenset, range, slice, type, enum.Enum,
    types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.ModuleType,
)  # fmt: skip
"""Classes of which no value equals a number or a text, unless it is one of a subclass, too."""


def is_unlike(value: object, other: object) -> bool:
    """Return whether Python never finds a value, which may be weak, equal to another one.

    A number equals no text, and neither equals None, a collection, an Enum member or a class.
    """
    if other is None:
        return True
    if not is_weak(value):
        return False
    is_text = value.dtype is string  # type: ignore[attr-defined]
    if isinstance(other, Value):
        return is_weak(other) and is_text is not (other.dtype is string)  # type: ignore[attr-defined]
    if isinstance(other, str):
        return not is_text
    if isinstance(other, bool | int | float | complex):
        return is_text
    return isinstance(other, _OTHERS)


def shared_dtype(
    values: Sequence[Any], keep_weak: bool, takes_bool: bool = True
) -> tuple[DType, bool]:
    """The dtype that inputs of one op share, and whether they meet as Python numbers.

    ``keep_weak`` says that the op has Python's meaning on Python numbers.  A strong tensor
    decides; else, NumPy arrays; else, weak tensors and Python values together.  Python's bools
    count as ints beside other numbers, and where the op does not take bools (``takes_bool``).
    TypeError when values of several kinds have no common dtype.
    """
    for value in values:
        if isinstance(value, Value) and not is_weak(value):
            return value.dtype, False  # type: ignore[attr-defined]
    kinds: set[str | None] = set()
    weak = False
    for value in values:
        if isinstance(value, Value):
            weak = True
            kinds.add(KINDS[value.dtype])  # type: ignore[attr-defined]
            continue
        kind = python_kind(value)
        if kind is None:
            return DTYPE_OF_NUMPY[to_array(value).dtype], False
        kinds.add(kind)
    if weak and keep_weak and "bool" in kinds and (len(kinds) > 1 or not takes_bool):
        kinds = kinds - {"bool"} | {"int"}
    kind = join_kinds(kinds)
    if kind is None:
        if weak:
            named = " and ".join(sorted(map(str, kinds)))
            raise TypeError(
                f"Python has no such operation on {named}. Convert one side: str(x), int(x) or "
                "float(x)."
            )
        raise TypeError(
            f"The inputs have no common dtype: they are of the kinds {sorted(map(str, kinds))}. "
            f"Convert one side, for instance with {_converters(kinds)}."
        )
    if weak and kind in WEAK_DTYPE:
        return (WEAK_DTYPE[kind], True) if keep_weak else (DEFAULT_DTYPE[WEAK_DTYPE[kind]], False)
    if kind == "int":
        return max((DTYPE_OF_NUMPY[to_array(v).dtype] for v in values), key=lambda d: d.size), False
    return DEFAULTS[kind], False


def _converters(kinds: set[str | None]) -> str:
    """The functions that convert one of the kinds to another."""
    if "str" in kinds:
        return "runtime.strings.as_string or runtime.strings.to_number"
    return "runtime.cast"


def mismatch(op_name: str, names: Sequence[str], dtypes: Sequence[DType]) -> MismatchedTypesError:
    """Return the error for tensors of different dtypes in one op, with both and the remedy."""
    first = dtypes[0]
    at = next(i for i, dtype in enumerate(dtypes) if dtype is not first)
    label = [n.lstrip("*") for n in names] or ["x"]
    name_of = [label[min(i, len(label) - 1)] for i in (0, at)]
    return MismatchedTypesError(
        f"{op_name}: input {name_of[1]!r} (number {at}) has dtype {dtypes[at].name}, but "
        f"{name_of[0]!r} has dtype {first.name}. Tensors are not converted on their own: "
        f"use {conversion_call(name_of[1], dtypes[at], first)}."
    )


def check_weak_takes(carrier: DType, dtype: DType) -> None:
    """Raise TypeError when a weak value cannot take ``dtype``, such as a float an integer one."""
    if carrier is int64:
        fits = dtype.is_floating or dtype.is_complex or dtype.is_integer
    elif carrier is float64:
        fits = dtype.is_floating or dtype.is_complex
    else:
        fits = dtype is carrier or (dtype.is_complex and carrier.is_complex)
    if not fits:
        kind = KINDS[carrier]
        raise TypeError(
            f"Cannot convert a Python {kind} to a tensor of dtype {dtype.name}. "
            f"Convert the other side with {conversion_call('...', dtype, DEFAULT_DTYPE[carrier])}."
        )


def strengthen(array: Any, dtype: Any) -> Any:
    """Convert the array of a weak value to ``dtype``; OverflowError when an int does not fit.

    Kernel of the op ``strengthen``.
    """
    target = as_dtype(dtype)
    result = np.asarray(array).astype(target.as_numpy_dtype)
    if target.is_integer and (result != array).any():
        raise OverflowError(f"Python int {array} does not fit dtype {target.name}")
    return result
