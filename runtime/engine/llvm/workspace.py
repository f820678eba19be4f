"""Workspace: memory that native code keeps for its next arrays, lists and scratch, up to a bound.

workspace_code.py says how it is kept.  NumPy frees the memory of arrays by the functions of their
*handler*; arrays of native code get the one that is made here, which puts it into the workspace.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping

from runtime.types.flags import WORKSPACE

_FUNCTIONS = ("rt_numpy_take", "rt_numpy_clear", "rt_numpy_renew", "rt_numpy_give")
_KIND = b"mem_handler"
"""Name of capsules of handlers, as NumPy asks for it."""
HANDLER = "workspace_handler"
"""Name in native code of the address of the handler's capsule."""


class _Handler(ctypes.Structure):
    """``PyDataMem_Handler`` of version 1."""

    _fields_ = (
        ("name", ctypes.c_char * 127),
        ("version", ctypes.c_uint8),
        ("context", ctypes.c_void_p),
        *((name, ctypes.c_void_p) for name in _FUNCTIONS),
    )


_set_bound: list[Callable[[int], int]] = []
"""The native function that sets the bound, once there is native code."""


def begin(functions: Mapping[str, int]) -> int:
    """Begin to keep memory, by native functions; return the address of the handler's capsule."""
    handler = _Handler(b"runtime", 1, None, *(functions[name] for name in _FUNCTIONS))
    new = ctypes.pythonapi.PyCapsule_New
    new.restype = ctypes.py_object
    new.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    capsule = new(ctypes.addressof(handler), _KIND, None)
    for referent in (handler, capsule, _KIND):  # arrays may refer to them until the process ends
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(referent))
    _set_bound.append(ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(functions["rt_bound"]))
    _set_bound[0](WORKSPACE.value << 20)
    return id(capsule)


def release() -> int:
    """Give the memory that is kept back to the system; return how many bytes it was."""
    byte_count = sum(function(0) for function in _set_bound)
    for function in _set_bound:
        function(WORKSPACE.value << 20)
    return byte_count
