"""Reference counts in native code: who owns a value, when it moves and when it is released.

Each managed value that a block owns has a stack slot, null while nothing is owned, so that an error
releases all slots.  The last use of a value moves it; an earlier use that takes a value over gets a
reference of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.text import FunctionText


class References:
    """Owner of the managed values of one LLVM function."""

    def __init__(self, text: FunctionText) -> None:
        self._text = text
        self._slots: dict[int, str] = {}
        self._types: list[tuple[str, ir.Type]] = []
        """All slots, with the types of what they hold."""

    def own(self, value: ir.Register, name: str) -> None:
        """Let the function own a reference: ``name`` is stored in the slot of the value."""
        if value.type.managed:
            self._text.line(f"store ptr {name}, ptr {self.slot(value)}")

    def slot(self, value: ir.Register) -> str:
        """Return the slot of a value."""
        found = self._slots.get(value.number)
        if found is None:
            found = self._slots[value.number] = self.new_slot(value.type)
        return found

    def new_slot(self, type: ir.Type) -> str:
        """Return a slot for references of a type."""
        slot = self._text.slot("ptr", "null")
        self._types.append((slot, type))
        return slot

    def moved(self, value: ir.Register) -> None:
        """Note that the reference of a value went to another owner."""
        self._text.line(f"store ptr null, ptr {self.slot(value)}")

    def retain(self, type: ir.Type, name: str) -> None:
        """Add a reference."""
        if type is ir.OBJECT:
            self._text.call("void", "Py_IncRef", f"ptr {name}")
            return
        count = self._text.value(f"load i64, ptr {name}")
        more = self._text.value(f"add i64 {count}, 1")
        self._text.line(f"store i64 {more}, ptr {name}")

    def drop(self, type: ir.Type, name: str) -> None:
        """Take a reference away; ``name`` may be null."""
        if type is ir.OBJECT:
            self._text.call("void", "Py_DecRef", f"ptr {name}")
            return
        assert isinstance(type, ir.NativeList)
        self._text.line(f"call void @{list_name(type)}.release(ptr {name})")

    def release(self, value: ir.Register, name: str) -> None:
        """Take the reference of a value away that the function owns."""
        self.moved(value)
        self.drop(value.type, name)

    def release_all(self) -> None:
        """Release what all slots hold, after an error."""
        for slot, type in self._types:
            name = self._text.value(f"load ptr, ptr {slot}")
            self.drop(type, name)


def list_name(type: ir.NativeList) -> str:
    """Return the name of a list type in names of LLVM functions: ``list_i64_list_f64_end_end``."""
    fields = [list_name(f) if isinstance(f, ir.NativeList) else str(f) for f in type.fields]
    return f"list_{'_'.join(fields)}_end"


class LastUses:
    """Uses of the managed values of a block."""

    def __init__(self, block: ir.Block) -> None:
        self._borrowed = {value.number for value in block.borrowed}
        self._last: dict[int, int] = {}
        for position, instruction in enumerate(block.instructions):
            for value in instruction.args:
                self._last[value.number] = position
        for value in block.results:
            self._last[value.number] = len(block.instructions)

    def ends_at(self, value: ir.Register, position: int) -> bool:
        """Return whether an instruction is the last to use a value that the block owns."""
        return self._last.get(value.number) == position and value.number not in self._borrowed

    def unused(self, values: Iterable[ir.Register]) -> list[ir.Register]:
        """Return the managed values that the block owns and nothing uses."""
        return [
            v for v in values
            if v.type.managed and v.number not in self._last and v.number not in self._borrowed
        ]  # fmt: skip

    def owned(self, instruction: ir.Instruction, position: int) -> list[ir.Register]:
        """Return the managed arguments whose last use the instruction is, each once."""
        found = {
            v.number: v for v in instruction.args
            if v.type.managed and self.ends_at(v, position)
        }  # fmt: skip
        return list(found.values())


def taken(instruction: ir.Instruction) -> Counter[int]:
    """Count how often an instruction takes over each of its managed arguments."""
    return Counter(
        value.number for position, value in enumerate(instruction.args)
        if value.type.managed and instruction.consumes(position)
    )  # fmt: skip


def managed(values: Sequence[ir.Register]) -> list[ir.Register]:
    """Return the managed ones of some values, each once."""
    return list({value.number: value for value in values if value.type.managed}.values())
