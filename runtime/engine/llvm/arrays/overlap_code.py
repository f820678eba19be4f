"""LLVM code of writes to a view of an array of which other elements are read: ``a[1:] = a[:-1]``.

NumPy computes all elements before it writes the first.  Native code does so only where an element
that is written may be read for another one; there it computes them in memory of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_code import DATA, word
from runtime.engine.llvm.array_views import View
from runtime.engine.llvm.arrays.allocation import allocate
from runtime.engine.llvm.arrays.elements import stored_size
from runtime.engine.llvm.arrays.selected_code import SelectedView
from runtime.engine.llvm.element_code import load_element, store_element
from runtime.engine.llvm.references import References
from runtime.engine.llvm.text import FunctionText, all_hold


def overlap(
    text: FunctionText, target: SelectedView, source: SelectedView, side_by_side: bool
) -> str:
    """Return whether elements that are written are read for others, of two views of one array.

    ``side_by_side`` says that the views have the same axes, in the same order.
    """
    apart = "false"
    for axis in range(len(target.first)):
        (low, high), (least, most) = (_range(text, one, axis) for one in (target, source))
        before = text.value(f"icmp slt i64 {high}, {least}")
        behind = text.value(f"icmp slt i64 {most}, {low}")
        either = text.value(f"or i1 {before}, {behind}")
        apart = text.value(f"or i1 {apart}, {either}")
    good = apart
    if side_by_side and target.along == source.along:
        pairs = zip(target.first, source.first, strict=True)
        same = all_hold(text, [text.value(f"icmp eq i64 {a}, {b}") for a, b in pairs])
        good = text.value(f"or i1 {apart}, {same}")
    return text.value(f"xor i1 {good}, true")


def _range(text: FunctionText, part: SelectedView, axis: int) -> tuple[str, str]:
    """Return the least and the greatest index along an axis of the array that a view has."""
    first = part.first[axis]
    for goes, size in zip(part.along, part.view.sizes, strict=True):
        if goes is not None and goes[0] == axis:
            less = text.value(f"sub i64 {size}, 1")
            last = text.value(f"add i64 {first}, {text.value(f'mul i64 {less}, {goes[1]}')}")
            return (first, last) if goes[1] > 0 else (last, first)
    return first, first


class Detour:
    """Memory in which the elements of a view are computed if a condition holds."""

    def __init__(
        self, text: FunctionText, view: View, element: ir.Scalar, condition: str, otherwise: str
    ) -> None:
        self._text = text
        self._view = view
        self._element = element
        self._condition = condition
        self._slot = text.slot("ptr", "null")
        data = text.slot("ptr")
        text.line(f"store ptr {view.data}, ptr {data}")
        with text.only_if(condition):
            allocate(text, element, view.sizes, self._slot, otherwise)
            made = text.value(f"load ptr, ptr {self._slot}")
            text.line(f"store ptr {word(text, made, DATA, 'ptr')}, ptr {data}")
        self._strides = [str(stored_size(element))]
        for size in view.sizes[:0:-1]:
            self._strides.insert(0, text.value(f"mul i64 {self._strides[0]}, {size}"))
        strides = [
            text.value(f"select i1 {condition}, i64 {new}, i64 {old}")
            for new, old in zip(self._strides, view.strides, strict=True)
        ]
        self.view = View(text.value(f"load ptr, ptr {data}"), view.sizes, strides, "0")
        """View of that memory if the condition holds, else the view itself."""

    def finish(self, references: References) -> None:
        """Copy the elements to the view if the condition holds."""
        text = self._text
        with text.only_if(self._condition):
            with ExitStack() as loops:
                counters = [loops.enter_context(text.counted(size)) for size in self._view.sizes]
                source = self._address(self.view.data, self._strides, counters)
                target = self._address(self._view.data, self._view.strides, counters)
                value = load_element(text, source, self._element)
                store_element(text, target, self._element, value)
            references.drop(ir.OBJECT, text.value(f"load ptr, ptr {self._slot}"))

    def _address(self, data: str, strides: Sequence[str], counters: Sequence[str]) -> str:
        for stride, counter in zip(strides, counters, strict=True):
            data = self._text.moved(data, self._text.value(f"mul i64 {counter}, {stride}"))
        return data
