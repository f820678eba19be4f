"""Elements that the iterations of a strip read at the counter: before the strip one look tells
whether all of them exist, side by side.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_views import ArrayViews
from runtime.engine.llvm.builder import Builder
from runtime.engine.llvm.element_code import element_address, key_of, load_element
from runtime.engine.llvm.list_handles import NativeListHandle, list_type
from runtime.engine.llvm.loop_code import Strip
from runtime.engine.llvm.reductions.iteration import UnfitError
from runtime.engine.llvm.text import FunctionText


class ElementReads:
    """Elements of lists and arrays that stay the same in the loop."""

    def __init__(self, same: Collection[str]) -> None:
        self._same = same
        """Names of what stays the same."""
        self.reads: list[tuple[ir.Compute, Sequence[str], Sequence[int | None]]] = []

    def note(
        self, instruction: ir.Compute, names: Sequence[str], distances: Sequence[int | None]
    ) -> list[str]:
        """Note a read; UnfitError if it is not at the counter."""
        fixed = [name for name, by in zip(names[1:], distances, strict=True) if by is None]
        fit = names[0] in self._same and len(fixed) < len(distances)
        fit = fit and all(name in self._same for name in fixed)
        fit = fit and all(value.type == ir.INT64 for value in instruction.args[1:])
        if not fit or not all(isinstance(value.type, ir.Scalar) for value in instruction.results):
            raise UnfitError
        self.reads.append((instruction, names, distances))
        return ["%element"] * len(instruction.results)

    def guards(self, text: FunctionText, views: ArrayViews, strip: Strip) -> list[str]:
        """Emit bools that are all true if the elements of a strip exist, side by side."""
        conditions: list[str] = []
        for instruction, (source, *indices), distances in self.reads:
            if instruction.opcode == "list.item":
                handle = NativeListHandle(Builder(text), list_type(instruction), source)
                conditions += _inside(text, strip, distances[0], handle.length().name)
                continue
            view, width = views.of(source, key_of(instruction)), _width(instruction)
            axes = zip(indices, distances, view.sizes, view.strides, strict=True)
            for index, distance, size, stride in axes:
                if distance is None:
                    conditions.append(text.value(f"icmp ult i64 {index}, {size}"))
                else:
                    conditions += _inside(text, strip, distance, size)
                    conditions.append(text.value(f"icmp eq i64 {stride}, {width}"))
        return conditions


def _inside(text: FunctionText, strip: Strip, distance: int | None, size: str) -> list[str]:
    """Emit bools that are true if all positions at a distance from the counter are inside."""
    assert distance is not None
    most = text.value(f"sub i64 {size}, {distance}")
    return [
        text.value(f"icmp sge i64 {strip.start}, {-distance}"),
        text.value(f"icmp sle i64 {strip.stop}, {most}"),
    ]


def read_at(
    text: FunctionText, views: ArrayViews, instruction: ir.Compute, names: Sequence[str],
    distances: Sequence[int | None],
) -> list[str]:  # fmt: skip
    """Emit the read of an element that exists."""
    source, *indices = names
    if instruction.opcode == "list.item":
        code = Builder(text)
        handle = NativeListHandle(code, list_type(instruction), source)
        return handle.load_entry(handle.entry(code.value(indices[0])))
    view, width = views.of(source, key_of(instruction)), _width(instruction)
    strides = [
        stride if distance is None else width
        for distance, stride in zip(distances, view.strides, strict=True)
    ]
    address = element_address(text, view._replace(strides=strides), indices)
    return [load_element(text, address, instruction.results[0].type)]


def _width(instruction: ir.Compute) -> str:
    return str(ir.layout_of(instruction)[0].itemsize)
