"""Calls of mathematical functions (vector_math/) in loops over arrays.

The loop calls the function of one lane.  Where that is short and has no branches it becomes a part
of the loop, which LLVM then vectorises; else LLVM is told of the function of several lanes.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.text import FunctionText, llvm_type
from runtime.engine.llvm.vector_math import functions, processor

INLINED = 100
"""Lines of the longest function that LLVM makes a part of the loop."""


def is_vectorized(opcode: str) -> bool:
    """Return whether an opcode of floats is a function of vectors."""
    return opcode in functions.UNARY or opcode in functions.BINARY


def call_vectorized(text: FunctionText, opcode: str, type: ir.Scalar, args: Sequence[str]) -> str:
    """Call a function on one lane; LLVM makes vectors of it with the loop around."""
    dtype, kind = f"float{type.bits}", llvm_type(type)
    name = functions.call_name(opcode, dtype, 1)
    definition = _define(text, name)
    operands = ", ".join(f"{kind} {arg}" for arg in args)
    call = f"call {kind} @{name}({operands})"
    lanes = processor.host().lanes(dtype)
    is_inlined = "\n  br " not in definition and definition.count("\n") <= INLINED
    if is_inlined or lanes < 2:
        return text.value(call)
    variants = [functions.call_name(opcode, dtype, count) for count in {lanes, max(lanes // 2, 2)}]
    for variant in variants:
        text.declared[variant] = _with_hidden_visibility(_define(text, variant))
    text.declared[name] = _not_inlined(definition)
    return text.value(
        f'{call} "vector-function-abi-variant"="{_variants(name, variants, len(args))}"'
    )


def _define(text: FunctionText, name: str) -> str:
    """Add a function and all that it needs; return its definition."""
    library = functions.library({name}, processor.host().has_fma)
    text.declared.update(library.declared)
    text.declared.update(
        {key: library.defined[key] for key in library.defined if key != name}
    )
    text.declared.setdefault(name, library.defined[name])
    return library.defined[name]


def _not_inlined(definition: str) -> str:
    """Return the definition of a function without effects that is not inlined."""
    head, body = _with_hidden_visibility(definition).split(" {\n", 1)
    return f"{head} noinline nounwind willreturn memory(none) {{\n{body}"


def _with_hidden_visibility(definition: str) -> str:
    """Return the definition of a function that LLVM neither changes nor removes while it looks at
    the whole module, which is before it vectorises loops.
    """
    return definition.replace("define internal", "define hidden", 1)


def _variants(name: str, wide: Sequence[str], count: int) -> str:
    """Return what LLVM has to know of the functions of several lanes."""
    lanes = [variant.rsplit("_v", 1)[1].split("f")[0] for variant in wide]
    return ",".join(
        f"_ZGV_LLVM_N{number}{'v' * count}_{name}({variant})"
        for number, variant in zip(lanes, wide, strict=True)
    )
