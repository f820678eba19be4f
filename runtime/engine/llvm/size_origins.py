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
        self._known: dict[int, tuple[Origin, ...]] = {}
        self._kept: list[SymbolicTensor] = []
        """The tensors, so that their ids stay unique."""

    def of(self, tensor: SymbolicTensor) -> tuple[Origin, ...]:
        """Return the origin of each size of a tensor, whose rank is known."""
        found = self._known.get(id(tensor))
        if found is None:
            self._kept.append(tensor)
            dims = tensor.shape.dims or ()
            given = self._given(tensor) if None in dims else ()
            if len(given) != len(dims):
                given = [None] * len(dims)
            found = self._known[id(tensor)] = tuple([
                size if size is not None else origin if origin is not None else (id(tensor), axis)
                for axis, (size, origin) in enumerate(zip(dims, given, strict=True))
            ])  # fmt: skip
        return found

    def _given(self, tensor: SymbolicTensor) -> Sequence[Origin | None]:
        """Return the origins that an operation takes over from its inputs; () if it is unknown."""
        node = tensor.op
        if any(one.shape.dims is None for one in node.inputs) or len(node.outputs) != 1:
            return ()
        rule, traits = node.op_def.lower, node.op_def.traits
        if traits & {ELEMENTWISE, CAST, FORWARD}:
            return self._broadcast(tensor)
        if isinstance(rule, Reduces):
            return self._reduced(node)
        if isinstance(rule, Multiplies):
            return self._multiplied(node, rule)
        if isinstance(rule, OnArrays) and rule.selects is not None:
            values = [constant_value(one) for one in node.inputs[1:]]
            found = rule.selects(node.inputs[0].shape.dims or (), node.attrs, values)
            return () if found is None else self._selected(node, found)
        return ()

    def _broadcast(self, tensor: SymbolicTensor) -> list[Origin | None]:
        """Return the origins where all inputs that are not of size 1 have the same."""
        rank = len(tensor.shape.dims or ())
        axes: list[set[Origin]] = [set() for _ in range(rank)]
        for one in tensor.op.inputs:
            for axis, origin in enumerate(reversed(self.of(one))):
                if origin != 1:
                    axes[rank - 1 - axis].add(origin)
        return [found.pop() if len(found) == 1 else None for found in axes]

    def _reduced(self, node: Any) -> list[Origin | None]:
        origins = self.of(node.inputs[0])
        axis, keep = node.attrs["axis"], node.attrs["keepdims"]
        given = range(len(origins)) if axis is None else (axis,) if isinstance(axis, int) else axis
        gone = {one % len(origins) for one in given}
        return [1 if n in gone else origin for n, origin in enumerate(origins)
                if keep or n not in gone]  # fmt: skip

    def _multiplied(self, node: Any, rule: Multiplies) -> list[Origin | None]:
        """Return the origins of a product of matrices, or of one batch with a matrix."""
        if len(node.inputs) != 2:
            return []
        sizes = [self.of(one) for one in node.inputs]
        axes = rule.axes(node.attrs, [len(one) for one in sizes])
        if axes is None or (axes.batch[0] and axes.batch[1]):
            return []
        found: list[Origin | None] = []
        for one, inner, batch in zip(sizes, axes.inner, axes.batch, strict=True):
            found[:0] = [one[axis] for axis in batch]
            found += [one[n] for n in range(len(one)) if n not in {*inner, *batch}]
        return found

    def _selected(self, node: Any, selection: Selection) -> list[Origin | None]:
        origins, found = self.of(node.inputs[0]), list[Origin | None]()
        for one in selection.axes:
            size = one.size if isinstance(one.size, int) else None
            whole = one.axis is not None and one.size is None
            found.append(origins[one.axis or 0] if whole else size)
        return found
