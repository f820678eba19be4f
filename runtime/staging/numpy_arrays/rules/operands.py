"""Operands of NumPy's functions as tensors of the dtypes that NumPy computes in.

The rules ask, and calls.py.  Python's numbers, staged or not, are weak: they take the dtype of
the arrays beside them, as NumPy's promotion has it.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.eager.tensor import Tensor
from runtime.graph.operation import read
from runtime.ops.array.constants import cast_op, convert_to_tensor, stop_gradient
from runtime.staging.numpy_arrays.symbolic_array import SymbolicArray
from runtime.staging.python_numbers.calls import local_tensor
from runtime.types.dtypes import DTYPE_OF_NUMPY
from runtime.types.promotion import KINDS, is_weak

NUMBERS = frozenset(map(np.dtype, (
    bool, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64,
    np.float32, np.float64, np.complex64, np.complex128,
)))  # fmt: skip
"""The dtypes that are computed by ops: those of which native code knows the numbers."""
FLOAT = np.dtype(np.float64)
BOOL = np.dtype(bool)
_PYTHONS = {"bool": np.dtype(bool), "int": int, "float": float, "complex": complex}
_EXACT = 2**53
"""Greatest of the Python ints that are converted to floats."""


class NoEquivalentError(Exception):
    """There is no op that means exactly what the call does."""


def constant_unless_array(value: Any) -> Any:
    """The tensor that NumPy is given for a staged value.

    What NumPy makes of a tensor is constant to derivatives, as in eager execution; what it makes of
    an array is not.
    """
    tensor = local_tensor(read(value))
    return tensor if type(value) is SymbolicArray else cut_off(tensor)


def cut_off(tensor: Any) -> Any:
    """A tensor that is constant to derivatives; Python numbers stay as they are."""
    if tensor.weak or tensor.spec.value is not None or tensor.dtype.kind not in "fc":
        return tensor
    return stop_gradient(tensor)


def as_operand(value: Any) -> Any:
    """An operand: a tensor of the graph, or a Python number; NoEquivalentError for others."""
    if isinstance(value, Tensor):
        tensor = constant_unless_array(value)
        if tensor.shape.rank is None or given_type(tensor) is None:
            raise NoEquivalentError
        return tensor
    if isinstance(value, np.ndarray | np.generic) and value.dtype in NUMBERS:
        return convert_to_tensor(np.array(value))
    if type(value) in (bool, int, float, complex):
        return value
    raise NoEquivalentError


def as_array(value: Any) -> Any:
    """An operand that is an array or a scalar of NumPy's, and no Python number."""
    operand = as_operand(value)
    if not isinstance(operand, Tensor) or is_weak(operand):
        raise NoEquivalentError
    return operand


def given_type(operand: Any) -> Any:
    """A dtype; of Python's ints and floats the class; None for what no op computes."""
    if not isinstance(operand, Tensor):
        return np.dtype(bool) if type(operand) is bool else type(operand)
    if is_weak(operand):
        return _PYTHONS.get(KINDS.get(operand.dtype, ""))
    dtype = np.dtype(operand.dtype.as_numpy_dtype)
    return dtype if dtype in NUMBERS else None


def as_dtype(operand: Any, dtype: np.dtype[Any]) -> Any:
    """An operand as a tensor of a dtype, to which NumPy converts it without a question."""
    if dtype not in NUMBERS:
        raise NoEquivalentError
    if isinstance(operand, Tensor):
        operand_type = given_type(operand)
        if operand_type is int and dtype.kind in "iu" and dtype != np.int64:
            raise NoEquivalentError  # NumPy refuses numbers that do not fit
        if operand_type == dtype and not is_weak(operand):
            return operand
        if operand.dtype.is_complex and dtype.kind not in "cb":
            raise NoEquivalentError  # NumPy warns
        return cast_op(operand, dtype=DTYPE_OF_NUMPY[dtype])
    if type(operand) is int:
        limits = (-_EXACT, _EXACT) if dtype.kind in "fc" else (0, 1)
        if dtype.kind in "iu":
            limits = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
        if not limits[0] <= operand <= limits[1]:
            raise NoEquivalentError
    with np.errstate(all="ignore"):
        return convert_to_tensor(np.asarray(operand, dtype))


def as_dtype_argument(value: Any) -> np.dtype[Any]:
    """The dtype that an argument names."""
    try:
        dtype = np.dtype(getattr(value, "as_numpy_dtype", value))
    except TypeError:  # NumPy's own error is raised by the call
        raise NoEquivalentError from None
    if value is None or dtype not in NUMBERS:
        raise NoEquivalentError
    return dtype


def cast(tensor: Any, dtype: np.dtype[Any]) -> Any:
    """A tensor in another dtype, as ``astype`` converts it without a warning."""
    if tensor.dtype.is_complex and dtype.kind not in "cb":
        raise NoEquivalentError
    return cast_op(tensor, dtype=DTYPE_OF_NUMPY[dtype])


def axes_of(tensor: Any, axis: Any) -> Any:
    """The axes that an argument names: None, or a tuple of those that exist, each once."""
    if axis is None:
        return None
    all_axes = axis if isinstance(axis, tuple) else (axis,)
    rank = tensor.shape.rank
    if not all(type(number) is int and -rank <= number < rank for number in all_axes):
        raise NoEquivalentError
    axes = tuple([number % rank for number in all_axes])
    if len({*axes}) != len(axes):
        raise NoEquivalentError
    return axes


def as_loop(ufunc: np.ufunc, operands: Sequence[Any]) -> list[Any]:
    """The operands of an element-wise function, in the dtype in which NumPy computes it."""
    operand_types = [given_type(operand) for operand in operands]
    try:
        loop = ufunc.resolve_dtypes((*operand_types, None))
    except TypeError:  # NumPy's own error is raised by the call
        raise NoEquivalentError from None
    if len(set(loop[: len(operand_types)])) != 1:
        raise NoEquivalentError
    return [as_dtype(operand, loop[0]) for operand in operands]


def as_common(operands: Sequence[Any]) -> list[Any]:
    """The operands in the dtype that NumPy gives an array of all of them."""
    operand_types = [given_type(operand) for operand in operands]
    weak = [type_() for type_ in operand_types if isinstance(type_, type)]
    common = np.result_type(*[t for t in operand_types if isinstance(t, np.dtype)], *weak)
    return [as_dtype(operand, common) for operand in operands]


def check_broadcast(*shapes: Sequence[int | None]) -> None:
    """NoEquivalentError if shapes certainly do not fit one another: NumPy says so best."""
    for sizes in itertools.zip_longest(*map(reversed, shapes), fillvalue=1):
        if len({size for size in sizes if size not in (None, 1)}) > 1:
            raise NoEquivalentError
