"""Compiler of exports: kernel IR to an object file for a target, in which no symbol is Python's."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm import libm_code
from runtime.engine.llvm.arrays.libraries import called_by
from runtime.engine.llvm.arrays.library_names import OF_PRODUCTS
from runtime.engine.llvm.codegen import Caller, generate
from runtime.engine.llvm.machine_code import MOST, USUAL
from runtime.engine.llvm.native import effort_for
from runtime.engine.llvm.row_layouts import KnownLayouts
from runtime.engine.llvm.vector_math.processor import compiling_for, host
from runtime.export.native_code.context_passing import pass_context
from runtime.export.native_code.entry_text import entry_text, object_name
from runtime.export.native_code.failure_text import called_sites, failure_table, site_functions
from runtime.export.native_code.failures import Failure, failures_of
from runtime.export.native_code.interface import Interface
from runtime.export.native_code.libm_text import libm_code as own_libm_code
from runtime.export.native_code.memory_layout import ObjectLayout
from runtime.export.native_code.product_text import product_code
from runtime.export.native_code.stand_ins import RENAMED, stand_ins
from runtime.export.native_code.targets import Platform, compile_target
from runtime.export.native_code.variables import init_function, lock_constant, storage_constants
from runtime.ops.resource.variable import VariableStorage
from runtime.types.errors import UnimplementedError

_OF_WASM = ["__multi3"]
"""Functions that code generation calls, after the passes."""
_ARENA = Path(__file__).with_name("arena.ll")
RECURSION_LIMIT = 1000
"""Calls of recursive functions that may be under way, as many as Python's."""
_RENAMED = re.compile(rf"@({'|'.join(RENAMED)})\(")
_DTYPES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16",
    "float32", "float64", "complex64", "complex128",
)  # fmt: skip
"""Dtypes of arrays; bfloat16 has a number that is found when it comes."""


class Exported(NamedTuple):
    """Function that is exported: its module, its interface and what its sites may raise."""

    module: ir.KernelModule
    interface: Interface


def object_file(function: Exported, target: Platform) -> bytes:
    """Return the object file of a function for a target."""
    failures = failures_of(function.module)  # kernels run, and may be compiled for this machine
    with compiling_for(compile_target(target)):
        texts = module_texts(function, failures, target)
    names = exported_names(function.interface, target)
    names += _OF_WASM if target.format == "wasm" else []
    return compile_texts(texts, names, target, effort_for(function.module))


def exported_names(interface: Interface, target: Platform) -> list[str]:
    """Return the names that an object file shows."""
    return [*interface.names, *(["autograph_use_arena"] if target.format == "wasm" else [])]


def module_texts(
    function: Exported, failures: Sequence[Sequence[Failure]], target: Platform
) -> list[str]:
    """Return the LLVM modules of a function, which are linked to one."""
    module, layout = function.module, ObjectLayout(target.pointer_bits)
    state = function.interface.state
    changing = {variable.position for variable in state}
    addresses = [
        "null" if index in changing else _address_of(index, value)
        for index, value in enumerate(module.objects)
    ]

    def entry(main: ir.KernelFunction, layouts: KnownLayouts, declared: dict[str, str]) -> str:
        text = entry_text(function.interface, main, addresses)
        declared.update(text.declared)
        return text.text()

    caller = Caller(entry, site_functions(module.sites))
    text = generate(module, caller=caller)
    table = [
        (site.index, failure)
        for site in called_sites(text, module.sites) for failure in failures[site.index]
    ]  # fmt: skip
    dtypes = _dtypes(module, function.interface)
    constants = [layout.dtype(dtype.num) for dtype in dtypes]
    for index, value in enumerate(module.objects):
        if isinstance(value, np.ndarray):
            constants += layout.array(object_name(index), value)
        elif isinstance(value, VariableStorage) and index not in changing:
            constants += storage_constants(index, value, object_name(index), layout)
    constants.append(lock_constant())
    if state:
        constants.append(init_function(function.interface.name, state))
    parts = [
        stand_ins(layout, RECURSION_LIMIT), text, failure_table(table), *constants,
        _dtype_functions(dtypes),
    ]  # fmt: skip
    renamed = [_RENAMED.sub(r"@rt_\1(", part) for part in parts]
    modules = pass_context([_joined(renamed), *_libraries(text)])
    if not target.hosted:
        modules += own_libm_code(modules, host())
    return modules + ([_ARENA.read_text(encoding="ascii")] if target.format == "wasm" else [])


