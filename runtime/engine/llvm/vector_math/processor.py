"""What the processor offers to vectors: their width, and fused multiply-add."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from platform import machine

from autograph.named_tuples import NamedTuple
from runtime.types.flags import JIT_VECTORS

_X86 = ("x86_64", "amd64", "i386", "i486", "i586", "i686")
_WITH_FMA = ("aarch64", "arm64", "powerpc64le", "ppc64le", "riscv64", "s390x")
"""Other processors that always have it."""


class Processor(NamedTuple):
    """Facts about a processor that the code of vectors depends on."""

    vector_bits: int
    has_fma: bool
    """Without it, LLVM would call a slow function of the C library."""

    def lanes(self, dtype: str) -> int:
        """Return how many numbers of "float32" or "float64" fill a vector."""
        return max(self.vector_bits // int(dtype.removeprefix("float")), 1)


def processor_of(triple: str, features: Mapping[str, bool]) -> Processor:
    """Return the facts for LLVM's name of a platform and its features of a processor.

    Where nothing is known, vectors have 128 bits: LLVM splits what the processor does not have.
    """
    architecture = triple.split("-")[0]
    if architecture not in _X86:
        return Processor(128, architecture in _WITH_FMA)
    bits = 128
    if features.get("avx2"):
        bits = 256
    if all(features.get(name) for name in ("avx512f", "avx512dq", "avx512vl")):
        bits = 512
    return Processor(bits, bool(features.get("fma")))


class CompileTarget(NamedTuple):
    """Processor to compile for: LLVM's names of it and of its features, and the facts."""

    cpu: str
    features: str
    processor: Processor
    architecture: str = ""
    """LLVM's name, if it is another one than that of this process."""


_LIMITED = {0: "x86-64", 128: "x86-64", 256: "x86-64-v3"}
"""By the bits of vectors, LLVM's name of a processor that has no wider ones; 0: scalars alone."""


def target_of(bits: int) -> CompileTarget:
    """Return the processor at hand, or a part of it whose vectors have at most so many bits."""
    import llvmlite.binding as llvm

    triple, features = llvm.get_process_triple(), llvm.get_host_cpu_features()
    cpu, host_processor = llvm.get_host_cpu_name(), processor_of(triple, features)
    if bits >= host_processor.vector_bits:
        return CompileTarget(cpu, features.flatten(), host_processor)
    if triple.split("-")[0] != "x86_64":
        return CompileTarget(cpu, features.flatten(), host_processor._replace(vector_bits=bits))
    return CompileTarget(_LIMITED[bits], "", Processor(bits, bits >= 256))


@cache
def own_target() -> CompileTarget:
    """Return the processor of this process."""
    return target_of(JIT_VECTORS.value)


_other_target: ContextVar[CompileTarget | None] = ContextVar("_other_target", default=None)
"""Processor of another machine, for which code is written meanwhile."""


@contextmanager
def compiling_for(other: CompileTarget) -> Iterator[None]:
    """Let code that is written within the block be for another processor."""
    token = _other_target.set(other)
    try:
        yield
    finally:
        _other_target.reset(token)


def target() -> CompileTarget:
    """Return the processor that machine code is compiled for."""
    return _other_target.get() or own_target()


def is_for_others() -> bool:
    """Return whether code is written for another processor, where no library is but the code's."""
    return _other_target.get() is not None


def converts_halves() -> bool:
    """Return whether instructions convert float16 to float32 and back; all processors of these
    kinds that have fused multiply-add have them.
    """
    other = _other_target.get()
    kind = machine().lower() if other is None else other.architecture
    return host().has_fma and kind in ("x86_64", "amd64", "aarch64", "arm64")


def host() -> Processor:
    """Return the facts for the processor that machine code is compiled for."""
    return target().processor
