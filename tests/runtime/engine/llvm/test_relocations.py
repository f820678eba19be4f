"""Machine code may lie anywhere: constants and functions far away are found by whole addresses.

The linker maps code and constants apart.  Where large mappings lie between them, offsets of 32 bits
do not reach, and the linker ends the process.
"""

from __future__ import annotations

import platform
import struct
import sys

import numpy as np
import pytest

import runtime as tf
from runtime.engine.llvm import engine as llvm_engine

pytestmark = pytest.mark.skipif(
    not llvm_engine.is_available() or sys.platform != "linux" or platform.machine() != "x86_64",
    reason="needs llvmlite, and files of ELF for x86-64",
)

WHOLE = {1: "R_X86_64_64", 24: "R_X86_64_PC64"}


def relocations(code: bytes) -> set[int]:
    """The types of the relocations of an object file, which its section headers lead to."""
    (sections,) = struct.unpack_from("<Q", code, 40)
    size, count = struct.unpack_from("<HH", code, 58)
    found = set()
    for number in range(count):
        header = sections + number * size
        kind, _, _, offset, length = struct.unpack_from("<IQQQQ", code, header + 4)
        if kind == 4:  # SHT_RELA
            table = struct.iter_unpack("<QQq", code[offset : offset + length])
            found |= {info & 0xFFFFFFFF for _, info, _ in table}
    return found


def test_addresses_are_whole(monkeypatch):
    from runtime.engine.llvm import machine_code

    seen: list[bytes] = []
    link = machine_code._Compiler.link
    monkeypatch.setattr(
        machine_code._Compiler, "link", lambda self, files: seen.extend(files) or link(self, files)
    )
    x, w = np.ones((1, 8, 8, 4), np.float32), np.ones((3, 3, 4, 4), np.float32)

    @tf.function(jit_compile=True)
    def program(x, w, n):
        y = tf.tanh(tf.nn.conv2d(x, w, 1, "SAME")) + tf.random.normal([8])[:4]
        total = tf.reduce_sum(y)
        for i in tf.range(n):
            total = total * 0.5 + tf.cast(i, tf.float32)
        return tf.nn.softmax(y), total

    program(x, w, tf.constant(3))
    assert seen and all(code[:4] == b"\x7fELF" for code in seen)
    found = {one for code in seen for one in relocations(code)}
    assert found and found <= set(WHOLE), found
