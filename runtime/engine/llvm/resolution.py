"""End of lowering: the types of lists are put in, and the sites are numbered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.exceptions.try_ir import Try
from runtime.engine.llvm.list_inference import ListVariable
from runtime.engine.llvm.texts.text_values import python_text
from runtime.ops.resource.lists import ListValue


def resolve_types(module: ir.KernelModule) -> None:
    """Put the types of lists in."""
    blocks = _blocks(module)
    _keep_lists(module, blocks)
    _spoil_unknown(blocks)
    for function in module.functions:
        function.gives = tuple([_resolve_type(type) for type in function.gives])
    for block in blocks:
        for value in block.params:
            value.type = _resolve_type(value.type)
        for instruction in block.instructions:
            for value in instruction.results:
                value.type = _resolve_type(value.type)


def drop_unused_objects(module: ir.KernelModule) -> None:
    """Drop the Python objects that nothing in the block where they are uses."""
    for block in _blocks(module):
        used = {value.number for instruction in block.instructions for value in instruction.args}
        used.update(value.number for value in block.results)
        block.instructions = [
            instruction for instruction in block.instructions
            if not isinstance(instruction, ir.ObjectConstant | ir.TextConstant)
            or instruction.results[0].number in used
        ]  # fmt: skip


def number_sites(module: ir.KernelModule) -> None:
    """Number the sites of a module; operations on Python's lists become callbacks."""
    for block in _blocks(module):
        block.instructions = [
            _finish_instruction(module, instruction) for instruction in block.instructions
        ]


def _blocks(module: ir.KernelModule) -> list[ir.Block]:
    """Return all blocks, each before those in it."""
    todo = [function.block for function in reversed(module.functions)]
    blocks = []
    while todo:
        block = todo.pop()
        blocks.append(block)
        inner = [nested for instruction in block.instructions for nested in instruction.blocks()]
        todo += reversed(inner)
    return blocks


def _resolve_type(type: Any) -> ir.Type:
    resolved: ir.Type = type.resolve() if isinstance(type, ListVariable) else type
    return resolved


_OF_CHARACTERS = frozenset({"list.text_list", "list.item", "list.len"})
"""Operations on the list of a text's characters that the text itself is enough for."""


def _keep_lists(module: ir.KernelModule, blocks: Sequence[ir.Block]) -> None:
    """Let lists be lists, also of characters, that Python sees or that other operations use."""
    values = [*module.entry.block.params, *module.entry.block.results]
    for block in blocks:
        for instruction in block.instructions:
            if isinstance(instruction, ir.Switch | ir.WhileLoop | ir.Call):
                continue
            if not isinstance(instruction, ir.Compute) or instruction.opcode not in _OF_CHARACTERS:
                values += [*instruction.args, *instruction.results]
    for value in values:
        if isinstance(value.type, ListVariable):
            value.type.be_list()


def _spoil_unknown(blocks: Sequence[ir.Block]) -> None:
    """Resolve all variables until no more of them are spoiled by others."""
    types: list[Any] = [
        value.type
        for block in blocks
        for value in (*block.params, *(v for i in block.instructions for v in i.results))
    ]
    variables = [type for type in types if isinstance(type, ListVariable)]
    before = -1
    while True:
        after = sum(variable.resolve() is ir.OBJECT for variable in variables)
        if after == before:
            return
        before = after


def _is_native_list(instruction: ir.Instruction) -> bool:
    """Return whether it is a list operation in native code, whose site only raises."""
    return isinstance(instruction, ir.Compute) and instruction.opcode.startswith("list.")


_MAKING = frozenset({"list.new", "list.array_new", "list.text_list", "list.text_split"})
"""Operations that make lists."""


def _read_text(instruction: ir.Compute) -> None:
    """Let an operation on a list of characters take the text that they are of."""
    if instruction.opcode == "list.text_list":
        instruction.opcode = "list.text_share"
    elif instruction.opcode == "list.item":
        instruction.opcode = "list.text_item"
        assert instruction.site is not None
        step = instruction.site.step
        instruction.site.step = step._replace(kernel=partial(_of_characters, step.kernel))


def _of_characters(kernel: Callable[..., Any], text: Any, *args: Any, **attrs: Any) -> Any:
    """Call the kernel of an operation on the list of a text's characters."""
    characters = [(character.encode(),) for character in python_text(text)]
    return kernel(ListValue(characters), *args, **attrs)


def _holds_texts(value: ir.Register) -> bool:
    """Return whether a value is a native list of texts."""
    type = value.type
    return isinstance(type, ir.NativeList) and not type.text and type.fields == (ir.TEXT,)


def _finish_instruction(module: ir.KernelModule, instruction: ir.Instruction) -> ir.Instruction:
    """Number the site of an instruction; an operation on a Python list becomes a callback."""
    if isinstance(instruction, ir.Compute) and _is_native_list(instruction):
        makes = instruction.opcode in _MAKING
        list_value = instruction.results[0] if makes else instruction.args[0]
        is_foreign = (
            list_value.type is ir.OBJECT
            or instruction.opcode == "list.array_fill"
            or instruction.opcode == "list.text_join" and not _holds_texts(instruction.args[1])
        )
        if is_foreign:
            assert instruction.site is not None
            instruction = ir.Callback(instruction.site, instruction.args, instruction.results)
        elif instruction.opcode in _OF_CHARACTERS and list_value.type == ir.TEXT:
            _read_text(instruction)
    if isinstance(instruction, Try):
        _finish_try(module, instruction)
    site = getattr(instruction, "site", None)
    if site is not None:
        site.raises = ir.only_raises(instruction)
        results = () if site.raises else instruction.results
        module.number(site, [v.type for v in instruction.args], [v.type for v in results])
    return instruction


def _finish_try(module: ir.KernelModule, attempt: Try) -> None:
    attempt.saved = tuple(map(_resolve_type, attempt.saved))
    attempt.kept = tuple([value.type for value in attempt.kept_args])
    attempt.parts = tuple([tuple(map(_resolve_type, types)) for types in attempt.parts])
    fields = [type for types in attempt.parts for type in types]
    module.number(attempt.choose, [ir.OBJECT], [ir.INT64, *fields])
    module.number(attempt.leave, [], [])
