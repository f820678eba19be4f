"""Element-wise functions of ``experimental.numpy``: the rows of ``ops/numpy_names.py``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.experimental.numpy.promotion import array, common, floats
from runtime.ops.array.constants import cast
from runtime.ops.math import elementwise
from runtime.ops.numpy_names import ELEMENTS, FLOATS, TRUTH, NumpyName, rows_of
from runtime.types.dtypes import bool_, float64

_DOC = """{doc}

Args:
{args}
Returns:
    Tensor of the broadcast shape, of the dtype that NumPy gives.
"""
_RENAMED = {"divide": ("divide", "true_divide"), "absolute": ("absolute", "abs"),
            "conjugate": ("conjugate", "conj"), "invert": ("bitwise_not",),
            "remainder": ("remainder", "mod"), "round": ()}  # fmt: skip
"""Names of rows that have others here."""


def _tested(op: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda x: op(x if x.dtype.is_floating else cast(x, float64))


_COMPOSED: dict[str, Callable[..., Any]] = {
    "isfinite": _tested(elementwise.is_finite),
    "isinf": _tested(elementwise.is_inf),
    "isnan": _tested(elementwise.is_nan),
}


def _inputs(row: NumpyName, name: str) -> Callable[..., list[Any]]:
    if row.promotion == TRUTH:
        return lambda *values: [cast(array(value), bool_) for value in values]
    return floats if row.promotion == FLOATS or row.op == "truediv" else common


def _function(row: NumpyName, name: str) -> Callable[..., Any]:
    op, as_inputs = _COMPOSED.get(name) or row.definition, _inputs(row, name)

    def unary(x: Any) -> Any:
        return op(*as_inputs(x))

    def binary(x1: Any, x2: Any) -> Any:
        return op(*as_inputs(x1, x2))

    is_unary = len(row.definition.inputs) == 1
    function: Any = unary if is_unary else binary
    function.__name__ = function.__qualname__ = name
    names = ["x"] if is_unary else ["x1", "x2"]
    args = "\n".join(f"    {argument}: tensor, array, list or number." for argument in names)
    function.__doc__ = _DOC.format(doc=row.doc(), args=args)
    return function


def _names_of(row: NumpyName) -> tuple[str, ...]:
    return _RENAMED.get(row.numpy, (row.numpy,)) if row.numpy else ()


FUNCTIONS: dict[str, Callable[..., Any]] = {
    name: _function(row, name)
    for row in rows_of(ELEMENTS) for name in _names_of(row)
}  # fmt: skip
"""Functions by their names."""
