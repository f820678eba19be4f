"""LLVM code that reads and writes elements of NumPy's arrays.

An index is checked against the size of its axis.  Only arrays that nobody else refers to are
written: ``array.own`` copies any other before.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_views import ArrayViews, Key, View
from runtime.engine.llvm.kernel_types import ANY, Bounds
from runtime.engine.llvm.python_code import call_raising_site, call_rare_site, call_site
from runtime.engine.llvm.references import References
from runtime.engine.llvm.size_code import position_of
from runtime.engine.llvm.text import FunctionText, llvm_type
from runtime.engine.llvm.values import OPCODES

ROW_BY_ROW = 0
"""NumPy's order of a copy whose last axis changes first."""


def emit_read(
    text: FunctionText, views: ArrayViews, instruction: ir.Compute, names: Sequence[str],
    fail: str,
) -> list[str]:  # fmt: skip
    """Emit the read of an element, or the check that a row exists; return the result."""
    site = instruction.site
    assert site is not None
    array, *indices = names
    view = views.of(array, key_of(instruction))
    if instruction.opcode.startswith("array.size"):
        return [_size(text, view, instruction, names, fail)]
    places, good = positions(text, view, instruction.args[1:], indices)
    if not instruction.results and not site.raises:
        with text.only_if(good, likely=True, holds=False):
            call_site(text, site, names, fail)
        return []
    slow = text.label("slow")
    if site.raises:
        with text.leaving(good, likely=True, holds=False):
            call_raising_site(text, site, names, fail)
    else:
        text.require(good, slow)
    values = [
        load_element(text, element_address(text, view, places), result.type)
        for result in instruction.results
    ]
    if site.raises:
        return values
    done = text.join(llvm_type(instruction.results[0].type))
    done.bring(values[0])
    text.start(slow)
    call_rare_site(text, site, names, done, fail)
    return [done.value()]


def _size(
    text: FunctionText, view: View, instruction: ir.Compute, names: Sequence[str], fail: str
) -> str:
    """Return the size of an axis."""
    size = view.sizes[int(names[1])]
    if size.isdigit():
        return size
    if not instruction.is_known:
        assert instruction.site is not None
        done = text.join("i64")
        done.bring_unless(text.is_null(view.data), size)
        call_rare_site(text, instruction.site, names, done, fail)
        size = done.value()
    text.bounds[size] = Bounds(0, ANY.high)
    return size


def emit_array(
    text: FunctionText, references: References, views: ArrayViews, instruction: ir.Compute,
    names: Sequence[str], is_last_use: bool, slot: str,
) -> str:  # fmt: skip
    """Emit the write of an element, or what prepares an array; return the array that results, or
    nothing if it is in the slot.  Its reference belongs to the caller.

    ``is_last_use`` says whether the function owns the array, and does not use it later.
    """
    site = instruction.site
    assert site is not None
    array, key, failure = names[0], key_of(instruction), references.failure()
    view, layout = views.of(array, key), views.layout_of(array, key)
    is_own = instruction.opcode == "array.own" and is_last_use and views.is_own(array)
    if layout is not None and (instruction.opcode == "array.native" or is_own):
        if not is_last_use:
            references.retain(ir.OBJECT, array)
        return array
    value, places, element = "", list[str](), ir.element_type(instruction)
    if layout is not None and instruction.opcode == "array.own":
        bad = "false"
    elif instruction.writes_array():
        value, bad = _convert_value(text, instruction, element, names[1])
        places, good = positions(text, view, instruction.args[2:], names[2:])
        bad = text.value(f"or i1 {bad}, {text.value(f'xor i1 {good}, true')}")
    else:
        bad = text.is_null(view.data)
    done = text.label("done")
    with text.leaving(bad):
        if site.raises:
            call_raising_site(text, site, names, failure)
        else:
            (copy,) = call_site(text, site, names, failure)
            _replace(text, references, views, array, copy, is_last_use, slot, done)
    if value:
        store_element(text, element_address(text, view, places), element, value)
    if site.raises:
        return array
    if instruction.opcode == "array.own":
        shared = is_not_own(text, view, array) if is_last_use else "true"
        with text.leaving(shared, likely=None):
            copy = text.call("ptr", "PyArray_NewCopy", f"ptr {array}", f"i32 {ROW_BY_ROW}")
            text.refuse(text.is_null(copy), failure)
            views.know(copy, layout)
            _replace(text, references, views, array, copy, is_last_use, slot, done)
    if not is_last_use:
        references.retain(ir.OBJECT, array)
    _put(text, views, array, slot, done)
    text.start(done)
    return ""


def _replace(
    text: FunctionText, references: References, views: ArrayViews, array: str, copy: str,
    is_last_use: bool, slot: str, done: str,
) -> None:  # fmt: skip
    """Put a copy in the slot in place of an array, and branch."""
    views.note_definition(copy)
    if is_last_use:
        references.drop(ir.OBJECT, array)
    _put(text, views, copy, slot, done)


def _put(text: FunctionText, views: ArrayViews, array: str, slot: str, done: str) -> None:
    """Put an array in the slot, and branch."""
    text.line(f"store ptr {array}, ptr {slot}")
    views.note_store(slot, array)
    text.jump(done)


def is_not_own(text: FunctionText, view: View, array: str, owners: int = 1) -> str:
    """Return whether others than so many owners refer to an array or its memory, or it must not be
    written.
    """
    count = text.load(array, "i64")
    shared = text.value(f"icmp ne i64 {count}, {owners}")
    foreign = text.value(f"icmp eq i64 {view.is_own}, 0")
    return text.value(f"or i1 {shared}, {foreign}")


