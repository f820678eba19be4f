"""LLVM code of mathematical functions for platforms without a C library: those of vector_math."""

from __future__ import annotations

import re

from runtime.engine.llvm.vector_math import functions
from runtime.engine.llvm.vector_math.processor import Processor

_DECLARED = re.compile(r"^declare (float|double) @(\w+)\(([^)\n]*)\)$", re.M)


def libm_code(texts: list[str], processor: Processor) -> list[str]:
    """Return modules that define the functions that others declare, as far as these are known."""
    wanted: dict[str, tuple[str, str, int]] = {}
    for text in texts:
        for kind, name, params in _DECLARED.findall(text):
            opcode = name.removesuffix("f") if kind == "float" else name
            if opcode in functions.UNARY or opcode in functions.BINARY:
                wanted[name] = kind, opcode, len(params.split(","))
    if not wanted:
        return []
    calls = {
        name: functions.call_name(opcode, "float32" if kind == "float" else "float64", 1)
        for name, (kind, opcode, _) in wanted.items()
    }
    library = functions.library(set(calls.values()), processor.has_fma)
    lines = [*library.declared.values(), *library.defined.values()]
    for name, (kind, _, count) in wanted.items():
        params = ", ".join(f"{kind} %x{n}" for n in range(count))
        lines.append(
            f"define {kind} @{name}({params}) {{\n"
            f"  %y = call {kind} @{calls[name]}({params})\n  ret {kind} %y\n}}"
        )
    return ["\n".join(lines)]
