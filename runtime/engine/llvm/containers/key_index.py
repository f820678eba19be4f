"""LLVM functions of keyed lists: hash indexes that find the entry of a key.

An index is a table of slots, open addressed and at most half full: {known, room, shift, mask,
last}, then 32 bits a slot, 0 or the place of an entry + 1.  It knows the first ``known`` entries;
those that were appended since are entered by the next search.  ``last`` is the place that was found
or entered last, where a search looks first: programs ask whether a key is there, then read and
write what it leads to.  Lists of a few entries are searched without an index.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.builder import SIZE, Address, Builder, CodeVariable
from runtime.engine.llvm.list_handles import NativeListHandle
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
        self._list = NativeListHandle(self, type, "%list")

    def _function(self, name: str) -> str:
        """Return the name of a function of the list type."""
        return self._list.function(name)

    def _has_key(self, place: LaneValue) -> LaneValue:
        """Return whether the entry at a place has the key."""
        return self.call(self._function("same"), self._list, place, self._key, gives=ir.BOOL)

    # -- keys -------------------------------------------------------------------------------------

    def hash(self) -> None:
        """Hash a key; the highest bits choose the slot."""
        digest: LaneValue | None = None
        for number, field in enumerate(self._type.fields):
            if field == ir.TEXT:
                word = self.call("text.hash", f"ptr %k{number}")
            else:
                word = _bits_of(self.value(f"%k{number}", _number(field)))
            mixed = word if digest is None else word ^ digest
            digest = (mixed ^ (mixed >> 32)) * _FACTOR
        self.give(f"i64 {digest}")

    def same(self) -> None:
        """Compare an entry with a key; a NaN equals none."""
        self.give(self.all_hold([
            self._are_same(field, name, f"%k{number}")
            for number, (field, name) in enumerate(self._fields_at_place())
        ]))  # fmt: skip

    def _fields_at_place(self) -> Iterator[tuple[ir.Type, str]]:
        """Return the types and names of the fields of the entry at ``%place``."""
        entry = self._list.entry(self.value("%place"))
        return zip(self._type.fields, self._list.load_entry(entry), strict=True)

    def _are_same(self, field: ir.Type, first: str, second: str) -> LaneValue:
        """Return whether two fields of keys are equal."""
        if field == ir.TEXT:
            return self.call("text.same", f"ptr {first}", f"ptr {second}", gives=ir.BOOL)
        return self.value(first, _number(field)) == self.value(second, _number(field))

    def of_entry(self, gives: str, function: str, *leading: str) -> None:
        """Call a function with the key of the entry at ``%place``."""
        key = [f"{llvm_type(field)} {name}" for field, name in self._fields_at_place()]
        args = [f"ptr {name}" for name in leading]
        self.give(f"{gives} {self.text.invoke(gives, self._function(function), *args, *key)}")

    # -- search -----------------------------------------------------------------------------------

    def slot(self) -> None:
        """Return the slot of a key, or the free one where it would be entered."""
        index, place = _Index(self.address("%index")), CodeVariable(self, SIZE)
        shift, mask = index.shift.load(), index.mask.load()
        digest = self.call(self._function("hash"), self._key)
        place.set(digest.emit(f"lshr i64 {digest}, {shift}"))

        def has_other_key() -> LaneValue:
            entered = index.slot(place.get()).load(_SLOT).to(SIZE)
            return (entered != 0).and_then(lambda: ~self._has_key(entered - 1))

        with self.repeat_while(has_other_key):
            place.set((place.get() + 1) & mask)
        self.give(index.slot(place.get()))

    def find(self) -> None:
        """Find the place of a key."""
        text, length = self.text, self._list.length()
        with text.leaving((length <= FEW).name, likely=None):
            place = CodeVariable(self, SIZE, "0")
            with self.repeat_while(lambda: (place.get() < length).and_then(
                lambda: ~self._has_key(place.get())
            )):  # fmt: skip
                place.set(place.get() + 1)
            self.give((place.get() < length).choose(place.get(), -1))
        present = self._list.index_place().load_address()
        is_ready = (~present.is_null()).and_then(lambda: _Index(present).known.load() == length)
        ready = text.join("ptr")
        ready.bring_unless((~is_ready).name, present.name)
        updated = self.call_address(self._function("update"), self._list)
        self.give_if(updated.is_null(), -2)
        ready.bring(updated.name)
        index = self.address(ready.value())
        last = _Index(index).last.load()
        is_last = (last < length).and_then(lambda: self._has_key(last))
        self.give_if(is_last, last, likely=None)
        slot = self.call_address(self._function("slot"), self._list, index, self._key)
        entry_at = slot.load(_SLOT).to(SIZE) - 1  # of a key that is not there, no place at all
        _Index(index).last.store(entry_at)
        self.give(entry_at)

    # -- growth -----------------------------------------------------------------------------------

    def enter(self) -> None:
        """Enter the entry at a place, unless its key is there."""
        place = self.value("%place")
        slot = self.call_address(self._function("slot_of"), self._list, "ptr %index", place)
        with self.only_if(slot.load(_SLOT) == 0):
            slot.store(place.to(_SLOT) + 1)
        _Index(self.address("%index")).known.store(place + 1)
        _Index(self.address("%index")).last.store(place)
        self.give()

    def note(self) -> None:
        """Enter the last entry, if the index knows all others and has room."""
        index, length = self._list.index_place().load_address(), self._list.length()
        last, words = length - 1, _Index(index)
        fits = (~index.is_null()).and_then(
            lambda: (words.known.load() == last) & (length <= words.room.load())
        )
        with self.only_if(fits):
            self.run(self._function("enter"), self._list, index, last)
        self.give()

    def update(self) -> None:
        """Enter what the index does not know, in a larger one if that has no room; return it, null
        if there is no memory.
        """
        text, length, index_at = self.text, self._list.length(), self._list.index_place()
        old, ready = index_at.load_address(), text.join("ptr")
        fits = (~old.is_null()).and_then(lambda: length <= _Index(old).room.load())
        ready.bring_unless((~fits).name, old.name, likely=None)
        self.give_if(length > MOST, "ptr null")
        below = (length << 2) - 1
        shift = self.call("llvm.ctlz.i64", below, "i1 true", extern=True)
        size = below.emit(f"shl i64 1, {64 - shift}")
        new = self.call_address("calloc", 1, (size << 2) + _HEAD, extern=True)
        self.give_if(new.is_null(), "ptr null")
        words = _Index(new)
        words.room.store(size >> 1)
        words.shift.store(shift)
        words.mask.store(size - 1)
        self.run("free", old, extern=True)
        index_at.store(new)
        ready.bring(new.name)
        index = self.address(ready.value())
        with self.each(length, _Index(index).known.load()) as place:
            self.run(self._function("enter"), self._list, index, place)
        self.give(index)

    # -- removal ----------------------------------------------------------------------------------

    def forget(self) -> None:
        """Take the entry at a place out; those after it move one place."""
        text, place = self.text, self.value("%place")
        at = self._list.index_place().load_address()
        index = _Index(at)
        is_known = (~at.is_null()).and_then(lambda: place < index.known.load())
        with text.leaving(is_known.name, likely=None, holds=False):
            self.give()
        shift, mask = index.shift.load(), index.mask.load()
        last = index.known.load() - 1
        index.known.store(last)
        gone = place.to(_SLOT) + 1

        def home_of(entry: LaneValue) -> LaneValue:
            digest = self.call(self._function("hash_of"), self._list, entry)
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
        self.give()


def _number(field: ir.Type) -> ir.Scalar:
    assert isinstance(field, ir.Scalar)
    return field


def _bits_of(value: LaneValue) -> LaneValue:
    """Return 64 bits of a number, the same for equal numbers."""
    if value.type.kind == "f":
        return (value.to(ir.FLOAT64) + 0.0).bits().as_type(SIZE)  # -0.0 equals 0.0
    return value.to(SIZE)
