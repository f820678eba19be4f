"""Functions that go element by element, and the methods of NumPy's own such functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.staging.numpy_arrays.result_rules.operands import (
    ArrayType,
    NoRuleError,
    arrays_in,
    axes_of,
    axis_of,
    broadcast,
    common,
    dtype_or,
    inexact,
    known,
    real_part,
    replaced,
    typed,
    without,
)
from runtime.staging.numpy_arrays.result_rules.selection import nonzero


def _resolved(function: np.ufunc, operands: Any, dtype: Any, reduction: bool = False) -> Any:
    """The dtypes of what a function gives, by NumPy's own rules for it."""
    options: dict[str, Any] = {"reduction": True} if reduction else {}
    if dtype is not None:
        of_results = [dtype_or(dtype, None)] * function.nout
        options["signature"] = (*[None] * function.nin, *of_results)
    try:
        return function.resolve_dtypes(operands, **options)
    except TypeError:
        raise NoRuleError from None


def _type_of(operand: ArrayType) -> Any:
    return operand.dtype if operand.python in (None, bool) else operand.python


def elementwise(function: np.ufunc) -> Callable[..., Any]:
    """Rule of a function: shapes broadcast."""

    def rule(
        *args: Any, dtype: Any = None, where: Any = True, casting: Any = "same_kind",
        order: Any = "K",
    ) -> Any:  # fmt: skip
        if len(args) != function.nin:
            raise NoRuleError
        operands = [typed(arg) for arg in args]
        asked = (*map(_type_of, operands), *[None] * function.nout)
        dtypes = _resolved(function, asked, dtype)[function.nin :]
        dims = broadcast(*[operand.dims for operand in operands])
        results = tuple([ArrayType(dims, result_dtype) for result_dtype in dtypes])
        return results[0] if len(results) == 1 else results

    return rule


def _reduced_dtype(function: np.ufunc, array: ArrayType, dtype: Any) -> np.dtype[Any]:
    return np.dtype(_resolved(function, (None, array.dtype, None), dtype, True)[-1])


def reduce(function: np.ufunc) -> Callable[..., Any]:
    """Rule of the method ``reduce``."""

    def rule(
        array: Any, axis: Any = 0, dtype: Any = None, out: None = None, keepdims: Any = False,
        initial: Any = None, where: Any = None,
    ) -> ArrayType:  # fmt: skip
        array = typed(array)
        axes = axes_of(axis, array.rank) if array.rank else ()
        keeps = known(keepdims)
        dims = [
            1 if axis in axes else size
            for axis, size in enumerate(array.dims) if keeps or axis not in axes
        ]  # fmt: skip
        return ArrayType(tuple(dims), _reduced_dtype(function, array, dtype))

    return rule


def accumulate(function: np.ufunc) -> Callable[..., Any]:
    """Rule of the method ``accumulate``."""

    def rule(array: Any, axis: Any = 0, dtype: Any = None) -> ArrayType:
        array = typed(array)
        axis_of(axis, array.rank)
        return array.of(_reduced_dtype(function, array, dtype))

    return rule


def outer(function: np.ufunc) -> Callable[..., Any]:
    """Rule of the method ``outer``."""
    by_element = elementwise(function)

    def rule(left: Any, right: Any, **options: Any) -> ArrayType:
        left, right = typed(left), typed(right)
        numbers = [operand._replace(dims=()) for operand in (left, right)]
        return by_element(*numbers, **options).with_dims((*left.dims, *right.dims))

    return rule


def reduceat(function: np.ufunc) -> Callable[..., Any]:
    """Rule of the method ``reduceat``."""

    def rule(array: Any, indices: Any, axis: Any = 0, dtype: Any = None) -> ArrayType:
        array, indices = typed(array), typed(indices)
        if indices.rank != 1:
            raise NoRuleError
        dims = replaced(array.dims, axis_of(axis, array.rank), indices.dims[0])
        return ArrayType(dims, _reduced_dtype(function, array, dtype))

    return rule


def matmul(x1: Any, x2: Any) -> ArrayType:
    """Products of matrices, or of a matrix and a vector."""
    x1, x2 = typed(x1), typed(x2)
    if not x1.rank or not x2.rank:
        raise NoRuleError
    rows = x1.dims[-2:-1]
    columns = x2.dims[-1:] if x2.rank > 1 else ()
    if not _fits(x1.dims[-1], x2.dims[-2] if x2.rank > 1 else x2.dims[-1]):
        raise NoRuleError
    dims = (*broadcast(x1.dims[:-2], x2.dims[:-2]), *rows, *columns)
    return ArrayType(dims, _resolved(np.matmul, (x1.dtype, x2.dtype, None), None)[-1])


def matvec(x1: Any, x2: Any) -> ArrayType:
    """Products of matrices and vectors."""
    x2 = typed(x2)
    column = matmul(x1, x2.with_dims((*x2.dims, 1)))
    return column.with_dims(column.dims[:-1])


def vecmat(x1: Any, x2: Any) -> ArrayType:
    """Products of vectors and matrices, of complex ones conjugated."""
    x1 = typed(x1)
    row = matmul(x1.with_dims((*x1.dims[:-1], 1, *x1.dims[-1:])), x2)
    return row.with_dims((*row.dims[:-2], row.dims[-1]))


def _fits(left: int | None, right: int | None) -> bool:
    return left is None or right is None or left == right


