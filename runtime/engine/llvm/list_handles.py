"""Native lists in the code of a function: a count of references, a length, a capacity, the entries.

A list that nobody else refers to changes in place; else it is copied first, so that lists keep
their values as graphs demand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.references import References, list_name
from runtime.engine.llvm.text import FunctionText, llvm_type

HEADER_BYTES = 24
INDEX = 24
"""Where a keyed list, whose header is longer, refers to its index (containers/key_index.py)."""


def list_type(instruction: ir.Compute) -> ir.NativeList:
    """Return the type of the list that an operation takes first."""
    type = instruction.args[0].type
    assert isinstance(type, ir.NativeList)
    return type


def entry_type(type: ir.NativeList) -> str:
    """Return the LLVM type of the entries."""
    return f"{{{', '.join(map(llvm_type, type.fields))}}}"


def entry_bytes(type: ir.NativeList) -> str:
    """Return the size of an entry in bytes, a constant expression."""
    kind = entry_type(type)
    return f"ptrtoint (ptr getelementptr ({kind}, ptr null, i64 1) to i64)"


def header_bytes(type: ir.NativeList) -> int:
    """Return where the entries begin."""
    return HEADER_BYTES + 8 * type.keyed


class NativeListHandle:
    """Native list that code has: the text of the function, its type and name."""

    __slots__ = ("name", "text", "type")

    def __init__(self, text: FunctionText, type: ir.NativeList, name: str) -> None:
        self.text = text
        self.type = type
        self.name = name

    def __str__(self) -> str:
        return self.name

    def call(self, function: str, gives: str = "ptr") -> str:
        """Call a function of the list's type, whose arguments are given, too."""
        return self.text.value(f"call {gives} @{list_name(self.type)}.{function}")

    def length(self) -> str:
        """Return the length."""
        place = self.text.value(f"getelementptr i64, ptr {self}, i64 1")
        return self.text.value(f"load i64, ptr {place}")

    def set_length(self, length: str) -> None:
        """Set the length."""
        place = self.text.value(f"getelementptr i64, ptr {self}, i64 1")
        self.text.line(f"store i64 {length}, ptr {place}")

    def index_place(self) -> str:
        """Return where a keyed list refers to its index."""
        return self.text.gep(self.name, INDEX)

    def drop_index(self) -> None:
        """Free the index of a keyed list, whose entries change or which goes."""
        place = self.index_place()
        self.text.call("void", "free", f"ptr {self.text.value(f'load ptr, ptr {place}')}")
        self.text.line(f"store ptr null, ptr {place}")

    # -- entries ----------------------------------------------------------------------------------

    def entry(self, index: str) -> str:
        """Return the address of an entry."""
        first = self.text.gep(self.name, header_bytes(self.type))
        return self.text.value(f"getelementptr {entry_type(self.type)}, ptr {first}, i64 {index}")

    def field(self, entry: str, number: int) -> str:
        """Return the address of a field of the entry at an address."""
        kind = entry_type(self.type)
        return self.text.value(f"getelementptr {kind}, ptr {entry}, i64 0, i32 {number}")

    def load(self, entry: str) -> list[str]:
        """Return the fields of the entry at an address."""
        return [
            self.text.value(f"load {llvm_type(field)}, ptr {self.field(entry, number)}")
            for number, field in enumerate(self.type.fields)
        ]

    def store(self, entry: str, values: Sequence[str]) -> None:
        """Store the fields of the entry at an address."""
        for number, (field, value) in enumerate(zip(self.type.fields, values, strict=True)):
            place = self.field(entry, number)
            self.text.line(f"store {llvm_type(field)} {value}, ptr {place}")

    def copy(self, function: str, target: str, source: str, count: str) -> None:
        """Copy so many entries from an address to another: by "memcpy" or "memmove"."""
        size = self.text.value(f"mul i64 {count}, {entry_bytes(self.type)}")
        self.text.call("ptr", function, f"ptr {target}", f"ptr {source}", f"i64 {size}")

    def for_each(self, start: str, stop: str, act: Callable[[ir.Type, str], None]) -> None:
        """Call ``act(field type, value)`` for the managed fields of some entries."""
        if not any(field.managed for field in self.type.fields):
            return
        with self.text.counted_loop(stop, start) as position:
            self.for_managed(self.load(self.entry(position)), act)

    def for_managed(self, values: Sequence[str], act: Callable[[ir.Type, str], None]) -> None:
        """Call ``act(field type, value)`` for those fields of an entry that are managed."""
        for field, value in zip(self.type.fields, values, strict=True):
            if field.managed:
                act(field, value)

    # -- changes ----------------------------------------------------------------------------------

    def writable(self, extra: int | str, fail: str) -> NativeListHandle:
        """Return the list itself, or a copy, with room for ``extra`` entries; it takes it over."""
        return self.ready(self.call(f"writable(ptr {self}, i64 {extra})"), fail)

    def ready(self, name: str, fail: str) -> NativeListHandle:
        """Return a list of the same type; branch to ``fail`` if it is null: there is no memory."""
        self.text.refuse(self.text.value(f"icmp eq ptr {name}, null"), fail)
        return NativeListHandle(self.text, self.type, name)

    def push(self, values: Sequence[str], fail: str) -> NativeListHandle:
        """Return the list with one more entry."""
        longer = self.writable(1, fail)
        length = longer.length()
        longer.store(longer.entry(length), values)
        longer.set_length(self.text.value(f"add i64 {length}, 1"))
        return longer

    def replace(
        self, references: References, index: str, values: Sequence[str], fail: str
    ) -> NativeListHandle:
        """Return the list with another entry at a place."""
        changed = self.writable(0, fail)
        if self.type.keyed:
            changed.drop_index()
        entry = changed.entry(index)
        is_managed = any(field.managed for field in self.type.fields)
        old = changed.load(entry) if is_managed else []
        changed.store(entry, values)
        if is_managed:
            changed.for_managed(old, references.drop)
        return changed


def new_list(text: FunctionText, type: ir.NativeList, count: object, fail: str) -> NativeListHandle:
    """Return a new list with room for so many entries; branch to ``fail`` without memory."""
    none = NativeListHandle(text, type, "null")
    return none.ready(none.call(f"make(i64 {count})"), fail)


class Emitted(NamedTuple):
    """Names of the results of a list operation, and whether it may branch to its fail label."""

    results: list[str]
    may_fail: bool


class ListOperation(NamedTuple):
    """List operation that is emitted.

    args  names of its arguments; it takes over what it consumes, unless it branches to ``fail``
    good  where it goes on if it may fail
    """

    text: FunctionText
    references: References
    instruction: ir.Compute
    args: Sequence[str]
    fail: str
    good: str

    @property
    def list(self) -> NativeListHandle:
        """The list that it takes first."""
        return self.list_at(0)

    def list_at(self, number: int) -> NativeListHandle:
        """Return the list that is an argument."""
        type = self.instruction.args[number].type
        assert isinstance(type, ir.NativeList)
        return NativeListHandle(self.text, type, self.args[number])

    @property
    def attrs(self) -> dict[str, Any]:
        """Attributes of the operation of its site."""
        assert self.instruction.site is not None
        attrs: dict[str, Any] = self.instruction.site.step.attrs
        return attrs

    def done(self, *results: object) -> Emitted:
        """Go on with some results."""
        self.text.jump(self.good)
        return Emitted([*map(str, results)], True)

    def unless(self, failed: str, result: str) -> Emitted:
        """Go on with a result unless it failed."""
        self.text.branch(failed, self.fail, self.good, likely=False)
        return Emitted([result], True)
