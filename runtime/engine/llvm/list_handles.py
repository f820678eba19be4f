"""Native lists in the code of a function: a count of references, a length, a capacity, the entries.

A list that nobody else refers to changes in place; else it is copied first, so that lists keep
their values as graphs demand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.builder import SIZE, Address, Builder
from runtime.engine.llvm.references import References, list_name
from runtime.engine.llvm.text import FunctionText, llvm_type
from runtime.engine.llvm.values import LaneValue

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


class NativeListHandle(Address):
    """Native list that code has: its address, and its type."""

    __slots__ = ("type",)

    def __init__(self, code: Builder, type: ir.NativeList, name: str) -> None:
        super().__init__(code, name)
        self.type = type

    def function(self, name: str) -> str:
        """Return the name of a function of the list's type."""
        return f"{list_name(self.type)}.{name}"

    def length(self) -> LaneValue:
        """Return the length."""
        return self.element(SIZE, 1).load()

    def set_length(self, length: LaneValue | int) -> None:
        """Set the length."""
        self.element(SIZE, 1).store(self.code.value(length))

    def index_place(self) -> Address:
        """Return where a keyed list refers to its index."""
        return self + INDEX

    def drop_index(self) -> None:
        """Free the index of a keyed list, whose entries change or which goes."""
        place = self.index_place()
        self.code.run("free", place.load_address(), extern=True)
        place.store(self.code.address("null"))

    # -- entries ----------------------------------------------------------------------------------

    def entry(self, index: LaneValue | int) -> Address:
        """Return the address of an entry."""
        return (self + header_bytes(self.type)).item(entry_type(self.type), index)

    def field(self, entry: Address, number: int) -> Address:
        """Return the address of a field of the entry at an address."""
        return entry.item(entry_type(self.type), f"0, i32 {number}")

    def load_entry(self, entry: Address) -> list[str]:
        """Return the fields of the entry at an address."""
        return [
            self.field(entry, number).load_as(llvm_type(field))
            for number, field in enumerate(self.type.fields)
        ]

    def store_entry(self, entry: Address, values: Sequence[str]) -> None:
        """Store the fields of the entry at an address."""
        for number, (field, value) in enumerate(zip(self.type.fields, values, strict=True)):
            self.field(entry, number).store(f"{llvm_type(field)} {value}")

    def copy(self, function: str, target: Address, source: Address, count: object) -> None:
        """Copy so many entries from an address to another: by "memcpy" or "memmove"."""
        size = self.code.value(count) * self.code.value(entry_bytes(self.type))
        self.code.call_address(function, target, source, size, extern=True)

    def for_each(
        self, start: LaneValue | int, stop: LaneValue, act: Callable[[ir.Type, str], None]
    ) -> None:
        """Call ``act(field type, value)`` for the managed fields of some entries."""
        if not any(field.managed for field in self.type.fields):
            return
        with self.code.each(stop, start) as position:
            self.for_managed(self.load_entry(self.entry(position)), act)

    def for_managed(self, values: Sequence[str], act: Callable[[ir.Type, str], None]) -> None:
        """Call ``act(field type, value)`` for those fields of an entry that are managed."""
        for field, value in zip(self.type.fields, values, strict=True):
            if field.managed:
                act(field, value)

    # -- changes ----------------------------------------------------------------------------------

    def writable(self, extra: LaneValue | int, fail: str) -> NativeListHandle:
        """Return the list itself, or a copy, with room for ``extra`` entries; it takes it over."""
        return self.ready("writable", fail, self, extra)

    def ready(self, function: str, fail: str, *args: object) -> NativeListHandle:
        """Return what a function of the type gives, a list; branch to ``fail`` if it is null: there
        is no memory.
        """
        handle = self.code.call_address(self.function(function), *args)
        handle.require(fail)
        return NativeListHandle(self.code, self.type, handle.name)

    def push(self, values: Sequence[str], fail: str) -> NativeListHandle:
        """Return the list with one more entry."""
        longer = self.writable(1, fail)
        length = longer.length()
        longer.store_entry(longer.entry(length), values)
        longer.set_length(length + 1)
        return longer

    def replace(
        self, references: References, index: LaneValue, values: Sequence[str], fail: str
    ) -> NativeListHandle:
        """Return the list with another entry at a place."""
        changed = self.writable(0, fail)
        if self.type.keyed:
            changed.drop_index()
        entry = changed.entry(index)
        is_managed = any(field.managed for field in self.type.fields)
        old = changed.load_entry(entry) if is_managed else []
        changed.store_entry(entry, values)
        if is_managed:
            changed.for_managed(old, references.drop)
        return changed


def new_list(code: Builder, type: ir.NativeList, count: object, fail: str) -> NativeListHandle:
    """Return a new list with room for so many entries; branch to ``fail`` without memory."""
    return NativeListHandle(code, type, "null").ready("make", fail, code.value(count))


class Emitted(NamedTuple):
    """Names of the results of a list operation, and whether it may branch to its fail label."""

    results: list[str]
    may_fail: bool


class ListOperation(NamedTuple):
    """List operation that is emitted.

    args  names of its arguments; it takes over what it consumes, unless it branches to ``fail``
    good  where it goes on if it may fail
    """

    code: Builder
    references: References
    instruction: ir.Compute
    args: Sequence[str]
    fail: str
    good: str

    @property
    def text(self) -> FunctionText:
        """Text of the function."""
        return self.code.text

    @property
    def list(self) -> NativeListHandle:
        """The list that it takes first."""
        return self.list_at(0)

    def list_at(self, number: int) -> NativeListHandle:
        """Return the list that is an argument."""
        type = self.instruction.args[number].type
        assert isinstance(type, ir.NativeList)
        return NativeListHandle(self.code, type, self.args[number])

    @property
    def result_type(self) -> ir.NativeList:
        """Type of its first result, a list."""
        type = self.instruction.results[0].type
        assert isinstance(type, ir.NativeList)
        return type

    @property
    def attrs(self) -> dict[str, Any]:
        """Attributes of the operation of its site."""
        assert self.instruction.site is not None
        attrs: dict[str, Any] = self.instruction.site.step.attrs
        return attrs

    def require(self, condition: LaneValue) -> None:
        """Fail unless a condition holds."""
        self.text.require(condition.name, self.fail)

    def refuse(self, condition: LaneValue) -> None:
        """Fail if a condition holds."""
        self.text.refuse(condition.name, self.fail)

    def done(self, *results: object) -> Emitted:
        """Go on with some results."""
        self.text.jump(self.good)
        return Emitted([*map(str, results)], True)

    def unless(self, failed: LaneValue, result: object) -> Emitted:
        """Go on with a result unless it failed."""
        self.text.branch(failed.name, self.fail, self.good, likely=False)
        return Emitted([str(result)], True)


def without_failing(*results: object) -> Emitted:
    """Return the results of an operation that cannot fail."""
    return Emitted([*map(str, results)], False)
