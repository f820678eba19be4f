"""BLAS and LAPACK inside NumPy's wheel: the functions that native code calls, by name.

Native products of matrices are those of the library that NumPy itself calls; where NumPy has
another one, the kernels compute them.
"""

from __future__ import annotations

import ctypes
from functools import cache

from runtime.engine.blas_library import blas_library
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.vector_math.processor import is_for_others

_FUNCTIONS = {"sd": ("gemm", "gemv", "dot"), "cz": ("gemm", "gemv", "dotu_sub")}
"""By letters of types: the functions."""
_LAPACK = ("gesv", "potrf", "syevd")
_WITH_512_BITS = ("SkylakeX", "Cooperlake", "Sapphirerapids", "SapphireRapids", "A64FX")
"""OpenBLAS's names of the processors for which its code has so wide vectors."""


@cache
def blas_functions() -> dict[str, int]:
    """Return the addresses of BLAS's functions by name, such as ``blas_dgemm``; none if it is not
    the library of NumPy's wheels.
    """
    library = blas_library()
    if library is None:
        return {}
    addresses = {
        f"blas_{letter}{name}": _address(library, f"scipy_cblas_{letter}{name}64_")
        for letters, names in _FUNCTIONS.items() for letter in letters for name in names
    }  # fmt: skip
    return {**addresses, "blas_threads": _address(library, "scipy_openblas_get_num_threads64_")}


@cache
def lapack_functions() -> dict[str, int]:
    """Return the addresses of LAPACK's functions by name, such as ``lapack_dgesv``; none if one is
    missing.  NumPy has LAPACK compute in double precision always.
    """
    library = blas_library()
    names = {f"lapack_d{name}": f"scipy_d{name}_64_" for name in _LAPACK}
    if library is None or not all(hasattr(library, symbol) for symbol in names.values()):
        return {}
    return {name: _address(library, symbol) for name, symbol in names.items()}


def decomposes() -> bool:
    """Return whether the library decomposes matrices, as NumPy has it do."""
    return bool(lapack_functions()) and not is_for_others()


def multiplies(type: ir.Scalar) -> bool:
    """Return whether the library multiplies matrices of a type of numbers."""
    is_there = is_for_others() or bool(blas_functions())  # exports have products of their own
    return type.kind in "fc" and type.part.bits > 16 and is_there


def type_name(type: ir.Scalar) -> str:
    """Return the name of a type of numbers in those of the functions on matrices."""
    return f"{type.kind}{type.bits}"


@cache
def vector_bits() -> int:
    """Return the width of the vectors that the library's functions use on this machine."""
    library = blas_library()
    if library is None:
        return 0
    name = library.scipy_openblas_get_corename64_
    name.restype = ctypes.c_char_p
    return 512 if name().decode() in _WITH_512_BITS else 256


def _address(library: ctypes.CDLL, name: str) -> int:
    address = ctypes.cast(getattr(library, name), ctypes.c_void_p).value
    assert address is not None
    return address
