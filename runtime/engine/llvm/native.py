"""Native code of plans and loops: lowering, code generation and compilation in one call."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from runtime.engine.llvm import debug
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays.fusion import Fusion
from runtime.engine.llvm.arrays.instructions import OF_ARRAYS
from runtime.engine.llvm.callbacks import Convert, ForeignListError, context, from_kernel, to_kernel
from runtime.engine.llvm.codegen import generate
from runtime.engine.llvm.loops_apart import LONG as LONG_TEXT
from runtime.engine.llvm.loops_apart import is_separable, loops_apart
from runtime.engine.llvm.machine_code import MOST, QUICK, USUAL, MachineCode, compile_text
from runtime.engine.llvm.packed_lists import from_list, is_packable, to_list
from runtime.engine.llvm.row_layouts import NONE_KNOWN, KnownLayouts, changed_once, known_layouts
from runtime.ops.op import RAISES, STATEFUL
from runtime.types.flags import DEBUG

LONG_CALL = 5e-4
"""Seconds of a kernel to which it adds nothing to be called by machine code."""
MOST_PROMOTED = 1000
"""Longest module that is compiled without being asked: compiling it takes up to a second."""

LONG = 100
"""Instructions of a module which is compiled quickly if it has no loops."""

MANY_LOOPS = 60
"""Loops of a module, in more than which LLVM's time grows with the square of their number: its
usual passes take half a second for 60 loops on numbers and eight seconds for 200.
"""

Otherwise = Callable[[Sequence[Any]], Sequence[Any]]
CopyResult = Callable[[Any], Any]


class _AnyLayout:
    """Code of a module for arrays of any layout, compiled when the first such array comes."""

    def __init__(self, module: ir.KernelModule, name: str) -> None:
        self._module = module
        self._name = name
        self._code: MachineCode | None = None
        self._functions: dict[CopyResult | None, Callable[..., Any]] = {}

    def call(self, copy_result: CopyResult | None, *args: Any) -> Any:
        """Call it; see ``NativeCode.with_own_results``."""
        function = self._functions.get(copy_result)
        if function is None:
            code = self._code = self._code or _compile(self._module, self._name, NONE_KNOWN)
            function = code.function(context(self._module, code, copy_result))
            self._functions[copy_result] = function
        return function(*args)


SITE_CALL = b"rt_call_site"
"""Name in object files of code that may call kernels, to give results or to raise."""


def _compile(
    module: ir.KernelModule, name: str, layouts: KnownLayouts | None = None
) -> MachineCode:
    """Compile a module."""
    start = time.perf_counter()
    text = generate(module, layouts)
    compiled = _object_files(module, text)
    code = MachineCode(compiled, name)
    if DEBUG.value:
        size = sum(map(len, compiled))
        debug.report_compiled(name, module, text, size, time.perf_counter() - start)
    return code


def _object_files(module: ir.KernelModule, text: str) -> list[bytes]:
    """Compile LLVM IR: of a long module the loops well, and the rest quickly."""
    modules = loops_apart(text) if len(text) > LONG_TEXT and is_separable(module) else None
    if modules is None:
        return [compile_text(text, effort_for(module))]
    return [compile_text(modules.outer, QUICK), compile_text(modules.loops, USUAL)]


class NativeCode:
    """Machine code of a module, called with the arrays that kernels take."""

    __slots__ = ("_any", "_code", "_name", "_otherwise", "function", "gives", "module", "takes")

    def __init__(self, module: ir.KernelModule, otherwise: Otherwise, name: str) -> None:
        self.module = module
        self._name = name
        self._code = _compile(module, name)
        self._any = _AnyLayout(module, name)
        self._otherwise = otherwise
        self.function: Callable[..., Any] = self.with_own_results(None)
        """Entry: takes and returns Python numbers, lists of them, and objects."""
        params = module.entry.block.params
        takes = [_taking(v.type) if v.type.managed else None for v in params]
        self.takes = takes if any(takes) else None
        self.gives = [_giving(type) for type in module.entry.gives]

    def with_own_results(self, copy_result: CopyResult | None) -> Callable[..., Any]:
        """Return the entry that gives objects of the caller's own: ``copy_result`` makes them, but
        of arrays that nobody else refers to.
        """
        any_layout = partial(self._any.call, copy_result)
        return self._code.function(context(self.module, self._code, copy_result, any_layout))

    def in_place(
        self, positions: Collection[int], copy_result: CopyResult, any_layout: Callable[..., Any]
    ) -> Callable[..., Any] | None:
        """Return an entry that changes the arrays at some positions in place, though the caller
        refers to them; None if it might raise when some of them are changed already.

        For arrays of other layouts it gives what ``any_layout`` gives.  Signals, which the code
        looks for, and a lack of memory may end it at any time, as they may end Python's code.
        """
        module, layouts = self.module, known_layouts(self.module)
        possible = changed_once(module).intersection(layouts.params)
        if not possible.issuperset(positions) or len(module.functions) > 1 or calls_kernels(module):
            return None
        text = generate(module, layouts._replace(in_place=frozenset(positions)))
        compiled = _object_files(module, text)
        if any(SITE_CALL in file for file in compiled):
            return None
        code = MachineCode(compiled, self._name)
        return code.function(context(module, code, copy_result, any_layout))

    def __call__(self, arrays: Sequence[Any]) -> Sequence[Any]:
        """Run; ``otherwise`` runs if a list has entries of other types than were compiled."""
        if self.takes is not None:
            try:
                arrays = [
                    convert(array) if convert else array
                    for convert, array in zip(self.takes, arrays, strict=True)
                ]
            except ForeignListError:
                return self._otherwise(arrays)
        results = self.function(*arrays)
        gives = self.gives
        if len(gives) == 1:
            convert = gives[0]
            return [convert(results) if convert else results]
        return [convert(x) if convert else x for convert, x in zip(gives, results, strict=True)]


def _taking(type: ir.Type) -> Convert | None:
    """Return the function from a kernel's value to what the entry takes; None if it is the same."""
    convert = from_kernel(type)
    if convert is not None and is_packable(type):
        return from_list(type, convert)
    return convert


