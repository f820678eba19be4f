"""Exports as the tests use them: shared libraries that ctypes calls, and programs of C."""

from __future__ import annotations

import ctypes
import itertools
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as tf

pytest.importorskip("llvmlite")
COMPILER = shutil.which("cc") or shutil.which("gcc")
needs_cc = pytest.mark.skipif(COMPILER is None, reason="no C compiler")


_NUMBERS = itertools.count()


class Call(ctypes.Structure):
    """``autograph_call`` of the header."""

    _fields_ = (
        ("allocate", ctypes.c_void_p), ("release", ctypes.c_void_p), ("memory", ctypes.c_void_p),
        ("exception", ctypes.c_char_p), ("file", ctypes.c_char_p), ("line", ctypes.c_int32),
        ("message", ctypes.c_char * 256),
    )  # fmt: skip


class Heap:
    """Allocator that counts its blocks, and gives none once it has given so many."""

    def __init__(self, most: int = 1 << 30) -> None:
        self.blocks: dict[int, Any] = {}
        self.given = 0
        self.most = most
        kind = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
        free = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
        self._functions = kind(self._allocate), free(self._release)

    def _allocate(self, memory: Any, size: int) -> int | None:
        if self.given >= self.most:
            return None
        self.given += 1
        block = ctypes.create_string_buffer(size)
        self.blocks[ctypes.addressof(block)] = block
        return ctypes.addressof(block)

    def _release(self, memory: Any, block: int) -> None:
        del self.blocks[block]

    def call(self) -> Call:
        allocate, release = (ctypes.cast(f, ctypes.c_void_p) for f in self._functions)
        return Call(allocate=allocate, release=release)


def c_value(value: Any) -> Any:
    """A NumPy number as C passes it."""
    kind = np.ctypeslib.as_ctypes_type(np.asarray(value).dtype)
    return kind(np.asarray(value).item())


def compiled(folder: Path, program: str, *sources: Path, flags: tuple[str, ...] = ()) -> Path:
    """A program that is linked of sources and objects."""
    path = folder / program
    command = [COMPILER, "-Wall", "-Wextra", "-Werror", *flags, "-o", path, *sources, "-lm"]
    done = subprocess.run([*map(str, command)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return path


def output(path: Path, *args: object) -> tuple[int, str, str]:
    """What a program returns and prints."""
    done = subprocess.run([str(path), *map(str, args)], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def undefined_symbols(path: Path) -> set[str]:
    """The names that an object or a library needs."""
    listing = subprocess.run(
        ["nm", "-u", *(["-D"] if path.suffix == ".so" else []), str(path)],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    names = {line.split()[-1].partition("@")[0] for line in listing.splitlines()}
    return {name for name in names if not re.match(r"_ITM|__gmon|__cxa|_GLOBAL_OFFSET", name)}


int32 = tf.TensorSpec([], tf.int32)
int64 = tf.TensorSpec([], tf.int64)
float64 = tf.TensorSpec([], tf.float64)


class Exported:
    """A trace as a shared library, called with NumPy's arrays and numbers as Python calls it."""

    def __init__(self, trace: Any, path: Path, **options: Any) -> None:
        from runtime.export.native_code.export import exported_trace
        from runtime.export.native_code.interface import c_name
        from runtime.export.native_code.targets import target_named

        path = path.with_stem(f"{path.stem}{next(_NUMBERS)}")  # a path is loaded once
        tf.export.native(trace, path, **options)
        name = options.get("name") or c_name(trace.name, set())
        target = target_named(options.get("target"))
        self.interface = exported_trace(trace, name, target).interface
        self._function = getattr(ctypes.CDLL(str(path)), name)
        self.heap = Heap()

    def __call__(self, *values: Any, room: int = 4096) -> tuple[int, list[Any], Call]:
        """The status, the results and the call."""
        call, args, outputs = self.heap.call(), [], []
        for slot, value in zip(self.interface.arguments, values, strict=True):
            array = np.ascontiguousarray(value, slot.dtype)
            if slot.dims is None:
                args.append(c_value(array))
                continue
            args += [array.ctypes.data_as(ctypes.c_void_p)]
            args += [ctypes.c_int64(array.shape[axis]) for axis in slot.unknown]
            outputs.append((None, array, None))  # it lives as long as the call
        for slot in self.interface.results:
            dims = slot.dims or ()
            sizes = (ctypes.c_int64 * max(len(dims), 1))()
            buffer = np.zeros(room if slot.unknown else dims, slot.dtype)
            args.append(buffer.ctypes.data_as(ctypes.c_void_p))
            if slot.unknown:
                args += [ctypes.c_int64(room), sizes]
            outputs.append((slot, buffer, sizes))
        status = self._function(*args, ctypes.byref(call))
        results = []
        for slot, buffer, sizes in outputs:
            if slot is not None and slot.unknown and status == 0:
                shape = list(sizes)[: len(slot.dims)]
                buffer = buffer[: int(np.prod(shape))].reshape(shape)
            if slot is not None:
                results.append(buffer)
        return status, results, call
