"""Types of the names of ``runtime.bitwise``, for editors and type checkers.

Written by `pytest tests/editors --update-golden` from the module itself: do not edit.
"""

# ruff: noqa

from runtime.eager.tensor import Tensor
from runtime.types.aliases import TensorLike
from typing import Any

def bitwise_and(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute the bitwise AND of integers, or the logical AND of booleans.

    Args:
        x, y: tensors of one integer or bool dtype.
    Returns:
        Tensor of the inputs' dtype and their broadcast shape.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError).
    """
def bitwise_or(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute the bitwise OR of integers, or the logical OR of booleans.

    Args:
        x, y: tensors of one integer or bool dtype.
    Returns:
        Tensor of the inputs' dtype and their broadcast shape.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError).
    """
def bitwise_xor(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute the bitwise XOR of integers, or the logical XOR of booleans.

    Args:
        x, y: tensors of one integer or bool dtype.
    Returns:
        Tensor of the inputs' dtype and their broadcast shape.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError).
    """
def invert(x: TensorLike, name: str | None = None) -> Tensor:
    """Flip every bit of each integer, or negate each boolean.

    Args:
        x: tensor of an integer or bool dtype.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        InvalidArgumentError: ``x`` has another dtype (also a TypeError).
    """
def left_shift(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Shift the bits of integers left by ``y``, within the dtype's width.

    Args:
        x, y: tensors of one integer dtype.
    Returns:
        Tensor of the inputs' dtype and their broadcast shape.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError); ``y`` holds a negative number.
    """
def right_shift(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Shift the bits of integers right by ``y``, keeping the sign.

    Args:
        x, y: tensors of one integer dtype.
    Returns:
        Tensor of the inputs' dtype and their broadcast shape.
    Raises:
        InvalidArgumentError: the dtypes differ or do not fit (also a TypeError); the shapes do not
            broadcast (also a ValueError); ``y`` holds a negative number.
    """
