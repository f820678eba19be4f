"""Op definitions of element-wise arithmetic, with broadcasting.

Functions such as exp and sin are in elementary.py, logic and bits in logical.py.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from runtime.ops.docstrings import WRONG_SHAPES, gives
from runtime.ops.op import (
    ARITHMETIC,
    COMMUTATIVE,
    ELEMENTWISE,
    FORWARD,
    IDEMPOTENT,
    INVOLUTION,
    NUMERIC,
    OpDef,
    PythonKernel,
    PythonOperator,
    define,
)
from runtime.ops.rules.inference import broadcast, folding, same, same_as
from runtime.ops.rules.lazy_gradient import holomorphic, lazy_gradient
from runtime.ops.rules.lowering import Native
from runtime.ops.rules.never_raises import alike, by_no_negative, over_no_zero
from runtime.ops.rules.python_operators import POWER, whole_by_nonzero
from runtime.ops.rules.python_operators import floats as floats_only
from runtime.ops.rules.raising import ANYTHING, whole_division
from runtime.ops.rules.samples import (
    OpSample,
    array,
    case,
    float_pairs,
    floats,
    integer_pairs,
    number_pairs,
    numbers,
    spread,
)  # fmt: skip
from runtime.types.aliases import TensorLike
from runtime.types.dtypes import Array, bool_, float32, float64
from runtime.types.errors import IncompatibleShapesError, InvalidArgumentError
from runtime.types.shapes import TensorSpec

__all__ = [
    "abs", "add", "add_n", "ceil", "divide", "divide_no_nan", "floor", "floordiv",
    "floormod", "is_finite", "is_inf", "is_nan", "maximum", "minimum", "mod", "multiply",
    "multiply_no_nan", "negative", "pow", "realdiv", "reciprocal", "rint", "round", "rsqrt",
    "scalar_mul", "sign", "sqrt", "square", "squared_difference", "subtract", "truediv",
    "truncatediv", "truncatemod",
]  # fmt: skip

PLAIN = (ELEMENTWISE, ARITHMETIC)
REAL = "iuf"


def _string_pairs() -> list[OpSample]:
    return [case(array(["a", "b"]), array("c")), case(array("x"), array("yz"))]


add = define(
    "add",
    inputs="x y",
    kernel=np.add, infer=folding(np.add, broadcast),
    dtype_kinds=NUMERIC + "O",
    grad=lambda x, y, z, dz: (dz, dz),
    overloads=("__add__", "__radd__", np.add), traits=(*PLAIN, COMMUTATIVE),
    identity={"iu": (0, 0), "f": (-0.0, -0.0)},
    python_kernel=PythonKernel(operator.add),
    python_operator=PythonOperator("+"), type_name="AddV2",
    lower=Native("add", checked="add.checked", text="list.text_concat"),
    samples=lambda: number_pairs() + _string_pairs(),
    doc="Add two tensors element-wise, with broadcasting; join strings.",
)

subtract = define(
    "subtract",
    inputs="x y",
    kernel=np.subtract, infer=folding(np.subtract, broadcast),
    dtype_kinds=NUMERIC,
    grad=lambda x, y, z, dz: (dz, lambda: -dz),
    node_name="sub",
    overloads=("__sub__", "__rsub__", np.subtract),
    traits=PLAIN,
    identity={"iu": (None, 0), "f": (None, 0.0)},
    python_kernel=PythonKernel(operator.sub),
    python_operator=PythonOperator("-"), lower=Native("sub", checked="sub.checked"),
    samples=number_pairs,
    doc="Subtract ``y`` from ``x`` element-wise, with broadcasting.",
)

multiply = define(
    "multiply",
    inputs="x y",
    kernel=np.multiply, infer=folding(np.multiply, broadcast),
    dtype_kinds=NUMERIC,
    grad=holomorphic(lambda x, y, z, dz: (lambda: dz * y, lambda: dz * x)),
    node_name="mul",
    overloads=("__mul__", "__rmul__", np.multiply),
    repeats=True,
    traits=(*PLAIN, COMMUTATIVE),
    identity={"iuf": (1, 1)},
    python_kernel=PythonKernel(operator.mul),
    python_operator=PythonOperator("*"), lower=Native("mul", checked="mul.checked"),
    samples=number_pairs,
    doc="Multiply two tensors element-wise, with broadcasting.",
)


def _truediv(x: Array, y: Array) -> Any:
    if x.dtype.kind in "iu":
        return np.true_divide(x, y, dtype=np.float32 if x.dtype.itemsize <= 2 else np.float64)
    return x / y


@gives(
    "Tensor of the broadcast shape, of the inputs' dtype; of integers float64, of 8 and 16 bits "
    "float32.", WRONG_SHAPES,
)  # fmt: skip
def _truediv_infer(x: TensorSpec, y: TensorSpec) -> TensorSpec:
    shape = broadcast(x, y).shape
    if not x.dtype.is_integer:
        return TensorSpec(shape, x.dtype)
    return TensorSpec(shape, float32 if x.dtype.size <= 2 else float64)


def _quotient(x: Any, y: Any, z: Any, dz: Any) -> tuple[Any, ...]:
    return (None, None) if x.dtype.is_integer else (dz / y, lambda: -(dz * z / y))


truediv = define(
    "truediv",
    inputs="x y",
    kernel=_truediv, infer=_truediv_infer,
    dtype_kinds=NUMERIC,
    grad=holomorphic(_quotient),
    overloads=("__truediv__", "__rtruediv__", np.true_divide),
    traits=PLAIN,
    identity={"f": (None, 1)},
    python_kernel=PythonKernel(operator.truediv, (ZeroDivisionError,)),
    python_operator=PythonOperator("/", floats_only),
    type_name="RealDiv", lower=Native("div", checked="div.checked"),
    samples=number_pairs,
    doc="Divide ``x`` by ``y`` element-wise as Python's ``/`` does, with broadcasting.",
)
divide = truediv

realdiv = define(
    "realdiv",
    inputs="x y",
    kernel=np.divide, infer=broadcast,
    dtype_kinds="fc",
    grad=holomorphic(_quotient),
    node_name="RealDiv",
    traits=(ELEMENTWISE,),
    identity={"f": (None, 1)}, lower=Native("div"),
    samples=float_pairs,
    doc="Divide ``x`` by ``y`` element-wise, with broadcasting.",
)


def _no_zero(y: Array, result: Array) -> None:
    if y.dtype.kind in "iu" and not np.all(y) and np.size(result):
        raise InvalidArgumentError("Integer division by zero")


def _floordiv(x: Array, y: Array) -> Any:
    result = np.floor_divide(x, y)  # first: it raises on shapes that do not fit
    _no_zero(y, result)
    return result


floordiv = define(
    "floordiv",
    inputs="x y",
    kernel=_floordiv, infer=folding(_floordiv, broadcast),
    dtype_kinds=REAL,
    grad=None,
    node_name="FloorDiv",
    overloads=("__floordiv__", "__rfloordiv__", np.floor_divide),
    traits=PLAIN,
    identity={"iu": (None, 1)},
    never_raises=over_no_zero,
    python_kernel=PythonKernel(operator.floordiv, (ZeroDivisionError,)),
    python_operator=PythonOperator("//", whole_by_nonzero),
    raises=whole_division, lower=Native("floordiv"),
    samples=number_pairs,
    doc="Divide element-wise and round down, as Python's ``//`` does.",
    fails="an integer is divided by zero",
)


def _floormod(x: Array, y: Array) -> Any:
    result = np.mod(x, y)
    _no_zero(y, result)
    return result


floormod = define(
    "floormod",
    inputs="x y",
    kernel=_floormod, infer=folding(_floormod, broadcast),
    dtype_kinds=REAL,
    grad=lambda x, y, z, dz: (dz, lambda: -(dz * floordiv(x, y))),
    node_name="FloorMod",
    overloads=("__mod__", "__rmod__", np.mod),
    traits=PLAIN,
    never_raises=over_no_zero,
    python_kernel=PythonKernel(operator.mod, (ZeroDivisionError,)),
    python_operator=PythonOperator("%", whole_by_nonzero),
    raises=whole_division, lower=Native("floormod"),
    samples=number_pairs,
    doc="Compute the remainder of ``x // y``, with the sign of ``y`` as Python's ``%``.",
    fails="an integer is divided by zero",
)
mod = floormod


def _truncatediv(x: Array, y: Array) -> Any:
    if x.dtype.kind == "f":
        return np.trunc(x / y)
    quotient = np.floor_divide(x, y)
    _no_zero(y, quotient)
    return quotient + ((np.mod(x, y) != 0) & ((x < 0) != (y < 0))).astype(x.dtype)


truncatediv = define(
    "truncatediv",
    inputs="x y",
    kernel=_truncatediv, infer=broadcast,
    dtype_kinds=REAL,
    grad=None,
    node_name="TruncateDiv",
    traits=(ELEMENTWISE,),
    identity={"iu": (None, 1)},
    never_raises=over_no_zero,
    raises=whole_division, lower=Native(whole="truncatediv"),
    samples=integer_pairs,
    doc="Divide ``x`` by ``y`` element-wise and round towards zero, as C does.",
    fails="an integer is divided by zero",
)


def _truncatemod(x: Array, y: Array) -> Any:
    result = np.fmod(x, y)
    _no_zero(y, result)
    return result


truncatemod = define(
    "truncatemod",
    inputs="x y",
    kernel=_truncatemod, infer=broadcast,
    dtype_kinds=REAL,
    grad=lambda x, y, z, dz: (dz, lambda: -(dz * rint((x - z) / y))),
    node_name="TruncateMod",
    traits=(ELEMENTWISE,),
    never_raises=over_no_zero,
    raises=whole_division, lower=Native(whole="truncatemod"),
    samples=number_pairs,
    doc="Compute the remainder of division towards zero, with the sign of ``x`` as in C.",
    fails="an integer is divided by zero",
)


def _divide_no_nan(x: Array, y: Array) -> Any:
    quotient = _truediv(x, y)
    return np.where(y == 0, quotient.dtype.type(0), quotient)


divide_no_nan = define(
    "divide_no_nan",
    inputs="x y",
    kernel=_divide_no_nan, infer=_truediv_infer,
    dtype_kinds=NUMERIC,
    grad=holomorphic(lazy_gradient("elementwise.divide_without_nan")),
    node_name="div_no_nan", lower=Native("divide_no_nan"),
    traits=(ELEMENTWISE,),
    samples=lambda: [*float_pairs(), case([1.0, 2.0], [0.0, 4.0]), case([1, 2], [0, 4])],
    doc="Divide ``x`` by ``y`` element-wise; the result is 0 where ``y`` is 0.",
)


def _multiply_no_nan(x: Array, y: Array) -> Any:
    return np.where(y == 0, x.dtype.type(0), x * y)


multiply_no_nan: OpDef = define(
    "multiply_no_nan",
    inputs="x y",
    kernel=_multiply_no_nan, infer=broadcast,
    dtype_kinds="fc",
    grad=holomorphic(lambda x, y, z, dz: (multiply_no_nan(dz, y), multiply_no_nan(x, dz))),
    lower=Native("multiply_no_nan"),
    traits=(ELEMENTWISE,),
    samples=lambda: [*float_pairs(), case([np.inf, 2.0], [0.0, 4.0])],
    doc="Multiply element-wise; the result is 0 where ``y`` is 0, even for infinite or NaN ``x``.",
)


def _pow(x: Array, y: Array) -> Any:
    if y.dtype.kind == "i" and (y < 0).any():
        if 0 in np.broadcast_shapes(x.shape, y.shape):  # a ValueError goes first
            return np.power(x, np.abs(y))
        raise InvalidArgumentError(
            f"pow: integers cannot be raised to negative integer powers (exponent {np.min(y)}). "
            "Use runtime.cast(x, runtime.float32) first."
        )
    exponent = y.item() if x.dtype.kind == "f" and y.size == 1 else None
    result = np.square(x) if exponent == 2 and not y.ndim else np.power(x, y)
    if exponent == 0.5 and not (x > 0).all():  # NumPy takes the square root
        result = np.where((x == -np.inf) | (x == 0), np.abs(x), result).astype(x.dtype)
    return result


pow = define(
    "pow",
    inputs="x y",
    kernel=_pow, infer=broadcast,
    dtype_kinds=NUMERIC,
    grad=holomorphic(lazy_gradient("elementwise.pow")),
    node_name="Pow",
    overloads=("__pow__", "__rpow__", np.power),
    traits=PLAIN,
    identity={"iu": (None, 1)},
    never_raises=by_no_negative,
    python_kernel=POWER,
    raises=ANYTHING, lower=Native("pow", whole="ipow", checked="ipow.checked"),
    samples=lambda: [
        case([2.0, 3.0, -2.0], [0.5, -1.0, 3.0]),
        case([[2], [-3]], [0, 1, 5]),
        case(spread(0.5, 3, 2, 3), spread(-2, 3, 3)),
    ],
    doc="Raise ``x`` to the power ``y`` element-wise, with broadcasting.",
    fails="an integer has a negative exponent",
)

negative = define(
    "negative",
    kernel=np.negative, infer=same,
    dtype_kinds=NUMERIC,
    grad=lambda x, y, dy: (-dy,),
    node_name="Neg",
    overloads=("__neg__", np.negative),
    traits=(*PLAIN, INVOLUTION),
    python_kernel=PythonKernel(operator.neg),
    python_operator=PythonOperator("-"), lower=Native("neg", checked="neg.checked"),
    samples=numbers,
    doc="Negate each element.",
)

positive = define(
    "positive",
    kernel=lambda x: x, infer=same,
    dtype_kinds=NUMERIC,
    grad=lambda x, y, dy: (dy,),
    overloads=("__pos__", np.positive),
    traits=(*PLAIN, FORWARD), lower=Native("copy"),
    samples=numbers,
    doc="Return the tensor: ``+x``.",
)

sign = define(
    "sign", kernel=np.sign, infer=same, dtype_kinds=NUMERIC, grad=lazy_gradient("elementwise.sign"),
    node_name="Sign", overloads=(np.sign,), traits=(ELEMENTWISE, IDEMPOTENT), lower=Native("sign"),
    samples=numbers,
    doc="Compute the sign of each element: -1, 0 or 1; of a complex number ``x / abs(x)``.",
)  # fmt: skip


@gives("Tensor of the shape of ``{x}``, of its dtype or, if it is complex, of the parts' dtype.")
def _abs_infer(x: TensorSpec) -> TensorSpec:
    return TensorSpec(x.shape, x.dtype.real_dtype)


abs = define(
    "abs",
    kernel=np.abs,
    infer=_abs_infer,
    dtype_kinds=NUMERIC,
    grad=lazy_gradient("elementwise.abs"),
    node_name="Abs",
    overloads=("__abs__", np.abs),
    traits=(*PLAIN, IDEMPOTENT),
    python_kernel=PythonKernel(operator.abs, raises_on_complex=(OverflowError,)),
    python_operator=PythonOperator("abs"), lower=Native("abs", checked="abs.checked"),
    samples=lambda: [*numbers(), case(np.array([3 + 4j, 1j], np.complex64))],
    doc="Compute the absolute value of each element; of a complex number the modulus.",
)

square = define(
    "square", kernel=np.square, infer=same, dtype_kinds=NUMERIC, node_name="Square",
    grad=holomorphic(lambda x, y, dy: (dy * (x + x),)),
    overloads=(np.square,), traits=(ELEMENTWISE,), lower=Native("square"),
    samples=numbers,
    doc="Square each element.",
)  # fmt: skip

sqrt = define(
    "sqrt", kernel=np.sqrt, infer=same, dtype_kinds="fc", node_name="Sqrt",
    grad=holomorphic(lambda x, y, dy: (multiply_no_nan(0.5 / y, dy),)),
    overloads=(np.sqrt,), traits=(ELEMENTWISE,), lower=Native("sqrt"),
    samples=floats,
    doc="Compute the square root of each element; NaN for negative numbers.",
)  # fmt: skip

rsqrt = define(
    "rsqrt", kernel=lambda x: 1 / np.sqrt(x), infer=same, dtype_kinds="fc", node_name="Rsqrt",
    grad=holomorphic(lambda x, y, dy: (multiply_no_nan(y * y * y * -0.5, dy),)),
    traits=(ELEMENTWISE,), lower=Native("rsqrt"),
    samples=floats,
    doc="Compute the reciprocal of the square root of each element.",
)  # fmt: skip

reciprocal = define(
    "reciprocal", kernel=lambda x: 1 / x, infer=same, dtype_kinds="fc", node_name="Reciprocal",
    grad=holomorphic(lambda x, y, dy: (multiply_no_nan(-(y * y), dy),)),
    overloads=(np.reciprocal,), traits=(ELEMENTWISE,), lower=Native("reciprocal"),
    samples=floats,
    doc="Compute ``1 / x`` for each element.",
)  # fmt: skip

floor = define(
    "floor", kernel=np.floor, infer=same, dtype_kinds="f", grad=None, node_name="Floor",
    overloads=(np.floor,),
    traits=(ELEMENTWISE, IDEMPOTENT), lower=Native("floor"),
    samples=floats,
    doc="Round each element down to a whole number.",
)  # fmt: skip

ceil = define(
    "ceil", kernel=np.ceil, infer=same, dtype_kinds="f", grad=None, node_name="Ceil",
    overloads=(np.ceil,),
    traits=(ELEMENTWISE, IDEMPOTENT), lower=Native("ceil"),
    samples=floats,
    doc="Round each element up to a whole number.",
)  # fmt: skip

rint: OpDef = define(
    "rint", kernel=np.rint, infer=same, dtype_kinds="f", grad=None, node_name="Rint",
    overloads=(np.rint,),
    traits=(ELEMENTWISE, IDEMPOTENT), lower=Native("rint"),
    samples=floats,
    doc="Round each element to the nearest whole number, halves to the even one.",
)  # fmt: skip

round = define(
    "round",
    kernel=lambda x: np.rint(x) if x.dtype.kind == "f" else x,
    infer=same,
    dtype_kinds=REAL,
    grad=None,
    node_name="Round",
    overloads=(np.round,),
    traits=(ELEMENTWISE, IDEMPOTENT), lower=Native("rint", whole="copy"),
    samples=lambda: [*numbers(), case([0.5, 1.5, 2.5, -0.5])],
    doc="Round each element to the nearest whole number, halves to the even one.",
)

maximum = define(
    "maximum",
    inputs="x y",
    kernel=np.maximum,
    infer=folding(np.maximum, broadcast),
    dtype_kinds=REAL,
    grad=lazy_gradient("elementwise.maximum"),
    node_name="Maximum",
    overloads=(np.maximum,),
    traits=(*PLAIN, IDEMPOTENT), lower=Native("max"),
    samples=number_pairs,
    doc="Compute the greater of ``x`` and ``y`` element-wise; NaN where either is NaN.",
)

minimum = define(
    "minimum",
    inputs="x y",
    kernel=np.minimum,
    infer=folding(np.minimum, broadcast),
    dtype_kinds=REAL,
    grad=lazy_gradient("elementwise.minimum"),
    node_name="Minimum",
    overloads=(np.minimum,),
    traits=(*PLAIN, IDEMPOTENT), lower=Native("min"),
    samples=number_pairs,
    doc="Compute the lesser of ``x`` and ``y`` element-wise; NaN where either is NaN.",
)

def _squared_difference(x: Array, y: Array) -> Any:
    difference = x - y
    return np.conj(difference) * difference if x.dtype.kind == "c" else np.square(difference)


squared_difference = define(
    "squared_difference",
    inputs="x y",
    kernel=_squared_difference,
    infer=broadcast,
    dtype_kinds=NUMERIC,
    grad=lazy_gradient("elementwise.squared_difference"),
    node_name="SquaredDifference",
    traits=(ELEMENTWISE, COMMUTATIVE),
    lower=Native("squared_difference"),
    samples=number_pairs,
    doc="Compute ``conj(x - y) * (x - y)`` element-wise, with broadcasting.",
)


is_nan = define(
    "is_nan", kernel=np.isnan, infer=same_as(bool_), dtype_kinds="f", grad=None, node_name="IsNan",
    overloads=(np.isnan,), traits=(ELEMENTWISE,), lower=Native("is_nan"),
    samples=floats,
    doc="Test whether each element is NaN.",
)  # fmt: skip

is_inf = define(
    "is_inf", kernel=np.isinf, infer=same_as(bool_), dtype_kinds="f", grad=None, node_name="IsInf",
    overloads=(np.isinf,), traits=(ELEMENTWISE,), lower=Native("is_inf"),
    samples=floats,
    doc="Test whether each element is infinite.",
)  # fmt: skip

is_finite = define(
    "is_finite", kernel=np.isfinite, infer=same_as(bool_), dtype_kinds="f", grad=None,
    node_name="IsFinite",
    overloads=(np.isfinite,), traits=(ELEMENTWISE,), lower=Native("is_finite"),
    samples=floats,
    doc="Test whether each element is neither infinite nor NaN.",
)  # fmt: skip


def _add_n(*inputs: Array) -> Any:
    total = inputs[0]
    shape = total.shape
    for addend in inputs[1:]:
        if addend.shape != shape:
            _add_n_infer(*[TensorSpec(a.shape, a.dtype) for a in inputs])  # says what is wrong
        total = total + addend
    return total


def _add_n_infer(*inputs: TensorSpec) -> TensorSpec:
    shape = inputs[0].shape
    for i, spec in enumerate(inputs):
        if not shape.is_compatible_with(spec.shape):
            raise IncompatibleShapesError(
                f"Inputs to operation AddN must have the same size and shape. Input 0: "
                f"{shape} != input {i}: {spec.shape}. Use runtime.add to broadcast."
            )
        shape = shape.merge_with(spec.shape)
    return TensorSpec(shape, inputs[0].dtype)


add_n_op = define(
    "add_n",
    inputs="*inputs",
    kernel=_add_n,
    infer=_add_n_infer,
    dtype_kinds=NUMERIC,
    grad=lambda *values: (values[-1],) * (len(values) - 2),
    node_name="AddN", lower=Native("add_n"), traits=(ELEMENTWISE,),
    never_raises=alike,
    samples=lambda: [case([1.0, 2.0], [3.0, 4.0], [5.0, 6.0]), case([[1]])],
    doc="Add tensors of one shape element-wise.",
)


def add_n(inputs: Any, name: str | None = None) -> Any:
    """Add tensors of one shape and dtype.

    Args:
        inputs: list of tensors of a numeric dtype.
    Returns:
        Tensor of their shape and dtype.
    Raises:
        ValueError: the list is empty, or the shapes differ (also an InvalidArgumentError).
        InvalidArgumentError: the dtypes differ or are not numeric (also a TypeError).
    """
    values = list(inputs) if isinstance(inputs, list | tuple) else [inputs]
    if not values:
        raise ValueError("inputs must be an iterable of at least one Tensor with the same dtype")
    return add_n_op(*values, name=name)


def scalar_mul(scalar: TensorLike, x: TensorLike, name: str | None = None) -> Any:
    """Multiply a tensor by a scalar.

    Args:
        scalar: scalar of the dtype of ``x``.
        x: tensor of a numeric dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: the dtypes differ or are not numeric (also a TypeError).
    """
    return multiply(scalar, x, name=name)
