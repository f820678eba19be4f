"""NumPy's functions that ask what an array is like, or a number or list in its place: ``np.shape``.

NumPy's own would read the storage that Python has for a staged list, in which its items are not.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.staging import StagedList
from runtime.staging.numpy_arrays.calls import call_numpy
from runtime.staging.numpy_arrays.symbolic_array import SymbolicArray
from runtime.types.dtypes import string
from runtime.types.promotion import is_weak


def shape_(a: Any) -> Any:
    """Compute ``np.shape(a)``: a tuple of ints, those of unknown sizes staged."""
    return () if is_weak(a) else np.shape(_as_array(a))


def ndim_(a: Any) -> Any:
    """Compute ``np.ndim(a)``."""
    return 0 if is_weak(a) else np.ndim(_as_array(a))


def size_(a: Any, axis: Any = None) -> Any:
    """Compute ``np.size(a)``, or the size of an axis."""
    return 1 if is_weak(a) and axis is None else np.size(_as_array(a), axis)


def iterable_(y: Any) -> bool:
    """Compute ``np.iterable(y)``: texts, lists and arrays with axes are."""
    if isinstance(y, SymbolicArray):
        return bool(y.ndim)
    if is_weak(y):
        return y.dtype is string
    return isinstance(y, StagedList) or np.iterable(y)


def real_(val: Any) -> Any:
    """Compute ``np.real(val)``."""
    return _as_array(val).real


def imag_(val: Any) -> Any:
    """Compute ``np.imag(val)``."""
    return _as_array(val).imag


def _as_array(value: Any) -> Any:
    """Return the array that NumPy makes of a list or tuple; any other value itself."""
    return call_numpy("numpy.array", value) if isinstance(value, list | tuple) else value
