"""Machine code: LLVM IR is parsed, optimised, compiled and linked into this process.

Needs the extra ``jit`` (llvmlite).
"""

from __future__ import annotations

import ctypes
import itertools
import threading
from collections.abc import Callable
from functools import cache
from typing import Any

from runtime.engine.llvm import support_code

_LOCK = threading.RLock()
_NUMBERS = itertools.count(1)
METH_FASTCALL = 0x80


class _MethodDefinition(ctypes.Structure):
    """``PyMethodDef``."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


class _Compiler:
    """LLVM, set up for this machine's processor."""

    def __init__(self) -> None:
        import llvmlite.binding as llvm

        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        self.llvm = llvm
        self.cpu = llvm.get_host_cpu_name()
        self.features = llvm.get_host_cpu_features().flatten()
        target = llvm.Target.from_default_triple()
        self.machine = target.create_target_machine(
            cpu=self.cpu, features=self.features, opt=2, reloc="pic", codemodel="default", jit=True
        )
        self._support: dict[str, int] = {}
        self._library: Any = None
        self.head = (
            f'target datalayout = "{self.machine.target_data}"\n'
            f'target triple = "{self.machine.triple}"\n'
        )
        self.jit = llvm.create_lljit_compiler(self.machine)

    def object_code(self, text: str) -> bytes:
        """Compile LLVM IR to an object file."""
        llvm = self.llvm
        module = llvm.parse_assembly(self.head + text)  # sizes depend on the head
        options = llvm.create_pipeline_tuning_options(speed_level=2)
        options.slp_vectorization = False
        builder = llvm.create_pass_builder(self.machine, options)
        passes = builder.getModulePassManager()
        passes.run(module, builder)
        found: bytes = self.machine.emit_object(module)
        return found

    def link(self, code: bytes) -> Any:
        """Load an object file into the process."""
        builder = self.llvm.JITLibraryBuilder().add_object_img(code).add_current_process()
        builder.export_symbol("entry")
        for name, address in self.support().items():
            builder.import_symbol(name, address)
        return builder.link(self.jit, f"graph{next(_NUMBERS)}")

    def support(self) -> dict[str, int]:
        """Return the addresses of the functions that all graphs share."""
        if not self._support:
            builder = self.llvm.JITLibraryBuilder().add_object_img(
                self.object_code(support_code.TEXT)
            ).add_current_process()
            for name in support_code.EXPORTED:
                builder.export_symbol(name)
            self._library = builder.link(self.jit, "support")
            self._support = {name: self._library[name] for name in support_code.EXPORTED}
        return self._support


@cache
def _compiler() -> _Compiler:
    return _Compiler()


class MachineCode:
    """Machine code of a module, which is unloaded when nothing refers to it."""

    __slots__ = ("_definition", "_library", "address")

    def __init__(self, code: bytes) -> None:
        with _LOCK:
            self._library = _compiler().link(code)
        self.address: int = self._library["entry"]
        self._definition = _MethodDefinition(b"graph", self.address, METH_FASTCALL, None)

    def function(self, context: tuple[Any, ...]) -> Callable[..., Any]:
        """Return the entry as a Python function, with a context, which must hold this object."""
        new = ctypes.pythonapi.PyCFunction_NewEx
        new.restype = ctypes.py_object
        new.argtypes = (ctypes.c_void_p, ctypes.py_object, ctypes.py_object)
        made: Callable[..., Any] = new(ctypes.addressof(self._definition), context, None)
        return made


def compile_text(text: str) -> bytes:
    """Compile LLVM IR to an object file; RuntimeError if it is invalid."""
    with _LOCK:
        return _compiler().object_code(text)
