"""Code generator: a module of kernel IR becomes LLVM IR, a function for each of its functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import (
    conversion_code,
    entry_code,
    formula_code,
    libm_code,
    list_code,
    python_number_code,
    range_code,
    scalar_code,
)
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.containers import list_operations
from runtime.engine.llvm.function_code import FunctionCode
from runtime.engine.llvm.loop_facts import METADATA
from runtime.engine.llvm.row_layouts import NONE_KNOWN, KnownLayouts, known_layouts
from runtime.engine.llvm.text import FunctionText

_FAMILIES = (conversion_code, formula_code, libm_code, python_number_code, range_code, scalar_code)
"""Modules that enter their opcodes when they are imported."""


class Caller(NamedTuple):
    """What the code of a module is written for.

    entry      function that writes the module's entry
    functions  by name: functions that are written already, in place of those that call Python
    """

    entry: Callable[[ir.KernelFunction, KnownLayouts, dict[str, str]], str]
    functions: Mapping[str, str]


PYTHON = Caller(entry_code.entry_function, {})


def generate(
    module: ir.KernelModule, layouts: KnownLayouts | None = None, caller: Caller = PYTHON
) -> str:
    """Return the LLVM IR of a module; its function ``entry`` is called from Python.

    ``layouts`` are those of arrays that it may take for granted; None takes all that are known.
    """
    layouts = known_layouts(module) if layouts is None else layouts
    common, of_lists = FunctionText(""), dict[str, str]()
    constants, texts = dict[str, str](), list[str]()
    for function in module.functions:
        code = FunctionCode(function, layouts if function is module.entry else NONE_KNOWN)
        code.text.declared.update(caller.functions)
        texts.append(code.generate())
        common.declared.update(code.text.declared)
        constants.update(code.text.constants)
    texts.append(caller.entry(module.entry, layouts, common.declared))
    for type in list_code.list_types(module):
        of_lists |= list_operations.functions_of(type)
    # after what calls them: a loop that looks keys up took 7 % longer with them before it
    for name, definition in of_lists.items():
        if definition.startswith("define"):
            texts.append(definition)
        else:
            common.declared[name] = definition
    texts += [
        f'{name} = private constant [{len(value)} x i8] c"{value}"'
        for value, name in constants.items() if value
    ]  # fmt: skip
    heads = sorted(common.declared.values(), key=lambda text: not text.startswith("declare"))
    return "\n".join([*heads, *texts, METADATA])
