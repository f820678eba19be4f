"""Origins of sizes: which axis of which tensor an unknown size comes from.

    x: float32[?,20]                        (x, 0), 20
    h = matmul(x, w)                        (x, 0), 16
    y = relu(add(h, b))                     (x, 0), 16

Axes of one origin have one size.  Sizes of which nothing is known are their own origin.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.engine.passes.queries import constant_value
from runtime.graph.operation import SymbolicTensor
from runtime.ops.op import CAST, ELEMENTWISE, FORWARD
from runtime.ops.rules.lowering import Multiplies, OnArrays, Reduces, Selection

Origin = int | tuple[int, int]
"""A size, or the id of a tensor and the number of its axis."""


class SizeOrigins:
    """Origins of the sizes of the tensors of one graph."""

    def __init__(self) -> None:
        self._origins: dict[int, tuple[Origin, ...]] = {}
        self._tensors: list[SymbolicTensor] = []
        """The tensors, so that their ids stay unique."""

    def of(self, tensor: SymbolicTensor) -> tuple[Origin, ...]:
        """Return the origin of each size of a tensor, whose rank is known."""
        origins = self._origins.get(id(tensor))
        if origins is None:
            self._tensors.append(tensor)
            dims = tensor.shape.dims or ()
            from_inputs = self._origins_from_inputs(tensor) if None in dims else ()
            if len(from_inputs) != len(dims):
                from_inputs = [None] * len(dims)
            origins = self._origins[id(tensor)] = tuple([
                size if size is not None else origin if origin is not None else (id(tensor), axis)
                for axis, (size, origin) in enumerate(zip(dims, from_inputs, strict=True))
            ])  # fmt: skip
        return origins

    def _origins_from_inputs(self, tensor: SymbolicTensor) -> Sequence[Origin | None]:
        """Return the origins that an operation takes over from its inputs; () if it is unknown."""
        node = tensor.op
        if any(operand.shape.dims is None for operand in node.inputs) or len(node.outputs) != 1:
            return ()
        rule, traits = node.op_def.lower, node.op_def.traits
        if traits & {ELEMENTWISE, CAST, FORWARD}:
            return self._broadcast_origins(tensor)
        if isinstance(rule, Reduces):
            return self._reduction_origins(node)
        if isinstance(rule, Multiplies):
            return self._product_origins(node, rule)
        if isinstance(rule, OnArrays) and rule.selects is not None:
            values = [constant_value(operand) for operand in node.inputs[1:]]
            selection = rule.selects(node.inputs[0].shape.dims or (), node.attrs, values)
            return () if selection is None else self._selection_origins(node, selection)
        return ()

    def _broadcast_origins(self, tensor: SymbolicTensor) -> list[Origin | None]:
        """Return the origins where all inputs that are not of size 1 have the same."""
        rank = len(tensor.shape.dims or ())
        axes: list[set[Origin]] = [set() for _ in range(rank)]
        for operand in tensor.op.inputs:
            for axis, origin in enumerate(reversed(self.of(operand))):
                if origin != 1:
                    axes[rank - 1 - axis].add(origin)
        return [candidates.pop() if len(candidates) == 1 else None for candidates in axes]

    def _reduction_origins(self, node: Any) -> list[Origin | None]:
        origins = self.of(node.inputs[0])
        axis, keep = node.attrs["axis"], node.attrs["keepdims"]
        axes = range(len(origins)) if axis is None else (axis,) if isinstance(axis, int) else axis
        reduced = {number % len(origins) for number in axes}
        return [1 if n in reduced else origin for n, origin in enumerate(origins)
                if keep or n not in reduced]  # fmt: skip

    def _product_origins(self, node: Any, rule: Multiplies) -> list[Origin | None]:
        """Return the origins of a product of matrices, or of one batch with a matrix."""
        if len(node.inputs) != 2:
            return []
        sizes = [self.of(factor) for factor in node.inputs]
        axes = rule.axes(node.attrs, [len(factor) for factor in sizes])
        if axes is None or (axes.batch[0] and axes.batch[1]):
            return []
        origins: list[Origin | None] = []
        for factor, inner, batch in zip(sizes, axes.inner, axes.batch, strict=True):
            origins[:0] = [factor[axis] for axis in batch]
            origins += [factor[n] for n in range(len(factor)) if n not in {*inner, *batch}]
        return origins

    def _selection_origins(self, node: Any, selection: Selection) -> list[Origin | None]:
        origins, result = self.of(node.inputs[0]), list[Origin | None]()
        for selected in selection.axes:
            size = selected.size if isinstance(selected.size, int) else None
            is_whole_axis = selected.axis is not None and selected.size is None
            result.append(origins[selected.axis or 0] if is_whole_axis else size)
        return result
