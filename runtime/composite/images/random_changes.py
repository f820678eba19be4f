"""Random changes of images, by the global stream of random numbers or by a seed for each call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.composite.images import colors, places
from runtime.composite.images.batches import in_batches
from runtime.ops.array.shape import reshape
from runtime.ops.array.shape import shape as shape_of
from runtime.ops.array.where import where
from runtime.ops.random import sampling, stateless
from runtime.ops.random.shuffling import random_crop as random_crop
from runtime.types.aliases import TensorLike

__all__ = [
    "random_brightness", "random_contrast", "random_crop", "random_flip_left_right",
    "random_flip_up_down", "random_hue", "random_saturation", "stateless_random_brightness",
    "stateless_random_contrast", "stateless_random_flip_left_right",
    "stateless_random_flip_up_down", "stateless_random_hue", "stateless_random_saturation",
]  # fmt: skip

Draw = Callable[[list[Any], float, float], Any]
"""Function of a shape and two bounds: random numbers."""


def _by_stream(seed: int | None) -> Draw:
    return lambda dims, low, high: sampling.uniform(dims, low, high, seed=seed)


def _by_seed(seed: TensorLike) -> Draw:
    return lambda dims, low, high: stateless.stateless_uniform(dims, seed, low, high)


def _flipped(image: TensorLike, flip: Callable[[Any], Any], caller: str, draw: Draw) -> Any:
    """Flip each image of a batch, or not."""

    def flipped(x: Any) -> Any:
        count = x.shape[0] if x.shape[0] is not None else shape_of(x)[0]
        chosen = draw([count], 0.0, 1.0) < 0.5
        return where(reshape(chosen, [-1, 1, 1, 1]), flip(x), x)

    return in_batches(image, caller, flipped)


def _between(name: str, lower: float, upper: float) -> None:
    if upper <= lower:
        raise ValueError("upper must be > lower.")
    if lower < 0:
        raise ValueError("lower must be non-negative.")


def _at_most(name: str, limit: float, greatest: float = float("inf")) -> None:
    if limit < 0:
        raise ValueError(f"{name} must be non-negative.")
    if limit > greatest:
        raise ValueError(f"{name} must be <= {greatest}.")


def _brightness(image: TensorLike, max_delta: float, draw: Draw) -> Any:
    _at_most("max_delta", max_delta)
    return colors.adjust_brightness(image, draw([], -max_delta, max_delta))


def _contrast(image: TensorLike, lower: float, upper: float, draw: Draw) -> Any:
    _between("contrast", lower, upper)
    return colors.adjust_contrast(image, draw([], lower, upper))


def _saturation(image: TensorLike, lower: float, upper: float, draw: Draw) -> Any:
    _between("saturation", lower, upper)
    return colors.adjust_saturation(image, draw([], lower, upper))


def _hue(image: TensorLike, max_delta: float, draw: Draw) -> Any:
    _at_most("max_delta", max_delta, 0.5)
    return colors.adjust_hue(image, draw([], -max_delta, max_delta))


def random_flip_left_right(image: TensorLike, seed: int | None = None) -> Any:
    """Exchange left and right of each image, or not.

    Args:
        image: tensor of shape (..., height, width, channels) and of a floating or integer
            dtype.
        seed: seed of the stream, an int or None.
    Returns:
        Tensor of the shape and dtype of ``image``.
    """
    return _flipped(image, places.flip_left_right, "random_flip_left_right", _by_stream(seed))


def random_flip_up_down(image: TensorLike, seed: int | None = None) -> Any:
    """Exchange top and bottom of each image, or not.

    Args:
        image: tensor of shape (..., height, width, channels) and of a floating or integer
            dtype.
        seed: seed of the stream, an int or None.
    Returns:
        Tensor of the shape and dtype of ``image``.
    """
    return _flipped(image, places.flip_up_down, "random_flip_up_down", _by_stream(seed))


def random_brightness(image: TensorLike, max_delta: float, seed: int | None = None) -> Any:
    """Add a number from -max_delta to max_delta to images.

    Args:
        image: tensor of shape (..., height, width, channels) and of a floating or integer
            dtype.
        max_delta: the greatest change, not negative.
        seed: seed of the stream, an int or None.
    Returns:
        Tensor of the shape and dtype of ``image``.
    Raises:
        ValueError: max_delta is negative.
    """
    return _brightness(image, max_delta, _by_stream(seed))


def random_contrast(image: TensorLike, lower: float, upper: float, seed: int | None = None) -> Any:
    """Change the contrast by a factor within bounds.

    Args:
        image: tensor of shape (..., height, width, channels) and of a floating or integer
            dtype.
        lower: the least factor, not negative.
        upper: the greatest factor.
        seed: seed of the stream, an int or None.
    Returns:
        Tensor of the shape and dtype of ``image``.
    Raises:
        ValueError: lower is negative, or not below upper.
    """
    return _contrast(image, lower, upper, _by_stream(seed))


def random_saturation(
    image: TensorLike, lower: float, upper: float, seed: int | None = None
) -> Any:
    """Change the saturation by a factor within bounds.

    Args:
        image: tensor of shape (..., height, width, channels) and of a floating or integer
            dtype.
        lower: the least factor, not negative.
        upper: the greatest factor.
        seed: seed of the stream, an int or None.
    Returns:
        Tensor of the shape and dtype of ``image``.
    Raises:
        ValueError: lower is negative, or not below upper.
    """
    return _saturation(image, lower, upper, _by_stream(seed))


def random_hue(image: TensorLike, max_delta: float, seed: int | None = None) -> Any:
    """Turn the hue by up to max_delta, at most 0.5.

    Args:
        image: tensor of shape (..., height, width, channels) and of a floating or integer
            dtype.
        max_delta: the greatest change, not negative.
        seed: seed of the stream, an int or None.
    Returns:
        Tensor of the shape and dtype of ``image``.
    Raises:
        ValueError: max_delta is negative, or above 0.5.
    """
    return _hue(image, max_delta, _by_stream(seed))


def stateless_random_flip_left_right(image: TensorLike, seed: TensorLike) -> Any:
    """Exchange left and right of each image, or not, as a seed says.

    Args:
        image: tensor of shape (..., height, width, channels) and of a floating or integer
            dtype.
        seed: two ints.
    Returns:
        Tensor of the shape and dtype of ``image``.
    """
    return _flipped(image, places.flip_left_right, "stateless_random_flip", _by_seed(seed))


def stateless_random_flip_up_down(image: TensorLike, seed: TensorLike) -> Any:
    """Exchange top and bottom of each image, or not, as a seed says.

    Args:
        image: tensor of shape (..., height, width, channels) and of a floating or integer
            dtype.
        seed: two ints.
    Returns:
        Tensor of the shape and dtype of ``image``.
    """
    return _flipped(image, places.flip_up_down, "stateless_random_flip", _by_seed(seed))


def stateless_random_brightness(image: TensorLike, max_delta: float, seed: TensorLike) -> Any:
    """Add a number up to max_delta to images, which a seed says.

    Args:
        image: tensor of shape (..., height, width, channels) and of a floating or integer
            dtype.
        max_delta: the greatest change, not negative.
        seed: two ints.
    Returns:
        Tensor of the shape and dtype of ``image``.
    Raises:
        ValueError: max_delta is negative.
    """
    return _brightness(image, max_delta, _by_seed(seed))


def stateless_random_contrast(
    image: TensorLike, lower: float, upper: float, seed: TensorLike
) -> Any:
    """Change the contrast by a factor within bounds, which a seed says.

    Args:
        image: tensor of shape (..., height, width, channels) and of a floating or integer
            dtype.
        lower: the least factor, not negative.
        upper: the greatest factor.
        seed: two ints.
    Returns:
        Tensor of the shape and dtype of ``image``.
    Raises:
        ValueError: lower is negative, or not below upper.
    """
    return _contrast(image, lower, upper, _by_seed(seed))


def stateless_random_saturation(
    image: TensorLike, lower: float, upper: float, seed: TensorLike
) -> Any:
    """Change the saturation by a factor within bounds, which a seed says.

    Args:
        image: tensor of shape (..., height, width, channels) and of a floating or integer
            dtype.
        lower: the least factor, not negative.
        upper: the greatest factor.
        seed: two ints.
    Returns:
        Tensor of the shape and dtype of ``image``.
    Raises:
        ValueError: lower is negative, or not below upper.
    """
    return _saturation(image, lower, upper, _by_seed(seed))


def stateless_random_hue(image: TensorLike, max_delta: float, seed: TensorLike) -> Any:
    """Turn the hue by up to max_delta, which a seed says.

    Args:
        image: tensor of shape (..., height, width, channels) and of a floating or integer
            dtype.
        max_delta: the greatest change, not negative.
        seed: two ints.
    Returns:
        Tensor of the shape and dtype of ``image``.
    Raises:
        ValueError: max_delta is negative, or above 0.5.
    """
    return _hue(image, max_delta, _by_seed(seed))
