"""Op definition that calls a Python function when a graph runs: py_function and numpy_function.

The function runs eagerly, whatever is being recorded; what it raises keeps its type.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.ops import dispatch
from runtime.ops.op import RAISES, STATEFUL, Missing, define
from runtime.types.conversion import python_kind, to_array
from runtime.types.dtypes import DTYPE_OF_NUMPY, DType
from runtime.types.errors import InvalidArgumentError, MismatchedTypesError
from runtime.types.shapes import TensorSpec

__all__: list[str] = []


def name_of(function: Any) -> str:
    """What messages call a function."""
    return str(getattr(function, "__name__", type(function).__name__))


def several(result: Any, dtypes: tuple[DType, ...], function: Any) -> list[Any]:
    """What a function returned, one value for each dtype; InvalidArgumentError if not as many."""
    if not dtypes:
        return []
    values = list(result) if isinstance(result, tuple | list) and len(dtypes) > 1 else [result]
    if isinstance(result, tuple | list) and len(dtypes) == 1 and len(result) == 1:
        values = list(result) if python_kind(result) is None else values
    if isinstance(result, tuple) and len(result) != len(dtypes):
        values = list(result)
    if len(values) != len(dtypes):
        raise InvalidArgumentError(
            f"{name_of(function)} returns {len(values)} values, but expects to see {len(dtypes)} "
            "values: the dtypes in Tout"
        )
    return values


def as_array(value: Any, dtype: DType, number: int, function: Any) -> Any:
    """A value that a NumPy function returned; MismatchedTypesError for another dtype."""
    if value is None:
        raise InvalidArgumentError(
            f"{name_of(function)} returned None for its value {number}, which has dtype "
            f"{dtype.name}. Return an array, or give Tout=[]."
        )
    try:
        array = to_array(value, dtype if python_kind(value) is not None else None)
    except (TypeError, ValueError, OverflowError) as error:
        raise MismatchedTypesError(
            f"{number}-th value returned by {name_of(function)}: {error}"
        ) from None
    array_dtype = DTYPE_OF_NUMPY[array.dtype]
    if array_dtype is not dtype:
        raise MismatchedTypesError(
            f"{number}-th value returned by {name_of(function)} is {array_dtype.name}, but expects "
            f"{dtype.name}"
        )
    return array


def for_numpy(array: Any) -> Any:
    """An argument for a NumPy function: an array of its own, or a scalar."""
    if isinstance(array, np.ndarray) and array.ndim:
        return array.copy()
    return np.asarray(array)[()]


def _call(*arrays: Any, call: Callable[..., Any], dtypes: tuple[DType, ...]) -> Any:
    with dispatch.eagerly():
        return tuple(call(*arrays))


py_func_op = define(
    "py_func",
    inputs="*inputs",
    same_dtype_inputs=None,
    kernel=_call,
    infer=lambda *inputs, call, dtypes: tuple(TensorSpec(None, dtype) for dtype in dtypes),
    grad=Missing("what a NumPy function does is not recorded; use py_function or custom_gradient"),
    node_name="PyFunc",
    traits=(STATEFUL, RAISES),
    samples=Missing("it calls any function"),
    doc="Call a Python function with arrays when the graph runs.",
)

