"""Targets: names of processors and platforms for which functions are exported."""

from __future__ import annotations

import difflib
import subprocess
import sys
from functools import cache

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm.vector_math.processor import CompileTarget, processor_of
from runtime.types.errors import InvalidArgumentError


class Platform(NamedTuple):
    """Platform that an export is for.

    triple        LLVM's name of the platform
    cpu           LLVM's name of the processor
    features      LLVM's names of what the processor has besides
    abi           name of the convention of calls, where the platform has several
    pointer_bits  bits of an address
    hosted        whether the C library's memcpy, memset and memmove, and libm, are there
    """

    triple: str
    cpu: str
    features: str = ""
    abi: str = ""
    pointer_bits: int = 64
    hosted: bool = True

    @property
    def architecture(self) -> str:
        """LLVM's name of the kind of processor."""
        return self.triple.partition("-")[0]

    @property
    def format(self) -> str:
        """``elf``, ``macho``, ``coff`` or ``wasm``."""
        if self.architecture.startswith("wasm"):
            return "wasm"
        if "windows" in self.triple:
            return "coff"
        return "macho" if "apple" in self.triple else "elf"


TARGETS = {
    "x86-64": Platform("x86_64-unknown-linux-gnu", "x86-64"),
    "x86-64-v3": Platform("x86_64-unknown-linux-gnu", "x86-64-v3"),
    "x86-64-v4": Platform("x86_64-unknown-linux-gnu", "x86-64-v4"),
    "aarch64": Platform("aarch64-unknown-linux-gnu", "generic", "+neon"),
    "riscv64": Platform("riscv64-unknown-linux-gnu", "generic-rv64", "+m,+a,+f,+d,+c", "lp64d"),
    "wasm32": Platform(
        "wasm32-unknown-unknown", "generic",
        "+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals", "", 32, False
    ),
    "windows": Platform("x86_64-pc-windows-msvc", "x86-64"),
    "windows-gnu": Platform("x86_64-pc-windows-gnu", "x86-64"),
    "macos": Platform("arm64-apple-macosx11.0.0", "apple-m1"),
    "macos-x86-64": Platform("x86_64-apple-macosx11.0.0", "x86-64"),
    "thumb": Platform("thumbv7em-none-eabihf", "cortex-m4", "", "", 32, False),
    "thumb-m0": Platform("thumbv6m-none-eabi", "cortex-m0", "", "", 32, False),
}  # fmt: skip
"""Names of targets; LLVM's own names of platforms are targets, too."""
NATIVE = "native"
"""Name of this machine with all that its processor has."""


def target_named(name: str | None, cpu: str | None = None) -> Platform:
    """Return the target of a name or of LLVM's name of a platform; None is this machine's platform
    with the least processor of its kind.

    InvalidArgumentError for a name that neither knows, and for an unknown processor.
    """
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    if name == NATIVE:
        triple = llvm.get_process_triple()
        target = Platform(triple, llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten())
    elif name is None:
        target = _of_triple(llvm.get_process_triple())
    else:
        target = TARGETS.get(name) or _of_triple(name)
    if cpu is not None:
        _check_cpu(target, cpu)
        target = target._replace(cpu=cpu)
    return target


def _of_triple(triple: str) -> Platform:
    """Return the target of LLVM's name of a platform."""
    import llvmlite.binding as llvm

    try:
        llvm.Target.from_triple(triple)
    except RuntimeError:
        close = difflib.get_close_matches(triple, [*TARGETS, NATIVE], n=1)
        meant = f"; did you mean {close[0]!r}?" if close else ""
        raise InvalidArgumentError(
            f"export.native: there is no target {triple!r}{meant}. Targets are "
            f"{', '.join([*TARGETS, NATIVE])}, and LLVM's names of platforms such as "
            "'aarch64-unknown-linux-gnu'"
        ) from None
    architecture = triple.partition("-")[0]
    for known in TARGETS.values():
        if known.architecture == architecture or (
            architecture in ("arm64", "aarch64") and known.architecture == "aarch64"
        ):
            return known._replace(triple=triple)
    is_narrow = architecture.startswith(("arm", "thumb", "i386", "i686", "riscv32", "mips"))
    bits = 32 if is_narrow and architecture != "arm64" else 64
    return Platform(triple, "generic", pointer_bits=bits, hosted="none" not in triple)


def _check_cpu(target: Platform, cpu: str) -> None:
    """Raise InvalidArgumentError for a processor that LLVM does not know."""
    names = _cpu_names(target.triple)
    if names and cpu not in names:
        close = difflib.get_close_matches(cpu, names, n=1)
        meant = f"; did you mean {close[0]!r}?" if close else ""
        raise InvalidArgumentError(
            f"export.native: LLVM knows no processor {cpu!r} of {target.triple}{meant}"
        )


_LIST_CPUS = """
import llvmlite.binding as llvm, sys
llvm.initialize_all_targets()
llvm.Target.from_triple(sys.argv[1]).create_target_machine(cpu="help")
"""


@cache
def _cpu_names(triple: str) -> list[str]:
    """Return LLVM's names of processors, which it writes to the stream of errors alone."""
    command = [sys.executable, "-c", _LIST_CPUS, triple]
    listing = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    names = listing.partition("Available features")[0].splitlines()
    return [line.split()[0] for line in names if " - Select the " in line]


def compile_target(target: Platform) -> CompileTarget:
    """Return the facts that code of vectors depends on."""

    flags = {part[1:]: part[0] == "+" for part in target.features.split(",") if part}
    level = {"x86-64-v3": 3, "x86-64-v4": 4}.get(target.cpu, 0)
    if level >= 3:
        flags |= {"avx2": True, "fma": True}
    if level >= 4:
        flags |= dict.fromkeys(("avx512f", "avx512dq", "avx512vl"), True)
    processor = processor_of(target.triple, flags)
    return CompileTarget(target.cpu, target.features, processor, target.architecture)
