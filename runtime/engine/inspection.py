"""What the engine makes of a graph: the graph that runs, kernel IR, LLVM IR, assembly.

Concrete functions show it to users, exports write it.  Nothing is run, and nothing is kept.
"""

from __future__ import annotations

from typing import Any

from runtime.engine.executable import executable_of, plan_of
from runtime.engine.llvm.availability import unavailable
from runtime.graph.run_request import request_for
from runtime.types.errors import UnimplementedError


def kernel_ir(graph: Any) -> str:
    """Return the kernel IR of a graph; UnimplementedError if it cannot become machine code."""
    from runtime.engine.llvm.printer import print_module

    return print_module(_module(graph))


def llvm_ir(graph: Any) -> str:
    """Return the LLVM IR that is compiled; UnimplementedError as for ``kernel_ir``."""
    from runtime.engine.llvm.codegen import generate

    return generate(_module(graph))


def assembly(graph: Any) -> str:
    """Return the assembly for this machine; UnimplementedError also without llvmlite."""
    module = _module(graph)
    why_not = unavailable()
    if why_not:
        raise UnimplementedError(f"assembly(): {why_not}")
    from runtime.engine.llvm.codegen import generate
    from runtime.engine.llvm.machine_code import assembly_of
    from runtime.engine.llvm.native import effort_for

    return assembly_of(generate(module), effort_for(module))


def _module(graph: Any) -> Any:
    """Return the module that is compiled, or would be."""
    from runtime.engine.llvm.lowering import NotNativeError
    from runtime.engine.llvm.pipeline import lower

    native = getattr(executable_of(graph), "native", None)
    if native is not None:
        return native.module
    try:
        return lower(plan_of(graph), plan_of)
    except NotNativeError as error:
        raise UnimplementedError(f"{graph.title} has no machine code: {error}") from None


def with_calls(graph: Any) -> Any:
    """Return the graph after all passes but those that put functions in place of their calls."""
    from runtime.engine.passes.pipeline import PASSES, Optimizer

    kept = tuple(p for p in PASSES if p.option != "function_optimization")
    return Optimizer(kept, ()).run(request_for(graph))
