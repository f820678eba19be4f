"""Kernels for staged Python numbers: Python's arithmetic, not NumPy's.

Where all inputs of an operation stand for Python numbers, the executor calls these instead of the
row's kernel: ints do not wrap around, and a division by zero raises what Python raises.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

import numpy as np

from autograph.errors import RunTimeLimit
from runtime.graph.operation import Operation
from runtime.ops.narrow_floats import computes_wide, wide_kernel
from runtime.ops.op import PythonKernel
from runtime.ops.python.call_python import NumberSizeError
from runtime.types.dtypes import DType, complex128, float64, int64


class NumberKindError(RunTimeLimit, TypeError):
    """Python number of another kind than the one that the graph was recorded for."""


def _whole(function: Callable[..., Any], takes: tuple[DType, ...]) -> Callable[..., Any]:
    """Return the kernel of a function of Python numbers whose result is an int."""

    def kernel(*arrays: Any) -> Any:
        return as_int64(function(*[array.item() for array in arrays]))

    def kernel_of_two_ints(left: Any, right: Any) -> Any:
        return as_int64(function(int(left), int(right)))  # item() takes four times as long

    return kernel_of_two_ints if takes == (int64, int64) else kernel


_ZERO = np.int64(0)


def as_int64(result: Any) -> Any:
    """Convert a Python int to int64; NumberKindError or NumberSizeError when impossible."""
    if type(result) is not int:
        raise NumberKindError(
            f"Python gives the float {result} here: make one of the numbers a float"
        )
    try:
        return _ZERO + result  # NumPy's way with the least to do
    except OverflowError:
        raise NumberSizeError.of(result, "Use a float, or tensors, which wrap around.") from None


def _giving(
    kind: Callable[..., Any], function: Callable[..., Any], takes: tuple[DType, ...]
) -> Callable[..., Any]:
    def kernel(*arrays: Any) -> Any:
        result = function(*[array.item() for array in arrays])
        if type(result) is complex and kind is not np.complex128:
            raise NumberKindError(
                f"Python gives the complex number {result} here: make one of the numbers complex"
            )
        return kind(result)

    return kernel


_KINDS: dict[DType, Callable[[Callable[..., Any], tuple[DType, ...]], Callable[..., Any]]] = {
    int64: _whole,
    float64: partial(_giving, np.float64),
    complex128: partial(_giving, np.complex128),
}
"""Makers of kernels from functions of Python numbers, by the dtype of their result."""


def is_pythons(node: Operation) -> bool:
    """Return whether an operation computes a Python number from Python numbers."""
    return (
        node.op_def.python_kernel is not None
        and node.outputs[0].weak
        and node.outputs[0].dtype in _KINDS
        and all(t.weak and t.dtype in _KINDS for t in node.inputs)
    )


def never_raises(node: Operation) -> bool:
    """Return whether an operation has a result for all Python numbers, as many have for floats."""
    kernel = node.op_def.python_kernel
    is_int = node.outputs[0].dtype is int64
    return kernel is not None and not is_int and not kernel.may_raise(node.inputs)


def is_quick(node: Operation, arrays: Sequence[Any]) -> bool:
    """Return whether the cost is bounded; that of powers of Python ints is not."""
    kernel = node.op_def.python_kernel
    if kernel is None or kernel.bounded or not is_pythons(node):
        return True
    return node.outputs[0].dtype is not int64 or abs(arrays[1].item()) <= 64


def kernel_of(node: Operation) -> Callable[..., Any]:
    """Return the kernel to run for an operation."""
    python_kernel = node.op_def.python_kernel
    if python_kernel is None or not is_pythons(node):
        wide = computes_wide(node.op_def, [t.dtype for t in node.inputs])
        return wide_kernel(node.op_def) if wide else node.op_def.kernel
    return _kernel(python_kernel, node.outputs[0].dtype, tuple([t.dtype for t in node.inputs]))


@cache
def _kernel(
    python_kernel: PythonKernel, dtype: DType, takes: tuple[DType, ...]
) -> Callable[..., Any]:
    return _KINDS[dtype](python_kernel.function, takes)
