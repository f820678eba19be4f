"""Reports of the native engine for people who look into a problem.

``RUNTIME_DEBUG`` writes to stderr what becomes machine code, and what does not and why;
``RUNTIME_PERF`` tells the Linux profiler ``perf`` the names of native functions.
"""

from __future__ import annotations

import errno
import os
import stat
import struct
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from autograph.named_tuples import NamedTuple
from runtime.types.flags import DEBUG

if TYPE_CHECKING:  # llvm/ is imported when something is compiled
    from runtime.engine.llvm.kernel_ir import KernelModule

KERNEL_IR, LLVM_IR = 2, 3
"""Levels of ``RUNTIME_DEBUG`` that also write the stages."""


def report(level: int, text: str) -> None:
    """Write a text to stderr if ``RUNTIME_DEBUG`` has at least a level."""
    if DEBUG.value >= level and sys.stderr is not None:
        print(f"runtime: {text}", file=sys.stderr)


def label(graph: Any) -> str:
    """Return how reports call a graph: by the name of the function, if it has one."""
    title: str = getattr(graph, "name", "") or graph.title
    return title


def compiled_line(name: str, instructions: int, size: int, seconds: float) -> str:
    """Return what is reported of machine code of ``size`` bytes."""
    return (
        f"{name}: machine code of {instructions} instructions, {size} bytes, in "
        f"{seconds * 1e3:.1f} ms"
    )


def report_compiled(name: str, module: KernelModule, text: str, size: int, seconds: float) -> None:
    """Write that a module became machine code of ``size`` bytes, and its stages."""
    from runtime.engine.llvm.kernel_ir import instructions
    from runtime.engine.llvm.printer import print_module

    count = sum(len([*instructions(function.block)]) for function in module.functions)
    report(1, compiled_line(name, count, size, seconds))
    if DEBUG.value >= KERNEL_IR:
        report(KERNEL_IR, f"{name}: kernel IR\n{print_module(module)}")
    report(LLVM_IR, f"{name}: LLVM IR\n{text}")


class Symbol(NamedTuple):
    """Function in an object file: its offset in the code, and its number of bytes."""

    name: str
    offset: int
    size: int


def symbols(code: bytes) -> Iterator[Symbol]:
    """Yield the functions of an ELF object file of 64 bits; nothing for other files.

    Source: System V ABI, chapter 4, object files.
    """
    if code[:6] != b"\x7fELF\x02\x01":
        return
    (table,) = struct.unpack_from("<Q", code, 40)
    width, count = struct.unpack_from("<HH", code, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", code, table + k * width) for k in range(count)]
    for section in sections:
        kind, start, size, link, entry = (section[k] for k in (1, 4, 5, 6, 9))
        if kind != 2:  # SHT_SYMTAB
            continue
        names = sections[link][4]
        for place in range(start, start + size, entry):
            name, info, _, _, offset, length = struct.unpack_from("<IBBHQQ", code, place)
            if info & 15 == 2:  # STT_FUNC
                end = code.index(b"\0", names + name)
                yield Symbol(code[names + name : end].decode(), offset, length)


def write_perf_map(name: str, code: bytes, entry: int) -> None:
    """Append the functions of linked code, whose ``entry`` has an address, to perf's map.

    perf reads ``/tmp/perf-PID.map``; lines are the address, the size and the name.  What stands
    there already and is no file of this user's is left alone, with a line on stderr.
    """
    code_symbols = list(symbols(code))
    start = [symbol.offset for symbol in code_symbols if symbol.name == "entry"]
    if not (start and sys.platform == "linux"):
        return
    lines = [
        f"{entry - start[0] + symbol.offset:x} {symbol.size:x} native::{name}::{symbol.name}\n"
        for symbol in code_symbols
    ]
    path = f"/tmp/perf-{os.getpid()}.map"  # others may make a link, a pipe or a file of this name
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        with open(os.open(path, flags, 0o644), "a", encoding="utf-8") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid():
                raise PermissionError(errno.EPERM, "it is no file of this user")
            file.writelines(lines)
    except OSError as error:
        report(0, f"{path} is not written for perf: {error.strerror or error}")
