"""Operators of symbolic arrays, with NumPy's dtype rules.

Where an operator of tensors means what NumPy's does it is used, as engines know it; anything else,
such as arrays of two dtypes, is recorded as a call of NumPy's function (calls.py).  Importing
this module gives symbolic arrays their operators; staging/builtins.py does.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError, EffectError
from autograph.staging import StagedList, StagedUnion
from runtime.eager.tensor import Tensor
from runtime.graph.operation import SymbolicTensor, read
from runtime.ops.array.constants import cast_op, convert_to_tensor
from runtime.ops.linalg.products import tensordot
from runtime.ops.math.comparison import equal, not_equal
from runtime.ops.math.elementwise import square
from runtime.ops.op import TABLE
from runtime.staging.numpy_arrays.calls import call_numpy
from runtime.staging.numpy_arrays.integer_division import divided
from runtime.staging.numpy_arrays.symbolic_array import IN_PLACE, SymbolicArray
from runtime.staging.python_numbers.operator_functions import COMPARISONS, FUNCTIONS
from runtime.staging.python_numbers.repetition import repeated
from runtime.staging.python_numbers.unsupported import check_library, checked
from runtime.types.dtypes import DTYPE_OF_NUMPY, as_dtype
from runtime.types.promotion import is_weak
from runtime.types.value import Value

__all__ = ["as_array", "dtype_of", "python_kind", "result_of_operator"]

_REFLECTED = {
    function: f"__{COMPARISONS.get(name, f'r{name}')}__" for name, function in FUNCTIONS.items()
}
"""By function of NumPy's: the method of the right operand that does the same."""
_IN_PLACE_NAMES = [name for name in FUNCTIONS if name not in COMPARISONS and name != "divmod"]
_OF_BOOLS = ("and", "or", "xor", "eq", "ne")
_OF_INTEGERS = ("and", "or", "xor", "lshift", "rshift")
_OF_REAL_NUMBERS = ("floordiv", "mod", "divmod", "lt", "le", "gt", "ge")
_OF_ARRAYS = {"__eq__": equal, "__ne__": not_equal}
"""Operators of arrays whose shapes must fit, where those of tensors give a result for any."""
_WIDTHS = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}
"""Kinds of numbers; an array of one takes Python's numbers up to that."""


def numpy_operator(
    self: SymbolicTensor, ufunc: Any, method: str, *inputs: Any, **kwargs: Any
) -> Any:
    """Apply a function of NumPy's: the operator that means the same, or a refusal."""
    is_array = type(self) is SymbolicArray
    if "out" in kwargs and (is_array or self.weak):
        raise EffectError(
            "an array that tracing found as a constant is changed in place by a staged value",
            where=user_line(),
            help="write x = x + y instead of x += y, or pass the array as an argument",
        ).of(kwargs["out"][0])
    name = _REFLECTED.get(ufunc) if method == "__call__" else None
    if name is None or inputs[-1] is not self or len(inputs) != 2:
        self._concrete()
        return NotImplemented
    if self.weak and not is_array and not fits(ufunc, inputs[0], self):
        return call_numpy(f"numpy.{ufunc.__name__}", *inputs)
    result = getattr(self, name)(inputs[0])
    return as_array(result, inputs[0]) if self.weak and not is_array else result


SymbolicTensor.__array_ufunc__ = numpy_operator


def as_array(result: Any, *operands: Any) -> Any:
    """A result of Python's operators: an array unless one of the operands is a tensor."""
    if type(result) is tuple:
        return tuple([as_array(item, *operands) for item in result])
    if type(result) is not SymbolicTensor or not all(map(_is_numpys, operands)):
        return result
    return result if result.weak else SymbolicArray.fresh(result)


def _is_numpys(value: Any) -> bool:
    """Whether operators of NumPy's arrays with a value give arrays."""
    if isinstance(value, Value):
        return type(value) is SymbolicArray or is_weak(value)
    return isinstance(value, (bool, int, float, complex, np.ndarray, np.generic, list, tuple))