def _giving(type: ir.Type) -> Convert | None:
    """Return the function from what the entry gives to a kernel's value; None if it is the same."""
    if is_packable(type):
        return to_list(type)
    return to_kernel(type)


def non_escaping_params(module: ir.KernelModule) -> set[int]:
    """Return the positions of the entry's parameters that are arrays which a run reads elements of,
    and gives back or not.

    No kernel keeps such an array, or a part of it, and writes copy it as long as the caller refers
    to it; so a caller need not pass a copy, unless it takes the results as they are.
    """
    block = module.entry.block
    escaping = _Escapes().from_block(block, frozenset())
    return {
        position for position, value in enumerate(block.params)
        if value.type is ir.OBJECT and value.number not in escaping
    }  # fmt: skip


class _Escapes:
    """Values of blocks that are used, other than by their elements; each block's are found once."""

    def __init__(self) -> None:
        self._by_block: dict[tuple[int, frozenset[int]], set[int]] = {}

    def from_block(self, block: ir.Block, results: frozenset[int]) -> set[int]:
        """Return the numbers of the values; ``results`` are the positions of the results that are
        used so.
        """
        key = id(block), results
        if key not in self._by_block:
            self._by_block[key] = self._from_block(block, results)
        return self._by_block[key]

    def _from_block(self, block: ir.Block, results: frozenset[int]) -> set[int]:
        escaping = {block.results[position].number for position in results}
        for instruction in reversed(block.instructions):
            escaping_results = frozenset(
                n for n, value in enumerate(instruction.results) if value.number in escaping
            )
            if isinstance(instruction, ir.Compute) and instruction.opcode.startswith("array."):
                if escaping_results and instruction.opcode == "array.native":  # others copy before
                    escaping.add(instruction.args[0].number)
            elif isinstance(instruction, ir.Switch):
                for number, branch in enumerate(instruction.branches):
                    arguments = instruction.inputs_of(number)
                    escaping |= self._from_arguments(branch, arguments, escaping_results)
            elif isinstance(instruction, ir.WhileLoop):
                escaping |= self._from_loop(instruction, escaping_results)
            elif not (_makes_arrays(instruction) or _shows_to_readers(block, instruction)):
                escaping |= {value.number for value in instruction.args}
        return escaping

    def _from_arguments(
        self, block: ir.Block, arguments: ir.Registers, results: frozenset[int]
    ) -> set[int]:
        """Return which of the values that a block is given are kept in it."""
        escaping = self.from_block(block, results)
        pairs = zip(block.params, arguments, strict=True)
        return {value.number for param, value in pairs if param.number in escaping}

    def _from_loop(self, loop: ir.WhileLoop, results: frozenset[int]) -> set[int]:
        """Return which arguments of a loop are kept: state that any iteration keeps is kept from
        the start.
        """
        count = len(loop.results)
        split = count + loop.for_test
        of_test, of_body = loop.args[:split], (*loop.args[:count], *loop.args[split:])
        params = [*zip(loop.test.params[:count], loop.body.params[:count], strict=True)]
        while True:
            inner = self.from_block(loop.body, results) | self.from_block(loop.test, frozenset())
            escaping_states = {
                n for n, pair in enumerate(params) if any(p.number in inner for p in pair)
            }
            if escaping_states <= results:
                break
            results |= escaping_states
        escaping = self._from_arguments(loop.test, of_test, frozenset())
        escaping |= self._from_arguments(loop.body, of_body, results)
        return escaping | {loop.args[position].number for position in results}


def _makes_arrays(instruction: ir.Instruction) -> bool:
    """Return whether an instruction gives new arrays, and keeps no argument."""
    if not isinstance(instruction, ir.Callback):
        return isinstance(instruction, (Fusion, *OF_ARRAYS))
    node = instruction.site.step.operation
    makes = node.op_def.makes_arrays
    return makes is not None and bool(makes(**node.attrs))


