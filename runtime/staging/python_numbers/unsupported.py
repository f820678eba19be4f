"""Python's and NumPy's errors for operators that staged numbers and arrays do not support.

The operators of numbers and those of arrays are wrapped in these; the backend asks for examples.
"""

from __future__ import annotations

import builtins
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.diagnostics import user_frame
from autograph.diagnostics.runtime_exceptions import raise_as_python
from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError
from autograph.staging import StagedArray, check_supported
from autograph.syntax.instructions import instructions
from runtime.eager.tensor import wrap
from runtime.graph.operation import SymbolicTensor
from runtime.types.dtypes import string
from runtime.types.errors import IncompatibleShapesError
from runtime.types.promotion import KINDS, is_weak
from runtime.types.value import Value

_CLASSES = {"bool": bool, "int": int, "float": float, "complex": complex, "str": str}
_MIRRORED = {
    "__lt__": (">", operator.gt), "__le__": (">=", operator.ge), "__gt__": ("<", operator.lt),
    "__ge__": ("<=", operator.le),
}  # fmt: skip
"""By method: the sign where Python asks the right operand for it, and what the sign computes."""


def example(value: Any) -> Any:
    """A value of the class and rank that a symbolic tensor stands for; else the value itself."""
    if not isinstance(value, SymbolicTensor):
        return value
    if value.weak:
        return _CLASSES[KINDS[value.dtype]]()
    rank, dtype = value.spec.shape.rank, value.spec.dtype
    if rank is None or dtype.as_numpy_dtype is object and dtype is not string:
        return value
    array = np.zeros((1,) * rank, dtype.as_numpy_dtype)
    if isinstance(value, StagedArray):
        return array if value.storage is not None else array[()]
    return wrap(array)


def checked(
    plain: Callable[..., Any], name: str, function: Any = None, reflected: bool = False
) -> Callable[..., Any]:
    """The operator ``plain`` of numbers or arrays, which fails as Python's method ``name`` does,
    and where shapes do not fit as ``function``, NumPy's for arrays.
    """

    def method(self: Any, *arguments: Any) -> Any:
        try:
            return plain(self, *arguments)
        except Exception as error:
            failure = error
        try:  # no longer in the handler, so that Python's error is not shown as its consequence
            check_operator(name, self, *arguments)
            if function is not None and isinstance(failure, IncompatibleShapesError):
                operands = (self, *arguments)
                check_shapes(function, *(operands[::-1] if reflected else operands))
            raise failure
        finally:
            del failure

    return method


def check_shapes(function: Any, *operands: Any) -> None:
    """Raise the ValueError of a function of arrays whose shapes do not fit it, or each other."""
    if any(isinstance(v, Value) and not isinstance(v, StagedArray) for v in operands):
        return  # a tensor, which says itself what it takes
    shapes: list[Any] = [
        v.spec.shape.dims if isinstance(v, SymbolicTensor) else np.shape(v) for v in operands
    ]
    if any(dims is None or None in dims for dims in shapes):
        return
    try:
        function(*[np.broadcast_to(np.zeros((), np.float64), dims) for dims in shapes])
    except ValueError as error:
        first_error = error
    except TypeError:  # it takes no floats, and looks at their dtype first
        return
    else:
        return
    raise_as_python(first_error.with_traceback(None))


_LIBRARIES = frozenset(("fractions", "decimal", "_decimal", "_pydecimal", "datetime"))
"""Modules whose objects compute with the value itself of a number."""


def check_library(operand: Any, operation: str, name: str) -> None:
    """ConcreteValueError for an operand that needs the value of ``operation``."""
    kind = type(operand)
    counts = isinstance(operand, bytes | bytearray) and name == "mul"
    if kind.__module__.partition(".")[0] in _LIBRARIES or counts:
        raise ConcreteValueError(
            f"{operation} that is known only at run time cannot be an operand of a "
            f"{kind.__name__}, which computes with the value itself",
            where=user_line(),
            help="compute with ints and floats there, or outside of the staged function",
        )


def check_operator(name: str, first: Any, *further: Any) -> None:
    """Raise what Python raises if it has no operator of this name, such as ``__radd__``, here."""
    tensors = [v for v in further if isinstance(v, Value)]
    if not all(is_weak(tensor) or isinstance(tensor, StagedArray) for tensor in tensors):
        return  # a tensor, which says itself what it takes
    operation, operands = _operation(name), (first, *further)
    if operation is None:
        operation, operands = _operation(f"__{name[3:]}"), operands[::-1]
    elif name in _MIRRORED and is_weak(first):
        sign, mirrored = _MIRRORED[name]
        if _is_written(sign):
            operation, operands = mirrored, operands[::-1]
    assert operation is not None
    check_supported(operation, *operands)


def _operation(name: str) -> Callable[..., Any] | None:
    return getattr(operator, name, None) or getattr(builtins, name.strip("_"), None)


def _is_written(sign: str) -> bool:
    """Whether the user's code compares by this sign now."""
    frame = user_frame.user_frame()
    if frame is None:
        return False
    at = (step for step in instructions(frame.f_code) if step.offset == frame.f_lasti)
    return any(step.opname == "COMPARE_OP" and step.argval == sign for step in at)
