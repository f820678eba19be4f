"""Parts of NumPy's arrays of complex numbers in a trace: ``z.real`` and ``z.imag`` are views.

staging/builtins.py installs them.
"""

from __future__ import annotations

from typing import Any

from runtime.ops.math import elementary
from runtime.staging.numpy_arrays.symbolic_array import PARTS, SymbolicArray, View


def _real(array: SymbolicArray) -> Any:
    """Return the real part: a view; of real numbers the array."""
    if not array.current().dtype.is_complex:
        return array
    view = elementary.real, lambda base, real: elementary.complex(real, elementary.imag(base))
    return _view(array, view)


def _imag(array: SymbolicArray) -> Any:
    """Return the imaginary part: a view; of real numbers zeros."""
    if not array.current().dtype.is_complex:
        return SymbolicArray.fresh(elementary.imag(array.current()), array.storage is not None)
    view = elementary.imag, lambda base, imag: elementary.complex(elementary.real(base), imag)
    return _view(array, view)


def _view(array: SymbolicArray, view: View) -> SymbolicArray:
    tensor = view[0](array.current())
    if array.storage is None:
        return SymbolicArray.fresh(tensor)
    return SymbolicArray.view_of(array, tensor, view)


def install() -> None:
    """Enter the attributes in the table of symbolic arrays."""
    PARTS.update(real=_real, imag=_imag)
