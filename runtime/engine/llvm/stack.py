"""How far the stack of the thread at hand may grow: the bound of recursion in native code.

Native code asks when it enters a recursive function, because a stack that overflows ends the
process.  Below the bound remains room for Python functions that native code calls.
"""

from __future__ import annotations

import ctypes
import sys
import threading

RESERVE = 1 << 20
"""Bytes for Python functions; half of smaller stacks."""


class _Bound(threading.local):
    address: int | None = None


_BOUND = _Bound()


def lowest_address() -> int:
    """Return the lowest address that recursion may reach; 0 where it is not known."""
    address = _BOUND.address
    if address is None:
        low, size = _limits()
        address = _BOUND.address = low + min(RESERVE, size // 2) if low else 0
    return address


def _limits() -> tuple[int, int]:
    """Return the lowest address of this thread's stack, and its size; zeros if not known."""
    if sys.platform == "win32":
        return _windows()
    library = ctypes.CDLL(None)
    if hasattr(library, "pthread_getattr_np"):
        return _linux(library)
    if hasattr(library, "pthread_get_stackaddr_np"):
        return _macos(library)
    return 0, 0


def _linux(library: ctypes.CDLL) -> tuple[int, int]:
    library.pthread_self.restype = ctypes.c_void_p
    attributes = ctypes.create_string_buffer(256)  # 56 bytes with glibc
    low, size = ctypes.c_void_p(), ctypes.c_size_t()
    if library.pthread_getattr_np(ctypes.c_void_p(library.pthread_self()), attributes):
        return 0, 0
    library.pthread_attr_getstack(attributes, ctypes.byref(low), ctypes.byref(size))
    library.pthread_attr_destroy(attributes)
    return low.value or 0, size.value


def _macos(library: ctypes.CDLL) -> tuple[int, int]:
    for name in ("pthread_self", "pthread_get_stackaddr_np"):
        getattr(library, name).restype = ctypes.c_void_p
    library.pthread_get_stacksize_np.restype = ctypes.c_size_t
    thread = ctypes.c_void_p(library.pthread_self())
    high: int = library.pthread_get_stackaddr_np(thread)
    size: int = library.pthread_get_stacksize_np(thread)
    return high - size, size


def _windows() -> tuple[int, int]:
    kernel: ctypes.CDLL = getattr(ctypes, "WinDLL")("kernel32")  # noqa: B009 - Windows only
    low, high = ctypes.c_size_t(), ctypes.c_size_t()
    kernel.GetCurrentThreadStackLimits(ctypes.byref(low), ctypes.byref(high))
    return low.value, high.value - low.value
