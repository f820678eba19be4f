"""Printer of kernel IR, for people and tests.

    %2: i64 = mul.checked 3, %1 else multiply         # the file and line

is an instruction of the user's line, whose slow path calls the kernel of the op ``multiply``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays.fusion import Fusion
from runtime.engine.llvm.arrays.product import Product
from runtime.engine.llvm.exceptions.try_ir import Forget, Save, Try
from runtime.ops.rules.lowering import KeyPart, RunTimeInt, Selection

_COLUMN = 60
"""Where the lines of the user's program stand."""


def print_module(module: ir.KernelModule) -> str:
    """Return the text of a module: its functions, one instruction a line."""
    return "\n".join(line for function in module.functions for line in _function(function))


def _function(function: ir.KernelFunction) -> Iterator[str]:
    gives = ", ".join(map(str, function.gives))
    yield f"func {function.name}({_with_types(function.block.params)}) -> ({gives}):"
    yield from _BlockPrinter(function.block).lines("  ", "return")


def _with_types(values: ir.Registers) -> str:
    return ", ".join(f"{value}: {value.type}" for value in values)


def _site(site: ir.Site) -> str:
    return "kernel" if site.step is None else site.step.operation.op_def.name


def _otherwise(instruction: ir.Compute) -> str:
    assert instruction.site is not None
    return "copy" if instruction.opcode in ir.PREPARATIONS else _site(instruction.site)


class _BlockPrinter:
    """Text of a block; the numbers that it defines stand where they are used."""

    def __init__(self, block: ir.Block) -> None:
        self._block = block
        self._numbers = {
            instruction.results[0]: repr(instruction.value) for instruction in block.instructions
            if isinstance(instruction, ir.Number)
        }  # fmt: skip

    def _plain(self, values: ir.Registers) -> str:
        return ", ".join(self._numbers.get(value) or str(value) for value in values)

    def lines(self, indent: str, end: str) -> Iterator[str]:
        """Yield the lines of the block, which ends with the word ``end`` and the results."""
        for instruction in self._block.instructions:
            if isinstance(instruction, ir.Number):
                continue
            line = f"{indent}{self._text(instruction)}"
            where = _location(instruction)
            yield f"{line:<{_COLUMN - 2}}  # {where}" if where else line
            if isinstance(instruction, Fusion):
                yield from _members(instruction, indent + "  ")
                continue
            for name, inner in _inner_blocks(instruction):
                yield f"{indent}{name}({_with_types(inner.params)}):"
                yield from _BlockPrinter(inner).lines(indent + "  ", "yield")
        yield f"{indent}{end} {self._plain(self._block.results)}".rstrip()

    def _arrays(self, instruction: Fusion | Product) -> str:
        """Return the arguments of an instruction, with what is selected of arrays."""
        texts = []
        for number, value in enumerate(instruction.args):
            texts.append(self._plain([value]))
            selected = instruction.selected.get(number)
            if selected is not None:
                keys = [", ".join(_selection_texts(selection)) for selection in selected.steps]
                texts[-1] += "".join(f"[{key}]" for key in keys)
        return ", ".join(texts)

    def _text(self, instruction: ir.Instruction) -> str:
        results = _with_types(instruction.results)
        assignment = f"{results} = " if results else ""
        operands = self._plain(instruction.args)
        match instruction:
            case ir.ObjectConstant():
                return f"{assignment}object {instruction.index}"
            case ir.TextConstant():
                return f"{assignment}{instruction.value!r}"
            case ir.Compute():
                otherwise = f" else {_otherwise(instruction)}" if instruction.site else ""
                if isinstance(instruction, Product):
                    operands = self._arrays(instruction)
                return f"{assignment}{instruction.opcode} {operands}".rstrip() + otherwise
            case ir.Callback():
                return f"{assignment}callback {_site(instruction.site)} ({operands})"
            case ir.Switch():
                splits = ", ".join(map(str, instruction.splits))
                return f"{assignment}switch {operands} splits ({splits})"
            case ir.WhileLoop():
                return f"{assignment}loop {operands} for_test {instruction.for_test}"
            case Fusion():
                assigns = "" if instruction.update is None else " to variable"
                arrays = self._arrays(instruction)
                return f"{assignment}fusion {arrays} over {instruction.dims}{assigns}"
            case ir.Call():
                return f"{assignment}call {instruction.function.name} ({operands})"
            case Try():
                splits = ", ".join(map(str, instruction.splits))
                return f"{assignment}try {operands} splits ({splits})".replace("  ", " ")
            case Save():
                return f"save {operands}".rstrip()
            case Forget():
                return "forget all" if instruction.forever else "forget"
        raise TypeError(f"no kernel instruction: {instruction!r}")


def _selection_texts(selection: Selection) -> Iterator[str]:
    """Yield the ints of a selection and the axes of the view: the axis of the array, and start,
    number and step of entries, or the slice.
    """
    dropped_axes = {*range(len(selection.starts))} - {axis.axis for axis in selection.axes}
    for axis in sorted(dropped_axes):
        yield f"{axis} at {_start(selection.starts[axis])}"
    for source_axis, step, size in selection.axes:
        if source_axis is None:
            yield "new"
        elif isinstance(size, KeyPart):
            yield f"{source_axis} at {_start(size)}"
        else:
            start = _start(selection.starts[source_axis])
            yield f"{source_axis}: {start}" + (f" + {step} * {size}" if step != 1 else f" + {size}")


def _start(start: int | KeyPart) -> str:
    """Return the text of an entry or of a slice; arguments of a fusion are written as ``.k``."""
    if not isinstance(start, KeyPart):
        return str(start)
    ends = start.part if isinstance(start.part, tuple) else (start.part,)
    texts = [f".{e.number}" if isinstance(e, RunTimeInt) else str(e or 0) for e in ends]
    return ":".join("" if e is None else name for e, name in zip(ends, texts, strict=True))


def _members(fusion: Fusion, indent: str) -> Iterator[str]:
    """Yield the lines of what a fusion computes."""
    for number, member in enumerate(fusion.members, len(fusion.args)):
        args = ", ".join(f".{arg}" for arg in member.args)
        over = "" if member.reduction is None else f"over {member.reduction.axes} "
        detail = "" if member.detail is None else f" {member.detail}"
        line = f"{indent}.{number}: {member.type} = {member.opcode}{detail} {over}{args}".rstrip()
        location = member.site.step.operation.location
        where = f"  # {PurePath(location.file).name}:{location.line}" if location else ""
        yield f"{line:<{_COLUMN - 2}}{where}".rstrip()
    yield f"{indent}yield {', '.join(f'.{output}' for output in fusion.outputs)}"


def _inner_blocks(instruction: ir.Instruction) -> Iterator[tuple[str, ir.Block]]:
    """Yield the blocks of an instruction with their names."""
    if isinstance(instruction, ir.Switch):
        names = [f"branch {k}" for k in range(len(instruction.branches))]
    elif isinstance(instruction, Try):
        names = ["body", "else", *[f"handler {k}" for k in range(len(instruction.handlers))]]
    else:
        names = ["test", "body"]
    yield from zip(names, instruction.blocks(), strict=False)


def _location(instruction: ir.Instruction) -> str:
    """Return the user's line of an instruction that a kernel may finish; empty for others."""
    site = getattr(instruction, "site", None)
    if site is None or site.step is None:
        return ""
    location = site.step.operation.location
    return f"{PurePath(location.file).name}:{location.line}" if location else ""