def _libraries(text: str) -> list[str]:
    """Return the modules of the functions on arrays that code calls."""
    processor, modules = host(), list[str]()
    for library, type in called_by(text.encode()):
        if library.exported == OF_PRODUCTS:
            modules.append(product_code(type, processor))
        else:
            modules.append(library.code(type, processor))
    return [_joined([_RENAMED.sub(r"@rt_\1(", module)]) for module in modules]


def _address_of(index: int, value: Any) -> str:
    return object_name(index) if isinstance(value, np.ndarray | VariableStorage) else "null"


def _dtypes(module: ir.KernelModule, interface: Interface) -> list[np.dtype[Any]]:
    """Return the dtypes of arrays, each once."""
    arrays = [value.dtype for value in module.objects if isinstance(value, np.ndarray)]
    arrays += [
        value.dtype._dtype for value in module.objects if isinstance(value, VariableStorage)
    ]
    slots = [slot.dtype for slot in (*interface.arguments, *interface.results)]
    known = [np.dtype(name) for name in _DTYPES]
    return list({dtype.num: dtype for dtype in (*known, *arrays, *slots)}.values())


def _dtype_functions(dtypes: Sequence[np.dtype[Any]]) -> str:
    """Return the functions of the number of a dtype: bytes of an element, and the object."""
    sizes = {int(dtype.num): str(dtype.itemsize) for dtype in dtypes}
    objects = {int(dtype.num): f"@rt_dtype_{dtype.num}" for dtype in dtypes}
    return "\n".join([
        _switch("rt_item_bytes", "i64", sizes, "8"), _switch("rt_dtype", "ptr", objects, "null")
    ])


def _switch(name: str, gives: str, results: Mapping[int, str], otherwise: str) -> str:
    """Return the function that gives a result by a number."""
    cases = " ".join(f"i32 {number}, label %d{number}" for number in results)
    blocks = [f"d{number}:\n  ret {gives} {result}" for number, result in results.items()]
    return "\n".join([
        f"define {gives} @{name}(i32 %number) alwaysinline {{",
        f"  switch i32 %number, label %other [{cases}]", *blocks,
        f"other:\n  ret {gives} {otherwise}", "}",
    ])  # fmt: skip


_DECLARED = re.compile(
    r"^(?:declare [^@\n]*@([\w.$]+)\([^\n]*|@([\w.$]+) = external [^\n]*)$", re.M
)
_STRING = re.compile(r"^@rt_string_[^\n]*$", re.M)
_DEFINED = re.compile(r"^(?:define [^@\n]*@([\w.$]+)\(|@([\w.$]+) = (?!external))", re.M)


def _joined(parts: Sequence[str]) -> str:
    """Return one module of parts: what one of them defines is declared by none."""
    text = "\n".join(parts)
    defined = {first or second for first, second in _DEFINED.findall(text)}
    seen: set[str] = set()

    def declaration(match: re.Match[str]) -> str:
        name = match[1] or match[2]
        if name in defined or name in seen:
            return ""
        seen.add(name)
        return match[0]

    strings = dict.fromkeys(_STRING.findall(text))  # several parts have the same
    return "\n".join([*strings, _STRING.sub("", _DECLARED.sub(declaration, text))])


