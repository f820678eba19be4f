"""What rules are given: types of staged arguments beside Python's own values.

A rule has the signature of NumPy's function.  A staged argument is an ``ArrayType``; sequences are
tuples; anything else is the value itself.  A rule returns an ``ArrayType``, or several in a tuple,
or raises NoRuleError: for arguments whose result it does not tell.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from autograph.named_tuples import NamedTuple
from runtime.ops.array.indexing import KeyInput
from runtime.ops.python.call_python import python_value
from runtime.staging.numpy_arrays.lists import ListInput
from runtime.types.promotion import KINDS

Dims = tuple[int | None, ...]
"""Sizes of the axes; None for one that only a run tells."""

_PYTHON = {"bool": bool, "int": int, "float": float, "complex": complex}
UNKNOWN = object()
"""The value of an argument that only a run tells."""


class NoRuleError(Exception):
    """Call whose result a rule does not tell."""

    def __str__(self) -> str:
        return super().__str__() or "no rule tells the type of its result for these arguments"


class OpenArgumentError(NoRuleError):
    """Argument that only a run tells, of which a result's type is known for each possible value."""

    def __init__(self, source: int, values: Sequence[Any]) -> None:
        super().__init__("an argument that decides its type is known only at run time")
        self.source, self.values = source, values


class ArrayType(NamedTuple):
    """Type of an array or number.

    dims      its sizes; of a result None where not even their number is known
    dtype     its dtype
    python    Python's class, if it is a number of Python's, whose dtype is weak
    value     its value, where tracing knows it
    is_array  of a result without axes, whether it is an array, and no scalar
    source    number of the input that it is, whose memory a result may share
    """

    dims: Dims
    dtype: np.dtype[Any]
    python: type | None = None
    value: Any = UNKNOWN
    is_array: bool = False
    source: int | None = None

    @property
    def rank(self) -> int:
        """The number of axes."""
        return len(self.dims)

    def of(self, dtype: Any) -> ArrayType:
        """A new array of another dtype."""
        return ArrayType(self.dims, np.dtype(dtype))

    def of_unknown_rank(self) -> ArrayType:
        """A result of which only a run tells the number of axes."""
        return self._replace(dims=None)  # type: ignore[arg-type]

    def with_dims(self, dims: Sequence[int | None]) -> ArrayType:
        """A new array of other sizes."""
        return ArrayType(tuple(dims), self.dtype)


def argument(template: Any, inputs: Sequence[Any], scalars: frozenset[int] = frozenset()) -> Any:
    """What a rule is given for an argument; ``scalars`` are inputs that are NumPy's scalars."""
    if isinstance(template, KeyInput):
        return _staged(inputs[template.index], template.index, template.index in scalars)
    if isinstance(template, slice):
        bounds = (template.start, template.stop, template.step)
        return slice(*[argument(bound, inputs) for bound in bounds])
    if type(template) is tuple:
        return tuple([argument(item, inputs, scalars) for item in template])
    return template


def _staged(tensor: Any, number: int, is_scalar: bool) -> ArrayType:
    if isinstance(tensor, ListInput):
        entry = _entry(tensor.entry)
        return ArrayType((None, *entry.dims), entry.dtype)
    operand = _tensor(tensor)
    is_array = operand.python is None and not is_scalar
    return operand._replace(source=number, is_array=is_array)


def _entry(entry: Any) -> ArrayType:
    if isinstance(entry, ListInput):
        inner = _entry(entry.entry)
        return ArrayType((None, *inner.dims), inner.dtype)
    return stacked([_entry(item) for item in entry]) if type(entry) is tuple else _tensor(entry)


def _tensor(tensor: Any) -> ArrayType:
    dims = tensor.shape.dims
    if dims is None:
        raise NoRuleError
    dtype = np.dtype(tensor.dtype.as_numpy_dtype)
    python = _PYTHON[KINDS[tensor.dtype]] if tensor.weak else None
    value = getattr(getattr(tensor, "spec", None), "value", None)
    if value is None:
        return ArrayType(dims, dtype, python)
    value = np.asarray(value)
    return ArrayType(dims, dtype, python, python_value(value) if tensor.weak else value)


def typed(value: Any) -> ArrayType:
    """The type of an array-like argument."""
    if isinstance(value, ArrayType):
        return value
    if type(value) is tuple:
        return stacked([typed(item) for item in value])
    if type(value) in (bool, int, float, complex):
        return ArrayType((), np.asarray(value).dtype, type(value), value)
    if isinstance(value, np.generic | np.ndarray):
        return ArrayType(value.shape, value.dtype, None, value, isinstance(value, np.ndarray))
    raise NoRuleError


def stacked(items: Sequence[ArrayType]) -> ArrayType:
    """The array of a sequence of arrays of one shape."""
    if not items:
        return ArrayType((0,), np.dtype(np.float64))
    dims = items[0].dims
    if any(item.rank != len(dims) for item in items):
        raise NoRuleError
    sizes = [same_size(*column) for column in zip(*[item.dims for item in items], strict=True)]
    return ArrayType((len(items), *sizes), common(*[item.dtype for item in items]))


def same_size(*sizes: int | None) -> int | None:
    """The size of axes that have the same one; NoRuleError if they do not."""
    different = {size for size in sizes if size is not None}
    if len(different) > 1:
        raise NoRuleError
    return different.pop() if different else None


def product(sizes: Sequence[int | None]) -> int | None:
    """The number of elements, if all sizes are known or one is 0."""
    if 0 in sizes:
        return 0
    return None if None in sizes else int(np.prod(sizes, dtype=np.int64))  # type: ignore[arg-type]


