"""Backpropagation: accumulation of gradients from outputs to inputs, in reverse program order.

It visits operations of a graph, or a tape's records of eager execution, which have the same fields.
Gradients are stored by key: the id of a tensor, or the storage of a variable, whose gradient is the
sum over all its reads.  Op definitions hold their derivative in the field ``grad``; operations that
hold graphs have a rule in RULES, from one of the ``vjp_*.py`` files.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from typing import Any, Protocol

import numpy as np

from autograph.named_tuples import NamedTuple
from runtime.autodiff.captured_sources import hidden_sources
from runtime.eager.tensor import Tensor, wrap
from runtime.graph.extensions import newest
from runtime.graph.operation import Operation
from runtime.ops import dispatch
from runtime.ops.array.constants import cast
from runtime.ops.array.creation import zeros_like
from runtime.ops.array.shape import reshape
from runtime.ops.gradients.dynamic_shapes import summed_to
from runtime.ops.math.elementwise import add
from runtime.ops.math.reduction import sum_op
from runtime.ops.op import ELEMENTWISE, HIGHER_ORDER, Missing, OpDef
from runtime.ops.resource.list_gradients import ListGradient, add_lists, differentiable, no_entries
from runtime.types.dtypes import variant
from runtime.types.errors import MissingGradientError
from runtime.types.shapes import TensorSpec
from runtime.types.source_location import Location

Key = Hashable
Gradient = Any
Gradients = dict[Key, Gradient]


class Node(Protocol):
    """Application of an op: an Operation of a graph, or a TapeRecord."""

    @property
    def op_def(self) -> OpDef:
        """The op."""

    @property
    def inputs(self) -> Sequence[Any]:
        """Its inputs."""

    @property
    def attrs(self) -> dict[str, Any]:
        """Its attributes."""

    @property
    def outputs(self) -> Sequence[Any]:
        """Its outputs."""

    @property
    def location(self) -> Location | None:
        """Where the user wrote it, as far as known."""


class TapeRecord(NamedTuple):
    """Record of one op that was executed eagerly while a tape was recording.

    differentiable_outputs  the outputs that can have a gradient
    location  the user's line, for an op without a derivative; None for others
    """

    op_def: OpDef
    inputs: Sequence[Any]
    attrs: dict[str, Any]
    outputs: Sequence[Any]
    differentiable_outputs: Sequence[Any] = ()
    location: Location | None = None


class VjpRequest(NamedTuple):
    """Request to a rule: a node, its outputs' gradients, and which gradients are wanted."""

    node: Any
    gradients: Sequence[Gradient | None]
    """Gradient of each output; None for an output that the targets do not depend on."""
    wants: Sequence[bool]
    """For each input, whether its gradient is requested."""
    hidden: tuple[Key, ...]
    """Keys of requested sources that the graphs of the node read besides its inputs."""


Rule = Callable[[VjpRequest], tuple[Sequence[Gradient | None], Gradients]]
"""Request -> the gradients of the inputs, and those of the hidden sources by key."""

RULES: dict[OpDef, Rule] = {}


def rule(op_def: OpDef) -> Callable[[Rule], Rule]:
    """Register the rule of an op that holds graphs."""

    def enter(function: Rule) -> Rule:
        RULES[op_def] = function
        return function

    return enter


def backpropagate(
    nodes: Iterable[Any], seeds: Iterable[tuple[Key, Gradient]], sources: Collection[Key],
    stops: Collection[Key] = (),
) -> Gradients:
    """Compute the gradients of the keys ``sources`` from the gradients ``seeds`` of targets.

    ``nodes`` are in program order.  Gradients do not flow through tensors whose ids are in
    ``stops``.  The result has no entry for a key that the targets do not depend on.
    """
    reachable, path = _path(nodes, sources, stops)
    by_source: Gradients = {}
    pending: Gradients = {}
    for key, gradient in seeds:
        if key in reachable:
            accumulate(pending, key, gradient)
    for node in reversed(path):
        if isinstance(node, Operation) and node.graph.extensions:
            node = newest(node)  # the rule of a later operation may have extended it
        gradients = [pending.pop(id(t), None) for t in node.outputs]
        for index, tensor in enumerate(node.outputs):
            key = id(tensor)
            if gradients[index] is not None and (key in sources or key in stops):
                by_source[key] = gradients[index]
                if key in stops:
                    gradients[index] = None
        if all(g is None for g in gradients):
            continue
        for key, gradient in input_gradients(node, gradients, reachable):
            accumulate(pending, key, gradient)
    for key in sources:
        if key in pending:
            by_source[key] = pending[key]
    return {key: by_source[key] for key in sources if key in by_source}


def _path(
    nodes: Iterable[Any], sources: Collection[Key], stops: Collection[Key]
) -> tuple[set[Key], list[Any]]:
    """Keys that depend on ``sources``, and the nodes in between, in program order."""
    reachable: set[Key] = set(sources)
    path: list[Any] = []
    for node in nodes:
        op_def = node.op_def
        if op_def.grad is None:
            continue
        if "storage" in node.attrs or all(id(t) not in reachable for t in node.inputs):
            if not reads_reachable(node, reachable):
                continue
        if isinstance(node, Operation) and node.graph.extensions:
            node = newest(node)
        path.append(node)
        reachable.update([
            id(t) for t in node.outputs if id(t) not in stops and differentiable(t)
        ])  # fmt: skip
    return reachable, path


