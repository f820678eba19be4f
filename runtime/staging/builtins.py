"""Python's builtins on staged values, with Python's results: numbers as weak tensors.

autograph itself defines those that iterate, such as ``any``, ``zip`` and ``range``.
"""

from __future__ import annotations

import builtins
import functools
import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from autograph.staging import StagedList, check_supported
from runtime.control_flow.abstract_value import truth_of
from runtime.eager.tensor import Tensor
from runtime.graph.operation import SymbolicTensor
from runtime.graph.python_values import as_python_value
from runtime.graph.trace import identity_of
from runtime.ops.array.constants import cast_op, convert_to_tensor
from runtime.ops.array.shape import reshape
from runtime.ops.control_flow.print_assert import assert_op
from runtime.ops.math.elementary import complex as complex_op
from runtime.ops.math.elementary import imag as imag_op
from runtime.ops.math.elementary import real as real_op
from runtime.ops.math.reduction import reduce_any
from runtime.ops.python.call_numpy import CHANGING
from runtime.ops.python.call_numpy import FUNCTIONS as NUMPY_FUNCTIONS
from runtime.ops.python_functions import FUNCTIONS
from runtime.ops.string.strings import read_number, spelled_op
from runtime.staging.index_iterators import ndenumerate, ndindex
from runtime.staging.items import length, number, weak_integer
from runtime.staging.numpy_arrays import sizes
from runtime.staging.numpy_arrays.assignment import install as install_array_assignment
from runtime.staging.numpy_arrays.calls import call_numpy, change_array
from runtime.staging.numpy_arrays.complex_parts import install as install_complex_parts
from runtime.staging.numpy_arrays.operators import result_of_operator
from runtime.staging.numpy_arrays.symbolic_array import SymbolicArray
from runtime.staging.python_numbers.calls import call_python
from runtime.staging.python_numbers.operators import install as install_number_operators
from runtime.state.variable import Variable
from runtime.types.dtypes import DType, float64, int64, string
from runtime.types.promotion import is_weak


def _scalar(value: Any, kind: DType) -> Any:
    """Convert a staged value with one number, or a text that spells one, to ``kind``."""
    value = value.read_value() if isinstance(value, Variable) else value
    name = "float" if kind is float64 else "int"
    if not isinstance(value, Tensor):
        check_supported(float if kind is float64 else int, value)
    if value.dtype is string and value.shape.rank == 0:
        return _spelled(value, kind)
    if value.dtype.as_numpy_dtype is object or value.dtype.is_complex:
        raise TypeError(
            f"{name}() does not take a staged value of dtype {value.dtype.name} and shape "
            f"{value.shape}; use runtime.strings.to_number or runtime.cast"
        )
    if value.shape.rank == 0:
        return value
    if type(value) is SymbolicArray:  # NumPy's versions differ in what they take
        check_supported(float if kind is float64 else int, value)
    if value.shape.num_elements() not in (None, 1):
        raise TypeError(f"only length-1 arrays can be converted to Python scalars, got {value!r}")
    return reshape(value, np.zeros(0, np.int32))


def _spelled(text: Any, kind: DType) -> Any:
    """The number that a text spells; ValueError, at run time, for one that spells none."""
    decoded = is_weak(text)
    number, good = spelled_op(text, dtype=kind, decoded=decoded)

    def fail(text: Any) -> BaseException:
        try:
            read_number(text.item(), kind, decoded)
        except (OverflowError, ValueError) as error:
            return error
        raise AssertionError("it spells a number")

    assert_op(good, text, fail=fail)
    return number


def int_(x: Any, base: Any = ...) -> Any:
    """Compute ``int(x)``, cut towards zero.

    At run time NaN and infinity raise Python's errors, and more than 64 bits NumberSizeError.

    A text is parsed as a number of base ``base``.
    """
    if base is not ...:
        return call_python("int", x, base)
    value = _scalar(x, int64)
    if not value.dtype.is_floating:
        if value.dtype.is_bool:
            return as_python_value(cast_op(value, dtype=int64))
        return weak_integer(value)
    return call_python("math.trunc", value)


def float_(x: Any) -> Any:
    """Compute ``float(x)`` in double precision."""
    value = _scalar(x, float64)
    if is_weak(value) and value.dtype is float64:
        return value
    return as_python_value(cast_op(value, dtype=float64))


def complex_(real: Any = 0, imag: Any = 0) -> Any:
    """Compute ``complex(real, imag)`` in double precision; either may be complex itself."""
    (a, b), (c, d) = _parts(real), _parts(imag)
    return as_python_value(complex_op(a if d is None else a - d, c if b is None else b + c))


