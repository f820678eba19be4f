"""Functions of vectors as functions of arrays, for this machine or one with fewer features."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from runtime.engine.llvm.vector_math import functions
from runtime.engine.llvm.vector_math.processor import CompileTarget, target_of

Function = Callable[..., np.ndarray]
_ALIVE: list[object] = []


def this_machine() -> CompileTarget:
    """All that the processor has."""
    return target_of(512)


def narrower() -> dict[int, CompileTarget]:
    """Targets with vectors of so many bits, each part of what this machine has."""
    import llvmlite.binding as llvm

    if not llvm.get_process_triple().startswith("x86_64"):
        return {}
    most = this_machine().processor.vector_bits
    return {bits: target_of(bits) for bits in (128, 256, 512) if bits <= most}


def compiled(
    calls: Sequence[tuple[str, str, int]], target: CompileTarget | None = None
) -> Mapping[tuple[str, str, int], Function]:
    """The functions of (op, dtype, lanes), compiled together."""
    import llvmlite.binding as llvm

    target = target or this_machine()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=target.cpu, features=target.features, opt=2, reloc="pic", jit=True
    )
    names = [functions.call_name(*call) for call in calls]
    text = functions.definitions(names, target.processor.has_fma)
    loops = [_loop(*call, name) for call, name in zip(calls, names, strict=True)]
    module = llvm.parse_assembly("\n".join([text, *loops]))
    module.verify()
    linker = llvm.create_lljit_compiler(machine)
    builder = llvm.JITLibraryBuilder().add_object_img(machine.emit_object(module))
    builder.add_current_process()
    for name in names:
        builder.export_symbol(f"loop_{name}")
    tracker = builder.link(linker, "functions")
    _ALIVE.append((linker, tracker))
    return {
        call: _callable(tracker[f"loop_{name}"], call[1], call[2])
        for call, name in zip(calls, names, strict=True)
    }


def _loop(op: str, dtype: str, lanes: int, name: str) -> str:
    """A function that maps arrays whose length is a multiple of the lanes."""
    scalar = "float" if dtype == "float32" else "double"
    kind = scalar if lanes == 1 else f"<{lanes} x {scalar}>"
    inputs = range(functions.arity(op))
    loads = "\n".join(
        f"  %at{k} = getelementptr {scalar}, ptr %in{k}, i64 %i\n"
        f"  %x{k} = load {kind}, ptr %at{k}, align 4"
        for k in inputs
    )
    return f"""
define void @loop_{name}(ptr %out, i64 %n, {", ".join(f"ptr %in{k}" for k in inputs)}) {{
entry:
  br label %body
body:
  %i = phi i64 [0, %entry], [%next, %body]
{loads}
  %y = call {kind} @{name}({", ".join(f"{kind} %x{k}" for k in inputs)})
  %at = getelementptr {scalar}, ptr %out, i64 %i
  store {kind} %y, ptr %at, align 4
  %next = add i64 %i, {lanes}
  %more = icmp ult i64 %next, %n
  br i1 %more, label %body, label %end
end:
  ret void
}}"""


_LOOP = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)


def _callable(address: int, dtype: str, lanes: int) -> Function:
    def call(*inputs: np.ndarray) -> np.ndarray:
        size = len(inputs[0])
        padded = [np.resize(x, size + -size % lanes).astype(dtype) for x in inputs]
        out = np.empty_like(padded[0])
        _LOOP(address)(out.ctypes.data, len(out), *[x.ctypes.data for x in (padded * 2)[:2]])
        return out[:size]

    call.address = address
    return call


def raw(function: Function, out: np.ndarray, *inputs: np.ndarray) -> Callable[[], None]:
    """A call on these arrays, whose length is a multiple of the lanes, without preparations."""
    loop = _LOOP(function.address)
    args = out.ctypes.data, len(out), *[x.ctypes.data for x in (inputs * 2)[:2]]
    return lambda: loop(*args)
