"""The layers that make one tensor of several, as functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from runtime.keras.layers import merging

if TYPE_CHECKING:
    from runtime.eager.tensor import Tensor

__all__ = [
    "add", "average", "concatenate", "dot", "maximum", "minimum", "multiply", "subtract",
]  # fmt: skip


def add(inputs: Any, **kwargs: Any) -> Tensor:
    """Return the sum of tensors.

    Args:
        inputs: list of tensors whose shapes broadcast.
        kwargs: arguments of ``Layer``.

    Returns:
        Tensor of the broadcast shape.
    """
    return merging.Add(**kwargs)(inputs)


def average(inputs: Any, **kwargs: Any) -> Tensor:
    """Return the mean of tensors.

    Args:
        inputs: list of tensors whose shapes broadcast.
        kwargs: arguments of ``Layer``.

    Returns:
        Tensor of the broadcast shape.
    """
    return merging.Average(**kwargs)(inputs)


def maximum(inputs: Any, **kwargs: Any) -> Tensor:
    """Return the greatest of tensors, element by element.

    Args:
        inputs: list of tensors whose shapes broadcast.
        kwargs: arguments of ``Layer``.

    Returns:
        Tensor of the broadcast shape.
    """
    return merging.Maximum(**kwargs)(inputs)


def minimum(inputs: Any, **kwargs: Any) -> Tensor:
    """Return the least of tensors, element by element.

    Args:
        inputs: list of tensors whose shapes broadcast.
        kwargs: arguments of ``Layer``.

    Returns:
        Tensor of the broadcast shape.
    """
    return merging.Minimum(**kwargs)(inputs)


def multiply(inputs: Any, **kwargs: Any) -> Tensor:
    """Return the product of tensors, element by element.

    Args:
        inputs: list of tensors whose shapes broadcast.
        kwargs: arguments of ``Layer``.

    Returns:
        Tensor of the broadcast shape.
    """
    return merging.Multiply(**kwargs)(inputs)


def subtract(inputs: Any, **kwargs: Any) -> Tensor:
    """Return the difference of two tensors.

    Args:
        inputs: list of tensors whose shapes broadcast.
        kwargs: arguments of ``Layer``.

    Returns:
        Tensor of the broadcast shape.
    """
    return merging.Subtract(**kwargs)(inputs)


def concatenate(inputs: Any, axis: int = -1, **kwargs: Any) -> Tensor:
    """Return tensors one after the other.

    Args:
        inputs: list of tensors whose shapes are equal but for one axis.
        axis: that axis.
        kwargs: arguments of ``Layer``.

    Returns:
        Tensor whose size along the axis is the sum of theirs.
    """
    return merging.Concatenate(axis=axis, **kwargs)(inputs)


def dot(inputs: Any, axes: Any = -1, **kwargs: Any) -> Tensor:
    """Return products of two tensors, summed along an axis of each, sample by sample.

    Args:
        inputs: list of two tensors.
        axes: axis of both, or one for each.
        kwargs: other arguments of ``Dot``.

    Returns:
        Tensor with the batch, then the other axes of the first tensor, then those of the second.
    """
    return merging.Dot(axes=axes, **kwargs)(inputs)
