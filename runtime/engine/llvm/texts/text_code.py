"""LLVM code of operations on texts.

Where one gives up, its kernel raises what Python does: an index out of range, ``ord`` of two
characters.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.list_code import existing_position
from runtime.engine.llvm.list_handles import (
    Emitted,
    ListOperation,
    NativeListHandle,
    new_list,
)
from runtime.engine.llvm.list_slice_code import emit_slice_by
from runtime.engine.llvm.texts.text_functions import PREDICATES, SHORT

__all__ = ["EMITTERS"]


def _character(operation: ListOperation, code: str) -> str:
    """Return the text of a code point, a new reference; branch to ``fail`` without memory."""
    text = operation.text
    slot, wide = text.slot("ptr"), text.value(f"zext i32 {code} to i64")
    known = text.value(f"getelementptr [32 x i8], ptr @text.characters, i64 {wide}")
    text.line(f"store ptr {known}, ptr {slot}")
    with text.only_if(text.value(f"icmp uge i32 {code}, {SHORT}"), likely=False):
        character = text.value(f"call ptr @text.other_character(i32 {code})")
        text.refuse(text.value(f"icmp eq ptr {character}, null"), operation.fail)
        text.line(f"store ptr {character}, ptr {slot}")
    return text.value(f"load ptr, ptr {slot}")


def _item(operation: ListOperation) -> Emitted:
    place = existing_position(operation)
    (code,) = operation.list.load(operation.list.entry(place))
    return operation.done(_character(operation, code))


def _slice(operation: ListOperation) -> Emitted:
    return emit_slice_by(operation, operation.attrs["args"][1], 0)


def _truth(operation: ListOperation) -> Emitted:
    length = operation.list.length()
    return Emitted([operation.text.value(f"icmp ne i64 {length}, 0")], False)


def _concat(operation: ListOperation) -> Emitted:
    """Emit ``a + b``, in the memory of ``a`` if nobody else refers to it."""
    extra = operation.list_at(1)
    count = extra.length()
    longer = operation.list.writable(count, operation.fail)
    length = longer.length()
    longer.copy("memcpy", longer.entry(length), extra.entry("0"), count)
    longer.set_length(operation.text.value(f"add i64 {length}, {count}"))
    operation.references.drop(ir.TEXT, extra.name)
    return operation.done(longer)


def _same(operation: ListOperation, is_equal: bool) -> Emitted:
    text, (left, right) = operation.text, operation.args
    same = text.value(f"call i1 @text.same(ptr {left}, ptr {right})")
    return Emitted([same if is_equal else text.value(f"xor i1 {same}, true")], False)


def _order(operation: ListOperation, comparison: str) -> Emitted:
    text, (left, right) = operation.text, operation.args
    sign = text.value(f"call i64 @text.order(ptr {left}, ptr {right})")
    return Emitted([text.value(f"icmp {comparison} i64 {sign}, 0")], False)


def _place(operation: ListOperation) -> str:
    """Return the first place of the second text in the first; -1 if there is none."""
    text, (whole, needle) = operation.text, operation.args
    return text.value(f"call i64 @text.find(ptr {whole}, ptr {needle})")


def _find(operation: ListOperation) -> Emitted:
    return Emitted([_place(operation)], False)


def _contains(operation: ListOperation) -> Emitted:
    return Emitted([operation.text.value(f"icmp sge i64 {_place(operation)}, 0")], False)


def _ends(operation: ListOperation, at_end: bool) -> Emitted:
    """Emit ``startswith`` or ``endswith``."""
    text, (whole, needle) = operation.text, operation.args
    length, needle_length = operation.list.length(), operation.list_at(1).length()
    slot = text.slot("i1")
    fits = text.value(f"icmp uge i64 {length}, {needle_length}")
    text.line(f"store i1 false, ptr {slot}")
    with text.only_if(fits):
        place = text.value(f"sub i64 {length}, {needle_length}") if at_end else "0"
        same = text.value(f"call i1 @text.at(ptr {whole}, ptr {needle}, i64 {place})")
        text.line(f"store i1 {same}, ptr {slot}")
    return Emitted([text.value(f"load i1, ptr {slot}")], False)


def _predicate(operation: ListOperation, method: str) -> Emitted:
    call = f"call i1 @text.{method}(ptr {operation.list})"
    return Emitted([operation.text.value(call)], False)


def _ord(operation: ListOperation) -> Emitted:
    text, handle = operation.text, operation.list
    text.require(text.value(f"icmp eq i64 {handle.length()}, 1"), operation.fail)
    (code,) = handle.load(handle.entry("0"))
    return operation.done(text.value(f"zext i32 {code} to i64"))


def _chr(operation: ListOperation) -> Emitted:
    text, (number,) = operation.text, operation.args
    text.require(text.value(f"icmp ult i64 {number}, {0x110000}"), operation.fail)
    half = text.value(f"sub i64 {number}, {0xD800}")  # halves of pairs have no bytes in UTF-8
    text.refuse(text.value(f"icmp ult i64 {half}, {0x800}"), operation.fail)
    return operation.done(_character(operation, text.value(f"trunc i64 {number} to i32")))


def _of_int(operation: ListOperation) -> Emitted:
    text, (number,) = operation.text, operation.args
    digits = text.value(f"call ptr @text.of_int(i64 {number})")
    text.refuse(text.value(f"icmp eq ptr {digits}, null"), operation.fail)
    return operation.done(digits)


def _share(operation: ListOperation) -> Emitted:
    """Emit another reference to a text, which stands for the list of its characters."""
    source = operation.list
    operation.references.retain(ir.TEXT, source.name)
    return Emitted([source.name], False)


def _list(operation: ListOperation) -> Emitted:
    """Emit ``list(text)``: a list of texts of one character."""
    text, source, type = operation.text, operation.list, operation.instruction.results[0].type
    assert isinstance(type, ir.NativeList)
    length = source.length()
    target = new_list(text, type, length, operation.fail)
    target.set_length("0")
    undone = operation._replace(fail=text.label("undo"))
    with text.counted_loop(length) as place:
        (code,) = source.load(source.entry(place))
        target.store(target.entry(place), [_character(undone, code)])
        target.set_length(text.value(f"add i64 {place}, 1"))
    return _finish(operation, undone, target)


def _split(operation: ListOperation) -> Emitted:
    """Emit ``text.split()``: the parts between white space."""
    text, source, type = operation.text, operation.list, operation.instruction.results[0].type
    assert isinstance(type, ir.NativeList)
    length = source.length()
    first = new_list(text, type, "0", operation.fail)
    slot, start = text.slot("ptr"), text.slot("i64")
    text.line(f"store ptr {first}, ptr {slot}")
    text.line(f"store i64 -1, ptr {start}")
    undone = operation._replace(fail=text.label("undo"))

    def end_word(stop: str) -> None:
        begin = text.value(f"load i64, ptr {start}")
        with text.only_if(text.value(f"icmp sge i64 {begin}, 0")):
            count = text.value(f"sub i64 {stop}, {begin}")
            word = new_list(text, ir.TEXT, count, undone.fail)
            word.copy("memcpy", word.entry("0"), source.entry(begin), count)
            word.set_length(count)
            words = NativeListHandle(text, type, text.value(f"load ptr, ptr {slot}"))
            longer = words.call(f"writable(ptr {words}, i64 1)")
            with text.leaving(text.value(f"icmp eq ptr {longer}, null"), undone.fail):
                operation.references.drop(ir.TEXT, word.name)
            grown = NativeListHandle(text, type, longer)
            position = grown.length()
            grown.store(grown.entry(position), [word.name])
            grown.set_length(text.value(f"add i64 {position}, 1"))
            text.line(f"store ptr {grown}, ptr {slot}")
            text.line(f"store i64 -1, ptr {start}")

    with text.counted_loop(length) as place:
        (code,) = source.load(source.entry(place))
        for holds in text.either(text.value(f"call i1 @text.isspace_character(i32 {code})")):
            if holds:
                end_word(place)
            else:
                begin = text.value(f"load i64, ptr {start}")
                with text.only_if(text.value(f"icmp slt i64 {begin}, 0")):
                    text.line(f"store i64 {place}, ptr {start}")
    end_word(length)
    words = NativeListHandle(text, type, text.value(f"load ptr, ptr {slot}"))
    return _finish(operation, undone, words, slot)


def _finish(
    operation: ListOperation, undone: ListOperation, target: NativeListHandle, slot: str = ""
) -> Emitted:
    """Go on with a new list; where there was no memory, release it and fail."""
    text = operation.text
    emitted = operation.done(target)
    text.start(undone.fail)
    name = text.value(f"load ptr, ptr {slot}") if slot else target.name
    operation.references.drop(target.type, name)
    text.jump(operation.fail)
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
    "list.text_lt": partial(_order, comparison="slt"),
    "list.text_le": partial(_order, comparison="sle"),
    "list.text_gt": partial(_order, comparison="sgt"),
    "list.text_ge": partial(_order, comparison="sge"),
    "list.text_find": _find,
    "list.text_contains": _contains,
    "list.text_startswith": partial(_ends, at_end=False),
    "list.text_endswith": partial(_ends, at_end=True),
    "list.text_ord": _ord,
    "list.text_of_int": _of_int,
    "list.text_chr": _chr,
    "list.text_list": _list,
    "list.text_share": _share,
    "list.text_split": _split,
    **_PREDICATES,
}
"""By opcode: the function that emits it."""
