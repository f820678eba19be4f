"""Repetition of Python's lists, tuples and texts: ``[0] * n`` for a staged integer n.

``SymbolicTensor``'s ``*`` asks here first.  An integer repeats a sequence, as in Python and as
NumPy's scalars do; any other tensor multiplies its items.
"""

from __future__ import annotations

from typing import Any

from autograph import staging
from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError, EffectError
from runtime.eager.repetition import is_in_place
from runtime.graph.python_values import as_python_value
from runtime.ops.array.constants import cast_op
from runtime.staging.python_numbers.calls import call_python
from runtime.types.dtypes import int64, string


def repeated(tensor: Any, operand: Any) -> Any:
    """Return ``tensor * other`` where one of them repeats the other; else NotImplemented."""
    if isinstance(operand, list | tuple):
        return _of_sequence(operand, tensor)
    if tensor.weak and (tensor.dtype is string or _is_text(operand)):
        return call_python("text.times", tensor, operand)
    if type(operand) is str and tensor.dtype.is_integer and tensor.shape.dims == ():
        count = as_python_value(cast_op(tensor, dtype=int64))
        return call_python("text.times", count, operand)
    return NotImplemented


def _of_sequence(sequence: Any, count: Any) -> Any:
    if not (count.dtype.is_integer or count.dtype.is_bool):
        return NotImplemented
    if count.shape.dims is None:
        kind = staging.kind_of(sequence).__name__
        raise ConcreteValueError(
            f"a {kind} is multiplied by {count.name!r}, an integer tensor of unknown rank: a "
            "single integer repeats it, and any other multiplies its items",
            where=user_line(),
            help="make it a tensor, runtime.constant(items) * n, or give n a shape: "
            "n.set_shape(())",
        )
    if count.shape.dims != ():
        return NotImplemented
    if type(sequence) is list and is_in_place():
        raise EffectError(
            "a list that the function did not make is repeated in place a staged number of times",
            where=user_line(),
            help="make another list: a = a * n",
        )
    return staging.repeated(sequence, count)


def _is_text(value: Any) -> bool:
    """Whether a value is a Python text, or stands for one."""
    is_staged = getattr(value, "weak", False) and value.dtype is string
    return is_staged or isinstance(value, str)
