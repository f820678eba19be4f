"""Rules for the field ``python_operator``: for which inputs Python's operator is the kernel.

And the kernel of Python's power, for the field ``python_kernel``.

Generated code (engine/python_codegen.py) has operators in place of calls of kernels where these
rules say so.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.ops.op import PythonKernel
from runtime.types.shapes import TensorSpec

POWER = PythonKernel(
    operator.pow, (ZeroDivisionError, OverflowError), bounded=False,
    is_safe=lambda power: power in (0, 1) or power.dtype.kind == "i" and power > 0,
)  # fmt: skip


def scalars(specs: Sequence[TensorSpec], right: Any) -> bool:
    """All inputs are numbers or truth values without dimensions."""
    return all(spec.shape.dims == () for spec in specs)


def whole_by_nonzero(specs: Sequence[TensorSpec], right: Any) -> bool:
    """Whole numbers divided by some that are known, none of them zero."""
    are_integers = all(spec.dtype.is_integer for spec in specs)
    return are_integers and right is not None and bool(np.all(right))


def floats(specs: Sequence[TensorSpec], right: Any) -> bool:
    """All inputs are (real) floating-point numbers."""
    return all(spec.dtype.is_floating for spec in specs)