def vecdot(x1: Any, x2: Any, *, axis: Any = -1) -> ArrayType:
    """Products of vectors."""
    x1, x2 = typed(x1), typed(x2)
    of_x1, of_x2 = axis_of(axis, x1.rank), axis_of(axis, x2.rank)
    if not _fits(x1.dims[of_x1], x2.dims[of_x2]):
        raise NoRuleError
    dtype = _resolved(np.vecdot, (x1.dtype, x2.dtype, None), None)[-1]
    return ArrayType(broadcast(without(x1.dims, (of_x1,)), without(x2.dims, (of_x2,))), dtype)


def same(a: Any) -> ArrayType:
    """Of the same type; it may be the array itself."""
    return typed(a)._replace(python=None)


def changed(array: Any, *args: Any, **options: Any) -> ArrayType:
    """A changed copy."""
    return typed(array).of(typed(array).dtype)


def angle(z: Any, deg: Any = False) -> ArrayType:
    """The angles of complex numbers; NumPy's ``arctan2`` of their parts."""
    array = typed(z)
    if array.dtype.kind == "c":
        return array.of(real_part(array.dtype))
    return elementwise(np.arctan2)(0, array)


def clip(
    a: Any, a_min: Any = None, a_max: Any = None, *, min: Any = None, max: Any = None
) -> ArrayType:
    """Between bounds, of the dtype to which all are promoted."""
    bounds = [typed(bound) for bound in (a_min, a_max, min, max) if bound is not None]
    operands = [typed(a), *bounds]
    return ArrayType(broadcast(*[x.dims for x in operands]), common(*operands))


def isclose(
    a: Any, b: Any, rtol: Any = 1e-5, atol: Any = 1e-8, equal_nan: Any = False
) -> ArrayType:
    """Whether elements are close."""
    return ArrayType(broadcast(typed(a).dims, typed(b).dims), np.dtype(bool))


def truth_of_each(x: Any) -> ArrayType:
    """A bool for each element."""
    return typed(x).of(bool)


def isin(
    element: Any, test_elements: Any, assume_unique: Any = False, invert: Any = False, *,
    kind: Any = None,
) -> ArrayType:  # fmt: skip
    """Whether each element is in a set."""
    result = typed(element).of(bool)
    return result._replace(is_array=True)


_INTEGERS = np.ones(1, np.int64)
_KEEPS_INTEGERS = np.may_share_memory(_INTEGERS, np.round(_INTEGERS))
"""Whether rounded integers are the array itself, as before NumPy 2.4."""


def rounded(a: Any, decimals: Any = 0) -> ArrayType:
    """Rounded numbers; bools become small floats."""
    array = typed(a)
    source = array.source if _KEEPS_INTEGERS and array.dtype.kind in "iu" else None
    result = array.of(np.float16 if array.dtype == bool else array.dtype)
    return result._replace(source=source)


def fixed(x: Any) -> ArrayType:
    """Rounded towards zero."""
    return elementwise(np.trunc)(x)


def floats_of(x: Any) -> ArrayType:
    """Floats for each element; of a scalar an array."""
    return typed(x).of(inexact(typed(x).dtype))._replace(is_array=True)


def sinc(x: Any) -> ArrayType:
    """The sine of pi x, divided by that."""
    array = typed(x)
    return array.of(np.result_type(array.dtype, 0.0))


def where(condition: Any, x: Any = None, y: Any = None) -> Any:
    """Elements of one array or of the other; of a condition alone, where it holds."""
    if x is None:
        return nonzero(condition)
    dims = broadcast(*[typed(value).dims for value in (condition, x, y)])
    return ArrayType(dims, common(x, y), is_array=True)


def nan_to_num(
    x: Any, copy: Any = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None
) -> ArrayType:
    """Numbers in place of what is none."""
    return changed(x)._replace(source=None if known(copy) else typed(x).source)


def interp(
    x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None
) -> ArrayType:
    """Values between points."""
    is_complex = typed(fp).dtype.kind == "c"
    return typed(x).of(np.complex128 if is_complex else np.float64)


def polyval(p: Any, x: Any) -> ArrayType:
    """A polynomial at the elements of ``x``."""
    p, x = typed(p), typed(x)
    if p.rank != 1 or p.dims[0] is None:
        raise NoRuleError
    return x.of(common(x.dtype, p.dtype))


def digitize(x: Any, bins: Any, right: Any = False) -> ArrayType:
    """The bin of each element."""
    return typed(x).of(np.int64)


def searchsorted(a: Any, v: Any, side: Any = "left", sorter: Any = None) -> ArrayType:
    """The place of each element among sorted ones."""
    return typed(v).of(np.int64)


def choose(a: Any, choices: Any, mode: Any = "raise") -> ArrayType:
    """For each element one of several arrays."""
    arrays = list(arrays_in(choices))
    dims = broadcast(typed(a).dims, *[x.dims for x in arrays])
    return ArrayType(dims, common(*[x.dtype for x in arrays]))


def select(condlist: Any, choicelist: Any, default: Any = 0) -> ArrayType:
    """Elements of the first array whose condition holds."""
    choices = [typed(x) for x in (*choicelist, default)]
    conditions = [typed(x) for x in condlist]
    dims = broadcast(*[x.dims for x in (*choices, *conditions)])
    return ArrayType(dims, common(*choices), is_array=True)
