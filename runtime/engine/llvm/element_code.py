"""LLVM code that reads and writes elements of NumPy's arrays.

An index is checked against the size of its axis.  An array that nobody else refers to changes in
place; for any other the kernel is called, which copies it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_code import TYPE_NUMBERS, ArrayViews, Key, View
from runtime.engine.llvm.python_code import call_rare_site, call_site
from runtime.engine.llvm.references import References
from runtime.engine.llvm.scalar_code import OPCODES, either
from runtime.engine.llvm.text import FunctionText, llvm_type, position_of


def emit_read(
    text: FunctionText, views: ArrayViews, instruction: ir.Compute, names: Sequence[str],
    fail: str,
) -> list[str]:  # fmt: skip
    """Emit the read of an element, or the check that a row exists; return the result."""
    site = instruction.site
    assert site is not None
    array, *indices = names
    key = _key_of(site, len(indices) + site.step.operation.outputs[0].shape.rank)
    view = views.of(array, key)
    places, good = _positions(text, view, instruction.args[1:], indices)
    found, slow, done = text.label("found"), text.label("slow"), text.label("done")
    text.branch(good, found, slow, likely=True)
    text.start(slow)
    if not instruction.results:
        call_site(text, site, names, fail)
        text.line(f"br label %{found}")
        text.start(found)
        return []
    other = call_rare_site(text, site, names, done, fail)
    text.start(found)
    (result,) = instruction.results
    value = _load(text, _address(text, view, places), result.type)
    text.line(f"br label %{done}")
    text.start(done)
    kind = llvm_type(result.type)
    return [text.value(f"phi {kind} [{value}, %{found}], [{other}, %{slow}]")]


def emit_write(
    text: FunctionText, references: References, views: ArrayViews, instruction: ir.Compute,
    names: Sequence[str], slot: str,
) -> None:  # fmt: skip
    """Emit the write of an element into an array that the function owns, for the last time.

    The array that results, whose reference belongs to the caller, is in the slot.
    """
    site = instruction.site
    assert site is not None
    array, value, *indices = names
    view = views.of(array, _key_of(site, len(indices)))
    places, good = _positions(text, view, instruction.args[2:], indices)
    given, element = instruction.args[1].type, element_type(site)
    assert isinstance(given, ir.Scalar)
    convert = "cast" if given.kind == "f" else "cast.exact"
    converted, odd = OPCODES[convert](text, [given], element, [value])
    count = text.value(f"load i64, ptr {array}")
    refused = [
        text.value(f"xor i1 {good}, true"), text.value(f"icmp ne i64 {count}, 1"),
        text.value(f"icmp eq i64 {view.is_own}, 0"),
    ]  # fmt: skip
    flag = odd
    for one in refused:
        flag = one if flag is None else either(text, flag, one)
    assert flag is not None
    found, slow, done = text.label("found"), text.label("slow"), text.label("done")
    text.branch(flag, slow, found, likely=False)
    text.start(slow)
    (other,) = call_site(text, site, names, references.failure())
    views.defined(other)
    references.drop(ir.OBJECT, array)
    text.line(f"store ptr {other}, ptr {slot}")
    views.stored(slot, other)
    text.line(f"br label %{done}")
    text.start(found)
    _store(text, _address(text, view, places), element, converted)
    text.line(f"store ptr {array}, ptr {slot}")
    views.stored(slot, array)
    text.line(f"br label %{done}")
    text.start(done)


def element_type(site: ir.Site) -> ir.Scalar:
    """Return the type of the elements of the array that a site gives."""
    return ir.NUMBERS[np.dtype(site.step.operation.outputs[0].dtype.as_numpy_dtype)]


def _key_of(site: ir.Site, rank: int) -> Key:
    """Return what the elements of a site's array are taken for."""
    return TYPE_NUMBERS[site.step.operation.outputs[0].dtype.as_numpy_dtype], rank


def _positions(
    text: FunctionText, view: View, args: Sequence[ir.Register], indices: Sequence[str]
) -> tuple[list[str], str]:
    """Return the positions on the first axes that indices mean, and whether all of them exist."""
    found, good = [], ""
    for size, value, index in zip(view.sizes, args, indices, strict=False):
        place, inside = position_of(text, value.type, index, size)
        good = text.value(f"and i1 {good}, {inside}") if good else inside
        found.append(place)
    return found, good


def _address(text: FunctionText, view: View, places: Sequence[str]) -> str:
    """Return the address of the element at some positions, which exist."""
    address = view.data
    for place, stride in zip(places, view.strides, strict=True):
        offset = text.value(f"mul i64 {place}, {stride}")
        address = text.value(f"getelementptr i8, ptr {address}, i64 {offset}")
    return address


def _load(text: FunctionText, address: str, type: ir.Type) -> str:
    if type != ir.BOOL:
        return text.value(f"load {llvm_type(type)}, ptr {address}, align 1")
    byte = text.value(f"load i8, ptr {address}")
    return text.value(f"icmp ne i8 {byte}, 0")


def _store(text: FunctionText, address: str, type: ir.Scalar, value: str) -> None:
    if type == ir.BOOL:
        type, value = ir.Scalar("u", 8), text.value(f"zext i1 {value} to i8")
    text.line(f"store {llvm_type(type)} {value}, ptr {address}, align 1")
