"""Runs C: compiles a source with the machine's gcc and calls its function ``work``.

Python's call of a C function takes longer than some works, so what is timed is a loop in C.
"""

from __future__ import annotations

import ctypes
import functools
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

FLAGS = ("-O3", "-march=native", "-std=gnu17", "-fPIC")
TYPES: dict[str, tuple[str, Any]] = {
    "int32": ("int", ctypes.c_int), "int64": ("long", ctypes.c_long),
    "float32": ("float", ctypes.c_float), "float64": ("double", ctypes.c_double),
}  # fmt: skip
BATCH_SECONDS = 1e-4

# `noipa` keeps gcc from moving the work out of the loop.
TEMPLATE = """
#include <math.h>
#include <string.h>
__attribute__((noipa)) static {source}
{result} once({parameters}) {{ return work({names}); }}
void many(long times, {parameters}) {{ for (long i = 0; i < times; i++) work({names}); }}
"""


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    """Where libraries are written; removed when the process ends."""
    return tempfile.TemporaryDirectory(prefix="against_peers")


@functools.cache
def _library(text: str, flags: tuple[str, ...]) -> ctypes.CDLL:
    path = Path(_folder().name) / f"work{len(list(Path(_folder().name).iterdir()))}.so"
    compiled = str(path.with_suffix(".o"))
    compile = ["gcc", *FLAGS, *flags, "-c", "-x", "c", "-", "-o", compiled]
    subprocess.run(compile, input=text.encode(), check=True)
    # linked with -ffast-math, it would let the whole process take subnormal numbers for zero
    subprocess.run(["gcc", "-shared", compiled, "-o", str(path), "-lm"], check=True)
    return ctypes.CDLL(str(path))


class CCall:
    """A call of ``work`` with NumPy arrays and NumPy numbers.

    The answer is what ``work`` returns, of the dtype ``result``, or else the arrays ``answer``.
    """

    def __init__(
        self, source: str, *arguments: Any, result: str = "", answer: Any = None, flags: str = ""
    ) -> None:
        kinds = [TYPES[np.asarray(a).dtype.name] for a in arguments]
        stars = ["*restrict " if isinstance(a, np.ndarray) else "" for a in arguments]
        text = TEMPLATE.format(
            source=source.strip(),
            result=TYPES[result][0] if result else "void",
            parameters=", ".join(f"{k[0]} {s}p{i}" for i, (k, s) in enumerate(zip(kinds, stars))),
            names=", ".join(f"p{i}" for i in range(len(kinds))),
        )
        library = _library(text, tuple(flags.split()))
        self._once, self._many = library.once, library.many
        self._once.restype = TYPES[result][1] if result else None
        self._many.restype = None
        self._arguments = [
            a.ctypes.data_as(ctypes.c_void_p) if isinstance(a, np.ndarray) else number(a.item())
            for a, (_, number) in zip(arguments, kinds)
        ]
        self._kept = arguments  # the arrays whose memory is used
        self._answer = answer
        self.times = 1

    def __call__(self) -> Any:
        """One call."""
        found = self._once(*self._arguments)
        return found if self._answer is None else self._answer

    def batch(self) -> None:
        """So many calls that those from Python do not count."""
        self._many(ctypes.c_long(self.times), *self._arguments)

    def prepare(self) -> None:
        """Find how many calls a batch takes."""
        self()
        start = time.perf_counter()
        self()
        once = max(time.perf_counter() - start, 1e-7)
        self.times = max(1, round(BATCH_SECONDS / once))