def compile_texts(
    texts: Sequence[str], exported: Sequence[str], target: Platform, effort: int
) -> bytes:
    """Compile LLVM modules to one object file."""
    import llvmlite.binding as llvm

    machine = target_machine(target)
    head = f'target datalayout = "{machine.target_data}"\ntarget triple = "{target.triple}"\n'
    context = llvm.create_context()
    module = llvm.parse_assembly(head + texts[0], context=context)
    for text in texts[1:]:
        module.link_in(llvm.parse_assembly(head + text, context=context))
    _hide(module, exported, keep_hidden=True)
    _run_passes(machine, module, USUAL if effort < MOST else MOST)
    _hide(module, exported, keep_hidden=False)
    for function in module.functions:
        if not function.is_declaration and function.name.startswith("Py"):
            function.name = f"rt_{function.name[2:].lstrip('_')}"  # it is none of Python's
    _drop_unused(machine, module)
    _check_symbols(module, exported[0], target)
    image: bytes = machine.emit_object(module)
    return image


def target_machine(target: Platform) -> Any:
    """Return LLVM's machine for a target."""
    import llvmlite.binding as llvm

    return llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu, features=target.features, opt=2, reloc="pic",
        codemodel="default", abiname=target.abi,
    )  # fmt: skip


def _hide(module: Any, exported: Sequence[str], keep_hidden: bool) -> None:
    """Let no names but those that are exported be seen from outside."""
    for value in (*module.functions, *module.global_variables):
        if value.is_declaration or value.name in exported or value.name.startswith("llvm."):
            continue
        if keep_hidden and value.visibility.name == "hidden":
            continue  # LLVM looks for these while it vectorises loops
        value.linkage = "internal"


def _run_passes(machine: Any, module: Any, level: int) -> None:
    import llvmlite.binding as llvm

    options = llvm.create_pipeline_tuning_options(speed_level=level)
    options.slp_vectorization = False
    options.loop_vectorization = True
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)


_NAMES_OF_C = """
    memcpy memmove memset memcmp fma fmaf pow powf fmod fmodf cbrt cbrtf exp2 exp2f remainder
    remainderf atan2 atan2f hypot hypotf ldexp ldexpf lgamma tgamma floor floorf ceil ceilf trunc
    truncf rint rintf round roundf nearbyint nearbyintf roundeven roundevenf sqrt sqrtf
    erf erff erfc erfcf
"""
_OF_C = {
    *_NAMES_OF_C.split(),
    *(name + suffix for name in libm_code.UNARY for suffix in ("", "f")),
}
"""Functions of the C library that exports call."""
_OF_PYTHON = {
    "PyErr_": "exceptions that handlers catch",
    "PyException_": "exceptions that handlers catch", "PyUnicode_": "texts of Python",
    "_PyUnicode_": "questions about characters", "random_": "random numbers of NumPy",
    "PySet_": "the order of sets", "PyObject_": "methods of Python's objects",
    "lapack_": "decompositions of matrices", "PyContextVar_": "variables of sessions",
}  # fmt: skip
"""By the beginning of names: what functions need of Python that are not exported yet."""


def _check_symbols(module: Any, name: str, target: Platform) -> None:
    """Raise UnimplementedError if code needs functions that only Python's process has."""
    needs: dict[str, None] = {}
    for value in (*module.functions, *module.global_variables):
        if not value.is_declaration or value.name.startswith("llvm."):
            continue
        if value.name in _OF_C and (target.hosted or target.format != "wasm"):
            continue
        # a microcontroller has newlib; a browser has nothing
        prefix = next((key for key in _OF_PYTHON if value.name.startswith(key)), "")
        needs[_OF_PYTHON.get(prefix, value.name)] = None
    if needs:
        raise UnimplementedError(
            f"export.native: {name} needs {', '.join(sorted(needs))}, which native code without "
            "Python has not"
        )


def _drop_unused(machine: Any, module: Any) -> None:
    import llvmlite.binding as llvm

    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options())
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.add_strip_dead_prototype_pass()
    passes.run(module, builder)
