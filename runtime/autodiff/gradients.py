"""``gradients`` and ``hessians``: derivatives of tensors in a graph, without a tape."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from runtime.autodiff.backprop import Gradients, Key, TapeRecord, as_gradient, backpropagate
from runtime.autodiff.jacobians import jacobians
from runtime.autodiff.seeds import UnconnectedGradients, fill_unconnected, total
from runtime.eager.tensor import Tensor
from runtime.graph.graph import Graph
from runtime.graph.operation import SymbolicTensor
from runtime.graph.order import topological_order
from runtime.graph.trace import current_graph
from runtime.ops import dispatch
from runtime.ops.array.concat_split import concat
from runtime.ops.array.constants import convert_to_tensor, identity
from runtime.ops.array.creation import ones_like, zeros
from runtime.ops.array.shape import shape
from runtime.state.indexed_slices import IndexedSlices
from runtime.state.variable import Variable
from runtime.types.dtypes import SMOOTH

__all__ = ["AggregationMethod", "gradients", "hessians"]


class AggregationMethod:
    """How TensorFlow sums the gradients of a tensor; here all values mean the same."""

    ADD_N = 0
    DEFAULT = ADD_N
    EXPERIMENTAL_TREE = 1
    EXPERIMENTAL_ACCUMULATE_N = 2


def gradients(
    ys: Any, xs: Any, grad_ys: Any = None, name: str = "gradients", gate_gradients: bool = False,
    aggregation_method: Any = None, stop_gradients: Any = None,
    unconnected_gradients: Any = UnconnectedGradients.NONE, *,
    colocate_gradients_with_ops: bool = False,
) -> list[Any]:
    """Compute the gradients of the sum of ``ys`` with respect to each of ``xs``, in a graph.

    Args:
        ys: tensor of floating or complex dtype, or list of them.
        xs: tensor or variable, or list of them.
        grad_ys: initial gradients of ``ys``, with their shapes; ones by default.
        gate_gradients: without effect.
        aggregation_method: an ``AggregationMethod``; without effect.
        stop_gradients: tensors that count as constants.
        unconnected_gradients: ``UnconnectedGradients.NONE`` or ``ZERO``: the gradient of an x that
            no y depends on.
        colocate_gradients_with_ops: without effect.

    Returns:
        A list with one entry for each x: a tensor of its shape and dtype, or None.

    Raises:
        RuntimeError: under eager execution; use ``GradientTape``.
        LookupError: an operation between xs and ys has no derivative.
        ValueError: ``grad_ys`` differ from ``ys`` in number or shape, or an option is invalid.
        TypeError: a y is complex and has no gradient in ``grad_ys``.
    """
    if aggregation_method not in (None, 0, 1, 2):
        raise ValueError(f"Invalid aggregation_method specified {aggregation_method!r}.")
    targets, sources = _as_list(ys), _as_list(xs)
    home = _home([*targets, *sources])
    with dispatch.as_current(home), home.name_scope(name):
        tensors = [y if isinstance(y, Tensor) else convert_to_tensor(y) for y in targets]
        targets = [home.as_tensor(tensor) for tensor in tensors]
        initial_gradients = _as_list(grad_ys) if grad_ys is not None else [None] * len(targets)
        if len(initial_gradients) != len(targets):
            raise ValueError(
                f"grad_ys must have as many entries as ys: {len(targets)}, "
                f"got {len(initial_gradients)}"
            )
        seeds = [
            (id(y), _seed(y, gradient))
            for y, gradient in zip(targets, initial_gradients, strict=True)
            if y.spec.dtype.kind in SMOOTH
        ]
        keys = [_keys(home, x) for x in sources]
        stops = {key for t in _as_list(stop_gradients or ()) for key in _keys(home, t)}
        source_keys = dict.fromkeys(key for group in keys for key in group)
        by_key: Gradients = backpropagate(_nodes(home, targets), seeds, source_keys, stops)
        result = [total([by_key[k] for k in group if k in by_key]) for group in keys]
        return fill_unconnected(result, sources, unconnected_gradients)


def hessians(
    ys: Any, xs: Any, gate_gradients: bool = False, aggregation_method: Any = None,
    name: str = "hessians", *, colocate_gradients_with_ops: bool = False,
) -> list[Any]:
    """Compute the Hessians of the sum of ``ys`` with respect to each of ``xs``, in a graph.

    Args:
        ys: tensor of floating dtype, or list of them.
        xs: tensor or variable, or list of them.
        gate_gradients: without effect.
        aggregation_method: an ``AggregationMethod``; without effect.
        colocate_gradients_with_ops: without effect.

    Returns:
        A list of tensors of shape ``[*x.shape, *x.shape]``.

    Raises:
        ValueError: no y depends on an x.
        Also raises what ``gradients`` raises.
    """
    sources = _as_list(xs)
    matrices = []
    with dispatch.as_current(_home([*_as_list(ys), *sources])):
        firsts = gradients(ys, sources, None, name, gate_gradients, aggregation_method)
        for x, first in zip(sources, firsts, strict=True):
            if first is None:
                raise ValueError(f"hessians: the result does not depend on {x!r}")
            tensor = x.read_value() if isinstance(x, Variable) else x
            rows = functools.partial(_again, first, x)
            (second,) = jacobians(first, [tensor], rows)
            missing = zeros(concat([shape(first), shape(tensor)], 0), first.dtype)
            matrices.append(missing if second is None else second)
    return matrices


def _again(first: Any, x: Any, seed: Any) -> list[Any]:
    return gradients(first, x, seed)


def _as_list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _home(values: Sequence[Any]) -> Graph:
    """Return the graph to record in; RuntimeError if there is none."""
    current = current_graph()
    if current is not None:
        return current
    for value in values:
        graph = getattr(value, "graph", None) if not _is_eager(value) else None
        if isinstance(graph, Graph):
            return graph
    raise RuntimeError(
        "tf.gradients is not supported when eager execution is enabled. "
        "Use tf.GradientTape instead."
    )


def _is_eager(value: Any) -> bool:
    return not isinstance(value, SymbolicTensor | Variable)


def _seed(y: SymbolicTensor, gradient: Any) -> Any:
    if gradient is None:
        if y.spec.dtype.kind == "c":
            raise TypeError(
                f"Gradients of complex tensors must set grad_ys (y.dtype = {y.dtype!r})"
            )
        return ones_like(y)
    if isinstance(gradient, IndexedSlices) and gradient.dense_shape is None:
        gradient = IndexedSlices(gradient.values, gradient.indices, shape(y))
    tensor = convert_to_tensor(gradient)
    if not (tensor.dtype.is_floating or tensor.dtype.is_complex):
        raise TypeError(
            f"Gradient type {tensor.dtype.name} given for the tensor {y!r} must be floating"
        )
    if not tensor.shape.is_compatible_with(y.shape):
        raise ValueError(f"grad_ys: {y!r} was given a gradient of shape {tensor.shape}")
    return as_gradient(tensor, y)


def _keys(home: Graph, x: Any) -> list[Key]:
    """Return the keys of an x: its own, and those of its constants in enclosing graphs."""
    if isinstance(x, Variable):
        return [x._storage]
    tensor = x if isinstance(x, Tensor) else convert_to_tensor(x)
    keys: list[Key] = [id(tensor)]
    graph: Any = None if isinstance(tensor, SymbolicTensor) else home
    while isinstance(graph, Graph):  # a constant of each graph; inner graphs know it as it is
        keys.append(id(graph.as_local(tensor)))
        graph = graph.outer
    return keys


def _nodes(home: Graph, targets: Sequence[SymbolicTensor]) -> list[Any]:
    """Return the operations that the targets need, through captures, outermost graph first."""
    levels: list[list[Any]] = []
    graph: Any = home
    roots = [t.op for t in targets]
    while roots:
        nodes: list[Any] = list(topological_order(graph, roots, frozenset()))
        needed = set(map(id, nodes))
        captures = [
            (outer, inner) for outer, inner in getattr(graph, "captures", ())
            if id(inner.op) in needed
        ]  # fmt: skip
        links = [TapeRecord(identity, (outer,), {}, (inner,)) for outer, inner in captures]
        levels.append([*links, *nodes])
        graph = getattr(graph, "outer", None)
        roots = [outer.op for outer, _ in captures]
    return [node for level in reversed(levels) for node in level]
