"""Flags of the runtime, set by environment variables; ``autograph.flags`` defines the class."""

from __future__ import annotations

from typing import TypeVar

from autograph.flags import Flag, folder, level, switch
from runtime.types.settings import SETTINGS

T = TypeVar("T")


class EngineFlag(Flag[T]):
    """Flag that compiled graphs depend on: a change starts another generation of settings."""

    def _set(self, value: T) -> None:
        super()._set(value)
        SETTINGS.change(self.name, value)


def _times(text: str) -> int:
    """Parse an integer, 0 or more."""
    if not text.isdigit():
        raise ValueError("a whole number")
    return int(text)


CHECK_KERNELS = EngineFlag(
    "RUNTIME_CHECK_KERNELS", False,
    "1: the reference engine checks every kernel's result against the inferred type",
    switch,
)  # fmt: skip

DEBUG = Flag(
    "RUNTIME_DEBUG", 0,
    "1: write to stderr which graphs become machine code, and which do not and why; 2: their "
    "kernel IR, too; 3: their LLVM IR, too", level,
)  # fmt: skip

OPTIMIZE = EngineFlag(
    "RUNTIME_OPTIMIZE", True,
    "0: graphs run as they were recorded, without the optimiser passes: the reference", switch,
)  # fmt: skip

def _choice(text: str) -> str:
    """Parse the choice when graphs become machine code."""
    if text not in {"auto", "always", "never"}:
        raise ValueError("auto, always or never")
    return text


JIT = EngineFlag(
    "RUNTIME_JIT", "auto",
    "auto: graphs become machine code when that pays; always: at once; never", _choice,
)  # fmt: skip

def _engine(text: str) -> str:
    """Parse the engine of graphs that do not choose one."""
    if text not in {"", "xla"}:
        raise ValueError("xla, or nothing")
    return text


ENGINE = EngineFlag(
    "RUNTIME_ENGINE", "",
    "xla: graphs run on XLA, by JAX (the extra `xla`), but those with `jit_compile=True` or "
    "`False`", _engine,
)  # fmt: skip

VIRTUAL_GPUS = Flag(
    "RUNTIME_VIRTUAL_GPUS", 0,
    "so many GPUs are shown besides those of the machine, to test programs without one: they "
    "compute on the CPU, by JAX (the extra `xla`)", _times,
)  # fmt: skip

FIRST_CALLS = Flag(
    "RUNTIME_FIRST_CALLS", True,
    "0: a first call that takes longer than half a second does not say on a terminal or in a "
    "notebook what it does: tracing, compiling", switch,
)  # fmt: skip

JIT_STRICT = Flag(
    "RUNTIME_JIT_STRICT", False,
    "1: what `runtime.jit` cannot stage raises, as with `strict=True`, where it would run as plain "
    "Python", switch,
)  # fmt: skip

JIT_CACHE = Flag[str | None](
    "RUNTIME_JIT_CACHE", None,
    "a folder where machine code is stored for later processes; 0: none; by default `pyautograph` "
    "in the user's cache folder (`$XDG_CACHE_HOME` or `~/.cache`)", folder,
)  # fmt: skip

def _bits(text: str) -> int:
    """Parse the width of vectors."""
    if text not in {"0", "128", "256", "512"}:
        raise ValueError("0, 128, 256 or 512")
    return int(text)


JIT_VECTORS = Flag(
    "RUNTIME_JIT_VECTORS", 512,
    "most bits of the vectors of machine code: 128, 256 or 512; 0: none. The processor may have "
    "fewer. It counts when the first graph is compiled", _bits,
)  # fmt: skip

def _llvm_level(text: str) -> str:
    """Parse how much LLVM optimises."""
    if text not in {"auto", "1", "2", "3"}:
        raise ValueError("auto, 1, 2 or 3")
    return text


JIT_LEVEL = Flag(
    "RUNTIME_JIT_LEVEL", "auto",
    "how much LLVM optimises: auto: as much as pays; 1: hardly, which compiles loops over arrays "
    "in a seventh of the time and runs them several times slower; 2, 3: its own levels",
    _llvm_level,
)  # fmt: skip

WORKSPACE = Flag(
    "RUNTIME_WORKSPACE", 256,
    "MiB of memory that machine code keeps at most for its next arrays and lists, beside what is "
    "in use; 0: none. It counts from the first graph that is compiled, and from each "
    "`config.release_workspace()`", _times,
)  # fmt: skip

JIT_BESIDE = Flag(
    "RUNTIME_JIT_BESIDE", True,
    "0: a graph that becomes machine code unasked waits for the compiler, also where another core "
    "could compile it while its runs go on as before", switch,
)  # fmt: skip

PERF = Flag(
    "RUNTIME_PERF", False,
    "1: write the names of native functions to `/tmp/perf-PID.map`, where Linux's `perf` looks for "
    "them", switch,
)  # fmt: skip

WRITE_AFTER = EngineFlag(
    "RUNTIME_WRITE_AFTER", 100,
    "after so many runs a graph is written out as a Python function; 0: never",
    _times,
)  # fmt: skip
