"""Kernels carried over to JAX: the function that defines an op, with ``np`` bound to ``jax.numpy``.

A kernel is the meaning of its op, so it is also the first rule that the XLA engine tries.  A kernel
that looks at values, writes into arrays or calls what ``jax.numpy`` lacks fails while it is traced,
and the op needs a rule of its own.
"""

from __future__ import annotations

import contextlib
import types
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np


class CarryError(Exception):
    """Kernel that cannot be carried over, and why."""


class _Numpy:
    """NumPy for kernels: a function applies ``jax.numpy`` where an argument is JAX's, so that what
    a kernel computes from shapes stays known while it is traced.

    What ``jax.numpy`` lacks is a ``CarryError`` then.
    """

    errstate = staticmethod(lambda **_: contextlib.nullcontext())

    def __init__(self, path: str = "") -> None:
        self._path = path

    def __getattr__(self, name: str) -> Any:
        value = self._find(np, name)
        if isinstance(value, types.ModuleType):
            carried: Any = _Numpy(f"{self._path}{name}.")
        elif name == "ndarray":
            carried = _ArrayType
        elif isinstance(value, type) or not callable(value):
            carried = value
        else:
            carried = self._function(value, name)
        setattr(self, name, carried)
        return carried

    def _find(self, module: Any, name: str) -> Any:
        for part in f"{self._path}{name}".split("."):
            module = getattr(module, part)
        return module

    def _function(self, function: Callable[..., Any], name: str) -> Callable[..., Any]:
        def apply(*args: Any, **keywords: Any) -> Any:
            if not _has_traced((args, keywords)):
                return function(*args, **keywords)
            try:
                on_jax = self._find(jnp, name)
            except AttributeError:
                raise CarryError(f"jax.numpy has no {self._path}{name}") from None
            if "dtype" in keywords and isinstance(function, np.ufunc):
                dtype = keywords.pop("dtype")
                args = tuple(arg.astype(dtype) for arg in args)
            return on_jax(*args, **keywords)

        if isinstance(function, np.ufunc) and name in _REDUCTIONS:
            setattr(apply, "reduce", self._reduction(name, function.reduce))  # noqa: B010
        return apply

    def _reduction(self, name: str, reduce: Callable[..., Any]) -> Callable[..., Any]:
        """Return the method ``reduce`` of a ufunc, which takes the first axis if it is not told."""

        def apply(array: Any, axis: Any = 0, dtype: Any = None, out: None = None,
                  keepdims: bool = False, **options: Any) -> Any:  # fmt: skip
            if not _has_traced(array):
                return reduce(array, axis, dtype, out, keepdims, **options)
            if dtype is not None:
                options["dtype"] = dtype
            return getattr(jnp, _REDUCTIONS[name])(array, axis, keepdims=keepdims, **options)

        return apply


_REDUCTIONS = {
    "add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min", "logical_and": "all",
    "logical_or": "any",
}  # fmt: skip
"""Name of a ufunc -> function that its method ``reduce`` is."""


def _has_traced(value: Any) -> bool:
    """Return whether JAX's arrays are among arguments."""
    if isinstance(value, tuple | list):
        return any(map(_has_traced, value))
    if isinstance(value, dict):
        return any(map(_has_traced, value.values()))
    return isinstance(value, jax.Array)


class _AnyArray(type):
    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, np.ndarray | jax.Array)


class _ArrayType(metaclass=_AnyArray):
    """``np.ndarray`` for kernels: arrays of both libraries are instances."""


_NUMPY = _Numpy()


class KernelCarrier:
    """Carrier of kernels: it rewrites each function once, with the functions that it calls."""

    def __init__(self) -> None:
        self._functions: dict[int, tuple[Any, Callable[..., Any]]] = {}
        """Id of a function -> the function, which so keeps its id, and its rewritten form."""

    def replace(self, function: Callable[..., Any], carried: Callable[..., Any]) -> None:
        """Let kernels call another function on JAX's arrays: this one looks at values."""
        self._functions[id(function)] = function, carried

    def carried(self, kernel: Any) -> Callable[..., Any]:
        """Return a kernel on JAX's arrays; CarryError when it has none."""
        carried: Callable[..., Any] = self._value(kernel)
        if carried is kernel and not isinstance(kernel, type):
            raise CarryError(f"{kernel!r} is neither NumPy's nor a function of Python")
        return carried

    def _value(self, value: Any) -> Any:
        """Return what stands for a global or free variable of a kernel."""
        if value is np:
            return _NUMPY
        if isinstance(value, types.FunctionType) and value.__module__.startswith("runtime."):
            return self._function(value)
        if isinstance(value, type) or not callable(value):
            return value
        name = getattr(value, "__name__", "")
        ufunc = getattr(value, "__self__", None)
        if isinstance(ufunc, np.ufunc) and ufunc.__name__ in _REDUCTIONS and name == "reduce":
            return getattr(_NUMPY, ufunc.__name__).reduce
        return getattr(_NUMPY, name) if getattr(np, name, None) is value else value

    def _function(self, function: types.FunctionType) -> Callable[..., Any]:
        entry = self._functions.get(id(function))
        if entry is not None:
            return entry[1]
        names = _names(function.__code__)
        namespace: dict[str, Any] = {"__builtins__": function.__globals__["__builtins__"]}
        cells = tuple(types.CellType() for _ in function.__closure__ or ())
        carried = types.FunctionType(
            function.__code__, namespace, function.__name__, function.__defaults__, cells
        )
        carried.__kwdefaults__ = function.__kwdefaults__
        self._functions[id(function)] = function, carried  # before its globals: it may call itself
        for name in names & function.__globals__.keys():
            namespace[name] = self._value(function.__globals__[name])
        for cell, original in zip(cells, function.__closure__ or (), strict=True):
            cell.cell_contents = self._value(original.cell_contents)
        return carried


def _names(code: types.CodeType) -> set[str]:
    """Names that a function and the functions inside of it look up."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= _names(constant)
    return names
