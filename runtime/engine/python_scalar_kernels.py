"""Arithmetic on Python numbers that are known at run time: Python's own, not NumPy's.

Where all inputs of an operation stand for Python numbers, the executor calls these instead of the
row's kernel: ints do not wrap around, and a division by zero raises what Python raises.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.attempts import RunTimeLimit
from runtime.graph.operation import Operation
from runtime.types.dtypes import complex128, float64, int64

_PYTHONS: dict[str, Callable[..., Any]] = {
    "abs": operator.abs,
    "add": operator.add,
    "floordiv": operator.floordiv,
    "floormod": operator.mod,
    "left_shift": operator.lshift,
    "multiply": operator.mul,
    "negative": operator.neg,
    "pow": operator.pow,
    "subtract": operator.sub,
    "truediv": operator.truediv,
}


class NumberKindError(RunTimeLimit, TypeError):
    """A Python number turns out to be of another kind than the graph was built for."""


class NumberSizeError(RunTimeLimit, OverflowError):
    """A Python int needs more bits than a graph gives it."""


def _whole(function: Callable[..., Any]) -> Callable[..., Any]:
    def kernel(*arrays: Any) -> Any:
        result = function(*[array.item() for array in arrays])
        if type(result) is not int:
            raise NumberKindError(
                f"Python gives the float {result} here: make one of the numbers a float"
            )
        try:
            return np.int64(result)
        except OverflowError:
            raise NumberSizeError(
                "a Python int known only at run time has 64 bits; this one has "
                f"{result.bit_length()}. Use a float, or tensors, which wrap around."
            ) from None

    return kernel


def _giving(
    kind: Callable[..., Any], function: Callable[..., Any]
) -> Callable[..., Any]:
    def kernel(*arrays: Any) -> Any:
        return kind(function(*[array.item() for array in arrays]))

    return kernel


_KERNELS = {
    int64: {name: _whole(function) for name, function in _PYTHONS.items()},
    float64: {name: _giving(np.float64, function) for name, function in _PYTHONS.items()},
    complex128: {name: _giving(np.complex128, function) for name, function in _PYTHONS.items()},
}
_EVERYWHERE = frozenset(("abs", "add", "multiply", "negative", "subtract"))


def is_pythons(node: Operation) -> bool:
    """Whether an operation computes a Python number from Python numbers."""
    return (
        len(node.outputs) == 1
        and node.outputs[0].weak
        and node.outputs[0].dtype in _KERNELS
        and node.row.name in _PYTHONS
        and all(t.weak and t.dtype in _KERNELS for t in node.inputs)
    )


def never_raises(node: Operation) -> bool:
    """Whether an operation on Python numbers has a result for all of them: on floats many have."""
    if node.row.name == "abs" and node.inputs[0].dtype is complex128:
        return False  # it may be too large
    return node.outputs[0].dtype is not int64 and node.row.name in _EVERYWHERE


def is_quick(node: Operation, arrays: Sequence[Any]) -> bool:
    """Whether a result surely takes no time: Python's powers of ints have any number of digits."""
    if not is_pythons(node) or node.row.name not in ("pow", "left_shift"):
        return True
    return node.outputs[0].dtype is not int64 or abs(arrays[1].item()) <= 64


def kernel_of(node: Operation) -> Callable[..., Any]:
    """The kernel to run for an operation."""
    if not is_pythons(node):
        return node.row.kernel
    return _KERNELS[node.outputs[0].dtype][node.row.name]