def _parts(x: Any) -> tuple[Any, Any]:
    """Return the real and imaginary part of a number in double precision; None without the latter.
    """
    if isinstance(x, complex):
        return x.real, x.imag
    if not isinstance(x, Tensor | Variable):
        return float(x), None
    if x.dtype is string:
        raise TypeError("complex() does not take a staged text: give it numbers")
    if not x.dtype.is_complex:
        return cast_op(_scalar(x, float64), dtype=float64), None
    return cast_op(real_op(x), dtype=float64), cast_op(imag_op(x), dtype=float64)


def bool_(x: Any) -> Any:
    """Compute ``bool(x)``."""
    value = truth_of(x)
    if is_weak(value):
        return value
    return as_python_value(identity_of(value))


def len_(x: Any) -> Any:
    """Compute ``len(x)``: the size of the leading axis, or the number of characters of a text."""
    if isinstance(x, SymbolicTensor) and is_weak(x) and x.dtype is string:
        return call_python("text.length", x)
    return length(x)


def contains_(container: Any, item: Any) -> Any:
    """Compute ``item in container`` by one operation; NotImplemented where that is impossible."""
    if isinstance(container, Variable):
        container = container.read_value()
    if is_weak(container):
        check_supported(operator.contains, container, item)
    if isinstance(container, str) or _is_text(container):
        return call_python("text.contains", container, item)
    if not _is_number(item):
        return NotImplemented
    if isinstance(container, list | tuple):
        if isinstance(container, StagedList) or len(container) < 4:
            return NotImplemented
        if {*map(type, container)} != {int}:
            return NotImplemented
        if not (isinstance(item, Tensor) and item.dtype.is_integer):
            return NotImplemented
        container = convert_to_tensor(container, item.dtype)
    if not isinstance(container, Tensor) or container.shape.rank != 1:
        return NotImplemented
    return as_python_value(reduce_any(container == item))


def pow_(x: Any, y: Any, modulus: Any = None) -> Any:
    """Compute ``pow(x, y)``, or ``pow(x, y, modulus)`` of ints."""
    return builtins.pow(x, y) if modulus is None else call_python("pow", x, y, modulus)


def round_(x: Any, digits: Any = None) -> Any:
    """Compute ``round(x)``, an int, or ``round(x, digits)``; of a tensor, a tensor."""
    if type(x) is SymbolicArray:
        check_supported(builtins.round, x)
        return int_(call_numpy("numpy.round", x)) if digits is None else call_numpy(
            "numpy.round", x, digits
        )
    if isinstance(x, SymbolicTensor) and not x.weak:
        return builtins.round(x, digits)
    return call_python("round", x) if digits is None else call_python("round", x, digits)


def index_(x: Any) -> Any:
    """Compute ``operator.index(x)``; TypeError unless it is an integer."""
    return number(x, True)


def is_scalar_(x: Any) -> bool:
    """Compute ``np.isscalar(x)``."""
    return is_weak(x) or isinstance(x, SymbolicArray) and x.storage is None


def _is_text(value: Any) -> bool:
    """Return whether a tensor stands for a Python text."""
    return isinstance(value, SymbolicTensor) and value.weak and value.dtype is string


def _is_number(value: Any) -> bool:
    if isinstance(value, Tensor):
        return value.shape.rank == 0 and value.dtype is not string
    return type(value) in (bool, int, float)


BUILTINS: Mapping[Callable[..., Any], Callable[..., Any]] = {
    **{function: functools.partial(call_numpy, name) for name, function in NUMPY_FUNCTIONS.items()},
    **{function: functools.partial(change_array, name) for name, function in CHANGING.items()},
    **{
        row.function: functools.partial(call_python, name) for name, row in FUNCTIONS.items()
        if not name.startswith("text.")
    },
    abs: builtins.abs,
    bool: bool_,
    complex: complex_,
    divmod: builtins.divmod,
    float: float_,
    int: int_,
    len: len_,
    pow: pow_,
    round: round_,
    np.imag: sizes.imag_,
    np.isscalar: is_scalar_,
    np.iterable: sizes.iterable_,
    np.ndenumerate: ndenumerate,
    np.ndim: sizes.ndim_,
    np.ndindex: ndindex,
    np.real: sizes.real_,
    np.shape: sizes.shape_,
    np.size: sizes.size_,
    operator.contains: contains_,
    operator.index: index_,
    operator.truth: bool_,
}
"""The staged version of each builtin on tensors; those that go through values are autograph's."""

install_number_operators(result_of_operator)
install_array_assignment()
install_complex_parts()
