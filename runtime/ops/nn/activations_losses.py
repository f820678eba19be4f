"""Rows of neural networks: activations, softmax and the losses on top of it."""

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
from runtime.ops.math.reduction import logsumexp
from runtime.ops.op import ELEMENTWISE, OpDef, define
from runtime.ops.random.sampling import uniform
from runtime.ops.rules.inference import broadcast, normal_axis, same
from runtime.ops.rules.lazy_gradient import lazy_gradient
from runtime.ops.rules.never_raises import alike, ranked
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


def _activation(name: str, kernel: Any, node_name: str, doc: str, dtype_kinds: str = "f") -> OpDef:
    return define(
        name, inputs="features", kernel=kernel, infer=same, dtype_kinds=dtype_kinds,
        node_name=node_name,
        traits=(ELEMENTWISE,), samples=numbers if "i" in dtype_kinds else floats, doc=doc,
        grad=lazy_gradient(f"nn.{name}"),
    )  # fmt: skip


def _selu(x: Array) -> Any:
    return np.where(x > 0, x * SELU_SCALE, SELU_SCALE * SELU_ALPHA * np.expm1(np.minimum(x, 0)))


relu = _activation("relu", lambda x: np.maximum(x, 0), "Relu", "``max(x, 0)``.", "iuf")
relu6 = _activation(
    "relu6", lambda x: np.minimum(np.maximum(x, 0), 6), "Relu6", "``min(max(x, 0), 6)``.", "iuf"
)
elu = _activation(
    "elu", lambda x: np.where(x > 0, x, np.expm1(np.minimum(x, 0))), "Elu",
    "``x``, and ``exp(x) - 1`` below 0.",
)  # fmt: skip
selu = _activation("selu", _selu, "Selu", "The scaled exponential linear unit.")
softsign = _activation(
    "softsign", lambda x: x / (np.abs(x) + 1), "Softsign", "``x / (abs(x) + 1)``."
)

leaky_relu_op = define(
    "leaky_relu",
    grad=lazy_gradient("nn.leaky_relu"),
    inputs="features",
    kernel=lambda x, *, alpha: np.where(x > 0, x, x * x.dtype.type(alpha)), infer=same,
    dtype_kinds="f",
    node_name="LeakyRelu", traits=(ELEMENTWISE,),
    samples=lambda: [OpSample(c.inputs, {"alpha": 0.2}) for c in floats()],
    doc="``x``, and ``alpha * x`` below 0.",
)  # fmt: skip


def leaky_relu(features: TensorLike, alpha: float = 0.2, name: str | None = None) -> Any:
    """``features``, and ``alpha * features`` where they are below 0."""
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
    traits=(ELEMENTWISE,),
    samples=lambda: [
        OpSample(c.inputs, {"approximate": a}) for c in floats() for a in (True, False)
    ],
    doc="``x`` times the probability that a normal number is below ``x``.",
)  # fmt: skip


def gelu(features: TensorLike, approximate: bool = False, name: str | None = None) -> Any:
    """``features`` times the probability that a normally distributed number is below them."""
    return gelu_op(features, approximate=bool(approximate), name=name)


def silu(features: TensorLike, beta: float = 1.0) -> Any:
    """``features * sigmoid(beta * features)``."""
    x = dispatch.convert(features)
    return x * sigmoid(x if type(beta) is float and beta == 1.0 else x * beta)


swish = silu


def _softmax(x: Array, *, axis: int) -> Any:
    at = normal_axis(axis, np.ndim(x))
    top = np.max(x, at, keepdims=True, initial=x.dtype.type(-np.inf))
    weights = np.exp(x - np.where(np.isfinite(top), top, x.dtype.type(0)))
    return weights / np.sum(weights, at, keepdims=True, dtype=x.dtype)


def _log_softmax(x: Array, *, axis: int) -> Any:
    at = normal_axis(axis, np.ndim(x))
    return x - logsumexp(x, axis=at, keepdims=True)


def _axis_infer(x: TensorSpec, *, axis: int) -> TensorSpec:
    if x.shape.dims is not None:
        normal_axis(axis, len(x.shape.dims))
    return same(x)


def _rows() -> list[OpSample]:
    inputs = [spread(-3, 3, 2, 4), spread(90, 120, 3, 2), spread(0, 1, 0, 2)]
    return [OpSample((x,), {"axis": axis}) for x in inputs for axis in (-1, 0)]


softmax_op = define(
    "softmax",
    grad=lazy_gradient("nn.softmax"),
    inputs="logits", kernel=_softmax, infer=_axis_infer, dtype_kinds="f", node_name="Softmax",
    never_raises=ranked, samples=_rows, doc="``exp(x) / sum(exp(x))`` along an axis.",
)  # fmt: skip
log_softmax_op = define(
    "log_softmax",
    grad=lazy_gradient("nn.log_softmax"),
    inputs="logits", kernel=_log_softmax, infer=_axis_infer, dtype_kinds="f",
    node_name="LogSoftmax", never_raises=ranked, samples=_rows,
    doc="``x - log(sum(exp(x)))`` along an axis.",
)  # fmt: skip


