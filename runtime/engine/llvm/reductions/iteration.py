"""Emitter of an iteration that adds ints up, without a branch: of a switch both branches are
computed, and what each adds to the sums is selected.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.bounds import note_either
from runtime.engine.llvm.reductions import vector_opcodes
from runtime.engine.llvm.size_code import any_holds
from runtime.engine.llvm.text import FunctionText, literal, llvm_type

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
Outcome = tuple[list[Value], str | None]
"""Results, and a bool that is true where native code, or the addition in another order, gives up.
"""


class UnfitError(Exception):
    """The iteration does more than adding up."""


Read = Callable[[ir.Compute, Sequence[str], Sequence[int | None]], list[str]]
"""Emitter of the read of an element.  It is given the instruction, the names of its arguments, and
the distance of each index from the counter: None if the index is something else.
"""


class SumIteration:
    """Emitter of an iteration; UnfitError if the iteration does more than that."""

    def __init__(self, text: FunctionText, counter: str, read: Read) -> None:
        self._text = text
        self._read = read
        self._distances = {counter: 0}
        """By name: the distance from the counter."""
        self.checked: set[int] = set()
        """Positions of the sums that must not overflow."""
        self.additions = 0

    def block(self, block: ir.Block, inputs: Sequence[Value]) -> Outcome:
        """Emit a block."""
        values: dict[ir.Register, Value] = dict(zip(block.params, inputs, strict=True))
        flags: list[str | None] = []
        for instruction in block.instructions:
            args = [values[value] for value in instruction.args]
            match instruction:
                case ir.Number():
                    (result,) = instruction.results
                    assert isinstance(result.type, ir.Scalar)
                    values[result] = literal(instruction.value, result.type)
                    continue
                case ir.Switch():
                    outputs, flag = self._switch(instruction, args)
                case ir.Compute():
                    outputs, flag = self._compute(instruction, args)
                case _:
                    raise UnfitError
            values.update(zip(instruction.results, outputs, strict=True))
            flags.append(flag)
        return [values[value] for value in block.results], any_holds(self._text, *flags)

    def _switch(self, switch: ir.Switch, args: Sequence[Value]) -> Outcome:
        text, (condition, *inputs), split = self._text, args, switch.splits[0]
        if not isinstance(condition, str) or switch.args[0].type != ir.BOOL:
            raise UnfitError
        first, flag = self.block(switch.branches[0], inputs[:split])
        second, second_flag = self.block(switch.branches[1], inputs[split:])
        flags = [flag and text.value(f"and i1 {condition}, {flag}")]
        if second_flag is not None:
            opposite = text.value(f"xor i1 {condition}, true")
            flags.append(text.value(f"and i1 {opposite}, {second_flag}"))
        return [
            self._select_value(condition, result.type, *pair)
            for result, *pair in zip(switch.results, first, second, strict=True)
        ], any_holds(text, *flags)

    def _select_value(self, condition: str, type: ir.Type, first: Value, second: Value) -> Value:
        if first == second:
            return first
        if isinstance(first, Sum) and isinstance(second, Sum) and first.state == second.state:
            return Sum(first.state, self._select(condition, type, first.added, second.added))
        if isinstance(first, Sum) or isinstance(second, Sum):
            raise UnfitError
        return self._select(condition, type, first, second)

    def _select(self, condition: str, type: ir.Type, first: str, second: str) -> str:
        kind = llvm_type(type)
        name = self._text.value(f"select i1 {condition}, {kind} {first}, {kind} {second}")
        if type == ir.INT64:
            note_either(self._text, (first, second), name)
        return name

    def _compute(self, instruction: ir.Compute, args: Sequence[Value]) -> Outcome:
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