def total(*sizes: int | None) -> int | None:
    """The sum of sizes, if all are known."""
    return None if None in sizes else sum(sizes)  # type: ignore[arg-type]


def broadcast(*shapes: Dims) -> Dims:
    """The shape to which arrays broadcast; NoRuleError if they do not."""
    rank = max(map(len, shapes), default=0)
    padded = [(1,) * (rank - len(dims)) + tuple(dims) for dims in shapes]
    return tuple([_broadcast_size(column) for column in zip(*padded, strict=True)])


def _broadcast_size(sizes: Sequence[int | None]) -> int | None:
    large = {size for size in sizes if size != 1}
    if len(large - {None}) > 1:
        raise NoRuleError
    if large - {None}:
        return (large - {None}).pop()
    return None if large else 1


def weak_or_dtype(operand: ArrayType) -> Any:
    """What NumPy's rules of promotion ask for: a number of Python's, or a dtype."""
    return operand.python(0) if operand.python not in (None, bool) else operand.dtype


def common(*operands: Any) -> np.dtype[Any]:
    """The dtype to which dtypes, arrays and numbers are promoted."""
    try:
        return np.result_type(*[
            x if isinstance(x, np.dtype | type) else weak_or_dtype(typed(x)) for x in operands
        ])  # fmt: skip
    except TypeError:
        raise NoRuleError from None


def inexact(dtype: Any) -> np.dtype[Any]:
    """The dtype of floats in which integers are computed."""
    dtype = np.dtype(dtype)
    return np.dtype(np.float64) if dtype.kind in "biu" else dtype


def real_part(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The dtype of the parts of complex numbers; real ones keep theirs."""
    return np.empty(0, dtype).real.dtype


def wide(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The dtype in which sums are computed."""
    if dtype.kind in "bi" and dtype.itemsize < 8:
        return np.dtype(np.int64)
    return np.dtype(np.uint64) if dtype.kind == "u" else dtype


def dtype_or(dtype: Any, default: Any) -> np.dtype[Any]:
    """The dtype that an argument ``dtype`` asks for, or the default."""
    if isinstance(dtype, ArrayType):
        raise NoRuleError
    return np.dtype(default if dtype is None else dtype)


def whole(value: Any) -> int | None:
    """An integer among the arguments; None if only a run tells it."""
    if isinstance(value, ArrayType):
        if value.rank or value.dtype.kind not in "iub":
            raise NoRuleError
        return None if value.value is UNKNOWN else int(value.value)
    try:
        return operator.index(value)
    except TypeError:
        raise NoRuleError from None


def known(value: Any) -> Any:
    """An argument that is no array, such as a flag; NoRuleError if only a run tells it."""
    if isinstance(value, ArrayType):
        if value.value is UNKNOWN and value.dtype == bool and value.source is not None:
            raise OpenArgumentError(value.source, (False, True))
        if value.value is UNKNOWN:
            raise NoRuleError("an argument that decides its type is known only at run time")
        return value.value
    if type(value) is tuple:
        return tuple([known(item) for item in value])
    return value


def sizes_of(shape: Any) -> Dims:
    """The sizes that an argument ``shape`` asks for."""
    if isinstance(shape, ArrayType) and shape.rank == 1:
        (count,) = shape.dims
        if count is None:
            raise NoRuleError
        return (None,) * count if shape.value is UNKNOWN else tuple([int(n) for n in shape.value])
    sizes = tuple([whole(size) for size in (shape if type(shape) is tuple else (shape,))])
    if any(size is not None and size < 0 for size in sizes):
        raise NoRuleError
    return sizes


def axis_of(axis: Any, rank: int) -> int:
    """A known axis, counted from the first; NoRuleError if there is none such."""
    number = whole(axis)
    if number is None and axis.source is not None and rank:
        raise OpenArgumentError(axis.source, range(rank))
    if number is None or not -rank <= number < rank:
        raise NoRuleError
    return number % rank


def axes_of(axes: Any, rank: int) -> tuple[int, ...]:
    """The known axes that an argument ``axis`` means; all of them for None."""
    if axes is None:
        return tuple(range(rank))
    if type(axes) is not tuple:
        return (axis_of(axes, rank),)
    numbers = tuple([axis_of(axis, rank) for axis in axes])
    if len(set(numbers)) < len(numbers):
        raise NoRuleError
    return numbers


def without(dims: Dims, axes: Sequence[int]) -> Dims:
    """The sizes of the other axes."""
    return tuple([size for axis, size in enumerate(dims) if axis not in axes])


def replaced(dims: Dims, axis: int, size: int | None) -> Dims:
    """The sizes, with another one for an axis."""
    return (*dims[:axis], size, *dims[axis + 1 :])


def arrays_in(values: Any) -> Iterator[ArrayType]:
    """The arrays of a sequence; the rows of an array, of which one stands for unknown many."""
    if type(values) is tuple:
        return map(typed, values)
    array = typed(values)
    if not array.rank:
        raise NoRuleError
    count = array.dims[0]
    return iter([array.with_dims(array.dims[1:])] * (1 if count is None else count))


def has_open_count(values: Any) -> bool:
    """Whether only a run tells how many arrays there are in an argument."""
    return isinstance(values, ArrayType) and values.dims[:1] == (None,)


def size_between(start: Any, stop: Any, step: Any) -> int | None:
    """The number of steps of a range of integers, if it is known."""
    bounds = [whole(bound) for bound in (start, stop, step)]
    return None if None in bounds else len(range(*bounds))  # type: ignore[arg-type]


@functools.cache
def class_of_result(function: Any) -> Any:
    """The class of named tuples that a function of matrices gives."""
    return type(function(np.eye(1)))
