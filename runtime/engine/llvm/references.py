"""Reference counts in native code: who owns a value, when it moves and when it is released.

The generator knows at each point which values the function owns.  An error branches to a block that
releases the last of them and goes on with the others: points that own the same values share it.
The last use of a value moves it; an earlier use that takes a value over gets a reference of its
own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.text import FunctionText

if TYPE_CHECKING:
    from runtime.engine.llvm.function_code import FunctionCode

Owned = dict[int, tuple[str, ir.Type]]
_Owners = tuple[tuple[str, ir.Type], ...]


class References:
    """Owner of the managed values of one LLVM function."""

    def __init__(self, text: FunctionText) -> None:
        self._text = text
        self._owned: Owned = {}
        """By number of a value: the name and type of the reference that the function owns."""
        self._cleanups: dict[tuple[str, _Owners], str] = {}
        """By where an error goes, and references that are released on the way: the label of the
        block that releases the last of them.
        """
        self._guards: list[tuple[str, int]] = []
        """Where errors go, and how many references are kept on the way there."""

    def acquire(self, value: ir.Register, name: str) -> None:
        """Note that the function owns a reference."""
        if value.type.managed:
            self._owned[value.number] = name, value.type

    def hand_over(self, value: ir.Register) -> None:
        """Note that the reference of a value went to another owner."""
        del self._owned[value.number]

    def owned_values(self) -> Owned:
        """Return what the function owns here, for ``return_to``."""
        return dict(self._owned)

    def return_to(self, owned: Owned) -> None:
        """Continue where the function owns these references."""
        self._owned = dict(owned)

    def guard(self, label: str) -> None:
        """Let errors from here on go to a label, where all that is owned now is owned, too."""
        self._guards.append((label, len(self._owned)))

    def unguard(self) -> None:
        """Let errors go where they went before the last ``guard``."""
        self._guards.pop()

    def is_guarded_by(self, label: str) -> bool:
        """Return whether errors go to a label."""
        return bool(self._guards) and self._guards[-1][0] == label

    def failure(self, handler: str = "") -> str:
        """Return the label to branch to after an error, here: what is owned is released, but for
        what was owned at the last ``guard``.  ``handler`` is where to go then, if elsewhere.
        """
        target, guarded = self._guards[-1] if self._guards else ("fail", 0)
        return self._cleanup(handler or target, tuple(self._owned.values())[guarded:])

    def _cleanup(self, target: str, owned: _Owners) -> str:
        if not owned:
            return target
        shared = len(owned)
        while shared and (target, owned[:shared]) not in self._cleanups:
            shared -= 1
        for count in range(shared + 1, len(owned) + 1):
            self._cleanups[target, owned[:count]] = self._text.label("clean")
        return self._cleanups[target, owned]

    def write_cleanups(self) -> None:
        """Write the blocks that errors branch to."""
        for (target, owned), label in self._cleanups.items():
            self._text.start(label)
            name, type = owned[-1]
            self.drop(type, name)
            self._text.jump(self._cleanup(target, owned[:-1]))

    def retain(self, type: ir.Type, name: str) -> None:
        """Add a reference."""
        if type is ir.OBJECT:
            self._text.call("void", "Py_IncRef", f"ptr {name}")
            return
        if type == ir.TEXT:
            self._text.line(f"call void @text.retain(ptr {name})")
            return
        count = self._text.load(name, "i64")
        incremented = self._text.value(f"add i64 {count}, 1")
        self._text.line(f"store i64 {incremented}, ptr {name}")

    def drop(self, type: ir.Type, name: str) -> None:
        """Take a reference away; ``name`` may be null."""
        if type is ir.OBJECT:
            self._text.call("void", "Py_DecRef", f"ptr {name}")
            return
        assert isinstance(type, ir.NativeList)
        self._text.line(f"call void @{list_name(type)}.release(ptr {name})")

    def release(self, value: ir.Register, name: str) -> None:
        """Take the reference of a value away that the function owns."""
        self.hand_over(value)
        self.drop(value.type, name)


class FunctionPart:
    """Code of some instructions of a function: its text, references and views of arrays."""

    def __init__(self, code: FunctionCode) -> None:
        self._code = code
        self.text = code.text
        self.references = code.references
        self.views = code.views


def list_name(type: ir.NativeList) -> str:
    """Return the name of a list type in names of LLVM functions: ``list_i64_list_f64_end_end``."""
    fields = [list_name(f) if isinstance(f, ir.NativeList) else str(f) for f in type.fields]
    if type.text:
        return "text"
    kind = "keys" if type.keyed else "list" if type.array is None else f"array{type.array.code}"
    return f"{kind}_{'_'.join(fields)}_end"


class LastUses:
    """Uses of the managed values of a block."""

    def __init__(self, block: ir.Block) -> None:
        self._borrowed = {value.number for value in block.borrowed}
        self._last_uses: dict[int, int] = {}
        for position, instruction in enumerate(block.instructions):
            for value in instruction.args:
                self._last_uses[value.number] = position
        for value in block.results:
            self._last_uses[value.number] = len(block.instructions)

    def ends_at(self, value: ir.Register, position: int) -> bool:
        """Return whether an instruction is the last to use a value that the block owns."""
        return self._last_uses.get(value.number) == position and value.number not in self._borrowed

    def unused_values(self, values: Iterable[ir.Register]) -> list[ir.Register]:
        """Return the managed values that the block owns and nothing uses."""
        return [
            v for v in values
            if v.type.managed and v.number not in self._last_uses and v.number not in self._borrowed
        ]  # fmt: skip

    def last_used_args(self, instruction: ir.Instruction, position: int) -> list[ir.Register]:
        """Return the managed arguments whose last use the instruction is, each once."""
        last_used = {
            v.number: v for v in instruction.args
            if v.type.managed and self.ends_at(v, position)
        }  # fmt: skip
        return list(last_used.values())


def consumed_counts(instruction: ir.Instruction) -> Counter[int]:
    """Count how often an instruction takes over each of its managed arguments."""
    return Counter(
        value.number for position, value in enumerate(instruction.args)
        if value.type.managed and instruction.consumes(position)
    )  # fmt: skip


def managed(values: ir.Registers) -> list[ir.Register]:
    """Return the managed ones of some values, each once."""
    return list({value.number: value for value in values if value.type.managed}.values())
