"""Tool chain: the programs that link objects, those of this machine or those in ziglang's wheel."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence

import llvmlite.binding as llvm

from runtime.export.native_code.targets import Platform
from runtime.types.errors import UnimplementedError

_ZIG = [sys.executable, "-m", "ziglang"]


def link_shared(objects: Sequence[str], path: str, target: Platform) -> None:
    """Link object files to a shared library.

    UnimplementedError without a linker for the target, or where it fails.
    """
    if _is_own(target) and (compiler := _own_compiler()):
        command = [*compiler, "-shared", "-o", path, *objects]
    else:
        command = [*_zig("a shared library", target), "cc", "-target", _zig_target(target)]
        command += ["-shared", "-o", path, *objects]
    _run(command)


def archive(objects: Sequence[str], path: str, target: Platform) -> None:
    """Put object files into an archive, a static library."""
    own = shutil.which(os.environ.get("AR", "ar")) if target.format == "elf" else None
    command = [own] if own else [*_zig("an archive", target), "ar"]
    _run([*command, "rcsD", path, *objects])


def link_wasm(objects: Sequence[str], path: str, exported: Sequence[str], target: Platform) -> None:
    """Link object files to a WebAssembly module."""
    own = shutil.which("wasm-ld")
    command = [own] if own else [*_zig("a WebAssembly module", target), "wasm-ld"]
    exports = [f"--export={name}" for name in exported]
    _run([
        *command, "--no-entry", "--strip-all", "--gc-sections", "-z", "stack-size=65536",
        "--export=__heap_base", *exports, "-o", path, *objects,
    ])  # fmt: skip


def _is_own(target: Platform) -> bool:
    """Return whether objects for a target are this machine's."""
    own = llvm.get_process_triple().split("-")
    parts = target.triple.split("-")
    return own[0] == parts[0] and own[2:3] == parts[2:3]


def _own_compiler() -> list[str]:
    """Return the command of this machine's C compiler; nothing if there is none."""
    named = os.environ.get("CC", "").split()
    if named:
        return named
    compiler = next((path for name in ("cc", "gcc", "clang") if (path := shutil.which(name))), None)
    return [compiler] if compiler else []


def _zig(product: str, target: Platform) -> list[str]:
    """Return the command of Zig's tools; UnimplementedError where they are not installed."""
    if importlib.util.find_spec("ziglang") is None:
        tool = "wasm-ld" if target.format == "wasm" else "C compiler"
        raise UnimplementedError(
            f"export.native: no {tool} for {target.triple} links {product}: install one, or "
            "pip install 'pyautograph[native]', which brings ziglang. An object file (.o) needs "
            "none"
        )
    return _ZIG


def _zig_target(target: Platform) -> str:
    """Return Zig's name of a platform."""
    architecture = {"arm64": "aarch64", "i686": "x86"}.get(target.architecture, target.architecture)
    if target.format == "macho":
        return f"{architecture}-macos"
    if target.format == "coff":
        return f"{architecture}-windows-{'gnu' if target.triple.endswith('gnu') else 'msvc'}"
    return f"{architecture}-linux-gnu"


def _run(command: Sequence[str]) -> None:
    """Run a program; UnimplementedError with what it says if it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise UnimplementedError(
            f"export.native: {command[0]} cannot be run: {error.strerror}"
        ) from None
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise UnimplementedError(
            f"export.native: {' '.join(command[:2])} failed: {' '.join(said[-3:])}"
        )
