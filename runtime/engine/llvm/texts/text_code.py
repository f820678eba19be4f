"""LLVM code of operations on texts.

Where one gives up, its kernel raises what Python does: an index out of range, ``ord`` of two
characters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
from runtime.engine.llvm.texts.text_changes import CASES, STRIPS
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
    for is_single in operation.text.either(operation.text.value(f"icmp eq i64 {count}, 1")):
        if is_single:
            longer.store(longer.entry(length), extra.load(extra.entry("0")))
        else:
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
    return text.value(f"call i64 @text.find(ptr {whole}, ptr {needle}, i64 0)")


def _find(operation: ListOperation) -> Emitted:
    return Emitted([_place(operation)], False)


def _count(operation: ListOperation) -> Emitted:
    text, (whole, needle) = operation.text, operation.args
    return Emitted([text.value(f"call i64 @text.count(ptr {whole}, ptr {needle})")], False)


def _changed(operation: ListOperation, method: str) -> Emitted:
    """Emit a method that makes another text."""
    args = ", ".join(f"ptr {arg}" for arg in operation.args)
    result = operation.text.value(f"call ptr @text.{method}({args})")
    operation.text.refuse(operation.text.value(f"icmp eq ptr {result}, null"), operation.fail)
    return operation.done(result)


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
    text, handle, slot = operation.text, operation.list, operation.text.slot("i1")
    for is_single in text.either(text.value(f"icmp eq i64 {handle.length()}, 1")):
        if is_single:
            (code,) = handle.load(handle.entry("0"))
            holds = text.value(f"call i1 @text.{method}_character(i32 {code})")
        else:
            holds = text.value(f"call i1 @text.{method}(ptr {handle})")
        text.line(f"store i1 {holds}, ptr {slot}")
    return Emitted([text.value(f"load i1, ptr {slot}")], False)


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


def _join(operation: ListOperation) -> Emitted:
    """Emit ``separator.join(texts)``: the length of the whole is added up first."""
    text, separator, texts = operation.text, operation.list, operation.list_at(1)
    count, width = texts.length(), separator.length()
    size = text.slot("i64")
    text.line(f"store i64 0, ptr {size}")

    def add(length: str) -> str:
        before = text.value(f"load i64, ptr {size}")
        text.line(f"store i64 {text.value(f'add i64 {before}, {length}')}, ptr {size}")
        return before

    def each_item() -> Iterator[tuple[str, NativeListHandle]]:
        with text.counted_loop(count) as number:
            (item,) = texts.load(texts.entry(number))
            yield number, NativeListHandle(text, ir.TEXT, item)

    for _, item in each_item():
        add(text.value(f"add i64 {item.length()}, {width}"))
    whole = new_list(text, ir.TEXT, text.value(f"load i64, ptr {size}"), operation.fail)
    text.line(f"store i64 0, ptr {size}")
    for number, item in each_item():
        with text.only_if(text.value(f"icmp ne i64 {number}, 0")):
            whole.copy("memcpy", whole.entry(add(width)), separator.entry("0"), width)
        length = item.length()
        whole.copy("memcpy", whole.entry(add(length)), item.entry("0"), length)
    whole.set_length(text.value(f"load i64, ptr {size}"))
    return operation.done(whole)


class _Parts:
    """List of parts of a text that is made; ``undone`` releases it where there is no memory."""

    def __init__(self, operation: ListOperation) -> None:
        self._operation = operation
        self._text = operation.text
        type = operation.instruction.results[0].type
        assert isinstance(type, ir.NativeList)
        self._type = type
        self._slot = self._text.slot("ptr")
        first = new_list(self._text, type, "0", operation.fail)
        self._text.line(f"store ptr {first}, ptr {self._slot}")
        self._undone = operation._replace(fail=self._text.label("undo"))

    def append(self, start: str, stop: str) -> None:
        """Append the part from a place to another."""
        text, operation = self._text, self._operation
        count = text.value(f"sub i64 {stop}, {start}")
        args = f"ptr {operation.list}, i64 {start}, i64 {count}"
        part = text.value(f"call ptr @text.part({args})")
        text.refuse(text.value(f"icmp eq ptr {part}, null"), self._undone.fail)
        parts = NativeListHandle(text, self._type, text.value(f"load ptr, ptr {self._slot}"))
        longer = parts.call(f"writable(ptr {parts}, i64 1)")
        with text.leaving(text.value(f"icmp eq ptr {longer}, null"), self._undone.fail):
            operation.references.drop(ir.TEXT, part)
        grown = NativeListHandle(text, self._type, longer)
        position = grown.length()
        grown.store(grown.entry(position), [part])
        grown.set_length(text.value(f"add i64 {position}, 1"))
        text.line(f"store ptr {grown}, ptr {self._slot}")

    def finish(self) -> Emitted:
        """Go on with the list."""
        name = self._text.value(f"load ptr, ptr {self._slot}")
        parts = NativeListHandle(self._text, self._type, name)
        return _finish(self._operation, self._undone, parts, self._slot)


def _split(operation: ListOperation) -> Emitted:
    """Emit ``text.split()``: the parts between white space; or those between another text."""
    if len(operation.args) > 1:
        return _split_by(operation)
    text, source, parts = operation.text, operation.list, _Parts(operation)
    length, start = source.length(), text.slot("i64")
    text.line(f"store i64 -1, ptr {start}")

    def end_word(stop: str) -> None:
        begin = text.value(f"load i64, ptr {start}")
        with text.only_if(text.value(f"icmp sge i64 {begin}, 0")):
            parts.append(begin, stop)
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
    return parts.finish()


def _split_by(operation: ListOperation) -> Emitted:
    """Emit ``text.split(separator)``; it fails if that is empty."""
    text, separator = operation.text, operation.list_at(1)
    width = separator.length()
    text.refuse(text.value(f"icmp eq i64 {width}, 0"), operation.fail)
    parts, start, place = _Parts(operation), text.slot("i64"), text.slot("i64")
    text.line(f"store i64 0, ptr {start}")

    def is_there() -> str:
        begin = text.value(f"load i64, ptr {start}")
        args = f"ptr {operation.list}, ptr {separator}, i64 {begin}"
        found = text.value(f"call i64 @text.find({args})")
        text.line(f"store i64 {found}, ptr {place}")
        return text.value(f"icmp sge i64 {found}, 0")

    with text.repeat_while(is_there):
        stop = text.value(f"load i64, ptr {place}")
        parts.append(text.value(f"load i64, ptr {start}"), stop)
        text.line(f"store i64 {text.value(f'add i64 {stop}, {width}')}, ptr {start}")
    parts.append(text.value(f"load i64, ptr {start}"), operation.list.length())
    return parts.finish()


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
