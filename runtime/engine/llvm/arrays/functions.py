"""Calls of mathematical functions (vector_math/) in loops over arrays.

The loop calls the function of one lane.  Where that has no branches it becomes a part of the loop,
which LLVM then vectorises; where it has, LLVM is told of the function of several lanes.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.text import FunctionText, llvm_type
from runtime.engine.llvm.vector_math import functions, processor


def is_vectorized(opcode: str) -> bool:
    """Return whether an opcode of floats is a function of vectors."""
    return opcode in functions.UNARY or opcode in functions.BINARY


def call_vectorized(text: FunctionText, opcode: str, type: ir.Scalar, args: Sequence[str]) -> str:
    """Call a function on one lane; LLVM makes vectors of it with the loop around."""
    dtype, kind = f"float{type.bits}", llvm_type(type)
    name = functions.call_name(opcode, dtype, 1)
    definition = _define(text, name)
    given = ", ".join(f"{kind} {arg}" for arg in args)
    call = f"call {kind} @{name}({given})"
    lanes = processor.host().lanes(dtype)
    if "\n  br " not in definition or lanes < 2:
        return text.value(call)
    wide = [functions.call_name(opcode, dtype, count) for count in {lanes, max(lanes // 2, 2)}]
    for one in wide:
        text.declared[one] = _hidden(_define(text, one))
    text.declared[name] = _kept_apart(definition)
    return text.value(f'{call} "vector-function-abi-variant"="{_variants(name, wide, len(args))}"')


def _define(text: FunctionText, name: str) -> str:
    """Add a function and all that it needs; return its definition."""
    found = functions.library({name}, processor.host().has_fma)
    text.declared.update(found.declared)
    text.declared.update(
        {key: found.defined[key] for key in found.defined if key != name}
    )
    text.declared.setdefault(name, found.defined[name])
    return found.defined[name]


def _kept_apart(definition: str) -> str:
    """Return the definition of a function without effects that is not inlined."""
    head, rest = _hidden(definition).split(" {\n", 1)
    return f"{head} noinline nounwind willreturn memory(none) {{\n{rest}"


def _hidden(definition: str) -> str:
    """Return the definition of a function that LLVM neither changes nor removes while it looks at
    the whole module, which is before it vectorises loops.
    """
    return definition.replace("define internal", "define hidden", 1)


def _variants(name: str, wide: Sequence[str], count: int) -> str:
    """Return what LLVM has to know of the functions of several lanes."""
    lanes = [one.rsplit("_v", 1)[1].split("f")[0] for one in wide]
    return ",".join(
        f"_ZGV_LLVM_N{number}{'v' * count}_{name}({one})"
        for number, one in zip(lanes, wide, strict=True)
    )
