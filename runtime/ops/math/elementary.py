"""Op definitions of element-wise functions: exponentials, trigonometry, error functions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.ops.docstrings import WRONG_SHAPES, gives
from runtime.ops.math import special_kernels
from runtime.ops.math.elementwise import reciprocal, sqrt, square
from runtime.ops.op import COSTLY, ELEMENTWISE, INVOLUTION, NUMERIC, OpDef, define
from runtime.ops.rules.inference import broadcast, same
from runtime.ops.rules.lazy_gradient import holomorphic, lazy_gradient
from runtime.ops.rules.lowering import SERIES, Composes, Native
from runtime.ops.rules.samples import Samples, case, float_pairs, floats, numbers, spread, unary
from runtime.types.dtypes import Array, complex64, complex128
from runtime.types.shapes import TensorSpec

__all__ = [
    "acos", "acosh", "angle", "asin", "asinh", "atan", "atan2", "atanh", "complex", "conj", "cos",
    "cosh", "erf", "erfc", "exp", "expm1", "imag", "lgamma", "log", "log1p", "log_sigmoid", "real",
    "sigmoid", "sin", "sinh", "softplus", "tan", "tanh", "xdivy", "xlogy",
]  # fmt: skip


def _function(name: str, kernel: Any, node_name: str, samples: Samples, doc: str, grad: Any,
              dtype_kinds: str = "fc") -> OpDef:  # fmt: skip
    """Define an op of one input whose result has its shape and dtype."""
    overloads = (kernel,) if isinstance(kernel, np.ufunc) else ()
    grad = holomorphic(grad) if "c" in dtype_kinds else grad
    return define(
        name, kernel=kernel, infer=same, dtype_kinds=dtype_kinds, grad=grad, node_name=node_name,
        overloads=overloads,
        traits=(ELEMENTWISE, COSTLY), samples=samples, doc=doc, lower=Native(name),
    )  # fmt: skip


exp = _function("exp", np.exp, "Exp", floats, "Compute ``e ** x`` for each element.",
                                          lambda x, y, dy: (dy * y,))
expm1 = _function(
    "expm1", np.expm1, "Expm1", floats,
    "Compute ``exp(x) - 1`` for each element, accurately near 0.",
    lambda x, y, dy: (dy * (y + 1),),
)  # fmt: skip
log = _function(
    "log", np.log, "Log", unary(0.1, 9, 0.0, -1.0),
    "Compute the natural logarithm of each element; NaN below 0.",
    lambda x, y, dy: (dy / x,),
)  # fmt: skip
log1p = _function(
    "log1p", np.log1p, "Log1p", unary(-0.9, 3, -1.0, -2.0),
    "Compute ``log(1 + x)`` for each element, accurately near 0.",
    lambda x, y, dy: (dy / (x + 1),),
)  # fmt: skip
sin = _function("sin", np.sin, "Sin", floats, "Compute the sine of each element.",
                                          lambda x, y, dy: (dy * cos(x),))
cos: OpDef = _function(
    "cos", np.cos, "Cos", floats, "Compute the cosine of each element.",
                              lambda x, y, dy: (-(dy * sin(x)),)
)
tan = _function(
    "tan", np.tan, "Tan", unary(-1.4, 1.4), "Compute the tangent of each element.",
                                        lambda x, y, dy: (dy * (y * y + 1),)
)
asin = _function(
    "asin", np.arcsin, "Asin", unary(-0.9, 0.9, 1.0, 2.0),
    "Compute the inverse sine of each element; NaN beyond -1 and 1.",
    lambda x, y, dy: (dy / sqrt(1 - square(x)),),
)  # fmt: skip
acos = _function(
    "acos", np.arccos, "Acos", unary(-0.9, 0.9, 1.0, 2.0),
    "Compute the inverse cosine of each element; NaN beyond -1 and 1.",
    lambda x, y, dy: (-(dy / sqrt(1 - square(x))),),
)  # fmt: skip
atan = _function(
    "atan", np.arctan, "Atan", floats, "Compute the inverse tangent of each element.",
    lambda x, y, dy: (dy / (square(x) + 1),),
)  # fmt: skip
sinh = _function(
    "sinh", np.sinh, "Sinh", floats, "Compute the hyperbolic sine of each element.",
                                 lambda x, y, dy: (dy * cosh(x),)
)
cosh: OpDef = _function(
    "cosh", np.cosh, "Cosh", floats, "Compute the hyperbolic cosine of each element.",
                                 lambda x, y, dy: (dy * sinh(x),)
)
tanh = _function(
    "tanh", np.tanh, "Tanh", floats, "Compute the hyperbolic tangent of each element.",
    lambda x, y, dy: (dy * (1 - square(y)),),
)  # fmt: skip
asinh = _function(
    "asinh", np.arcsinh, "Asinh", floats, "Compute the inverse hyperbolic sine of each element.",
    lambda x, y, dy: (dy / sqrt(square(x) + 1),),
)  # fmt: skip
acosh = _function(
    "acosh", np.arccosh, "Acosh", unary(1.1, 5, 1.0, 0.5),
    "Compute the inverse hyperbolic cosine of each element; NaN below 1.",
    lambda x, y, dy: (dy / (sqrt(x - 1) * sqrt(x + 1)),),
)  # fmt: skip
atanh = _function(
    "atanh", np.arctanh, "Atanh", unary(-0.9, 0.9, 1.0, 2.0),
    "Compute the inverse hyperbolic tangent of each element; NaN beyond -1 and 1.",
    lambda x, y, dy: (dy * reciprocal(1 - square(x)),),
)  # fmt: skip


def _sigmoid(x: Array) -> Any:
    if x.dtype.kind == "c":
        return 1 / (1 + np.exp(-x))
    small = np.exp(-np.abs(x))  # never overflows
    # 1 at or above 0; ``where`` takes three times as long
    return np.maximum(small, (x >= 0).astype(x.dtype)) / (1 + small)


sigmoid = _function(
    "sigmoid", _sigmoid, "Sigmoid", floats,
    "Compute the logistic function ``1 / (1 + exp(-x))`` of each element, without overflow.",
    lambda x, y, dy: (dy * y * (1 - y),),
)  # fmt: skip


def _softplus(x: Array) -> Any:
    return np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))


softplus = _function(
    "softplus", _softplus, "Softplus", floats,
    "Compute ``log(exp(x) + 1)`` for each element, without overflow.",
    lambda x, y, dy: (dy * sigmoid(x),), "f",
)  # fmt: skip
log_sigmoid = _function(
    "log_sigmoid", lambda x: -_softplus(-x), "LogSigmoid", floats,
    "Compute ``log(sigmoid(x))`` for each element, without overflow.",
    lambda x, y, dy: (dy * sigmoid(-x),), "f",
)  # fmt: skip


erf = _function(
    "erf", special_kernels.erf, "Erf", floats,
    "Compute the error function of each element.\n\nChebyshev interpolants around the identities of"
    " Abramowitz and Stegun, Handbook of Mathematical Functions (1964), chapter 7.",
    lambda x, y, dy: (dy * exp(-square(x)) * (2 / math.sqrt(math.pi)),), "f",
)  # fmt: skip
erfc = _function(
    "erfc", special_kernels.erfc, "Erfc", floats,
    "Compute ``1 - erf(x)`` for each element, accurately for large ``x``.\n\nChebyshev interpolants"
    " around the identities of Abramowitz and Stegun, Handbook of Mathematical Functions (1964), "
    "chapter 7.",
    lambda x, y, dy: (dy * exp(-square(x)) * (-2 / math.sqrt(math.pi)),), "f",
)  # fmt: skip
lgamma = define(
    "lgamma",
    grad=lazy_gradient("elementwise.lgamma"),
    kernel=special_kernels.lgamma, infer=same, dtype_kinds="f", node_name="Lgamma", lower=SERIES,
    traits=(ELEMENTWISE,), samples=unary(0.1, 6, -1.0, -0.5),
    doc="Compute ``log(abs(gamma(x)))`` for each element; infinite at 0, -1, -2, ...\n\nRecurrence,"
    " reflection and Stirling's series: Abramowitz and Stegun, Handbook of Mathematical "
    "Functions (1964), chapter 6.",
)  # fmt: skip

def _angle_of(y: Any, x: Any, z: Any, dz: Any) -> tuple[Any, ...]:
    share = dz / (square(x) + square(y))
    return x * share, -(y * share)


atan2 = define(
    "atan2",
    grad=_angle_of,
    inputs="y x", kernel=np.arctan2, infer=broadcast, dtype_kinds="f", node_name="Atan2",
    overloads=(np.arctan2,), traits=(ELEMENTWISE,), lower=Native("atan2"),
    samples=lambda: [*float_pairs(), case([0.0, -1.0], [-1.0, 0.0])],
    doc="Compute the angle of the point ``(x, y)`` element-wise, from -pi to pi.",
)  # fmt: skip


def _xlogy(x: Array, y: Array) -> Any:
    return np.where(x == 0, x.dtype.type(0), x * np.log(y))


def _xdivy(x: Array, y: Array) -> Any:
    return np.where(x == 0, x.dtype.type(0), x / y)


xlogy = define(
    "xlogy",
    grad=holomorphic(lazy_gradient("elementwise.xlogy")),
    inputs="x y", kernel=_xlogy, infer=broadcast, dtype_kinds="fc", node_name="Xlogy",
    traits=(ELEMENTWISE,), lower=Native("xlogy"),
    samples=lambda: [case([0.0, 2.0], [0.0, 3.0]), *float_pairs()],
    doc="Compute ``x * log(y)`` element-wise; 0 where ``x`` is 0.",
)  # fmt: skip
xdivy = define(
    "xdivy",
    grad=holomorphic(lazy_gradient("elementwise.xdivy")),
    inputs="x y", kernel=_xdivy, infer=broadcast, dtype_kinds="fc", node_name="Xdivy",
    traits=(ELEMENTWISE,), lower=Native("xdivy"),
    samples=lambda: [case([0.0, 2.0], [0.0, 4.0]), *float_pairs()],
    doc="Compute ``x / y`` element-wise; 0 where ``x`` is 0.",
)  # fmt: skip


def _complexes() -> list[Any]:
    return [case(np.array([3 + 4j, -1j, 0], np.complex64)), case(np.array(1 - 2j)), *floats()]


@gives("Tensor of the shape of ``{x}``, of its dtype or, if it is complex, of the parts' dtype.")
def _real_infer(x: TensorSpec) -> TensorSpec:
    return TensorSpec(x.shape, x.dtype.real_dtype)


real: OpDef = define(
    "real",
    grad=lambda x, y, dy: (complex(dy, 0.0) if x.dtype.is_complex else dy,),
    inputs="input", kernel=lambda x: np.real(x) if x.dtype.kind == "c" else x,
    infer=_real_infer, dtype_kinds=NUMERIC, node_name="Real", traits=(ELEMENTWISE,),
    lower=Composes("array.itself", of_complex="real"),
    samples=_complexes,
    doc="Return the real part of each element; real numbers stay as they are.",
)  # fmt: skip
imag: OpDef = define(
    "imag",
    grad=lambda x, y, dy: (complex(0.0, dy) if x.dtype.is_complex else None,),
    inputs="input", kernel=np.imag, infer=_real_infer, dtype_kinds=NUMERIC, node_name="Imag",
    traits=(ELEMENTWISE,), samples=_complexes, lower=Composes("array.imag", of_complex="imag"),
    doc="Return the imaginary part of each element; 0 for real numbers.",
)  # fmt: skip
conj: OpDef = define(
    "conj",
    grad=lambda x, y, dy: (conj(dy),),
    kernel=np.conj, infer=same, dtype_kinds=NUMERIC, node_name="Conj", overloads=(np.conj,),
    lower=Composes("array.itself", of_complex="conj"),
    traits=(ELEMENTWISE, INVOLUTION), samples=lambda: _complexes() + numbers(),
    doc="Conjugate each element; real numbers stay as they are.",
)  # fmt: skip
angle = define(
    "angle",
    grad=lazy_gradient("elementwise.angle"),
    inputs="input", kernel=lambda x: np.arctan2(np.imag(x), np.real(x)),
    infer=_real_infer, dtype_kinds="fc", node_name="Angle", traits=(ELEMENTWISE,),
    lower=Native("angle"), samples=_complexes,
    doc="Compute the angle of each number in the complex plane, from -pi to pi.",
)  # fmt: skip


def _complex(real: Array, imag: Array) -> Any:
    dtype = np.complex128 if real.dtype.itemsize == 8 else np.complex64
    result = np.empty(np.broadcast_shapes(real.shape, imag.shape), dtype)
    result.real, result.imag = real, imag  # adding imag * 1j would make NaN of infinite parts
    return result


@gives("Tensor of dtype complex64 (float64: complex128) and of the broadcast shape.", WRONG_SHAPES)
def _complex_infer(real: TensorSpec, imag: TensorSpec) -> TensorSpec:
    dtype = complex128 if real.dtype.size == 8 else complex64
    return TensorSpec(broadcast(real, imag).shape, dtype)


complex: OpDef = define(
    "complex",
    grad=lambda x, y, z, dz: (real(dz), imag(dz)),
    inputs="real imag", kernel=_complex, infer=_complex_infer, dtype_kinds="f",
    node_name="Complex", traits=(ELEMENTWISE,), lower=Native("complex"),
    samples=lambda: [case(spread(-1, 1, 3), spread(0, 2, 3)), *float_pairs()],
    doc="Make complex numbers of their real and imaginary parts, with broadcasting.",
)  # fmt: skip
