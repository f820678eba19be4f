"""LLVM code of writes to a view of an array of which other elements are read: ``a[1:] = a[:-1]``.

NumPy computes all elements before it writes the first.  Native code does so only where an element
that is written may be read for another one; there it computes them in memory of their own.
"""

from __future__ import annotations

from contextlib import ExitStack

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_code import DATA, word
from runtime.engine.llvm.array_views import View
from runtime.engine.llvm.arrays.allocation import allocate
from runtime.engine.llvm.arrays.selected_code import SelectedView
from runtime.engine.llvm.element_code import load_element, store_element, stored_size
from runtime.engine.llvm.references import References
from runtime.engine.llvm.size_code import all_hold
from runtime.engine.llvm.text import FunctionText


def overlap(
    text: FunctionText, target: SelectedView, source: SelectedView, side_by_side: bool
) -> str:
    """Return whether elements that are written are read for others, of two views of one array.

    ``side_by_side`` says that the views have the same axes, in the same order.
    """
    disjoint = "false"
    for axis in range(len(target.first)):
        (low, high), (least, most) = (_range(text, view, axis) for view in (target, source))
        before = text.value(f"icmp slt i64 {high}, {least}")
        after = text.value(f"icmp slt i64 {most}, {low}")
        either = text.value(f"or i1 {before}, {after}")
        disjoint = text.value(f"or i1 {disjoint}, {either}")
    good = disjoint
    if side_by_side and target.along == source.along:
        pairs = zip(target.first, source.first, strict=True)
        same = all_hold(text, [text.value(f"icmp eq i64 {a}, {b}") for a, b in pairs])
        good = text.value(f"or i1 {disjoint}, {same}")
    return text.value(f"xor i1 {good}, true")


def _range(text: FunctionText, view: SelectedView, axis: int) -> tuple[str, str]:
    """Return the least and the greatest index along an axis of the array that a view has."""
    first = view.first[axis]
    for origin, size in zip(view.along, view.view.sizes, strict=True):
        if origin is not None and origin[0] == axis:
            less = text.value(f"sub i64 {size}, 1")
            end = text.value(f"add i64 {first}, {text.value(f'mul i64 {less}, {origin[1]}')}")
            return (first, end) if origin[1] > 0 else (end, first)
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
            copy = text.load(self._slot)
            text.line(f"store ptr {word(text, copy, DATA, 'ptr')}, ptr {data}")
        self._strides = [str(stored_size(element))]
        for size in view.sizes[:0:-1]:
            self._strides.insert(0, text.value(f"mul i64 {self._strides[0]}, {size}"))
        strides = [
            text.value(f"select i1 {condition}, i64 {new}, i64 {old}")
            for new, old in zip(self._strides, view.strides, strict=True)
        ]
        self.view = View(text.load(data), view.sizes, strides, "0")
        """View of that memory if the condition holds, else the view itself."""

    def finish(self, references: References) -> None:
        """Copy the elements to the view if the condition holds."""
        text = self._text
        with text.only_if(self._condition):
            sizes, strides = self._view.sizes or ["1"], self._view.strides or self._strides
            # a function, and row by row: loops in the code between fusions are hardly optimised
            copy = _copy_function(text, self._element, len(sizes))
            words = ", ".join(f"i64 {word}" for word in (*sizes, *strides))
            text.line(f"call void @{copy}(ptr {self.view.data}, ptr {self._view.data}, {words})")
            references.drop(ir.OBJECT, text.load(self._slot))


def _copy_function(text: FunctionText, element: ir.Scalar, rank: int) -> str:
    """Return the function that copies elements that lie row by row to a view of other strides."""
    name = f"copy_rows_{element}_{rank}"
    if name in text.declared:
        return name
    words = ", ".join(f"i64 %{letter}{axis}" for letter in "ns" for axis in range(rank))
    inner = FunctionText(
        f"define internal void @{name}(ptr noalias %from, ptr noalias %to, {words}) noinline"
    )
    item, last_axis = stored_size(element), rank - 1
    row = inner.value(f"mul i64 %n{last_axis}, {item}")
    has_no_gaps = inner.value(f"icmp eq i64 %s{last_axis}, {item}")
    source = inner.slot("ptr")
    inner.line(f"store ptr %from, ptr {source}")
    with ExitStack() as loops:
        target = "%to"
        for axis in range(last_axis):
            counter = loops.enter_context(inner.counted_loop(f"%n{axis}"))
            target = inner.gep(target, inner.value(f"mul i64 {counter}, %s{axis}"))
        begin = inner.load(source)
        inner.line(f"store ptr {inner.gep(begin, row)}, ptr {source}")
        with inner.only_if(has_no_gaps):
            inner.call("void", "llvm.memcpy.p0.p0.i64", f"ptr {target}", f"ptr {begin}",
                       f"i64 {row}", "i1 false")  # fmt: skip
        has_gaps = inner.value(f"xor i1 {has_no_gaps}, true")
        with inner.only_if(has_gaps), inner.counted_loop(f"%n{last_axis}") as counter:
            place = inner.value(f"mul i64 {counter}, {item}")
            value = load_element(inner, inner.gep(begin, place), element)
            place = inner.value(f"mul i64 {counter}, %s{last_axis}")
            store_element(inner, inner.gep(target, place), element, value)
    inner.line("ret void")
    text.declared |= {**inner.declared, name: inner.text()}
    return name
