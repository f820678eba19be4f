"""Loops of which a bool is known before they begin become two loops, one for each value of it.

What exchanges two arrays says which of them a name is, and each element asks for that:

    for j in ...:  x = u[j] if first else v[j]    ->    if first:  for j in ...:  x = u[j]
                                                        else:      for j in ...:  x = v[j]

LLVM does so for few instructions alone; heat on 128x128 points took 41 times what numba takes.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from runtime.engine.llvm import kernel_ir as ir

__all__ = ["unswitch_loops"]

_LEAST = 2
"""Fewest choices by a bool in a loop that are worth another copy of the loop."""
_MOST = 200
"""Instructions of the longest loop that is copied."""
_COPIES = 4
"""Most copies that become of a loop."""

_COPIED = (
    ir.Number, ir.ObjectConstant, ir.TextConstant, ir.Compute, ir.Callback, ir.Switch, ir.WhileLoop,
)  # fmt: skip


def unswitch_loops(module: ir.KernelModule) -> None:
    """Copy the loops of a module for the bools that choose in them."""
    for function in module.functions:
        _visit(module, function.block)


def _visit(module: ir.KernelModule, block: ir.Block) -> None:
    instructions: list[ir.Instruction] = []
    for instruction in block.instructions:
        if isinstance(instruction, ir.WhileLoop):
            instruction = _unswitched(module, instruction, _COPIES)
        for inner in instruction.blocks():
            _visit(module, inner)
        instructions.append(instruction)
    block.instructions = instructions


def _unswitched(module: ir.KernelModule, loop: ir.WhileLoop, copies: int) -> ir.Instruction:
    """Return the choice between copies of a loop; the loop itself where that does not gain."""
    position = _chooser(loop) if copies >= 2 else None
    if position is None:
        return loop
    branches = []
    for value in (True, False):
        params = [module.new(arg.type) for arg in loop.args]
        block = ir.Block(params)
        copier = _Copier(module, dict(zip(_numbers(loop.args), params, strict=False)))
        results = [module.new(result.type) for result in loop.results]
        constants = {position: value}
        specialized = copier.loop(loop, params, results, constants)
        block.add(_unswitched(module, specialized, copies // 2))
        block.results = tuple(results)
        branches.append(block)
    args = [loop.args[position], *loop.args, *loop.args]
    return ir.Switch(args, loop.results, branches, (len(loop.args),) * 2)


def _numbers(values: ir.Registers) -> list[int]:
    return [value.number for value in values]


def _chooser(loop: ir.WhileLoop) -> int | None:
    """Return the position of the captured bool that most choices in a loop are by; None where a
    copy does not gain.
    """
    if sum(1 for _ in _inside(loop)) > _MOST:
        return None
    if not all(isinstance(instruction, _COPIED) for instruction in _inside(loop)):
        return None
    count = len(loop.results) + loop.for_test
    uses: Counter[int] = Counter()
    for position in range(count, len(loop.args)):
        ((_, param),) = loop.params_of(position)
        if param.type == ir.BOOL:
            uses[position] = _choices(loop.body, param)
    (best, times), *_ = uses.most_common(1) or [(0, 0)]
    return best if times >= _LEAST else None


def _inside(loop: ir.WhileLoop) -> Iterator[ir.Instruction]:
    for block in loop.blocks():
        for instruction, _ in ir.instructions(block):
            yield instruction


def _choices(block: ir.Block, chooser: ir.Register) -> int:
    """Count the choices by a bool of a block, also in the loops that capture it."""
    count = 0
    for instruction in block.instructions:
        if isinstance(instruction, ir.Switch):
            count += instruction.args[0] is chooser
        elif isinstance(instruction, ir.WhileLoop):
            first = len(instruction.results)
            for position, arg in enumerate(instruction.args[first:], first):
                if arg is chooser:
                    count += sum(
                        _choices(inner, param) for inner, param in instruction.params_of(position)
                    )
    return count


class _Copier:
    """Copies instructions with registers of their own; choices by known bools are made."""

    def __init__(self, module: ir.KernelModule, registers: Mapping[int, ir.Register]) -> None:
        self._module = module
        self._registers: dict[int, ir.Register] = dict(registers)
        self._known: dict[int, bool] = {}

    def loop(
        self, loop: ir.WhileLoop, args: ir.Registers, results: ir.Registers,
        constants: Mapping[int, bool],
    ) -> ir.WhileLoop:  # fmt: skip
        """Return a copy of a loop; ``constants`` are bools by argument number."""
        for position, value in constants.items():
            for _, param in loop.params_of(position):
                self._known[param.number] = value
        test, body = self._block(loop.test), self._block(loop.body)
        return ir.WhileLoop(args, results, test, body, loop.for_test)

    def _block(self, block: ir.Block) -> ir.Block:
        params = [self._new(param) for param in block.params]
        borrowed = [self._registers[value.number] for value in block.borrowed]
        copied = ir.Block(params, borrowed)
        self._add(copied, block.instructions)
        copied.results = self._map(block.results)
        return copied

    def _new(self, value: ir.Register) -> ir.Register:
        self._registers[value.number] = register = self._module.new(value.type)
        return register

    def _map(self, values: ir.Registers) -> tuple[ir.Register, ...]:
        return tuple([self._registers[value.number] for value in values])

    def _add(self, target: ir.Block, instructions: Sequence[ir.Instruction]) -> None:
        for instruction in instructions:
            if isinstance(instruction, ir.Switch):
                self._switch(target, instruction)
            elif isinstance(instruction, ir.WhileLoop):
                constants = {
                    position: self._known[arg.number]
                    for position, arg in enumerate(instruction.args)
                    if position >= len(instruction.results) and arg.number in self._known
                }
                args = self._map(instruction.args)
                results = [self._new(value) for value in instruction.results]
                target.add(self.loop(instruction, args, results, constants))
            else:
                target.add(self._plain(instruction))

    def _plain(self, instruction: Any) -> ir.Instruction:
        copied = copy.copy(instruction)
        copied.args = self._map(instruction.args)
        copied.results = tuple([self._new(value) for value in instruction.results])
        if getattr(instruction, "site", None) is not None:
            copied.site = ir.Site(instruction.site.step, instruction.site.order)
        return copied

    def _switch(self, target: ir.Block, switch: ir.Switch) -> None:
        value = self._known.get(switch.args[0].number)
        if value is None:
            args = self._map(switch.args)
            branches = [self._block(branch) for branch in switch.branches]
            results = [self._new(result) for result in switch.results]
            target.add(ir.Switch(args, results, branches, switch.splits, switch.is_guard))
            return
        number = 0 if value else len(switch.branches) - 1
        branch = switch.branches[number]
        for param, arg in zip(branch.params, switch.inputs_of(number), strict=True):
            self._registers[param.number] = self._registers[arg.number]
        self._add(target, branch.instructions)
        for result, source in zip(switch.results, branch.results, strict=True):
            self._registers[result.number] = self._registers[source.number]
