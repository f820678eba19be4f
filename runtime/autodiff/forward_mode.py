"""``ForwardAccumulator``: Jacobian-vector products (forward mode).

Backpropagation is linear in the gradients that it starts from.  The derivative of that map, taken
at the tangents by a second backpropagation, is the product of the Jacobian and the tangents.  So
whatever has gradients has these products, through control flow and to any order.  They are
computed on request, yet recorded by the tapes and accumulators around the block.
"""

from __future__ import annotations

from typing import Any

from runtime.autodiff.backprop import as_gradient
from runtime.autodiff.seeds import UnconnectedGradients, fill_unconnected
from runtime.autodiff.tape import GradientTape
from runtime.graph.operation import read
from runtime.ops import dispatch
from runtime.ops.array.constants import convert_to_tensor
from runtime.ops.array.creation import zeros_like
from runtime.state.variable import Variable
from runtime.types import nest
from runtime.types.value import Value


class ForwardAccumulator:
    """Forward accumulator: Jacobian-vector products of the results of its ``with`` block::

        with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as acc:
            y = f(x)
        acc.jvp(y)

    ``primals`` is a tensor, a variable or a nest of them, ``tangents`` the direction, a nest of the
    same structure and shapes.  Around a ``GradientTape`` it computes products with the Hessian;
    an accumulator or tape around it differentiates its products, also after its block.  ValueError
    for a primal that occurs twice, or a tangent of another shape.
    """

    def __init__(self, primals: Any, tangents: Any) -> None:
        self._primals = [
            v if isinstance(v, Value | Variable) else convert_to_tensor(v) for v in _flat(primals)
        ]
        directions = _flat(tangents)
        if len(directions) != len(self._primals):
            raise ValueError(
                "The two structures don't have the same nested structure: there are "
                f"{len(self._primals)} primals and {len(directions)} tangents."
            )
        if len(set(map(id, self._primals))) < len(self._primals):
            twice = next(p for p in self._primals if sum(p is q for q in self._primals) > 1)
            raise ValueError(
                f"Tensor {twice!r} was specified as a primal multiple times. This may indicate an "
                "error. If it was intended, please sum the corresponding tangents."
            )
        pairs = zip(self._primals, directions, strict=True)
        self._tangents = [_tangent(primal, tangent) for primal, tangent in pairs]
        self._tape = GradientTape(persistent=True, watch_accessed_variables=False)
        self._tape.levels = 1
        self._recording = False
        self._around: tuple[Any, ...] = ()
        """The tapes and accumulators that the block stands in."""

    def __enter__(self) -> ForwardAccumulator:
        if self._recording:
            raise ValueError("Accumulator already recording.")
        self._recording = True
        self._around = dispatch.listeners()
        self._tape.__enter__()
        self._tape.watch(self._primals)
        return self

    def __exit__(self, *exception: object) -> None:
        self._recording = False
        self._tape.__exit__(*exception)

    def jvp(
        self, primals: Any, unconnected_gradients: Any = UnconnectedGradients.NONE
    ) -> Any:
        """Compute the derivative of ``primals`` (a nest) along the tangents.

        None, or zeros, if they are unconnected.  ValueError before the block was entered.
        """
        if not self._tape.started:
            raise ValueError("Called jvp() without first tracing anything.")
        targets = _flat(primals)
        watching = dispatch.listeners()
        followers = [w for w in self._around if w in watching or getattr(w, "started", False)]
        with dispatch.only_listeners(followers):
            products = [self._product(target) for target in targets]
        filled = fill_unconnected(products, targets, unconnected_gradients)
        return nest.pack_sequence_as(primals, filled) if nest.is_nested(primals) else filled[0]

    def _product(self, target: Any) -> Any:
        tensor: Any = target.read_value() if isinstance(target, Variable) else target
        if not isinstance(tensor, Value):
            tensor = convert_to_tensor(tensor)
        if not (tensor.dtype.is_floating or tensor.dtype.is_complex):
            return None
        start = zeros_like(tensor)
        with GradientTape(watch_accessed_variables=False) as back:
            back.watch(start)
            gradients = self._tape.gradient(target, self._primals, start)
        pairs = zip(gradients, self._tangents, strict=True)
        connected_pairs = [(g, t) for g, t in pairs if g is not None]
        if not connected_pairs:
            return None
        product = back.gradient(
            [g for g, _ in connected_pairs], start, [t for _, t in connected_pairs]
        )
        return zeros_like(tensor) if product is None else product


def _flat(value: Any) -> list[Any]:
    return [read(v) for v in (nest.flatten(value) if nest.is_nested(value) else [value])]


def _tangent(primal: Any, tangent: Any) -> Any:
    """Convert a tangent to the dtype of its primal; ValueError for another shape."""
    tensor: Any = tangent.read_value() if isinstance(tangent, Variable) else tangent
    tensor = tensor if isinstance(tensor, Value) else convert_to_tensor(tensor, primal.dtype)
    if not tensor.shape.is_compatible_with(primal.shape):
        raise ValueError(
            f"The tangent of shape {tensor.shape} does not fit the primal of shape {primal.shape}"
        )
    return as_gradient(tensor, primal)