def _convert_value(
    text: FunctionText, write: ir.Compute, element: ir.Scalar, value: str
) -> tuple[str, str]:
    """Return the value that is written as an element, and whether the kernel has to convert it."""
    source = write.args[1].type
    assert isinstance(source, ir.Scalar)
    convert = "cast" if source.kind == "f" else "cast.exact"
    converted, odd = OPCODES[convert](text, [source], element, [value])
    return converted, odd or "false"


def key_of(instruction: ir.Compute) -> Key:
    """Return what the elements of an array are taken for."""
    dtype, rank = ir.layout_of(instruction)
    return dtype.num, rank


def positions(
    text: FunctionText, view: View, args: ir.Registers, indices: Sequence[str]
) -> tuple[list[str], str]:
    """Return the positions on the first axes that indices mean, and whether all of them exist."""
    places, good = [], ""
    for size, value, index in zip(view.sizes, args, indices, strict=False):
        place, inside = position_of(text, value.type, index, size)
        good = text.value(f"and i1 {good}, {inside}") if good else inside
        places.append(place)
    return places, good


def element_address(text: FunctionText, view: View, places: Sequence[str]) -> str:
    """Return the address of the element at some positions, which exist."""
    address = view.data
    for place, stride in zip(places, view.strides, strict=True):
        offset = text.value(f"mul i64 {place}, {stride}")
        address = text.gep(address, offset)
    return address


def load_element(text: FunctionText, address: str, type: ir.Type, mark: str = "") -> str:
    """Return the element at an address; ``mark`` ends the access."""
    if isinstance(type, ir.Scalar) and type.kind == "c":
        complex_parts = [
            load_element(text, part_address, type.part, mark)
            for part_address in _parts(text, address, type)
        ]
        return complex_of(text, type, *complex_parts)
    if type == ir.HALF:
        half = text.value(f"load half, ptr {address}, align 1{mark}")
        return text.value(f"fpext half {half} to float")
    if type == ir.BFLOAT:
        short = text.value(f"load i16, ptr {address}, align 1{mark}")
        bits = text.value(f"shl i32 {text.value(f'zext i16 {short} to i32')}, 16")
        return text.value(f"bitcast i32 {bits} to float")
    if type != ir.BOOL:
        return text.value(f"load {llvm_type(type)}, ptr {address}, align 1{mark}")
    byte = text.value(f"load i8, ptr {address}{mark}")
    return text.value(f"icmp ne i8 {byte}, 0")


def store_element(
    text: FunctionText, address: str, type: ir.Scalar, value: str, mark: str = ""
) -> None:
    """Store an element at an address; ``mark`` ends the access."""
    if type.kind == "c":
        for number, place in enumerate(_parts(text, address, type)):
            store_element(text, place, type.part, part_of(text, type, value, number), mark)
        return
    if type == ir.HALF:
        half = text.value(f"fptrunc float {value} to half")
        text.line(f"store half {half}, ptr {address}, align 1{mark}")
        return
    if type == ir.BFLOAT:
        bits = text.value(f"lshr i32 {text.value(f'bitcast float {value} to i32')}, 16")
        type, value = ir.Scalar("u", 16), text.value(f"trunc i32 {bits} to i16")
    if type == ir.BOOL:
        type, value = ir.Scalar("u", 8), text.value(f"zext i1 {value} to i8")
    text.line(f"store {llvm_type(type)} {value}, ptr {address}, align 1{mark}")


def rounded_to(text: FunctionText, type: ir.Scalar, value: str) -> str:
    """Round a float32 to float16 or bfloat16, ties to even; it stays a float32."""
    if type == ir.HALF:
        half = text.value(f"fptrunc float {value} to half")
        return text.value(f"fpext half {half} to float")
    bits = text.value(f"bitcast float {value} to i32")
    odd = text.value(f"and i32 {text.value(f'lshr i32 {bits}, 16')}, 1")
    rounded = text.value(f"add i32 {bits}, {text.value(f'add i32 {odd}, 32767')}")
    sign = text.value(f"and i32 {bits}, {-(1 << 31)}")
    quiet = text.value(f"or i32 {sign}, {0x7FC00000}")
    nan = text.value(f"fcmp uno float {value}, {value}")
    result = text.value(f"select i1 {nan}, i32 {quiet}, i32 {rounded}")
    return text.value(f"bitcast i32 {text.value(f'and i32 {result}, -65536')} to float")


def _parts(text: FunctionText, address: str, type: ir.Scalar) -> tuple[str, str]:
    """Return the addresses of the real and of the imaginary part at an address."""
    return address, text.value(f"getelementptr {llvm_type(type.part)}, ptr {address}, i64 1")


def part_of(text: FunctionText, type: ir.Scalar, value: str, number: int) -> str:
    """Return the real (0) or the imaginary (1) part of a complex number."""
    return text.value(f"extractvalue {llvm_type(type)} {value}, {number}")


def complex_of(text: FunctionText, type: ir.Scalar, real: str, imag: str) -> str:
    """Return the complex number of two parts."""
    kind, part_kind = llvm_type(type), llvm_type(type.part)
    first = text.value(f"insertvalue {kind} undef, {part_kind} {real}, 0")
    return text.value(f"insertvalue {kind} {first}, {part_kind} {imag}, 1")


def stored_type(type: ir.Scalar) -> str:
    """Return the LLVM type of an element in memory."""
    if type in ir.NARROW:
        return "half" if type == ir.HALF else "i16"
    return "i8" if type == ir.BOOL else llvm_type(type)


def stored_size(type: ir.Scalar) -> int:
    """Return the bytes of an element."""
    return max(type.bits // 8, 1)
