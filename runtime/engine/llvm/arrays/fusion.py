"""Kernel IR of fusions: element-wise operations on arrays that run as one loop.

    %4: object = fusion %1, %2 over (None, 3)
      .2: f64 = mul .0, .1
      .3: f64 = add .2, .0
      yield .3

Value ``.k`` stands for one element: of argument ``k``, or of what a later line computes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.variables.access import Update
from runtime.ops.rules.lowering import Expression, Selection

Dims = tuple[int | None, ...]
"""Static shape; None is a size that is known only at run time."""


class KnownLayout(NamedTuple):
    """What the graph knows of an array: dtype and static shape."""

    dtype: np.dtype[np.generic]
    dims: Dims

    @property
    def element(self) -> ir.Scalar:
        """Type of the elements."""
        return ir.ELEMENTS[self.dtype]

    def axes(self, space: Dims) -> list[int | None]:
        """Return, for each axis of the space that the fusion runs over, the array's axis; None if
        the array is the same all along it.
        """
        missing = len(space) - len(self.dims)
        return [
            None if axis < missing or (self.dims[axis - missing] == 1 and size != 1)
            else axis - missing
            for axis, size in enumerate(space)
        ]  # fmt: skip


class Selected(NamedTuple):
    """Array whose elements are selected from another one, the *base*.

    Each step selects from what the one before has selected.  Ints that are known at run time are
    arguments of the instruction.
    """

    base: KnownLayout
    steps: tuple[Selection, ...]


class Reduction(NamedTuple):
    """Combination of the elements along axes of the space.

    ``mean`` divides by their number at the end.  ``result_axes`` are the axes of the space that the
    result has; None is an axis that was kept with size 1.
    """

    axes: tuple[int, ...]
    result_axes: tuple[int | None, ...]
    mean: bool = False


class Member(NamedTuple):
    """Operation of a fusion."""

    opcode: str
    args: tuple[int, ...]
    """Values: first the arguments of the fusion are counted, then its operations."""
    type: ir.Scalar
    site: ir.Site
    """Site of its kernel, as the slow block calls it."""
    reduction: Reduction | None = None
    """How it combines the elements, or products of them, if it is a reduction; its result has no
    elements to read."""
    detail: Any = None
    """Of ``axis``, a position, and of ``extent``, a size of an argument: the axis; of ``number``
    the number."""

    @property
    def needs_elements(self) -> bool:
        """Whether it gives nothing where there are no elements: no extreme, no mean."""
        return self.reduction is not None and (self.reduction.mean or self.opcode in ("min", "max"))


class ComputedReads(NamedTuple):
    """What a fusion reads at computed places.

    free   arguments that the loop does not go along; ``load`` reads their elements
    spans  such an argument, its axis and the axis of the space that is as long
    sizes  axes of the space of unknown size, and their sizes; inputs are arguments by number
    """

    free: frozenset[int] = frozenset()
    spans: tuple[tuple[int, int, int], ...] = ()
    sizes: tuple[tuple[int, Expression], ...] = ()


class Fusion(ir.Instruction):
    """Element-wise operations over a space of indexes, as one loop.

    ``layouts`` says what is known of the arguments that are arrays, None of numbers; ``selected``
    of those that are not the array that is passed, but elements of it.  ``target`` is the argument,
    an array of the code's own, whose elements the only output replaces, if it does; ``update`` the
    assignment by which it ends, if it does.  ``outputs`` are the operations whose results are
    wanted.  ``slow`` calls the kernels one after the other: it runs where an argument is not laid
    out as the graph says, or an operation gives up.  It is the kernel of ``site``.
    """

    __slots__ = (
        "computed", "dims", "is_number", "layouts", "members", "outputs", "selected", "site",
        "slow", "target", "update",
    )  # fmt: skip

    def __init__(
        self, args: ir.Registers, results: ir.Registers, dims: Dims,
        layouts: Sequence[KnownLayout | None], selected: Mapping[int, Selected],
        members: Sequence[Member], outputs: Sequence[int], slow: ir.Block,
        target: int | None = None, computed: ComputedReads = ComputedReads(),
    ) -> None:  # fmt: skip
        super().__init__(args, results)
        self.dims = dims
        self.layouts = tuple(layouts)
        self.selected = selected
        self.target = target
        self.computed = computed
        self.members = tuple(members)
        self.outputs = tuple(outputs)
        self.slow = slow
        self.site = ir.Site(None)
        self.update: Update | None = None
        self.is_number = False
        """Whether the results have no axes: the space has one place."""

    def reduction_of(self, output: int) -> Reduction | None:
        """Return the reduction that an output is, if it is one."""
        return self.members[output - len(self.args)].reduction

    def opcode_of(self, number: int) -> str:
        """Return the opcode of an output, by its number among outputs."""
        return self.members[self.outputs[number] - len(self.args)].opcode

    def result_type(self, number: int) -> ir.Scalar:
        """Return the type of the elements of an output, by its number among outputs."""
        return self.type_of(self.outputs[number])

    @property
    def reductions(self) -> list[Reduction]:
        """The reductions of the fusion."""
        return [member.reduction for member in self.members if member.reduction is not None]

    @property
    def sums_halves(self) -> bool:
        """Whether it adds float16 up: how NumPy rounds depends on how they lie in memory."""
        return any(
            member.type == ir.HALF and member.reduction is not None for member in self.members
        )

    def blocks(self) -> Sequence[ir.Block]:
        """Return the slow block."""
        return (self.slow,)

    def type_of(self, value: int) -> ir.Scalar:
        """Return the type of the elements of a value."""
        count = len(self.args)
        if value >= count:
            return self.members[value - count].type
        layout, type = self.layouts[value], self.args[value].type
        if layout is not None:
            return layout.element
        assert isinstance(type, ir.Scalar)
        return type
