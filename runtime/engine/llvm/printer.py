"""Printer of kernel IR, for tests, debugging and keys of the object cache."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runtime.engine.llvm import kernel_ir as ir


def print_module(module: ir.KernelModule) -> str:
    """Return the text of a module: its functions, one instruction a line."""
    return "\n".join(line for function in module.functions for line in _function(function))


def _function(function: ir.KernelFunction) -> Iterator[str]:
    gives = ", ".join(map(str, function.gives))
    yield f"func {function.name}({_typed(function.block.params)}) -> ({gives}):"
    yield from _block(function.block, "  ", "return")


def _typed(values: Sequence[ir.Register]) -> str:
    return ", ".join(f"{value}: {value.type}" for value in values)


def _plain(values: Sequence[ir.Register]) -> str:
    return ", ".join(map(str, values))


def _block(block: ir.Block, indent: str, end: str) -> Iterator[str]:
    for instruction in block.instructions:
        yield f"{indent}{_text(instruction)}"
        if isinstance(instruction, ir.Switch):
            names = [f"branch {k}" for k in range(len(instruction.branches))]
        else:
            names = ["test", "body"]
        for name, inner in zip(names, instruction.blocks(), strict=False):
            yield f"{indent}{name}({_typed(inner.params)}):"
            yield from _block(inner, indent + "  ", "yield")
    yield f"{indent}{end} {_plain(block.results)}".rstrip()


def _text(instruction: ir.Instruction) -> str:
    results = _typed(instruction.results)
    left = f"{results} = " if results else ""
    right = _plain(instruction.args)
    match instruction:
        case ir.Number():
            return f"{left}{instruction.value!r}"
        case ir.ObjectConstant():
            return f"{left}object {instruction.index}"
        case ir.Compute():
            otherwise = f" or site {instruction.site.index}" if instruction.site else ""
            return f"{left}{instruction.opcode} {right}".rstrip() + otherwise
        case ir.Callback():
            return f"{left}call site {instruction.site.index} ({right})"
        case ir.Switch():
            splits = ", ".join(map(str, instruction.splits))
            return f"{left}switch {right} splits ({splits})"
        case ir.WhileLoop():
            return f"{left}loop {right} for_test {instruction.for_test}"
        case ir.Call():
            return f"{left}call {instruction.function.name} ({right})"
    raise TypeError(f"no kernel instruction: {instruction!r}")
