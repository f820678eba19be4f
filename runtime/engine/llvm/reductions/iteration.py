"""Emitter of an iteration that adds ints up, without a branch: of a switch both branches are
computed, and what each adds to the sums is selected.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.reductions import vector_opcodes
from runtime.engine.llvm.speculation import BranchFree, Outcome
from runtime.engine.llvm.text import FunctionText, llvm_type

MOST_ADDITIONS = 8
"""So many additions may be in an iteration."""
SMALL = 1 << 44
"""Largest size of what is added to a sum that must not overflow."""
READS = ("list.item", "array.item", "array.item.known")
"""Opcodes that read elements."""


class Sum(NamedTuple):
    """Sum during an iteration: where it is in the state, and the name of what was added so far."""

    state: int
    added: str


Value = str | Sum


class UnfitError(Exception):
    """The iteration does more than adding up."""


Read = Callable[[ir.Compute, Sequence[str], Sequence[int | None]], list[str]]
"""Emitter of the read of an element.  It is given the instruction, the names of its arguments, and
the distance of each index from the counter: None if the index is something else.
"""


class SumIteration(BranchFree):
    """Emitter of an iteration; UnfitError if the iteration does more than that."""

    def __init__(self, text: FunctionText, counter: str, read: Read) -> None:
        super().__init__(text)
        self._read = read
        self._distances = {counter: 0}
        """By name: the distance from the counter."""
        self.checked: set[int] = set()
        """Positions of the sums that must not overflow."""
        self.additions = 0

    def switch(self, switch: ir.Switch, args: Sequence[Value]) -> Outcome:
        """Emit both branches of a switch; a flag counts where its branch is taken."""
        if not isinstance(args[0], str) or switch.args[0].type != ir.BOOL:
            raise UnfitError
        return super().switch(switch, args)

    def wanted(self, condition: str, flags: Sequence[str | None]) -> Sequence[str | None]:
        """Return the flags of branches where those are taken."""
        first, second = flags
        if first is not None:
            first = self._text.value(f"and i1 {condition}, {first}")
        if second is not None:
            opposite = self._text.value(f"xor i1 {condition}, true")
            second = self._text.value(f"and i1 {opposite}, {second}")
        return first, second

    def select(self, condition: str, type: ir.Type, first: Value, second: Value) -> Value:
        """Return what a branch gives; of sums, what it adds is selected."""
        if first == second:
            return first
        if isinstance(first, Sum) and isinstance(second, Sum) and first.state == second.state:
            added = super().select(condition, type, first.added, second.added)
            return Sum(first.state, added)
        if isinstance(first, Sum) or isinstance(second, Sum):
            raise UnfitError
        selected: str = super().select(condition, type, first, second)
        return selected

    def compute(self, instruction: ir.Instruction, args: Sequence[Value]) -> Outcome:
        """Emit an operation, a read, or an addition to a sum."""
        if not isinstance(instruction, ir.Compute):
            raise UnfitError
        names = [arg for arg in args if isinstance(arg, str)]
        if len(names) < len(args):
            return self._add(instruction, args, names)
        if instruction.opcode in READS:
            distances = [self._distances.get(name) for name in names[1:]]
            return list(self._read(instruction, names, distances)), None
        if not vector_opcodes.is_vectorisable(instruction.opcode, names):
            raise UnfitError
        (result,) = instruction.results
        takes = [value.type for value in instruction.args]
        name, flag = vector_opcodes.emit(
            self._text, instruction.opcode, takes, result.type, names
        )
        self._note_distance(instruction.opcode, names, name)
        return [name], flag

    def _note_distance(self, opcode: str, names: Sequence[str], result: str) -> None:
        """Note that a result is the counter and a constant."""
        if opcode in ("add.checked", "sub.checked"):
            first, second = names if names[0] in self._distances else names[::-1]
            sign = 1 if opcode == "add.checked" else -1
            constant = second.lstrip("-").isdigit() and (sign > 0 or first is names[0])
            if first in self._distances and constant and abs(int(second)) < SMALL:
                self._distances[result] = self._distances[first] + sign * int(second)

    def _add(
        self, instruction: ir.Compute, args: Sequence[Value], names: Sequence[str]
    ) -> Outcome:
        """Emit the addition of a name to a sum."""
        operation, _, checked = instruction.opcode.partition(".")
        type = instruction.results[0].type
        sum = next(arg for arg in args if isinstance(arg, Sum))
        fit = operation == "add" or (operation == "sub" and args[0] is sum)
        self.additions += 1
        if not fit or len(names) != 1 or self.additions > MOST_ADDITIONS:
            raise UnfitError
        if not isinstance(type, ir.Scalar) or type.kind not in "iu":
            raise UnfitError
        after = self._text.value(f"{operation} {llvm_type(type)} {sum.added}, {names[0]}")
        if not checked:
            return [Sum(sum.state, after)], None
        self.checked.add(sum.state)
        return [Sum(sum.state, after)], vector_opcodes.beyond(self._text, names[0], SMALL)