# -- dtypes --------------------------------------------------------------------------------------


def fits(function: Any, array: Any, operand: Any) -> bool:
    """Whether tensors' operator on an array and another operand gives what NumPy's gives."""
    name = _NAMES[function]
    dtype = dtype_of(array)
    if dtype.kind not in _WIDTHS or dtype.kind == "b" and name not in _OF_BOOLS:
        return False
    if dtype.kind in "fc" and name in _OF_INTEGERS or dtype.kind in "iu" and name == "pow":
        return False
    if name == "truediv" and dtype.kind in "iu" and dtype.itemsize < 4:
        return False  # NumPy gives float64, tensors float32
    if dtype.kind == "c" and name in _OF_REAL_NUMBERS:
        return False
    kind = python_kind(operand)
    if name == "matmul" and (kind is not None or not _are_matrices(array, operand)):
        return False
    if kind == "b" and dtype.kind != "b" and is_weak(operand):
        return False
    if type(operand) is int and dtype.kind in "iu":
        # NumPy compares with others, too
        return np.iinfo(dtype).min <= operand <= np.iinfo(dtype).max
    if kind is not None:
        return _WIDTHS[kind] <= _WIDTHS[dtype.kind]
    return bool(dtype_of(operand) == dtype)


def _are_matrices(*arrays: Any) -> bool:
    """Whether all are known to have two axes or more."""
    if any(isinstance(array, StagedList) for array in arrays):
        return False
    ranks = [read(array).shape.rank if isinstance(array, Value) else np.ndim(array)
             for array in arrays]  # fmt: skip
    return all(rank is not None and rank > 1 for rank in ranks)


_NAMES = {function: name for name, function in FUNCTIONS.items()}
_KIND_OF_CLASS: dict[Any, str] = {bool: "b", int: "i", float: "f", complex: "c"}


def python_kind(value: Any) -> str | None:
    """The kind of a Python number, staged or not; None for anything else."""
    if is_weak(value):
        kind = value.dtype.as_numpy_dtype
        return np.dtype(kind).kind if np.dtype(kind).kind in _WIDTHS else None
    return _KIND_OF_CLASS.get(type(value))


def dtype_of(value: Any) -> Any:
    """The dtype that an operand has for NumPy; None if it is not known."""
    if isinstance(value, Value):
        return np.dtype(value.dtype.as_numpy_dtype)  # type: ignore[attr-defined]
    if isinstance(value, (np.ndarray, np.generic)):
        return value.dtype
    return None


# -- operators -----------------------------------------------------------------------------------


def _operator(name: str) -> Callable[..., Any]:
    plain = getattr(Tensor, name)
    word = name.strip("_")
    reflected = word not in FUNCTIONS and word[1:] in FUNCTIONS
    function = FUNCTIONS.get(word[1:] if reflected else word)
    of_arrays = _OF_ARRAYS.get(name, plain)

    def method(self: SymbolicArray, *operands: Any) -> Any:
        if operands and isinstance(operands[0], StagedUnion):
            return NotImplemented  # its own operators do it for each kind
        if operands:
            check_library(operands[0], "an array", word)
        if function in (np.equal, np.not_equal) and _equals_no_number(operands[0], self):
            return _compared_with_no_number(self, function, operands[0])
        if function is not None and _is_numpys(operands[0]):
            result = binary(self, operands[0])
            if result is None:
                result = of_arrays(self.current(), read(operands[0]))
            return as_array(result, *operands)
        return as_array(plain(self.current(), *map(read, operands)), *operands)

    def binary(self: SymbolicArray, operand: Any) -> Any:
        """What NumPy gives, or NotImplemented as of its scalars; None where tensors give it."""
        if function is np.multiply and self.storage is None and isinstance(operand, list | tuple):
            return _repeated(self, operand)
        if function is np.matmul and not (_is_array(self) or _is_array(operand)):
            return NotImplemented
        if function is np.power and not reflected and dtype_of(self).kind == "b":
            _check_power(operand)
        if function is np.power and not reflected and _is_square(self, operand):
            return square(self.current())
        operands = (operand, self) if reflected else (self, operand)
        return result_of_operator(function, self, operand, operands)

    method.__name__ = name
    return checked(method, name, function, reflected)


