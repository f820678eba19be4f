"""BLAS inside NumPy's wheel: the library itself, and its number of threads."""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np


@cache
def blas_library() -> ctypes.CDLL | None:
    """Return the library that NumPy's wheels contain; None where NumPy has another one."""
    for path in _files():
        with contextlib.suppress(OSError):
            return ctypes.CDLL(str(path))
    return None


def set_blas_threads(number: int) -> bool:
    """Set how many threads share one product; return whether the library was found."""
    library = blas_library()
    if library is None:
        return False
    library.scipy_openblas_set_num_threads64_(ctypes.c_int(number))
    return True


def _files() -> Iterator[Path]:
    """Yield the files that may be the library: beside the package, or inside of it on macOS."""
    package = Path(np.__file__).parent
    for folder in (package.parent / "numpy.libs", package / ".dylibs"):
        yield from sorted(folder.glob("libscipy_openblas64_*"))
