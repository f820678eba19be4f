"""Machine code for eager functions of large arrays that have become hot.

NumPy computes a softmax in seven passes over memory, and some functions one number at a time.  Once
the kernel of such an op has taken as long as its compilation takes, the engine's machine code runs
in its place: on arrays of many elements, which lie without gaps.  ``RUNTIME_JIT=never`` forbids it.
The ops have the trait COSTLY.  Smaller arrays are NumPy's for ever, and so is everything where
llvmlite is not installed.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.ops.dispatch import is_eager_thread
from runtime.ops.op import COSTLY, OpDef

LEAST = 4096
"""Number of elements from which on machine code computes."""
HOT_SECONDS = 0.2
"""Time in NumPy's kernel after which an op is compiled: about as long as that takes."""
LOADING_SECONDS = 1.0
"""Time in all such kernels after which the compiler is loaded, if nothing else needed it."""

_DTYPES = frozenset(map(np.dtype, (np.float32, np.float64)))
_COMPILER = "llvmlite.binding"

Compile = Callable[[OpDef, dict[str, Any], Any, int], Callable[[Any], Any] | None]
"""``compile(op, attrs, dtype, rank)``: machine code for an op, or None."""


class _Shared:
    """What all kernels share."""

    compiler: Callable[[], Compile] | None = None
    """Function that loads the compiler; the roof of the package sets it."""
    seconds = 0.0
    """Time that NumPy's kernels have taken on large arrays."""


def compile_by(load: Callable[[], Compile]) -> None:
    """Compile with what ``load()`` returns, once something is hot."""
    _Shared.compiler = load


class CostlyKernel:
    """Kernel of an op: NumPy's on small arrays, machine code on large ones once that is hot."""

    __slots__ = ("_codes", "_flags", "_kernel", "_op", "_seconds")

    def __init__(self, op: OpDef) -> None:
        from runtime.types import flags  # nothing else asks for them when the package is imported

        self._op, self._kernel, self._flags = op, op.kernel, flags
        self._codes: dict[Any, Callable[[Any], Any] | None] = {}
        self._seconds: dict[Any, float] = {}

    def __call__(self, x: Any, **attrs: Any) -> Any:
        """Compute the op of an array."""
        if x.size < LEAST or x.dtype not in _DTYPES or not x.flags.c_contiguous:
            return self._kernel(x, **attrs)
        is_flat = self._op.elementwise
        key = (self._flags.JIT.value, x.dtype, 1 if is_flat else x.ndim, *sorted(attrs.items()))
        code = self._codes.get(key)
        if code is None:
            return self._measured(key, x, attrs)
        return code(x.reshape(-1)).reshape(x.shape) if is_flat else code(x)

    def _measured(self, key: Any, x: Any, attrs: dict[str, Any]) -> Any:
        """Compute with NumPy; compile if that has taken long enough."""
        start = time.perf_counter()
        result = self._kernel(x, **attrs)
        passed = time.perf_counter() - start
        self._seconds[key] = seconds = self._seconds.get(key, 0.0) + passed
        _Shared.seconds += passed
        is_loaded = _COMPILER in sys.modules or _Shared.seconds > LOADING_SECONDS
        if seconds > HOT_SECONDS and is_loaded and key not in self._codes:
            self._compile(key, x.dtype, attrs)
        return result

    def _compile(self, key: Any, dtype: Any, attrs: dict[str, Any]) -> None:
        load, flags = _Shared.compiler, self._flags
        if load is None or flags.JIT.value == "never" or flags.CHECK_KERNELS.value:
            return
        if not is_eager_thread():
            return
        self._codes[key] = None  # if it fails, it is not tried again
        self._codes[key] = load()(self._op, attrs, dtype, key[2])


_KERNELS: dict[OpDef, CostlyKernel] = {}


def kernel_of(op: OpDef) -> Callable[..., Any]:
    """Return the kernel that computes an op in eager execution."""
    if COSTLY not in op.traits:
        return op.kernel
    kernel = _KERNELS.get(op)
    return kernel if kernel is not None else _KERNELS.setdefault(op, CostlyKernel(op))
