"""Speculation: of cheap branches all are computed, and the results of one are selected.

Processors guess which way a branch goes, and lose many cycles where they guess wrong.  LLVM selects
by itself where nothing in the branches gives up.  Python's arithmetic may overflow in a branch that
is not wanted; where anything does, the switch runs as it is written.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.bounds import note_bounds, note_either
from runtime.engine.llvm.loop_code import counter_of
from runtime.engine.llvm.size_code import any_holds
from runtime.engine.llvm.text import FunctionText, literal, llvm_type
from runtime.engine.llvm.values import OPCODES

Outcome = tuple[list[Any], str | None]
"""Results, and a bool that is true where they do not hold."""

MOST_CYCLES = 3
"""Branches of so many cycles cost less than wrong guesses every second time."""

FAST = frozenset({
    "abs", "abs.checked", "add", "add.checked", "and", "cast", "cast.exact", "copy", "eq", "ge",
    "gt", "increment", "le", "lt", "max", "min", "ne", "neg", "neg.checked", "not", "or", "select",
    "sign", "sub", "sub.checked", "truth", "xor",
})  # fmt: skip
"""Opcodes of ints that take the processor a cycle or two, and do no harm for any input."""

_NEVER = float("inf")


def speculated_switches(function: ir.KernelFunction) -> set[ir.Switch]:
    """Return the switches in loops whose branches are all computed.

    Their conditions are on remainders by small numbers, which hold about every second time.
    Processors learn what depends on counters alone, and most other conditions hold rarely or nearly
    always.
    """
    switches: set[ir.Switch] = set()
    _look_into(function.block, (), False, switches)
    return switches


def _look_into(
    block: ir.Block,
    predictable_params: Collection[ir.Register],
    in_loop: bool,
    switches: set[ir.Switch],
) -> None:
    """Add the switches of a block; ``predictable_params`` count, or stay the same."""
    predictable, definitions = set(predictable_params), dict[ir.Register, ir.Instruction]()
    for instruction in block.instructions:
        definitions.update(dict.fromkeys(instruction.results, instruction))
        match instruction:
            case ir.WhileLoop():
                for inner, params in _predictable_params(instruction):
                    _look_into(inner, params, True, switches)
            case ir.Switch():
                for number, branch in enumerate(instruction.branches):
                    pairs = zip(branch.params, instruction.inputs_of(number), strict=True)
                    params = [param for param, value in pairs if value in predictable]
                    _look_into(branch, params, in_loop, switches)
                condition = instruction.args[0]
                if (
                    in_loop
                    and condition not in predictable
                    and _is_of_remainder(condition, definitions)
                ):
                    switches |= {instruction} if _cycles(instruction) <= MOST_CYCLES else set()
            case ir.Number() | ir.Compute() if predictable.issuperset(instruction.args):
                predictable.update(instruction.results)


def _predictable_params(loop: ir.WhileLoop) -> list[tuple[ir.Block, list[ir.Register]]]:
    """Return the blocks of a loop with their parameters that count, or stay the same."""
    count, counter = len(loop.results), counter_of(loop)
    states = [] if counter is None else [counter.state]
    same = set(loop.body.params[count:])
    for instruction in loop.body.instructions:
        if isinstance(instruction, ir.Number):
            same.update(instruction.results)
        elif isinstance(instruction, ir.Compute) and instruction.opcode == "add.checked":
            states += [
                position for position, value in enumerate(loop.body.params[:count])
                if value in instruction.args and same.issuperset({*instruction.args} - {value})
                and loop.body.results[position] in instruction.results
            ]
    return [
        (inner, [*(inner.params[state] for state in states), *inner.params[count:]])
        for inner in loop.blocks()
    ]


def _is_of_remainder(
    condition: ir.Register, definitions: dict[ir.Register, ir.Instruction]
) -> bool:
    """Return whether a condition is one of a remainder by a small number."""
    for _ in range(3):
        instruction = definitions.get(condition)
        if not isinstance(instruction, ir.Compute):
            return False
        if instruction.opcode in ("floormod", "and"):
            number = definitions.get(instruction.args[1])
            return isinstance(number, ir.Number) and number.value in (1, 2, 3, 4)
        if instruction.opcode not in ("eq", "ne", "truth", "not"):
            return False
        condition = instruction.args[0]
    return False


def _cycles(switch: ir.Switch) -> float:
    """Return the cycles of the longer branch; infinity if nothing in a branch gives up, or a branch
    cannot be run in vain.
    """
    if switch.args[0].type != ir.BOOL or len(switch.branches) != 2:
        return _NEVER
    if not all(map(_is_int, (*switch.args, *switch.results))):
        return _NEVER
    instructions = [
        instruction for branch in switch.branches for instruction, _ in ir.instructions(branch)
    ]
    if not any(
        isinstance(instruction, ir.Compute) and instruction.opcode.endswith(".checked")
        for instruction in instructions
    ):
        return _NEVER
    return max(_cycles_of_block(branch) for branch in switch.branches)


def _is_int(value: ir.Register) -> bool:
    return isinstance(value.type, ir.Scalar) and value.type.kind != "f"


def _cycles_of_block(block: ir.Block) -> float:
    constants: dict[ir.Register, int | float] = {}
    cycles = 0.0
    for instruction in block.instructions:
        if isinstance(instruction, ir.Number):
            constants[instruction.results[0]] = instruction.value
        elif isinstance(instruction, ir.Compute):
            cycles += _cycles_of(instruction, [constants.get(value) for value in instruction.args])
        else:
            return _NEVER
    return cycles


def _cycles_of(instruction: ir.Compute, constants: Sequence[int | float | None]) -> float:
    """Return the cycles of an instruction, of whose arguments some are constants."""
    bits = [abs(n).bit_count() if isinstance(n, int) else 64 for n in constants]
    match instruction.opcode:
        case "floordiv" | "floormod":  # by powers of two
            return 1 if bits[1] == 1 and (constants[1] or 0) > 0 else _NEVER
        case "mul" | "mul.checked":
            return 1 if min(bits) <= 2 else 3
        case opcode:
            ints = all(map(_is_int, instruction.args))
            return 1 if opcode in FAST and ints else _NEVER


class BranchFree:
    """Emitter of code without branches: of a switch both branches are computed, and the results of
    one are selected.  Results come with a bool that is true where they do not hold; None: never.
    """

    def __init__(self, text: FunctionText) -> None:
        self._text = text

    def block(self, block: ir.Block, inputs: Sequence[Any]) -> Outcome:
        """Emit a block; return its results."""
        values: dict[ir.Register, Any] = dict(zip(block.params, inputs, strict=True))
        flags: list[str | None] = []
        for instruction in block.instructions:
            args = [values[value] for value in instruction.args]
            if isinstance(instruction, ir.Number):
                (result,) = instruction.results
                assert isinstance(result.type, ir.Scalar)
                values[result] = literal(instruction.value, result.type)
                continue
            emit = self.switch if isinstance(instruction, ir.Switch) else self.compute
            outputs, flag = emit(instruction, args)
            values.update(zip(instruction.results, outputs, strict=True))
            flags.append(flag)
        return [values[value] for value in block.results], any_holds(self._text, *flags)

    def switch(self, switch: Any, args: Sequence[Any]) -> Outcome:
        """Emit both branches of a switch."""
        by_register = dict(zip(switch.args, args, strict=True))
        results_of, flags = [], list[str | None]()
        for number, branch in enumerate(switch.branches):
            inputs = [by_register[value] for value in switch.inputs_of(number)]
            results, flag = self.block(branch, inputs)
            results_of.append(results)
            flags.append(flag)
        selected = [
            self.select(args[0], result.type, first, second)
            for result, first, second in zip(switch.results, *results_of, strict=True)
        ]
        return selected, any_holds(self._text, *self.wanted(args[0], flags))

    def wanted(self, condition: str, flags: Sequence[str | None]) -> Sequence[str | None]:
        """Return the flags of branches that count: here all do, which takes the least time."""
        return flags

    def select(self, condition: str, type: ir.Type, first: Any, second: Any) -> Any:
        """Return what a branch gives, the first one if the condition holds."""
        if first == second:
            return first
        kind = llvm_type(type)
        name = self._text.value(f"select i1 {condition}, {kind} {first}, {kind} {second}")
        if type == ir.INT64:
            note_either(self._text, (first, second), name)
        return name

    def compute(self, instruction: Any, args: Sequence[Any]) -> Outcome:
        """Emit an operation."""
        (result,), takes = instruction.results, [value.type for value in instruction.args]
        name, flag = OPCODES[instruction.opcode](self._text, takes, result.type, args)
        note_bounds(self._text, instruction.opcode, takes, result.type, args, name)
        return [name], flag
