"""Machine code: LLVM IR is parsed, optimised, compiled and linked into this process.

Needs the extra ``jit`` (llvmlite).
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import object_cache, support_code, workspace
from runtime.engine.llvm.array_code import numpy_functions
from runtime.engine.llvm.arrays.libraries import ArrayLibrary, called_by
from runtime.engine.llvm.arrays.shared_tasks import task_functions
from runtime.engine.llvm.debug import write_perf_map
from runtime.engine.llvm.random.draw import MARK, random_functions
from runtime.engine.llvm.vector_math.processor import own_target
from runtime.types.flags import JIT_LEVEL, PERF

METH_FASTCALL = 0x80
LINKS = 64
"""So many libraries share a linker, whose memory for them goes with the last of them."""
QUICK, USUAL, MOST = 1, 2, 3
"""How much LLVM optimises: hardly, and its own levels 2 and 3."""
PASSES_VERSION = "6"
"""Changes whenever the same LLVM IR is compiled to other code: it is part of the cache's key."""


class _MethodDefinition(ctypes.Structure):
    """``PyMethodDef``."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


class _Library(NamedTuple):
    """Code that was linked, and the linker that it must not outlive."""

    tracker: Any
    linker: Any


class _Compiler:
    """LLVM, set up for this machine's processor."""

    def __init__(self) -> None:
        import llvmlite
        import llvmlite.binding as llvm

        llvm.initialize_native_target()
        self.llvm = llvm
        own = own_target()
        self._cpu, self._features, self._processor = own.cpu, own.features, own.processor
        self.machine = self._machine(2)
        self._quick_machine: Any = None
        self._libraries: list[_Library] = []
        """What all graphs share."""
        self._support: dict[str, int] = {}
        self._of_arrays: dict[tuple[ArrayLibrary, str], dict[str, int]] = {}
        self._head = (
            f'target datalayout = "{self.machine.target_data}"\n'
            f'target triple = "{self.machine.triple}"\n'
        )
        bits = str(self._processor.vector_bits)
        version = ".".join(map(str, llvm.llvm_version_info))
        self._platform = (
            PASSES_VERSION, llvmlite.__version__, version, self._cpu, self._features, bits
        )  # fmt: skip
        self._linker: Any = None
        self._links = 0

    def _machine(self, level: int) -> Any:
        """Return the target machine that generates code with so much optimisation."""
        # The linker maps code and constants apart: offsets of 32 bits, which other code models
        # have, do not reach where something large lies between, and the linker ends the process.
        return self.llvm.Target.from_default_triple().create_target_machine(
            cpu=self._cpu, features=self._features, opt=level, reloc="static",
            codemodel="jitdefault", jit=True,
        )

    def object_code(self, text: str, effort: int = USUAL) -> bytes:
        """Return the object file of LLVM IR, compiled now or by an earlier process."""
        module_text = self._head + text  # sizes depend on the head
        effort = _level(effort)
        cache = object_cache.current_cache()
        if cache is None:
            return self._compile(module_text, effort)
        key = object_cache.key_of((*self._platform, str(effort), module_text))
        code = cache.get(key)
        if code is None:
            code = self._compile(module_text, effort)
            cache.put(key, code)
        return code

    def _compile(self, text: str, effort: int) -> bytes:
        machine = self._machine_for(effort)
        image: bytes = machine.emit_object(self._optimize(text, effort))
        return image

    def assembly(self, text: str, effort: int) -> str:
        """Return the assembly of LLVM IR."""
        effort = _level(effort)
        machine = self._machine_for(effort)
        listing: str = machine.emit_assembly(self._optimize(self._head + text, effort))
        return listing

    def _machine_for(self, effort: int) -> Any:
        """Return the target machine that compiles quickly, or well."""
        if effort != QUICK:
            return self.machine
        self._quick_machine = self._quick_machine or self._machine(0)
        return self._quick_machine

    def _optimize(self, text: str, effort: int) -> Any:
        """Return the module of LLVM IR after LLVM's passes."""
        llvm, machine = self.llvm, self._machine_for(effort)
        llvm.initialize_native_asmprinter()
        # The constants and names of a module live as long as its context: in one context for all,
        # with the pass managers (see ``_dispose``), each compilation left 85 KB.
        module = llvm.parse_assembly(text, context=llvm.create_context())
        options = llvm.create_pipeline_tuning_options(speed_level=effort)
        options.slp_vectorization = False
        options.loop_vectorization = self._processor.vector_bits > 0
        builder = llvm.create_pass_builder(machine, options)
        if effort == QUICK:
            passes = llvm.create_new_module_pass_manager()
            passes.add_sroa_pass()  # puts stack slots into registers
            passes.add_instruction_combine_pass()
            passes.add_simplify_cfg_pass()
        else:
            passes = builder.getModulePassManager()
        try:
            passes.run(module, builder)
        finally:
            _dispose(passes)
        return module

    def link(self, files: Sequence[bytes]) -> _Library:
        """Load object files into the process."""
        builder, code = self.llvm.JITLibraryBuilder().add_current_process(), b"".join(files)
        for file in files:
            builder.add_object_img(file)
        builder.export_symbol("entry")
        addresses = {**self.support(), **numpy_functions()}
        for library, type in called_by(code):
            addresses |= self._on_arrays(library, type)
        if b"share_tasks" in code:
            addresses |= task_functions()
        if MARK in code:
            addresses |= random_functions()
        for name, address in addresses.items():
            builder.import_symbol(name, address)
        return self._link_library(builder)

    def _link_library(self, builder: Any) -> _Library:
        if self._links % LINKS == 0:
            self._linker = self.llvm.create_lljit_compiler(self.machine)
        self._links += 1
        return _Library(builder.link(self._linker, f"graph{self._links}"), self._linker)

    def support(self) -> dict[str, int]:
        """Return the addresses of what all graphs share: functions, and NumPy's handler."""
        if not self._support:
            text, names = support_code.support_code(), support_code.EXPORTED
            self._support = self.functions(text, names, {}, QUICK)  # kernels take far longer
            self._support[workspace.HANDLER] = workspace.begin(self._support)
        return self._support

    def _on_arrays(self, library: ArrayLibrary, type: str) -> dict[str, int]:
        """Return the addresses of the functions on arrays of a type."""
        if (library, type) not in self._of_arrays:
            text = library.code(type, self._processor)
            symbols = {**library.symbols(), **self.support()}
            addresses = self.functions(text, library.names(type), symbols)
            self._of_arrays[library, type] = addresses
        return self._of_arrays[library, type]

    def functions(
        self, text: str, names: Sequence[str], symbols: Mapping[str, int], effort: int = USUAL
    ) -> dict[str, int]:
        """Return the addresses of functions of LLVM IR, which stay in memory from now on."""
        code = self.object_code(text, effort)
        builder = self.llvm.JITLibraryBuilder().add_object_img(code).add_current_process()
        for name, address in symbols.items():
            builder.import_symbol(name, address)
        for name in names:
            builder.export_symbol(name)
        library = self._link_library(builder)
        self._libraries.append(library)
        return {name: library.tracker[name] for name in names}