def softmax(logits: TensorLike, axis: AxisLike | None = None, name: str | None = None) -> Any:
    """``exp(logits) / sum(exp(logits))`` along ``axis`` (the last by default)."""
    return softmax_op(logits, axis=-1 if axis is None else static_int(axis, "axis"), name=name)


def log_softmax(logits: TensorLike, axis: AxisLike | None = None, name: str | None = None) -> Any:
    """The logarithm of ``softmax``, computed without overflow."""
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
    return broadcast(labels, logits)


sigmoid_loss_op = define(
    "sigmoid_cross_entropy_with_logits",
    grad=lazy_gradient("nn.sigmoid_loss"),
    inputs="labels logits", kernel=_sigmoid_loss,
    infer=_sigmoid_loss_infer, dtype_kinds="f", node_name="logistic_loss", traits=(ELEMENTWISE,),
    never_raises=alike,
    samples=lambda: [case(spread(0, 1, 2, 3), spread(-4, 4, 2, 3)), case(1.0, -200.0)],
    doc="The cross entropy of independent yes/no answers, from their logits.",
)  # fmt: skip


def sigmoid_cross_entropy_with_logits(
    labels: TensorLike | None = None, logits: TensorLike | None = None, name: str | None = None
) -> Any:
    """The cross entropy of independent yes/no answers ``labels``, from their ``logits``."""
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
    samples=lambda: [
        case(spread(0, 1, 2, 3), spread(-4, 4, 2, 3), axis=-1),
        case(spread(0, 1, 2, 3), spread(-4, 4, 2, 3), axis=0),
    ],
    doc="The cross entropy of distributions ``labels`` over classes, from logits.",
)  # fmt: skip


def softmax_cross_entropy_with_logits(
    labels: TensorLike, logits: TensorLike, axis: int = -1, name: str | None = None
) -> Any:
    """The cross entropy of distributions ``labels`` over classes (``axis``), from ``logits``.

    ``labels`` take the dtype of ``logits``.
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
    samples=lambda: [case([0, 2], spread(-4, 4, 2, 3)), case(1, spread(-4, 4, 3))],
    doc="The cross entropy of classes given by number, from logits.",
)  # fmt: skip


def sparse_softmax_cross_entropy_with_logits(
    labels: TensorLike, logits: TensorLike, name: str | None = None
) -> Any:
    """The cross entropy of the classes ``labels`` (whole numbers), from ``logits``."""
    return sparse_loss_op(labels, logits, name=name)


def l2_normalize(
    x: TensorLike, axis: AxisLike | None = None, epsilon: float = 1e-12, name: str | None = None
) -> Any:
    """``x`` divided by its Euclidean norm along ``axis``, which counts as at least epsilon's."""
    x = dispatch.convert(x)
    squares = elementwise.square(elementwise.abs(x) if x.dtype.is_complex else x)
    total = reduction.reduce_sum(squares, axis, keepdims=True)
    scale = elementwise.rsqrt(elementwise.maximum(total, epsilon))
    return elementwise.multiply(x, cast(scale, x.dtype), name=name)


def l2_loss(t: TensorLike, name: str | None = None) -> Any:
    """Half the sum of the squares."""
    return elementwise.multiply(reduction.reduce_sum(elementwise.square(t)), 0.5, name=name)


def moments(x: TensorLike, axes: AxisLike, shift: TensorLike | None = None, keepdims: bool = False,
            name: str | None = None) -> tuple[Any, Any]:  # fmt: skip
    """``(mean, variance)`` along ``axes``."""
    over = static_axis(axes, "axes")
    mean = reduction.reduce_mean(x, over, keepdims)
    return mean, reduction.reduce_variance(x, over, keepdims)


def bias_add(
    value: TensorLike, bias: TensorLike, data_format: str | None = None, name: str | None = None
) -> Any:
    """``value + bias``, where the vector ``bias`` belongs to the last axis (NCHW: the second)."""
    if data_format is None or not data_format.startswith("NC"):
        return elementwise.add(value, bias, name=name)
    value, bias = dispatch.convert(value), dispatch.convert(bias)
    key = (slice(None), *[None] * (len(value.shape) - 2))
    return elementwise.add(value, bias[key], name=name)


def dropout(x: TensorLike, rate: TensorLike, noise_shape: ShapeLike | None = None,
            seed: int | None = None, name: str | None = None) -> Any:  # fmt: skip
    """``x`` with a share ``rate`` of its elements set to 0 at random, the others scaled up.

    ``noise_shape`` broadcasts: along axes of size 1 elements are kept or dropped together.
    ValueError unless ``rate`` is from 0 to before 1.
    """
    x = dispatch.convert(x)
    if isinstance(rate, int | float) and not 0 <= rate < 1:
        raise ValueError(f"rate must be a scalar tensor or a float in the range [0, 1), got {rate}")
    shape = shape_op(x) if noise_shape is None else noise_shape
    kept = uniform(shape, dtype=x.dtype, seed=seed) >= rate
    scaled = x / (1.0 - rate)
    return where(kept, scaled, zeros_like(scaled), name=name)


def zero_fraction(value: TensorLike, name: str | None = None) -> Any:
    """The share of elements that are 0, as float32."""
    value = dispatch.convert(value)
    zero = cast(value == zeros_like(value), float32)
    return reduction.reduce_mean(zero, name=name)