def reads_reachable(node: Any, reachable: Collection[Key]) -> bool:
    """Whether a node reads a reachable variable or captured tensor, besides its inputs."""
    storage = node.attrs.get("storage")
    if storage is not None:
        return storage in reachable
    return HIGHER_ORDER in node.op_def.traits and any(k in reachable for k in hidden_sources(node))


def accumulate(pending: Gradients, key: Key, gradient: Gradient) -> None:
    """Add a gradient to the sum that is pending for a key."""
    partial_sum = pending.get(key)
    pending[key] = gradient if partial_sum is None else add_gradients(partial_sum, gradient)


def input_gradients(
    node: Any, gradients: Sequence[Gradient | None], reachable: Collection[Key]
) -> Iterable[tuple[Key, Gradient]]:
    """Gradients of the sources of one node, with their keys."""
    if "storage" in node.attrs:
        return [(node.attrs["storage"], gradients[0])]
    inputs = node.inputs
    wants = [id(t) in reachable and differentiable(t) for t in inputs]
    rule = RULES.get(node.op_def)
    if rule is None:
        entries = zip(inputs, op_gradients(node, gradients, wants), wants, strict=True)
        return [(id(t), g) for t, g, want in entries if want and g is not None]
    hidden = tuple([k for k in hidden_sources(node) if k in reachable])
    from_rule, hidden_gradients = rule(VjpRequest(node, gradients, wants, hidden))
    pairs: list[tuple[Key, Gradient]] = [
        (id(t), g) for t, g in zip(inputs, from_rule, strict=True) if g is not None
    ]
    return pairs + list(hidden_gradients.items())


def op_gradients(
    node: Any, gradients: Sequence[Gradient | None], wants: Sequence[bool]
) -> list[Gradient | None]:
    """What a row's ``grad`` field gives, brought to the shapes of the inputs."""
    op_def, inputs, outputs = node.op_def, node.inputs, node.outputs
    grad = op_def.grad
    if isinstance(grad, Missing):
        raise no_gradient(node, grad.reason)
    if len(outputs) > 1:
        gradients = [
            zeros_for(t) if g is None and differentiable(t) else g
            for t, g in zip(outputs, gradients, strict=True)
        ]
    raw_gradients = grad(*inputs, *outputs, *gradients, **node.attrs)
    result = [g() if w and callable(g) else g for g, w in zip(raw_gradients, wants, strict=True)]
    if ELEMENTWISE in op_def.traits and len(inputs) > 1:
        for index, want in enumerate(wants):
            if want and result[index] is not None:
                result[index] = unbroadcast(result[index], inputs[index])
    return result


def no_gradient(node: Any, reason: str) -> MissingGradientError:
    """The error for an op without a derivative; it names the user's line."""
    where = f", used at {node.location}" if node.location else ""
    return MissingGradientError(
        f"No gradient defined for the op {node.op_def.name!r}{where}: {reason}. Write the function "
        "with runtime.custom_gradient, or cut it off with runtime.stop_gradient."
    )


def unbroadcast(gradient: Any, tensor: Any) -> Any:
    """Sum a gradient over the axes along which its input was broadcast."""
    if type(gradient) is Tensor and type(tensor) is Tensor:
        gradient_dims, input_dims = gradient._array.shape, tensor._array.shape
        if gradient_dims == input_dims:
            return gradient
    else:
        gradient_dims, input_dims = gradient.shape.dims, tensor.shape.dims
        if (
            gradient_dims is None
            or input_dims is None
            or None in input_dims
            or None in gradient_dims
        ):
            if input_dims == () and gradient_dims is not None:
                return sum_op(gradient, axis=None, keepdims=False)
            return summed_to(gradient, tensor)
    if gradient_dims == input_dims:
        return gradient
    extra = len(gradient_dims) - len(input_dims)
    unit_axes = [
        k for k, size in enumerate(input_dims, extra) if size == 1 and gradient_dims[k] != 1
    ]
    axes = (*range(extra), *unit_axes)
    if not extra:
        return sum_op(gradient, axis=axes, keepdims=True)
    total = sum_op(gradient, axis=axes, keepdims=False)
    return reshape(total, np.array(input_dims, np.int64)) if unit_axes else total


def add_gradients(x: Gradient, y: Gradient) -> Gradient:
    """Sum of two gradients of one tensor."""
    if type(x) is Tensor:
        listed = isinstance(x._array, ListGradient)
        return add_lists(x, y) if listed else x + y
    return add_lists(x, y) if x.dtype is variant else add(x, y)


def zeros_for(tensor: Any) -> Gradient:
    """Zero gradient of a tensor."""
    if type(tensor) is Tensor:
        array = isinstance(tensor._array, np.ndarray | np.generic)
        return zeros_like(tensor) if array else no_entries()
    if tensor.dtype is variant or tensor.shape.is_fully_defined():
        return zeros_of(tensor.spec)
    return zeros_like(tensor)


def zeros_of(spec: TensorSpec) -> Gradient:
    """Zero gradient for a spec with a fully defined shape, or for a list."""
    if spec.dtype is variant:
        return no_entries()
    zero = np.zeros((), spec.dtype.as_numpy_dtype)
    dims: Any = spec.shape.dims
    value = np.broadcast_to(zero, dims) if dims else zero
    current: Any = dispatch.current()
    return wrap(value) if current.eager else current.constant(value)


def as_gradient(gradient: Any, tensor: Any) -> Gradient:
    """Gradient that a user passed, cast to the dtype of its tensor."""
    return gradient if gradient.dtype is tensor.dtype else cast(gradient, tensor.dtype)