def _level(effort: int) -> int:
    """Return how much LLVM optimises: as the user said, else as the engine chose."""
    return effort if JIT_LEVEL.value == "auto" else int(JIT_LEVEL.value)


def _dispose(passes: Any) -> None:
    """Free a pass manager, 80 KB.

    ``close`` of llvmlite 0.50 does not: of two bases the one that has nothing to free comes first.
    """
    from llvmlite.binding.newpassmanagers import NewPassManager

    NewPassManager._dispose(passes)
    passes.detach()  # so that no later ``close`` frees it again


@cache
def _compiler() -> _Compiler:
    return _Compiler()


# -- threads and forks ----------------------------------------------------------------------------

_LOCK = threading.RLock()
"""Held while LLVM works, and while the process forks: a child gets LLVM in a complete state."""
_UNUSED: deque[_Library] = deque()
"""Libraries that could not be unloaded at once, because another thread held the lock."""


@contextlib.contextmanager
def _llvm() -> Iterator[_Compiler]:
    """Give the compiler to one thread."""
    with _LOCK:
        yield _compiler()
        _unload()


def _unload() -> None:
    """Unload the libraries that nothing refers to; the thread holds the lock."""
    while _UNUSED:
        _UNUSED.popleft().tracker.close()


def _discard(library: _Library) -> None:
    """Unload a library now, or let the thread that holds the lock do so."""
    _UNUSED.append(library)
    if _LOCK.acquire(blocking=False):
        try:
            _unload()
        finally:
            _LOCK.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_LOCK.acquire, after_in_parent=_LOCK.release, after_in_child=_LOCK.release
    )


class MachineCode:
    """Machine code of a module, which is unloaded when nothing refers to it."""

    __slots__ = ("__weakref__", "_definition", "address")

    def __init__(self, files: Sequence[bytes], name: str = "") -> None:
        with _llvm() as compiler:
            library = compiler.link(files)
        weakref.finalize(self, _discard, library).atexit = False
        self.address: int = library.tracker["entry"]
        if PERF.value:
            write_perf_map(name, files[0], self.address)
        self._definition = _MethodDefinition(b"graph", self.address, METH_FASTCALL, None)

    def function(self, context: tuple[Any, ...]) -> Callable[..., Any]:
        """Return the entry as a Python function, with a context, which must hold this object."""
        new = ctypes.pythonapi.PyCFunction_NewEx
        new.restype = ctypes.py_object
        new.argtypes = (ctypes.c_void_p, ctypes.py_object, ctypes.py_object)
        entry: Callable[..., Any] = new(ctypes.addressof(self._definition), context, None)
        return entry


def compile_text(text: str, effort: int = USUAL) -> bytes:
    """Return the object file of LLVM IR; RuntimeError if it is invalid.

    QUICK takes a tenth of the time; loops are several times slower then.  MOST takes up to twice as
    long, and makes copies of loops in which checks are known to hold.
    """
    with _llvm() as compiler:
        return compiler.object_code(text, effort)


def assembly_of(text: str, effort: int = USUAL) -> str:
    """Return the assembly for LLVM IR; RuntimeError if it is invalid."""
    with _llvm() as compiler:
        return compiler.assembly(text, effort)
