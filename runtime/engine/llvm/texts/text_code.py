"""LLVM code of operations on texts.

Where one gives up, its kernel raises what Python does: an index out of range, ``ord`` of two
characters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.builder import SIZE, Address, CodeVariable
from runtime.engine.llvm.list_code import emit_slice_by, existing_position
from runtime.engine.llvm.list_handles import (
    Emitted,
    ListOperation,
    NativeListHandle,
    new_list,
    without_failing,
)
from runtime.engine.llvm.texts.text_changes import CASES, STRIPS
from runtime.engine.llvm.texts.text_functions import POINT, PREDICATES, SHORT
from runtime.engine.llvm.values import LaneValue

__all__ = ["EMITTERS"]


def _character(operation: ListOperation, point: LaneValue, fail: str = "") -> Address:
    """Return the text of a code point, a new reference; branch to ``fail`` without memory."""
    code = operation.code
    slot = code.pointer()
    place = point.to(SIZE)
    slot.store(code.address("@text.characters").item("[32 x i8]", place))
    with code.only_if(point >= SHORT, likely=False):
        character = code.call_address("text.other_character", point)
        character.require(fail or operation.fail)
        slot.store(character)
    return slot.load_address()


def _point_at(handle: NativeListHandle, place: LaneValue | int = 0) -> LaneValue:
    """Return a code point of a text."""
    (point,) = handle.load_entry(handle.entry(place))
    return handle.code.value(point, POINT)


def _item(operation: ListOperation) -> Emitted:
    point = _point_at(operation.list, existing_position(operation))
    return operation.done(_character(operation, point))


def _slice(operation: ListOperation) -> Emitted:
    return emit_slice_by(operation, operation.attrs["args"][1], 0)


def _truth(operation: ListOperation) -> Emitted:
    return without_failing(operation.list.length() != 0)


def _concat(operation: ListOperation) -> Emitted:
    """Emit ``a + b``, in the memory of ``a`` if nobody else refers to it."""
    extra = operation.list_at(1)
    count = extra.length()
    longer = operation.list.writable(count, operation.fail)
    length = longer.length()
    for is_single in operation.text.either((count == 1).name):
        if is_single:
            longer.store_entry(longer.entry(length), extra.load_entry(extra.entry(0)))
        else:
            longer.copy("memcpy", longer.entry(length), extra.entry(0), count)
    longer.set_length(length + count)
    operation.references.drop(ir.TEXT, extra.name)
    return operation.done(longer)


def _call(operation: ListOperation, function: str, *more: object, gives: ir.Scalar) -> LaneValue:
    """Call a function on the texts of an operation."""
    args = [f"ptr {arg}" for arg in operation.args]
    return operation.code.call(f"text.{function}", *args, *more, gives=gives)


def _same(operation: ListOperation, is_equal: bool) -> Emitted:
    same = _call(operation, "same", gives=ir.BOOL)
    return without_failing(same if is_equal else ~same)


def _order(operation: ListOperation, comparison: str) -> Emitted:
    return without_failing(_call(operation, "order", gives=ir.INT64).test(comparison, 0))


def _find(operation: ListOperation) -> Emitted:
    """Emit the first place of the second text in the first; -1 if there is none."""
    return without_failing(_call(operation, "find", 0, gives=ir.INT64))


def _count(operation: ListOperation) -> Emitted:
    return without_failing(_call(operation, "count", gives=ir.INT64))


def _changed(operation: ListOperation, method: str) -> Emitted:
    """Emit a method that makes another text."""
    return operation.done(operation.list.ready(method, operation.fail, *[
        f"ptr {arg}" for arg in operation.args
    ]))  # fmt: skip


def _contains(operation: ListOperation) -> Emitted:
    return without_failing(_call(operation, "find", 0, gives=ir.INT64) >= 0)


def _ends(operation: ListOperation, at_end: bool) -> Emitted:
    """Emit ``startswith`` or ``endswith``."""
    length, needle_length = operation.list.length(), operation.list_at(1).length()
    holds = CodeVariable(operation.code, ir.BOOL)
    fits = length >= needle_length
    holds.set("false")
    with operation.code.only_if(fits):
        place = length - needle_length if at_end else 0
        holds.set(_call(operation, "at", place, gives=ir.BOOL))
    return without_failing(holds.get())


def _predicate(operation: ListOperation, method: str) -> Emitted:
    handle, holds = operation.list, CodeVariable(operation.code, ir.BOOL)
    for is_single in operation.text.either((handle.length() == 1).name):
        if is_single:
            point = _point_at(handle)
            holds.set(operation.code.call(f"text.{method}_character", point, gives=ir.BOOL))
        else:
            holds.set(_call(operation, method, gives=ir.BOOL))
    return without_failing(holds.get())


def _ord(operation: ListOperation) -> Emitted:
    operation.require(operation.list.length() == 1)
    return operation.done(_point_at(operation.list).to(SIZE))


def _chr(operation: ListOperation) -> Emitted:
    number = operation.code.value(operation.args[0])
    operation.require(number < 0x110000)
    half = number - 0xD800  # halves of pairs have no bytes in UTF-8
    operation.refuse(half < 0x800)
    return operation.done(_character(operation, number.to(POINT)))


def _of_int(operation: ListOperation) -> Emitted:
    digits = operation.code.call_address("text.of_int", f"i64 {operation.args[0]}")
    digits.require(operation.fail)
    return operation.done(digits)


def _share(operation: ListOperation) -> Emitted:
    """Emit another reference to a text, which stands for the list of its characters."""
    operation.references.retain(ir.TEXT, operation.list.name)
    return without_failing(operation.list)


def _list(operation: ListOperation) -> Emitted:
    """Emit ``list(text)``: a list of texts of one character."""
    source, length = operation.list, operation.list.length()
    target = new_list(operation.code, operation.result_type, length, operation.fail)
    target.set_length(0)
    undo = operation.text.label("undo")
    with operation.code.each(length) as place:
        character = _character(operation, _point_at(source, place), undo)
        target.store_entry(target.entry(place), [character.name])
        target.set_length(place + 1)
    return _finish(operation, undo, lambda: target)


def _join(operation: ListOperation) -> Emitted:
    """Emit ``separator.join(texts)``: the length of the whole is added up first."""
    code, separator, texts = operation.code, operation.list, operation.list_at(1)
    count, width = texts.length(), separator.length()
    size = CodeVariable(code, SIZE)
    size.set(0)

    def add(length: LaneValue) -> LaneValue:
        before = size.get()
        size.set(before + length)
        return before

    def each_item() -> Iterator[tuple[LaneValue, NativeListHandle]]:
        with code.each(count) as number:
            (item,) = texts.load_entry(texts.entry(number))
            yield number, NativeListHandle(code, ir.TEXT, item)

    for _, item in each_item():
        add(item.length() + width)
    whole = new_list(code, ir.TEXT, size.get(), operation.fail)
    size.set(0)
    for number, item in each_item():
        with code.only_if(number != 0):
            whole.copy("memcpy", whole.entry(add(width)), separator.entry(0), width)
        length = item.length()
        whole.copy("memcpy", whole.entry(add(length)), item.entry(0), length)
    whole.set_length(size.get())
    return operation.done(whole)


class _Parts:
    """List of parts of a text that is made; ``undo`` is where there is no memory."""

    def __init__(self, operation: ListOperation) -> None:
        self._operation = operation
        self._slot = operation.code.pointer()
        self._slot.store(new_list(operation.code, operation.result_type, 0, operation.fail))
        self._undo = operation.text.label("undo")

    def _list(self) -> NativeListHandle:
        operation = self._operation
        name = self._slot.load_address().name
        return NativeListHandle(operation.code, operation.result_type, name)

    def append(self, start: LaneValue, stop: LaneValue) -> None:
        """Append the part from a place to another."""
        operation, count = self._operation, stop - start
        part = operation.code.call_address("text.part", operation.list, start, count)
        part.require(self._undo)
        parts = self._list()
        longer = operation.code.call_address(parts.function("writable"), parts, 1)
        with operation.text.leaving(longer.is_null().name, self._undo):
            operation.references.drop(ir.TEXT, part.name)
        grown = NativeListHandle(operation.code, parts.type, longer.name)
        position = grown.length()
        grown.store_entry(grown.entry(position), [part.name])
        grown.set_length(position + 1)
        self._slot.store(grown)

    def finish(self) -> Emitted:
        """Go on with the list."""
        return _finish(self._operation, self._undo, self._list)


def _split(operation: ListOperation) -> Emitted:
    """Emit ``text.split()``: the parts between white space; or those between another text."""
    if len(operation.args) > 1:
        return _split_by(operation)
    code, source, parts = operation.code, operation.list, _Parts(operation)
    length, start = source.length(), CodeVariable(code, ir.INT64)
    start.set(-1)

    def end_word(stop: LaneValue) -> None:
        begin = start.get()
        with code.only_if(begin >= 0):
            parts.append(begin, stop)
            start.set(-1)

    with code.each(length) as place:
        is_space = code.call("text.isspace_character", _point_at(source, place), gives=ir.BOOL)
        for holds in code.text.either(is_space.name):
            if holds:
                end_word(place)
            else:
                with code.only_if(start.get() < 0):
                    start.set(place)
    end_word(length)
    return parts.finish()


def _split_by(operation: ListOperation) -> Emitted:
    """Emit ``text.split(separator)``; it fails if that is empty."""
    code, separator = operation.code, operation.list_at(1)
    width = separator.length()
    operation.refuse(width == 0)
    parts, start, place = _Parts(operation), CodeVariable(code, SIZE), CodeVariable(code, SIZE)
    start.set(0)

    def is_there() -> LaneValue:
        args = operation.list, separator, start.get()
        match = code.call("text.find", *args, gives=ir.INT64)
        place.set(match)
        return match >= 0

    with code.repeat_while(is_there):
        stop = place.get()
        parts.append(start.get(), stop)
        start.set(stop + width)
    parts.append(start.get(), operation.list.length())
    return parts.finish()


def _finish(operation: ListOperation, undo: str, target: Callable[[], NativeListHandle]) -> Emitted:
    """Go on with a new list; where there was no memory, release it and fail."""
    emitted = operation.done(target())
    operation.text.start(undo)
    handle = target()
    operation.references.drop(handle.type, handle.name)
    operation.text.jump(operation.fail)
    return emitted


_Emit = Callable[[ListOperation], Emitted]
_PREDICATES: dict[str, _Emit] = {
    f"list.text_{method}": partial(_predicate, method=method) for method in PREDICATES
}
EMITTERS: dict[str, _Emit] = {
    "list.text_item": _item,
    "list.text_slice": _slice,
    "list.text_truth": _truth,
    "list.text_concat": _concat,
    "list.text_eq": partial(_same, is_equal=True),
    "list.text_ne": partial(_same, is_equal=False),
    "list.text_lt": partial(_order, comparison="lt"),
    "list.text_le": partial(_order, comparison="le"),
    "list.text_gt": partial(_order, comparison="gt"),
    "list.text_ge": partial(_order, comparison="ge"),
    "list.text_find": _find,
    "list.text_contains": _contains,
    "list.text_count": _count,
    "list.text_join": _join,
    "list.text_replace": partial(_changed, method="replace"),
    "list.text_startswith": partial(_ends, at_end=False),
    "list.text_endswith": partial(_ends, at_end=True),
    "list.text_ord": _ord,
    "list.text_of_int": _of_int,
    "list.text_chr": _chr,
    "list.text_list": _list,
    "list.text_share": _share,
    "list.text_split": _split,
    **_PREDICATES,
    **{f"list.text_{name}": partial(_changed, method=name) for name in (*STRIPS, *CASES)},
}
"""By opcode: the function that emits it."""
