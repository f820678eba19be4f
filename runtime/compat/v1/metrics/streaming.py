"""What streaming metrics have in common: local variables, weights, and collections of a graph."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from runtime.compat.v1.variable_scope import variable_scope
from runtime.compat.v1.weighted_losses import check_weights
from runtime.graph.collections import GraphKeys
from runtime.graph.trace import current_graph
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.creation import zeros
from runtime.ops.array.shape import broadcast_to, expand_dims, shape, squeeze
from runtime.ops.math.elementwise import divide_no_nan, maximum
from runtime.ops.math.logical import logical_and
from runtime.state.variable import Variable
from runtime.types.dtypes import DType, float32
from runtime.types.shapes import TensorShape

Collections = Iterable[str] | None
"""Names of the graph's collections that a value or an update is added to."""


@contextlib.contextmanager
def metric_scope(name: str | None, default: str) -> Iterator[None]:
    """Name what a metric records; RuntimeError where no graph of a session is recorded."""
    graph = current_graph()
    if graph is None or graph.building_function:
        raise RuntimeError(
            f"tf.metrics.{default} is not supported when eager execution is enabled, nor in "
            "functions: its state is initialized and updated by a session. Use keras.metrics"
        )
    with variable_scope(name, default):
        yield


def metric_variable(sizes: Sequence[int] | TensorShape, name: str, dtype: DType = float32) -> Any:
    """Make a local variable of zeros, which is no global one and not trained."""
    return Variable(
        zeros(sizes, dtype), trainable=False, name=name,
        collections=[GraphKeys.LOCAL_VARIABLES, GraphKeys.METRIC_VARIABLES],
    )  # fmt: skip


def collected(
    value: Any, update_op: Any, metrics_collections: Collections, updates_collections: Collections
) -> tuple[Any, Any]:
    """Add a value and its update to collections of the graph, and return both."""
    graph: Any = current_graph()
    for names, tensor in (metrics_collections, value), (updates_collections, update_op):
        for name in [names] if isinstance(names, str) else names or ():
            graph.add_to_collection(name, tensor)
    return value, update_op


def without_last_one(first: Any, second: Any) -> tuple[Any, Any]:
    """Return tensors; that which alone has a last dimension, of size 1, comes without it."""
    first, second = convert_to_tensor(first), convert_to_tensor(second)
    ranks = first.shape.rank, second.shape.rank
    if None not in ranks:
        if ranks[0] - ranks[1] == 1 and first.shape[-1] in (1, None):
            first = squeeze(first, [-1])
        elif ranks[1] - ranks[0] == 1 and second.shape[-1] in (1, None):
            second = squeeze(second, [-1])
    return first, second


def pair(labels: Any, predictions: Any) -> tuple[Any, Any]:
    """Return labels and predictions as tensors of one shape; ValueError where they differ."""
    labels, predictions = without_last_one(labels, predictions)
    predictions.shape.assert_is_compatible_with(labels.shape)
    return labels, predictions


def weights_like(weights: Any, values: Any) -> Any:
    """Return weights as float32 of the shape of values; ValueError where they do not broadcast."""
    weights = cast(weights, float32)
    ranks = weights.shape.rank, values.shape.rank
    if None not in ranks and ranks[0] > 0:
        if ranks[0] - ranks[1] == 1:
            weights = squeeze(weights, [-1])
        elif ranks[1] - ranks[0] == 1:
            weights = expand_dims(weights, -1)
    check_weights(weights.shape, values.shape)
    return broadcast_to(weights, shape(values))


def is_of_kind(kind: str, is_true: Any, is_positive: Any) -> Any:
    """Whether elements that are true, and predicted to be, are such as ``true_positives``."""
    is_hit, positive = kind.startswith("true"), kind.endswith("positives")
    return logical_and(is_positive == positive, is_true == (positive is is_hit))


def quotient(total: Any, count: Any, name: str) -> Any:
    """Divide sums; 0 where nothing was counted."""
    return divide_no_nan(total, maximum(count, 0), name=name)
