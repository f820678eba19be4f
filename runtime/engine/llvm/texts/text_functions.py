"""LLVM functions of texts, which are native lists of code points (list_handles.py)."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import partial

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.builder import SIZE, Address, Builder, CodeVariable
from runtime.engine.llvm.list_handles import NativeListHandle
from runtime.engine.llvm.text import FunctionText
from runtime.engine.llvm.values import LaneValue
from runtime.types.digest import sha256

__all__ = [
    "POINT", "PREDICATES", "SHORT", "Text", "TextCode", "define_conversions", "define_functions",
    "define_memory", "text_constant",
]  # fmt: skip

UNCOUNTED = -1
"""In place of a count of references: the text is a constant, which is copied before it changes."""
SHORT = 256
"""Characters below this number have a text of their own."""
_FACTOR = 0x100000001B3
"""The prime of the hash FNV-1a of 64 bits, by Fowler, Noll and Vo."""
POINT = ir.Scalar("u", 32)
_ASCII = 128

_KINDS = {
    "isalpha": ("IsAlpha",), "isdigit": ("IsDigit",), "isdecimal": ("IsDecimalDigit",),
    "isnumeric": ("IsNumeric",), "isspace": ("IsWhitespace",),
    "isalnum": ("IsAlpha", "IsDecimalDigit", "IsDigit", "IsNumeric"),
}  # fmt: skip
"""By method of ``str``: the functions of CPython of which one holds for each character."""
PREDICATES = frozenset(
    method
    for method, names in _KINDS.items()
    if all(hasattr(ctypes.pythonapi, f"_PyUnicode_{name}") for name in names)
)
"""Methods of ``str`` that ask something of each character, where CPython has what they ask."""


def text_constant(text: FunctionText, value: str) -> str:
    """Return the address of a text that is known."""
    if len(value) == 1 and ord(value) < SHORT:
        return f"getelementptr ([32 x i8], ptr @text.characters, i64 {ord(value)})"
    points = ", ".join(f"i32 {ord(character)}" for character in value)
    name = f"text.known_{sha256(value.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"
    count, kind = len(value), f"[{len(value)} x i32]"
    text.declared[name] = (
        f"@{name} = private unnamed_addr constant {{i64, i64, i64, {kind}}} "
        f"{{i64 {UNCOUNTED}, i64 {count}, i64 {count}, {kind} [{points}]}}"
    )
    return f"@{name}"


def define_memory(module: FunctionText) -> None:
    """Add the functions ``make``, ``retain`` and ``release``."""
    for name, gives, params, write in (
        ("make", "ptr", "i64 %count", _write_make),
        ("retain", "void", "ptr %text", _write_retain),
        ("release", "void", "ptr %text", _write_release),
    ):
        module.define(f"text.{name}", gives, params, write, "alwaysinline")


def define_conversions(module: FunctionText) -> None:
    """Add the functions ``box`` and ``unbox``."""
    module.define("text.box", "ptr", "ptr %text", _write_box, "")
    module.define("text.unbox", "ptr", "ptr %object", _write_unbox, "")


def define_functions(module: FunctionText) -> None:
    """Add the other functions of texts.

    other_character  the text of a code point that has none of its own
    same             whether two texts are equal
    order            a number below, at or above 0 for a text before, equal to or after another
    hash             64 bits, the same for equal texts
    at               whether a text stands at a place of another, which has room for it
    find             the first place from one on where a text stands in another, -1: there is none
    count            how often a text stands in another, at places that do not overlap
    of_int           the decimal digits of an int
    """
    module.declared["text.characters"] = _characters()
    functions: tuple[tuple[str, str, str, Callable[[TextCode], None], str], ...] = (
        ("other_character", "ptr", "i32 %point", TextCode.other_character, "noinline cold"),
        ("same", "i1", "ptr %a, ptr %b", TextCode.same, "alwaysinline"),
        ("order", "i64", "ptr %a, ptr %b", TextCode.order, ""),
        ("hash", "i64", "ptr %text", TextCode.hash, ""),
        ("at", "i1", "ptr %text, ptr %part, i64 %place", TextCode.at, ""),
        ("find", "i64", "ptr %text, ptr %part, i64 %start", TextCode.find, ""),
        ("count", "i64", "ptr %text, ptr %part", TextCode.count, ""),
        ("of_int", "ptr", "i64 %number", TextCode.of_int, "noinline"),
    )
    for name, gives, params, write, traits in functions:
        module.define(f"text.{name}", gives, params, partial(_write, write), traits)
    for method in sorted(PREDICATES):
        is_kind = f"text.{method}_character"
        module.define(is_kind, "i1", "i32 %point", partial(_write_kind, method), "alwaysinline")
        of_all = partial(_write_predicate, is_kind)
        module.define(f"text.{method}", "i1", "ptr %text", of_all, "")


def _characters() -> str:
    """Return the table of the texts of characters."""
    kind = "{i64, i64, i64, [1 x i32], [1 x i32]}"
    rows = ", ".join(
        f"{kind} {{i64 {UNCOUNTED}, i64 1, i64 1, [1 x i32] [i32 {n}], [1 x i32] zeroinitializer}}"
        for n in range(SHORT)
    )
    return f"@text.characters = private constant [{SHORT} x {kind}] [{rows}]"


# -- memory ---------------------------------------------------------------------------------------


def _write_make(text: FunctionText) -> None:
    code = Builder(text)
    code.give(code.call_address("rt_text_make", "i64 %count", extern=True))


def _write_retain(text: FunctionText) -> None:
    code = Builder(text)
    place = code.address("%text")
    count = place.load(ir.INT64)
    with code.only_if(count > 0):
        place.store(count + 1)
    code.give()


def _write_release(text: FunctionText) -> None:
    code = Builder(text)
    place = code.address("%text")
    with code.only_if(~place.is_null()):
        count = place.load(ir.INT64)
        with code.only_if(count > 0):
            place.store(count - 1)
            with code.only_if(count == 1):
                text.call("void", "rt_text_free", "ptr %text")
    code.give()


def _write_box(text: FunctionText) -> None:
    code = Builder(text)
    handle = NativeListHandle(code, ir.TEXT, "%text")
    args = "i32 4", handle.entry(0), handle.length()
    code.give(code.call_address("PyUnicode_FromKindAndData", *args, extern=True))


def _write_unbox(text: FunctionText) -> None:
    code, source = Builder(text), "ptr %object"
    length = code.call("PyUnicode_GetLength", source, gives=ir.INT64, extern=True)
    code.give_if(length < 0, "ptr null")
    handle = NativeListHandle(code, ir.TEXT, code.call_address("text.make", length).name)
    with text.leaving(handle.is_null().name):
        code.call_address("PyErr_NoMemory", extern=True)
        code.give("ptr null")
    handle.set_length(length)
    args = source, handle.entry(0), length, "i32 0"
    is_copied = code.call_address("PyUnicode_AsUCS4", *args, extern=True)
    with text.leaving(is_copied.is_null().name):
        code.run("text.release", handle)
        code.give("ptr null")
    code.give(handle)


# -- characters -----------------------------------------------------------------------------------


def _write_kind(method: str, text: FunctionText) -> None:
    """Write the function that tells whether a character is of a kind: those of ASCII are looked up
    in a word of bits, the others asked for.
    """
    code = Builder(text)
    bits = sum(1 << n for n in range(_ASCII) if getattr(chr(n), method)())
    point = code.value("%point", POINT)
    with text.leaving((point < _ASCII).name, likely=True):
        low, high = (code.value(bits >> n & 2**64 - 1) for n in (0, 64))
        word = (point < 64).choose(low, high)
        moved = word.emit(f"lshr i64 {word}, {(point & 63).to(SIZE)}")
        code.give(f"i1 {text.value(f'trunc i64 {moved} to i1')}")
    answer = code.value(0, ir.INT32)
    for name in _KINDS[method]:
        answer = answer | code.call(f"_PyUnicode_{name}", point, gives=ir.INT32, extern=True)
    code.give(answer != 0)


def _write_predicate(is_kind: str, text: FunctionText) -> None:
    """Write the function that tells whether a text has characters, all of a kind."""
    code = TextCode(text)
    subject, place = Text(code, "%text"), CodeVariable(code, SIZE, "0")

    def is_next() -> LaneValue:
        return code.call(is_kind, subject.point(place.get()), gives=ir.BOOL)

    with code.repeat_while(lambda: (place.get() < subject.length).and_then(is_next)):
        place.set(place.get() + 1)
    code.give((place.get() == subject.length) & (subject.length != 0))


# -- texts ----------------------------------------------------------------------------------------


class Text:
    """Text at an address: its length and code points."""

    def __init__(self, code: Builder, name: str) -> None:
        handle = NativeListHandle(code, ir.TEXT, name)
        self.length = handle.length()
        self.first = handle.entry(0)

    def point(self, place: LaneValue | int) -> LaneValue:
        """Return a code point."""
        return self.first.element(POINT, place).load(POINT)


def _write(write: Callable[[TextCode], None], text: FunctionText) -> None:
    write(TextCode(text))


class TextCode(Builder):
    """Code of one function."""

    def new(self, count: LaneValue) -> NativeListHandle:
        """Return a new text of so many characters, which are not set; leave without memory."""
        new = NativeListHandle(self, ir.TEXT, self.call_address("text.make", count).name)
        self.give_if(new.is_null(), "ptr null")
        new.set_length(count)
        return new

    def _compare(self, first: Address, second: Address, count: LaneValue) -> LaneValue:
        """Return whether so many code points are the same at two addresses."""
        return self.call("memcmp", first, second, count << 2, gives=ir.INT32, extern=True) == 0

    def other_character(self) -> None:
        """Make a text of a code point."""
        new = NativeListHandle(self, ir.TEXT, self.call_address("text.make", 1).name)
        with self.only_if(~new.is_null()):
            new.store_entry(new.entry(0), ["%point"])
            new.set_length(1)
        self.give(new)

    def same(self) -> None:
        """Compare the first characters before a function is called: most texts differ there."""
        a, b = Text(self, "%a"), Text(self, "%b")
        self.give_if(a.length != b.length, "i1 false", None)
        self.give_if(a.length == 0, "i1 true", None)
        self.give_if(a.point(0) != b.point(0), "i1 false", None)
        self.give_if(a.length == 1, "i1 true", None)
        self.give(self._compare(a.first, b.first, a.length))

    def order(self) -> None:
        """Compare code points up to the first that differ, as Python does."""
        a, b, place = Text(self, "%a"), Text(self, "%b"), CodeVariable(self, SIZE, "0")
        common = a.length.call("umin", b.length)

        def is_same() -> LaneValue:
            return a.point(place.get()) == b.point(place.get())

        with self.repeat_while(lambda: (place.get() < common).and_then(is_same)):
            place.set(place.get() + 1)
        with self.text.leaving((place.get() < common).name, likely=None):
            below = a.point(place.get()) < b.point(place.get())
            self.give(below.choose(self.value(-1, ir.INT64), 1))
        self.give(a.length - b.length)

    def hash(self) -> None:
        """Mix the length and all code points."""
        subject, digest = Text(self, "%text"), CodeVariable(self, SIZE)
        digest.set(subject.length)
        with self.each(subject.length) as place:
            digest.set((digest.get() ^ subject.point(place).to(SIZE)) * _FACTOR)
        self.give(digest.get())

    def at(self) -> None:
        """Compare a part of a text."""
        subject, needle = Text(self, "%text"), Text(self, "%part")
        place = subject.first.element(POINT, self.value("%place"))
        self.give(self._compare(place, needle.first, needle.length))

    def find(self) -> None:
        """Look at each place where the first character stands."""
        subject, needle, start = Text(self, "%text"), Text(self, "%part"), self.value("%start")
        self.give_if(needle.length == 0, start, None)
        self.give_if(needle.length > subject.length, -1, None)
        stop, place = subject.length - needle.length + 1, CodeVariable(self, SIZE)
        place.set(start)
        first, is_long = needle.point(0), needle.length != 1

        def is_there() -> LaneValue:
            return self.call("text.at", "ptr %text", "ptr %part", place.get(), gives=ir.BOOL)

        def differs() -> LaneValue:
            begins = subject.point(place.get()) == first
            return ~begins.and_then(lambda: (~is_long).or_else(is_there))

        with self.repeat_while(lambda: (place.get() < stop).and_then(differs)):
            place.set(place.get() + 1)
        exists = place.get() < stop
        self.give(exists.choose(place.get(), self.value(-1)))

    def count(self) -> None:
        """Go on behind each place that was found; nothing stands before and after each character.
        """
        subject, needle = Text(self, "%text"), Text(self, "%part")
        self.give_if(needle.length == 0, subject.length + 1, None)
        count, place = CodeVariable(self, SIZE, "0"), CodeVariable(self, SIZE, "0")

        def is_there() -> LaneValue:
            place.set(self.call("text.find", "ptr %text", "ptr %part", place.get()))
            return place.get() != self.value(-1)

        with self.repeat_while(is_there):
            count.set(count.get() + 1)
            place.set(place.get() + needle.length)
        self.give(count.get())

    def of_int(self) -> None:
        """Write digits from the last one on."""
        number = self.value("%number", ir.INT64)
        is_negative = number < 0
        opposite = self.value(self.text.value("sub i64 0, %number"))
        size = is_negative.choose(opposite, self.value("%number"))
        remaining, count = CodeVariable(self, SIZE), CodeVariable(self, SIZE, "1")
        remaining.set(size)
        with self.repeat_while(lambda: remaining.get() >= 10):
            remaining.set(self._tenth(remaining.get()))
            count.set(count.get() + 1)
        length = count.get() + is_negative.to(SIZE)
        new = self.new(length)
        new.store_entry(new.entry(0), [str(ord("-"))])
        place = CodeVariable(self, SIZE)
        place.set(length)
        remaining.set(size)
        with self.each(count.get()):
            place.set(place.get() - 1)
            tenth = self._tenth(remaining.get())
            digit = (remaining.get() - tenth * 10).to(POINT) + ord("0")
            new.store_entry(new.entry(place.get()), [str(digit)])
            remaining.set(tenth)
        self.give(new)

    def _tenth(self, number: LaneValue) -> LaneValue:
        return number.emit(f"udiv i64 {number}, 10")
