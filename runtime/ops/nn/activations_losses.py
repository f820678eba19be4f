"""Op definitions of neural networks: activations, softmax and losses."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops import dispatch
from runtime.ops.array.constants import cast
from runtime.ops.array.creation import zeros_like
from runtime.ops.array.gather_scatter import check_bounds
from runtime.ops.array.shape import shape as shape_op
from runtime.ops.array.where import where
from runtime.ops.math import elementwise, reduction
from runtime.ops.math.elementary import erf, sigmoid, softplus, tanh
from runtime.ops.math.reduction import finite_top, logsumexp
from runtime.ops.op import COSTLY, ELEMENTWISE, OpDef, Trait, define
from runtime.ops.random.sampling import uniform
from runtime.ops.rules.inference import broadcast, normal_axis, same
from runtime.ops.rules.lazy_gradient import lazy_gradient
from runtime.ops.rules.lowering import ARRAYS, Composes, LoweringRule, Native
from runtime.ops.rules.never_raises import alike, ranked
from runtime.ops.rules.operands import with_numbers
from runtime.ops.rules.samples import OpSample, case, floats, numbers, spread
from runtime.ops.rules.static_arguments import static_axis, static_int
from runtime.types.aliases import AxisLike, ShapeLike, TensorLike
from runtime.types.dtypes import Array, float32
from runtime.types.errors import IncompatibleShapesError
from runtime.types.shapes import TensorShape, TensorSpec

__all__ = [
    "bias_add", "dropout", "elu", "gelu", "l2_loss", "l2_normalize", "leaky_relu", "log_softmax",
    "moments", "relu", "relu6", "selu", "sigmoid", "sigmoid_cross_entropy_with_logits", "silu",
    "softmax", "softmax_cross_entropy_with_logits", "softplus", "softsign",
    "sparse_softmax_cross_entropy_with_logits", "swish", "tanh", "zero_fraction",
]  # fmt: skip

SELU_SCALE, SELU_ALPHA = 1.0507009873554805, 1.6732632423543772


def _activation(
    name: str, kernel: Any, node_name: str, doc: str, dtype_kinds: str = "f",
    lower: LoweringRule = ARRAYS, *traits: Trait,
) -> OpDef:  # fmt: skip
    return define(
        name, inputs="features", kernel=kernel, infer=same, dtype_kinds=dtype_kinds,
        node_name=node_name,
        traits=(ELEMENTWISE, *traits), samples=numbers if "i" in dtype_kinds else floats, doc=doc,
        grad=lazy_gradient(f"nn.{name}"), lower=lower,
    )  # fmt: skip


def _selu(x: Array) -> Any:
    return np.where(x > 0, x * SELU_SCALE, SELU_SCALE * SELU_ALPHA * np.expm1(np.minimum(x, 0)))


relu = _activation("relu", lambda x: np.maximum(x, x.dtype.type(0)), "Relu",
    "Compute ``max(features, 0)`` for each element.", "iuf", Native("relu"), COSTLY)
relu6 = _activation(
    "relu6", lambda x: np.minimum(np.maximum(x, 0), 6), "Relu6",
    "Compute ``min(max(features, 0), 6)`` for each element.", "iuf", Native("relu6"), COSTLY,
)
elu = _activation(
    "elu", lambda x: np.where(x > 0, x, np.expm1(np.minimum(x, 0))), "Elu",
    "Compute ``features``, and ``exp(features) - 1`` below 0, for each element.\n\nClevert, "
    "Unterthiner, Hochreiter: Fast and Accurate Deep Network Learning by Exponential Linear Units"
    " (2016).", "f", Native("elu"), COSTLY,
)  # fmt: skip
selu = _activation("selu", _selu, "Selu",
    "Compute the scaled exponential linear unit of each element.\n\nKlambauer, Unterthiner, Mayr, "
    "Hochreiter: Self-Normalizing Neural Networks (2017).", "f", Native("selu"), COSTLY)
softsign = _activation(
    "softsign", lambda x: x / (np.abs(x) + 1), "Softsign",
    "Compute ``features / (abs(features) + 1)`` for each element.", "f", Native("softsign"),
    COSTLY,
)

leaky_relu_op = define(
    "leaky_relu",
    grad=lazy_gradient("nn.leaky_relu"),
    lower=Native("leaky_relu", mixed=True, operands=with_numbers(1, "alpha")),
    inputs="features",
    kernel=lambda x, *, alpha: np.where(x > 0, x, x * x.dtype.type(alpha)), infer=same,
    dtype_kinds="f",
    node_name="LeakyRelu", traits=(ELEMENTWISE, COSTLY),
    samples=lambda: [OpSample(c.inputs, {"alpha": 0.2}) for c in floats()],
    doc="Compute ``features``, and ``alpha * features`` below 0, for each element.",
)  # fmt: skip


def leaky_relu(features: TensorLike, alpha: float = 0.2, name: str | None = None) -> Any:
    """Compute ``features``, and ``alpha * features`` below 0, for each element.

    Maas, Hannun, Ng: Rectifier Nonlinearities Improve Neural Network Acoustic Models (2013).

    Args:
        features: tensor of an integer or floating dtype; integers become float32.
        alpha: slope below 0, a Python number.
    Returns:
        Tensor of the shape of ``features`` and of its dtype, or float32.
    Raises:
        InvalidArgumentError: the dtype is another one (also a TypeError).
    """
    x = dispatch.convert(features)
    x = cast(x, float32) if x.dtype.is_integer else x
    return leaky_relu_op(x, alpha=float(alpha), name=name)


def _gelu(x: Array, *, approximate: bool) -> Any:
    if approximate:
        inner = 0.7978845608028654 * (x + 0.044715 * x * x * x)  # sqrt(2 / pi)
        return 0.5 * x * (1 + np.tanh(inner))
    return 0.5 * x * (1 + erf.kernel(x * x.dtype.type(0.7071067811865476)))


gelu_op = define(
    "gelu",
    grad=lazy_gradient("nn.gelu"),
    inputs="features", kernel=_gelu, infer=same, dtype_kinds="f", node_name="Gelu",
    lower=Native(choose=lambda attrs: "gelu.tanh" if attrs["approximate"] else "gelu"),
    traits=(ELEMENTWISE, COSTLY),
    samples=lambda: [
        OpSample(c.inputs, {"approximate": a}) for c in floats() for a in (True, False)
    ],
    doc="Compute ``features * Phi(features)``, with the standard normal distribution's Phi.",
)  # fmt: skip


def gelu(features: TensorLike, approximate: bool = False, name: str | None = None) -> Any:
    """Compute ``features * Phi(features)``, with the standard normal distribution's Phi.

    Hendrycks and Gimpel: Gaussian Error Linear Units (2016).

    Args:
        features: tensor of a floating dtype.
        approximate: whether to approximate Phi by tanh.
    Returns:
        Tensor of the shape and dtype of ``features``.
    Raises:
        InvalidArgumentError: the dtype is another one (also a TypeError).
    """
    return gelu_op(features, approximate=bool(approximate), name=name)


def silu(features: TensorLike, beta: float = 1.0) -> Any:
    """Compute ``features * sigmoid(beta * features)`` for each element.

    Ramachandran, Zoph, Le: Searching for Activation Functions (2017).

    Args:
        features: tensor of a floating or complex dtype.
        beta: number, or a tensor that broadcasts.
    Returns:
        Tensor of the shape and dtype of ``features``.
    Raises:
        InvalidArgumentError: the dtype is another one (also a TypeError).
    """
    x = dispatch.convert(features)
    return x * sigmoid(x if type(beta) is float and beta == 1.0 else x * beta)


swish = silu


def _softmax(x: Array, *, axis: int) -> Any:
    at = normal_axis(axis, np.ndim(x))
    weights = np.exp(x - finite_top(x, at))
    return weights / np.add.reduce(weights, at, keepdims=True, dtype=x.dtype)


def _log_softmax(x: Array, *, axis: int) -> Any:
    at = normal_axis(axis, np.ndim(x))
    return x - logsumexp(x, axis=at, keepdims=True)


def _axis_infer(x: TensorSpec, *, axis: int) -> TensorSpec:
    if x.shape.dims is not None:
        normal_axis(axis, len(x.shape.dims))
    return same(x)


def _logits() -> list[OpSample]:
    inputs = [spread(-3, 3, 2, 4), spread(90, 120, 3, 2), spread(0, 1, 0, 2)]
    return [OpSample((x,), {"axis": axis}) for x in inputs for axis in (-1, 0)]


softmax_op = define(
    "softmax",
    grad=lazy_gradient("nn.softmax"),
    inputs="logits", kernel=_softmax, infer=_axis_infer, dtype_kinds="f", node_name="Softmax",
    never_raises=ranked, samples=_logits, lower=Composes("nn.softmax"), traits=(COSTLY,),
    doc="Compute ``exp(x) / sum(exp(x))`` along an axis.",
)  # fmt: skip
log_softmax_op = define(
    "log_softmax",
    grad=lazy_gradient("nn.log_softmax"),
    inputs="logits", kernel=_log_softmax, infer=_axis_infer, dtype_kinds="f",
    node_name="LogSoftmax", never_raises=ranked, samples=_logits,
    lower=Composes("nn.log_softmax"), traits=(COSTLY,),
    doc="Compute ``x - log(sum(exp(x)))`` along an axis.",
)  # fmt: skip


def softmax(logits: TensorLike, axis: AxisLike | None = None, name: str | None = None) -> Any:
    """Compute ``exp(logits) / sum(exp(logits))`` along an axis, without overflow.

    Args:
        logits: tensor of a floating dtype.
        axis: axis of the classes; the last by default.
    Returns:
        Tensor of the shape and dtype of ``logits``.
    Raises:
        InvalidArgumentError: the dtype is another one (also a TypeError), or the axis is out of
            range (also a ValueError).
    """
    return softmax_op(logits, axis=-1 if axis is None else static_int(axis, "axis"), name=name)


def log_softmax(logits: TensorLike, axis: AxisLike | None = None, name: str | None = None) -> Any:
    """Compute the logarithm of ``softmax`` along an axis, without overflow.

    Args:
        logits: tensor of a floating dtype.
        axis: axis of the classes; the last by default.
    Returns:
        Tensor of the shape and dtype of ``logits``.
    Raises:
        InvalidArgumentError: the dtype is another one (also a TypeError), or the axis is out of
            range (also a ValueError).
    """
    return log_softmax_op(logits, axis=-1 if axis is None else static_int(axis, "axis"), name=name)


def _same_shape(labels: Any, logits: Any) -> None:
    if not TensorShape(labels).is_compatible_with(logits):
        raise IncompatibleShapesError(
            f"`logits` and `labels` must have the same shape, received ({TensorShape(logits)} vs "
            f"{TensorShape(labels)})."
        )


def _sigmoid_loss(labels: Array, logits: Array) -> Any:
    _same_shape(labels.shape, logits.shape)
    return np.maximum(logits, 0) - logits * labels + np.log1p(np.exp(-np.abs(logits)))


def _sigmoid_loss_infer(labels: TensorSpec, logits: TensorSpec) -> TensorSpec:
    _same_shape(labels.shape, logits.shape)
    return TensorSpec(labels.shape.merge_with(logits.shape), logits.dtype)


sigmoid_loss_op = define(
    "sigmoid_cross_entropy_with_logits",
    grad=lazy_gradient("nn.sigmoid_loss"),
    inputs="labels logits", kernel=_sigmoid_loss,
    infer=_sigmoid_loss_infer, dtype_kinds="f", node_name="logistic_loss", traits=(ELEMENTWISE,),
    never_raises=alike, lower=Native("sigmoid_loss"),
    samples=lambda: [case(spread(0, 1, 2, 3), spread(-4, 4, 2, 3)), case(1.0, -200.0)],
    doc="Compute the cross entropy of independent binary labels from their logits.",
)  # fmt: skip


def sigmoid_cross_entropy_with_logits(
    labels: TensorLike | None = None, logits: TensorLike | None = None, name: str | None = None
) -> Any:
    """Compute the cross entropy of independent binary labels, element-wise.

    Args:
        labels: tensor of a floating dtype, probabilities from 0 to 1.
        logits: tensor of the same shape and dtype.
    Returns:
        Tensor of that shape and dtype.
    Raises:
        InvalidArgumentError: the dtypes differ (also a TypeError), or the shapes do (also a
            ValueError).
    """
    return sigmoid_loss_op(labels, logits, name=name)


def _softmax_loss(labels: Array, logits: Array, *, axis: int) -> Any:
    shape = np.broadcast_shapes(labels.shape, logits.shape)
    at = normal_axis(axis, len(shape))
    terms = np.broadcast_to(labels * _log_softmax(np.broadcast_to(logits, shape), axis=at), shape)
    return -np.sum(terms, at, dtype=logits.dtype)


def _softmax_loss_infer(labels: TensorSpec, logits: TensorSpec, *, axis: int) -> TensorSpec:
    dims = broadcast(labels, logits).shape.dims
    if dims is None:
        return TensorSpec(None, logits.dtype)
    at = normal_axis(axis, len(dims))
    return TensorSpec(dims[:at] + dims[at + 1 :], logits.dtype)


softmax_loss_op = define(
    "softmax_cross_entropy_with_logits",
    grad=lazy_gradient("nn.softmax_loss"),
    inputs="labels logits", kernel=_softmax_loss,
    infer=_softmax_loss_infer, dtype_kinds="f", node_name="softmax_cross_entropy_with_logits",
    never_raises=alike, lower=Composes("nn.softmax_loss"),
    samples=lambda: [
        case(spread(0, 1, 2, 3), spread(-4, 4, 2, 3), axis=-1),
        case(spread(0, 1, 2, 3), spread(-4, 4, 2, 3), axis=0),
    ],
    doc="Compute the cross entropy of distributions ``labels`` over classes from logits.",
)  # fmt: skip


def softmax_cross_entropy_with_logits(
    labels: TensorLike, logits: TensorLike, axis: int = -1, name: str | None = None
) -> Any:
    """Compute the cross entropy of distributions over classes.

    Args:
        labels: tensor of distributions, cast to the dtype of ``logits``.
        logits: tensor of a floating dtype; the shapes broadcast.
        axis: axis of the classes.
    Returns:
        Tensor of the dtype of ``logits``, without the axis.
    Raises:
        InvalidArgumentError: the dtype is another one (also a TypeError), or the shapes do not fit
            (also a ValueError).
    """
    logits = dispatch.convert(logits)
    labels = cast(labels, logits.dtype)
    return softmax_loss_op(labels, logits, axis=static_int(axis, "axis"), name=name)


def _sparse_loss(labels: Array, logits: Array) -> Any:
    if logits.ndim != labels.ndim + 1 or logits.shape[:-1] != labels.shape:
        raise IncompatibleShapesError(
            f"`labels.shape` must equal `logits.shape` except for the last dimension. Received: "
            f"labels.shape={list(labels.shape)} and logits.shape={list(logits.shape)}"
        )
    check_bounds(labels, logits.shape[-1], f"there are {logits.shape[-1]} classes")
    rows = _log_softmax(logits, axis=-1)
    return -np.take_along_axis(rows, labels[..., None].astype(np.int64), -1)[..., 0]


def _sparse_loss_infer(labels: TensorSpec, logits: TensorSpec) -> TensorSpec:
    dims = logits.shape.dims
    if dims is not None and not labels.shape.is_compatible_with(dims[:-1]) or dims == ():
        raise IncompatibleShapesError(
            f"`labels.shape` must equal `logits.shape` except for the last dimension. Received: "
            f"labels.shape={labels.shape} and logits.shape={logits.shape}"
        )
    return TensorSpec(labels.shape.merge_with(logits.shape[:-1]), logits.dtype)


sparse_loss_op = define(
    "sparse_softmax_cross_entropy_with_logits",
    grad=lazy_gradient("nn.sparse_softmax_loss"),
    inputs="labels logits", same_dtype_inputs=slice(1, 2),
    kernel=_sparse_loss, infer=_sparse_loss_infer, dtype_kinds="f",
    node_name="sparse_softmax_cross_entropy_with_logits",
    lower=Composes("nn.sparse_softmax_loss"),
    samples=lambda: [case([0, 2], spread(-4, 4, 2, 3)), case(1, spread(-4, 4, 3))],
    doc="Compute the cross entropy of class numbers from logits.",
)  # fmt: skip


def sparse_softmax_cross_entropy_with_logits(
    labels: TensorLike, logits: TensorLike, name: str | None = None
) -> Any:
    """Compute the cross entropy of class numbers.

    Args:
        labels: tensor of an integer dtype, from 0 to before the number of classes.
        logits: tensor of a floating dtype, of shape ``(*labels.shape, classes)``.
    Returns:
        Tensor of the shape of ``labels`` and of the dtype of ``logits``.
    Raises:
        InvalidArgumentError: a label is out of range, the shapes do not fit (also a ValueError), or
            the dtype is another one (also a TypeError).
    """
    return sparse_loss_op(labels, logits, name=name)


def l2_normalize(
    x: TensorLike, axis: AxisLike | None = None, epsilon: float = 1e-12, name: str | None = None
) -> Any:
    """Divide a tensor by its Euclidean norm along axes.

    Args:
        x: tensor of a floating or complex dtype.
        axis: axis or axes of the norm; by default all.
        epsilon: least squared norm, a Python number.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        TypeError: the dtype is another one.
        InvalidArgumentError: an axis is out of range (also a ValueError).
    """
    x = dispatch.convert(x)
    squares = elementwise.square(elementwise.abs(x) if x.dtype.is_complex else x)
    total = reduction.reduce_sum(squares, axis, keepdims=True)
    scale = elementwise.rsqrt(elementwise.maximum(total, epsilon))
    return elementwise.multiply(x, cast(scale, x.dtype), name=name)


def l2_loss(t: TensorLike, name: str | None = None) -> Any:
    """Compute half the sum of the squares of a tensor.

    Args:
        t: tensor of a floating dtype.
    Returns:
        Scalar of the dtype of ``t``.
    Raises:
        TypeError: the dtype is another one.
    """
    return elementwise.multiply(reduction.reduce_sum(elementwise.square(t)), 0.5, name=name)


def moments(x: TensorLike, axes: AxisLike, shift: TensorLike | None = None, keepdims: bool = False,
            name: str | None = None) -> tuple[Any, Any]:  # fmt: skip
    """Compute the mean and the variance along axes.

    Args:
        x: tensor of a floating dtype.
        axes: axis or axes.
        shift: ignored.
        keepdims: whether to keep the axes with size 1.
    Returns:
        (mean, variance): tensors of the dtype of ``x``, without the axes.
    Raises:
        InvalidArgumentError: the dtype is another one (also a TypeError), or an axis is out of
            range (also a ValueError).
    """
    over = static_axis(axes, "axes")
    mean = reduction.reduce_mean(x, over, keepdims)
    return mean, reduction.reduce_variance(x, over, keepdims)


def bias_add(
    value: TensorLike, bias: TensorLike, data_format: str | None = None, name: str | None = None
) -> Any:
    """Add a bias to the channels.

    Args:
        value: tensor of a numeric dtype.
        bias: vector of the same dtype, of the size of the channels' axis.
        data_format: format in which the channels are the second axis, if it begins with 'NC';
            otherwise they are the last.
    Returns:
        Tensor of the shape and dtype of ``value``.
    Raises:
        InvalidArgumentError: the dtypes differ (also a TypeError), or the shapes do not broadcast
            (also a ValueError).
    """
    if data_format is None or not data_format.startswith("NC"):
        return elementwise.add(value, bias, name=name)
    value, bias = dispatch.convert(value), dispatch.convert(bias)
    key = (slice(None), *[None] * (len(value.shape) - 2))
    return elementwise.add(value, bias[key], name=name)


def dropout(x: TensorLike, rate: TensorLike, noise_shape: ShapeLike | None = None,
            seed: int | None = None, name: str | None = None) -> Any:  # fmt: skip
    """Set elements to 0 at random and scale the others by ``1 / (1 - rate)``.

    Srivastava, Hinton, Krizhevsky, Sutskever, Salakhutdinov: Dropout (2014).

    Args:
        x: tensor of a floating dtype.
        rate: probability of 0, from 0 to before 1.
        noise_shape: shape of the random numbers, which broadcasts: along axes of size 1 elements
            share one. By default that of ``x``.
        seed: Python int, or None.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        ValueError: ``rate`` is a Python number out of range, or ``x`` holds integers.
        TypeError: ``seed`` is no int.
    """
    x = dispatch.convert(x)
    if isinstance(rate, int | float) and not 0 <= rate < 1:
        raise ValueError(f"rate must be a scalar tensor or a float in the range [0, 1), got {rate}")
    shape = shape_op(x) if noise_shape is None else noise_shape
    keeps = uniform(shape, dtype=x.dtype, seed=seed) >= rate
    scaled = x / (1.0 - rate)
    return where(keeps, scaled, zeros_like(scaled), name=name)


def zero_fraction(value: TensorLike, name: str | None = None) -> Any:
    """Compute the fraction of elements that are 0.

    Args:
        value: tensor of a numeric dtype.
    Returns:
        Scalar of dtype float32; NaN if there are no elements.
    """
    value = dispatch.convert(value)
    zero = cast(value == zeros_like(value), float32)
    return reduction.reduce_mean(zero, name=name)