def result_of_operator(
    function: Any, array: Any, operand: Any, operands: tuple[Any, Any]
) -> Any:
    """What NumPy's operator gives for an array and another operand, which stand in ``operands`` in
    their order; None where tensors' operator gives the same.
    """
    if not fits(function, array, operand):
        if function is np.matmul:
            return _product(*operands)
        return call_numpy(f"numpy.{function.__name__}", *operands)
    return divided(function, operands, as_dtype(dtype_of(array)))


def _repeated(scalar: SymbolicArray, sequence: Any) -> Any:
    """A list or tuple times a scalar of NumPy's, which repeats it as an int does."""
    copies = repeated(scalar.current(), sequence)
    if copies is NotImplemented:
        kind = scalar.array_type.__name__
        raise TypeError(f"can't multiply sequence by non-int of type 'numpy.{kind}'")
    return copies


def _is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray) or getattr(value, "storage", None) is not None


def _is_square(array: SymbolicArray, exponent: Any) -> bool:
    """Whether NumPy's ``**`` is ``np.square``: of arrays, for a Python number that is 2."""
    is_two = type(exponent) in (int, float) and exponent == 2
    return is_two and _is_array(array) and dtype_of(array).kind == "f"


def _check_power(exponent: Any) -> None:
    """ConcreteValueError for a power of bools that NumPy gives another dtype when it is a square.
    """
    if python_kind(exponent) in ("b", "i"):
        raise ConcreteValueError(
            "the dtype of a power of bools depends on the exponent for NumPy",
            where=user_line(),
            help="convert the array first: a.astype(int) ** n",
        )


def _product(left: Any, right: Any) -> Any:
    """The product of vectors and matrices by ``@``, with a derivative where their sizes fit."""
    first, second = (_as_operand(x) for x in (left, right))
    if first is not None and second is not None and first.dtype == second.dtype:
        ranks = first.shape.rank, second.shape.rank
        fitting = None not in ranks and 1 in ranks and min(ranks) > 0
        inner = fitting and (first.shape.dims[-1], second.shape.dims[0 if ranks[1] == 1 else -2])
        if inner and inner[0] == inner[1] is not None and first.dtype.kind in "fc":
            axes = (ranks[0] - 1,), (max(ranks[1] - 2, 0),)
            return SymbolicArray.fresh(tensordot(first, second, axes))
    return call_numpy("numpy.matmul", left, right)


def _as_operand(value: Any) -> Any:
    """An array as the tensor that it is now; None for anything else."""
    if isinstance(value, np.ndarray) and value.dtype in DTYPE_OF_NUMPY:
        return convert_to_tensor(value)
    return read(value) if type(value) is SymbolicArray else None


_NO_NUMBERS: frozenset[Any] = frozenset(
    kind.__eq__ for kind in (object, str, bytes, dict, set, frozenset)
)


def _equals_no_number(value: Any, array: SymbolicArray) -> bool:
    """Whether a value, compared with each item of an array, is found equal to none."""
    if dtype_of(array).kind not in _WIDTHS or isinstance(value, Value) and not is_weak(value):
        return False
    if is_weak(value):
        return python_kind(value) is None
    return value is None or type(value).__eq__ in _NO_NUMBERS


def _compared_with_no_number(array: SymbolicArray, function: Any, operand: Any) -> Any:
    """The result of ``array == None``: NumPy compares all items; of a scalar, a bool of Python's,
    but for a text.
    """
    if array.storage is None and not (isinstance(operand, str | bytes) or is_weak(operand)):
        return function is np.not_equal
    like = "zeros_like" if function is np.equal else "ones_like"
    equal = call_numpy(f"numpy.{like}", array, dtype=np.bool_)
    return SymbolicArray.fresh(read(equal))


