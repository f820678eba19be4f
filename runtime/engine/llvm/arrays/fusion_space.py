"""LLVM code of the sizes of the space that a fusion runs over: constants, sizes of arrays, computed
ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_views import View
from runtime.engine.llvm.arrays.fusion import Fusion, KnownLayout
from runtime.engine.llvm.size_code import equal
from runtime.engine.llvm.text import FunctionText
from runtime.engine.llvm.values import OPCODES
from runtime.ops.rules.lowering import Apply, Expression, Read, Size


class FusionArray(NamedTuple):
    """Argument that is an array."""

    view: View
    axes: Sequence[int | None]
    """By axis of the space: the array's axis."""
    layout: KnownLayout


class Space:
    """Sizes of the space of a fusion."""

    def __init__(
        self, text: FunctionText, fusion: Fusion, arrays: Mapping[int, FusionArray],
        free: Mapping[int, View], names: Sequence[str],
    ) -> None:  # fmt: skip
        self._text = text
        self._fusion = fusion
        self._arrays = arrays
        self._free = free
        self._names = names
        self.conditions: list[str] = []
        """What must hold of the sizes."""

    def sizes(self) -> list[str]:
        """Return the sizes: constants, or those of the first array that has them."""
        sizes = []
        for axis, size in enumerate(self._fusion.dims):
            if size is not None:
                sizes.append(str(size))
                continue
            places = [(a, a.axes[axis]) for a in self._arrays.values()]
            of_arrays = [
                array.view.sizes[place] for array, place in places
                if place is not None and array.layout.dims[place] is None
            ]  # fmt: skip
            computed = [
                self._computed_size(expression) for at, expression in self._fusion.computed.sizes
                if at == axis
            ]  # fmt: skip
            # an axis that no array has is one along which all repeat their one element
            first, *rivals = [*of_arrays[:1], *computed] or ["1"]
            sizes.append(first)
            self.conditions += [equal(self._text, rival, first) for rival in rivals]
        return sizes

    def _computed_size(self, size: Expression) -> str:
        """Return the size of an axis that is computed; it is 0 or more."""
        name, type = self._compute(size)
        name, _ = OPCODES["cast"](self._text, (type,), ir.INT64, (name,))
        self.conditions.append(self._text.value(f"icmp sge i64 {name}, 0"))
        return name

    def _compute(self, size: Expression) -> tuple[str, ir.Scalar]:
        """Return the name and the type of a number that is computed."""
        if isinstance(size, Size):
            return self._free[size.input].sizes[size.axis], ir.INT64
        if isinstance(size, Read):
            return self._names[size.input], self._fusion.type_of(size.input)
        if isinstance(size, int):
            return str(size), ir.INT64
        assert isinstance(size, Apply)
        args = [self._compute(arg) for arg in size.args]
        names, types = [name for name, _ in args], [type for _, type in args]
        name, flag = OPCODES[size.opcode](self._text, types, ir.INT64, names)
        if flag is not None:
            self.conditions.append(self._text.value(f"xor i1 {flag}, true"))
        return name, ir.INT64
