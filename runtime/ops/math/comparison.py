"""Op definitions of element-wise comparison; the results are bool."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from runtime.ops.docstrings import WRONG_SHAPES, gives
from runtime.ops.op import COMMUTATIVE, COMPARISON, ELEMENTWISE, OpDef, PythonOperator, define
from runtime.ops.rules.inference import broadcast_as, broadcast_shapes
from runtime.ops.rules.lowering import Native
from runtime.ops.rules.operands import with_numbers
from runtime.ops.rules.python_operators import scalars
from runtime.ops.rules.samples import (
    OpSample,
    array,
    boolean_pairs,
    case,
    float_pairs,
    number_pairs,
)
from runtime.types.aliases import TensorLike
from runtime.types.dtypes import Array, bool_
from runtime.types.errors import IncompatibleShapesError
from runtime.types.shapes import SCALAR_SHAPE, UNKNOWN_SHAPE, TensorSpec

__all__ = [
    "approximate_equal", "equal", "greater", "greater_equal", "less", "less_equal", "not_equal",
]  # fmt: skip


def _order(
    name: str, kernel: np.ufunc, node_name: str, dunder: str, sign: str, opcode: str
) -> OpDef:
    return define(
        name, inputs="x y", kernel=kernel, infer=broadcast_as(bool_), dtype_kinds="iuf", grad=None,
        node_name=node_name, overloads=(dunder, kernel), traits=(ELEMENTWISE, COMPARISON),
        samples=lambda: [*number_pairs(), case([1.0, np.nan], [1.0, 2.0])],
        python_operator=PythonOperator(sign), lower=Native(opcode, text=f"list.text_{opcode}"),
        doc=f"Test whether ``x {sign} y`` element-wise, with broadcasting.",
    )  # fmt: skip


less = _order("less", np.less, "Less", "__lt__", "<", "lt")
less_equal = _order("less_equal", np.less_equal, "LessEqual", "__le__", "<=", "le")
greater = _order("greater", np.greater, "Greater", "__gt__", ">", "gt")
greater_equal = _order("greater_equal", np.greater_equal, "GreaterEqual", "__ge__", ">=", "ge")


def _equal(x: Array, y: Array, *, incompatible_shape_error: bool = True) -> Any:
    if incompatible_shape_error:
        return np.equal(x, y).astype(bool)
    try:
        return np.equal(x, y).astype(bool)
    except ValueError:  # TensorFlow: shapes that do not broadcast are simply not equal
        return np.False_


@gives("Tensor of dtype bool and of the inputs' broadcast shape.", WRONG_SHAPES)
def _equal_infer(
    x: TensorSpec, y: TensorSpec, *, incompatible_shape_error: bool = True
) -> TensorSpec:
    try:
        shape = broadcast_shapes(x.shape, y.shape)
    except IncompatibleShapesError:
        if incompatible_shape_error:
            raise
        return TensorSpec(SCALAR_SHAPE, bool_)
    are_known = x.shape.is_fully_defined() and y.shape.is_fully_defined()
    return TensorSpec(shape if are_known or incompatible_shape_error else UNKNOWN_SHAPE, bool_)


def _equal_pairs() -> list[OpSample]:
    text = case(array(["a", "b"]), array("b"))
    return [*number_pairs(), *boolean_pairs(), text, case([1, 2], [1, 3]), case([np.nan], 1.0)]


equal = define(
    "equal",
    inputs="x y",
    kernel=_equal,
    infer=_equal_infer,
    grad=None,
    node_name="Equal",
    overloads=(np.equal,),  # __eq__ is in eager/operators.py: it lets shapes differ
    traits=(ELEMENTWISE, COMPARISON, COMMUTATIVE),
    python_operator=PythonOperator("==", scalars),
    lower=Native("eq", text="list.text_eq"),
    samples=_equal_pairs,
    doc="Test whether ``x == y`` element-wise, with broadcasting.",
)


def _not_equal(x: Array, y: Array, *, incompatible_shape_error: bool = True) -> Any:
    return np.logical_not(_equal(x, y, incompatible_shape_error=incompatible_shape_error))


not_equal = define(
    "not_equal",
    inputs="x y",
    kernel=_not_equal,
    infer=_equal_infer,
    grad=None,
    node_name="NotEqual",
    overloads=(np.not_equal,),
    traits=(ELEMENTWISE, COMPARISON, COMMUTATIVE),
    python_operator=PythonOperator("!=", scalars),
    lower=Native("ne", text="list.text_ne"),
    samples=_equal_pairs,
    doc="Test whether ``x != y`` element-wise, with broadcasting.",
)


_COMPARED = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge,
}  # fmt: skip


_CODES = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
"""Opcodes of native code."""


def _compare_numbers(x: Array, y: Array, *, sign: str) -> Any:
    return np.bool_(_COMPARED[sign](x.item(), y.item()))


compare_numbers = define(
    "compare_numbers",
    inputs="x y",
    same_dtype_inputs=None,
    kernel=_compare_numbers,
    infer=lambda x, y, *, sign: TensorSpec(SCALAR_SHAPE, bool_),
    grad=None,
    node_name="CompareNumbers",
    traits=(COMPARISON,),
    lower=Native(choose=lambda attrs: f"{_CODES[attrs['sign']]}.exact", mixed=True),
    samples=lambda: [
        case(array(2**60 + 1, np.int64), array(2.0**60, np.float64), sign=sign)
        for sign in _COMPARED
    ],
    doc="Compare a Python int and a Python float exactly: neither is converted to the other.",
)


def _approximate_equal(x: Array, y: Array, *, tolerance: float) -> Any:
    return np.less(np.abs(x - y), x.dtype.type(tolerance))


approximate_op = define(
    "approximate_equal",
    inputs="x y",
    kernel=_approximate_equal,
    infer=broadcast_as(bool_),
    dtype_kinds="f",
    grad=None,
    node_name="ApproximateEqual",
    lower=Native("approximate_equal", mixed=True, operands=with_numbers(2, "tolerance")),
    traits=(ELEMENTWISE,),
    samples=lambda: [OpSample(c.inputs, {"tolerance": 0.5}) for c in float_pairs()],
    doc="Test whether ``abs(x - y) < tolerance`` element-wise.",
)


def approximate_equal(
    x: TensorLike, y: TensorLike, tolerance: float = 1e-5, name: str | None = None
) -> Any:
    """Test whether ``abs(x - y) < tolerance`` element-wise.

    Args:
        x: tensor of a floating dtype.
        y: tensor of the same dtype that broadcasts.
        tolerance: Python number.
    Returns:
        Tensor of the broadcast shape and of dtype bool.
    Raises:
        InvalidArgumentError: the dtypes differ (also a TypeError), or the shapes do not broadcast
            (also a ValueError).
    """
    return approximate_op(x, y, tolerance=float(tolerance), name=name)
