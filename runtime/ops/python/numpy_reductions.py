"""Op definitions of NumPy's extremes and means, which refuse or report what has no elements.

TensorFlow's give the end of the dtype there, without a word.  The rules of
NumPy's functions (staging/numpy_arrays/rules/reductions.py) record these unless sizes are known.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops.math.reduction import max_op, mean_op, min_op
from runtime.ops.op import RAISES, REDUCTION, ROUNDS_ONCE, OpDef, define
from runtime.ops.rules.inference import reduction
from runtime.ops.rules.lazy_gradient import lazy_gradient
from runtime.ops.rules.samples import OpSample, spread
from runtime.types.shapes import TensorSpec

__all__: list[str] = []


def has_elements(x: TensorSpec, **attrs: Any) -> bool:
    """Whether the sizes are known, and none is 0."""
    return x.shape.is_fully_defined() and 0 not in x.shape.as_list()


def _samples() -> list[OpSample]:
    return [
        OpSample((spread(-3, 3, 2, 3),), {"axis": (1,), "keepdims": False}),
        OpSample((spread(-3, 3),), {"axis": None, "keepdims": True}),
    ]


def _like(
    op: OpDef, name: str, kernel: Any, dtype_kinds: str, rule: str, doc: str
) -> OpDef:
    return define(
        name, inputs="a", kernel=kernel, infer=reduction, dtype_kinds=dtype_kinds,
        grad=lazy_gradient(f"reduction.{rule}"), traits=(REDUCTION, RAISES, ROUNDS_ONCE),
        never_raises=has_elements, raises=(ValueError,), lower=op.lower, samples=_samples, doc=doc,
    )  # fmt: skip


numpy_max = _like(
    max_op, "numpy_max", np.max, "iuf", "extreme",
    "Find the greatest element along axes; ValueError where there is none.",
)  # fmt: skip
numpy_min = _like(
    min_op, "numpy_min", np.min, "iuf", "extreme",
    "Find the least element along axes; ValueError where there is none.",
)  # fmt: skip
numpy_mean = _like(
    mean_op, "numpy_mean", np.mean, "f", "mean",
    "Compute the mean of floats along axes; NaN, with a warning, where there is none.",
)  # fmt: skip
