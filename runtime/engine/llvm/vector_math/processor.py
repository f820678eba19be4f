"""What the processor offers to vectors: their width, and fused multiply-add."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

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
        return self.vector_bits // int(dtype.removeprefix("float"))


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


@cache
def host() -> Processor:
    """Return the facts for the processor at hand."""
    import llvmlite.binding as llvm

    return processor_of(llvm.get_process_triple(), llvm.get_host_cpu_features())
