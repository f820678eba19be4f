"""LLVM functions of keyed lists: hash indexes that find the entry of a key.

An index is a table of slots, open addressed and at most half full: {known, room, shift, mask,
last}, then 32 bits a slot, 0 or the place of an entry + 1.  It knows the first ``known`` entries;
those that were appended since are entered by the next search.  ``last`` is the place that was found
or entered last, where a search looks first: programs ask whether a key is there, then read and
write what it leads to.  Lists of a few entries are searched without an index.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.builder import SIZE, Address, Builder, CodeVariable
from runtime.engine.llvm.list_handles import INDEX, NativeListHandle
from runtime.engine.llvm.references import list_name
from runtime.engine.llvm.text import FunctionText, llvm_type
from runtime.engine.llvm.values import LaneValue

__all__ = ["define_key_functions"]

FEW = 8
"""Lists of so many entries are searched without an index."""
MOST = (1 << 31) - 2
"""Lists of more entries cannot be searched: their places do not fit a slot."""
_FACTOR = 0x9E3779B97F4A7C15 - (1 << 64)
"""Odd, and 2**64 by the golden ratio: the products of numbers in a row differ in high bits."""
_SLOT = ir.Scalar("u", 32)
_HEAD = 40
"""Bytes of an index before its slots."""
_HINTS = {"alwaysinline": ("hash", "same", "slot", "enter", "hash_of", "slot_of", "find_of"),
          "noinline": ("update", "forget")}  # fmt: skip


def define_key_functions(module: FunctionText, type: ir.NativeList) -> None:
    """Add the functions of a keyed list type.

    find    the place of a key; -1 if there is none, -2 if there is no memory
    find_of the same of the key that another list has at a place
    note    enters the entry that was appended
    forget  takes the entry out that is going to be removed
    """
    key = ", ".join(f"{llvm_type(f)} %k{number}" for number, f in enumerate(type.fields))
    hints = {name: hint for hint, names in _HINTS.items() for name in names}
    functions: tuple[tuple[str, str, str, Callable[[_KeyCode], object]], ...] = (
        ("hash", "i64", key, _KeyCode.hash),
        ("same", "i1", f"ptr %list, i64 %place, {key}", _KeyCode.same),
        ("slot", "ptr", f"ptr %list, ptr %index, {key}", _KeyCode.slot),
        ("find", "i64", f"ptr %list, {key}", _KeyCode.find),
        ("hash_of", "i64", "ptr %list, i64 %place", lambda code: code.of_entry("i64", "hash")),
        ("slot_of", "ptr", "ptr %list, ptr %index, i64 %place",
         lambda code: code.of_entry("ptr", "slot", "%list", "%index")),
        ("find_of", "i64", "ptr %list, ptr %other, i64 %place",
         lambda code: code.of_entry("i64", "find", "%other")),
        ("enter", "void", "ptr %list, ptr %index, i64 %place", _KeyCode.enter),
        ("note", "void", "ptr %list", _KeyCode.note),
        ("update", "ptr", "ptr %list", _KeyCode.update),
        ("forget", "void", "ptr %list, i64 %place", _KeyCode.forget),
    )  # fmt: skip
    for name, gives, params, write in functions:
        code = partial(_write, write, type, key)
        module.define(f"{list_name(type)}.{name}", gives, params, code, hints.get(name, ""))


def _write(
    write: Callable[[_KeyCode], object], type: ir.NativeList, key: str, text: FunctionText
) -> None:
    write(_KeyCode(text, type, key))


class _Index:
    """Index at an address: the addresses of its words and slots."""

    def __init__(self, at: Address) -> None:
        self.known, self.room, self.shift, self.mask, self.last = (
            at + 8 * number for number in range(5)
        )
        self._slots = at + _HEAD

    def slot(self, number: LaneValue) -> Address:
        """Return the address of a slot."""
        return self._slots.element(_SLOT, number)


class _KeyCode(Builder):
    """Code of one function, whose list is ``%list``; its key are ``%k0`` and so on."""

    def __init__(self, text: FunctionText, type: ir.NativeList, key: str) -> None:
        super().__init__(text)
        self._type = type
        self._key = key
        self._list = NativeListHandle(text, type, "%list")

    def _call(self, gives: str, function: str, *args: object) -> str:
        """Call a function of the list type."""
        name = f"@{list_name(self._type)}.{function}"
        return self.text.value(f"call {gives} {name}({', '.join(map(str, args))})")

    def _length(self) -> LaneValue:
        return self.value(self._list.length())

    def _index_at(self) -> Address:
        """Return where the list refers to its index."""
        return self.address("%list") + INDEX

    def _has_key(self, place: LaneValue) -> LaneValue:
        """Return whether the entry at a place has the key."""
        args = "ptr %list", f"i64 {place}", self._key
        return self.value(self._call("i1", "same", *args), ir.BOOL)

    # -- keys -------------------------------------------------------------------------------------

    def hash(self) -> None:
        """Hash a key; the highest bits choose the slot."""
        digest: LaneValue | None = None
        for number, field in enumerate(self._type.fields):
            if field == ir.TEXT:
                word = self.value(self.text.value(f"call i64 @text.hash(ptr %k{number})"))
            else:
                word = _bits_of(self.value(f"%k{number}", _number(field)))
            mixed = word if digest is None else word ^ digest
            digest = (mixed ^ (mixed >> 32)) * _FACTOR
        self.finish(f"i64 {digest}")

    def same(self) -> None:
        """Compare an entry with a key; a NaN equals none."""
        fields = zip(self._type.fields, self._list.load(self._list.entry("%place")), strict=True)
        self.finish("i1 " + self.all_hold([
            self._are_same(field, name, f"%k{number}")
            for number, (field, name) in enumerate(fields)
        ]).name)  # fmt: skip

    def _are_same(self, field: ir.Type, first: str, second: str) -> LaneValue:
        """Return whether two fields of keys are equal."""
        if field == ir.TEXT:
            call = f"call i1 @text.same(ptr {first}, ptr {second})"
            return self.value(self.text.value(call), ir.BOOL)
        return self.value(first, _number(field)) == self.value(second, _number(field))

    def of_entry(self, gives: str, function: str, *leading: str) -> None:
        """Call a function with the key of the entry at ``%place``."""
        fields = zip(self._type.fields, self._list.load(self._list.entry("%place")), strict=True)
        args = [f"ptr {name}" for name in leading]
        args += [f"{llvm_type(field)} {name}" for field, name in fields]
        self.finish(f"{gives} {self._call(gives, function, *args)}")

    # -- search -----------------------------------------------------------------------------------

    def slot(self) -> None:
        """Return the slot of a key, or the free one where it would be entered."""
        index, place = _Index(self.address("%index")), CodeVariable(self, SIZE)
        shift, mask = index.shift.load(), index.mask.load()
        digest = self.value(self._call("i64", "hash", self._key))
        place.set(digest.emit(f"lshr i64 {digest}, {shift}"))

        def has_other_key() -> LaneValue:
            entered = index.slot(place.get()).load(_SLOT).to(SIZE)
            return (entered != 0).and_then(lambda: ~self._has_key(entered - 1))

        with self.repeat_while(has_other_key):
            place.set((place.get() + 1) & mask)
        self.finish(f"ptr {index.slot(place.get())}")

    def find(self) -> None:
        """Find the place of a key."""
        text, length = self.text, self._length()
        with text.leaving((length <= FEW).name, likely=None):
            place = CodeVariable(self, SIZE, "0")
            with self.repeat_while(lambda: (place.get() < length).and_then(
                lambda: ~self._has_key(place.get())
            )):  # fmt: skip
                place.set(place.get() + 1)
            text.line(f"ret i64 {(place.get() < length).choose(place.get(), -1)}")
        present = self._index_at().load_address()
        is_ready = (~present.is_null()).and_then(lambda: _Index(present).known.load() == length)
        ready = text.join("ptr")
        ready.bring_unless((~is_ready).name, present.name)
        updated = self.address(self._call("ptr", "update", "ptr %list"))
        with text.leaving(updated.is_null().name):
            text.line("ret i64 -2")
        ready.bring(updated.name)
        index = self.address(ready.value())
        last = _Index(index).last.load()
        is_last = (last < length).and_then(lambda: self._has_key(last))
        with text.leaving(is_last.name, likely=None):
            text.line(f"ret i64 {last}")
        args = "ptr %list", f"ptr {index}", self._key
        entered = self.address(self._call("ptr", "slot", *args)).load(_SLOT)
        entry_at = entered.to(SIZE) - 1  # of a key that is not there, no place at all
        _Index(index).last.store(entry_at)
        self.finish(f"i64 {entry_at}")

    # -- growth -----------------------------------------------------------------------------------

    def enter(self) -> None:
        """Enter the entry at a place, unless its key is there."""
        place = self.value("%place")
        slot = self.address(self._call(
            "ptr", "slot_of", "ptr %list", "ptr %index", "i64 %place"
        ))  # fmt: skip
        with self.only_if(slot.load(_SLOT) == 0):
            slot.store(place.to(_SLOT) + 1)
        _Index(self.address("%index")).known.store(place + 1)
        _Index(self.address("%index")).last.store(place)
        self.finish()

    def note(self) -> None:
        """Enter the last entry, if the index knows all others and has room."""
        index, length = self._index_at().load_address(), self._length()
        last, words = length - 1, _Index(index)
        fits = (~index.is_null()).and_then(
            lambda: (words.known.load() == last) & (length <= words.room.load())
        )
        with self.only_if(fits):
            self.run(f"{list_name(self._type)}.enter", "ptr %list", index, last)
        self.finish()

    def update(self) -> None:
        """Enter what the index does not know, in a larger one if that has no room; return it, null
        if there is no memory.
        """
        text, length, index_at = self.text, self._length(), self._index_at()
        old, ready = index_at.load_address(), text.join("ptr")
        fits = (~old.is_null()).and_then(lambda: length <= _Index(old).room.load())
        ready.bring_unless((~fits).name, old.name, likely=None)
        with text.leaving((length > MOST).name):
            text.line("ret ptr null")
        below = (length << 2) - 1
        shift = self.value(text.call("i64", "llvm.ctlz.i64", f"i64 {below}", "i1 true"))
        size = below.emit(f"shl i64 1, {64 - shift}")
        new = self.address(text.call("ptr", "calloc", "i64 1", f"i64 {(size << 2) + _HEAD}"))
        with text.leaving(new.is_null().name):
            text.line("ret ptr null")
        words = _Index(new)
        words.room.store(size >> 1)
        words.shift.store(shift)
        words.mask.store(size - 1)
        text.call("void", "free", f"ptr {old}")
        index_at.store(new)
        ready.bring(new.name)
        index = self.address(ready.value())
        with self.each(length, _Index(index).known.load()) as place:
            self.run(f"{list_name(self._type)}.enter", "ptr %list", index, place)
        self.finish(f"ptr {index}")

    # -- removal ----------------------------------------------------------------------------------

    def forget(self) -> None:
        """Take the entry at a place out; those after it move one place."""
        text, place = self.text, self.value("%place")
        at = self._index_at().load_address()
        index = _Index(at)
        is_known = (~at.is_null()).and_then(lambda: place < index.known.load())
        with text.leaving(is_known.name, likely=None, holds=False):
            text.line("ret void")
        shift, mask = index.shift.load(), index.mask.load()
        last = index.known.load() - 1
        index.known.store(last)
        gone = place.to(_SLOT) + 1

        def home_of(entry: LaneValue) -> LaneValue:
            digest = self._call("i64", "hash_of", "ptr %list", f"i64 {entry}")
            return place.emit(f"lshr i64 {digest}, {shift}")

        hole, current = CodeVariable(self, SIZE), CodeVariable(self, SIZE)
        hole.set(home_of(place))

        def is_other() -> LaneValue:
            entered = index.slot(hole.get()).load(_SLOT)
            return (entered != gone) & (entered != 0)

        with self.repeat_while(is_other):
            hole.set((hole.get() + 1) & mask)
        current.set(hole.get())

        def is_filled() -> LaneValue:
            current.set((current.get() + 1) & mask)
            return index.slot(current.get()).load(_SLOT) != 0

        with self.repeat_while(is_filled):  # entries that probes found past the hole move to it
            number = current.get()
            entered = index.slot(number).load(_SLOT)
            probes = (number - home_of(entered.to(SIZE) - 1)) & mask
            with self.only_if(probes >= ((number - hole.get()) & mask)):
                index.slot(hole.get()).store(entered)
                hole.set(number)
        index.slot(hole.get()).store(gone.constant(0))
        with self.only_if(place != last), self.each(mask + 1) as number:
            entered = index.slot(number).load(_SLOT)
            index.slot(number).store(entered - (entered > gone).to(_SLOT))
        self.finish()


def _number(field: ir.Type) -> ir.Scalar:
    assert isinstance(field, ir.Scalar)
    return field


def _bits_of(value: LaneValue) -> LaneValue:
    """Return 64 bits of a number, the same for equal numbers."""
    if value.type.kind == "f":
        return (value.to(ir.FLOAT64) + 0.0).bits().as_type(SIZE)  # -0.0 equals 0.0
    return value.to(SIZE)