def _shows_to_readers(block: ir.Block, instruction: ir.Instruction) -> bool:
    """Return whether an instruction gives arrays, perhaps views of others, that are only read."""
    if not isinstance(instruction, ir.Callback):
        return False
    node, arrays = instruction.site.step.operation, instruction.results
    return (
        node.op_def.plain and not any(value in block.results for value in arrays)
        and all(np.dtype(t.dtype.as_numpy_dtype).kind in "biufc" for t in node.outputs)
        and all(_makes_arrays(user) for user in block.instructions if {*arrays} & {*user.args})
    )  # fmt: skip


def effort_for(module: ir.KernelModule) -> int:
    """Return how much LLVM should optimise a module: little if it is long and has no loops or very
    many, much if loops in loops use elements of arrays, whose checks may stay the same in the inner
    ones.
    """
    usual = list(usual_instructions(module))
    loops = [instruction for instruction, _ in usual if isinstance(instruction, ir.WhileLoop)]
    if len(loops) > MANY_LOOPS:
        return QUICK
    if any(_uses_elements_in_loops(loop.body) for loop in loops):
        return MOST
    repeats = bool(loops) or any(
        in_loop or isinstance(instruction, Fusion) for instruction, in_loop in usual
    )
    return QUICK if len(usual) > LONG and not repeats else USUAL


def _uses_elements_in_loops(block: ir.Block) -> bool:
    return any(
        in_loop and isinstance(instruction, ir.Compute) and instruction.opcode.startswith("array.")
        for instruction, in_loop in ir.instructions(block)
    )


def calls_kernels(module: ir.KernelModule) -> bool:
    """Return whether native code of a module calls kernels on its usual path."""
    return any(
        operation_called(instruction) is not None for instruction, _ in usual_instructions(module)
    )


def usual_instructions(module: ir.KernelModule) -> Iterator[tuple[ir.Instruction, bool]]:
    """Yield all instructions but constants, and whether each is in a loop or a recursive function.
    """
    for function in module.functions:
        for instruction, in_loop in _usual(function.block, function.recursive):
            # constants take no time to compile, and were half of what was counted
            if not isinstance(instruction, ir.Number):
                yield instruction, in_loop


def _usual(block: ir.Block, in_loop: bool) -> Iterator[tuple[ir.Instruction, bool]]:
    """Yield the instructions of a block and the blocks in it but those that run rarely."""
    for instruction in block.instructions:
        yield instruction, in_loop
        inner_blocks = () if isinstance(instruction, Fusion) else instruction.blocks()
        if isinstance(instruction, ir.Switch) and instruction.is_guard:
            inner_blocks = inner_blocks[:-1]
        for inner in inner_blocks:
            yield from _usual(inner, in_loop or isinstance(instruction, ir.WhileLoop))


def operation_called(instruction: ir.Instruction) -> Any:
    """Return the operation whose kernel an instruction always calls; None for rare operations."""
    if not isinstance(instruction, ir.Callback) or instruction.site.step is None:
        return None
    node = instruction.site.step.operation
    is_rare = {RAISES, STATEFUL} <= node.op_def.traits and not node.outputs  # it raises or prints
    return None if is_rare else node


def _is_innermost_and_native(instruction: ir.Instruction) -> bool:
    """Return whether an instruction is a loop that holds no other one and calls no kernels."""
    if not isinstance(instruction, ir.WhileLoop):
        return False
    inside = [inner for inner, _ in _usual(instruction.body, in_loop=True)]
    return not any(
        isinstance(inner, ir.WhileLoop) or operation_called(inner) is not None for inner in inside
    )


def why_it_does_not_pay(module: ir.KernelModule, seconds: float = 0.0) -> str:
    """Return why native code of a module would not be much faster; empty if it would.

    It pays where no loop or recursive function calls Python on its usual path, or an innermost loop
    does not, whatever the loops around it call; a graph without loops must not call Python at all,
    unless its calls take long, by the ``seconds`` of a run: it copies no arguments then.  Sites of
    checked operations are taken rarely, those of operations that raise once.  A call takes as long
    as two operations of fusions save.
    """
    usual = list(usual_instructions(module))
    if len(usual) > MOST_PROMOTED:
        return f"it has {len(usual)} operations, which take too long to compile unasked"
    repeats = any(in_loop for _, in_loop in usual)
    called = [operation_called(instruction) for instruction, in_loop in usual if in_loop is repeats]
    slow = [node for node in called if node is not None]
    fusions = [
        instruction
        for instruction, in_loop in usual
        if in_loop is repeats and isinstance(instruction, Fusion)
    ]
    if 2 * len(slow) <= sum(len(instruction.members) for instruction in fusions):
        return ""
    if any(_is_innermost_and_native(instruction) for instruction, _ in usual):
        return ""
    if not repeats and seconds > LONG_CALL * len(slow):
        return ""
    lines: dict[str, str] = {}
    for node in slow:
        line = f" in line {node.location.line}" if node.location else ""
        lines.setdefault(node.op_def.name, line)
    names = sorted(lines)
    shown = ", ".join(name + lines[name] for name in names[:4]) + (", ..." if names[4:] else "")
    return f"{'its loops call' if repeats else 'it calls'} kernels of NumPy or Python ({shown})"
