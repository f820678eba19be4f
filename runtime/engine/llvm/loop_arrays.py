"""Arrays that are written, or used in loops: what has to be known of them is found out before.

An array that is written is the code's own: ``array.own`` copies it if anybody else refers to it,
once before a loop or before the first of several writes.  An array that a loop reads has the dtype
and rank of the graph: ``array.native`` converts any other.  So the reads in loops and all writes,
now called ``array.item.known`` and so on, call a kernel only where it raises or converts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.plan import PlanStep
from runtime.types.errors import InternalError

_DEAD = -1
"""Position of an array that a block does not give."""


def prepare_arrays(module: ir.KernelModule) -> None:
    """Prepare the arrays of a module, whose sites are not numbered yet."""
    for function in module.functions:
        _Preparation(function.block, module.new).run()


class _Preparation:
    """Preparation of the arrays of a block and of those inside of it."""

    def __init__(self, block: ir.Block, new: Callable[[ir.Type], ir.Register]) -> None:
        self._block = block
        self._new = new
        self._instructions: list[ir.Instruction] = []
        self._owned_arrays: set[int] = set()
        """Values that nobody else refers to where they are defined."""
        self._uses: dict[int, list[int]] = {}
        for position, instruction in enumerate(block.instructions):
            for value in instruction.args:
                self._uses.setdefault(value.number, []).append(position)

    def run(self) -> None:
        """Replace the instructions of the block."""
        for number, instruction in enumerate(self._block.instructions):
            if isinstance(instruction, ir.WhileLoop):
                for position in range(len(instruction.args)):
                    elements = _elements(instruction, position)
                    if elements:
                        is_state = position < len(instruction.results)
                        self._prepare(number, position, elements, "own" if is_state else "native")
            elif isinstance(instruction, ir.Compute) and instruction.writes_array():
                if not instruction.is_known:
                    self._prepare(number, 0, [instruction], "own")
            for inner in instruction.blocks():
                _Preparation(inner, self._new).run()
            self._instructions.append(instruction)
        self._block.instructions = self._instructions

    def _prepare(
        self, number: int, position: int, elements: list[ir.Compute], preparation: str
    ) -> None:
        """Prepare an argument of an instruction, for the reads and writes of its elements."""
        instruction = self._block.instructions[number]
        args = list(instruction.args)
        if preparation == "native" or not self._is_own(args[position], number):
            args[position] = self._new(ir.OBJECT)
            site = elements[0].site
            assert site is not None
            copy_site = site_of_copy(site.step.operation, *ir.layout_of(elements[0]))
            opcode, before = f"array.{preparation}", instruction.args[position]
            self._instructions.append(ir.Compute(opcode, [before], [args[position]], copy_site))
        for element in elements:
            element.opcode += ".known"
        instruction.args = tuple(args)
        if preparation == "own":
            self._owned_arrays.add(instruction.results[position].number)

    def _is_own(self, array: ir.Register, number: int) -> bool:
        """Return whether nobody else refers to an array, and an instruction is the last to use it.
        """
        *before, last_use = self._uses[array.number]
        earlier = [self._block.instructions[use] for use in before]
        return (
            array.number in self._owned_arrays and last_use == number
            and array not in self._block.results
            and all(_only_reads(instruction, array) for instruction in earlier)
        )  # fmt: skip


def _only_reads(instruction: ir.Instruction, array: ir.Register) -> bool:
    """Return whether an instruction does nothing else with an array than reading elements of it."""
    if isinstance(instruction, ir.Switch | ir.WhileLoop):
        return _passes_for_reads(instruction, array, [])
    return isinstance(instruction, ir.Compute) and instruction.reads_array()


def _elements(loop: ir.WhileLoop, position: int) -> list[ir.Compute]:
    """Return the reads and writes of an array of a loop, if the loop can prepare it for them."""
    accesses: list[ir.Compute] = []
    array = loop.args[position]
    if array.type is not ir.OBJECT:
        return accesses
    params = loop.params_of(position)
    if position >= len(loop.results):
        for inner, param in params:
            _collect_reads(inner, param, accesses)
        return accesses
    stays_owned = all(_returns_owned(inner, param, position, accesses) for inner, param in params)
    is_written = any(access.opcode == "array.set" for access in accesses)
    return accesses if stays_owned and is_written else []


def _returns_owned(
    block: ir.Block, array: ir.Register, position: int, accesses: list[ir.Compute]
) -> bool:
    """Return whether a block of a loop keeps the array at a position of the state its own."""
    if array in block.borrowed:
        return _collect_reads(block, array, accesses)
    return _owned_position(block, array, accesses) == position


def _collect_reads(block: ir.Block, array: ir.Register, accesses: list[ir.Compute]) -> bool:
    """Add the reads of an array to the accesses; return whether it is used for nothing else."""
    only_reads = array not in block.results
    for instruction in block.instructions:
        if array not in instruction.args:
            continue
        if isinstance(instruction, ir.Compute) and instruction.reads_array():
            _add(instruction, accesses)
        elif isinstance(instruction, ir.Switch | ir.WhileLoop):
            only_reads &= _passes_for_reads(instruction, array, accesses)
        else:
            only_reads = False
    return only_reads


def _passes_for_reads(
    instruction: ir.Switch | ir.WhileLoop, array: ir.Register, accesses: list[ir.Compute]
) -> bool:
    """Return whether an instruction passes an array on for reads alone (see ``_collect_reads``)."""
    only_reads = True
    state = len(instruction.results) if isinstance(instruction, ir.WhileLoop) else 0
    for position, value in enumerate(instruction.args):
        if value is not array:
            continue
        if position < state:  # another array may take its place
            only_reads = False
            continue
        for inner, param in instruction.params_of(position):
            only_reads &= _collect_reads(inner, param, accesses)
    return only_reads


def _add(instruction: ir.Compute, accesses: list[ir.Compute]) -> None:
    if not instruction.is_known:
        accesses.append(instruction)


def _owned_position(block: ir.Block, array: ir.Register, accesses: list[ir.Compute]) -> int | None:
    """Return the position of an array among the results of a block that owns it; None if anything
    but the block may refer to it by then.  Its reads and writes are added to the accesses.
    """
    for number, instruction in enumerate(block.instructions):
        if array not in instruction.args:
            continue
        position: int | None = None
        if isinstance(instruction, ir.Compute) and instruction.reads_array():
            _add(instruction, accesses)
            continue
        if isinstance(instruction, ir.Compute) and instruction.writes_array():
            _add(instruction, accesses)
            position = 0
        elif isinstance(instruction, ir.Switch | ir.WhileLoop):
            reads: list[ir.Compute] = []
            if _passes_for_reads(instruction, array, reads):
                accesses += reads
                continue
            position = _position_after(instruction, array, accesses)
        later = block.instructions[number + 1 :]
        if (
            position is None
            or array in block.results
            or any(array in instruction.args for instruction in later)
        ):
            return None
        if position == _DEAD:
            return _DEAD
        array = instruction.results[position]
    count = block.results.count(array)
    return None if count > 1 else block.results.index(array) if count else _DEAD


def _position_after(
    instruction: ir.Switch | ir.WhileLoop, array: ir.Register, accesses: list[ir.Compute]
) -> int | None:
    """Return the position of an array among the results of an instruction, as _owned_position."""
    positions = [n for n, value in enumerate(instruction.args) if value is array]
    if isinstance(instruction, ir.WhileLoop):
        (position, *repeats) = positions
        params = instruction.params_of(position)
        if repeats or not all(
            _returns_owned(inner, param, position, accesses) for inner, param in params
        ):
            return None
        return position
    params = [pair for position in positions for pair in instruction.params_of(position)]
    ends = {_owned_position(inner, param, accesses) for inner, param in params}
    blocks = {id(inner) for inner, _ in params}
    covers_all = len(blocks) == len(params) == len(instruction.branches)
    return ends.pop() if covers_all and len(ends) == 1 else None


def site_of_copy(operation: Any, dtype: np.dtype[Any], rank: int) -> ir.Site:
    """Return the site that makes a native array, and its own, of the array of an operation."""
    step = PlanStep(_native_copy, {"dtype": dtype, "rank": rank}, (), (), (), operation)
    return ir.Site(step, order=())


def _native_copy(array: Any, *, dtype: np.dtype[Any], rank: int) -> Any:
    copy = np.array(array, dtype, order="C")
    if copy.ndim != rank:
        raise InternalError(f"an array of rank {copy.ndim} is where one of rank {rank} should be")
    return copy
