"""Activations: functions of a tensor, of any shape and a floating dtype, to one of that shape."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from runtime.keras.identifiers import identified
from runtime.keras.serialization import get_registered_name
from runtime.ops.array.concat_split import split
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.creation import ones_like, range, zeros_like
from runtime.ops.array.shape import shape, transpose
from runtime.ops.array.sorting import sort
from runtime.ops.array.where import where
from runtime.ops.docstrings import Function, documented
from runtime.ops.math import elementary
from runtime.ops.math.clipping import clip_by_value
from runtime.ops.math.elementwise import abs, maximum, minimum, sqrt, square
from runtime.ops.math.reduction import reduce_logsumexp, reduce_sum
from runtime.ops.math.scans import cumsum
from runtime.ops.nn import activations_losses as nn
from runtime.types.aliases import TensorLike
from runtime.types.annexes import explained as _explained

if TYPE_CHECKING:
    from runtime.eager.tensor import Tensor

__all__ = [
    "celu", "deserialize", "elu", "exponential", "gelu", "get", "glu", "hard_shrink",
    "hard_sigmoid", "hard_silu", "hard_swish", "hard_tanh", "leaky_relu", "linear", "log_sigmoid",
    "log_softmax", "mish", "relu", "relu6", "selu", "serialize", "sigmoid", "silu", "soft_shrink",
    "softmax", "softplus", "softsign", "sparse_plus", "sparse_sigmoid", "sparsemax", "squareplus",
    "swish", "tanh", "tanh_shrink", "threshold",
]  # fmt: skip


def _documented(**parameters: str) -> Callable[[Function], Function]:
    """Return a decorator that adds to a docstring what arguments and results are."""
    x = "tensor of any shape and a floating dtype"
    return documented("Tensor of the shape and dtype of ``x``", x=x, **parameters)


@_documented(
    negative_slope="factor below ``threshold``",
    max_value="greatest result",
    threshold="where positive results begin",
)
def relu(
    x: TensorLike, negative_slope: float = 0.0, max_value: float | None = None,
    threshold: float = 0.0,
) -> Tensor:
    """Return ``max(x, 0)``; or ``x`` above ``threshold`` up to ``max_value``, a slope below."""
    x = convert_to_tensor(x)
    if negative_slope == 0 and threshold == 0:
        return nn.relu(x) if max_value is None else clip_by_value(x, 0.0, float(max_value))
    positive = where(x > threshold, x, zeros_like(x))
    if max_value is not None:
        positive = minimum(positive, max_value)
    if negative_slope == 0:
        return positive
    return where(x > threshold, positive, negative_slope * (x - threshold))


@_documented()
def relu6(x: TensorLike) -> Tensor:
    """Return ``min(max(x, 0), 6)``."""
    return nn.relu6(x)


@_documented(negative_slope="factor of what is negative")
def leaky_relu(x: TensorLike, negative_slope: float = 0.2) -> Tensor:
    """Return ``x`` where it is positive, ``negative_slope * x`` elsewhere."""
    return nn.leaky_relu(x, alpha=negative_slope)


@_documented(alpha="limit towards minus infinity, negated")
def elu(x: TensorLike, alpha: float = 1.0) -> Tensor:
    """Return ``x`` where it is positive, ``alpha * (exp(x) - 1)`` elsewhere."""
    x = convert_to_tensor(x)
    return nn.elu(x) if alpha == 1 else where(x > 0, x, alpha * nn.elu(x))


@_documented(alpha="limit towards minus infinity, negated")
def celu(x: TensorLike, alpha: float = 1.0) -> Tensor:
    """Return ``max(x, 0) + min(alpha * (exp(x / alpha) - 1), 0)``."""
    x = convert_to_tensor(x)
    return maximum(x, 0.0) + alpha * elementary.expm1(minimum(x, 0.0) / alpha)


@_documented()
def selu(x: TensorLike) -> Tensor:
    """Return the ELU scaled so that layers keep mean 0 and variance 1."""
    return nn.selu(x)


@_documented(approximate="whether to use the formula with tanh")
def gelu(x: TensorLike, approximate: bool = False) -> Tensor:
    """Return ``x`` times the normal distribution function of ``x``, or an approximation by tanh."""
    return nn.gelu(x, approximate=approximate)


@_documented()
def sigmoid(x: TensorLike) -> Tensor:
    """Return ``1 / (1 + exp(-x))``."""
    return elementary.sigmoid(x)


@_documented()
def log_sigmoid(x: TensorLike) -> Tensor:
    """Return ``log(sigmoid(x))``."""
    return elementary.log_sigmoid(x)


@_documented()
def hard_sigmoid(x: TensorLike) -> Tensor:
    """Return ``relu6(x + 3) / 6``."""
    return nn.relu6(convert_to_tensor(x) + 3.0) / 6.0


@_documented()
def silu(x: TensorLike) -> Tensor:
    """Return ``x * sigmoid(x)``."""
    return nn.silu(x)


@_documented()
def hard_silu(x: TensorLike) -> Tensor:
    """Return ``x * hard_sigmoid(x)``."""
    x = convert_to_tensor(x)
    return x * hard_sigmoid(x)


@_documented()
def tanh(x: TensorLike) -> Tensor:
    """Return the hyperbolic tangent."""
    return elementary.tanh(x)


@_documented()
def hard_tanh(x: TensorLike) -> Tensor:
    """Return ``x`` clipped to ``[-1, 1]``."""
    return clip_by_value(x, -1.0, 1.0)


@_documented()
def tanh_shrink(x: TensorLike) -> Tensor:
    """Return ``x - tanh(x)``."""
    x = convert_to_tensor(x)
    return x - elementary.tanh(x)


@_documented(threshold="distance from 0")
def hard_shrink(x: TensorLike, threshold: float = 0.5) -> Tensor:
    """Return ``x`` where it is farther from 0 than ``threshold``, 0 elsewhere."""
    x = convert_to_tensor(x)
    return where(abs(x) > threshold, x, zeros_like(x))


@_documented(threshold="distance from 0")
def soft_shrink(x: TensorLike, threshold: float = 0.5) -> Tensor:
    """Return ``x`` moved towards 0 by ``threshold``, 0 where it would get beyond."""
    x = convert_to_tensor(x)
    return maximum(x - threshold, 0.0) + minimum(x + threshold, 0.0)


@_documented(
    threshold="what greater elements stay above",
    default_value="result elsewhere",
)
def threshold(x: TensorLike, threshold: float, default_value: float) -> Tensor:
    """Return ``x`` where it is above ``threshold``, ``default_value`` elsewhere."""
    x = convert_to_tensor(x)
    return where(x > threshold, x, default_value * ones_like(x))


@_documented()
def softplus(x: TensorLike) -> Tensor:
    """Return ``log(exp(x) + 1)``."""
    return elementary.softplus(x)


@_documented()
def softsign(x: TensorLike) -> Tensor:
    """Return ``x / (abs(x) + 1)``."""
    return nn.softsign(x)


@_documented(b="smoothness, above 0")
def squareplus(x: TensorLike, b: float = 4) -> Tensor:
    """Return ``(x + sqrt(x ** 2 + b)) / 2``."""
    x = convert_to_tensor(x)
    return (x + sqrt(square(x) + float(b))) / 2.0


@_documented()
def sparse_plus(x: TensorLike) -> Tensor:
    """Return 0 up to -1, ``x`` from 1 on, and ``(x + 1) ** 2 / 4`` between."""
    x = convert_to_tensor(x)
    return where(x <= -1.0, zeros_like(x), where(x < 1.0, square(x + 1.0) / 4.0, x))


@_documented()
def sparse_sigmoid(x: TensorLike) -> Tensor:
    """Return ``(x + 1) / 2`` clipped to ``[0, 1]``."""
    return clip_by_value(0.5 * (convert_to_tensor(x) + 1.0), 0.0, 1.0)


@_documented()
def mish(x: TensorLike) -> Tensor:
    """Return ``x * tanh(softplus(x))``."""
    x = convert_to_tensor(x)
    return x * elementary.tanh(elementary.softplus(x))


@_documented()
def exponential(x: TensorLike) -> Tensor:
    """Return ``exp(x)``."""
    return elementary.exp(x)


@_documented()
def linear(x: TensorLike) -> Tensor:
    """Return ``x``."""
    return x


@_documented(axis="axis or axes of the sums")
def softmax(x: TensorLike, axis: int | Sequence[int] = -1) -> Tensor:
    """Return probabilities proportional to ``exp(x)``, which sum to 1 along ``axis``."""
    if isinstance(axis, int):
        return nn.softmax(x, axis=axis)
    return elementary.exp(log_softmax(x, axis))


@_documented(axis="axis or axes of the sums")
def log_softmax(x: TensorLike, axis: int | Sequence[int] = -1) -> Tensor:
    """Return ``log(softmax(x, axis))``."""
    if isinstance(axis, int):
        return nn.log_softmax(x, axis=axis)
    x = convert_to_tensor(x)
    return x - reduce_logsumexp(x, axis=list(axis), keepdims=True)


def glu(x: TensorLike, axis: int = -1) -> Tensor:
    """Return the first half along ``axis``, times the sigmoid of the other one.

    Args:
        x: tensor of a floating dtype.
        axis: axis of an even size.
    Returns:
        Tensor of half the size along ``axis``.
    """
    first, second = split(convert_to_tensor(x), 2, axis=axis)
    return first * elementary.sigmoid(second)


@_documented(axis="axis of the sums")
def sparsemax(x: TensorLike, axis: int = -1) -> Tensor:
    """Return the probabilities nearest to ``x`` in Euclidean distance; many are 0."""
    # Martins and Astudillo: From Softmax to Sparsemax (2016).
    x = convert_to_tensor(x)
    if axis not in (-1, x.shape.rank - 1):
        order = list(_swapped(x.shape.rank, axis))
        return transpose(sparsemax(transpose(x, order)), order)
    descending = sort(x, axis=-1, direction="DESCENDING")
    sums = cumsum(descending, axis=-1)
    count = cast(range(1, shape(x)[-1] + 1), x.dtype)
    supported = cast(1.0 + count * descending > sums, x.dtype)
    size = reduce_sum(supported, axis=-1, keepdims=True)
    offset = (reduce_sum(supported * descending, axis=-1, keepdims=True) - 1.0) / size
    return maximum(x - offset, 0.0)


def _swapped(rank: int, axis: int) -> list[int]:
    """Return the order of axes with ``axis`` and the last one exchanged."""
    order = [*builtins.range(rank)]
    order[axis], order[-1] = order[-1], order[axis]
    return order


swish, hard_swish = silu, hard_silu

_NAMES: dict[str, Callable[..., Any]] = {
    name: globals()[name] for name in __all__ if name not in ("get", "serialize", "deserialize")
}


_of_dict, _get, _as_dict = identified("activation function", _NAMES)
deserialize = _of_dict


def serialize(activation: Callable[..., Any]) -> Any:
    """Describe an activation by its name, or by a dict if it is the user's.

    Args:
        activation: function, or layer.
    Returns:
        Name or dict, which ``deserialize`` reads.
    Raises:
        ValueError: the function is a lambda.
    """
    if activation in _NAMES.values():
        return get_registered_name(activation)
    return _as_dict(activation)


def get(identifier: Any) -> Callable[..., Any]:
    """Find the activation that an identifier means.

    Args:
        identifier: name, dict of ``serialize``, class, or what is called as it is; or None.
    Returns:
        Function of a tensor; ``linear`` for None.
    Raises:
        ValueError: there is no such activation.
    """
    return linear if identifier is None else _get(identifier)


if not TYPE_CHECKING:  # type checkers find what is misspelt
    __getattr__ = _explained(__name__)


def __dir__() -> list[str]:
    return __all__
