"""Op definitions about floating-point numbers: signs, neighbours, functions that keep accuracy."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops.array.creation import zeros_like
from runtime.ops.math.elementwise import square
from runtime.ops.op import ARITHMETIC, COMMUTATIVE, ELEMENTWISE, OpDef, define
from runtime.ops.rules.inference import broadcast, same, same_as
from runtime.ops.rules.lazy_gradient import holomorphic, lazy_gradient
from runtime.ops.rules.lowering import Native
from runtime.ops.rules.samples import case, float_pairs, floats, unary
from runtime.types.dtypes import Array, bool_

__all__ = [
    "copysign", "hypot", "log10", "log2", "logaddexp", "nextafter", "reciprocal_no_nan", "signbit",
    "trunc", "xlog1py",
]  # fmt: skip


def _pairwise(name: str, kernel: Any, doc: str, *traits: Any, grad: Any = None,
              samples: Any = float_pairs) -> OpDef:  # fmt: skip
    """Define an op of two floating-point inputs that broadcast."""
    derivative = {} if grad is None else {"grad": grad}
    overloads = (kernel,) if isinstance(kernel, np.ufunc) else ()
    return define(
        name, inputs="x1 x2", kernel=kernel, infer=broadcast, dtype_kinds="f", overloads=overloads,
        traits=(ELEMENTWISE, *traits), samples=samples, doc=doc, lower=Native(name), **derivative,
    )  # fmt: skip


copysign = _pairwise(
    "copysign", np.copysign, "Give the magnitude of ``x1`` the sign of ``x2``, element-wise.",
    grad=lazy_gradient("floating.copysign"),
)  # fmt: skip
hypot = _pairwise(
    "hypot", np.hypot,
    "Compute ``sqrt(x1 * x1 + x2 * x2)`` element-wise, without intermediate overflow.", COMMUTATIVE,
    grad=lazy_gradient("floating.hypot"),
)
logaddexp = _pairwise(
    "logaddexp", np.logaddexp,
    "Compute ``log(exp(x1) + exp(x2))`` element-wise, without intermediate overflow.",
    COMMUTATIVE, grad=lazy_gradient("floating.logaddexp"),
)  # fmt: skip
nextafter = _pairwise(
    "nextafter", np.nextafter,
    "Return the floating-point number next to ``x1`` in the direction of ``x2``.",
    samples=lambda: [*float_pairs(), case([1.0, 0.0, 2.0], [2.0, -1.0, 2.0])],
    grad=lambda x1, x2, y, dy: (dy, zeros_like(dy)),
)  # fmt: skip

signbit = define(
    "signbit", kernel=np.signbit, infer=same_as(bool_), dtype_kinds="f", grad=None,
    overloads=(np.signbit,), traits=(ELEMENTWISE,), samples=floats, lower=Native("signbit"),
    doc="Test whether the sign of each element is minus, also of zeros and NaN.",
)  # fmt: skip

trunc = define(
    "trunc", kernel=np.trunc, infer=same, dtype_kinds="f", grad=None, overloads=(np.trunc,),
    traits=(ELEMENTWISE, ARITHMETIC), samples=floats, lower=Native("trunc"),
    doc="Round each element towards zero to a whole number.",
)  # fmt: skip

log2 = define(
    "log2", kernel=np.log2, infer=same, dtype_kinds="fc", overloads=(np.log2,),
    lower=Native("log2"),
    traits=(ELEMENTWISE,),
    grad=holomorphic(lambda x, y, dy: (dy / (x * float(np.log(2.0))),)),
    samples=unary(0.1, 9, 0.0, 8.0),
    doc="Compute the logarithm to base 2 of each element, exactly for powers of 2.",
)  # fmt: skip

log10 = define(
    "log10", kernel=np.log10, infer=same, dtype_kinds="fc", overloads=(np.log10,),
    lower=Native("log10"),
    traits=(ELEMENTWISE,),
    grad=holomorphic(lambda x, y, dy: (dy / (x * float(np.log(10.0))),)),
    samples=unary(0.1, 9, 0.0, 100.0),
    doc="Compute the logarithm to base 10 of each element.",
)  # fmt: skip


def _reciprocal_no_nan(x: Array) -> Any:
    return np.where(x == 0, x.dtype.type(0), 1 / x)


reciprocal_no_nan = define(
    "reciprocal_no_nan", kernel=_reciprocal_no_nan, infer=same, dtype_kinds="fc",
    traits=(ELEMENTWISE,), lower=Native("reciprocal_no_nan"),
    grad=holomorphic(lambda x, y, dy: (-(dy * square(y)),)),
    samples=lambda: [case([2.0, 0.0, -0.5])],
    doc="Compute ``1 / x`` for each element; 0 where ``x`` is 0.",
)  # fmt: skip


def _xlog1py(x: Array, y: Array) -> Any:
    return np.where(x == 0, np.zeros((), x.dtype), x * np.log1p(y))


xlog1py = define(
    "xlog1py", inputs="x y", kernel=_xlog1py, infer=broadcast, dtype_kinds="fc",
    traits=(ELEMENTWISE,), lower=Native("xlog1py"),
    grad=holomorphic(lazy_gradient("floating.xlog1py")),
    samples=lambda: [*float_pairs()[:1], case([0.0, 2.0], [-1.0, 0.5])],
    doc="Compute ``x * log1p(y)`` element-wise; 0 where ``x`` is 0.",
)  # fmt: skip