def _in_place(name: str) -> Callable[[SymbolicArray, Any], Any]:
    plain = getattr(Tensor, f"__{name}__")
    function = FUNCTIONS[name]

    def method(self: SymbolicArray, operand: Any) -> Any:
        if isinstance(operand, StagedUnion) and self.storage is not None:
            change = f"__i{name}__"
            return operand.ag__apply_to_each(lambda number: getattr(self, change)(number))
        if self.storage is None or not _is_numpys(operand):
            return getattr(self, f"__{name}__")(operand)
        result = result_of_operator(function, self, operand, (self, operand))
        if result is None:
            result = plain(self.current(), read(operand))
        if result.dtype is not self.dtype:
            result = _cast_in_place(function, self, operand, result)
        if not result.shape.is_compatible_with(self.shape):
            raise ValueError(
                f"non-broadcastable output operand with shape {self.shape} does not match the "
                f"broadcast shape {result.shape}"
            )
        return self.change(read(result))

    return checked(method, f"__i{name}__", function)


def _cast_in_place(function: Any, array: SymbolicArray, operand: Any, result: Any) -> Any:
    """The result in the array's dtype; the error that NumPy raises where it does not cast."""
    dtype, result_dtype = dtype_of(array), dtype_of(result)
    if not np.can_cast(result_dtype, dtype, "same_kind"):
        example, kind = np.ones((), dtype), python_kind(operand)
        number: Any = {"b": True, "i": 1, "f": 1.0, "c": 1j}.get(kind or "")
        function(example, number if kind else np.ones((), dtype_of(operand)), out=example)
        text = f"Cannot cast the output of {function.__name__} from {result_dtype} to {dtype}"
        raise TypeError(text)
    return cast_op(read(result), dtype=array.dtype)


def _rebinding(name: str) -> Callable[[SymbolicTensor, Any], Any]:
    plain = getattr(Tensor, f"__{name}__")

    def method(self: SymbolicTensor, operand: Any) -> Any:
        if not self.weak:
            IN_PLACE.note()
        return plain(self, operand)

    method.__name__ = f"__i{name}__"
    method.rebinds = True  # type: ignore[attr-defined]
    return method


def _of_each_kind(method: Callable[..., Any]) -> Callable[..., Any]:
    """Items of an array, where the key or value that comes last may be of several kinds."""

    @functools.wraps(method)
    def items(self: SymbolicArray, *arguments: Any) -> Any:
        if not isinstance(arguments[-1], StagedUnion):
            return method(self, *arguments)
        *before, key = arguments
        return key.ag__apply_to_each(lambda alternative: method(self, *before, alternative))

    return items


def _hash(array: SymbolicArray) -> int:
    if array.storage is not None:
        raise TypeError("unhashable type: 'numpy.ndarray'")
    raise array._error_for(
        f"The hash of a {array.array_type.__name__} that is known only at run time, which this "
        "collection needs, is not known", "use a Python number as the key: x.item()",
    )


def _install_operators() -> None:
    for name in ("__getitem__", "set_item", "assign"):
        setattr(SymbolicArray, name, _of_each_kind(getattr(SymbolicArray, name)))
    rows = dict.values(TABLE)  # those of the other families spell no operator
    names = {s for op in rows for s in op.overloads if isinstance(s, str)}
    names |= {"__eq__", "__ne__", "__divmod__", "__rdivmod__", "__round__"}
    for name in names:
        if name != "__getitem__":
            setattr(SymbolicArray, name, _operator(name))
    for name in _IN_PLACE_NAMES:
        if hasattr(Tensor, f"__{name}__"):
            setattr(SymbolicTensor, f"__i{name}__", _rebinding(name))
            setattr(SymbolicArray, f"__i{name}__", _in_place(name))
    SymbolicArray.__hash__ = _hash  # type: ignore[method-assign, assignment]


_install_operators()
