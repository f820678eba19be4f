"""Kernels on bfloat16: they compute in float32 and round their results once.

NumPy knows bfloat16 as bytes that ml_dtypes adds up and compares; its sums and products would
round after every step.  Ops that take any dtype only move elements, and run as they are; so do
stateful ones, which write what they compute.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from runtime.ops.op import STATEFUL, OpDef
from runtime.types.dtypes import NARROW, DType, float32


def computes_wide(op: OpDef, dtypes: Iterable[DType | np.dtype[Any] | None]) -> bool:
    """Whether an op that computes is given bfloat16."""
    if not NARROW or "f" not in op.dtype_kinds or STATEFUL in op.traits:
        return False
    return any(dtype == NARROW[0] for dtype in dtypes)


@functools.cache
def wide_kernel(op: OpDef) -> Callable[..., Any]:
    """The kernel between conversions of bfloat16 arrays to float32 and back."""
    kernel, narrow = op.kernel, NARROW[0].as_numpy_dtype

    def rounded(result: Any) -> Any:
        return result.astype(narrow) if getattr(result, "dtype", None) == np.float32 else result

    def run(*arrays: Any, **attrs: Any) -> Any:
        wide = [
            a.astype(np.float32) if getattr(a, "dtype", None) == narrow else a for a in arrays
        ]
        result = kernel(*wide, **attrs)
        if any(value is float32 for value in attrs.values()):  # which was asked for
            return result
        return tuple(map(rounded, result)) if type(result) is tuple else rounded(result)

    return run
